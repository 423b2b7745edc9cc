//! Are rows that are said to be diabetic with a probability of 70 % so in seven cases of ten?
//!
//! `cargo run --release --example probabilities`

use mercer::data::{Items, ReadOptions, Scaling, ScalingKind, Split, read_file};
use mercer::evaluation::log_loss;
use mercer::kernel::Expression;
use mercer::machine::{Probability, Svc};

fn main() -> mercer::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/pima_diabetes.csv");
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let Split { train, test } = Split::held_out(&labels, 300, 1)?;
    let scaling = Scaling::fit(ScalingKind::Standardise, &table.vectors.select(&train))?;
    let rows = scaling.apply(&table.vectors)?;
    let (hidden, tested) = (labels.select(&test), rows.select(&test));
    let kernel: Expression = "gaussian(gamma=0.02)".parse()?;
    for kind in [Probability::Consistent, Probability::Platt, Probability::Isotonic] {
        let machine = Svc::params(kernel.clone()).probability(kind).check()?;
        let model = machine.fit(&rows.select(&train), &labels.select(&train))?;
        let probabilities = model.probabilities(&tested)?;
        println!(
            "{kind:?}: log loss {:.4} on rows held out",
            log_loss(&hidden, model.classes(), &probabilities, None)?
        );
        for step in 0..5 {
            let (low, high) = (f64::from(step) / 5.0, f64::from(step + 1) / 5.0);
            let said: Vec<(f64, bool)> = (0..hidden.len())
                .map(|i| (probabilities[2 * i + 1], hidden.text(i) == model.classes()[1]))
                .filter(|(p, _)| *p >= low && (*p < high || step == 4))
                .collect();
            let count = said.len().max(1) as f64;
            let mean = 100.0 * said.iter().map(|(p, _)| p).sum::<f64>() / count;
            let share = 100.0 * said.iter().filter(|(_, is_so)| *is_so).count() as f64 / count;
            println!("  {:>3} rows: {mean:3.0} % said, {share:3.0} % so", said.len());
        }
    }
    Ok(())
}

//! Trains both joint machines on a table and compares them with one machine per pair of classes.
//!
//! `cargo run --release -p mercer --example joint [FILE]`

use mercer::data::{ReadOptions, Scaling, ScalingKind, read_file};
use mercer::kernel::Expression;
use mercer::machine::{Joint, JointSvc, Svc};

fn main() -> mercer::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/wine.csv".to_string());
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors)?.apply(&table.vectors)?;
    let kernel: Expression = "gaussian(gamma=scale)".parse()?;
    let right = |predicted: &[&str]| (0..labels.len()).filter(|&i| predicted[i] == labels.text(i)).count();

    for machine in [Joint::WestonWatkins, Joint::CrammerSinger] {
        let model = JointSvc::params(kernel.clone()).machine(machine).check()?.fit(&rows, &labels)?;
        if let Some(report) = model.reports().first() {
            let (gap, support) = (report.certificate.relative_gap(), report.support);
            println!("{machine:?}: {}, duality gap {gap:.1e}, {support} support vectors", report.status);
        }
        println!("  {} of {} rows as labelled", right(&model.predict_labels(&rows)?), labels.len());
    }
    let model = Svc::params(kernel).check()?.fit(&rows, &labels)?;
    println!("one against one: {} support vectors", model.pairs().support.len());
    println!("  {} of {} rows as labelled", right(&model.predict_labels(&rows)?), labels.len());
    Ok(())
}

//! Trains a classifier on a table and prints its certificate and a few predictions.
//!
//! `cargo run --release -p mercer --example classify [FILE]`

use mercer::data::{Items, ReadOptions, Scaling, ScalingKind, read_file};
use mercer::kernel::Expression;
use mercer::machine::Svc;

fn main() -> mercer::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "data/iris.csv".to_string());
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let scaling = Scaling::fit(ScalingKind::Standardise, &table.vectors)?;
    let rows = scaling.apply(&table.vectors)?;

    let kernel: Expression = "gaussian(gamma=scale)".parse()?;
    let model = Svc::params(kernel).cost(10.0).check()?.fit(&rows, &labels)?;

    println!("kernel {}, {} support vectors", model.kernel(), model.support_items().len());
    for report in &model.pairs().reports {
        let (a, b) = report.classes;
        let gap = report.relative_gap().unwrap_or(f64::NAN);
        println!(
            "{} against {}: {}, duality gap {gap:.1e}, margin {:.4}",
            model.classes()[a],
            model.classes()[b],
            report.status,
            report.margin
        );
    }
    let predicted = model.predict_labels(&rows)?;
    for i in (0..rows.len()).step_by(rows.len().div_ceil(5).max(1)) {
        println!("row {i}: {} (labelled {})", predicted[i], labels.text(i));
    }
    Ok(())
}

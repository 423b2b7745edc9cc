//! How many healthy people are alarmed if nearly all who are ill are to be found? A curve of costs says.
//!
//! `cargo run --release --example detection`

use mercer::data::{Examples, ReadOptions, Scaling, ScalingKind, read_file};
use mercer::evaluation::{RATIOS, cost_curve};
use mercer::kernel::Expression;
use mercer::machine::Svc;

fn main() -> mercer::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/pima_diabetes.csv");
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors)?.apply(&table.vectors)?;
    let machine = Svc::params("gaussian(gamma=0.02)".parse::<Expression>()?);
    let curve = cost_curve(&machine, Examples::new(&rows, &labels), &RATIOS, 0, &|| false)?;

    println!("{} rows, held out in turn; to be found: {}", curve.rows, curve.positive);
    println!("  C+/C-  found   false alarms");
    let front = curve.front();
    for point in &curve.points {
        let mark = if front.contains(&point) { "*" } else { " " };
        let (found, alarms) = (100.0 * point.detections, 100.0 * point.false_alarms);
        println!("{mark} {:<6.3} {found:5.1} %  {alarms:5.1} %", point.ratio);
    }
    println!("* no other finds as many with as few alarms; area below their hull {:.3}", curve.area());
    for share in [0.8, 0.9, 0.95] {
        let Some(point) = curve.at_detection(share) else { continue };
        let model = machine.clone().class_weights(curve.class_weights(point)).check()?.fit(&rows, &labels)?;
        println!(
            "to find {:.0} %: C+ = {:.2} and C- = {:.2}, {} support vectors",
            100.0 * share,
            point.costs.0,
            point.costs.1,
            model.pairs().support.len()
        );
    }
    Ok(())
}

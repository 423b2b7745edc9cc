//! Five ways to learn three classes: pairs that vote or walk a graph, each class against the rest, all classes at once.
//!
//! `cargo run --release --example many_classes [FILE]`

use mercer::data::{Items, ReadOptions, Scaling, ScalingKind, Split, read_file};
use mercer::kernel::Expression;
use mercer::machine::{Decision, Joint, JointSvc, Svc};
use mercer::solver::Control;

fn main() -> mercer::Result<()> {
    let wine = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/wine.csv");
    let path = std::env::args().nth(1).unwrap_or_else(|| wine.to_string());
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let Split { train, test } = Split::held_out(&labels, labels.len() / 2, 1)?;
    let scaling = Scaling::fit(ScalingKind::Standardise, &table.vectors.select(&train))?;
    let rows = scaling.apply(&table.vectors)?;
    let (learned, known) = (rows.select(&train), labels.select(&train));
    let (tested, hidden) = (rows.select(&test), labels.select(&test));
    let kernel: Expression = "gaussian(gamma=scale)".parse()?;
    let tell = |name: &str, predicted: &[&str], support: usize| {
        let right = predicted.iter().enumerate().filter(|(i, class)| hidden.text(*i) == **class).count();
        println!("{name:<18} {right} of {} held-out rows right, {support} support vectors", hidden.len());
    };
    for decision in [Decision::Votes, Decision::Graph] {
        let model = Svc::params(kernel.clone()).decision(decision).check()?.fit(&learned, &known)?;
        tell(&format!("pairs, {decision:?}"), &model.predict_labels(&tested)?, model.pairs().support.len());
    }
    let machine = Svc::params(kernel.clone()).check()?;
    let model = machine.fit_one_against_rest(&learned, &known, None, None, &|_| Control::Continue)?;
    tell("one against rest", &model.predict_labels(&tested)?, model.functions().support.len());
    for joint in [Joint::WestonWatkins, Joint::CrammerSinger] {
        let machine = JointSvc::params(kernel.clone()).machine(joint).duality_gap(1e-4).check()?;
        let model = machine.fit(&learned, &known)?;
        tell(&model.machine().to_string(), &model.predict_labels(&tested)?, model.functions().support.len());
        println!("{:18} duality gap {:.0e}", "", model.reports()[0].certificate.relative_gap());
    }
    Ok(())
}

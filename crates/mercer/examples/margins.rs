//! What slack costs changes the margin: soft by a cost, by its square, by a share ν, and not at all.
//!
//! `cargo run --release --example margins`

use mercer::data::{ReadOptions, Scaling, ScalingKind, read_file};
use mercer::kernel::Expression;
use mercer::machine::{Slack, Svc};

fn main() -> mercer::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/ionosphere.csv");
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors)?.apply(&table.vectors)?;
    println!("{} rows; a row that misses the margin has slack", labels.len());
    let kernels = ["gaussian(gamma=scale)", "linear"];
    let slacks = [
        ("1-norm, C = 1", Slack::Linear),
        ("2-norm, C = 1", Slack::Quadratic),
        ("nu = 0.1", Slack::Nu { nu: 0.1 }),
        ("nu = 0.3", Slack::Nu { nu: 0.3 }),
        ("hard margin", Slack::None),
    ];
    for kernel in kernels {
        println!("{kernel}");
        for (name, slack) in slacks {
            let machine = Svc::params(kernel.parse::<Expression>()?).slack(slack).check()?;
            match machine.fit(&rows, &labels) {
                Ok(model) => {
                    let report = &model.pairs().reports[0];
                    let (margin, missed, support) = (report.margin, report.margin_errors, report.support);
                    println!(
                        "  {name:<14} margin {margin:.4}, missed by {missed}, supported by {support} rows"
                    );
                }
                // No hyperplane in the 34 columns themselves separates the classes.
                Err(error) => println!("  {name:<14} {error}"),
            }
        }
    }
    Ok(())
}

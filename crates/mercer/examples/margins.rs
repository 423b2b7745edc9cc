//! What slack costs changes the margin: soft by a cost, by its square, by a share ν, and not at all. Machines of unit
//! length find the same; γ is the margin by the formula of each, which for the 2-norm of unit length takes the slack in.
//!
//! `cargo run --release --example margins`

use mercer::data::{ReadOptions, Scaling, ScalingKind, read_file};
use mercer::kernel::Expression;
use mercer::machine::{Scale, Slack, Svc};

fn main() -> mercer::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/ionosphere.csv");
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors)?.apply(&table.vectors)?;
    println!("{} rows; a row that misses the margin has slack", labels.len());
    let kernels = ["gaussian(gamma=scale)", "linear"];
    let slacks = [
        ("1-norm, C = 1", Slack::Linear, Scale::Functional),
        ("2-norm, C = 1", Slack::Quadratic, Scale::Functional),
        ("2-norm, mu = 1", Slack::Quadratic, Scale::Geometric),
        ("nu = 0.1", Slack::Nu { nu: 0.1 }, Scale::Functional),
        ("nu = 0.3", Slack::Nu { nu: 0.3 }, Scale::Geometric),
        ("hard margin", Slack::None, Scale::Functional),
        ("... |w| = 1", Slack::None, Scale::Geometric),
    ];
    for kernel in kernels {
        println!("{kernel}");
        for (name, slack, scale) in slacks {
            let machine = Svc::params(kernel.parse::<Expression>()?).slack(slack).scale(scale).check()?;
            match machine.fit(&rows, &labels) {
                Ok(model) => {
                    let report = &model.pairs().reports[0];
                    let (margin, missed, support) = (report.margin, report.margin_errors, report.support);
                    let gamma = report.gamma.unwrap_or(f64::NAN);
                    println!(
                        "  {name:<14} margin {margin:.4}, γ {gamma:.4}, missed by {missed}, supported by {support} rows"
                    );
                }
                // No hyperplane in the 34 columns themselves separates the classes.
                Err(error) => println!("  {name:<14} {error}"),
            }
        }
    }
    Ok(())
}

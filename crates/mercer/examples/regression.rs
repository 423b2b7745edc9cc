//! Miles per gallon from seven numbers about a car: a function within a tube, and quantiles around it.
//!
//! `cargo run --release --example regression`

use mercer::data::{ReadOptions, Scaling, ScalingKind, Targets, read_file};
use mercer::kernel::Expression;
use mercer::machine::{Loss, Svr};

fn main() -> mercer::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/auto_mpg.csv");
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let Targets::Numbers(targets) = &table.targets else { return Ok(()) };
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors)?.apply(&table.vectors)?;
    let kernel: Expression = "gaussian(gamma=median)".parse()?;
    for loss in [
        Loss::Linear { tube: 1.0 },
        Loss::Quadratic { tube: 1.0 },
        Loss::Nu { nu: 0.3 },
        Loss::Huber { width: 2.0 },
        Loss::Quantile { level: 0.1 },
        Loss::Quantile { level: 0.9 },
    ] {
        let model = Svr::params(kernel.clone()).cost(20.0).loss(loss).check()?.fit(&rows, targets)?;
        let size = (model.residuals().iter().map(|r| r * r).sum::<f64>() / targets.len() as f64).sqrt();
        let below = model.residuals().iter().filter(|r| **r < 0.0).count();
        let gap = model.report().and_then(|report| report.relative_gap()).unwrap_or(f64::NAN);
        println!(
            "{loss}: tube {:.2}, {} support vectors, root of the mean squared residual {size:.2}, \
             {:.0} % of the cars below, gap {gap:.1e}",
            model.tube(),
            model.expansion().support.len(),
            100.0 * below as f64 / targets.len() as f64
        );
    }
    Ok(())
}

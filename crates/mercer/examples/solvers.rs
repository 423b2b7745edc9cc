//! The solvers of the textbooks and Mercer's own: one answer, and what each takes for it.
//!
//! `cargo run --release --example solvers`

use mercer::data::{ReadOptions, Scaling, ScalingKind, read_file};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer::solver::Method;

fn main() -> mercer::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/pima_diabetes.csv");
    let table = read_file(path, &ReadOptions::default())?.table()?;
    let labels = table.targets.labels()?;
    let rows = Scaling::fit(ScalingKind::Standardise, &table.vectors)?.apply(&table.vectors)?;
    let kernel: Expression = "gaussian(gamma=scale)".parse()?;
    use Method::{Adatron, Chunking, Decomposition, InteriorPoint, Smo};
    for (offset, methods) in
        [(true, vec![Decomposition, Smo, Chunking, InteriorPoint]), (false, vec![Decomposition, Adatron])]
    {
        println!("{}", if offset { "with an offset" } else { "without an offset" });
        for method in methods {
            let params = Svc::params(kernel.clone()).cost(10.0).offset(offset).tolerance(1e-4);
            let model = params.solver_method(method).check()?.fit(&rows, &labels)?;
            let report = &model.pairs().reports[0];
            println!(
                "  {:<14} dual {:.4}, gap {:.0e}, {:>6} steps, {:>7} rows of K, {:.3} s",
                format!("{method:?}"),
                report.certificate.dual,
                report.certificate.relative_gap(),
                report.iterations,
                report.rows_computed,
                report.seconds
            );
        }
    }
    Ok(())
}

//! How long machines take that factorise K: `cargo run --release --example matrix_speed -- ridge|pca|process [rows]`.

use std::time::Instant;

use mercer::data::{Random, Vectors};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{GaussianProcess, KernelPca, Ridge};

fn main() -> mercer::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let machine = arguments.next().unwrap_or_else(|| "ridge".into());
    let rows = arguments.next().and_then(|text| text.parse().ok());
    let timed = match machine.as_str() {
        "pca" => components(rows.unwrap_or(5000))?,
        "process" => process(rows.unwrap_or(2000))?,
        _ => ridge(rows.unwrap_or(8000))?,
    };
    println!("{machine}: {timed}");
    Ok(())
}

/// Rows of eight normal columns, and a wave over them with noise.
fn data(n: usize) -> mercer::Result<(Vectors<'static>, Vec<f64>)> {
    let mut random = Random::new(1);
    let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..8).map(|_| random.normal()).collect()).collect();
    let targets =
        rows.iter().map(|x| (x[0] + 0.5 * x[1]).sin() + 0.1 * x[2] + 0.1 * random.normal()).collect();
    Ok((Vectors::from_rows(&rows)?, targets))
}

fn ridge(n: usize) -> mercer::Result<String> {
    let (rows, targets) = data(n)?;
    let machine = Ridge::params("gaussian(gamma=0.1)".parse::<Expression>()?).memory(1 << 31).check()?;
    let begun = Instant::now();
    let model = machine.fit(&rows, &targets)?;
    Ok(format!("{n} rows in {:.2?} ({:?})", begun.elapsed(), model.report().method))
}

fn components(n: usize) -> mercer::Result<String> {
    let (rows, _) = data(n)?;
    let machine = KernelPca::params("gaussian(gamma=0.1)".parse::<Expression>()?).components(20).check()?;
    let begun = Instant::now();
    let model = machine.fit(&rows)?;
    Ok(format!("20 components of {n} rows in {:.2?} ({} products)", begun.elapsed(), model.fit().iterations))
}

fn process(n: usize) -> mercer::Result<String> {
    let (rows, targets) = data(n)?;
    let kernel: Expression = "1 * gaussian(length_scale=[1, 1, 1, 1, 1, 1, 1, 1]) + white(0.1)".parse()?;
    let machine = GaussianProcess::params(kernel).check()?;
    let begun = Instant::now();
    let model = machine.fit_learned(&rows, &Matrix::new(targets, n, 1)?, None)?;
    let learned = model.report().learned.as_ref().map_or(0, |learned| learned.evaluations);
    Ok(format!(
        "{n} rows in {:.2?}: likelihood {:.3}, {learned} evaluations",
        begun.elapsed(),
        model.report().likelihood
    ))
}

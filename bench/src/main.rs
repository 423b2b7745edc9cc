//! Trains and predicts on arrays that `sets.py` has prepared, and prints one line of JSON.
//!
//! ```text
//! mercer-bench FOLDER COST GAMMA TOLERANCE THREADS [COEFFICIENTS]
//! ```
//!
//! Reading the arrays is not timed. The coefficients go to a file, so that the harness can compute the objective of
//! every program in the same way.

mod npy;

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use mercer::data::{Dense, Items, Labels, Sparse, Vectors};
use mercer::gram::{BulkKernel, Columns, Plan, Precision};
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcModel};
use mercer::resources::Workers;
use serde::Serialize;

#[derive(Serialize)]
struct Outcome {
    fit: f64,
    /// The least of some more fits, where one takes next to no time.
    fit_again: f64,
    predict: f64,
    accuracy: f64,
    support: usize,
    status: String,
    precision: String,
    /// The largest relative duality gap of all pairs of classes.
    gap: f64,
    steps: u64,
    rows: u64,
    /// Kernel values per second that this machine reaches on these rows with all threads.
    rate: f64,
    peak_megabytes: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, cost, gamma, tolerance, threads, rest @ ..] = &arguments[..] else {
        return Err("usage: mercer-bench FOLDER COST GAMMA TOLERANCE THREADS [COEFFICIENTS]".into());
    };
    let folder = PathBuf::from(folder);
    let threads: usize = threads.parse()?;
    let (rows, labels) = read(&folder, "train")?;
    let (new_rows, new_labels) = read(&folder, "test")?;

    let kernel: Expression = format!("gaussian(gamma={})", gamma.parse::<f64>()?).parse()?;
    let machine = Svc::params(kernel).cost(cost.parse()?).tolerance(tolerance.parse()?).threads(threads);
    let machine = machine.check()?;
    let begun = Instant::now();
    let model = machine.fit(&rows, &labels)?;
    let fit = begun.elapsed().as_secs_f64();
    let peak_megabytes = peak_megabytes();
    let mut fit_again = fit;
    for _ in 0..if fit < 0.01 { 20 } else { 0 } {
        let begun = Instant::now();
        machine.fit(&rows, &labels)?;
        fit_again = fit_again.min(begun.elapsed().as_secs_f64());
    }
    let model = model.with_threads(threads);
    let begun = Instant::now();
    let predicted = model.predict_labels(&new_rows)?;
    let predict = begun.elapsed().as_secs_f64();
    let right = predicted.iter().enumerate().filter(|(i, label)| **label == new_labels.text(*i)).count();
    if let [path, ..] = rest {
        write_coefficients(&model, Path::new(path))?;
    }
    let reports = &model.pairs().reports;
    let outcome = Outcome {
        fit,
        fit_again,
        predict,
        accuracy: right as f64 / new_rows.len() as f64,
        support: model.pairs().support.len(),
        status: format!("{:?}", model.status()),
        precision: format!("{:?}", model.precision()),
        gap: reports.iter().map(|r| r.certificate.relative_gap()).fold(0.0, f64::max),
        steps: reports.iter().map(|r| r.iterations).sum(),
        rows: reports.iter().map(|r| r.rows_computed).sum(),
        rate: rate(&model, &rows, threads)?,
        peak_megabytes,
    };
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(())
}

/// `X_train.npy`, or its three parts if the rows are sparse, and `y_train.npy`.
fn read(folder: &Path, part: &str) -> Result<(Vectors<'static>, Labels), Box<dyn Error>> {
    let path = |name: &str| folder.join(format!("{name}_{part}.npy"));
    let (labels, _) = npy::read::<i64>(&path("y"))?;
    let labels = Labels::from_numbers(&labels.iter().map(|&y| y as f64).collect::<Vec<_>>())?;
    if path("X").exists() {
        let (values, shape) = npy::read::<f64>(&path("X"))?;
        return Ok((Dense::new(values, shape[0], shape[1])?.into(), labels));
    }
    let (values, _) = npy::read::<f64>(&path("data"))?;
    let (indices, _) = npy::read::<i64>(&path("indices"))?;
    let (offsets, _) = npy::read::<i64>(&path("indptr"))?;
    let (columns, _) = npy::read::<i64>(&path("columns"))?;
    Ok((Sparse::new(&offsets, &indices, values, columns[0] as usize)?.into(), labels))
}

/// Per support vector a line: its row, its class, its k − 1 coefficients.
fn write_coefficients(
    model: &SvcModel<Expression, Vectors<'static>>,
    path: &Path,
) -> Result<(), Box<dyn Error>> {
    let pairs = model.pairs();
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    let width = pairs.class_count() - 1;
    for class in 0..pairs.class_count() {
        for i in pairs.starts[class]..pairs.starts[class + 1] {
            write!(out, "{} {class}", pairs.support[i])?;
            for coefficient in &pairs.coefficients[i * width..(i + 1) * width] {
                write!(out, " {coefficient:e}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(out.flush()?)
}

/// Values of this kernel per second: some rows against all columns, the best of three.
fn rate(
    model: &SvcModel<Expression, Vectors<'static>>,
    rows: &Vectors<'static>,
    threads: usize,
) -> Result<f64, Box<dyn Error>> {
    let plan = Plan {
        precision: Precision::F32,
        workers: std::sync::Arc::new(Workers::new(threads)),
        cache_bytes: 0,
        ..Plan::new()?
    };
    let layout = model.kernel().layout(rows, &plan)?;
    let gram = model.kernel().symmetric(rows, &layout, &plan)?;
    let some: Vec<usize> = (0..rows.len().min(960)).collect();
    let weights = vec![1.0; some.len()];
    let mut f = vec![0.0; rows.len()];
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let begun = Instant::now();
        gram.accumulate(&some, &weights, Columns::Range(0..rows.len()), &mut f)?;
        least = least.min(begun.elapsed().as_secs_f64());
    }
    Ok((some.len() * rows.len()) as f64 / least)
}

/// The most memory that this process has had, as the system counts it.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

//! Trains and predicts on arrays that `sets.py` has prepared, and prints one line of JSON.
//!
//! ```text
//! mercer-bench MACHINE PARAMETER FOLDER COST GAMMA TOLERANCE THREADS [COEFFICIENTS]
//! ```
//!
//! The parameter is ν, or the tube of the regression whose tube is given. Reading the arrays is not timed. The coefficients go to
//! a file, so that the harness can compute the objective of every program in the same way. `MERCER_BENCH_AGAIN` says how often to
//! train and predict again in the same process.

mod machine;
mod npy;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use mercer::data::{Dense, Items, Sparse, Vectors};
use mercer::gram::{BulkKernel, Columns, Plan, Precision};
use mercer::kernel::Expression;
use mercer::resources::Workers;
use serde::Serialize;

use crate::machine::{Effort, Machine, Wanted};

#[derive(Serialize)]
struct Outcome {
    fit: f64,
    /// The least of some more fits, where one takes next to no time or more are asked for.
    fit_again: f64,
    predict: f64,
    /// The least of as many more predictions.
    predict_again: f64,
    /// Accuracy, R² or the share outside, on test rows.
    score: f64,
    #[serde(flatten)]
    effort: Effort,
    /// Kernel values per second that this machine reaches on these rows with all threads.
    rate: f64,
    peak_megabytes: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, parameter, folder, cost, gamma, tolerance, threads, rest @ ..] = &arguments[..] else {
        return Err(
            "usage: mercer-bench MACHINE PARAMETER FOLDER COST GAMMA TOLERANCE THREADS [COEFFICIENTS]".into(),
        );
    };
    let folder = PathBuf::from(folder);
    let threads: usize = threads.parse()?;
    let kernel: Expression = format!("gaussian(gamma={})", gamma.parse::<f64>()?).parse()?;
    let machine =
        Machine::new(name, parameter.parse()?, kernel.clone(), cost.parse()?, tolerance.parse()?, threads)?;
    let (rows, wanted) = read(&machine, &folder, "train")?;
    let (new_rows, new_wanted) = read(&machine, &folder, "test")?;

    let begun = Instant::now();
    let model = machine.fit(&rows, &wanted)?;
    let fit = begun.elapsed().as_secs_f64();
    let peak_megabytes = peak_megabytes();
    let again: usize = match std::env::var("MERCER_BENCH_AGAIN") {
        Ok(times) => times.parse()?,
        Err(_) if fit < 0.01 => 20,
        Err(_) => 0,
    };
    let mut fit_again = fit;
    for _ in 0..again {
        let begun = Instant::now();
        machine.fit(&rows, &wanted)?;
        fit_again = fit_again.min(begun.elapsed().as_secs_f64());
    }
    let model = model.with_threads(threads);
    let begun = Instant::now();
    let predicted = model.predict(&new_rows)?;
    let predict = begun.elapsed().as_secs_f64();
    let mut predict_again = predict;
    for _ in 0..again {
        let begun = Instant::now();
        model.predict(&new_rows)?;
        predict_again = predict_again.min(begun.elapsed().as_secs_f64());
    }
    let score = predicted.score(&new_wanted);
    if let [path, ..] = rest {
        model.write_coefficients(Path::new(path))?;
    }
    let rate = rate(&kernel, &rows, threads)?;
    let effort = model.effort();
    let outcome = Outcome { fit, fit_again, predict, predict_again, score, effort, rate, peak_megabytes };
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(())
}

/// `X_train.npy`, or its three parts if the rows are sparse, and `y_train.npy`.
fn read(machine: &Machine, folder: &Path, part: &str) -> Result<(Vectors<'static>, Wanted), Box<dyn Error>> {
    let path = |name: &str| folder.join(format!("{name}_{part}.npy"));
    let wanted = machine.wanted(&path("y"))?;
    if path("X").exists() {
        let (values, shape) = npy::read::<f64>(&path("X"))?;
        return Ok((Dense::new(values, shape[0], shape[1])?.into(), wanted));
    }
    let (values, _) = npy::read::<f64>(&path("data"))?;
    let (indices, _) = npy::read::<i64>(&path("indices"))?;
    let (offsets, _) = npy::read::<i64>(&path("indptr"))?;
    let (columns, _) = npy::read::<i64>(&path("columns"))?;
    Ok((Sparse::new(&offsets, &indices, values, columns[0] as usize)?.into(), wanted))
}

/// Values of this kernel per second: some rows against all columns, the best of three.
fn rate(kernel: &Expression, rows: &Vectors<'static>, threads: usize) -> Result<f64, Box<dyn Error>> {
    let plan = Plan {
        precision: Precision::F32,
        workers: std::sync::Arc::new(Workers::new(threads)),
        cache_bytes: 0,
        ..Plan::new()?
    };
    let layout = kernel.layout(rows, &plan)?;
    let gram = kernel.symmetric(rows, &layout, &plan)?;
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

//! The cost of machines that solve one linear system: that which leave-one-out in closed form likes best.

use mercer::Result;
use mercer::data::{Labels, Random};
use mercer::linalg::Matrix;
use mercer::machine::one_against_one::winner;
use mercer::machine::{MatrixOptions, PathPoint, Ridge};

use super::kind::Kind;
use crate::print::{count, number};

/// Most items that are looked at: all eigenvalues of their kernel matrix are computed.
const MOST: usize = 1000;

/// A cost, and how it was found.
pub struct Choice {
    pub cost: f64,
    pub words: String,
}

/// λ as shares of the mean of the diagonal of K.
fn shares() -> Vec<f64> {
    (-12..=2).map(|half| 10f64.powf(f64::from(half) / 2.0)).collect()
}

/// The best for numbers, by the mean squared error of items that are left out.
pub fn for_numbers<I: Kind>(
    kernel: &I::Kernel,
    items: &I,
    targets: &[f64],
    seed: u64,
    options: &MatrixOptions,
) -> Result<Choice> {
    let column = |rows: &[usize]| Matrix::from_fn(rows.len(), 1, |i, _| targets[rows[i]]);
    let (points, tried) = path(kernel, items, column, seed, options)?;
    let best = least(&points, |point| (0, point.left_out_error));
    let error = format!("an RMSE of {}", number(best.left_out_error.sqrt()));
    Ok(choice(best, points.len(), &error, tried, items.len()))
}

/// The best for classes, by the number of items that are wrong when they are left out, of equals by the squared error.
pub fn for_classes<I: Kind>(
    kernel: &I::Kernel,
    items: &I,
    labels: &Labels,
    seed: u64,
    options: &MatrixOptions,
) -> Result<Choice> {
    let classes = labels.classes().len();
    // One function tells two classes apart.
    let outputs = if classes == 2 { 1 } else { classes };
    let own = |row: usize| labels.codes()[row] as usize;
    let sign = |row: usize, o: usize| if own(row) == o + (2 - outputs.min(2)) { 1.0 } else { -1.0 };
    let mut used = Vec::new();
    let column = |rows: &[usize]| {
        used = rows.to_vec();
        Matrix::from_fn(rows.len(), outputs, |i, o| sign(rows[i], o))
    };
    let (points, tried) = path(kernel, items, column, seed, options)?;
    let predicted = |point: &PathPoint, i: usize| match outputs {
        1 => usize::from(point.left_out[(i, 0)] >= 0.0),
        _ => winner(point.left_out.row(i)),
    };
    let wrong = |point: &PathPoint| (0..used.len()).filter(|&i| predicted(point, i) != own(used[i])).count();
    let best = least(&points, |point| (wrong(point), point.left_out_error));
    let right = 100.0 * (1.0 - wrong(best) as f64 / used.len().max(1) as f64);
    Ok(choice(best, points.len(), &format!("{right:.1} % right"), tried, items.len()))
}

/// What every λ gives on these items, or on some of many.
fn path<I: Kind>(
    kernel: &I::Kernel,
    items: &I,
    targets: impl FnOnce(&[usize]) -> Matrix,
    seed: u64,
    options: &MatrixOptions,
) -> Result<(Vec<PathPoint>, usize)> {
    let mut rows: Vec<usize> = (0..items.len()).collect();
    Random::new(seed).shuffle(&mut rows);
    rows.truncate(MOST);
    let some = items.select(&rows);
    let machine = Ridge::params(kernel.clone()).offset(true).options(options.clone()).check()?;
    let path = machine.path_of(&some, &targets(&rows), None, &shares())?;
    Ok((path.points().to_vec(), rows.len()))
}

fn least(points: &[PathPoint], of: impl Fn(&PathPoint) -> (usize, f64)) -> &PathPoint {
    let better = |a: (usize, f64), b: (usize, f64)| a.0 < b.0 || (a.0 == b.0 && a.1 < b.1);
    let best =
        (1..points.len()).fold(0, |best, i| if better(of(&points[i]), of(&points[best])) { i } else { best });
    &points[best]
}

fn choice(best: &PathPoint, tried: usize, quality: &str, used: usize, items: usize) -> Choice {
    let cost = 1.0 / best.lambda;
    let of = if used < items { format!(" of {} rows", count(used as u64)) } else { String::new() };
    let words = format!("{}, the best of {tried} by leave-one-out{of} ({quality})", number(cost));
    Choice { cost, words }
}

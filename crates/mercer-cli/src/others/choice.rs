//! The cost of machines that solve one linear system: that which leave-one-out in closed form likes best.

use mercer::Result;
use mercer::data::{Items, Labels, Random};
use mercer::gram::CollectionKernel;
use mercer::linalg::Matrix;
use mercer::machine::one_against_one::winner;
use mercer::machine::{PathPoint, Ridge};

use super::fitting::Weighted;
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

/// What is tried on which items.
pub struct Tried<'a> {
    pub machine: Ridge<CollectionKernel>,
    pub from: &'a Weighted<'a>,
    pub seed: u64,
}

impl Tried<'_> {
    /// The best for numbers, by the mean squared error of items that are left out.
    pub fn for_numbers(&self, targets: &[f64]) -> Result<Choice> {
        let rows = self.rows();
        let column = Matrix::from_fn(rows.len(), 1, |i, _| targets[rows[i]]);
        let points = self.path(&rows, &column)?;
        let best = least(&points, |point| (0.0, point.left_out_error));
        let error = format!("an RMSE of {}", number(best.left_out_error.sqrt()));
        Ok(self.choice(best, points.len(), &error, rows.len()))
    }

    /// The best for classes, by the number of items that are wrong when they are left out, of equals by the squared error.
    pub fn for_classes(&self, labels: &Labels) -> Result<Choice> {
        let classes = labels.classes().len();
        // One function tells two classes apart.
        let outputs = if classes == 2 { 1 } else { classes };
        let own = |row: usize| labels.codes()[row] as usize;
        let sign = |row: usize, o: usize| if own(row) == o + (2 - outputs.min(2)) { 1.0 } else { -1.0 };
        let rows = self.rows();
        let signs = Matrix::from_fn(rows.len(), outputs, |i, o| sign(rows[i], o));
        let points = self.path(&rows, &signs)?;
        let predicted = |point: &PathPoint, i: usize| match outputs {
            1 => usize::from(point.left_out[(i, 0)] >= 0.0),
            _ => winner(point.left_out.row(i)),
        };
        let weight = |i: usize| self.from.weights.map_or(1.0, |weights| weights[rows[i]]);
        let wrong = |point: &PathPoint| -> f64 {
            (0..rows.len()).filter(|&i| predicted(point, i) != own(rows[i])).map(weight).sum()
        };
        let best = least(&points, |point| (wrong(point), point.left_out_error));
        let all = (0..rows.len()).map(weight).sum::<f64>();
        let right = 100.0 * (1.0 - wrong(best) / all);
        Ok(self.choice(best, points.len(), &format!("{right:.1} % right"), rows.len()))
    }

    /// All items, or some of many.
    fn rows(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..self.from.items.len()).collect();
        Random::new(self.seed).shuffle(&mut rows);
        rows.truncate(MOST);
        rows
    }

    /// What every λ gives on these items.
    fn path(&self, rows: &[usize], targets: &Matrix) -> Result<Vec<PathPoint>> {
        let weights: Option<Vec<f64>> =
            self.from.weights.map(|weights| rows.iter().map(|&row| weights[row]).collect());
        let some = self.from.items.select(rows);
        let path = self.machine.path_of(&some, targets, weights.as_deref(), &shares())?;
        Ok(path.points().to_vec())
    }

    fn choice(&self, best: &PathPoint, tried: usize, quality: &str, used: usize) -> Choice {
        let cost = 1.0 / best.lambda;
        let few = used < self.from.items.len();
        let of = if few { format!(" of {} rows", count(used as u64)) } else { String::new() };
        let words = format!("{}, the best of {tried} by leave-one-out{of} ({quality})", number(cost));
        Choice { cost, words }
    }
}

fn least(points: &[PathPoint], of: impl Fn(&PathPoint) -> (f64, f64)) -> &PathPoint {
    let better = |a: (f64, f64), b: (f64, f64)| a.0 < b.0 || (a.0 == b.0 && a.1 < b.1);
    let best =
        (1..points.len()).fold(0, |best, i| if better(of(&points[i]), of(&points[best])) { i } else { best });
    &points[best]
}

//! The search for relevant basis functions: one at a time, the one that gains most.

use std::collections::HashMap;

use super::likelihood::{Observed, Posterior, dot};
use super::unit::Unit;
use crate::error::Result;
use crate::linalg::Matrix;
use crate::resources::Workers;

/// The share of the variance of the targets, which is 1, that is taken for noise at first, and the least that is ever.
const FIRST_NOISE: f64 = 0.1;
const LEAST_NOISE: f64 = 1e-10;
/// A function whose precision would be above this times its own size counts as not needed.
const LARGEST: f64 = 1e12;

/// How items count: for a regression √w multiplies values and targets, for classes w the log likelihoods.
pub(super) struct Weighing<'a> {
    pub weights: Option<&'a [f64]>,
    pub roots: Option<Vec<f64>>,
}

impl<'a> Weighing<'a> {
    pub fn of_numbers(weights: Option<&'a [f64]>) -> Self {
        Weighing { weights, roots: weights.map(|weights| weights.iter().map(|w| w.sqrt()).collect()) }
    }

    pub fn of_classes(weights: Option<&'a [f64]>) -> Self {
        Weighing { weights, roots: None }
    }
}

/// All functions that f may be made of: those of the items and, last, the constant.
pub(super) struct Basis {
    /// One row per function: its values at the items.
    values: Matrix,
    squares: Vec<f64>,
    /// Whether it has the values of an earlier one, to which it adds nothing but rounding, or belongs to an item of weight 0.
    again: Vec<bool>,
    /// Σ w: how many items it is as if there were.
    total: f64,
}

impl Basis {
    /// From rows of K, one per function, those of items in that order; with what values at the items are to be multiplied by, and the
    /// weights.
    pub fn new(rows: Matrix, candidates: &[usize], offset: bool, how: &Weighing<'_>) -> Self {
        let (count, n) = (rows.rows(), rows.columns());
        let mut values = match offset {
            true => {
                let mut values = rows.into_values();
                values.extend(vec![1.0; n]);
                Matrix::new(values, count + 1, n).expect("a row more")
            }
            false => rows,
        };
        let mut again = repeated(&values);
        if let Some(weights) = how.weights {
            candidates.iter().zip(&mut again).for_each(|(&i, again)| *again |= weights[i] == 0.0);
        }
        if let Some(roots) = &how.roots {
            values
                .values_mut()
                .chunks_mut(n)
                .for_each(|row| row.iter_mut().zip(roots).for_each(|(v, r)| *v *= r));
        }
        // Of values that were multiplied the weights are in them already.
        let weights = if how.roots.is_some() { None } else { how.weights };
        let square = |row: &[f64]| match weights {
            Some(weights) => row.iter().zip(weights).map(|(v, w)| w * v * v).sum(),
            None => dot(row, row),
        };
        let squares = (0..values.rows()).map(|c| square(values.row(c))).collect();
        let total = how.weights.map_or(n as f64, |weights| weights.iter().sum());
        Basis { values, squares, again, total }
    }

    pub fn count(&self) -> usize {
        self.values.rows()
    }

    /// Σ w: how many items it is as if there were.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.values.columns()
    }

    pub fn row(&self, c: usize) -> &[f64] {
        self.values.row(c)
    }

    /// φᵀφ
    pub fn square(&self, c: usize) -> f64 {
        self.squares[c]
    }

    /// Whether an earlier function has the same values.
    fn is_again(&self, c: usize) -> bool {
        self.again[c]
    }

    /// φᵀv of every function.
    pub fn times(&self, v: &[f64], workers: &Workers) -> Result<Vec<f64>> {
        let column = Matrix::new(v.to_vec(), v.len(), 1)?;
        Ok(self.values.times(&column, workers)?.values().to_vec())
    }

    /// φᵀv of every function and every row v: one row per function.
    pub fn times_rows(&self, rows: &Matrix, workers: &Workers) -> Result<Matrix> {
        self.values.times_transposed(rows, workers)
    }
}

/// Of each row, whether an earlier one has the same values. O(all values).
fn repeated(values: &Matrix) -> Vec<bool> {
    let hash = |row: &[f64]| {
        row.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, v| {
            (h ^ v.to_bits()).wrapping_mul(0x100_0000_01b3).rotate_left(29)
        })
    };
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::new();
    let is_again = |c: usize| {
        let row = values.row(c);
        let alike = seen.entry(hash(row)).or_default();
        let is_again = alike.iter().any(|&earlier| values.row(earlier) == row);
        if !is_again {
            alike.push(c);
        }
        is_again
    };
    (0..values.rows()).map(is_again).collect()
}

/// The functions that were found to be relevant.
pub(super) struct Sparse {
    pub active: Vec<usize>,
    pub weights: Vec<f64>,
    covariance: Matrix,
    pub noise: f64,
    pub likelihood: f64,
    pub steps: usize,
    pub converged: bool,
}

impl Sparse {
    /// What was found about n targets in a unit, in theirs.
    pub fn restored(mut self, unit: &Unit, n: f64) -> Self {
        self.weights.iter_mut().for_each(|w| *w = unit.restored(*w));
        self.covariance.values_mut().iter_mut().for_each(|v| *v *= unit.square());
        self.noise *= unit.square();
        self.likelihood -= n * unit.logarithm();
        self
    }

    /// The covariance of the weights of these items and, last, of the offset.
    pub fn covariance_of(&self, relevant: &[usize], n: usize) -> Vec<f64> {
        let place = |at: usize| if at < relevant.len() { relevant[at] } else { n };
        let known = |at: usize| self.active.iter().position(|&a| a == place(at));
        let width = relevant.len() + 1;
        let entry = |i: usize, j: usize| match (known(i), known(j)) {
            (Some(a), Some(b)) => self.covariance[(a, b)],
            _ => 0.0,
        };
        Matrix::from_fn(width, width, entry).values().to_vec()
    }
}

/// What can be done with a function.
enum Change {
    Add(f64),
    Set(f64),
    Drop,
}

/// Numbers are taken to be of variance 1.
pub(super) fn search(
    basis: &Basis,
    observed: &Observed<'_>,
    tolerance: f64,
    most: usize,
    workers: &Workers,
) -> Result<Sparse> {
    let (mut beta, largest_beta) = match observed {
        Observed::Numbers(_) => (1.0 / FIRST_NOISE, 1.0 / LEAST_NOISE),
        Observed::Signs(..) => (1.0, 1.0),
    };
    let (mut active, mut alpha): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut products: Vec<Vec<f64>> = Vec::new();
    let (mut steps, mut converged) = (0, false);
    let mut posterior = observed.posterior(basis, &active, &alpha, beta, &products, workers)?;
    while steps < most {
        let Some((c, change)) = best(basis, &active, &alpha, &posterior, tolerance) else {
            // Only the noise may still move.
            match noise(observed, basis, &active, &alpha, &posterior, largest_beta) {
                Some(next) if (next / beta).ln().abs() > tolerance => beta = next,
                _ => {
                    converged = true;
                    break;
                }
            }
            posterior = observed.posterior(basis, &active, &alpha, beta, &products, workers)?;
            steps += 1;
            continue;
        };
        let place = active.iter().position(|&a| a == c);
        match (change, place) {
            (Change::Add(precision), _) => {
                active.push(c);
                alpha.push(precision);
                if matches!(observed, Observed::Numbers(_)) {
                    products.push(basis.times(basis.row(c), workers)?);
                }
            }
            (Change::Set(precision), Some(at)) => alpha[at] = precision,
            (Change::Drop, Some(at)) => {
                active.remove(at);
                alpha.remove(at);
                if !products.is_empty() {
                    products.remove(at);
                }
            }
            _ => {}
        }
        posterior = observed.posterior(basis, &active, &alpha, beta, &products, workers)?;
        if let Some(next) = noise(observed, basis, &active, &alpha, &posterior, largest_beta) {
            beta = next;
            posterior = observed.posterior(basis, &active, &alpha, beta, &products, workers)?;
        }
        steps += 1;
    }
    let Posterior { weights, factor, likelihood, .. } = posterior;
    let noise = if matches!(observed, Observed::Numbers(_)) { 1.0 / beta } else { 0.0 };
    Ok(Sparse { active, weights, covariance: factor.inverse(workers)?, noise, likelihood, steps, converged })
}

/// β with the largest likelihood, the weights being as they are: (n − M + Σ αΣ)/‖y − f‖².
fn noise(
    observed: &Observed<'_>,
    basis: &Basis,
    active: &[usize],
    alpha: &[f64],
    posterior: &Posterior,
    largest: f64,
) -> Option<f64> {
    let Observed::Numbers(_) = observed else { return None };
    if active.is_empty() {
        return None;
    }
    let inverse = posterior.factor.inverse_diagonal(&Workers::serial()).ok()?;
    let free =
        basis.total() - active.len() as f64 + alpha.iter().zip(&inverse).map(|(a, v)| a * v).sum::<f64>();
    Some((free / posterior.residual).min(largest))
}

/// The change that gains most, if one gains anything.
fn best(
    basis: &Basis,
    active: &[usize],
    alpha: &[f64],
    posterior: &Posterior,
    tolerance: f64,
) -> Option<(usize, Change)> {
    let mut best: Option<(f64, usize, Change)> = None;
    let mut offer = |gain: f64, c: usize, change: Change| {
        if gain.is_finite() && best.as_ref().is_none_or(|(most, ..)| gain > *most) {
            best = Some((gain, c, change));
        }
    };
    let mut place = vec![None; basis.count()];
    active.iter().enumerate().for_each(|(at, &c)| place[c] = Some(at));
    for c in 0..basis.count() {
        if basis.is_again(c) {
            continue;
        }
        let (big_s, big_q) = (posterior.s[c], posterior.q[c]);
        // A function that is all rounding, or no different from those that are there.
        if !(big_s > 1e-12 * (big_s.abs() + basis.square(c)) && big_s.is_finite()) && place[c].is_none() {
            continue;
        }
        match place[c] {
            None => {
                let theta = big_q * big_q - big_s;
                let precision = big_s * big_s / theta;
                if theta > 0.0 && precision < LARGEST * basis.square(c).max(1.0) {
                    let ratio = big_q * big_q / big_s;
                    let gain = 0.5 * (ratio - 1.0 - ratio.ln());
                    // What is less than the tolerance would be added and dropped again.
                    if gain > tolerance * tolerance {
                        offer(gain, c, Change::Add(precision));
                    }
                }
            }
            Some(at) => {
                let a = alpha[at];
                let (s, q) = (a * big_s / (a - big_s), a * big_q / (a - big_s));
                let theta = q * q - s;
                if theta > 0.0 {
                    let next = s * s / theta;
                    let difference = 1.0 / next - 1.0 / a;
                    let gain =
                        0.5 * (big_q * big_q / (big_s + 1.0 / difference) - (1.0 + big_s * difference).ln());
                    if (next / a).ln().abs() > tolerance {
                        offer(gain, c, Change::Set(next));
                    }
                } else if active.len() > 1 {
                    let gain = 0.5 * (big_q * big_q / (big_s - a) - (1.0 - big_s / a).ln());
                    offer(gain, c, Change::Drop);
                }
            }
        }
    }
    best.map(|(_, c, change)| (c, change))
}

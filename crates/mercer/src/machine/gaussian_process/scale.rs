//! The size of a kernel and the noise, learned where the derivatives of the kernel are not known: kernels on strings, graphs and other
//! items.
//!
//! ```text
//! A = a(K + rI),   K = VΛVᵀ,   q = Σₖ (vₖᵀy)²/(λₖ + r)
//! log p(y) = −½ q/a − (n/2) ln 2πa − ½ Σₖ ln(λₖ + r),   largest at a = q/n
//! ```
//!
//! One eigenvalue decomposition gives that for every r.

use super::learning::{drawn, learnable};
use super::{GaussianProcess, GaussianProcessModel, LearnedKernel};
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::BulkKernel;
use crate::linalg::{Matrix, SymmetricEigen};
use crate::machine::whole::whole;

/// Most items that are looked at: all eigenvalues of their matrix are computed.
const MOST: usize = 2000;
/// The size of a kernel, amplitude times the mean of its diagonal, lies between these.
const SIZES: (f64, f64) = (1e-5, 1e5);
/// r as a share of the mean of the diagonal lies between these powers of ten.
const RATIOS: (f64, f64) = (-10.0, 5.0);
/// An eigenvalue above this share of the largest, with the sign turned, is 0 but for rounding.
const ZERO: f64 = 1e-10;
/// Steps that narrow an interval down, each to 0.618 of it.
const NARROWER: usize = 30;

/// Where a function of one number is largest, as far as steps of `step` see, and the value there. `finer` steps narrow it down.
pub(super) fn highest(
    (low, high): (f64, f64),
    step: f64,
    finer: usize,
    function: &mut dyn FnMut(f64) -> Result<f64>,
) -> Result<(f64, f64)> {
    let count = ((high - low) / step).round() as usize;
    let (mut at, mut best) = (low, f64::NEG_INFINITY);
    for k in 0..=count {
        let x = low + (high - low) * k as f64 / count as f64;
        let value = function(x)?;
        if value > best {
            (at, best) = (x, value);
        }
    }
    // The golden section between the neighbours.
    let share = 0.5 * (5f64.sqrt() - 1.0);
    let (mut from, mut to) = ((at - step).max(low), (at + step).min(high));
    let (mut left, mut right) = (to - share * (to - from), from + share * (to - from));
    let (mut of_left, mut of_right) = (function(left)?, function(right)?);
    for _ in 0..finer {
        if of_left > of_right {
            (to, right, of_right) = (right, left, of_left);
            left = to - share * (to - from);
            of_left = function(left)?;
        } else {
            (from, left, of_left) = (left, right, of_right);
            right = from + share * (to - from);
            of_right = function(right)?;
        }
    }
    for (x, value) in [(left, of_left), (right, of_right)] {
        if value > best {
            (at, best) = (x, value);
        }
    }
    Ok((at, best))
}

/// What of these ended at a bound: name, value, bounds.
pub(super) fn at_bounds(ends: &[(&str, f64, (f64, f64))]) -> Vec<(String, f64)> {
    let near = |value: f64, bound: f64| (value / bound).ln().abs() < 1e-3;
    let of = |(name, value, (low, high)): &(&str, f64, (f64, f64))| {
        [*low, *high].into_iter().find(|bound| near(*value, *bound)).map(|bound| (name.to_string(), bound))
    };
    ends.iter().filter_map(of).collect()
}

impl<K> GaussianProcess<K> {
    /// Learns the size of the kernel and the noise first, those with the largest log p(y): for kernels whose derivatives are not
    /// known. `scaled` makes a·k of k. The noise that was said has no part in it. One eigenvalue decomposition, O(n³) time and 40n²
    /// bytes, of at most 2000 random items or as many as the memory allows; then as [`GaussianProcess::fit_many`].
    ///
    /// ```
    /// use mercer::data::Collection;
    /// use mercer::gram::CollectionKernel;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::GaussianProcess;
    /// let words: Vec<String> = (0..20).map(|i| "ab".repeat(i % 5) + &"cd".repeat(5 - i % 5)).collect();
    /// let targets = Matrix::from_fn(20, 1, |i, _| (i % 5) as f64);
    /// let machine = GaussianProcess::params("spectrum(k=2)".parse::<CollectionKernel>()?).normalise_targets(true).check()?;
    /// let scaled = |kernel: &CollectionKernel, by: f64| format!("{by} * ({kernel})").parse();
    /// let model = machine.fit_scaled(&Collection::Strings(words), &targets, None, &scaled)?;
    /// let said = model.predict_with_variance(&Collection::Strings(vec!["abab".into()]))?;
    /// assert!(model.report().learned.is_some() && said.variance[(0, 0)] > 0.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GaussianProcess::fit_many`], and those of `scaled`.
    pub fn fit_scaled<I: Items>(
        &self,
        items: &I,
        targets: &Matrix,
        weights: Option<&[f64]>,
        scaled: &dyn Fn(&K, f64) -> Result<K>,
    ) -> Result<GaussianProcessModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let begun = self.begin(items, targets, weights)?;
        let (n, m) = (begun.len(), begun.targets.rows());
        let rows = learnable(self.options.memory, 5, n).min(MOST);
        if rows < n.min(2) {
            self.check_memory(5, n.min(2))?;
        }
        let some = drawn(rows, n, self.learning.seed);
        let few = items.select(&begun.places(&some));
        let kernel = BulkKernel::<I>::resolve(&self.kernel, items, weights)?;
        let layout = BulkKernel::<I::Owned>::layout(&kernel, &few, &begun.plan)?;
        let mut matrix = whole(&*BulkKernel::<I::Owned>::symmetric(&kernel, &few, &layout, &begun.plan)?)?;
        // W^½KW^½ has the eigenvalues that K of the repeated items has beside 0.
        let counts = begun.weights_of(&some).unwrap_or_else(|| vec![1.0; rows]);
        let copies = counts.iter().sum::<f64>();
        let size = (0..rows).map(|i| counts[i] * matrix[(i, i)]).sum::<f64>() / copies;
        if begun.weights.is_some() {
            for (i, row) in matrix.values_mut().chunks_mut(rows).enumerate() {
                row.iter_mut().zip(&counts).for_each(|(k, w)| *k *= (w * counts[i]).sqrt());
            }
        }
        if !(size > 0.0 && size.is_finite()) {
            let (what, why) = ("the size of the kernel".into(), "all k(x, x) are 0".into());
            return Err(Error::Undefined { what, why });
        }
        let eigen = SymmetricEigen::heard(matrix, &begun.plan.workers)?;
        let largest = eigen.values().iter().fold(0.0f64, |most, value| most.max(value.abs()));
        let values: Vec<f64> = eigen
            .values()
            .iter()
            .map(|&value| if value > -ZERO * largest { value.max(0.0) } else { value })
            .collect();
        // Σ over outputs of (vₖᵀy)²
        let along = |k: usize| -> f64 {
            let of = |o: usize| -> f64 {
                let root = |at: usize| counts[at].sqrt() * begun.targets[(o, some[at])];
                eigen.vector(k).iter().enumerate().map(|(at, v)| v * root(at)).sum()
            };
            (0..m).map(|o| of(o).powi(2)).sum()
        };
        let squares: Vec<f64> = (0..rows).map(along).collect();
        let count = copies * m as f64;
        let bounds = (SIZES.0 / size, SIZES.1 / size);
        let at = |power: f64| -> (f64, f64) {
            let r = size * 10f64.powf(power);
            if values.iter().any(|value| value + r <= 0.0) {
                return (1.0, f64::NEG_INFINITY);
            }
            let q: f64 = squares.iter().zip(&values).map(|(square, value)| square / (value + r)).sum();
            let amplitude = (q / count).clamp(bounds.0, bounds.1);
            let further = (copies - rows as f64) * r.ln();
            let determinant = values.iter().map(|value| (value + r).ln()).sum::<f64>() + further;
            let constant = count * (std::f64::consts::TAU * amplitude).ln();
            (amplitude, -0.5 * (q / amplitude + constant + m as f64 * determinant))
        };
        let mut evaluations = 0;
        let (power, likelihood) = highest(RATIOS, 0.5, NARROWER, &mut |power| {
            evaluations += 1;
            Ok(at(power).1)
        })?;
        let ratio = |power: f64| size * 10f64.powf(power);
        let (amplitude, noise) = (at(power).0, at(power).0 * ratio(power));
        let learned = LearnedKernel {
            ends: vec![Some(likelihood)],
            evaluations,
            rows: (rows < n).then_some(rows),
            converged: true,
            at_bounds: at_bounds(&[
                ("amplitude", amplitude, bounds),
                ("noise", noise, (amplitude * ratio(RATIOS.0), amplitude * ratio(RATIOS.1))),
            ]),
        };
        let machine = GaussianProcess { kernel: scaled(&self.kernel, amplitude)?, noise, ..self.clone() };
        let kernel = BulkKernel::<I>::resolve(&machine.kernel, items, weights)?;
        machine.fit_with(items, kernel, begun, Some(learned))
    }
}

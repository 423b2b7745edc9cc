//! The mode of f given the labels, and the likelihood that follows.

use super::super::Differentiable;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Plan};
use crate::linalg::{Cholesky, Matrix};
use crate::machine::expansion::check_finite;
use crate::machine::kept::Kept;
use crate::machine::whole::{whole, whole_of};
use crate::resources::Workers;

/// Newton's method ends when the objective grows by less than this, or after so many steps.
const GAIN: f64 = 1e-10;
const MOST_STEPS: usize = 100;

/// Items of one class and of the rest.
pub(super) struct Signs<'a, I> {
    pub items: &'a I,
    pub positive: &'a [bool],
    /// An item of weight w counts as w items with the same f.
    pub weights: Option<&'a [f64]>,
    pub plan: &'a Plan,
}

/// The normal distribution that takes the place of that of f given the labels.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    /// ∇ log p(y | f̂) = w(t − π), with t = 1 for the class and 0 for the rest.
    pub slope: Vec<f64>,
    /// W^½ = √(wπ(1 − π)).
    pub roots: Vec<f64>,
    /// I + W^½KW^½ = LLᵀ
    pub factor: Cholesky,
    /// The approximate log p(y).
    pub likelihood: f64,
    /// K⁻¹f̂
    a: Vec<f64>,
    /// π
    probabilities: Vec<f64>,
}

impl Mode {
    /// The mode that was found before, with its factor.
    pub fn again<K, I>(kept: &Kept<K, I>, slope: Vec<f64>, roots: Vec<f64>, likelihood: f64) -> Result<Self>
    where
        K: BulkKernel<I>,
        I: Items,
    {
        let expected = kept.items.len();
        for (what, found) in [("slopes (one per item)", &slope), ("roots (one per item)", &roots)] {
            if found.len() != expected {
                return Err(Error::Shape { what, expected, found: found.len() });
            }
            check_finite("number of the mode", found)?;
        }
        let matrix = whole_of(kept, "a Gaussian process classifier")?;
        let factor = factored(matrix, &roots, &Workers::checked(kept.threads)?)?;
        Ok(Mode { slope, roots, factor, likelihood, a: Vec::new(), probabilities: Vec::new() })
    }
}

/// I + W^½KW^½ = LLᵀ
fn factored(mut inner: Matrix, roots: &[f64], workers: &Workers) -> Result<Cholesky> {
    let n = inner.rows();
    for (i, row) in inner.values_mut().chunks_mut(n.max(1)).enumerate() {
        row.iter_mut().zip(roots).for_each(|(v, root)| *v *= root * roots[i]);
        row[i] += 1.0;
    }
    Cholesky::in_place(inner, workers)
}

impl<I: Items> Signs<'_, I> {
    fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[i])
    }

    /// For a kernel that is resolved.
    pub fn mode<K: BulkKernel<I>>(&self, kernel: &K) -> Result<(K::Layout, Mode, Matrix)> {
        let layout = kernel.layout(self.items, self.plan)?;
        let matrix = whole(&*kernel.symmetric(self.items, &layout, self.plan)?)?;
        let mode = self.mode_of(&matrix)?;
        Ok((layout, mode, matrix))
    }

    /// By Newton's method, with a step that is halved where it would not climb. O(n³/3) per step.
    pub fn mode_of(&self, matrix: &Matrix) -> Result<Mode> {
        let n = matrix.rows();
        let mut a = vec![0.0; n];
        let mut f = vec![0.0; n];
        let mut best = self.objective(&a, &f);
        for _ in 0..MOST_STEPS {
            let state = self.state(matrix, &f)?;
            // b = Wf + ∇, a = b − W^½(I + W^½KW^½)⁻¹W^½Kb, f = Ka.
            let b: Vec<f64> = (0..n).map(|i| state.roots[i].powi(2) * f[i] + state.slope[i]).collect();
            let mut inside = self.times(matrix, &b)?;
            inside.iter_mut().zip(&state.roots).for_each(|(v, root)| *v *= root);
            state.factor.solve(&mut inside)?;
            let full: Vec<f64> = (0..n).map(|i| b[i] - state.roots[i] * inside[i]).collect();
            let mut share = 1.0;
            let (next, values, objective) = loop {
                let next: Vec<f64> = a.iter().zip(&full).map(|(a, b)| a + share * (b - a)).collect();
                let values = self.times(matrix, &next)?;
                let objective = self.objective(&next, &values);
                if objective >= best || share < 1e-6 {
                    break (next, values, objective);
                }
                share *= 0.5;
            };
            let gain = objective - best;
            if gain.is_nan() {
                return Err(Error::NoConvergence { what: "the mode of the Gaussian process" });
            }
            if gain > 0.0 {
                (a, f, best) = (next, values, objective);
            }
            if gain < GAIN {
                break;
            }
        }
        let mut mode = self.state(matrix, &f)?;
        mode.likelihood = best - 0.5 * mode.factor.log_determinant();
        mode.a = a;
        Ok(mode)
    }

    fn times(&self, matrix: &Matrix, v: &[f64]) -> Result<Vec<f64>> {
        let column = Matrix::new(v.to_vec(), v.len(), 1)?;
        Ok(matrix.times(&column, &self.plan.workers)?.values().to_vec())
    }

    /// −½ fᵀK⁻¹f + log p(y | f)
    fn objective(&self, a: &[f64], f: &[f64]) -> f64 {
        let size: f64 = a.iter().zip(f).map(|(a, f)| a * f).sum();
        let margins = f.iter().zip(self.positive).map(|(f, positive)| if *positive { *f } else { -f });
        // ln σ(m) = −ln(1 + e⁻ᵐ), without overflow.
        let fit = |(i, m): (usize, f64)| self.weight(i) * (m.min(0.0) - (-m.abs()).exp().ln_1p());
        margins.enumerate().map(fit).sum::<f64>() - 0.5 * size
    }

    fn state(&self, matrix: &Matrix, f: &[f64]) -> Result<Mode> {
        let n = f.len();
        let probabilities: Vec<f64> = f.iter().map(|f| 1.0 / (1.0 + (-f).exp())).collect();
        let slope: Vec<f64> = (0..n)
            .map(|i| self.weight(i) * (f64::from(u8::from(self.positive[i])) - probabilities[i]))
            .collect();
        let root = |(i, p): (usize, &f64)| (self.weight(i) * p * (1.0 - p)).sqrt();
        let roots: Vec<f64> = probabilities.iter().enumerate().map(root).collect();
        let factor = factored(matrix.clone(), &roots, &self.plan.workers)?;
        Ok(Mode { slope, roots, factor, likelihood: 0.0, a: Vec::new(), probabilities })
    }

    /// The approximate log p(y) and its derivatives with respect to the parameters of the kernel, f̂ moving along with them.
    pub fn likelihood<K: Differentiable<I>>(&self, kernel: &K) -> Result<(f64, Vec<f64>)> {
        let (_, mode, matrix) = self.mode(kernel)?;
        let (n, workers) = (matrix.rows(), &self.plan.workers);
        let Mode { slope, roots, factor, a, probabilities, .. } = &mode;
        // R = W^½(I + W^½KW^½)⁻¹W^½
        let mut r = factor.inverse(workers)?;
        for (i, row) in r.values_mut().chunks_mut(n).enumerate() {
            row.iter_mut().zip(roots).for_each(|(v, root)| *v *= root * roots[i]);
        }
        // The variance of f at the items: what the third derivative of log p(y | f) is to be multiplied with.
        let mut forward = matrix.clone();
        for row in forward.values_mut().chunks_mut(n) {
            row.iter_mut().zip(roots).for_each(|(v, root)| *v *= root);
        }
        factor.forward_rows(&mut forward, workers)?;
        let s: Vec<f64> = (0..n)
            .map(|i| {
                let variance = matrix[(i, i)] - forward.row(i).iter().map(|v| v * v).sum::<f64>();
                let p = probabilities[i];
                -0.5 * variance * self.weight(i) * p * (1.0 - p) * (1.0 - 2.0 * p)
            })
            .collect();
        drop(forward);
        // f̂ moves by (I − KR)K′∇: sᵀ of that is (s − RKs)ᵀK′∇.
        let moved = self.times(&r, &self.times(&matrix, &s)?)?;
        let u: Vec<f64> = s.iter().zip(moved).map(|(s, m)| s - m).collect();
        let mut weights = r;
        for (i, row) in weights.values_mut().chunks_mut(n).enumerate() {
            for (j, w) in row.iter_mut().enumerate() {
                *w = 0.5 * (a[i] * a[j] - *w + u[i] * slope[j] + slope[i] * u[j]);
            }
        }
        Ok((mode.likelihood, kernel.weighted_gradient(self.items, &weights, self.plan)?))
    }
}

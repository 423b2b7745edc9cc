//! The logarithm of the marginal likelihood, and its gradient.

use super::Differentiable;
use super::low_rank::without_white;
use crate::data::Items;
use crate::error::Result;
use crate::gram::{BulkKernel, Plan};
use crate::linalg::{Cholesky, Matrix};
use crate::machine::whole::whole;

/// log p(y) and its derivatives with respect to the parameters of the kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLikelihood {
    /// log p(y), summed over the outputs.
    pub value: f64,
    /// ∂ log p(y)/∂θ of every parameter, in the order of [`Differentiable::parameters`].
    pub gradient: Vec<f64>,
    /// What was added to the diagonal because K + σ²I was not positive definite.
    pub jitter: f64,
}

/// What the likelihood is of.
pub(super) struct Evidence<'a, I> {
    pub items: &'a I,
    /// One row per output.
    pub targets: &'a Matrix,
    pub noise: f64,
    /// Above 0: an item of weight w counts as w items with the same target.
    pub weights: Option<&'a [f64]>,
    pub plan: &'a Plan,
}

/// K + σ²I = LLᵀ and α.
pub(super) struct Factored<L> {
    pub layout: L,
    pub factor: Cholesky,
    /// One row per output.
    pub alpha: Matrix,
    pub value: f64,
    pub jitter: f64,
    /// The variance of the noise of each item, with that of a `white`, if there are weights.
    noises: Option<Vec<f64>>,
}

impl<I: Items> Evidence<'_, I> {
    /// log p(y) and its gradient for a kernel that is resolved.
    pub fn likelihood<K: Differentiable<I>>(&self, kernel: &K) -> Result<LogLikelihood> {
        let factored = self.at(kernel)?;
        let gradient = self.gradient(kernel, &factored)?;
        Ok(LogLikelihood { value: factored.value, gradient, jitter: factored.jitter })
    }

    /// log p(y) for a kernel that is resolved. O(n³/3).
    pub fn at<K: BulkKernel<I>>(&self, kernel: &K) -> Result<Factored<K::Layout>> {
        let layout = kernel.layout(self.items, self.plan)?;
        let mut matrix = whole(&*kernel.symmetric(self.items, &layout, self.plan)?)?;
        let n = matrix.rows();
        let noises =
            add_noise(&mut matrix, (kernel, self.items, &layout), self.noise, self.weights, self.plan)?;
        let (factor, jitter) = Cholesky::with_jitter(matrix, &self.plan.workers)?;
        let mut alpha = self.targets.clone();
        factor.solve_rows(&mut alpha, &self.plan.workers)?;
        let fit: f64 = self.targets.values().iter().zip(alpha.values()).map(|(y, a)| y * a).sum();
        let constant = factor.log_determinant() + n as f64 * std::f64::consts::TAU.ln();
        let m = self.targets.rows() as f64;
        let mut value = -0.5 * (fit + m * constant);
        if let (Some(weights), Some(noises)) = (self.weights, &noises) {
            // What w copies of a target have beside their mean, whose noise has the variance ν/w; of no noise, nothing.
            let copies = |(w, noise): (&f64, &f64)| {
                if *noise > 0.0 { (w - 1.0) * (std::f64::consts::TAU * noise).ln() + w.ln() } else { 0.0 }
            };
            value -= 0.5 * m * weights.iter().zip(noises).map(copies).sum::<f64>();
        }
        Ok(Factored { layout, factor, alpha, value, jitter, noises })
    }

    /// ½ tr((Σ ααᵀ − m A⁻¹) ∂K/∂θ) of every parameter. O(2n³/3), and what the kernel takes.
    pub fn gradient<K: Differentiable<I>>(
        &self,
        kernel: &K,
        factored: &Factored<K::Layout>,
    ) -> Result<Vec<f64>> {
        let mut weights = factored.factor.inverse(&self.plan.workers)?;
        let (n, m) = (weights.rows(), factored.alpha.rows());
        let worth = n > 512;
        self.plan.workers.for_each_chunk(weights.values_mut(), n * 64, worth, |start, rows| {
            for (r, row) in rows.chunks_mut(n).enumerate() {
                let i = start / n + r;
                row.iter_mut().for_each(|w| *w *= -0.5 * m as f64);
                for o in 0..m {
                    let alpha = factored.alpha.row(o);
                    let share = 0.5 * alpha[i];
                    row.iter_mut().zip(alpha).for_each(|(w, a)| *w += share * a);
                }
            }
        });
        let mut gradient = kernel.weighted_gradient(self.items, &weights, self.plan)?;
        if let (Some(of_items), Some(noises)) = (self.weights, &factored.noises) {
            // Noise stands on the diagonal as ν/w, and in what the copies of a target have beside their mean.
            let change = |(i, (w, noise)): (usize, (&f64, &f64))| {
                let copies = if *noise > 0.0 { 0.5 * m as f64 * (w - 1.0) / noise } else { 0.0 };
                weights[(i, i)] * (1.0 / w - 1.0) - copies
            };
            let changes: Vec<f64> = of_items.iter().zip(noises).enumerate().map(change).collect();
            let of_noise = kernel.noise_gradient(self.items, &changes, self.plan)?;
            gradient.iter_mut().zip(of_noise).for_each(|(g, noise)| *g += noise);
        }
        Ok(gradient)
    }
}

/// Adds the noise to K of items: σ², or, where items have weights, what makes (σ² + ν)/w of σ² and the noise ν of a `white`. Returns
/// σ² + ν of each item if there are weights.
pub(super) fn add_noise<K, I>(
    matrix: &mut Matrix,
    (kernel, items, layout): (&K, &I, &K::Layout),
    noise: f64,
    weights: Option<&[f64]>,
    plan: &Plan,
) -> Result<Option<Vec<f64>>>
where
    K: BulkKernel<I>,
    I: Items,
{
    let n = matrix.rows();
    let Some(weights) = weights else {
        (0..n).for_each(|i| matrix[(i, i)] += noise);
        return Ok(None);
    };
    let mut noises = without_white(kernel, items, layout, plan)?;
    for (i, own) in noises.iter_mut().enumerate() {
        let white = (matrix[(i, i)] - *own).max(0.0);
        *own = noise + white;
        matrix[(i, i)] += *own / weights[i] - white;
    }
    Ok(Some(noises))
}

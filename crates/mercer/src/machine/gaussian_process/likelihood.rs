//! The logarithm of the marginal likelihood, and its gradient.

use super::Differentiable;
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
}

impl<I: Items> Evidence<'_, I> {
    /// log p(y) for a kernel that is resolved. O(n³/3).
    pub fn at<K: BulkKernel<I>>(&self, kernel: &K) -> Result<Factored<K::Layout>> {
        let layout = kernel.layout(self.items, self.plan)?;
        let mut matrix = whole(&*kernel.symmetric(self.items, &layout, self.plan)?)?;
        let n = matrix.rows();
        (0..n).for_each(|i| matrix[(i, i)] += self.noise);
        let (factor, jitter) = Cholesky::with_jitter(matrix, &self.plan.workers)?;
        let mut alpha = self.targets.clone();
        factor.solve_rows(&mut alpha, &self.plan.workers)?;
        let fit: f64 = self.targets.values().iter().zip(alpha.values()).map(|(y, a)| y * a).sum();
        let constant = factor.log_determinant() + n as f64 * std::f64::consts::TAU.ln();
        let value = -0.5 * (fit + self.targets.rows() as f64 * constant);
        Ok(Factored { layout, factor, alpha, value, jitter })
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
        kernel.weighted_gradient(self.items, &weights, self.plan)
    }
}

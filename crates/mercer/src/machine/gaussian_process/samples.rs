//! Functions drawn from a Gaussian process, before and after it has seen targets.

use super::{GaussianProcess, GaussianProcessModel};
use crate::data::{Items, Random};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, WithLayout};
use crate::linalg::{Matrix, SymmetricEigen};
use crate::machine::whole::whole;
use crate::resources::{Workers, default_budget};

impl<K> GaussianProcess<K> {
    /// Draws functions from N(0, k) and tells their values at these items: one row per function. O(n³ + n² · count)
    /// time, 40n² bytes.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::GaussianProcess;
    /// let rows = Vectors::from_rows(&[[0.0], [1e-6], [9.0]])?;
    /// let machine = GaussianProcess::params("gaussian(gamma=1)".parse::<Expression>()?).check()?;
    /// let drawn = machine.sample_prior(&rows, 5, 7)?;
    /// // Functions are smooth, and far away they do what they like.
    /// assert!((0..5).all(|s| (drawn[(s, 0)] - drawn[(s, 1)]).abs() < 1e-4));
    /// assert!((0..5).all(|s| (drawn[(s, 0)] - drawn[(s, 2)]).abs() > 1e-4));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// No items, a kernel that is not defined on them, [`Error::Budget`].
    pub fn sample_prior<I: Items>(&self, items: &I, count: usize, seed: u64) -> Result<Matrix>
    where
        K: BulkKernel<I>,
    {
        if items.is_empty() {
            return Err(Error::Empty { what: "rows" });
        }
        let instead = "allow more memory, or ask for fewer items";
        self.options.check_memory("the covariance of the items", 5, items.len(), instead)?;
        let plan = self.options.plan(0)?;
        let kernel = self.kernel.resolve(items, None)?;
        let layout = kernel.layout(items, &plan)?;
        let covariance = whole(&*kernel.symmetric(items, &layout, &plan)?)?;
        drawn(covariance, count, &mut Random::new(seed), &plan.workers)
    }
}

impl<K: WithLayout, I> GaussianProcessModel<K, I> {
    /// Draws functions from the process given the targets and tells their values at these items: row s · m + o is function s of
    /// output o of m.
    ///
    /// # Errors
    /// As [`GaussianProcessModel::predict`].
    pub fn sample<J: Items<Owned = I>>(&self, items: &J, count: usize, seed: u64) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let (q, m) = (items.len(), self.outputs());
        if q == 0 {
            return Ok(Matrix::zeros(count.saturating_mul(m), 0));
        }
        let means = self.predict(items)?;
        let workers = Workers::checked(self.kept().threads)?;
        let mut functions =
            drawn(self.covariance(items)?, count.saturating_mul(m), &mut Random::new(seed), &workers)?;
        let (_, scale) = self.normalisation();
        for (s, row) in functions.values_mut().chunks_mut(q).enumerate() {
            let o = s % m;
            row.iter_mut().enumerate().for_each(|(i, value)| *value = means[i * m + o] + scale[o] * *value);
        }
        Ok(functions)
    }
}

/// Draws from N(0, VΛVᵀ), one per row: zΛ^½Vᵀ. What rounding made of eigenvalues that are 0 is taken for 0.
fn drawn(covariance: Matrix, count: usize, random: &mut Random, workers: &Workers) -> Result<Matrix> {
    let n = covariance.rows();
    // Normal numbers, and what becomes of them.
    let (needed, allowed) = ((16 * n as u64).saturating_mul(count as u64), default_budget());
    if needed > allowed {
        let (what, instead) = ("functions that are drawn", "draw fewer of them, or at fewer items");
        return Err(Error::Budget { what, needed, allowed, instead });
    }
    let eigen = SymmetricEigen::heard(covariance, workers)?;
    let root = Matrix::from_fn(n, n, |k, i| eigen.values()[k].max(0.0).sqrt() * eigen.vector(k)[i]);
    Matrix::from_fn(count, n, |_, _| random.normal()).times(&root, workers)
}

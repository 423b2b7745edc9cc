//! Principal components that were found.

use super::KernelPcaFit;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, WithLayout};
use crate::linalg::Matrix;
use crate::machine::kept::Kept;

/// Principal components in feature space: kernel, training items, coefficients.
#[derive(Clone, Debug)]
pub struct KernelPcaModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    fit: KernelPcaFit,
}

impl<K: WithLayout, I> KernelPcaModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<KernelPcaModel<L, J>> {
        Ok(KernelPcaModel { kept: change(self.kept)?, fit: self.fit })
    }

    pub(super) fn new(kept: Kept<K, I>, fit: KernelPcaFit) -> Self {
        KernelPcaModel { kept, fit }
    }

    /// Joins what was kept and what was learned, for example from a file.
    ///
    /// # Errors
    /// Parts that do not fit together.
    pub fn from_parts(kept: Kept<K, I>, fit: KernelPcaFit) -> Result<Self>
    where
        I: Items,
    {
        fit.functions.check(&kept.items)?;
        let (k, n) = (fit.values.len(), kept.items.len());
        if fit.functions.outputs() != k + 1 {
            let (what, found) = ("functions (one per component and one more)", fit.functions.outputs());
            return Err(Error::Shape { what, expected: k + 1, found });
        }
        if (fit.vectors.rows(), fit.vectors.columns()) != (k, n) {
            let found = fit.vectors.values().len();
            return Err(Error::Shape { what: "entries of eigenvectors", expected: k * n, found });
        }
        Ok(KernelPcaModel { kept, fit })
    }

    /// Threads for new items; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// Kernel, layout, precision and training items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// Eigenvalues, eigenvectors and coefficients.
    pub fn fit(&self) -> &KernelPcaFit {
        &self.fit
    }

    /// Number of components: what was asked for, or the rank if that is less; 0 if all items are the same in feature space.
    pub fn components(&self) -> usize {
        self.fit.values.len()
    }

    /// The variance along each component: λ/n.
    pub fn variances(&self) -> Vec<f64> {
        let n = self.fit.vectors.columns() as f64;
        self.fit.values.iter().map(|value| value / n).collect()
    }

    /// The share of the variance in feature space that each component explains: λ/tr K̃.
    pub fn explained_ratios(&self) -> Vec<f64> {
        self.fit.values.iter().map(|value| value / self.fit.trace).collect()
    }

    /// The components of the training items, one row each: √λ v, without another look at the kernel.
    pub fn training(&self) -> Matrix {
        let n = self.fit.vectors.columns();
        Matrix::from_fn(n, self.components(), |i, k| self.fit.values[k].sqrt() * self.fit.vectors[(k, i)])
    }

    /// The components of items, one row each. O(n) kernel values per item.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn transform<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let values = self.values(items)?;
        Ok(Matrix::from_fn(items.len(), self.components(), |i, k| values[(i, k)]))
    }

    /// The squared distance of items from the plane of the components in feature space: ‖φ̃(x)‖² less the squares of the components.
    /// The larger, the less an item is like those of the training.
    ///
    /// # Errors
    /// As [`KernelPcaModel::transform`].
    pub fn reconstruction_errors<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let (values, k) = (self.values(items)?, self.components());
        let own = if items.is_empty() { Vec::new() } else { self.kept.diagonal(items)? };
        let error = |i: usize| {
            let row = values.row(i);
            let size = own[i] - 2.0 * row[k] + self.fit.mean;
            (size - row[..k].iter().map(|z| z * z).sum::<f64>()).max(0.0)
        };
        Ok((0..items.len()).map(error).collect())
    }

    /// The components and, last, the mean of k(xᵢ, x).
    fn values<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let width = self.components() + 1;
        if items.is_empty() {
            return Ok(Matrix::zeros(0, width));
        }
        let values = self.kept.compare(items, |gram, workers| self.fit.functions.values(gram, workers))?;
        Matrix::new(values, items.len(), width)
    }
}

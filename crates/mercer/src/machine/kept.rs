//! What a trained machine keeps of its training set: the kernel, how it is computed, and the support items.

use std::sync::Arc;

use super::Expansion;
use crate::data::{Collection, Items, Sparse, Vectors};
use crate::error::Result;
use crate::gram::{
    BulkKernel, CollectionKernel, CollectionLayout, Gram, Interruptible, Plan, Precision, WithLayout,
};
use crate::kernel::Expression;
use crate::kernel::vector::Linear;
use crate::resources::{InstructionSet, Interrupt, Workers};

/// A kernel and items to compare others with.
#[derive(Clone, Debug)]
pub struct Kept<K: WithLayout, I> {
    /// The kernel with every automatic parameter filled in.
    pub kernel: K,
    /// How distances and layouts were chosen for the training items.
    pub layout: K::Layout,
    /// Precision of kernel values, the same in training and prediction.
    pub precision: Precision,
    /// The support items.
    pub items: I,
    /// Threads for predictions; 0 means as many as there are.
    pub threads: usize,
}

impl Kept<Expression, Vectors<'static>> {
    /// What a machine trained on kernel values keeps: unit vectors, whose linear kernel with a row of kernel values
    /// K\[x, ·\] over `columns` training items picks out those of the support items.
    ///
    /// So f(x) = Σ βᵢ K\[x, i\] is a model like any other: it is saved, loaded and asked in the same way.
    ///
    /// # Errors
    /// A support item that is none of the columns.
    pub fn of_kernel_values(support: &[usize], columns: usize) -> Result<Self> {
        let positions: Vec<u32> = support.iter().map(|&i| u32::try_from(i).unwrap_or(u32::MAX)).collect();
        let ends: Vec<usize> = (0..=support.len()).collect();
        let ones = vec![1.0; support.len()];
        let items = Vectors::from(Sparse::from_parts(ends, positions, ones, columns)?);
        let kernel = Expression::from(Linear);
        let precision = Precision::F64;
        let layout = kernel.layout(&items, &Plan { precision, ..Plan::new()? })?;
        Ok(Kept { kernel, layout, precision, items, threads: 0 })
    }
}

/// Rows of numbers as a collection: nothing is copied.
impl From<Kept<Expression, Vectors<'static>>> for Kept<CollectionKernel, Collection<'static>> {
    fn from(kept: Kept<Expression, Vectors<'static>>) -> Self {
        let Kept { kernel, layout, precision, items, threads } = kept;
        let layout = CollectionLayout::Rows(layout);
        Kept { kernel: kernel.into(), layout, precision, items: items.into(), threads }
    }
}

impl<K: WithLayout, I> Kept<K, I> {
    /// What `compute` makes of the kernel values of the support items (rows) with these items (columns).
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn compare<J, T>(
        &self,
        items: &J,
        compute: impl FnOnce(&dyn Gram, &Workers) -> Result<T>,
    ) -> Result<T>
    where
        J: Items<Owned = I>,
        K: BulkKernel<J>,
        I: Items,
    {
        let plan = Plan {
            precision: self.precision,
            workers: Arc::new(Workers::checked(self.threads)?),
            level: InstructionSet::from_environment()?,
            cache_bytes: 0,
            interrupt: Interrupt::current(),
        };
        let gram = self.kernel.cross(&self.items, items, &self.layout, &plan)?;
        compute(&Interruptible::new(gram, plan.interrupt.clone()), &plan.workers)
    }

    /// The values of an expansion in the support items at these items.
    ///
    /// # Errors
    /// As [`Kept::compare`].
    pub fn values<J>(&self, expansion: &Expansion, items: &J) -> Result<Vec<f64>>
    where
        J: Items<Owned = I>,
        K: BulkKernel<J>,
        I: Items,
    {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<usize> = (0..self.items.len()).collect();
        self.compare(items, |gram, _| expansion.values(gram, &rows))
    }

    /// k(x, x) of these items.
    ///
    /// # Errors
    /// As [`Kept::compare`].
    pub fn diagonal<J>(&self, items: &J) -> Result<Vec<f64>>
    where
        J: Items,
        K: BulkKernel<J>,
    {
        let plan = Plan { precision: self.precision, cache_bytes: 0, ..Plan::new()? };
        Ok(self.kernel.symmetric(items, &self.layout, &plan)?.diagonal().to_vec())
    }
}

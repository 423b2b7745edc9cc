//! The kernel values of a fold.

use crate::data::{Items, Split};
use crate::error::Result;
use crate::gram::{BulkKernel, Gram, Plan, Precision, SymmetricGram, hold, hold_between};

/// Kernel values of all rows, from which folds take their parts: held as a whole, or computed when they are asked for.
pub(super) enum Parts<'a, K, I> {
    Held(Box<dyn SymmetricGram>, &'a Plan),
    Computed { kernel: &'a K, items: &'a I, plan: &'a Plan },
}

impl<'a, K, I> Parts<'a, K, I>
where
    I: Items<Owned = I>,
    K: BulkKernel<I>,
{
    /// Holds K if it, and the parts that so many folds have at a time, take no more than `memory` bytes.
    pub fn new(kernel: &'a K, items: &'a I, plan: &'a Plan, memory: u64, at_a_time: usize) -> Result<Self> {
        let n = items.len() as u64;
        let bytes = if plan.precision == Precision::F32 { 4 } else { 8 };
        let needed = n.saturating_mul(n).saturating_mul(bytes).saturating_mul(1 + at_a_time as u64);
        if needed > memory {
            return Ok(Parts::Computed { kernel, items, plan });
        }
        let uncached = Plan { cache_bytes: 0, ..plan.clone() };
        let layout = kernel.layout(items, &uncached)?;
        let gram = kernel.symmetric(items, &layout, &uncached)?;
        Ok(Parts::Held(hold(&*gram, &(0..items.len()).collect::<Vec<_>>(), plan.level)?, plan))
    }

    /// Calls `visit` with the values of the rows to learn from, and of these with the rows to be tested.
    pub fn of<R>(
        &self,
        split: &Split,
        visit: impl FnOnce(&dyn SymmetricGram, &dyn Gram) -> Result<R>,
    ) -> Result<R> {
        let Split { train, test } = split;
        match self {
            Parts::Held(gram, plan) => {
                let part = hold(&**gram, train, plan.level)?;
                visit(&*part, &*hold_between(&**gram, train, test, plan.level)?)
            }
            Parts::Computed { kernel, items, plan } => {
                let (train, test) = (items.select(train), items.select(test));
                let layout = kernel.layout(&train, plan)?;
                let gram = kernel.symmetric(&train, &layout, plan)?;
                visit(&*gram, &*kernel.cross(&train, &test, &layout, plan)?)
            }
        }
    }
}

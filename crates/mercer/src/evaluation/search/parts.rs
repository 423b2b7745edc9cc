//! The kernel values of a fold.

use crate::data::{Items, Split};
use crate::error::Result;
use crate::gram::{BulkKernel, Gram, Plan, Precision, Room, Rooms, Sums, SymmetricGram, hold, hold_between};

/// Bytes of the kernel values of all rows with each other.
pub(super) fn bytes_of_all(n: usize, plan: &Plan) -> u64 {
    let bytes = if plan.precision == Precision::F32 { 4 } else { 8 };
    (n as u64).saturating_mul(n as u64).saturating_mul(bytes)
}

/// Kernel values of all rows, from which folds take their parts: held as a whole, or computed when they are asked for.
pub(super) enum Parts<'a, K, I> {
    Held(Box<dyn SymmetricGram + 'a>, &'a Plan, &'a Rooms),
    Computed { kernel: &'a K, items: &'a I, plan: &'a Plan },
}

impl<'a, K, I> Parts<'a, K, I>
where
    I: Items<Owned = I>,
    K: BulkKernel<I>,
{
    /// Holds K in `room`; from sums, if it is made of these.
    pub fn held(
        kernel: &K,
        items: &I,
        sums: Option<&Sums>,
        plan: &'a Plan,
        rooms: &'a Rooms,
        room: &'a mut Room,
    ) -> Result<Self> {
        if let Some(sums) = sums {
            return Ok(Parts::Held(kernel.of_sums(sums, plan, room)?, plan, rooms));
        }
        let uncached = Plan { cache_bytes: 0, ..plan.clone() };
        let layout = kernel.layout(items, &uncached)?;
        let gram = kernel.symmetric(items, &layout, &uncached)?;
        Ok(Parts::Held(hold(&*gram, &(0..items.len()).collect::<Vec<_>>(), plan.level, room)?, plan, rooms))
    }

    /// Calls `visit` with the values of the rows to learn from, and of these with the rows to be tested.
    pub fn of<R>(
        &self,
        split: &Split,
        visit: impl FnOnce(&dyn SymmetricGram, &dyn Gram) -> Result<R>,
    ) -> Result<R> {
        let Split { train, test } = split;
        match self {
            Parts::Held(gram, plan, rooms) => {
                let (mut own, mut between) = (rooms.take(), rooms.take());
                let part = hold(&**gram, train, plan.level, &mut own)?;
                let cross = hold_between(&**gram, train, test, plan.level, &mut between)?;
                let outcome = visit(&*part, &*cross);
                drop((part, cross));
                rooms.give_back(own);
                rooms.give_back(between);
                outcome
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

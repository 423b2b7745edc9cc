//! The kernel values of a fold.

use std::sync::Arc;

use crate::data::{Items, Split};
use crate::error::Result;
use crate::gram::{
    BulkKernel, Gram, Interruptible, Plan, Precision, Room, Rooms, Sums, SymmetricGram, hold, hold_between,
};
use crate::resources::Workers;

/// Bytes of the kernel values of all rows with each other.
pub(super) fn bytes_of_all(n: usize, plan: &Plan) -> u64 {
    let bytes = if plan.precision == Precision::F32 { 4 } else { 8 };
    (n as u64).saturating_mul(n as u64).saturating_mul(bytes)
}

/// So few folds compute their values from sums themselves: all values once, and a copy for each of them, would take longer.
const FEW_FOLDS: usize = 2;

/// Kernel values of all rows, from which folds take their parts: held as a whole, made of sums, or computed when they are asked for.
pub(super) enum Parts<'a, K, I> {
    Held(Box<dyn SymmetricGram + 'a>, &'a Plan, &'a Rooms),
    OfSums { kernel: &'a K, sums: &'a Sums, plan: Plan, rooms: &'a Rooms },
    Computed { kernel: &'a K, items: &'a I, plan: &'a Plan },
}

impl<'a, K, I> Parts<'a, K, I>
where
    I: Items<Owned = I>,
    K: BulkKernel<I>,
{
    /// Holds K in `room`, or sees to it that so many folds can make their parts of sums, if these are there.
    pub fn held(
        kernel: &'a K,
        items: &'a I,
        sums: Option<&'a Sums>,
        folds: usize,
        plan: &'a Plan,
        rooms: &'a Rooms,
        room: &'a mut Room,
    ) -> Result<Self> {
        let everything: Vec<usize> = (0..items.len()).collect();
        match sums {
            Some(sums) if folds <= FEW_FOLDS => {
                // Folds run side by side.
                let plan = Plan { workers: Arc::new(Workers::serial()), ..plan.clone() };
                return Ok(Parts::OfSums { kernel, sums, plan, rooms });
            }
            Some(sums) => {
                let gram = kernel.of_sums(sums, &everything, &everything, plan, room)?;
                return Ok(Parts::Held(gram, plan, rooms));
            }
            None => {}
        }
        let uncached = Plan { cache_bytes: 0, ..plan.clone() };
        let layout = kernel.layout(items, &uncached)?;
        let gram = Interruptible::new(kernel.symmetric(items, &layout, &uncached)?, plan.interrupt.clone());
        Ok(Parts::Held(hold(&gram, &everything, plan.level, room)?, plan, rooms))
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
                let outcome = visit_in_pieces(&*part, &*cross, plan, visit);
                drop((part, cross));
                // The last one is taken first: let it be the large one, which is then for something as large again.
                rooms.give_back(between);
                rooms.give_back(own);
                outcome
            }
            Parts::OfSums { kernel, sums, plan, rooms } => {
                let (mut own, mut between) = (rooms.take(), rooms.take());
                let part = kernel.of_sums(sums, train, train, plan, &mut own)?;
                let cross = kernel.of_sums(sums, train, test, plan, &mut between)?;
                let outcome = visit_in_pieces(&*part, &*cross, plan, visit);
                drop((part, cross));
                // The last one is taken first: let it be the large one, which is then for something as large again.
                rooms.give_back(between);
                rooms.give_back(own);
                outcome
            }
            Parts::Computed { kernel, items, plan } => {
                let (train, test) = (items.select(train), items.select(test));
                let layout = kernel.layout(&train, plan)?;
                let gram = kernel.symmetric(&train, &layout, plan)?;
                visit_in_pieces(&*gram, &*kernel.cross(&train, &test, &layout, plan)?, plan, visit)
            }
        }
    }
}

/// Calls `visit` with matrices that look up from long work.
fn visit_in_pieces<R>(
    gram: &dyn SymmetricGram,
    cross: &dyn Gram,
    plan: &Plan,
    visit: impl FnOnce(&dyn SymmetricGram, &dyn Gram) -> Result<R>,
) -> Result<R> {
    let gram = Interruptible::new(gram, plan.interrupt.clone());
    visit(&gram, &Interruptible::new(cross, plan.interrupt.clone()))
}

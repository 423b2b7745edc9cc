//! What an on-line machine remembers: some of the items that it has seen, and the kernel that compares new ones with them.

use std::borrow::Borrow;
use std::marker::PhantomData;

use crate::error::{Error, Result};
use crate::kernel::Kernel;

/// Items that come and go, and their kernel values with new ones.
///
/// Remembered items stand in slots 0, 1, …; a new one takes the next slot, and when one is forgotten the last takes its slot.
/// [`Remembered`] is a memory of any items with any kernel, [`RowMemory`](super::RowMemory) a fast one of numeric rows.
///
/// ```
/// use mercer::machine::online::{Memory, Remembered};
/// let mut memory = Remembered::new(|x: &f64, z: &f64| x * z);
/// memory.remember(&2.0)?;
/// memory.remember(&5.0)?;
/// let mut values = Vec::new();
/// memory.compare(&10.0, &mut values)?;
/// assert_eq!(values, [20.0, 50.0]);
/// memory.forget(0);
/// memory.compare(&10.0, &mut values)?;
/// assert_eq!(values, [50.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait Memory: Send + 'static {
    /// A view of an item.
    type Item<'a>: Copy;

    /// How many items are remembered.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// k(x, x).
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    fn own_value(&self, item: Self::Item<'_>) -> Result<f64>;

    /// The same for an item that is remembered.
    ///
    /// # Errors
    /// A kernel that fails.
    fn own_value_at(&self, slot: usize) -> Result<f64>;

    /// k(xᵢ, x) for the items xᵢ of all slots, in their order, in place of what `values` held.
    ///
    /// # Errors
    /// As [`Memory::own_value`].
    fn compare(&self, item: Self::Item<'_>, values: &mut Vec<f64>) -> Result<()>;

    /// The same for an item that is remembered.
    ///
    /// # Errors
    /// As [`Memory::own_value`].
    fn compare_own(&self, slot: usize, values: &mut Vec<f64>) -> Result<()>;

    /// Keeps a copy of an item in the next slot.
    ///
    /// # Errors
    /// As [`Memory::own_value`].
    fn remember(&mut self, item: Self::Item<'_>) -> Result<()>;

    /// Drops the item of a slot; the last one takes its place.
    fn forget(&mut self, slot: usize);
}

/// A memory of items of any type, compared pair by pair by any kernel on what they can be seen as.
///
/// O(remembered items) kernel evaluations for each new item.
///
/// ```
/// use mercer::machine::online::{Memory, Remembered};
/// // A kernel on `str` serves `String`s.
/// let mut memory = Remembered::<_, String, str>::new(|a: &str, b: &str| (a.len() * b.len()) as f64);
/// memory.remember(&"four".to_string())?;
/// assert_eq!(memory.own_value(&"of".to_string())?, 4.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Remembered<K, T, X: ?Sized = T> {
    kernel: K,
    items: Vec<T>,
    compares: PhantomData<fn(&X)>,
}

impl<K: Kernel<X>, T: Borrow<X>, X: ?Sized> Remembered<K, T, X> {
    /// An empty memory.
    pub fn new(kernel: K) -> Self {
        Remembered { kernel, items: Vec::new(), compares: PhantomData }
    }

    /// The kernel.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// The items, slot by slot.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<K, T, X> Memory for Remembered<K, T, X>
where
    K: Kernel<X> + 'static,
    T: Borrow<X> + Clone + Send + Sync + 'static,
    X: ?Sized + 'static,
{
    type Item<'a> = &'a T;

    fn len(&self) -> usize {
        self.items.len()
    }

    fn own_value(&self, item: &T) -> Result<f64> {
        let here = self.items.len();
        finite(self.kernel.try_eval_diagonal(item.borrow())?, here, here)
    }

    fn own_value_at(&self, slot: usize) -> Result<f64> {
        finite(self.kernel.try_eval_diagonal(self.items[slot].borrow())?, slot, slot)
    }

    fn compare(&self, item: &T, values: &mut Vec<f64>) -> Result<()> {
        values.clear();
        for (slot, other) in self.items.iter().enumerate() {
            let value = self.kernel.try_eval(other.borrow(), item.borrow())?;
            values.push(finite(value, slot, self.items.len())?);
        }
        Ok(())
    }

    fn compare_own(&self, slot: usize, values: &mut Vec<f64>) -> Result<()> {
        self.compare(&self.items[slot], values)
    }

    fn remember(&mut self, item: &T) -> Result<()> {
        self.items.push(item.clone());
        Ok(())
    }

    fn forget(&mut self, slot: usize) {
        self.items.swap_remove(slot);
    }
}

/// A kernel value that can be computed with; a new item has the number of the slot that it would get.
pub(super) fn finite(value: f64, row: usize, column: usize) -> Result<f64> {
    if value.is_finite() { Ok(value) } else { Err(Error::KernelValue { row, column, value }) }
}

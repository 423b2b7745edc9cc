//! The Gram block of the working set, kept from one set to the next.

use super::scan::Value;
use crate::error::Result;
use crate::gram::{self, Block, Columns, SymmetricGram};

/// Rows that are mirrored into columns together.
const MIRRORED: usize = 256;

/// Values K[W, W] with the rows of members that stay left in place.
pub(in crate::solver) struct GramBlock<T> {
    values: Vec<T>,
    stride: usize,
}

/// What [`GramBlock`] asks of its number type: how to receive a block of it.
pub(in crate::solver) trait BlockValue: Value {
    fn block(values: &mut [Self], stride: usize) -> Block<'_>;

    /// The values of a matrix that is in memory as numbers of this kind.
    fn held(gram: &dyn SymmetricGram) -> Option<&[Self]>;
}

impl BlockValue for f32 {
    fn block(values: &mut [f32], stride: usize) -> Block<'_> {
        Block::F32 { values, stride }
    }

    fn held(gram: &dyn SymmetricGram) -> Option<&[f32]> {
        <f32 as gram::Value>::of(gram.held()?)
    }
}

impl BlockValue for f64 {
    fn block(values: &mut [f64], stride: usize) -> Block<'_> {
        Block::F64 { values, stride }
    }

    fn held(gram: &dyn SymmetricGram) -> Option<&[f64]> {
        <f64 as gram::Value>::of(gram.held()?)
    }
}

/// Values of K[W, W], row k at `k * stride`: those of the block, or of a whole matrix that is in memory.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Square<'a, T> {
    pub values: &'a [T],
    pub stride: usize,
}

impl<T: BlockValue> GramBlock<T> {
    /// Room for sets of up to `size` members and one slot more for the variable that stands for a missing
    /// equality constraint.
    pub fn new(size: usize) -> Self {
        // Rows a power of two apart would fall on the same cache lines.
        let stride = (size + 1).next_multiple_of(16) + 16;
        GramBlock { values: vec![T::default(); stride * (size + 1)], stride }
    }

    /// Makes room for larger sets; what is there stays.
    pub fn grow(&mut self, size: usize) {
        if size <= self.capacity() {
            return;
        }
        let mut larger = GramBlock::new(size);
        for (old, new) in self.values.chunks(self.stride).zip(larger.values.chunks_mut(larger.stride)) {
            new[..self.stride].copy_from_slice(old);
        }
        *self = larger;
    }

    /// Members that there is room for.
    pub fn capacity(&self) -> usize {
        self.values.len() / self.stride - 1
    }

    pub fn values(&self) -> &[T] {
        &self.values
    }

    pub fn square(&self) -> Square<'_, T> {
        Square { values: &self.values, stride: self.stride }
    }

    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Computes the rows of the `fresh` slots against all members, and mirrors them into the columns.
    pub fn refresh(&mut self, gram: &dyn SymmetricGram, items: &[usize], fresh: &[usize]) -> Result<()> {
        let (q, stride) = (items.len(), self.stride);
        if fresh.len() == q {
            gram.fill(items, Columns::List(items), T::block(&mut self.values, stride))?;
        } else if !fresh.is_empty() {
            let rows: Vec<usize> = fresh.iter().map(|&slot| items[slot]).collect();
            let mut computed = vec![T::default(); rows.len() * q];
            gram.fill(&rows, Columns::List(items), T::block(&mut computed, q))?;
            for (row, &slot) in computed.chunks_exact(q).zip(fresh) {
                self.values[slot * stride..][..q].copy_from_slice(row);
            }
            // Some rows at a time, whose values at one k and at the next are still in the first-level cache together.
            for (rows, slots) in computed.chunks(MIRRORED * q).zip(fresh.chunks(MIRRORED)) {
                for k in 0..q {
                    let out = &mut self.values[k * stride..][..q];
                    for (row, &slot) in rows.chunks_exact(q).zip(slots) {
                        out[slot] = row[k];
                    }
                }
            }
        }
        // The slot behind the members: a variable that no kernel value touches.
        self.values[q * stride..][..=q].fill(T::default());
        for k in 0..=q {
            self.values[k * stride + q] = T::default();
        }
        Ok(())
    }
}

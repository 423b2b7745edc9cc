//! Prepared sparse items.

use std::sync::OnceLock;

use crate::data::{Items, Vectors};
use crate::error::Result;
use crate::gram::dense::too_large;
use crate::gram::preparation::Preparation;
use crate::gram::simd::{Element, Guard};
use crate::gram::sparse::twins::Twins;

/// One entry of so many has to be alone in its column for [`Rows::common`] to be worth a second copy.
const ALONE: usize = 8;

/// Items as offsets, columns and values.
#[derive(Debug)]
pub(super) struct Rows<E> {
    pub offsets: Vec<usize>,
    pub indices: Vec<u32>,
    pub values: Vec<E>,
    /// Squared norms.
    pub norms: Vec<E>,
    /// See [`Guard::doubt_of`].
    pub doubts: Vec<E>,
    twins: OnceLock<Twins>,
}

impl<E: Element> Rows<E> {
    /// Prepares items.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an item that is too large for the precision.
    pub fn prepare(items: &Vectors<'_>, preparation: &Preparation) -> Result<Self> {
        let mut rows = Self::empty();
        let mut entries = Vec::new();
        for i in 0..items.len() {
            preparation.sparse(&items.get(i), &mut entries);
            let mut norm = 0.0;
            for &(column, value) in &entries {
                let value = E::from_f64(value);
                norm += value.to_f64() * value.to_f64();
                rows.indices.push(column);
                rows.values.push(value);
            }
            if norm.is_nan() || norm > E::LARGEST_NORM {
                return Err(too_large::<E>(i));
            }
            rows.offsets.push(rows.indices.len());
            rows.norms.push(E::from_f64(norm));
            rows.doubts.push(Guard::<E>::doubt_of(entries.len(), norm));
        }
        Ok(rows)
    }

    /// Some of the items.
    pub fn gather(&self, items: &[usize]) -> Self {
        let mut rows = Self::empty();
        for &i in items {
            let (indices, values) = self.item(i);
            rows.indices.extend_from_slice(indices);
            rows.values.extend_from_slice(values);
            rows.offsets.push(rows.indices.len());
            rows.norms.push(self.norms[i]);
            rows.doubts.push(self.doubts[i]);
        }
        rows
    }

    /// The same items without the entries in columns that no other item has, if these are a good part of all. `places` is the number of
    /// columns.
    pub fn common(&self, places: usize) -> Option<Self> {
        let mut having = vec![0u8; places];
        self.indices.iter().for_each(|&column| {
            having[column as usize] = having[column as usize].saturating_add(1);
        });
        let alone = having.iter().filter(|&&items| items == 1).count();
        if alone < self.indices.len() / ALONE {
            return None;
        }
        let mut rows = Rows { norms: self.norms.clone(), doubts: self.doubts.clone(), ..Self::empty() };
        for item in 0..self.count() {
            let (indices, values) = self.item(item);
            for (&column, &value) in indices.iter().zip(values) {
                if having[column as usize] > 1 {
                    rows.indices.push(column);
                    rows.values.push(value);
                }
            }
            rows.offsets.push(rows.indices.len());
        }
        Some(rows)
    }

    pub fn count(&self) -> usize {
        self.norms.len()
    }

    /// Columns and values of one item.
    pub fn item(&self, item: usize) -> (&[u32], &[E]) {
        let range = self.offsets[item]..self.offsets[item + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// Which items are alike; found when first asked for, then known.
    pub fn twins(&self) -> &Twins {
        self.twins.get_or_init(|| Twins::find(self))
    }

    pub fn largest_norm(&self) -> f64 {
        self.norms.iter().fold(0.0, |m, n| n.to_f64().max(m))
    }

    /// Calls `visit` with the values of two items in each column that either has, in ascending order.
    pub fn merge(&self, x: usize, others: &Rows<E>, z: usize, mut visit: impl FnMut(f64, f64)) {
        let ((columns_x, x), (columns_z, z)) = (self.item(x), others.item(z));
        let (mut i, mut j) = (0, 0);
        while i < x.len() || j < z.len() {
            let k = columns_x.get(i).copied().unwrap_or(u32::MAX);
            let l = columns_z.get(j).copied().unwrap_or(u32::MAX);
            let (mut a, mut b) = (0.0, 0.0);
            if k <= l && i < x.len() {
                a = x[i].to_f64();
                i += 1;
            }
            if l <= k && j < z.len() {
                b = z[j].to_f64();
                j += 1;
            }
            visit(a, b);
        }
    }

    fn empty() -> Self {
        Rows {
            offsets: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
            norms: Vec::new(),
            doubts: Vec::new(),
            twins: OnceLock::new(),
        }
    }
}

/// Renumbers the columns of two sets of items (in their order) so that only those have a number that some
/// item has; returns how many there are. Memory then follows the stored entries, not the largest column.
pub(super) fn renumber<E>(rows: &mut Rows<E>, columns: Option<&mut Rows<E>>) -> usize {
    let mut sets: Vec<&mut Vec<u32>> = vec![&mut rows.indices];
    sets.extend(columns.map(|c| &mut c.indices));
    let entries: usize = sets.iter().map(|indices| indices.len()).sum();
    let end = sets.iter().flat_map(|indices| indices.iter()).max().map_or(0, |&last| last as usize + 1);
    if end <= 4 * entries + 1024 {
        return renumber_by_table(&mut sets, end);
    }
    let mut present: Vec<u32> = Vec::new();
    for indices in &sets {
        present.extend_from_slice(indices);
        present.sort_unstable();
        present.dedup();
    }
    for indices in sets {
        for index in indices {
            *index = present.binary_search(index).expect("every column was noted") as u32;
        }
    }
    present.len()
}

/// The same with a table of all columns, where that is not much larger than the entries are.
fn renumber_by_table(sets: &mut [&mut Vec<u32>], end: usize) -> usize {
    let mut numbers = vec![0u32; end];
    for indices in &*sets {
        indices.iter().for_each(|&index| numbers[index as usize] = 1);
    }
    let mut count = 0;
    for number in &mut numbers {
        count += *number;
        // Those that nobody asks for get one too.
        *number = count.saturating_sub(1);
    }
    for indices in sets {
        indices.iter_mut().for_each(|index| *index = numbers[*index as usize]);
    }
    count as usize
}

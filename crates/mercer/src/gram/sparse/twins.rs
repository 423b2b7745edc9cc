//! Items that are alike: what is summed up for one of them holds for all.

use crate::gram::simd::Element;
use crate::gram::sparse::rows::Rows;

/// Rows below which looking for twins costs more than it saves.
const FEWEST_ROWS: usize = 64;

/// For each item of a set the first one with the same entries.
#[derive(Debug)]
pub(super) struct Twins {
    first: Vec<u32>,
    distinct: usize,
}

/// Columns of which each is unlike all others, and where each asked for column stands among them.
pub(super) struct Merged {
    pub columns: Vec<usize>,
    pub place: Vec<u32>,
}

impl Twins {
    /// Finds them by a table of hashed entries: expected time proportional to the stored entries.
    pub fn find<E: Element>(rows: &Rows<E>) -> Self {
        const FREE: u32 = u32::MAX;
        let count = rows.count();
        let size = (2 * count).next_power_of_two();
        let mut table = vec![(FREE, 0u64); size];
        let (mut first, mut distinct) = (Vec::with_capacity(count), 0);
        for item in 0..count {
            let hash = hash(rows.item(item));
            let mut slot = (hash >> 20) as usize & (size - 1);
            let twin = loop {
                let (other, its_hash) = table[slot];
                if other == FREE {
                    table[slot] = (item as u32, hash);
                    distinct += 1;
                    break item as u32;
                }
                if its_hash == hash && rows.item(other as usize) == rows.item(item) {
                    break other;
                }
                slot = (slot + 1) & (size - 1);
            };
            first.push(twin);
        }
        Twins { first, distinct }
    }

    /// The columns without repetition, if that spares enough work: two columns are one if they are twins and the
    /// sums begun in `f`, `m` for each column, are the same to the bit.
    pub fn merge(&self, rows: usize, columns: &[usize], f: &[f64], m: usize) -> Option<Merged> {
        let few = self.distinct + self.distinct / 16 >= self.first.len();
        if few || rows < FEWEST_ROWS || columns.len() < FEWEST_ROWS {
            return None;
        }
        // Place of each item's first twin among the merged columns, counted from 1.
        let mut places = vec![0u32; self.first.len()];
        // Where each merged column was met.
        let mut origin: Vec<usize> = Vec::with_capacity(columns.len());
        let mut place = Vec::with_capacity(columns.len());
        for (c, &column) in columns.iter().enumerate() {
            let known = &mut places[self.first[column] as usize];
            let begun = |c: usize| f[c * m..][..m].iter().map(|v| v.to_bits());
            if *known == 0 || !begun(origin[*known as usize - 1]).eq(begun(c)) {
                origin.push(c);
                *known = origin.len() as u32;
            }
            place.push(*known - 1);
        }
        (origin.len() < columns.len())
            .then(|| Merged { columns: origin.iter().map(|&c| columns[c]).collect(), place })
    }
}

/// A mixture of the columns and values of an item.
fn hash<E: Element>((columns, values): (&[u32], &[E])) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let entries = columns.iter().zip(values);
    entries.fold(columns.len() as u64, |hash, (&column, value)| {
        (hash.rotate_left(23) ^ value.to_f64().to_bits() ^ u64::from(column)).wrapping_mul(MIX)
    })
}

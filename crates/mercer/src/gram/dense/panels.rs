//! Items packed for register tiles.

use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::preparation::Preparation;
use crate::gram::simd::{Element, Ending, Term, Unit, self_values};
use crate::resources::Workers;

/// Items in panels of as many as a register tile has columns: `[panel][depth][item]`, filled up with zeros.
#[derive(Debug)]
pub(super) struct Panels<E> {
    values: Aligned<E>,
    /// Squared norms, filled up with zeros.
    norms: Vec<E>,
    count: usize,
    depth: usize,
    width: usize,
}

/// Packed numbers of items, smallest pieces that threads take.
const PANELS_AT_ONCE: usize = 16;

impl<E: Element> Panels<E> {
    /// Prepares and packs items.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an item that is too large for the precision.
    pub fn pack(
        items: &Vectors<'_>,
        preparation: &Preparation,
        unit: Unit,
        own_norms: bool,
        workers: &Workers,
    ) -> Result<Self> {
        let mut panels = Self::empty(items.len(), preparation.depth(), unit);
        let (width, depth) = (panels.width, panels.depth);
        let size = width * depth;
        let worth = items.len() * depth > 1 << 20;
        let pieces = PANELS_AT_ONCE * size;
        workers.for_each_chunk(panels.values.as_mut_slice(), pieces, worth, |start, chunk| {
            let (mut whole, mut row) = (Vec::new(), Vec::new());
            for (panel, chunk) in chunk.chunks_mut(size).enumerate() {
                let first = (start / size + panel) * width;
                for lane in 0..width.min(items.len() - first) {
                    preparation.dense(&items.get(first + lane), &mut whole, &mut row);
                    for (k, &v) in row.iter().enumerate() {
                        chunk[k * width + lane] = E::from_f64(v);
                    }
                }
            }
        });
        let exact = panels.exact_norms();
        if let Some(item) = exact.iter().position(|&norm| norm.is_nan() || norm > E::LARGEST_NORM) {
            return Err(too_large::<E>(item));
        }
        panels.norms = if own_norms {
            self_values(unit, Term::Dot, Ending::identity(), panels.values(), depth, &panels.norms)
        } else {
            exact.into_iter().map(E::from_f64).collect()
        };
        Ok(panels)
    }

    /// Some of the items, packed anew.
    pub fn gather(&self, items: impl ExactSizeIterator<Item = usize> + Clone) -> Self {
        let (width, depth) = (self.width, self.depth);
        let count = items.len();
        let mut values = Aligned::zeros(count.next_multiple_of(width) * depth);
        let mut norms = vec![E::default(); count.next_multiple_of(width)];
        let out = values.as_mut_slice();
        for (at, item) in items.enumerate() {
            let to = &mut out[at / width * width * depth..][..width * depth];
            for (k, v) in self.item(item).enumerate() {
                to[k * width + at % width] = v;
            }
            norms[at] = self.norms[item];
        }
        Panels { values, norms, count, depth, width }
    }

    /// Items as tiles of `height` rows, `[tile][depth][row]`, with their norms; both filled up with zeros.
    pub fn tiles(&self, items: &[usize], height: usize, values: &mut Vec<E>, norms: &mut Vec<E>) {
        let rows = items.len().next_multiple_of(height);
        values.clear();
        values.resize(rows * self.depth, E::default());
        norms.clear();
        norms.extend(items.iter().map(|&i| self.norms[i]));
        norms.resize(rows, E::default());
        let tile = height * self.depth;
        for (chunk, items) in values.chunks_mut(tile).zip(items.chunks(height)) {
            for (r, &item) in items.iter().enumerate() {
                for (k, v) in self.item(item).enumerate() {
                    chunk[k * height + r] = v;
                }
            }
        }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn depth(&self) -> usize {
        self.depth
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn values(&self) -> &[E] {
        self.values.as_slice()
    }

    /// Squared norms, filled up with zeros to whole panels.
    pub fn norms(&self) -> &[E] {
        &self.norms
    }

    pub fn largest_norm(&self) -> f64 {
        self.norms.iter().fold(0.0, |m, n| n.to_f64().max(m))
    }

    /// Data without columns get one of zeros.
    fn empty(count: usize, depth: usize, unit: Unit) -> Self {
        let depth = depth.max(1);
        let (_, width) = E::tile(unit);
        let padded = count.next_multiple_of(width);
        Panels {
            values: Aligned::zeros(padded * depth),
            norms: vec![E::default(); padded],
            count,
            depth,
            width,
        }
    }

    fn item(&self, item: usize) -> impl Iterator<Item = E> + '_ {
        assert!(item < self.count, "item {item} of {}", self.count);
        let (width, depth) = (self.width, self.depth);
        let panel = &self.values()[item / width * width * depth..][..width * depth];
        panel.iter().skip(item % width).step_by(width).copied()
    }

    /// Squared norms of the packed numbers in double precision.
    fn exact_norms(&self) -> Vec<f64> {
        let (width, depth) = (self.width, self.depth);
        let mut norms = vec![0.0f64; self.norms.len()];
        for (norms, panel) in norms.chunks_mut(width).zip(self.values().chunks(width * depth)) {
            for numbers in panel.chunks(width) {
                norms.iter_mut().zip(numbers).for_each(|(n, v)| *n += v.to_f64() * v.to_f64());
            }
        }
        norms
    }
}

pub(in crate::gram) fn too_large<E: Element>(item: usize) -> Error {
    let word = if E::LARGEST < 1e39 { "single" } else { "double" };
    Error::Unsupported {
        what: format!("row {item}: its values are too large for {word} precision, scale the data first"),
    }
}

/// Numbers that begin at a multiple of 64 bytes, the length of a cache line.
#[derive(Debug)]
struct Aligned<E> {
    room: Vec<E>,
    start: usize,
    length: usize,
}

impl<E: Element> Aligned<E> {
    fn zeros(length: usize) -> Self {
        let spare = 64 / size_of::<E>();
        let room = vec![E::default(); length + spare];
        let start = room.as_ptr().align_offset(64).min(spare);
        Aligned { room, start, length }
    }

    fn as_slice(&self) -> &[E] {
        &self.room[self.start..][..self.length]
    }

    fn as_mut_slice(&mut self) -> &mut [E] {
        &mut self.room[self.start..][..self.length]
    }
}

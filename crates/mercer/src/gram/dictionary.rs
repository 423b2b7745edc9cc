//! Features that have names become columns that have numbers.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::data::Sparse;
use crate::error::{Error, Result};

/// Numbers of features, in the order of their names.
///
/// Inner products are summed up in the order of the columns. Since that is the order of the names, a value has the same
/// bits whichever other features there are: those of all training items, or those of the support vectors alone.
pub(super) struct Dictionary<'a, F> {
    numbers: HashMap<&'a F, u32, Seeded>,
}

/// Sparse rows in the making.
struct Parts {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl<'a, F: Eq + Hash + Ord> Dictionary<'a, F> {
    /// All features of these items, each item's in ascending order, and the items as sparse rows. Names are looked up once for
    /// both.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for more than there are numbers, [`Error::Item`] for a value that is not finite.
    pub(super) fn of(items: &'a [Vec<(F, f64)>]) -> Result<(Self, Sparse<'static>)> {
        let mut numbers: HashMap<&'a F, u32, Seeded> = HashMap::with_hasher(Seeded::new());
        // First numbered as they come.
        let mut parts = parts(items, |feature| {
            let next = numbers.len() as u32;
            Some(*numbers.entry(feature).or_insert(next))
        })?;
        if numbers.len() >= u32::MAX as usize {
            let what =
                format!("{} different features: at most {} can be numbered", numbers.len(), u32::MAX - 1);
            return Err(Error::Unsupported { what });
        }
        let mut names: Vec<(&F, u32)> = numbers.iter().map(|(name, number)| (*name, *number)).collect();
        names.sort_unstable_by(|a, b| a.0.cmp(b.0));
        let mut place = vec![0; names.len()];
        names.iter().zip(0..).for_each(|((_, number), last)| place[*number as usize] = last);
        numbers.values_mut().for_each(|number| *number = place[*number as usize]);
        parts.columns.iter_mut().for_each(|column| *column = place[*column as usize]);
        let rows = Sparse::from_parts(parts.offsets, parts.columns, parts.values, numbers.len())?;
        Ok((Dictionary { numbers }, rows))
    }

    /// Other items as sparse rows. Each item's features ascend; those without a number are left out: no item of the
    /// dictionary has them, so they cannot matter in an inner product with one.
    ///
    /// # Errors
    /// [`Error::Item`] for a value that is not finite.
    pub(super) fn rows(&self, items: &[Vec<(F, f64)>]) -> Result<Sparse<'static>> {
        let parts = parts(items, |feature| self.numbers.get(feature).copied())?;
        Sparse::from_parts(parts.offsets, parts.columns, parts.values, self.numbers.len())
    }
}

/// What is not 0 of all items, for features that have a number.
fn parts<'i, F>(items: &'i [Vec<(F, f64)>], mut number: impl FnMut(&'i F) -> Option<u32>) -> Result<Parts> {
    let mut parts = Parts { offsets: vec![0], columns: Vec::new(), values: Vec::new() };
    for (index, features) in items.iter().enumerate() {
        for (feature, value) in features.iter().filter(|(_, value)| *value != 0.0) {
            if !value.is_finite() {
                let what = format!("a feature has the value {value}");
                return Err(Error::Item { index, source: Box::new(Error::Unsupported { what }) });
            }
            if let Some(number) = number(feature) {
                parts.columns.push(number);
                parts.values.push(*value);
            }
        }
        parts.offsets.push(parts.columns.len());
    }
    Ok(parts)
}

/// Makes hashers that are several times faster than the standard one. The seed differs from table to table, so that nobody can write a
/// file whose features all fall into one place; no result depends on it, for columns stand in the order of their names.
#[derive(Clone)]
struct Seeded(u64);

/// Takes in words of 64 bits, each by a multiplication whose halves are folded.
struct Folded(u64);

impl Seeded {
    fn new() -> Self {
        Seeded(RandomState::new().hash_one(0u64))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

impl Folded {
    #[inline]
    fn word(&mut self, word: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0 ^ word) * u128::from(ODD);
        self.0 = (product as u64 ^ (product >> 64) as u64).rotate_left(26);
    }
}

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
        self.word(bytes.len() as u64);
    }

    fn write_u8(&mut self, value: u8) {
        self.word(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.word(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.word(value);
    }

    fn write_u128(&mut self, value: u128) {
        self.word(value as u64);
        self.word((value >> 64) as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.word(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

//! Features that have names become columns that have numbers.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::data::Sparse;
use crate::error::{Error, Result};

/// Numbers of features, in the order of their names.
///
/// Inner products are summed up in the order of the columns. Since that is the order of the names, a value has the same
/// bits whichever other features there are: those of all training items, or those of the support vectors alone.
pub(super) struct Dictionary<'a, F> {
    numbers: HashMap<&'a F, u32>,
}

impl<'a, F: Eq + Hash + Ord> Dictionary<'a, F> {
    /// All features of these items.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for more than there are numbers.
    pub(super) fn of(items: &'a [Vec<(F, f64)>]) -> Result<Self> {
        let distinct: HashSet<&F> = items.iter().flatten().map(|(feature, _)| feature).collect();
        if distinct.len() >= u32::MAX as usize {
            let what =
                format!("{} different features: at most {} can be numbered", distinct.len(), u32::MAX - 1);
            return Err(Error::Unsupported { what });
        }
        let mut names: Vec<&F> = distinct.into_iter().collect();
        names.sort_unstable();
        Ok(Dictionary { numbers: names.into_iter().zip(0..).collect() })
    }

    /// The items as sparse rows. Each item's features ascend; those without a number are left out: no item of the
    /// dictionary has them, so they cannot matter in an inner product with one.
    ///
    /// # Errors
    /// [`Error::Item`] for a value that is not finite.
    pub(super) fn rows(&self, items: &[Vec<(F, f64)>]) -> Result<Sparse<'static>> {
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for (index, features) in items.iter().enumerate() {
            for (feature, value) in features.iter().filter(|(_, value)| *value != 0.0) {
                if !value.is_finite() {
                    let what = format!("a feature has the value {value}");
                    return Err(Error::Item { index, source: Box::new(Error::Unsupported { what }) });
                }
                if let Some(&number) = self.numbers.get(feature) {
                    columns.push(number);
                    values.push(*value);
                }
            }
            offsets.push(columns.len());
        }
        Sparse::from_parts(offsets, columns, values, self.numbers.len())
    }
}

//! Where a model comes from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::required;
use crate::data::{Items, Vectors};

/// What a model file says about the training: enough to know what it is and to train it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// Version of Mercer that trained it.
    pub mercer: String,
    /// Rows of the training set.
    pub rows: u64,
    /// Columns of the training set.
    pub columns: u64,
    /// Checksum of the training rows, see [`data_checksum`].
    pub data_checksum: String,
    /// Names of the columns, if the file had a header.
    #[serde(deserialize_with = "required")]
    pub feature_names: Option<Vec<String>>,
    /// Name of the target column, if the file had a header.
    #[serde(deserialize_with = "required")]
    pub target_name: Option<String>,
    /// The cost C.
    #[serde(with = "crate::resources::number")]
    pub cost: f64,
    /// What the solver was asked for, in words: `KKT gap 0.001` or `relative duality gap 1e-6`.
    pub stop: String,
    /// The vector instructions used in training.
    pub instruction_set: String,
    /// The parameters of the machine by the names that scikit-learn has for them (`C`, `nu`, `epsilon`, …), so that a face can make an
    /// untrained machine of a model. An infinite C is the text `inf`; empty in files from before they were kept.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, serde_json::Value>,
    /// Anything else, by name.
    #[serde(default)]
    pub notes: BTreeMap<String, String>,
}

/// The note that says in which order LIBSVM's file lists the labels, and its programs the probabilities.
pub const LABEL_ORDER: &str = "label order";

/// The note on a model whose rows are kernel values with the training items: its support items are unit vectors, each of which picks the value with
/// one of them. LIBSVM's file calls that kernel precomputed.
pub const KERNEL_VALUES: &str = "precomputed";

/// The note on a one-class machine that LIBSVM's file is to hold with rho as it was found. Without it, rho is smaller by the accuracy of the
/// training, so that support vectors on the border are inside there too.
pub const LIBSVM_RHO: &str = "rho in a LIBSVM file";

impl ModelCard {
    /// The positions of classes in the order of [`LABEL_ORDER`]; `None` if the card does not list just these.
    pub fn label_order(&self, classes: &[String]) -> Option<Vec<usize>> {
        let place = |label: &str| classes.iter().position(|class| class == label);
        let order: Vec<usize> = self.notes.get(LABEL_ORDER)?.split_whitespace().filter_map(place).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.iter().copied().eq(0..classes.len()).then_some(order)
    }
}

/// A checksum (64 bits, hexadecimal) of the shape and all values of a data set, to tell whether two are the same.
///
/// Each row is the sum over its columns j of the bits of its value, their halves mixed, times an odd number that belongs to j, modulo
/// 2⁶⁴; the rows are then chained. Zeros add nothing, so that sparse and dense rows of the same numbers agree, and O(entries) is about a
/// nanosecond for each of them: it is computed for every model.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::io::data_checksum;
/// let rows = Vectors::from_rows(&[[1.0, 2.0]])?;
/// assert_eq!(data_checksum(&rows), data_checksum(&rows.clone()));
/// assert_ne!(data_checksum(&rows), data_checksum(&Vectors::from_rows(&[[2.0, 1.0]])?));
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn data_checksum(rows: &Vectors<'_>) -> String {
    let mut all = chained(chained(0, rows.len() as u64), rows.columns() as u64);
    for i in 0..rows.len() {
        let mut sum = 0_u64;
        rows.get(i).for_each(|column, value| {
            // −0 is 0 as well.
            let bits = (value + 0.0).to_bits();
            sum = sum.wrapping_add((bits ^ bits >> 32).wrapping_mul(of_column(column)));
        });
        all = chained(all, sum);
    }
    format!("{all:016x}")
}

/// Of no column are the numbers alike: the golden ratio's multiples are spread evenly, and a square takes the pattern out of them.
fn of_column(column: usize) -> u64 {
    let spread = (column as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    spread.wrapping_mul(spread ^ spread >> 32) | 1
}

/// The next in a chain in which places matter.
fn chained(before: u64, next: u64) -> u64 {
    let mixed = (before ^ next).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ mixed >> 32).rotate_left(27)
}

//! Where a model comes from.

use serde::{Deserialize, Serialize};

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
    pub feature_names: Option<Vec<String>>,
    /// Name of the target column, if the file had a header.
    pub target_name: Option<String>,
    /// The cost C.
    #[serde(with = "crate::resources::number")]
    pub cost: f64,
    /// What the solver was asked for, in words: `KKT gap 0.001` or `relative duality gap 1e-6`.
    pub stop: String,
    /// The vector instructions used in training.
    pub instruction_set: String,
    /// Anything else, by name.
    #[serde(default)]
    pub notes: std::collections::BTreeMap<String, String>,
}

/// The note that says in which order LIBSVM's file lists the labels, and its programs the probabilities.
pub const LABEL_ORDER: &str = "label order";

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

/// A checksum (CRC-32, hexadecimal) of the shape and all values of a data set, to tell whether two are the same.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::io::data_checksum;
/// let rows = Vectors::from_rows(&[[1.0, 2.0]])?;
/// assert_eq!(data_checksum(&rows), data_checksum(&rows.clone()));
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn data_checksum(rows: &Vectors<'_>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&(rows.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&(rows.columns() as u64).to_le_bytes());
    for i in 0..rows.len() {
        rows.get(i).for_each(|column, value| {
            // Zeros are left out, so that sparse and dense rows of the same numbers agree.
            if value != 0.0 {
                bytes.extend_from_slice(&(column as u64).to_le_bytes());
                bytes.extend_from_slice(&value.to_le_bytes());
            }
        });
        bytes.push(b'\n');
        hasher.update(&bytes);
        bytes.clear();
    }
    format!("{:08x}", hasher.finalize())
}

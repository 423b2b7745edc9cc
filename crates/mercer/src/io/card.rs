//! Where a model comes from.

use serde::{Deserialize, Serialize};

use crate::data::{Items, Row, Vectors};

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
    hasher.update(&(rows.len() as u64).to_le_bytes());
    hasher.update(&(rows.columns() as u64).to_le_bytes());
    let mut entries: Vec<[u8; 16]> = Vec::new();
    for i in 0..rows.len() {
        let row = rows.get(i);
        let stored = if let Row::Sparse { values, .. } = row { values.len() } else { rows.columns() };
        entries.resize(stored.max(entries.len()), [0; 16]);
        let mut count = 0;
        row.for_each(|column, value| {
            // Zeros are left out, so that sparse and dense rows of the same numbers agree; without a branch that is often wrong.
            let entry = &mut entries[count];
            entry[..8].copy_from_slice(&(column as u64).to_le_bytes());
            entry[8..].copy_from_slice(&value.to_le_bytes());
            count += usize::from(value != 0.0);
        });
        hasher.update(entries[..count].as_flattened());
        hasher.update(b"\n");
    }
    format!("{:08x}", hasher.finalize())
}

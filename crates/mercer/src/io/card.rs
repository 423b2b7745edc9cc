//! Where a model comes from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::required;

/// What a model file says about the training: enough to know what it is and to train it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// Version of Mercer that trained it.
    pub mercer: String,
    /// Rows of the training set.
    pub rows: u64,
    /// Columns of the training set.
    pub columns: u64,
    /// Checksum of the training items, see [`Collection::checksum`](crate::data::Collection::checksum).
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

//! How squared distances are computed.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::gram::Evaluation;

/// Where the origin lies and how distances are formed: decided from the training set, kept with a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distances {
    /// Subtracted from every item before rounding to the working precision (empty: nothing is).
    pub centre: Vec<f64>,
    /// |x|² + |z|² − 2⟨x, z⟩ instead of the sum of squared differences.
    pub inner_products: bool,
}

impl Distances {
    /// Decides for a training set.
    ///
    /// # Errors
    /// As [`DenseGram::symmetric`](crate::gram::DenseGram::symmetric).
    pub fn decide(rows: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        evaluation.check(rows)?;
        Ok(Distances::default())
    }

    /// The origin; empty if it was not moved.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }
}

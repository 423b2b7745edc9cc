//! How one setting did.

use serde::Serialize;

use crate::error::Result;
use crate::evaluation::Summary;

/// A kernel and a cost, and how the machine did with them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The kernel, by its place in the grid.
    pub kernel: usize,
    /// C; `None` for a machine without.
    pub cost: Option<f64>,
    /// For each metric the value of each fold.
    pub values: Vec<Vec<f64>>,
}

impl Cell {
    /// The values of a metric, by its place in the list, summed up.
    ///
    /// # Errors
    /// As [`Summary::new`].
    pub fn summary(&self, metric: usize) -> Result<Summary> {
        Summary::new(&self.values[metric])
    }
}

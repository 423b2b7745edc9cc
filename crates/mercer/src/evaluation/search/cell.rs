//! How one setting did.

use std::fmt;

use serde::Serialize;

use crate::error::Result;
use crate::evaluation::Summary;

/// A kernel and a cost, or a share ν, and how the machine did with them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The kernel, by its place in the grid.
    pub kernel: usize,
    /// C; `None` for a machine without.
    pub cost: Option<f64>,
    /// ν, where shares were tried in place of costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nu: Option<f64>,
    /// For each metric the value of each fold, from the first on; of a cell that was given up those that it was tried in.
    pub values: Vec<Vec<f64>>,
    /// Seconds that its trainings took, all folds together.
    pub seconds: f64,
    /// Trainings that a limit ended before they had converged.
    pub unfinished: usize,
    /// How far the search went with it.
    pub look: Look,
}

/// How far a search went with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Not tried to the end: after some folds it was too far behind to be the best, or the search was cancelled.
    GivenUp,
    /// Tried in all folds, and it does not do what is wanted, whatever else is said for it.
    Missed,
    /// The same, but nothing that was tried comes nearer to what is wanted.
    Nearest,
    /// Tried in all folds of a sample of the rows: the time was not enough for more.
    Sampled,
    /// Tried in all folds with a wider tolerance.
    Screened,
    /// Tried in all folds with the tolerance of the machine.
    Exact,
}

impl fmt::Display for Look {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Look::GivenUp => "given up",
            Look::Missed => "missed",
            Look::Nearest => "nearest",
            Look::Sampled => "sampled",
            Look::Screened => "screened",
            Look::Exact => "exact",
        })
    }
}

impl Cell {
    pub(super) fn new(kernel: usize, cost: Option<f64>, metrics: usize) -> Self {
        let values = vec![Vec::new(); metrics];
        Cell { kernel, cost, nu: None, values, seconds: 0.0, unfinished: 0, look: Look::GivenUp }
    }

    /// Forgets its values, to be tried anew.
    pub(super) fn clear(&mut self) {
        self.values.iter_mut().for_each(Vec::clear);
        self.unfinished = 0;
    }

    /// Folds that it was tried in.
    pub fn folds(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }

    /// The values of a metric, by its place in the list, summed up.
    ///
    /// # Errors
    /// As [`Summary::new`].
    pub fn summary(&self, metric: usize) -> Result<Summary> {
        Summary::new(&self.values[metric])
    }
}

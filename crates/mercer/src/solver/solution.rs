//! What the solver returns.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::solver::Certificate;

/// Why the solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The asked-for accuracy is reached, verified on all variables.
    Converged,
    /// The limit of iterations came first.
    IterationLimit,
    /// The limit of time came first.
    TimeLimit,
    /// The observer asked to stop.
    Cancelled,
    /// No step changes the solution any more in floating point, though the asked-for accuracy is not reached.
    NumericalLimit,
}

impl Status {
    /// `Converged` if all problems are, otherwise the status of the first that is not; `None` if there are none.
    pub(crate) fn of_all(statuses: impl IntoIterator<Item = Status>) -> Option<Status> {
        let join = |all, next| if all == Status::Converged { next } else { all };
        statuses.into_iter().reduce(join)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Status::Converged => "converged",
            Status::IterationLimit => "stopped at the iteration limit",
            Status::TimeLimit => "stopped at the time limit",
            Status::Cancelled => "cancelled",
            Status::NumericalLimit => "stopped at the limit of numerical precision",
        })
    }
}

/// A feasible β with all that is known about its quality. Whatever the status, it can be used.
#[derive(Clone, Debug)]
pub struct DualSolution {
    /// β
    pub coefficients: Vec<f64>,
    /// The multiplier of each group's sum: the offset of the machine is its negative.
    pub multipliers: Vec<f64>,
    /// (K + diag(d))β + p for all variables.
    pub gradient: Vec<f64>,
    /// How far from optimal.
    pub certificate: Certificate,
    /// Why the solver stopped.
    pub status: Status,
    /// Steps of the inner method.
    pub iterations: u64,
    /// Working sets solved.
    pub outer_iterations: u64,
    /// Rows of K that were asked for in full (over all columns not put aside).
    pub rows_computed: u64,
    /// Wall time.
    pub elapsed: Duration,
}

impl DualSolution {
    /// Variables that are not zero.
    pub fn support(&self) -> impl Iterator<Item = usize> + '_ {
        self.coefficients.iter().enumerate().filter(|(_, b)| **b != 0.0).map(|(i, _)| i)
    }
}

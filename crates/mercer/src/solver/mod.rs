//! One quadratic programme for the whole support-vector family, and the methods that solve it.
//!
//! With labels folded into the signs of the bounds (β = yα), every support-vector machine is
//!
//! ```text
//! minimise   ½ βᵀ(K + diag(d))β + pᵀβ + Σᵢ εᵢ|βᵢ|
//! subject to L ≤ β ≤ U   and   Σ_{i∈g} βᵢ = s_g   for 0, 1 or 2 groups g
//! ```
//!
//! A [`DualProblem`] states it as data, [`solve`] finds β seeing K only through the
//! [`SymmetricGram`] trait, and the [`DualSolution`] carries its certificate:
//! how far from optimal it can be at most.
//!
//! The solver of every day is a decomposition method with large working sets. The methods of the textbooks stand
//! beside it in [`mod@reference`], each in one file; [`Settings::method`] chooses.

mod certificate;
mod decomposition;
mod interior;
mod joint;
mod known;
mod method;
mod problem;
pub mod reference;
mod settings;
mod solution;
mod stall;
mod variables;

pub use certificate::Certificate;
pub(crate) use certificate::Evidence;
pub(crate) use joint::{
    Example as JointExample, certificate as joint_certificate, solve_example as solve_joint_example,
};
pub use joint::{Joint, JointProblem, JointSolution, solve_joint};
pub use known::Known;
pub use method::Method;
pub use problem::{DualProblem, Groups};
pub(crate) use settings::Accuracy;
pub use settings::{Control, Progress, Settings, Stop};
pub use solution::{DualSolution, Status};

use crate::error::{Error, Result};
use crate::gram::SymmetricGram;

/// Solves the dual problem over this Gram matrix by [`Settings::method`].
///
/// The observer is called at every outer iteration; what it returns decides whether to go on. Whatever ends
/// the solve, the solution is feasible and its certificate is true.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::solver::{Control, DualProblem, Groups, Settings, Status, solve};
///
/// // Two points at ±1 on the line with the linear kernel and C = 10: w = 1, both are support vectors with α = ½.
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let mut problem = DualProblem::new(vec![-1.0, 1.0], vec![0.0, -10.0], vec![10.0, 0.0]);
/// problem.groups = Groups::One { sum: 0.0 };
/// let solution = solve(&gram, &problem, &Settings::default(), &mut |_| Control::Continue)?;
/// assert_eq!(solution.status, Status::Converged);
/// assert!((solution.coefficients[0] - 0.5).abs() < 1e-9);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// A malformed or infeasible problem, one that the method cannot solve, or a kernel that fails. Reaching a limit is
/// not an error but a [`Status`]; to be interrupted is [`Error::Interrupted`].
pub fn solve(
    gram: &dyn SymmetricGram,
    problem: &DualProblem,
    settings: &Settings,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<DualSolution> {
    check(gram, problem, settings)?;
    let found = match settings.method {
        Method::Decomposition => decomposition::solve(gram, problem, settings, observer),
        Method::Smo => reference::smo::solve(gram, problem, settings, observer),
        Method::Adatron => reference::adatron::solve(gram, problem, settings, observer),
        Method::Chunking => reference::chunking::solve(gram, problem, settings, observer),
        Method::InteriorPoint => reference::interior_point::solve(gram, problem, settings, observer),
    };
    settings.uninterrupted(found)
}

/// Refuses what no method could solve.
fn check(gram: &dyn SymmetricGram, problem: &DualProblem, settings: &Settings) -> Result<()> {
    let (rows, columns) = gram.shape();
    if rows != columns {
        return Err(Error::Shape { what: "columns of a square Gram matrix", expected: rows, found: columns });
    }
    problem.check(rows)?;
    settings.check()
}

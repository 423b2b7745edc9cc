//! One quadratic programme for the whole support-vector family, and the method that solves it.
//!
//! With labels folded into the signs of the bounds (β = yα), every support-vector machine is
//!
//! ```text
//! minimise   ½ βᵀ(K + diag(d))β + pᵀβ + Σᵢ εᵢ|βᵢ|
//! subject to L ≤ β ≤ U   and   Σ_{i∈g} βᵢ = s_g   for 0, 1 or 2 groups g
//! ```
//!
//! A [`DualProblem`] states it as data, [`solve`] finds β seeing K only through the
//! [`SymmetricGram`](crate::gram::SymmetricGram) trait, and the [`DualSolution`] carries its certificate:
//! how far from optimal it can be at most.

mod certificate;
mod decomposition;
mod joint;
mod problem;
mod settings;
mod solution;
mod stall;

pub use certificate::Certificate;
pub(crate) use certificate::Evidence;
pub use decomposition::solve;
pub(crate) use joint::certificate as joint_certificate;
pub use joint::{Joint, JointProblem, JointSolution, solve_joint};
pub use problem::{DualProblem, Groups};
pub use settings::{Control, Progress, Settings, Stop};
pub use solution::{DualSolution, Status};

//! Linear support vector machines without a kernel: w itself is learned, in time that grows with the stored values.
//!
//! With the constant feature c appended to the rows, x̃ = (x, c), and f(x) = ⟨w, x̃⟩, whose part b = c·w_last is the intercept,
//!
//! ```text
//! hinge              min over w   ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢf(xᵢ))
//! squared hinge      min over w   ½‖w‖² + Σ Cᵢ max(0, 1 − yᵢf(xᵢ))²
//! Crammer & Singer   min over w_k ½ Σ_k ‖w_k‖² + Σ Cᵢ max(0, 1 + max_{k≠yᵢ} f_k(xᵢ) − f_yᵢ(xᵢ))
//! ℓ1                 min over w   ‖w‖₁ + Σ Cᵢ max(0, 1 − yᵢf(xᵢ))²
//! tube               min over w   ½‖w‖² + Σ Cᵢ max(0, |yᵢ − f(xᵢ)| − ε)   or its square
//! ```
//!
//! Note that the intercept is penalised as all other weights are (a larger c lessens that), and that the squares have no ½:
//! both as in LIBLINEAR and scikit-learn, and neither as in [`Svc`](super::Svc) and [`Svr`](super::Svr).
//!
//! `descent` solves the dual of the first two and of the last by coordinate descent, `newton` finishes where that crawls;
//! `crammer_singer` (with `joint_newton`) and `sparse` are methods of their own. All end with a duality gap.

mod crammer_singer;
mod descent;
mod joint_newton;
mod model;
mod newton;
mod options;
mod rows;
mod sparse;
mod svc;
mod svr;
mod variable;
mod watch;

pub use model::{LinearFunctions, LinearModel, LinearSvrModel};
pub use options::LinearOptions;
pub use svc::{LinearObjective, LinearSvc, LinearSvcParams};
pub use svr::{LinearSvr, LinearSvrParams, TubeLoss};

//! Dense linear algebra in Mercer's own words: matrices and their products, symmetric eigenvalues (all of them, or the largest of a
//! matrix that is known by its products), Cholesky, whole or by pivots, conjugate gradients, Newton's method, and mending of matrices that
//! should be positive semi-definite.
//!
//! What runs on several threads is given them, and gives the same bits for any number.

mod blocked;
mod cholesky;
mod conjugate_gradient;
mod eigen;
mod lanczos;
mod lanes;
mod leading;
mod matrix;
mod mend;
mod mixed;
mod newton;
mod pivoted;
mod product;

pub use cholesky::Cholesky;
pub use conjugate_gradient::{ConjugateGradient, ConjugateSettings};
pub use eigen::{SymmetricEigen, symmetric_eigenvalues};
pub use lanczos::extreme_quotients;
pub(crate) use lanes::in_lanes;
pub use leading::{LeadingEigen, LeadingSettings};
pub use matrix::Matrix;
pub use mend::{Mended, Mending};
pub use mixed::{MixedCholesky, Refined};
pub use newton::{NewtonEnd, Smooth};
pub use pivoted::{PivotedCholesky, ShiftedInverse};

//! Dense linear algebra in Mercer's own words: matrices, symmetric eigenvalues, Cholesky, and mending
//! of matrices that should be positive semi-definite.
//!
//! Everything here runs on the calling thread and gives the same bits every time.

mod cholesky;
mod eigen;
mod matrix;
mod mend;

pub use cholesky::Cholesky;
pub use eigen::{SymmetricEigen, symmetric_eigenvalues};
pub use matrix::Matrix;
pub use mend::{Mended, Mending};

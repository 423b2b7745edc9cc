//! Dense linear algebra in Mercer's own words: matrices, symmetric eigenvalues, Cholesky.
//!
//! Everything here runs on the calling thread and gives the same bits every time.

mod cholesky;
mod eigen;
mod matrix;

pub use cholesky::Cholesky;
pub use eigen::{SymmetricEigen, symmetric_eigenvalues};
pub use matrix::Matrix;

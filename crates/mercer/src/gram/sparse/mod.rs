//! Sparse rows.

use crate::data::Vectors;
use crate::error::Result;
use crate::gram::{Block, Columns, DenseGram, Distances, Evaluation, Gram, Precision, SymmetricGram};

/// The Gram matrix of a vector kernel over sparse rows.
#[derive(Clone, Debug)]
pub struct SparseGram(DenseGram);

impl SparseGram {
    /// K of a training set with itself.
    ///
    /// # Errors
    /// As [`VectorGram::symmetric`](crate::gram::VectorGram::symmetric).
    pub fn symmetric(rows: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        Ok(SparseGram(DenseGram::symmetric(rows, evaluation)?))
    }

    /// K of row items against column items.
    ///
    /// # Errors
    /// As [`SparseGram::symmetric`].
    pub fn cross(rows: &Vectors<'_>, columns: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        Ok(SparseGram(DenseGram::cross(rows, columns, evaluation, &Distances::default())?))
    }
}

impl Gram for SparseGram {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    fn precision(&self) -> Precision {
        self.0.precision()
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        self.0.fill(rows, columns, out)
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        self.0.accumulate(rows, weights, columns, f)
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        self.0.restrict(columns)
    }
}

impl SymmetricGram for SparseGram {
    fn diagonal(&self) -> &[f64] {
        self.0.diagonal()
    }
}

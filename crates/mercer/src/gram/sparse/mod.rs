//! Gram matrices over sparse rows: a group of items is spread over the lanes of vectors, and the stored
//! entries of the others stream past it.

mod block;
mod rows;
mod scratch;
#[cfg(test)]
mod tests;
mod twins;

use std::sync::Arc;

use crate::data::{Items as _, Vectors};
use crate::error::{Error, Result};
use crate::gram::preparation::Preparation;
use crate::gram::simd::Unit;
use crate::gram::{Block, Columns, Combinations, Evaluation, Gram, Precision, SymmetricGram};
use crate::resources::Workers;

use block::Csr;

/// The Gram matrix of a vector kernel over sparse rows (dense ones are searched for what is not zero).
///
/// Memory is proportional to the stored entries. Inner products and squared distances cost a fraction of a
/// cycle per stored entry and pair; other measures merge the entries of each pair.
#[derive(Clone, Debug)]
pub struct SparseGram {
    prepared: Prepared,
    workers: Arc<Workers>,
    diagonal: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Prepared {
    F32(Csr<f32>),
    F64(Csr<f64>),
}

/// The same words for either precision.
macro_rules! either {
    ($prepared:expr, $name:ident => $body:expr) => {
        match $prepared {
            Prepared::F32($name) => $body,
            Prepared::F64($name) => $body,
        }
    };
}

impl SparseGram {
    /// K of a training set with itself.
    ///
    /// # Errors
    /// As [`VectorGram::symmetric`](crate::gram::VectorGram::symmetric).
    pub fn symmetric(rows: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        Self::build(rows, None, evaluation, evaluation.unit()?)
    }

    /// K of row items against column items.
    ///
    /// # Errors
    /// As [`SparseGram::symmetric`].
    pub fn cross(rows: &Vectors<'_>, columns: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        Self::build(rows, Some(columns), evaluation, evaluation.unit()?)
    }

    fn build(
        rows: &Vectors<'_>,
        columns: Option<&Vectors<'_>>,
        evaluation: &Evaluation<'_>,
        unit: Unit,
    ) -> Result<Self> {
        let depth = evaluation.check(rows)?;
        let prepare = |items: &Vectors<'_>| {
            let found = evaluation.check(items)?;
            if found != depth {
                return Err(Error::Shape { what: "columns of the data", expected: depth, found });
            }
            Preparation::new(evaluation, &[], items.columns(), depth)
        };
        let (first, second) = (prepare(rows)?, columns.map(prepare).transpose()?);
        let second = columns.zip(second.as_ref());
        let prepared = match evaluation.precision.resolve(rows.len()) {
            Precision::F64 => Prepared::F64(Csr::new((rows, &first), second, evaluation, unit)?),
            _ => Prepared::F32(Csr::new((rows, &first), second, evaluation, unit)?),
        };
        let diagonal = match columns {
            Some(_) => Vec::new(),
            None => either!(&prepared, csr => csr.diagonal()?),
        };
        Ok(SparseGram { prepared, workers: Arc::clone(evaluation.workers), diagonal })
    }
}

impl Gram for SparseGram {
    fn shape(&self) -> (usize, usize) {
        either!(&self.prepared, csr => csr.shape())
    }

    fn precision(&self) -> Precision {
        match self.prepared {
            Prepared::F32(_) => Precision::F32,
            Prepared::F64(_) => Precision::F64,
        }
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        either!(&self.prepared, csr => csr.fill(rows, columns, out, &self.workers))
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        either!(&self.prepared, csr => csr.accumulate(rows, weights, columns, f, &self.workers))
    }

    fn combine(
        &self,
        rows: &[usize],
        sums: &Combinations,
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        either!(&self.prepared, csr => csr.combine(rows, sums, columns, f, workers))
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        let prepared = match &self.prepared {
            Prepared::F32(csr) => Prepared::F32(csr.restrict(columns)),
            Prepared::F64(csr) => Prepared::F64(csr.restrict(columns)),
        };
        Ok(Box::new(SparseGram { prepared, workers: Arc::clone(&self.workers), diagonal: Vec::new() }))
    }
}

impl SymmetricGram for SparseGram {
    /// Empty for a matrix of two different sets of items.
    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}

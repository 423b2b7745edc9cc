//! Gram matrices over dense rows: packed once, computed in register tiles.

mod block;
mod combine;
mod distances;
mod growing;
mod panels;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::data::{Items as _, Vectors};
use crate::error::{Error, Result};
use crate::gram::preparation::Preparation;
use crate::gram::simd::Unit;
use crate::gram::{Block, Columns, Combinations, Evaluation, Gram, Precision, SymmetricGram};
use crate::resources::Workers;

use block::Dense;
pub use distances::Distances;
pub(crate) use growing::GrowingPanels;
pub(in crate::gram) use panels::too_large;

/// The Gram matrix of a vector kernel over dense rows (sparse ones are filled up).
///
/// Memory: rows × columns seen by the kernel, in the working precision. Both verbs cost
/// O(rows × columns × columns of the data).
#[derive(Clone, Debug)]
pub struct DenseGram {
    packed: Packed,
    distances: Distances,
    workers: Arc<Workers>,
    diagonal: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Packed {
    F32(Dense<f32>),
    F64(Dense<f64>),
}

/// The same words for either precision.
macro_rules! either {
    ($packed:expr, $name:ident => $body:expr) => {
        match $packed {
            Packed::F32($name) => $body,
            Packed::F64($name) => $body,
        }
    };
}

impl DenseGram {
    /// K of a training set with itself; how distances are formed is decided here.
    ///
    /// # Errors
    /// As [`VectorGram::symmetric`](crate::gram::VectorGram::symmetric).
    pub fn symmetric(rows: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        let distances = Distances::decide(rows, evaluation)?;
        Self::symmetric_with(rows, evaluation, &distances)
    }

    /// K of items with themselves under a decision made earlier.
    ///
    /// # Errors
    /// As [`DenseGram::symmetric`].
    pub fn symmetric_with(
        rows: &Vectors<'_>,
        evaluation: &Evaluation<'_>,
        distances: &Distances,
    ) -> Result<Self> {
        Self::build(rows, None, evaluation, distances, evaluation.unit()?)
    }

    /// K of row items against column items; the decision is that of the training set.
    ///
    /// # Errors
    /// As [`DenseGram::symmetric`].
    pub fn cross(
        rows: &Vectors<'_>,
        columns: &Vectors<'_>,
        evaluation: &Evaluation<'_>,
        distances: &Distances,
    ) -> Result<Self> {
        Self::build(rows, Some(columns), evaluation, distances, evaluation.unit()?)
    }

    /// How distances are formed.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    fn build(
        rows: &Vectors<'_>,
        columns: Option<&Vectors<'_>>,
        evaluation: &Evaluation<'_>,
        distances: &Distances,
        unit: Unit,
    ) -> Result<Self> {
        let depth = evaluation.check(rows)?;
        let prepare = |items: &Vectors<'_>| {
            let found = evaluation.check(items)?;
            if found != depth {
                return Err(Error::Shape { what: "columns of the data", expected: depth, found });
            }
            Preparation::new(evaluation, &distances.centre, items.columns(), depth)
        };
        let (first, second) = (prepare(rows)?, columns.map(prepare).transpose()?);
        let second = columns.zip(second.as_ref());
        let packed = match evaluation.precision.resolve(rows.len()) {
            Precision::F64 => Packed::F64(Dense::pack((rows, &first), second, evaluation, distances, unit)?),
            _ => Packed::F32(Dense::pack((rows, &first), second, evaluation, distances, unit)?),
        };
        let diagonal = match columns {
            Some(_) => Vec::new(),
            None => either!(&packed, dense => dense.diagonal()?),
        };
        Ok(DenseGram {
            packed,
            distances: distances.clone(),
            workers: Arc::clone(evaluation.workers),
            diagonal,
        })
    }
}

impl Gram for DenseGram {
    fn shape(&self) -> (usize, usize) {
        either!(&self.packed, dense => dense.shape())
    }

    fn precision(&self) -> Precision {
        match self.packed {
            Packed::F32(_) => Precision::F32,
            Packed::F64(_) => Precision::F64,
        }
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        either!(&self.packed, dense => dense.fill(rows, columns, out, &self.workers))
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        either!(&self.packed, dense => dense.accumulate(rows, weights, columns, f, &self.workers))
    }

    fn combine(
        &self,
        rows: &[usize],
        sums: &Combinations,
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        either!(&self.packed, dense => dense.combine(rows, sums, columns, f, workers))
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        let packed = match &self.packed {
            Packed::F32(dense) => Packed::F32(dense.restrict(columns)),
            Packed::F64(dense) => Packed::F64(dense.restrict(columns)),
        };
        Ok(Box::new(DenseGram {
            packed,
            distances: self.distances.clone(),
            workers: Arc::clone(&self.workers),
            diagonal: Vec::new(),
        }))
    }
}

impl SymmetricGram for DenseGram {
    /// Empty for a matrix of two different sets of items.
    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}

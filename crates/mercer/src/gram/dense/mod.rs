//! Dense rows.

mod distances;

use std::sync::Arc;

use crate::data::{Items, Row, Vectors};
use crate::error::Result;
use crate::gram::simd::axpy;
use crate::gram::{Block, Columns, Evaluation, Gram, Precision, SymmetricGram};
use crate::kernel::vector::Form;
use crate::resources::InstructionSet;

pub use distances::Distances;

/// The Gram matrix of a vector kernel over dense rows.
#[derive(Clone, Debug)]
pub struct DenseGram {
    rows: Arc<Vec<Vec<f64>>>,
    columns: Arc<Vec<Vec<f64>>>,
    form: Form,
    precision: Precision,
    level: InstructionSet,
    distances: Distances,
    diagonal: Vec<f64>,
}

fn project(items: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Vec<Vec<f64>>> {
    evaluation.check(items)?;
    Ok((0..items.len())
        .map(|i| {
            let row = items.get(i).to_dense(items.columns());
            match evaluation.subset {
                Some(subset) => subset.iter().map(|&k| row[k]).collect(),
                None => row,
            }
        })
        .collect())
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
        let mut gram = Self::cross(rows, rows, evaluation, distances)?;
        gram.diagonal = (0..rows.len()).map(|i| gram.value(i, i)).collect();
        Ok(gram)
    }

    /// K of row items against column items.
    ///
    /// # Errors
    /// As [`DenseGram::symmetric`].
    pub fn cross(
        rows: &Vectors<'_>,
        columns: &Vectors<'_>,
        evaluation: &Evaluation<'_>,
        distances: &Distances,
    ) -> Result<Self> {
        Ok(DenseGram {
            rows: Arc::new(project(rows, evaluation)?),
            columns: Arc::new(project(columns, evaluation)?),
            form: evaluation.form.clone(),
            precision: evaluation.precision.resolve(rows.len()),
            level: evaluation.level,
            distances: distances.clone(),
            diagonal: Vec::new(),
        })
    }

    /// How distances are formed.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    fn value(&self, r: usize, c: usize) -> f64 {
        let value = self.form.eval(&Row::Dense64(&self.rows[r]), &Row::Dense64(&self.columns[c]));
        if self.precision == Precision::F32 { f64::from(value as f32) } else { value }
    }
}

impl Gram for DenseGram {
    fn shape(&self) -> (usize, usize) {
        (self.rows.len(), self.columns.len())
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        match out {
            Block::F32 { values, stride } => {
                for (r, &i) in rows.iter().enumerate() {
                    for c in 0..columns.len() {
                        values[r * stride + c] = self.value(i, columns.at(c)) as f32;
                    }
                }
            }
            Block::F64 { values, stride } => {
                for (r, &i) in rows.iter().enumerate() {
                    for c in 0..columns.len() {
                        values[r * stride + c] = self.value(i, columns.at(c));
                    }
                }
            }
        }
        Ok(())
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        for (&i, &w) in rows.iter().zip(weights) {
            let values: Vec<f64> = (0..columns.len()).map(|c| self.value(i, columns.at(c))).collect();
            axpy(self.level, w, &values, f);
        }
        Ok(())
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        let columns = columns.iter().map(|&c| self.columns[c].clone()).collect();
        Ok(Box::new(DenseGram { columns: Arc::new(columns), diagonal: Vec::new(), ..self.clone() }))
    }
}

impl SymmetricGram for DenseGram {
    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}

//! Gram matrices of vector kernels, whichever way the rows are laid out.

use serde::{Deserialize, Serialize};

use crate::data::{Items, Vectors};
use crate::error::Result;
use crate::gram::{
    Block, Columns, Combinations, DenseGram, Distances, Evaluation, Gram, Precision, SparseGram,
    SymmetricGram,
};
use crate::resources::Workers;

/// How the rows of the training set are held while entries are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// All columns of every row.
    Dense,
    /// Stored entries only.
    Sparse,
}

/// What is decided once, from the training set alone, and kept with a model: a value computed later, in
/// whatever batch and from rows in whatever form, then has the bits it had in training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VectorPlan {
    /// How rows are held.
    pub layout: Layout,
    /// F32 or F64.
    pub precision: Precision,
    /// How distances are computed between dense rows.
    pub distances: Distances,
}

impl VectorPlan {
    /// Share of stored entries above which sparse rows are held as dense ones.
    const DENSE_FROM: f64 = 0.3;

    /// Decides for a training set.
    ///
    /// # Errors
    /// As [`VectorGram::symmetric`].
    pub fn decide(rows: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<VectorPlan> {
        let precision = evaluation.precision.resolve(rows.len());
        let cells = rows.len() as f64 * rows.columns() as f64;
        let sparse = matches!(rows, Vectors::Sparse(_)) && rows.stored() as f64 <= Self::DENSE_FROM * cells;
        if sparse {
            return Ok(VectorPlan { layout: Layout::Sparse, precision, distances: Distances::default() });
        }
        let distances = Distances::decide(rows, &Evaluation { precision, ..*evaluation })?;
        Ok(VectorPlan { layout: Layout::Dense, precision, distances })
    }
}

/// The Gram matrix of a vector kernel over dense or sparse rows.
///
/// ```
/// use std::sync::Arc;
/// use mercer::data::Vectors;
/// use mercer::gram::{Evaluation, Precision, SymmetricGram, VectorGram};
/// use mercer::kernel::vector::{Epilogue, Form, Measure};
/// use mercer::resources::{InstructionSet, Workers};
///
/// let rows = Vectors::from_rows(&[[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])?;
/// let gaussian = Form {
///     measure: Measure::SquaredDistance,
///     epilogue: Epilogue::Exponential { rate: 0.5 },
///     scales: None,
/// };
/// let workers = Arc::new(Workers::serial());
/// let gram = VectorGram::symmetric(&rows, &Evaluation {
///     form: &gaussian,
///     factor: 1.0,
///     subset: None,
///     precision: Precision::Auto,
///     level: InstructionSet::strongest(),
///     workers: &workers,
/// })?;
/// assert_eq!(gram.diagonal(), [1.0, 1.0, 1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum VectorGram {
    /// Dense rows.
    Dense(DenseGram),
    /// Sparse rows.
    Sparse(SparseGram),
}

impl VectorGram {
    /// K of a training set with itself; the plan is decided here.
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) if the kernel does not fit the columns,
    /// [`Error::InstructionSet`](crate::Error::InstructionSet), [`Error::Unsupported`](crate::Error::Unsupported)
    /// for rows too large for the precision, [`Error::KernelValue`](crate::Error::KernelValue).
    pub fn symmetric(rows: &Vectors<'_>, evaluation: &Evaluation<'_>) -> Result<Self> {
        let plan = VectorPlan::decide(rows, evaluation)?;
        Self::symmetric_with(rows, evaluation, &plan)
    }

    /// K of items with themselves under a plan made earlier (for a part of the training set, say).
    ///
    /// # Errors
    /// As [`VectorGram::symmetric`].
    pub fn symmetric_with(
        rows: &Vectors<'_>,
        evaluation: &Evaluation<'_>,
        plan: &VectorPlan,
    ) -> Result<Self> {
        let evaluation = Evaluation { precision: plan.precision, ..*evaluation };
        Ok(match plan.layout {
            Layout::Dense => {
                VectorGram::Dense(DenseGram::symmetric_with(rows, &evaluation, &plan.distances)?)
            }
            Layout::Sparse => VectorGram::Sparse(SparseGram::symmetric(rows, &evaluation)?),
        })
    }

    /// K of row items against column items of any form, under the plan of the training set.
    ///
    /// # Errors
    /// As [`VectorGram::symmetric`].
    pub fn cross(
        rows: &Vectors<'_>,
        columns: &Vectors<'_>,
        evaluation: &Evaluation<'_>,
        plan: &VectorPlan,
    ) -> Result<Self> {
        let evaluation = Evaluation { precision: plan.precision, ..*evaluation };
        Ok(match plan.layout {
            Layout::Dense => {
                VectorGram::Dense(DenseGram::cross(rows, columns, &evaluation, &plan.distances)?)
            }
            Layout::Sparse => VectorGram::Sparse(SparseGram::cross(rows, columns, &evaluation)?),
        })
    }

    /// The plan the entries are computed by.
    pub fn plan(&self) -> VectorPlan {
        match self {
            VectorGram::Dense(gram) => VectorPlan {
                layout: Layout::Dense,
                precision: gram.precision(),
                distances: gram.distances().clone(),
            },
            VectorGram::Sparse(gram) => VectorPlan {
                layout: Layout::Sparse,
                precision: gram.precision(),
                distances: Distances::default(),
            },
        }
    }

    fn inner(&self) -> &dyn SymmetricGram {
        match self {
            VectorGram::Dense(gram) => gram,
            VectorGram::Sparse(gram) => gram,
        }
    }
}

impl Gram for VectorGram {
    fn shape(&self) -> (usize, usize) {
        self.inner().shape()
    }

    fn precision(&self) -> Precision {
        self.inner().precision()
    }

    fn fill(&self, rows: &[usize], columns: Columns<'_>, out: Block<'_>) -> Result<()> {
        self.inner().fill(rows, columns, out)
    }

    fn accumulate(&self, rows: &[usize], weights: &[f64], columns: Columns<'_>, f: &mut [f64]) -> Result<()> {
        self.inner().accumulate(rows, weights, columns, f)
    }

    fn combine(
        &self,
        rows: &[usize],
        sums: &Combinations,
        columns: Columns<'_>,
        f: &mut [f64],
        workers: &Workers,
    ) -> Result<()> {
        self.inner().combine(rows, sums, columns, f, workers)
    }

    fn restrict(&self, columns: &[usize]) -> Result<Box<dyn Gram + '_>> {
        self.inner().restrict(columns)
    }
}

impl SymmetricGram for VectorGram {
    fn diagonal(&self) -> &[f64] {
        self.inner().diagonal()
    }
}

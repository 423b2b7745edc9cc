//! The angle between two rows.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, check};

/// The cosine kernel: the linear kernel of rows of length 1.
///
/// k(x, z) = ⟨x, z⟩ / (|x| |z|), and 0 if either row is zero. Written `cosine`. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Cosine};
/// assert_eq!(Cosine.eval(&Row::Dense64(&[3.0, 4.0]), &Row::Dense64(&[10.0, 0.0])), 0.6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cosine;

impl VectorKernel for Cosine {
    fn name(&self) -> &'static str {
        "cosine"
    }

    fn form(&self) -> Form {
        Form { measure: Measure::Dot, epilogue: Epilogue::Cosine, scales: None }
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(0, values.len())?;
        Ok((*self).into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok((*self).into())
    }
}

vector_kernel!(Cosine);

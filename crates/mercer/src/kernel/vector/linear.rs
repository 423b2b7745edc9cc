//! The inner product itself.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, check};

/// The linear kernel.
///
/// k(x, z) = ⟨x, z⟩. Written `linear`. O(columns) per pair, O(stored entries) when sparse.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Linear};
/// assert_eq!(Linear.eval(&Row::Dense64(&[1.0, 2.0]), &Row::Dense64(&[3.0, 4.0])), 11.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Linear;

impl VectorKernel for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn form(&self) -> Form {
        Form { measure: Measure::Dot, epilogue: Epilogue::Identity, scales: None }
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(0, values.len())?;
        Ok((*self).into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok((*self).into())
    }
}

vector_kernel!(Linear);

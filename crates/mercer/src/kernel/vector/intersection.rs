//! What two histograms have in common.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, check_non_negative, vector_kernel};
use crate::kernel::{Expression, check};

/// The histogram intersection kernel.
///
/// k(x, z) = Σₖ min(xₖ, zₖ) for values of at least 0. Written `intersection`. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Intersection};
/// assert_eq!(Intersection.eval(&Row::Dense64(&[1.0, 5.0]), &Row::Dense64(&[3.0, 4.0])), 5.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intersection;

impl VectorKernel for Intersection {
    fn name(&self) -> &'static str {
        "intersection"
    }

    fn form(&self) -> Form {
        Form { measure: Measure::Minimum, epilogue: Epilogue::Identity, scales: None }
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(0, values.len())?;
        Ok((*self).into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok((*self).into())
    }

    fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        check_non_negative("intersection", rows)
    }
}

vector_kernel!(Intersection);

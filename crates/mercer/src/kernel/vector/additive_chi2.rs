//! The χ² similarity of histograms.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, check_non_negative, vector_kernel};
use crate::kernel::{Expression, check};

/// The additive χ² kernel.
///
/// k(x, z) = Σₖ 2 xₖ zₖ / (xₖ + zₖ) for values of at least 0; a column where both are 0 adds nothing.
/// It is positive semi-definite. scikit-learn's function of that name is the negative χ² distance
/// −d(x, z) = −Σₖ (xₖ − zₖ)² / (xₖ + zₖ) instead; this kernel is (Σₖ (xₖ + zₖ) − d(x, z)) / 2.
///
/// Written `additive_chi2`. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::AdditiveChi2};
/// assert_eq!(AdditiveChi2.eval(&Row::Dense64(&[1.0, 0.0]), &Row::Dense64(&[3.0, 0.0])), 1.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdditiveChi2;

impl VectorKernel for AdditiveChi2 {
    fn name(&self) -> &'static str {
        "additive_chi2"
    }

    fn form(&self) -> Form {
        Form { measure: Measure::ChiSquareSimilarity, epilogue: Epilogue::Identity, scales: None }
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(0, values.len())?;
        Ok((*self).into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok((*self).into())
    }

    fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        check_non_negative("additive_chi2", rows)
    }
}

vector_kernel!(AdditiveChi2);

//! Exponential decay with the χ² distance of histograms.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::vector::{
    Epilogue, Form, Gamma, Measure, VectorKernel, check_non_negative, vector_kernel,
};
use crate::kernel::{Expression, Parameter, check};

/// The exponential χ² kernel.
///
/// k(x, z) = exp(−γ Σₖ (xₖ − zₖ)² / (xₖ + zₖ)) for values of at least 0; a column where both are 0 adds
/// nothing. Written `chi2(gamma=1)`; γ is 1 if it is not written. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Chi2};
/// let kernel = Chi2::new(0.5)?;
/// assert_eq!(kernel.eval(&Row::Dense64(&[1.0, 0.0]), &Row::Dense64(&[3.0, 0.0])), (-0.5f64).exp());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chi2 {
    gamma: Gamma,
}

impl Chi2 {
    /// With this γ: a number above 0 or a rule.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn new(gamma: impl Into<Gamma>) -> Result<Self> {
        Ok(Chi2 { gamma: gamma.into().checked()? })
    }
}

impl VectorKernel for Chi2 {
    fn name(&self) -> &'static str {
        "chi2"
    }

    fn form(&self) -> Form {
        Form {
            measure: Measure::ChiSquareDistance,
            epilogue: Epilogue::Exponential { rate: self.gamma.value() },
            scales: None,
        }
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        vec![("gamma", self.gamma.to_string())]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::positive("gamma", self.gamma.value())]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(1, values.len())?;
        Ok(Chi2 { gamma: self.gamma.with_value(values[0])? }.into())
    }

    fn is_resolved(&self) -> bool {
        self.gamma.is_resolved()
    }

    fn resolve(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression> {
        Ok(Chi2::new(self.gamma.resolve(rows, weights, Measure::ChiSquareDistance)?)?.into())
    }

    fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        check_non_negative("chi2", rows)
    }
}

vector_kernel!(Chi2);

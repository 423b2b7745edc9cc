//! Exponential decay with the Manhattan distance.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::vector::{Epilogue, Form, Gamma, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, Parameter, check};

/// The Laplacian kernel.
///
/// k(x, z) = exp(−γ |x − z|₁) with |·|₁ the sum of absolute values. Written `laplacian(gamma=0.1)`; γ is
/// `auto` if it is not written. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Laplacian};
/// let kernel = Laplacian::new(0.5)?;
/// assert_eq!(kernel.eval(&Row::Dense64(&[1.0, 0.0]), &Row::Dense64(&[0.0, 1.0])), (-1.0f64).exp());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Laplacian {
    gamma: Gamma,
}

impl Laplacian {
    /// With this γ: a number above 0 or a rule.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn new(gamma: impl Into<Gamma>) -> Result<Self> {
        Ok(Laplacian { gamma: gamma.into().checked()? })
    }
}

impl VectorKernel for Laplacian {
    fn name(&self) -> &'static str {
        "laplacian"
    }

    fn form(&self) -> Form {
        Form {
            measure: Measure::Manhattan,
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
        Ok(Laplacian { gamma: self.gamma.with_value(values[0])? }.into())
    }

    fn is_resolved(&self) -> bool {
        self.gamma.is_resolved()
    }

    fn resolve(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression> {
        Ok(Laplacian::new(self.gamma.resolve(rows, weights, Measure::Manhattan)?)?.into())
    }
}

vector_kernel!(Laplacian);

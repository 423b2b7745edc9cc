//! Exponential decay with the Euclidean distance.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::syntax::Number;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, Parameter, check};

/// The exponential kernel, the covariance of the Ornstein–Uhlenbeck process.
///
/// k(x, z) = exp(−|x − z| / ℓ) with |·| the Euclidean length. Written `exponential(length_scale=2)`; ℓ is 1
/// if it is not written. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Exponential};
/// let kernel = Exponential::new(5.0)?;
/// assert_eq!(kernel.eval(&Row::Dense64(&[0.0, 0.0]), &Row::Dense64(&[3.0, 4.0])), (-1.0f64).exp());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exponential {
    #[serde(deserialize_with = "check::serde_with::length")]
    length_scale: f64,
}

impl Exponential {
    /// With length scale ℓ above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn new(length_scale: f64) -> Result<Self> {
        Ok(Exponential { length_scale: check::length("length_scale", length_scale)? })
    }
}

impl VectorKernel for Exponential {
    fn name(&self) -> &'static str {
        "exponential"
    }

    fn form(&self) -> Form {
        Form {
            measure: Measure::SquaredDistance,
            epilogue: Epilogue::ExponentialRoot { rate: 1.0 / self.length_scale },
            scales: None,
        }
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        vec![("length_scale", Number(self.length_scale).to_string())]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::positive("length_scale", self.length_scale)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(1, values.len())?;
        Ok(Exponential::new(check::or(values[0], self.length_scale))?.into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok(self.clone().into())
    }
}

vector_kernel!(Exponential);

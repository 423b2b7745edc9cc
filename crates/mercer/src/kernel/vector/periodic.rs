//! Functions that repeat.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::syntax::Number;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, Parameter, check};

/// The periodic kernel.
///
/// k(x, z) = exp(−2 Σₖ sin²(π (xₖ − zₖ) / p) / ℓ²): a product of one kernel per column, hence positive
/// semi-definite in any dimension. scikit-learn's `ExpSineSquared` takes the sine of the Euclidean distance
/// instead; the two are the same for one column.
///
/// Written `periodic(period=1, length_scale=1)`; both are 1 if they are not written. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Periodic};
/// let kernel = Periodic::new(4.0, 1.0)?;
/// let value = kernel.eval(&Row::Dense64(&[0.0]), &Row::Dense64(&[2.0]));
/// assert_eq!(value, (-2.0f64).exp());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Periodic {
    #[serde(deserialize_with = "check::serde_with::length")]
    period: f64,
    #[serde(deserialize_with = "check::serde_with::length")]
    length_scale: f64,
}

impl Periodic {
    /// With period p and length scale ℓ, both above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn new(period: f64, length_scale: f64) -> Result<Self> {
        Ok(Periodic {
            period: check::length("period", period)?,
            length_scale: check::length("length_scale", length_scale)?,
        })
    }
}

impl VectorKernel for Periodic {
    fn name(&self) -> &'static str {
        "periodic"
    }

    fn form(&self) -> Form {
        Form {
            measure: Measure::SineSquared { period: self.period },
            epilogue: Epilogue::Exponential { rate: 2.0 / (self.length_scale * self.length_scale) },
            scales: None,
        }
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        vec![
            ("period", Number(self.period).to_string()),
            ("length_scale", Number(self.length_scale).to_string()),
        ]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::positive("period", self.period),
            Parameter::positive("length_scale", self.length_scale),
        ]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(2, values.len())?;
        let (period, length) = (check::or(values[0], self.period), check::or(values[1], self.length_scale));
        Ok(Periodic::new(period, length)?.into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok(self.clone().into())
    }
}

vector_kernel!(Periodic);

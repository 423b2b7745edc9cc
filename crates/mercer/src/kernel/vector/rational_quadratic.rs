//! A mixture of Gaussian kernels of many widths.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::Result;
use crate::kernel::syntax::Number;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, Parameter, check};

/// The rational quadratic kernel.
///
/// k(x, z) = (1 + |x − z|² / (2αℓ²))^(−α): Gaussian kernels whose widths follow a Gamma distribution, and the
/// Gaussian kernel with length scale ℓ itself as α → ∞. Written `rational_quadratic(alpha=1, length_scale=2)`;
/// both are 1 if they are not written. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::RationalQuadratic};
/// let kernel = RationalQuadratic::new(1.0, 1.0)?;
/// assert_eq!(kernel.eval(&Row::Dense64(&[0.0]), &Row::Dense64(&[2.0])), 1.0 / 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RationalQuadratic {
    #[serde(deserialize_with = "check::serde_with::length")]
    alpha: f64,
    #[serde(deserialize_with = "check::serde_with::length")]
    length_scale: f64,
}

impl RationalQuadratic {
    /// With exponent α and length scale ℓ, both above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn new(alpha: f64, length_scale: f64) -> Result<Self> {
        Ok(RationalQuadratic {
            alpha: check::length("alpha", alpha)?,
            length_scale: check::length("length_scale", length_scale)?,
        })
    }
}

impl VectorKernel for RationalQuadratic {
    fn name(&self) -> &'static str {
        "rational_quadratic"
    }

    fn form(&self) -> Form {
        // Divided one by one: the product 2αℓ² may overflow where the quotient does not.
        let rate = 0.5 / self.alpha / self.length_scale / self.length_scale;
        Form {
            measure: Measure::SquaredDistance,
            epilogue: Epilogue::RationalQuadratic { rate, alpha: self.alpha },
            scales: None,
        }
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        vec![
            ("alpha", Number(self.alpha).to_string()),
            ("length_scale", Number(self.length_scale).to_string()),
        ]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::positive("alpha", self.alpha), Parameter::positive("length_scale", self.length_scale)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(2, values.len())?;
        let (alpha, length) = (check::or(values[0], self.alpha), check::or(values[1], self.length_scale));
        Ok(RationalQuadratic::new(alpha, length)?.into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok(self.clone().into())
    }
}

vector_kernel!(RationalQuadratic);

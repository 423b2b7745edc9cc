//! Kernels between the exponential and the Gaussian in smoothness.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::{Error, Result};
use crate::kernel::syntax::Number;
use crate::kernel::vector::{Epilogue, Form, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Expression, Parameter, check};

/// The Matérn kernel with ν = ½, 3/2 or 5/2.
///
/// With r = √(2ν) |x − z| / ℓ:
/// - ν = ½: exp(−r), the exponential kernel;
/// - ν = 3/2: (1 + r) exp(−r), for functions that are differentiable once;
/// - ν = 5/2: (1 + r + r²/3) exp(−r), for functions that are differentiable twice.
///
/// Written `matern(nu=1.5, length_scale=2)`; ν is 1.5 and ℓ is 1 if they are not written. O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::{Matern, Smoothness}};
/// let kernel = Matern::new(Smoothness::ThreeHalves, 3f64.sqrt())?;
/// let value = kernel.eval(&Row::Dense64(&[0.0]), &Row::Dense64(&[1.0]));
/// assert!((value - 2.0 * (-1.0f64).exp()).abs() < 1e-15);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matern {
    nu: Smoothness,
    #[serde(deserialize_with = "check::serde_with::length")]
    length_scale: f64,
}

/// ν of the [`Matern`] kernel: the values for which it has a closed form.
///
/// ```
/// use mercer::kernel::vector::Smoothness;
/// assert_eq!(Smoothness::from_nu(1.5)?, Smoothness::ThreeHalves);
/// assert!(Smoothness::from_nu(1.0).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Smoothness {
    /// ν = 0.5: continuous.
    Half,
    /// ν = 1.5: differentiable once.
    ThreeHalves,
    /// ν = 2.5: differentiable twice.
    FiveHalves,
}

impl Smoothness {
    /// The smoothness with this ν.
    ///
    /// # Errors
    /// [`Error::Parameter`] for all but 0.5, 1.5 and 2.5.
    pub fn from_nu(nu: f64) -> Result<Self> {
        match nu {
            0.5 => Ok(Smoothness::Half),
            1.5 => Ok(Smoothness::ThreeHalves),
            2.5 => Ok(Smoothness::FiveHalves),
            value => Err(Error::Parameter { name: "nu", value, expected: "0.5, 1.5 or 2.5" }),
        }
    }

    /// ν
    pub fn nu(self) -> f64 {
        match self {
            Smoothness::Half => 0.5,
            Smoothness::ThreeHalves => 1.5,
            Smoothness::FiveHalves => 2.5,
        }
    }
}

impl Matern {
    /// With this smoothness and length scale ℓ above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn new(nu: Smoothness, length_scale: f64) -> Result<Self> {
        Ok(Matern { nu, length_scale: check::length("length_scale", length_scale)? })
    }
}

impl VectorKernel for Matern {
    fn name(&self) -> &'static str {
        "matern"
    }

    fn form(&self) -> Form {
        let rate = (2.0 * self.nu.nu()).sqrt() / self.length_scale;
        let epilogue = match self.nu {
            Smoothness::Half => Epilogue::ExponentialRoot { rate },
            Smoothness::ThreeHalves => Epilogue::Matern32 { rate },
            Smoothness::FiveHalves => Epilogue::Matern52 { rate },
        };
        Form { measure: Measure::SquaredDistance, epilogue, scales: None }
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        vec![
            ("nu", Number(self.nu.nu()).to_string()),
            ("length_scale", Number(self.length_scale).to_string()),
        ]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::positive("length_scale", self.length_scale)]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(1, values.len())?;
        Ok(Matern::new(self.nu, check::or(values[0], self.length_scale))?.into())
    }

    fn resolve(&self, _: &Vectors<'_>, _: Option<&[f64]>) -> Result<Expression> {
        Ok(self.clone().into())
    }
}

vector_kernel!(Matern);

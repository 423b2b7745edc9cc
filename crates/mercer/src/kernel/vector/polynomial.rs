//! Products of features, up to a degree.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::{Error, Result};
use crate::kernel::syntax::Number;
use crate::kernel::vector::{Epilogue, Form, Gamma, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Definiteness, Expression, Parameter, check};

/// The polynomial kernel.
///
/// k(x, z) = (γ⟨x, z⟩ + c)^degree. With c = 0 it is *homogeneous*: its features are all products of exactly
/// `degree` columns. With c > 0 all products of fewer columns are features too
/// ([`PolynomialFeatures`](crate::kernel::vector::PolynomialFeatures) writes them out). Positive semi-definite for c ≥ 0.
///
/// Written `polynomial(degree=3, gamma=1, constant=1)`; these are the values of what is not written.
/// O(columns) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Polynomial};
/// let (x, z) = (Row::Dense64(&[1.0, 2.0]), Row::Dense64(&[2.0, 1.0]));
/// assert_eq!(Polynomial::homogeneous(3)?.eval(&x, &z), 64.0);
/// assert_eq!(Polynomial::inhomogeneous(2)?.eval(&x, &z), 25.0);
/// assert_eq!(Polynomial::new(2, 0.5, 3.0)?.eval(&x, &z), 25.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Polynomial {
    #[serde(deserialize_with = "check::serde_with::degree")]
    degree: u32,
    #[serde(deserialize_with = "super::gamma::of_products")]
    gamma: Gamma,
    #[serde(deserialize_with = "check::serde_with::finite")]
    constant: f64,
}

impl Polynomial {
    /// With this degree of at least 1, γ (a number above 0, `Scale` or `Auto`) and constant c.
    ///
    /// # Errors
    /// [`Error::Parameter`]; [`Error::Unsupported`] for [`Gamma::Median`], which is about distances.
    pub fn new(degree: u32, gamma: impl Into<Gamma>, constant: f64) -> Result<Self> {
        let gamma = gamma.into().checked()?;
        if gamma == Gamma::Median {
            return Err(Error::Unsupported { what: "polynomial takes gamma=scale, auto or a number".into() });
        }
        if degree == 0 {
            return Err(Error::Parameter {
                name: "degree",
                value: 0.0,
                expected: "a whole number of at least 1",
            });
        }
        Ok(Polynomial { degree, gamma, constant: check::finite("constant", constant)? })
    }

    /// ⟨x, z⟩^degree
    ///
    /// # Errors
    /// [`Error::Parameter`] for degree 0.
    pub fn homogeneous(degree: u32) -> Result<Self> {
        Polynomial::new(degree, 1.0, 0.0)
    }

    /// (⟨x, z⟩ + 1)^degree
    ///
    /// # Errors
    /// [`Error::Parameter`] for degree 0.
    pub fn inhomogeneous(degree: u32) -> Result<Self> {
        Polynomial::new(degree, 1.0, 1.0)
    }

    /// The degree.
    pub fn degree(&self) -> u32 {
        self.degree
    }

    /// γ
    pub fn gamma(&self) -> Gamma {
        self.gamma
    }

    /// c
    pub fn constant(&self) -> f64 {
        self.constant
    }
}

impl VectorKernel for Polynomial {
    fn name(&self) -> &'static str {
        "polynomial"
    }

    fn form(&self) -> Form {
        let (gamma, constant) = (self.gamma.value(), self.constant);
        Form {
            measure: Measure::Dot,
            epilogue: Epilogue::Polynomial { gamma, constant, degree: self.degree },
            scales: None,
        }
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        vec![
            ("degree", self.degree.to_string()),
            ("gamma", self.gamma.to_string()),
            ("constant", Number(self.constant).to_string()),
        ]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::positive("gamma", self.gamma.value()),
            Parameter::between("constant", self.constant, 0.0, 100.0),
        ]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(2, values.len())?;
        let (gamma, constant) = (self.gamma.with_value(values[0])?, check::or(values[1], self.constant));
        Ok(Polynomial::new(self.degree, gamma, constant)?.into())
    }

    fn definiteness(&self) -> Definiteness {
        Definiteness::when(self.constant >= 0.0)
    }

    fn is_resolved(&self) -> bool {
        self.gamma.is_resolved()
    }

    fn resolve(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression> {
        Ok(Polynomial::new(self.degree, self.gamma.resolve(rows, weights, Measure::Dot)?, self.constant)?
            .into())
    }
}

vector_kernel!(Polynomial);

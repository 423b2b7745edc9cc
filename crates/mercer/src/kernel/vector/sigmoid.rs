//! The kernel of a two-layer neural network.

use serde::{Deserialize, Serialize};

use crate::data::Vectors;
use crate::error::{Error, Result};
use crate::kernel::syntax::Number;
use crate::kernel::vector::{Epilogue, Form, Gamma, Measure, VectorKernel, vector_kernel};
use crate::kernel::{Definiteness, Expression, Parameter, check};

/// The sigmoid kernel: a feed-forward network with one hidden unit per support vector.
///
/// k(x, z) = tanh(γ⟨x, z⟩ + c). It is **not** positive semi-definite on all data, for any γ and c
/// ([`Definiteness::NotGuaranteed`]): what a solver finds with it need not be a global optimum.
///
/// Written `sigmoid(gamma=0.1, constant=-1)`; γ is `scale` and c is 0 if they are not written. O(columns) per
/// pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Sigmoid};
/// let kernel = Sigmoid::new(0.5, -1.0)?;
/// assert_eq!(kernel.eval(&Row::Dense64(&[1.0, 2.0]), &Row::Dense64(&[2.0, 1.0])), 1.0f64.tanh());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sigmoid {
    #[serde(deserialize_with = "super::gamma::of_products")]
    gamma: Gamma,
    #[serde(deserialize_with = "check::serde_with::finite")]
    constant: f64,
}

impl Sigmoid {
    /// With this γ (a number above 0, `Scale` or `Auto`) and constant c.
    ///
    /// # Errors
    /// [`Error::Parameter`]; [`Error::Unsupported`] for [`Gamma::Median`], which is about distances.
    pub fn new(gamma: impl Into<Gamma>, constant: f64) -> Result<Self> {
        let gamma = gamma.into().checked()?;
        if gamma == Gamma::Median {
            return Err(Error::Unsupported { what: "sigmoid takes gamma=scale, auto or a number".into() });
        }
        Ok(Sigmoid { gamma, constant: check::finite("constant", constant)? })
    }
}

impl VectorKernel for Sigmoid {
    fn name(&self) -> &'static str {
        "sigmoid"
    }

    fn form(&self) -> Form {
        Form {
            measure: Measure::Dot,
            epilogue: Epilogue::Tanh { gamma: self.gamma.value(), constant: self.constant },
            scales: None,
        }
    }

    fn arguments(&self) -> Vec<(&'static str, String)> {
        vec![("gamma", self.gamma.to_string()), ("constant", Number(self.constant).to_string())]
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![
            Parameter::positive("gamma", self.gamma.value()),
            Parameter::between("constant", self.constant, -10.0, 10.0),
        ]
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Expression> {
        check::count(2, values.len())?;
        Ok(Sigmoid::new(self.gamma.with_value(values[0])?, check::or(values[1], self.constant))?.into())
    }

    fn definiteness(&self) -> Definiteness {
        Definiteness::NotGuaranteed
    }

    fn is_resolved(&self) -> bool {
        self.gamma.is_resolved()
    }

    fn resolve(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression> {
        Ok(Sigmoid::new(self.gamma.resolve(rows, weights, Measure::Dot)?, self.constant)?.into())
    }
}

vector_kernel!(Sigmoid);

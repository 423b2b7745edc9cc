//! A number times a kernel.

use serde::{Deserialize, Serialize};

use crate::data::Row;
use crate::error::Result;
use crate::kernel::{Expression, Kernel, check};

/// A number times a kernel.
///
/// k(x, z) = factor · k₁(x, z). Positive semi-definite for factors of at least 0. Written `0.5 * k`. Costs
/// what the kernel costs.
///
/// ```
/// use mercer::kernel::vector::Linear;
/// assert_eq!((0.5 * Linear).to_string(), "0.5 * linear");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    #[serde(deserialize_with = "check::serde_with::finite")]
    pub(crate) factor: f64,
    pub(crate) kernel: Box<Expression>,
}

impl Scale {
    /// `factor` times the kernel.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) if the factor is not finite. (The operator `*` cannot
    /// refuse it; [`Expression::resolve`] does.)
    pub fn new(factor: f64, kernel: impl Into<Expression>) -> Result<Self> {
        Ok(Scale { factor: check::finite("factor", factor)?, kernel: Box::new(kernel.into()) })
    }

    /// The number.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// The kernel.
    pub fn kernel(&self) -> &Expression {
        &self.kernel
    }
}

impl<'a> Kernel<Row<'a>> for Scale {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        self.factor * self.kernel.eval(x, z)
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        self.factor * self.kernel.eval_diagonal(x)
    }
}

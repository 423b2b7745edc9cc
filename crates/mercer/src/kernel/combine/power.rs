//! A kernel to a whole power.

use serde::{Deserialize, Serialize};

use crate::data::Row;
use crate::kernel::vector::power;
use crate::kernel::{Expression, Kernel};

/// A kernel to a whole power: the product of it with itself.
///
/// k(x, z) = k₁(x, z)^exponent. Written `k ^ 2`. Costs what the kernel costs.
///
/// ```
/// use mercer::kernel::vector::Linear;
/// assert_eq!((Linear + Linear).powi(2).to_string(), "(linear + linear) ^ 2");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    pub(crate) exponent: u32,
    pub(crate) kernel: Box<Expression>,
}

impl Power {
    /// The kernel to this power; to the power 0 it is 1 everywhere.
    pub fn new(kernel: impl Into<Expression>, exponent: u32) -> Self {
        Power { exponent, kernel: Box::new(kernel.into()) }
    }

    /// The exponent.
    pub fn exponent(&self) -> u32 {
        self.exponent
    }

    /// The kernel.
    pub fn kernel(&self) -> &Expression {
        &self.kernel
    }
}

impl<'a> Kernel<Row<'a>> for Power {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        power(self.kernel.eval(x, z), self.exponent)
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        power(self.kernel.eval_diagonal(x), self.exponent)
    }
}

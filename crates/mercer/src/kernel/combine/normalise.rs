//! All images on the unit sphere.

use serde::{Deserialize, Serialize};

use crate::data::Row;
use crate::kernel::{Expression, Kernel};

/// A kernel normalised so that every item has length 1 in feature space.
///
/// k(x, z) = k₁(x, z) / √(k₁(x, x) k₁(z, z)), and 0 if either item has length 0. For a kernel that is not
/// positive semi-definite k₁(x, x) can be negative; the value is then NaN.
///
/// Written `normalise(k)`. Three values of the kernel per pair here; a Gram matrix keeps the diagonal.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, combine::Normalise, vector::Linear};
/// let kernel = Normalise::new(Linear);
/// assert_eq!(kernel.eval(&Row::Dense64(&[3.0, 4.0]), &Row::Dense64(&[10.0, 0.0])), 0.6);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Normalise {
    pub(crate) kernel: Box<Expression>,
}

impl Normalise {
    /// The kernel, normalised.
    pub fn new(kernel: impl Into<Expression>) -> Self {
        Normalise { kernel: Box::new(kernel.into()) }
    }

    /// The kernel that is normalised.
    pub fn kernel(&self) -> &Expression {
        &self.kernel
    }
}

impl<'a> Kernel<Row<'a>> for Normalise {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        let lengths = self.kernel.eval_diagonal(x).sqrt() * self.kernel.eval_diagonal(z).sqrt();
        if lengths == 0.0 { 0.0 } else { self.kernel.eval(x, z) / lengths }
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        match self.kernel.eval_diagonal(x) {
            0.0 => 0.0,
            square if square > 0.0 => 1.0,
            _ => f64::NAN,
        }
    }
}

//! k₁ · k₂ · …

use serde::{Deserialize, Serialize};

use crate::data::Row;
use crate::kernel::{Expression, Kernel};

/// The product of two or more kernels: its features are all products of their features.
///
/// k(x, z) = Π kᵢ(x, z). Written `a * b`. Costs what its factors cost.
///
/// ```
/// use mercer::kernel::vector::{Cosine, Linear};
/// let kernel = (Linear + Cosine) * Cosine;
/// assert_eq!(kernel.to_string(), "(linear + cosine) * cosine");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Product {
    #[serde(deserialize_with = "super::two_or_more")]
    pub(crate) factors: Vec<Expression>,
}

impl Product {
    /// Adds a factor: `a * b` is extended by `* c`, anything else becomes the first of two factors.
    pub fn of(first: Expression, second: Expression) -> Self {
        match first {
            Expression::Product(mut product) => {
                product.factors.push(second);
                product
            }
            first => Product { factors: vec![first, second] },
        }
    }

    /// The factors, two or more.
    pub fn factors(&self) -> &[Expression] {
        &self.factors
    }
}

impl<'a> Kernel<Row<'a>> for Product {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        self.factors.iter().map(|k| k.eval(x, z)).product()
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        self.factors.iter().map(|k| k.eval_diagonal(x)).product()
    }
}

//! k₁ + k₂ + …

use serde::{Deserialize, Serialize};

use crate::data::Row;
use crate::kernel::{Expression, Kernel};

/// The sum of two or more kernels: their feature spaces side by side.
///
/// k(x, z) = Σ kᵢ(x, z). Written `a + b`. Costs what its terms cost.
///
/// ```
/// use mercer::kernel::{Expression, vector::{Cosine, Linear}};
/// let kernel = Linear + Cosine + Linear;
/// assert_eq!(kernel.to_string(), "linear + cosine + linear");
/// # let Expression::Sum(sum) = kernel else { panic!() };
/// # assert_eq!(sum.terms().len(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sum {
    #[serde(deserialize_with = "super::two_or_more")]
    pub(crate) terms: Vec<Expression>,
}

impl Sum {
    /// Adds a term: `a + b` is extended by `+ c`, anything else becomes the first of two terms.
    pub fn of(first: Expression, second: Expression) -> Self {
        match first {
            Expression::Sum(mut sum) => {
                sum.terms.push(second);
                sum
            }
            first => Sum { terms: vec![first, second] },
        }
    }

    /// The terms, two or more.
    pub fn terms(&self) -> &[Expression] {
        &self.terms
    }
}

impl<'a> Kernel<Row<'a>> for Sum {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        self.terms.iter().map(|k| k.eval(x, z)).sum()
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        self.terms.iter().map(|k| k.eval_diagonal(x)).sum()
    }
}

//! Derivatives of kernels with respect to their parameters, as a likelihood needs them.

mod expression;
mod leaf;
#[cfg(test)]
mod tests;

use crate::data::{Collection, Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, CollectionKernel, Plan};
use crate::kernel::{Expression, Parameter};
use crate::linalg::Matrix;

/// A kernel whose parameters can be learned: it knows its derivatives.
///
/// Not the derivatives themselves are asked for, n² numbers for each parameter, but their sums with weights: a likelihood needs
/// no more, and it takes O(n) memory.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::gram::Plan;
/// use mercer::kernel::Expression;
/// use mercer::linalg::Matrix;
/// use mercer::machine::Differentiable;
/// let rows = Vectors::from_rows(&[[0.0], [1.0]])?;
/// let kernel: Expression = "3 * gaussian(gamma=0.5)".parse()?;
/// let weights = Matrix::new(vec![0.0, 1.0, 1.0, 0.0], 2, 2)?;
/// let gradient = kernel.weighted_gradient(&rows, &weights, &Plan::new()?)?;
/// // Of 2 · 3 exp(−γ): with respect to the factor, and to γ.
/// assert!((gradient[0] - 2.0 * (-0.5f64).exp()).abs() < 1e-14);
/// assert!((gradient[1] + 6.0 * (-0.5f64).exp()).abs() < 1e-14);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait Differentiable<I: Items + ?Sized>: BulkKernel<I> {
    /// The parameters, in the order of the gradient.
    fn parameters(&self) -> Vec<Parameter>;

    /// The same kernel with other values of its parameters.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values, [`Error::Parameter`] for a value out of range.
    fn with_parameters(&self, values: &[f64]) -> Result<Self>;

    /// Σᵢⱼ Wᵢⱼ ∂k(xᵢ, xⱼ)/∂θ of every parameter θ, for symmetric weights W.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a kernel whose derivatives are not known, and as the verbs of a Gram matrix.
    fn weighted_gradient(&self, items: &I, weights: &Matrix, plan: &Plan) -> Result<Vec<f64>>;

    /// Σᵢ wᵢ ∂νᵢ/∂θ of every parameter θ, where νᵢ is the noise of a `white` in k(xᵢ, xᵢ): what an item has with itself and not with a
    /// copy of itself.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::gram::Plan;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Differentiable;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0]])?;
    /// let kernel: Expression = "gaussian(gamma=0.5) + 3 * white(0.1)".parse()?;
    /// let gradient = kernel.noise_gradient(&rows, &[1.0, 2.0], &Plan::new()?)?;
    /// // Of γ, of the factor and of the noise.
    /// let expected = [0.0, 3.0 * 0.1, 3.0 * 3.0];
    /// assert!(gradient.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-14));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Differentiable::weighted_gradient`].
    fn noise_gradient(&self, items: &I, weights: &[f64], plan: &Plan) -> Result<Vec<f64>>;
}

/// O(n² · columns) for each part of the expression.
impl<'v> Differentiable<Vectors<'v>> for Expression {
    fn parameters(&self) -> Vec<Parameter> {
        Expression::parameters(self)
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self> {
        Expression::with_parameters(self, values)
    }

    fn weighted_gradient(&self, items: &Vectors<'v>, weights: &Matrix, plan: &Plan) -> Result<Vec<f64>> {
        let n = items.len();
        for found in [weights.rows(), weights.columns()] {
            if found != n {
                return Err(Error::Shape { what: "weights (one per pair of items)", expected: n, found });
            }
        }
        expression::weighted_gradient(self, items, weights, plan)
    }

    fn noise_gradient(&self, items: &Vectors<'v>, weights: &[f64], plan: &Plan) -> Result<Vec<f64>> {
        let (expected, found) = (items.len(), weights.len());
        if found != expected {
            return Err(Error::Shape { what: "weights (one per item)", expected, found });
        }
        expression::noise_gradient(self, items, weights, plan)
    }
}

/// Of kernels on rows of numbers; of others derivatives are not known, so that they have no parameters to be learned.
impl<'c> Differentiable<Collection<'c>> for CollectionKernel {
    fn parameters(&self) -> Vec<Parameter> {
        self.differentiable().map_or_else(|_| Vec::new(), Expression::parameters)
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self> {
        match self.differentiable() {
            Ok(kernel) => Ok(kernel.with_parameters(values)?.into()),
            Err(_) if values.is_empty() => Ok(self.clone()),
            Err(error) => Err(error),
        }
    }

    fn weighted_gradient(&self, items: &Collection<'c>, weights: &Matrix, plan: &Plan) -> Result<Vec<f64>> {
        self.differentiable()?.weighted_gradient(items.rows()?, weights, plan)
    }

    fn noise_gradient(&self, items: &Collection<'c>, weights: &[f64], plan: &Plan) -> Result<Vec<f64>> {
        self.differentiable()?.noise_gradient(items.rows()?, weights, plan)
    }
}

impl CollectionKernel {
    /// The kernel on rows of numbers that it is; others do not know their derivatives.
    fn differentiable(&self) -> Result<&Expression> {
        let unknown = || Error::Unsupported { what: format!("the derivatives of {self} are not known") };
        self.on_rows().ok_or_else(unknown)
    }
}

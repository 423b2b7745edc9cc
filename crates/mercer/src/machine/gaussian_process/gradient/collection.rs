//! Derivatives of kernels on a collection: known where it is one of rows of numbers.

use super::Differentiable;
use crate::data::{Collection, Vectors};
use crate::error::{Error, Result};
use crate::gram::{CollectionKernel, Plan};
use crate::kernel::{Expression, Parameter};
use crate::linalg::Matrix;

/// The parameters and derivatives of the kernel on rows of numbers; all other kernels, and those that are shifted or clipped, have no
/// parameters that are learned.
///
/// ```
/// use mercer::data::{Collection, Vectors};
/// use mercer::gram::CollectionKernel;
/// use mercer::linalg::Matrix;
/// use mercer::machine::{Differentiable, GaussianProcess};
/// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i) / 3.0]).collect::<Vec<_>>())?;
/// let targets = Matrix::from_fn(20, 1, |i, _| (i as f64 / 3.0).sin());
/// let kernel: CollectionKernel = "1 * gaussian(length_scale=10) + white(0.1)".parse()?;
/// let learned = GaussianProcess::params(kernel).check()?.fit_learned(&Collection::from(rows), &targets, None)?;
/// let found = Differentiable::<Collection>::parameters(&learned.kept().kernel);
/// assert!(found[1].value > 0.5 && found[1].value < 5.0 && found[2].value < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
impl<'c> Differentiable<Collection<'c>> for CollectionKernel {
    fn parameters(&self) -> Vec<Parameter> {
        self.on_rows().map_or_else(Vec::new, Expression::parameters)
    }

    fn with_parameters(&self, values: &[f64]) -> Result<Self> {
        match self.on_rows() {
            Some(kernel) => Ok(kernel.with_parameters(values)?.into()),
            None if values.is_empty() => Ok(self.clone()),
            None => Err(Error::Shape { what: "parameters of the kernel", expected: 0, found: values.len() }),
        }
    }

    fn weighted_gradient(&self, items: &Collection<'c>, weights: &Matrix, plan: &Plan) -> Result<Vec<f64>> {
        let kernel = self.on_rows().ok_or_else(|| unknown(self))?;
        Differentiable::<Vectors<'c>>::weighted_gradient(kernel, items.rows()?, weights, plan)
    }

    fn noise_gradient(&self, items: &Collection<'c>, weights: &[f64], plan: &Plan) -> Result<Vec<f64>> {
        let kernel = self.on_rows().ok_or_else(|| unknown(self))?;
        Differentiable::<Vectors<'c>>::noise_gradient(kernel, items.rows()?, weights, plan)
    }
}

fn unknown(kernel: &CollectionKernel) -> Error {
    Error::Unsupported { what: format!("the derivatives of {kernel} are not known") }
}

//! Kernels on numeric rows, one per file.
//!
//! Every one of them but [`Anova`] is a [`VectorKernel`]: a sum over the columns and a function of that sum, its [`Form`].

mod additive_chi2;
mod anova;
mod chi2;
mod cosine;
mod exponential;
mod form;
mod gamma;
mod gaussian;
mod intersection;
mod laplacian;
mod linear;
mod matern;
mod periodic;
mod polynomial;
mod polynomial_features;
mod rational_quadratic;
mod sigmoid;

pub use additive_chi2::AdditiveChi2;
pub use anova::Anova;
pub use chi2::Chi2;
pub use cosine::Cosine;
pub use exponential::Exponential;
pub use form::{Epilogue, Form, Measure, power};
pub use gamma::Gamma;
pub use gaussian::{Gaussian, Width};
pub use intersection::Intersection;
pub use laplacian::Laplacian;
pub use linear::Linear;
pub use matern::{Matern, Smoothness};
pub use periodic::Periodic;
pub use polynomial::Polynomial;
pub use polynomial_features::PolynomialFeatures;
pub use rational_quadratic::RationalQuadratic;
pub use sigmoid::Sigmoid;

use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::kernel::{Definiteness, Expression, Parameter};

/// What every kernel on numeric rows says about itself.
///
/// k(x, z) = factor · g(Σₖ φ(sₖxₖ, sₖzₖ)) with φ, g and s given by the [`Form`].
///
/// ```
/// use mercer::kernel::vector::{Gaussian, Measure, VectorKernel};
/// let kernel = Gaussian::gamma(0.5)?;
/// assert_eq!(kernel.form().measure, Measure::SquaredDistance);
/// assert_eq!(kernel.to_string(), "gaussian(gamma=0.5)");
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait VectorKernel: std::fmt::Display + Send + Sync {
    /// The name it is written with.
    fn name(&self) -> &'static str;

    /// Measure, epilogue and scales; its numbers are NaN while a parameter waits for data.
    fn form(&self) -> Form;

    /// What the value of the form is multiplied by.
    fn factor(&self) -> f64 {
        1.0
    }

    /// What is written between its parentheses, in order.
    fn arguments(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Its continuous parameters.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// The same kernel with other values of its parameters, in the order of
    /// [`parameters`](VectorKernel::parameters); NaN leaves one as it is.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values, [`Error::Parameter`] for a value out of range.
    fn with_parameters(&self, values: &[f64]) -> Result<Expression>;

    /// Whether all Gram matrices are positive semi-definite.
    fn definiteness(&self) -> Definiteness {
        Definiteness::Guaranteed
    }

    /// Whether no parameter waits for data.
    fn is_resolved(&self) -> bool {
        true
    }

    /// The same kernel with the parameters that wait for data computed from these rows and their weights.
    ///
    /// # Errors
    /// [`Error::Empty`] without rows, [`Error::Parameter`] if the data give no usable value.
    fn resolve(&self, rows: &Vectors<'_>, weights: Option<&[f64]>) -> Result<Expression>;

    /// Refuses rows that the kernel is not defined on.
    ///
    /// # Errors
    /// [`Error::Negative`] or [`Error::Shape`].
    fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        let _ = rows;
        Ok(())
    }
}

/// [`Error::Negative`] with the first value below 0, row by row.
fn check_non_negative(kernel: &'static str, rows: &Vectors<'_>) -> Result<()> {
    for row in 0..rows.len() {
        let mut first = None;
        rows.get(row).for_each(|column, value| {
            if value < 0.0 && first.is_none() {
                first = Some((column, value));
            }
        });
        if let Some((column, value)) = first {
            return Err(Error::Negative { row, column, value, kernel });
        }
    }
    Ok(())
}

/// What follows from a [`VectorKernel`]: evaluation, printing, its place among expressions, and operators.
macro_rules! vector_kernel {
    ($kernel:ident) => {
        impl<'a> $crate::kernel::Kernel<$crate::data::Row<'a>> for $kernel {
            fn eval(&self, x: &$crate::data::Row<'a>, z: &$crate::data::Row<'a>) -> f64 {
                use $crate::kernel::vector::VectorKernel;
                self.factor() * self.form().eval(x, z)
            }
        }

        impl std::fmt::Display for $kernel {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                use $crate::kernel::vector::VectorKernel;
                $crate::kernel::syntax::write_call(f, self.name(), &self.arguments())
            }
        }

        $crate::kernel::operators::kernel_operators!($kernel);
    };
}
use vector_kernel;

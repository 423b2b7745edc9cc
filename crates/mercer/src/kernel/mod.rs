//! Kernels: symmetric functions k(x, z) that are inner products in some feature space.
//!
//! Open to compute, closed to store: anything may implement [`Kernel`]; what Mercer itself offers on numeric
//! rows is an [`Expression`], which can be written down, read back and kept in a model file.
//!
//! ```
//! use mercer::data::Row;
//! use mercer::kernel::{Expression, Kernel};
//! let kernel: Expression = "0.5 * gaussian(gamma=0.1) + linear".parse()?;
//! let (x, z) = (Row::Dense64(&[1.0, 0.0]), Row::Dense64(&[1.0, 2.0]));
//! assert_eq!(kernel.eval(&x, &z), 0.5 * (-0.4f64).exp() + 1.0);
//! # Ok::<(), mercer::Error>(())
//! ```

mod check;
pub mod combine;
mod constant;
mod definiteness;
mod expression;
mod fallible;
pub mod generative;
pub mod graph;
pub mod image;
pub mod logic;
mod median;
mod mercer;
mod normalised;
mod operators;
mod parameter;
pub mod record;
mod references;
pub mod series;
pub mod set;
pub mod string;
pub mod structure;
mod structured;
mod syntax;
mod tensor_product;
pub mod text;
pub mod tree;
pub mod vector;
mod white;

use crate::error::Result;

pub use constant::Constant;
pub use definiteness::Definiteness;
pub use expression::Expression;
pub use fallible::Fallible;
pub use mercer::{MercerReport, Verdict, check_mercer};
pub use normalised::{Normalised, Own};
pub use parameter::Parameter;
pub use structure::{StructureDescription, StructureExpression};
pub(crate) use structured::gathered_product;
pub use structured::{DigestKernel, FeatureMap, eval_digests, eval_features, gathered, inner_product};
pub(crate) use structured::{kernel_by_digests, kernel_by_features};
pub use syntax::Description;
pub use tensor_product::TensorProduct;
pub use white::White;

/// A pure function k(x, z) that compares two items.
///
/// Correct and slow by default: [`eval`](Kernel::eval) is all that must be written. Kernels on numeric rows
/// that have a [`Form`](vector::Form) are evaluated in blocks.
///
/// ```
/// use mercer::kernel::Kernel;
/// struct CommonLetters;
/// impl Kernel<str> for CommonLetters {
///     fn eval(&self, x: &str, z: &str) -> f64 {
///         ('a'..='z').filter(|&letter| x.contains(letter) && z.contains(letter)).count() as f64
///     }
/// }
/// assert_eq!(CommonLetters.eval("kernel", "margin"), 2.0);
/// assert_eq!(CommonLetters.eval_diagonal("kernel"), 5.0);
/// ```
pub trait Kernel<X: ?Sized>: Send + Sync {
    /// k(x, z)
    fn eval(&self, x: &X, z: &X) -> f64;

    /// k(x, x)
    fn eval_diagonal(&self, x: &X) -> f64 {
        self.eval(x, x)
    }

    /// k(x, z) of a kernel that may fail; see [`Fallible`].
    ///
    /// # Errors
    /// [`Error::Callable`](crate::Error::Callable) with what went wrong.
    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        Ok(self.eval(x, z))
    }

    /// k(x, x) of a kernel that may fail.
    ///
    /// # Errors
    /// As [`Kernel::try_eval`].
    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        Ok(self.eval_diagonal(x))
    }
}

/// A closure is a kernel.
impl<X: ?Sized, F: Fn(&X, &X) -> f64 + Send + Sync> Kernel<X> for F {
    fn eval(&self, x: &X, z: &X) -> f64 {
        self(x, z)
    }
}

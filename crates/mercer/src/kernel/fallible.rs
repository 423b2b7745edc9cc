//! Kernels that may fail: a callable of another language, a look-up that finds nothing.

use crate::error::{Error, Result};
use crate::kernel::Kernel;

/// A function that returns a `Result`, as a kernel.
///
/// [`Kernel::try_eval`], which Gram matrices call, passes the error on; [`Kernel::eval`] can only return NaN.
///
/// ```
/// use mercer::kernel::{Fallible, Kernel};
/// let product =
///     Fallible(|a: &str, b: &str| a.parse::<f64>().and_then(|a| b.parse::<f64>().map(|b| a * b)));
/// assert_eq!(product.try_eval("2", "3").unwrap(), 6.0);
/// let error = product.try_eval("2", "x").unwrap_err();
/// assert_eq!(error.to_string(), "the kernel failed: invalid float literal");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fallible<F>(
    /// k(x, z), or what went wrong.
    pub F,
);

impl<X, F, E> Kernel<X> for Fallible<F>
where
    X: ?Sized,
    F: Fn(&X, &X) -> Result<f64, E> + Send + Sync,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn eval(&self, x: &X, z: &X) -> f64 {
        (self.0)(x, z).unwrap_or(f64::NAN)
    }

    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        (self.0)(x, z).map_err(|error| Error::Callable(error.into()))
    }

    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        self.try_eval(x, x)
    }
}

//! Kernels that may fail: a callable of another language, a look-up that finds nothing.

use crate::error::{Error, Result};
use crate::kernel::Kernel;

/// A kernel whose evaluation may fail. Every [`Kernel`] is one that never does.
///
/// ```
/// use mercer::kernel::{Fallible, TryKernel};
/// let product = Fallible(|a: &str, b: &str| Ok::<_, std::num::ParseFloatError>(a.parse::<f64>()? * b.parse::<f64>()?));
/// assert_eq!(product.try_eval("2", "3").unwrap(), 6.0);
/// assert_eq!(product.try_eval("2", "x").unwrap_err().to_string(), "the kernel failed: invalid float literal");
/// ```
pub trait TryKernel<X: ?Sized>: Send + Sync {
    /// k(x, z)
    ///
    /// # Errors
    /// [`Error::Callable`] with what went wrong.
    fn try_eval(&self, x: &X, z: &X) -> Result<f64>;

    /// k(x, x)
    ///
    /// # Errors
    /// As [`TryKernel::try_eval`].
    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        self.try_eval(x, x)
    }
}

impl<X: ?Sized, K: Kernel<X>> TryKernel<X> for K {
    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        Ok(self.eval(x, z))
    }

    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        Ok(self.eval_diagonal(x))
    }
}

/// A function that returns a `Result`, as a kernel; see [`TryKernel`].
#[derive(Clone, Copy, Debug)]
pub struct Fallible<F>(
    /// k(x, z), or what went wrong.
    pub F,
);

impl<X, F, E> TryKernel<X> for Fallible<F>
where
    X: ?Sized,
    F: Fn(&X, &X) -> Result<f64, E> + Send + Sync,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        (self.0)(x, z).map_err(|error| Error::Callable(error.into()))
    }
}

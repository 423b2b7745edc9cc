//! Noise of the observations, as a kernel.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::{Kernel, Parameter, check};

/// The white-noise kernel: an item is like itself only.
///
/// k(xᵢ, xⱼ) = noise · δᵢⱼ, where i and j number *observations*: two different rows with the same values have
/// the value 0. Therefore [`eval`](Kernel::eval), which compares two observations, always gives 0, and
/// [`eval_diagonal`](Kernel::eval_diagonal) gives the noise; it is the training Gram matrix that thereby has
/// it on its diagonal, and no prediction sees it.
///
/// Written `white(0.1)`. O(1) per pair.
///
/// ```
/// use mercer::kernel::{Kernel, White};
/// let white = White::new(0.1)?;
/// assert_eq!((white.eval("a", "a"), white.eval_diagonal("a")), (0.0, 0.1));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct White {
    #[serde(deserialize_with = "check::serde_with::non_negative")]
    noise: f64,
}

impl White {
    /// Noise of this variance.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) if it is negative or not finite.
    pub fn new(noise: f64) -> Result<Self> {
        Ok(White { noise: check::non_negative("noise", noise)? })
    }

    /// The variance of the noise.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::positive("noise", self.noise)]
    }
}

impl<X: ?Sized> Kernel<X> for White {
    fn eval(&self, _: &X, _: &X) -> f64 {
        0.0
    }

    fn eval_diagonal(&self, _: &X) -> f64 {
        self.noise
    }
}

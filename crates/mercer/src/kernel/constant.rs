//! The kernel that finds all items equally alike.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::{Definiteness, Kernel, Parameter, check};

/// The constant kernel.
///
/// k(x, z) = value. Positive semi-definite for value ≥ 0. Added to a kernel it plays the part of an offset.
///
/// Written `constant(2)`, or as a plain number in a sum: `linear + 2`. O(1) per pair.
///
/// ```
/// use mercer::kernel::Expression;
/// let kernel: Expression = "linear + 2".parse()?;
/// assert_eq!(kernel.to_string(), "linear + constant(2)");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Constant {
    #[serde(deserialize_with = "check::serde_with::finite")]
    value: f64,
}

impl Constant {
    /// The kernel that is `value` everywhere.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) if it is not finite.
    pub fn new(value: f64) -> Result<Self> {
        Ok(Constant { value: check::finite("value", value)? })
    }

    /// The value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Guaranteed for values of at least 0.
    pub fn definiteness(&self) -> Definiteness {
        Definiteness::when(self.value >= 0.0)
    }

    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::positive("value", self.value)]
    }
}

impl<X: ?Sized> Kernel<X> for Constant {
    fn eval(&self, _: &X, _: &X) -> f64 {
        self.value
    }
}

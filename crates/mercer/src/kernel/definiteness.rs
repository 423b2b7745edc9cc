//! What is known about a kernel before any data are seen.

/// Whether every Gram matrix of a kernel is positive semi-definite by construction.
///
/// A kernel that is not guaranteed may still be positive semi-definite on some data.
///
/// ```
/// use mercer::kernel::{Definiteness, Expression};
/// let gaussian: Expression = "gaussian(gamma=1)".parse()?;
/// assert_eq!(gaussian.definiteness(), Definiteness::Guaranteed);
/// let sigmoid: Expression = "linear + sigmoid(gamma=1, constant=-1)".parse()?;
/// assert_eq!(sigmoid.definiteness(), Definiteness::NotGuaranteed);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definiteness {
    /// Positive semi-definite on all data that the kernel accepts.
    Guaranteed,
    /// Indefinite on some data, or not known.
    NotGuaranteed,
}

impl Definiteness {
    /// `Guaranteed` if the condition holds.
    pub fn when(condition: bool) -> Self {
        if condition { Definiteness::Guaranteed } else { Definiteness::NotGuaranteed }
    }

    /// `Guaranteed` if both are: what sums and products keep.
    pub fn and(self, other: Definiteness) -> Self {
        Definiteness::when(self == Definiteness::Guaranteed && other == Definiteness::Guaranteed)
    }
}

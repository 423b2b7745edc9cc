//! Conjunctions without negations.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::logic::Assignment;
use crate::kernel::logic::assignment::{check_size, kernel_on_assignments, read_size, subsets};

/// The number of conjunctions of variables that are true in both assignments.
///
/// k(x, z) = 2^⟨x, z⟩: each set of variables that are true in both is one, the empty one included. With at most d variables
/// in a conjunction it is Σ C(⟨x, z⟩, i) for i from 0 to d.
///
/// An item is a row of 0 and 1, or a string of these characters; what it has not is false. O(variables / 64) per pair. Beyond 1023 variables that are true in both, the number of
/// conjunctions without a limit is none that a double holds; Gram matrices say so.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, logic::MonotoneConjunctions};
/// let (x, z) = (Row::Dense64(&[1.0, 1.0, 1.0, 0.0]), Row::Dense64(&[1.0, 1.0, 1.0, 1.0]));
/// assert_eq!(MonotoneConjunctions::new().eval(&x, &z), 8.0);
/// assert_eq!(MonotoneConjunctions::new().eval("1110", "1111"), 8.0);
/// assert_eq!(MonotoneConjunctions::new().up_to(2)?.eval(&x, &z), 1.0 + 3.0 + 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// R. Khardon, D. Roth & R. A. Servedio, *Efficiency versus convergence of Boolean kernels for on-line learning algorithms*,
/// Journal of Artificial Intelligence Research 24, 2005.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MonotoneConjunctions {
    #[serde(deserialize_with = "read_size")]
    size: Option<u32>,
}

impl MonotoneConjunctions {
    /// Conjunctions of any size.
    pub fn new() -> Self {
        Self::default()
    }

    /// Conjunctions of so many variables at most.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) if that is 0.
    pub fn up_to(self, size: u32) -> Result<Self> {
        Ok(MonotoneConjunctions { size: Some(check_size(size)?) })
    }

    /// The largest number of variables, if there is a limit.
    pub fn size(&self) -> Option<u32> {
        self.size
    }
}

impl MonotoneConjunctions {
    fn expected(&self) -> Result<Option<usize>> {
        Ok(None)
    }

    fn over(&self, _: usize) -> Self {
        self.clone()
    }

    fn value(&self, x: &Assignment, z: &Assignment) -> f64 {
        subsets(x.both(z), self.size)
    }
}

kernel_on_assignments!(MonotoneConjunctions);

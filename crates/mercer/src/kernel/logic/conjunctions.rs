//! Conjunctions with negations.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::logic::Assignment;
use crate::kernel::logic::assignment::{check_size, kernel_on_assignments, known, read_size, subsets};

/// The number of conjunctions of variables and negated variables that are true in both assignments.
///
/// k(x, z) = 2^s, where s is the number of variables with the same value in both: each set of them is one conjunction, the
/// empty one included. With at most d literals in a conjunction it is Σ C(s, i) for i from 0 to d.
///
/// An item is a row of 0 and 1, or a string of these characters, of as many variables as the kernel is told; what a sparse row has
/// not is false. O(variables / 64) per pair. Without a limit values are up to 2ⁿ: beyond 1023 variables no double holds them, and Gram matrices say so.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, logic::Conjunctions};
/// let (x, z) = (Row::Dense64(&[1.0, 1.0, 0.0, 0.0]), Row::Dense64(&[1.0, 0.0, 0.0, 0.0]));
/// assert_eq!(Conjunctions::of(4).eval(&x, &z), 8.0);
/// assert_eq!(Conjunctions::of(4).up_to(1)?.eval(&x, &z), 1.0 + 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// R. Khardon, D. Roth & R. A. Servedio, *Efficiency versus convergence of Boolean kernels for on-line learning algorithms*,
/// Journal of Artificial Intelligence Research 24, 2005.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conjunctions {
    variables: Option<usize>,
    #[serde(deserialize_with = "read_size")]
    size: Option<u32>,
}

impl Conjunctions {
    /// Conjunctions of any size over as many variables as the training items have, which [`learn`](crate::kernel::DigestKernel::learn)
    /// finds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Conjunctions of any size over so many variables.
    pub fn of(variables: usize) -> Self {
        Conjunctions { variables: Some(variables), size: None }
    }

    /// Conjunctions of so many literals at most.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) if that is 0.
    pub fn up_to(self, size: u32) -> Result<Self> {
        Ok(Conjunctions { size: Some(check_size(size)?), ..self })
    }

    /// The number of variables, once it is known.
    pub fn variables(&self) -> Option<usize> {
        self.variables
    }

    /// The largest number of literals, if there is a limit.
    pub fn size(&self) -> Option<u32> {
        self.size
    }
}

impl Conjunctions {
    fn expected(&self) -> Result<Option<usize>> {
        known(self.variables)
    }

    fn over(&self, variables: usize) -> Self {
        Conjunctions { variables: Some(self.variables.unwrap_or(variables)), ..self.clone() }
    }

    fn value(&self, x: &Assignment, z: &Assignment) -> f64 {
        let variables = self.variables.unwrap_or(0) as u64;
        subsets(variables.saturating_sub(x.different(z)), self.size)
    }
}

kernel_on_assignments!(Conjunctions);

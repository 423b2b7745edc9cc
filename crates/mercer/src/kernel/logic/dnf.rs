//! Terms of disjunctive normal forms.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::logic::Assignment;
use crate::kernel::logic::assignment::{check_size, kernel_on_assignments, known, read_size, subsets};

/// The number of terms of disjunctive normal forms that are true in both assignments.
///
/// A disjunctive normal form is a disjunction of terms, and a term is a conjunction of one literal at least: the hyperplane
/// with weight 1 for each of its terms and threshold ½ is the formula. k(x, z) = 2^s − 1, where s is the number of variables with
/// the same value in both; of monotone forms, without negations, 2^⟨x, z⟩ − 1. With at most d literals in a term it is
/// Σ C(s, i) for i from 1 to d.
///
/// An item is a row of 0 and 1, or a string of these characters. O(variables / 64) per pair.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, logic::Dnf};
/// let (x, z) = (Row::Dense64(&[1.0, 1.0, 0.0, 0.0]), Row::Dense64(&[1.0, 1.0, 1.0, 0.0]));
/// assert_eq!(Dnf::of(4).eval(&x, &z), 7.0);
/// assert_eq!(Dnf::monotone().eval(&x, &z), 3.0);
/// assert_eq!(Dnf::of(4).up_to(2)?.eval(&x, &z), 3.0 + 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// K. Sadohara, *Learning of Boolean functions using support vector machines*, ALT 2001.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dnf {
    monotone: bool,
    /// Without negations it does not matter.
    variables: Option<usize>,
    #[serde(deserialize_with = "read_size")]
    size: Option<u32>,
}

impl Dnf {
    /// Terms with negations, over as many variables as the training items have, which [`learn`](crate::kernel::DigestKernel::learn)
    /// finds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Terms with negations, over so many variables.
    pub fn of(variables: usize) -> Self {
        Dnf { monotone: false, variables: Some(variables), size: None }
    }

    /// Terms without negations.
    pub fn monotone() -> Self {
        Dnf { monotone: true, variables: None, size: None }
    }

    /// Terms of so many literals at most.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) if that is 0.
    pub fn up_to(self, size: u32) -> Result<Self> {
        Ok(Dnf { size: Some(check_size(size)?), ..self })
    }

    /// Whether there are no negations.
    pub fn is_monotone(&self) -> bool {
        self.monotone
    }

    /// The number of variables, once it is known; `None` if there are no negations.
    pub fn variables(&self) -> Option<usize> {
        self.variables
    }

    /// The largest number of literals, if there is a limit.
    pub fn size(&self) -> Option<u32> {
        self.size
    }
}

impl Dnf {
    fn expected(&self) -> Result<Option<usize>> {
        if self.monotone { Ok(None) } else { known(self.variables) }
    }

    fn over(&self, variables: usize) -> Self {
        let known = if self.monotone { None } else { Some(self.variables.unwrap_or(variables)) };
        Dnf { variables: known, ..self.clone() }
    }

    fn value(&self, x: &Assignment, z: &Assignment) -> f64 {
        let shared = match self.monotone {
            true => x.both(z),
            false => (self.variables.unwrap_or(0) as u64).saturating_sub(x.different(z)),
        };
        subsets(shared, self.size) - 1.0
    }
}

kernel_on_assignments!(Dnf);

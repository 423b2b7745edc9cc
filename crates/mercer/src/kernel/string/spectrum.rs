//! Common substrings of one length.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::string::{Sequence, Substring, whole};
use crate::kernel::{FeatureMap, kernel_by_features};

/// The k-spectrum kernel: how often two strings have the same substrings of k symbols.
///
/// k(x, z) = Σ_u c_u(x) c_u(z) over all strings u of k symbols, c_u(x) the number of places where u stands in x.
/// A string of fewer than k symbols has none. O(k n log n) to list the features of a string of n symbols, O(n) per pair.
///
/// ```
/// use mercer::kernel::{Kernel, string::Spectrum};
/// let kernel = Spectrum::new(2)?;
/// // "an" twice and twice, "na" twice and twice.
/// assert_eq!(kernel.eval("banana", "ananas"), 8.0);
/// assert_eq!(kernel.eval("b", "banana"), 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Leslie, Eskin, Noble: The spectrum kernel: a string kernel for SVM protein classification, 2002.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spectrum {
    #[serde(deserialize_with = "crate::kernel::string::at_least_1")]
    length: usize,
}

impl Spectrum {
    /// Substrings of so many symbols.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for a length of 0.
    pub fn new(length: usize) -> Result<Self> {
        Ok(Spectrum { length: whole("length", length)? })
    }

    /// k, the length of the substrings.
    pub fn length(&self) -> usize {
        self.length
    }
}

impl<S: Sequence + ?Sized> FeatureMap<S> for Spectrum {
    type Feature = Substring;

    fn features(&self, item: &S) -> Result<Vec<(Substring, f64)>> {
        let symbols = item.symbols();
        Ok(symbols.windows(self.length).map(|window| (Substring::new(window), 1.0)).collect())
    }
}

kernel_by_features!([S: Sequence + ?Sized] Spectrum, S);

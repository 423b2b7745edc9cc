//! Terms that two texts have in common, each as often as both have it.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::set::MultisetIntersection;
use crate::kernel::text::Terms;
use crate::kernel::{FeatureMap, kernel_by_features};

/// The intersection of the multisets of terms of two texts.
///
/// k(x, z) = Σ_t min(c_t(x), c_t(z)), c_t(x) the number of times that term t stands in x: [`MultisetIntersection`] of what [`Terms`]
/// lists. A text that repeats a word counts it no more often than the other one does. O(n log n) to list the terms of a text of n,
/// O(n) per pair.
///
/// ```
/// use mercer::kernel::{Kernel, text::{CommonTerms, Terms}};
/// let kernel = CommonTerms::new(Terms::words(1, 1)?);
/// assert_eq!(kernel.eval("milk bread milk", "milk milk milk salt"), 2.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommonTerms {
    terms: Terms,
}

impl CommonTerms {
    /// Of these terms.
    pub fn new(terms: Terms) -> Self {
        CommonTerms { terms }
    }

    /// What is counted.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }
}

impl FeatureMap<str> for CommonTerms {
    /// A term, and which of its copies.
    type Feature = (String, usize);

    fn features(&self, item: &str) -> Result<Vec<(Self::Feature, f64)>> {
        MultisetIntersection.features(&self.terms.list(item)[..])
    }
}

kernel_by_features!(CommonTerms, str);

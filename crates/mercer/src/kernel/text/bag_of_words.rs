//! Common words.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::text::Terms;
use crate::kernel::{FeatureMap, gathered, kernel_by_features};

/// The bag of words: how often two texts have the same terms.
///
/// k(x, z) = Σ_t c_t(x) c_t(z), c_t(x) the number of times that term t stands in x, or whether it does
/// ([`presence`](BagOfWords::presence)). [`Terms`] says what a term is. O(n log n) to list the terms of a text of n, O(n) per
/// pair.
///
/// ```
/// use mercer::kernel::{Kernel, text::{BagOfWords, Terms}};
/// let kernel = BagOfWords::new(Terms::words(1, 1)?);
/// assert_eq!(kernel.eval("The kernel of the matter", "The kernel trick"), 2.0 + 1.0);
/// assert_eq!(kernel.presence().eval("The kernel of the matter", "The kernel trick"), 1.0 + 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Joachims: Text categorization with support vector machines, 1998.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BagOfWords {
    terms: Terms,
    presence: bool,
}

impl BagOfWords {
    /// Counts of these terms.
    pub fn new(terms: Terms) -> Self {
        BagOfWords { terms, presence: false }
    }

    /// The same terms, each of which counts once in a text.
    #[must_use]
    pub fn presence(self) -> Self {
        BagOfWords { presence: true, ..self }
    }

    /// What is counted.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Whether a term counts once in a text.
    pub fn is_presence(&self) -> bool {
        self.presence
    }
}

impl FeatureMap<str> for BagOfWords {
    type Feature = String;

    fn features(&self, item: &str) -> Result<Vec<(String, f64)>> {
        let mut counts = gathered(self.terms.list(item).into_iter().map(|term| (term, 1.0)).collect());
        if self.presence {
            counts.iter_mut().for_each(|(_, count)| *count = 1.0);
        }
        Ok(counts)
    }
}

kernel_by_features!(BagOfWords, str);

//! Common words, rare ones with more weight.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::kernel::text::Terms;
use crate::kernel::{FeatureMap, gathered, kernel_by_features};

/// Term frequency times inverse document frequency: the bag of words with weights that are learned.
///
/// k(x, z) = Σ_t (tf_t(x) idf_t) (tf_t(z) idf_t). tf_t(x) is the number c of times that term t stands in x, or 1 + ln c
/// ([`sublinear`](TfIdf::sublinear)). With n texts to learn from, of which d have the term,
///
/// * idf_t = ln((1 + n)/(1 + d)) + 1, or
/// * idf_t = ln(n/d) + 1 with [`unsmoothed`](TfIdf::unsmoothed).
///
/// A text of weight w counts as w texts. Terms that stand in no text that was learned from have no weight and count
/// nothing, in the length of a text neither: at unit length ([`Normalised`](crate::kernel::Normalised)) values are those of
/// scikit-learn's `TfidfVectorizer`. Before it has learned, it is defined on no text.
///
/// ```
/// use mercer::kernel::{FeatureMap, Kernel, text::{Terms, TfIdf}};
/// let kernel = TfIdf::new(Terms::words(1, 1)?).learn(&["the kernel", "the margin", "the slack"], None)?;
/// assert_eq!(kernel.inverse_document_frequency("the"), Some(1.0));
/// assert_eq!(kernel.inverse_document_frequency("slack"), Some(2.0f64.ln() + 1.0));
/// assert_eq!(kernel.eval("the slack", "the new margin"), 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Spärck Jones: A statistical interpretation of term specificity and its application in retrieval, 1972; Salton,
/// Buckley: Term-weighting approaches in automatic text retrieval, 1988.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TfIdf {
    terms: Terms,
    sublinear: bool,
    smooth: bool,
    weights: Option<BTreeMap<String, f64>>,
}

impl TfIdf {
    /// Weights of these terms, to be learned.
    pub fn new(terms: Terms) -> Self {
        TfIdf { terms, sublinear: false, smooth: true, weights: None }
    }

    /// A term that stands c times in a text counts 1 + ln c.
    #[must_use]
    pub fn sublinear(self) -> Self {
        TfIdf { sublinear: true, ..self }
    }

    /// Without the text that has every term, which is otherwise added to those that are learned from. What was learned
    /// is forgotten.
    #[must_use]
    pub fn unsmoothed(self) -> Self {
        TfIdf { smooth: false, weights: None, ..self }
    }

    /// What is counted.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Whether a term that stands c times counts 1 + ln c.
    pub fn is_sublinear(&self) -> bool {
        self.sublinear
    }

    /// Whether a text that has every term is added to those that are learned from.
    pub fn is_smooth(&self) -> bool {
        self.smooth
    }

    /// idf of all terms that were learned, by name.
    pub fn weights(&self) -> Option<&BTreeMap<String, f64>> {
        self.weights.as_ref()
    }

    /// idf of a term that was learned.
    pub fn inverse_document_frequency(&self, term: &str) -> Option<f64> {
        self.weights.as_ref()?.get(term).copied()
    }
}

impl FeatureMap<str> for TfIdf {
    type Feature = String;

    fn features(&self, item: &str) -> Result<Vec<(String, f64)>> {
        let Some(weights) = &self.weights else {
            let what = "tf-idf has no weights of terms yet: learn them from texts".to_string();
            return Err(Error::Unsupported { what });
        };
        let counts = gathered(self.terms.list(item).into_iter().map(|term| (term, 1.0)).collect());
        let weighted = |(term, count): (String, f64)| {
            let weight = weights.get(&term)?;
            let frequency = if self.sublinear { 1.0 + count.ln() } else { count };
            Some((term, frequency * weight))
        };
        Ok(counts.into_iter().filter_map(weighted).collect())
    }

    fn learn(&self, items: &[&str], weights: Option<&[f64]>) -> Result<Self> {
        if self.weights.is_some() {
            return Ok(self.clone());
        }
        if let Some(found) = weights.map(<[f64]>::len).filter(|&found| found != items.len()) {
            return Err(Error::Shape { what: "weights (one per text)", expected: items.len(), found });
        }
        let mut having: BTreeMap<String, f64> = BTreeMap::new();
        let mut texts = 0.0;
        for (i, item) in items.iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[i]);
            texts += weight;
            let mut terms = self.terms.list(item);
            terms.sort_unstable();
            terms.dedup();
            if weight > 0.0 {
                terms.into_iter().for_each(|term| *having.entry(term).or_default() += weight);
            }
        }
        let added = if self.smooth { 1.0 } else { 0.0 };
        having.values_mut().for_each(|count| *count = ((texts + added) / (*count + added)).ln() + 1.0);
        Ok(TfIdf { weights: Some(having), ..self.clone() })
    }
}

kernel_by_features!(TfIdf, str);

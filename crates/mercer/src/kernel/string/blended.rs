//! Common substrings of several lengths.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::error::Result;
use crate::kernel::string::{Sequence, Substring, check_weights, whole};
use crate::kernel::{FeatureMap, check, kernel_by_features};

/// The blended spectrum kernel: common substrings of 1 to k symbols, each length with a weight.
///
/// k(x, z) = Σ_{d=1}^k w_d Σ_{|u|=d} c_u(x) c_u(z), c_u(x) the number of places where u stands in x. O(k n) features of a
/// string of n symbols, and O(k n) per pair.
///
/// ```
/// use mercer::kernel::{Kernel, string::Blended};
/// let kernel = Blended::new(2)?;
/// // "a" three times, "n" twice, and "an" and "na" as often as in the spectrum of 2.
/// assert_eq!(kernel.eval("banana", "ananas"), 9.0 + 4.0 + 8.0);
/// assert_eq!(Blended::with_weights(vec![0.0, 0.25])?.eval("banana", "ananas"), 2.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Shawe-Taylor, Cristianini: Kernel Methods for Pattern Analysis, 2004, chapter 11.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blended {
    #[serde(deserialize_with = "read_weights")]
    weights: Vec<f64>,
}

fn read_weights<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
    Blended::with_weights(Vec::deserialize(from)?).map(|kernel| kernel.weights).map_err(D::Error::custom)
}

impl Blended {
    /// Substrings of 1 to `longest` symbols, all of weight 1.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for a length of 0.
    pub fn new(longest: usize) -> Result<Self> {
        Ok(Blended { weights: vec![1.0; whole("longest", longest)?] })
    }

    /// Substrings of d symbols count λ²ᵈ: the kernel of Shawe-Taylor and Cristianini with decay λ.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for a length of 0, or a decay that is not above 0.
    pub fn decaying(longest: usize, decay: f64) -> Result<Self> {
        let decay = check::positive("decay", decay)?;
        let weights = (1..=whole("longest", longest)?).map(|d| decay.powf(2.0 * d as f64));
        Blended::with_weights(weights.collect())
    }

    /// Substrings of d symbols have the d-th weight.
    ///
    /// # Errors
    /// [`Error::Empty`](crate::Error::Empty) without weights, [`Error::Entry`](crate::Error::Entry) for one that is negative or not finite.
    pub fn with_weights(weights: Vec<f64>) -> Result<Self> {
        Ok(Blended { weights: check_weights(weights)? })
    }

    /// k, the longest length.
    pub fn longest(&self) -> usize {
        self.weights.len()
    }

    /// w, one number for each length from 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

impl<S: Sequence + ?Sized> FeatureMap<S> for Blended {
    type Feature = Substring;

    fn features(&self, item: &S) -> Result<Vec<(Substring, f64)>> {
        let symbols = item.symbols();
        let mut features = Vec::new();
        for (before, &weight) in self.weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let value = weight.sqrt();
            features.extend(symbols.windows(before + 1).map(|window| (Substring::new(window), value)));
        }
        Ok(features)
    }
}

kernel_by_features!([S: Sequence + ?Sized] Blended, S);

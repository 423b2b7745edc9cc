//! Common subsequences with gaps within a window: the fast form for long strings.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::kernel::string::{Sequence, Substring, whole};
use crate::kernel::{FeatureMap, check, kernel_by_features};

/// The gappy kernel: common subsequences of k symbols that take up no more room than g, each weighted by that room.
///
/// k(x, z) = Σ_u φ_u(x) φ_u(z) over all strings u of k symbols, φ_u(x) = Σ λ^span over the places i₁ < … < i_k where the
/// symbols of u stand in x and span = i_k − i₁ + 1 ≤ g. It is [`Subsequences`](crate::kernel::string::Subsequences)
/// without those that are spread farther than g, exactly (a kernel of its own, not an estimate): what is left out of
/// φ_u has weights of λ^(g+1) and less. With λ = 1 it is the (g, k)-gappy kernel that counts each place once.
///
/// At most n · C(g − 1, k − 1) features of a string of n symbols, and as many steps per string; O(features) per pair,
/// where the dynamic programme takes O(k n²).
///
/// ```
/// use mercer::kernel::{Kernel, string::{Gappy, Subsequences}};
/// let (gappy, all) = (Gappy::new(2, 3, 0.5)?, Subsequences::new(2, 0.5)?);
/// assert_eq!(gappy.eval("cat", "cat"), all.eval("cat", "cat"));
/// // "ct" lies too far apart.
/// assert_eq!(Gappy::new(2, 2, 0.5)?.eval("cat", "cat"), 2.0 * 0.5f64.powi(4));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Leslie, Kuang: Fast string kernels using inexact matching for protein sequences, 2004.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Gappy {
    length: usize,
    span: usize,
    decay: f64,
}

#[derive(Deserialize)]
struct Raw {
    length: usize,
    span: usize,
    decay: f64,
}

impl TryFrom<Raw> for Gappy {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        Gappy::new(raw.length, raw.span, raw.decay)
    }
}

/// Subsequences that may begin at one place.
const MOST_AT_A_PLACE: f64 = 1e6;

impl Gappy {
    /// Subsequences of `length` symbols within `span` symbols, with this decay λ (usually from 0 to 1).
    ///
    /// # Errors
    /// [`Error::Parameter`] for a length of 0, a span below it or so large that more than a million subsequences begin at
    /// a place, or a decay that is not above 0.
    pub fn new(length: usize, span: usize, decay: f64) -> Result<Self> {
        whole("length", length)?;
        let ways = (1..length).fold(1.0, |ways, i| ways * (span.saturating_sub(i)) as f64 / i as f64);
        if span < length || ways > MOST_AT_A_PLACE {
            let expected = "at least the length, and at most a million subsequences from a place";
            return Err(Error::Parameter { name: "span", value: span as f64, expected });
        }
        Ok(Gappy { length, span, decay: check::positive("decay", decay)? })
    }

    /// k, the length of the subsequences.
    pub fn length(&self) -> usize {
        self.length
    }

    /// g, the room they may take.
    pub fn span(&self) -> usize {
        self.span
    }

    /// λ
    pub fn decay(&self) -> f64 {
        self.decay
    }

    /// Calls `visit` with all ways to go on from the symbols in `word`, and the room that each takes.
    fn extend(&self, window: &[u32], at: usize, word: &mut Vec<u32>, visit: &mut impl FnMut(&[u32], usize)) {
        if word.len() == self.length {
            return visit(word, at);
        }
        for next in at..window.len() {
            word.push(window[next]);
            self.extend(window, next + 1, word, visit);
            word.pop();
        }
    }
}

impl<S: Sequence + ?Sized> FeatureMap<S> for Gappy {
    type Feature = Substring;

    fn features(&self, item: &S) -> Result<Vec<(Substring, f64)>> {
        let symbols = item.symbols();
        let powers: Vec<f64> = (0..=self.span).map(|span| self.decay.powf(span as f64)).collect();
        let (mut features, mut word) = (Vec::new(), Vec::with_capacity(self.length));
        for start in 0..symbols.len() {
            let window = &symbols[start..symbols.len().min(start + self.span)];
            word.push(window[0]);
            self.extend(window, 1, &mut word, &mut |word, span| {
                features.push((Substring::new(word), powers[span]));
            });
            word.pop();
        }
        Ok(features)
    }
}

kernel_by_features!([S: Sequence + ?Sized] Gappy, S);

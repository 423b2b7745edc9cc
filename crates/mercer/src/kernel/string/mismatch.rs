//! Common substrings of one length, up to a few wrong symbols.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::kernel::string::{Sequence, Substring, whole};
use crate::kernel::{FeatureMap, gathered, kernel_by_features};

/// The (k, m)-mismatch kernel: common substrings of k symbols, where up to m symbols of each may be wrong.
///
/// k(x, z) = Σ_u φ_u(x) φ_u(z) over all strings u of k symbols of an alphabet, φ_u(x) the number of places in x where a
/// substring differs from u in m symbols at most. With m = 0 it is [`Spectrum`](crate::kernel::string::Spectrum) on the
/// alphabet. A symbol that is not in the alphabet is wrong wherever it stands.
///
/// The alphabet is named ([`with_alphabet`](Mismatch::with_alphabet)) or learned: the symbols of the training strings. A
/// string of n symbols has up to n · Σ_{i≤m} C(k, i) (a − 1)ⁱ features for an alphabet of a symbols; O(that) per string
/// and pair.
///
/// ```
/// use mercer::kernel::{Kernel, string::Mismatch};
/// let kernel = Mismatch::new(2, 1)?.with_alphabet("ab")?;
/// // "aa" is near aa, ab, ba; "bb" near bb, ab, ba: two in common.
/// assert_eq!(kernel.eval("aa", "bb"), 2.0);
/// assert_eq!(kernel.eval("aa", "aa"), 3.0);
/// // "ax" is near aa and ab.
/// assert_eq!(kernel.eval("ax", "aa"), 2.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Leslie, Eskin, Cohen, Weston, Noble: Mismatch string kernels for discriminative protein classification, 2004.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Mismatch {
    length: usize,
    mismatches: usize,
    alphabet: Option<Vec<u32>>,
}

#[derive(Deserialize)]
struct Raw {
    length: usize,
    mismatches: usize,
    alphabet: Option<Vec<u32>>,
}

impl TryFrom<Raw> for Mismatch {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        let kernel = Mismatch::new(raw.length, raw.mismatches)?;
        match raw.alphabet {
            Some(alphabet) => kernel.with_alphabet(&alphabet[..]),
            None => Ok(kernel),
        }
    }
}

/// Strings that one substring may be near to.
const MOST_NEIGHBOURS: f64 = 1e6;

impl Mismatch {
    /// Substrings of `length` symbols of which up to `mismatches` may be wrong, fewer than all.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn new(length: usize, mismatches: usize) -> Result<Self> {
        if mismatches >= whole("length", length)? {
            let expected = "fewer than the symbols of a substring";
            return Err(Error::Parameter { name: "mismatches", value: mismatches as f64, expected });
        }
        Ok(Mismatch { length, mismatches, alphabet: None })
    }

    /// The same kernel on the alphabet of these symbols.
    ///
    /// # Errors
    /// [`Error::Empty`] without symbols, [`Error::Unsupported`] if a substring is near more than a million others.
    pub fn with_alphabet<S: Sequence + ?Sized>(self, symbols: &S) -> Result<Self> {
        let mut alphabet = symbols.symbols();
        alphabet.sort_unstable();
        alphabet.dedup();
        if alphabet.is_empty() {
            return Err(Error::Empty { what: "symbols in the alphabet" });
        }
        let (mut neighbours, mut term) = (1.0, 1.0);
        for i in 0..self.mismatches {
            term *= (self.length - i) as f64 / (i + 1) as f64 * (alphabet.len() - 1) as f64;
            neighbours += term;
        }
        if neighbours > MOST_NEIGHBOURS {
            let (k, m, a) = (self.length, self.mismatches, alphabet.len());
            let what = format!(
                "{m} wrong symbols of {k} from an alphabet of {a} make {neighbours:.0} strings: at most a million can be listed"
            );
            return Err(Error::Unsupported { what });
        }
        Ok(Mismatch { alphabet: Some(alphabet), ..self })
    }

    /// k, the length of the substrings.
    pub fn length(&self) -> usize {
        self.length
    }

    /// m, how many symbols may be wrong.
    pub fn mismatches(&self) -> usize {
        self.mismatches
    }

    /// The symbols in ascending order, once they are known.
    pub fn alphabet(&self) -> Option<&[u32]> {
        self.alphabet.as_deref()
    }

    /// Calls `visit` with all strings that agree with `word` but for `left` symbols at most, from position `at` on.
    fn neighbours(
        alphabet: &[u32],
        word: &mut [u32],
        at: usize,
        left: usize,
        visit: &mut impl FnMut(&[u32]),
    ) {
        let Some(&symbol) = word.get(at) else { return visit(word) };
        let known = alphabet.binary_search(&symbol).is_ok();
        if known {
            Self::neighbours(alphabet, word, at + 1, left, visit);
        }
        if left > 0 {
            for &other in alphabet.iter().filter(|other| **other != symbol) {
                word[at] = other;
                Self::neighbours(alphabet, word, at + 1, left - 1, visit);
            }
            word[at] = symbol;
        }
    }
}

impl<S: Sequence + ?Sized> FeatureMap<S> for Mismatch {
    type Feature = Substring;

    fn features(&self, item: &S) -> Result<Vec<(Substring, f64)>> {
        let Some(alphabet) = &self.alphabet else {
            let what =
                "the mismatch kernel has no alphabet yet: name it, or learn it from strings".to_string();
            return Err(Error::Unsupported { what });
        };
        let symbols = item.symbols();
        let places = symbols.windows(self.length).map(|window| (window, 1.0)).collect();
        let mut features = Vec::new();
        let mut word = vec![0; self.length];
        for (substring, count) in gathered(places) {
            word.copy_from_slice(substring);
            Self::neighbours(alphabet, &mut word, 0, self.mismatches, &mut |near| {
                features.push((Substring::new(near), count));
            });
        }
        Ok(features)
    }

    fn learn(&self, items: &[&S], _: Option<&[f64]>) -> Result<Self> {
        if self.alphabet.is_some() {
            return Ok(self.clone());
        }
        let mut symbols: Vec<u32> = Vec::new();
        for item in items {
            symbols.extend(item.symbols());
            symbols.sort_unstable();
            symbols.dedup();
        }
        self.clone().with_alphabet(&symbols[..])
    }
}

kernel_by_features!([S: Sequence + ?Sized] Mismatch, S);

//! Kernels on strings: sequences of characters, bytes or tokens, compared by the parts they share.
//!
//! | kernel | compares by | with gaps | per pair |
//! |---|---|---|---|
//! | [`Spectrum`] | substrings of k symbols | no | O(n) |
//! | [`Blended`] | substrings of 1 to k symbols, weighted | no | O(k n) |
//! | [`Mismatch`] | substrings of k symbols, up to m of them wrong | no | O(features) |
//! | [`Subsequences`] | subsequences of k symbols, fewer the more they are spread | yes | O(k n²) |
//! | [`Gappy`] | the same within a window: for long strings | yes | O(features) |
//! | [`FixedSubsequences`] | subsequences of k symbols | free | O(k n²) |
//! | [`AllSubsequences`] | subsequences of all lengths | free | O(n²) |
//! | [`WeightedDegree`] | substrings of 1 to D symbols at the same places, or nearly | no | O(n) |
//! | [`LocalityImproved`] | agreement of neighbouring places | no | O(n) |
//! | [`LocalAlignment`] | all alignments, with scores of symbols and gaps | yes | O(n²) |
//!
//! All of them take `str` (a symbol is a character), `[u8]` (a byte) and `[u32]` (a token), see [`Sequence`]; at unit
//! length by [`Normalised`](crate::kernel::Normalised). A string that is too short to have any part that is counted has
//! the value 0 with every string.

mod all_subsequences;
mod blended;
mod fixed_subsequences;
mod gappy;
mod local_alignment;
mod locality_improved;
mod mismatch;
mod sequence;
mod spectrum;
mod subsequences;
mod substitution;
mod substring;
mod tokens;
mod weighted_degree;
mod wide;

use serde::{Deserialize, Deserializer, de::Error as _};

use crate::error::{Error, Result};

pub use all_subsequences::AllSubsequences;
pub use blended::Blended;
pub use fixed_subsequences::FixedSubsequences;
pub use gappy::Gappy;
pub use local_alignment::{Aligned, LocalAlignment};
pub use locality_improved::LocalityImproved;
pub use mismatch::Mismatch;
pub use sequence::Sequence;
pub use spectrum::Spectrum;
pub use subsequences::Subsequences;
pub use substitution::Substitution;
pub use substring::Substring;
pub(crate) use tokens::{Numbering, in_order};
pub use weighted_degree::WeightedDegree;

/// Weights of lengths from 1: at least one, none of them negative.
fn check_weights(weights: Vec<f64>) -> Result<Vec<f64>> {
    if weights.is_empty() {
        return Err(Error::Empty { what: "weights of lengths" });
    }
    for (index, &value) in weights.iter().enumerate() {
        if !(value.is_finite() && value >= 0.0) {
            let expected = "a finite number of at least 0";
            return Err(Error::Entry { what: "weight of length", index: index + 1, value, expected });
        }
    }
    Ok(weights)
}

/// Two strings in an order that does not depend on which is first, the longer one first: k(x, z) is then k(z, x) to the
/// bit.
fn ordered<'a>(x: &'a [u32], z: &'a [u32]) -> (&'a [u32], &'a [u32]) {
    if (x.len(), x) >= (z.len(), z) { (x, z) } else { (z, x) }
}

/// A length of at least 1.
fn whole(name: &'static str, value: usize) -> Result<usize> {
    if value == 0 {
        return Err(Error::Parameter { name, value: 0.0, expected: "a whole number of at least 1" });
    }
    Ok(value)
}

/// The same when it is read from a file.
fn at_least_1<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    whole("length", usize::deserialize(from)?).map_err(D::Error::custom)
}

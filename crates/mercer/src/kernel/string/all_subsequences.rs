//! Common subsequences of any length.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::string::wide::{Amount, Wide};
use crate::kernel::string::{Sequence, ordered};
use crate::kernel::{DigestKernel, check, kernel_by_digests};

/// The all-subsequences kernel: common subsequences of every length, the empty one included.
///
/// k(x, z) = Σ_u λ^(2|u|) c_u(x) c_u(z) over all strings u, c_u(x) the number of ways to choose symbols of x, in their order,
/// that spell u; λ is 1 unless [`decaying`](AllSubsequences::decaying) says otherwise. O(|x| |z|) per pair.
///
/// Values grow exponentially with the lengths: those of strings of many hundred symbols, most of them equal, are beyond
/// what a number can hold, which Gram matrices report as an error. At unit length ([`Normalised`](crate::kernel::Normalised)) they are
/// computed all the same; a decay below 1 keeps them small.
///
/// ```
/// use mercer::kernel::{Kernel, string::AllSubsequences};
/// // The empty one, "g" and "a" twice ("ga", "gat" and "at" stand in only one of them).
/// let kernel = AllSubsequences::new();
/// assert_eq!(kernel.eval("gat", "ag"), 1.0 + 2.0);
/// assert_eq!(kernel.eval("", "cat"), 1.0);
/// assert_eq!(AllSubsequences::decaying(0.5)?.eval("gat", "ag"), 1.0 + 2.0 * 0.25);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Shawe-Taylor, Cristianini: Kernel Methods for Pattern Analysis, 2004, chapter 11.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AllSubsequences {
    #[serde(deserialize_with = "check::serde_with::positive")]
    decay: f64,
}

impl AllSubsequences {
    /// Subsequences of all lengths alike.
    pub fn new() -> Self {
        AllSubsequences { decay: 1.0 }
    }

    /// A subsequence of d symbols counts λᵈ in either string.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for a decay that is not above 0.
    pub fn decaying(decay: f64) -> Result<Self> {
        Ok(AllSubsequences { decay: check::positive("decay", decay)? })
    }

    /// λ
    pub fn decay(&self) -> f64 {
        self.decay
    }
}

impl Default for AllSubsequences {
    fn default() -> Self {
        AllSubsequences::new()
    }
}

impl<S: Sequence + ?Sized> DigestKernel<S> for AllSubsequences {
    type Digest = Vec<u32>;

    fn digest(&self, item: &S) -> Result<Vec<u32>> {
        Ok(item.symbols())
    }

    fn compare(&self, x: &Vec<u32>, z: &Vec<u32>) -> f64 {
        self.sum::<f64>(x, z)
    }

    fn log_compare(&self, x: &Vec<u32>, z: &Vec<u32>) -> f64 {
        self.sum::<Wide>(x, z).ln()
    }

    fn beyond(&self) -> Option<&'static str> {
        Some("bring it to unit length, normalised(k), or let subsequences decay")
    }
}

impl AllSubsequences {
    fn sum<N: Amount>(&self, x: &[u32], z: &[u32]) -> N {
        let (x, z) = ordered(x, z);
        let weight = self.decay * self.decay;
        // The values of a prefix of x with all prefixes of z. One more symbol of x adds the subsequences that end in it:
        // those before it with each prefix of z that ends before the same symbol.
        let mut values = vec![N::ONE; z.len() + 1];
        for &symbol in x {
            let (mut ending, mut before) = (N::ZERO, values[0]);
            for (value, &other) in values[1..].iter_mut().zip(z) {
                if other == symbol {
                    ending = ending.plus(before.times(weight));
                }
                before = *value;
                *value = value.plus(ending);
            }
        }
        values[z.len()]
    }
}

kernel_by_digests!([S: Sequence + ?Sized] AllSubsequences, S);

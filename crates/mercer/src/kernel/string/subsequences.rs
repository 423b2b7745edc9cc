//! Common subsequences with gaps, by the dynamic programme of Lodhi et al.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::string::{Sequence, ordered, whole};
use crate::kernel::{DigestKernel, check, kernel_by_digests};

/// The gap-weighted subsequence kernel: common subsequences of k symbols, each weighted by the room it takes.
///
/// k(x, z) = Σ_u φ_u(x) φ_u(z) over all strings u of k symbols, φ_u(x) = Σ λ^span over all places i₁ < … < i_k where the
/// symbols of u stand in x, span = i_k − i₁ + 1. The smaller the decay λ, the less gaps are forgiven. O(k |x| |z|) per
/// pair; for long strings [`Gappy`](crate::kernel::string::Gappy) bounds the span and is linear.
///
/// Values shrink like λ²ᵏ: use it at unit length, [`Normalised`](crate::kernel::Normalised).
///
/// ```
/// use mercer::kernel::{Kernel, string::Subsequences};
/// let kernel = Subsequences::new(2, 0.5)?;
/// // "ca" alone is in both, without a gap: λ² λ².
/// assert_eq!(kernel.eval("cat", "car"), 0.5f64.powi(4));
/// // And "at" as close, and "ct" with a gap.
/// assert_eq!(kernel.eval("cat", "cat"), 2.0 * 0.5f64.powi(4) + 0.5f64.powi(6));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins: Text classification using string kernels, 2002.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subsequences {
    #[serde(deserialize_with = "crate::kernel::string::at_least_1")]
    length: usize,
    #[serde(deserialize_with = "check::serde_with::positive")]
    decay: f64,
}

impl Subsequences {
    /// Subsequences of so many symbols, with this decay λ (usually from 0 to 1).
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for a length of 0, or a decay that is not above 0.
    pub fn new(length: usize, decay: f64) -> Result<Self> {
        Ok(Subsequences { length: whole("length", length)?, decay: check::positive("decay", decay)? })
    }

    /// k, the length of the subsequences.
    pub fn length(&self) -> usize {
        self.length
    }

    /// λ
    pub fn decay(&self) -> f64 {
        self.decay
    }
}

impl<S: Sequence + ?Sized> DigestKernel<S> for Subsequences {
    type Digest = Vec<u32>;

    fn digest(&self, item: &S) -> Result<Vec<u32>> {
        Ok(item.symbols())
    }

    fn compare(&self, x: &Vec<u32>, z: &Vec<u32>) -> f64 {
        let (x, z) = ordered(x, z);
        if z.len() < self.length {
            return 0.0;
        }
        let decay = self.decay;
        // K'_i of the paper for all prefixes of z (rows are prefixes of x): pairs of subsequences of i symbols, weighted
        // from their first symbol to the end of the prefixes. K'_0 = 1. One row of it is kept for every i; the row of
        // K''_i, which is K'_i with the last symbol of the prefix of x in use, lives within the loop.
        let width = z.len() + 1;
        let mut prefix = vec![0.0; self.length * width];
        prefix[..width].fill(1.0);
        let mut previous = vec![0.0; width];
        let mut sum = 0.0;
        for &symbol in x {
            // K'_{i−1} of the prefix of x without this symbol.
            previous.copy_from_slice(&prefix[..width]);
            for i in 1..self.length {
                let row = &mut prefix[i * width..(i + 1) * width];
                let mut using = 0.0;
                let mut carried = previous[0];
                previous[0] = row[0];
                for (j, &other) in z.iter().enumerate() {
                    using *= decay;
                    if other == symbol {
                        using += decay * decay * carried;
                    }
                    carried = previous[j + 1];
                    previous[j + 1] = row[j + 1];
                    row[j + 1] = decay * row[j + 1] + using;
                }
            }
            let last = z.iter().zip(&previous).filter(|(other, _)| **other == symbol);
            sum += decay * decay * last.map(|(_, value)| value).sum::<f64>();
        }
        sum
    }
}

kernel_by_digests!([S: Sequence + ?Sized] Subsequences, S);

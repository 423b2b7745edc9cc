//! Common subsequences of one length, however far they are spread.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::kernel::string::{Sequence, ordered, whole};
use crate::kernel::{DigestKernel, kernel_by_digests};

/// The fixed-length subsequences kernel: common subsequences of k symbols, gaps free of charge.
///
/// k(x, z) = Σ_u c_u(x) c_u(z) over all strings u of k symbols, c_u(x) the number of ways to choose k symbols of x, in their
/// order, that spell u. O(k |x| |z|) per pair. [`Subsequences`](crate::kernel::string::Subsequences) with decay 1.
///
/// ```
/// use mercer::kernel::{Kernel, string::FixedSubsequences};
/// // "at" once in each; "aa" and "ta" in the first alone.
/// assert_eq!(FixedSubsequences::new(2)?.eval("ata", "at"), 1.0);
/// assert_eq!(FixedSubsequences::new(1)?.eval("ata", "at"), 2.0 + 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Shawe-Taylor, Cristianini: Kernel Methods for Pattern Analysis, 2004, chapter 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedSubsequences {
    #[serde(deserialize_with = "crate::kernel::string::at_least_1")]
    length: usize,
}

impl FixedSubsequences {
    /// Subsequences of so many symbols.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for a length of 0.
    pub fn new(length: usize) -> Result<Self> {
        Ok(FixedSubsequences { length: whole("length", length)? })
    }

    /// k, the length of the subsequences.
    pub fn length(&self) -> usize {
        self.length
    }
}

impl<S: Sequence + ?Sized> DigestKernel<S> for FixedSubsequences {
    type Digest = Vec<u32>;

    fn digest(&self, item: &S) -> Result<Vec<u32>> {
        Ok(item.symbols())
    }

    fn compare(&self, x: &Vec<u32>, z: &Vec<u32>) -> f64 {
        let (x, z) = ordered(x, z);
        if z.len() < self.length {
            return 0.0;
        }
        let width = z.len() + 1;
        // Row i: pairs of subsequences of i symbols in the prefix of x and each prefix of z.
        let mut pairs = vec![0.0; (self.length + 1) * width];
        pairs[..width].fill(1.0);
        for &symbol in x {
            // From long to short, so that row i − 1 is still that of the prefix of x without this symbol.
            for i in (1..=self.length).rev() {
                let (shorter, row) = pairs[(i - 1) * width..(i + 1) * width].split_at_mut(width);
                let mut ending = 0.0;
                for (j, &other) in z.iter().enumerate() {
                    if other == symbol {
                        ending += shorter[j];
                    }
                    row[j + 1] += ending;
                }
            }
        }
        pairs[self.length * width + z.len()]
    }
}

kernel_by_digests!([S: Sequence + ?Sized] FixedSubsequences, S);

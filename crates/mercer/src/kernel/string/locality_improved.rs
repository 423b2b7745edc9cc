//! Agreement of neighbouring places.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::kernel::string::{Sequence, whole};
use crate::kernel::vector::power;
use crate::kernel::{DigestKernel, kernel_by_digests};

/// The locality-improved kernel: places where two strings agree, and combinations of such places that lie close together.
///
/// k(x, z) = (Σ_p (Σ_{j=−l}^{l} v_j 1[x_{p+j} = z_{p+j}])^{d₁})^{d₂}
///
/// over all places p whose window of l symbols to either side lies within both strings. The weights fall linearly from
/// the middle of the window, v_j = (l + 1 − |j|)/(l + 1)², and sum to 1, so that a window that agrees as a whole has the
/// value 1. d₁ is the largest number of places within a window whose agreement counts together, d₂ the same for
/// windows anywhere. O(n l) per pair of strings of n symbols.
///
/// ```
/// use mercer::kernel::{Kernel, string::LocalityImproved};
/// let kernel = LocalityImproved::new(1, 2, 1)?;
/// // Two windows, "gat" and "ata", that agree but for the first place, and as a whole.
/// assert_eq!(kernel.eval("gata", "cata"), 0.75f64.powi(2) + 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Zien, Rätsch, Mika, Schölkopf, Lengauer, Müller: Engineering support vector machine kernels that recognize translation
/// initiation sites, 2000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct LocalityImproved {
    reach: usize,
    local_degree: u32,
    degree: u32,
}

#[derive(Deserialize)]
struct Raw {
    reach: usize,
    local_degree: u32,
    degree: u32,
}

impl TryFrom<Raw> for LocalityImproved {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        LocalityImproved::new(raw.reach, raw.local_degree, raw.degree)
    }
}

impl LocalityImproved {
    /// Windows that reach l symbols to either side, with degrees d₁ within and d₂ across windows.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a degree of 0.
    pub fn new(reach: usize, local_degree: u32, degree: u32) -> Result<Self> {
        whole("local_degree", local_degree as usize)?;
        whole("degree", degree as usize)?;
        Ok(LocalityImproved { reach, local_degree, degree })
    }

    /// l
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// d₁
    pub fn local_degree(&self) -> u32 {
        self.local_degree
    }

    /// d₂
    pub fn degree(&self) -> u32 {
        self.degree
    }
}

impl<S: Sequence + ?Sized> DigestKernel<S> for LocalityImproved {
    type Digest = Vec<u32>;

    fn digest(&self, item: &S) -> Result<Vec<u32>> {
        Ok(item.symbols())
    }

    fn compare(&self, x: &Vec<u32>, z: &Vec<u32>) -> f64 {
        let agrees: Vec<bool> = x.iter().zip(z).map(|(a, b)| a == b).collect();
        let middle = self.reach + 1;
        let all = (middle * middle) as f64;
        let mut sum = 0.0;
        for window in agrees.windows(2 * self.reach + 1) {
            // Whole numbers, so that a window that agrees has the value 1 to the bit.
            let weights = (1..=middle).chain((1..middle).rev());
            let score: usize =
                window.iter().zip(weights).filter(|(agrees, _)| **agrees).map(|(_, w)| w).sum();
            sum += power(score as f64 / all, self.local_degree);
        }
        power(sum, self.degree)
    }
}

kernel_by_digests!([S: Sequence + ?Sized] LocalityImproved, S);

//! Common substrings at the same places.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::kernel::string::{Sequence, check_weights, whole};
use crate::kernel::{DigestKernel, kernel_by_digests};

/// The weighted degree kernel: substrings of 1 to D symbols that two strings have at the same place, or nearly.
///
/// k(x, z) = Σ_{d=1}^D β_d Σ_{i,j} A_ij 1[x and z have the same d symbols from i and from j on]
///
/// with A_ii = 1, and A_ij = 0 elsewhere unless shifts are allowed: up to S places, A_ij = 1/(2(|i − j| + 1)). The weights are
/// β_d = 2(D − d + 1)/(D(D + 1)) unless others are given. Strings are usually of one length; of a longer one the places
/// beyond the other's end match nothing. O(n) per pair of strings of n symbols, O(n S) with shifts.
///
/// It is positive semi-definite since A is: 1 + Σ_{s=1}^S cos(sθ)/(s + 1), whose coefficients A has, is above 0 for all θ and S
/// (Rogosinski, Szegő 1928).
///
/// ```
/// use mercer::kernel::{Kernel, string::WeightedDegree};
/// let kernel = WeightedDegree::new(2)?;
/// // Three single symbols of weight 2/3, one pair of weight 1/3.
/// assert!((kernel.eval("gata", "gaca") - (3.0 * (2.0 / 3.0) + 1.0 / 3.0)).abs() < 1e-15);
/// // One place to the side, "gat" matches as a whole: a quarter each.
/// let shifted = WeightedDegree::new(1)?.with_shift(1);
/// assert_eq!(shifted.eval("gat", "ggat"), 1.0 + 0.25 * 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Rätsch, Sonnenburg: Accurate splice site detection for *Caenorhabditis elegans*, 2004; with shifts: Rätsch, Sonnenburg,
/// Schölkopf: RASE, recognition of alternatively spliced exons, 2005.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct WeightedDegree {
    weights: Vec<f64>,
    shift: usize,
}

#[derive(Deserialize)]
struct Raw {
    weights: Vec<f64>,
    shift: usize,
}

impl TryFrom<Raw> for WeightedDegree {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        Ok(WeightedDegree::with_weights(raw.weights)?.with_shift(raw.shift))
    }
}

impl WeightedDegree {
    /// Substrings of up to `degree` symbols, with the usual weights and without shifts.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a degree of 0.
    pub fn new(degree: usize) -> Result<Self> {
        let all = whole("degree", degree)? as f64;
        let weights = (1..=degree).map(|d| 2.0 * (degree - d + 1) as f64 / (all * (all + 1.0))).collect();
        Ok(WeightedDegree { weights, shift: 0 })
    }

    /// Substrings of d symbols have the d-th weight.
    ///
    /// # Errors
    /// [`Error::Empty`] without weights, [`Error::Entry`] for one that is negative or not finite.
    pub fn with_weights(weights: Vec<f64>) -> Result<Self> {
        let weights = check_weights(weights)?;
        Ok(WeightedDegree { weights, shift: 0 })
    }

    /// The same kernel with shifts of up to so many places.
    #[must_use]
    pub fn with_shift(self, shift: usize) -> Self {
        WeightedDegree { shift, ..self }
    }

    /// D, the most symbols of a substring.
    pub fn degree(&self) -> usize {
        self.weights.len()
    }

    /// β, one number for each length from 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// S, the largest shift.
    pub fn shift(&self) -> usize {
        self.shift
    }

    /// The sum over substrings at the same places.
    fn aligned(&self, x: &[u32], z: &[u32]) -> f64 {
        // Among the substrings that end at a place, those match that are no longer than the run of equal symbols there.
        let (mut run, mut of_run, mut sum) = (0, 0.0, 0.0);
        for (a, b) in x.iter().zip(z) {
            if a != b {
                (run, of_run) = (0, 0.0);
                continue;
            }
            if let Some(weight) = self.weights.get(run) {
                of_run += weight;
                run += 1;
            }
            sum += of_run;
        }
        sum
    }
}

impl<S: Sequence + ?Sized> DigestKernel<S> for WeightedDegree {
    type Digest = Vec<u32>;

    fn digest(&self, item: &S) -> Result<Vec<u32>> {
        Ok(item.symbols())
    }

    fn compare(&self, x: &Vec<u32>, z: &Vec<u32>) -> f64 {
        let farthest = self.shift.min(x.len().max(z.len()));
        let shifted = (1..=farthest).map(|s| {
            let sum = |a: &[u32], b: &[u32]| a.get(s..).map_or(0.0, |a| self.aligned(a, b));
            (sum(x, z) + sum(z, x)) / (2.0 * (s + 1) as f64)
        });
        self.aligned(x, z) + shifted.sum::<f64>()
    }
}

kernel_by_digests!([S: Sequence + ?Sized] WeightedDegree, S);

//! Dynamic time warping: the best alignment of two series, and the Gaussian of its cost.

use serde::{Deserialize, Serialize};

use crate::data::{Series, check_weights};
use crate::error::Result;
use crate::kernel::median::{median_of_pairs, sample};
use crate::kernel::series::{Width, series_kernel};
use crate::kernel::{Definiteness, DigestKernel};

/// Series that the median distance looks at, at most.
const MEDIAN_SERIES: usize = 32;

/// The Gaussian of the dynamic time warping distance: k(x, z) = exp(−γ DTW(x, z)²).
///
/// DTW(x, z)² = min_π Σ_{(i, j) ∈ π} |xᵢ − zⱼ|² over all alignments π, paths from (1, 1) to (T, T') in steps (1, 0), (0, 1) and (1, 1).
/// With a band of radius r (Sakoe and Chiba) and T ≤ T', only −r ≤ j − i ≤ T' − T + r is allowed; that always leaves a path.
///
/// DTW is no metric and k is **not positive semi-definite** in general ([`Definiteness::NotGuaranteed`]). A Gram matrix can be mended by
/// [`Mended`](crate::linalg::Mended), which adds to the diagonal or clips the eigenvalues, and says what it did. The global alignment
/// kernel is the positive definite relative.
///
/// γ is a number, or 1 / (2 (c·m)²) with c a multiple and m the median of DTW above 0 between 32 evenly spread training series
/// at most (1 if they are all alike). O(T T' d) per pair, of d channels; O(T' r d) with a band.
///
/// ```
/// use mercer::data::Series;
/// use mercer::kernel::{Kernel, series::DynamicTimeWarping};
/// let (x, z) = (Series::univariate(vec![0.0, 1.0])?, Series::univariate(vec![0.0, 0.0, 3.0])?);
/// let kernel = DynamicTimeWarping::gamma(0.5)?;
/// // 0 with 0, 0 with 0, 1 with 3
/// assert_eq!(kernel.distance(&x, &z)?, 2.0);
/// assert_eq!(kernel.eval(&x, &z), (-2.0f64).exp());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// H. Sakoe, S. Chiba: Dynamic programming algorithm optimization for spoken word recognition, IEEE Transactions on Acoustics, Speech
/// and Signal Processing 26 (1978).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DynamicTimeWarping {
    rate: Width,
    #[serde(default)]
    radius: Option<usize>,
    /// Those of the training series.
    #[serde(default)]
    channels: Option<usize>,
}

/// What [`DynamicTimeWarping`] keeps of a series.
#[derive(Clone, Debug)]
pub struct DtwDigest {
    /// Channel after channel.
    points: Vec<f64>,
    channels: usize,
    length: usize,
    gamma: f64,
}

impl DynamicTimeWarping {
    /// With a factor γ above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn gamma(gamma: f64) -> Result<Self> {
        let rate = Width::Value(gamma).checked("gamma")?;
        Ok(DynamicTimeWarping { rate, radius: None, channels: None })
    }

    /// With γ = 1 / (2 (c·m)²), m the median distance, once it has learned.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn median(multiple: f64) -> Result<Self> {
        Ok(DynamicTimeWarping {
            rate: Width::Median(multiple).checked("gamma")?,
            radius: None,
            channels: None,
        })
    }

    /// The same kernel with a band of radius r: 0 allows the diagonal of two series of equal length only.
    pub fn radius(mut self, radius: usize) -> Self {
        self.radius = Some(radius);
        self
    }

    /// γ, or the rule for it.
    pub fn rate(&self) -> Width {
        self.rate
    }

    /// The radius of the band, if there is one.
    pub fn band_radius(&self) -> Option<usize> {
        self.radius
    }

    /// DTW(x, z)
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) for different numbers of channels.
    pub fn distance(&self, x: &Series, z: &Series) -> Result<f64> {
        z.check_channels(x.channels())?;
        Ok(self.cost(&digest(x, 0.0), &digest(z, 0.0)).sqrt())
    }

    /// DTW(x, z)²
    fn cost(&self, x: &DtwDigest, z: &DtwDigest) -> f64 {
        if x.channels != z.channels {
            return f64::NAN;
        }
        let (x, z) = if x.length <= z.length { (x, z) } else { (z, x) };
        let columns = z.length;
        let radius = self.radius.unwrap_or(columns);
        let width = radius.saturating_add(columns - x.length);
        let mut memory = vec![f64::INFINITY; 2 * columns + 1];
        let (distance, row) = memory.split_at_mut(columns);
        // row[j + 1] is the entry of column j; before the first row and column stands the only 0.
        row[0] = 0.0;
        for i in 0..x.length {
            let low = i.saturating_sub(radius);
            let high = columns.min(i.saturating_add(width).saturating_add(1));
            squared_distances(x, i, z, low..high, &mut distance[low..high]);
            let (mut above_left, mut left) = (row[low], f64::INFINITY);
            for j in low..high {
                let above = row[j + 1];
                left = distance[j] + above.min(above_left).min(left);
                above_left = above;
                row[j + 1] = left;
            }
            row[low] = f64::INFINITY;
        }
        row[columns]
    }
}

impl DigestKernel<Series> for DynamicTimeWarping {
    type Digest = DtwDigest;

    fn digest(&self, item: &Series) -> Result<DtwDigest> {
        if let Some(channels) = self.channels {
            item.check_channels(channels)?;
        }
        Ok(digest(item, self.rate.number("the dynamic time warping kernel")?))
    }

    fn compare(&self, x: &DtwDigest, z: &DtwDigest) -> f64 {
        (-x.gamma * self.cost(x, z)).exp()
    }

    fn compare_self(&self, _: &DtwDigest) -> f64 {
        1.0
    }

    fn learn(&self, items: &[&Series], weights: Option<&[f64]>) -> Result<Self> {
        let channels = Series::common_channels(items.iter().copied())?;
        weights.map_or(Ok(()), |weights| check_weights(weights, items.len()))?;
        let rate = match self.rate {
            Width::Median(multiple) => {
                let chosen = sample(items.len(), weights, MEDIAN_SERIES);
                let digests: Vec<DtwDigest> = items.iter().map(|item| digest(item, 0.0)).collect();
                let median = median_of_pairs(&chosen, |i, j| self.cost(&digests[i], &digests[j]).sqrt());
                let width = multiple * median.unwrap_or(1.0);
                Width::Value(0.5 / (width * width)).checked("gamma")?
            }
            rate => rate,
        };
        Ok(DynamicTimeWarping { rate, channels: Some(channels), ..self.clone() })
    }

    fn definiteness(&self) -> Definiteness {
        Definiteness::NotGuaranteed
    }
}

series_kernel!(DynamicTimeWarping);

fn digest(item: &Series, gamma: f64) -> DtwDigest {
    let channels = item.channels();
    let points = (0..channels).flat_map(|c| item.channel(c)).collect();
    DtwDigest { points, channels, length: item.len(), gamma }
}

/// |xᵢ − zⱼ|² for the columns of a range.
fn squared_distances(
    x: &DtwDigest,
    i: usize,
    z: &DtwDigest,
    columns: std::ops::Range<usize>,
    out: &mut [f64],
) {
    out.fill(0.0);
    for c in 0..x.channels {
        let value = x.points[c * x.length + i];
        for (sum, other) in out.iter_mut().zip(&z.points[c * z.length..][columns.clone()]) {
            let difference = value - other;
            *sum += difference * difference;
        }
    }
}

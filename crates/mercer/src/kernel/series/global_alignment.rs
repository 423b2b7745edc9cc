//! The global alignment kernel: all alignments of two series, summed.
//!
//! The sum M(i, j) over alignments of prefixes grows like 5.8ⁱ for similar series and falls as fast for others, and neither a scale
//! per row nor one per diagonal holds a whole table in the range of f64. But M is itself a kernel on prefixes: by the inequality
//! of Cauchy and Schwarz M(i, j) ≤ √(Mₓₓ(i, i) M_zz(j, j)). So the table is kept divided by that bound. Each entry is then the normalised kernel of
//! two prefixes and lies in [0, 1], and what underflows could not have added 1e-300 to the result. The bounds belong to one series
//! each and are found once, in its digest. No logarithm is taken per entry.

use serde::{Deserialize, Serialize};

use crate::data::{Series, check_weights};
use crate::error::Result;
use crate::kernel::DigestKernel;
use crate::kernel::check;
use crate::kernel::median::{median_of_pairs, sample, weighted_median};
use crate::kernel::series::{Width, series_kernel};

/// Times that the median distance looks at, at most.
const MEDIAN_TIMES: usize = 1000;

/// The global alignment kernel of two time series.
///
/// k(x, z) = Σ_π Π_{(i, j) ∈ π} κ(i, j) over all alignments π, paths from (1, 1) to (T, T') in steps (1, 0), (0, 1) and (1, 1), with the
/// local kernel κ(i, j) = g / (2 − g), g = ω(i, j) exp(−|xᵢ − zⱼ|² / (2σ²)). The band of width B is ω(i, j) = max(0, 1 − |i − j| / B), without
/// one ω = 1; two series whose lengths differ by B or more then have k = 0. κ is such that the kernel is positive definite.
///
/// Normalised (the default), k(x, z) / √(k(x, x) k(z, z)), it is finite for any length. Else it overflows where some 400 times
/// are alike; [`GlobalAlignment::log`] does not.
///
/// σ is a number, or a multiple of the median of |xₛ − z_t| above 0, times the square root of the median length, over the
/// training series (1000 evenly spread times at most; 1 in place of a median where all values are the same). tslearn takes the
/// longest length in place of the median.
///
/// O(T T' d) per pair, of d channels; O((T + T') B d) with a band.
///
/// ```
/// use mercer::data::Series;
/// use mercer::kernel::{Kernel, series::GlobalAlignment};
/// let series = |values: &[f64]| Series::univariate(values.to_vec());
/// let (x, z) = (series(&[0.0])?, series(&[0.0, 1.0])?);
/// // One alignment: κ(0) κ(1), κ(0) = 1.
/// let g = (-0.5f64).exp();
/// let kernel = GlobalAlignment::sigma(1.0)?.normalised(false);
/// assert!((kernel.eval(&x, &z) - g / (2.0 - g)).abs() < 1e-15);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// M. Cuturi: Fast global alignment kernels, ICML 2011.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlobalAlignment {
    width: Width,
    #[serde(default, deserialize_with = "check::serde_with::optional_positive")]
    band: Option<f64>,
    normalised: bool,
    /// Those of the training series.
    #[serde(default)]
    channels: Option<usize>,
}

/// What [`GlobalAlignment`] keeps of a series.
#[derive(Clone, Debug)]
pub struct AlignmentDigest {
    /// Values divided by σ√2, channel after channel.
    points: Vec<f64>,
    channels: usize,
    length: usize,
    /// √(M(i−1, i−1) / M(i, i)) of the series with itself.
    ratios: Vec<f64>,
    /// ln M(T, T)
    log_norm: f64,
}

impl GlobalAlignment {
    /// With a width σ above 0.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn sigma(sigma: f64) -> Result<Self> {
        GlobalAlignment::new(Width::Value(sigma))
    }

    /// With σ a multiple of the median distance times the square root of the median length, once it has learned.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn median(multiple: f64) -> Result<Self> {
        GlobalAlignment::new(Width::Median(multiple))
    }

    fn new(width: Width) -> Result<Self> {
        Ok(GlobalAlignment { width: width.checked("sigma")?, band: None, normalised: true, channels: None })
    }

    /// The same kernel with a triangular band: times that are B or further apart are not aligned.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) if B is not a finite number above 0.
    pub fn band(mut self, band: f64) -> Result<Self> {
        self.band = Some(check::positive("band", band)?);
        Ok(self)
    }

    /// The same kernel, normalised or not.
    pub fn normalised(mut self, normalised: bool) -> Self {
        self.normalised = normalised;
        self
    }

    /// σ, or the rule for it.
    pub fn width(&self) -> Width {
        self.width
    }

    /// The width of the band, if there is one.
    pub fn band_width(&self) -> Option<f64> {
        self.band
    }

    /// Whether it is normalised.
    pub fn is_normalised(&self) -> bool {
        self.normalised
    }

    /// ln k(x, z) of the kernel that is not normalised; −∞ where the normalised one is 0 in f64.
    ///
    /// ```
    /// use mercer::data::Series;
    /// use mercer::kernel::series::GlobalAlignment;
    /// let long = Series::univariate(vec![0.0; 2000])?;
    /// // About 5.8²⁰⁰⁰ alignments, each counting 1.
    /// let log = GlobalAlignment::sigma(1.0)?.log(&long, &long)?;
    /// assert!(log > 3500.0 && log < 3530.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) for different numbers of channels, [`Error::Undefined`](crate::Error::Undefined) before σ is known.
    pub fn log(&self, x: &Series, z: &Series) -> Result<f64> {
        z.check_channels(x.channels())?;
        let (x, z) = (self.digest(x)?, self.digest(z)?);
        Ok(self.normalised_value(&x, &z).ln() + 0.5 * (x.log_norm + z.log_norm))
    }

    /// k(x, z) / √(k(x, x) k(z, z))
    fn normalised_value(&self, x: &AlignmentDigest, z: &AlignmentDigest) -> f64 {
        if x.channels != z.channels {
            return f64::NAN;
        }
        // In one order, so that k(x, z) and k(z, x) have the same bits; the rows of the table are the shorter series.
        let (x, z) = if before(x, z) { (x, z) } else { (z, x) };
        let columns = z.length;
        let band = Band::new(self.band);
        let mut memory = vec![0.0; 2 * columns + 1];
        let (kappa, row) = memory.split_at_mut(columns);
        // row[j + 1] is the entry of column j; row[0] stands before the first column, where only the empty prefix is not 0.
        row[0] = 1.0;
        for i in 0..x.length {
            let (low, high) = band.columns(i, columns);
            local_kernels(x, i, z, low..high, &band, &mut kappa[low..high]);
            let ratio = x.ratios[i];
            // Before the first column of the row stands 0.
            let (mut above_left, mut left) = (row[low], 0.0);
            for j in low..high {
                let above = row[j + 1];
                let step = z.ratios[j];
                left = kappa[j] * (ratio * (above + step * above_left) + step * left);
                above_left = above;
                row[j + 1] = left;
            }
            row[low] = 0.0;
        }
        // A row that ends before the last column has not written it.
        if band.columns(x.length - 1, columns).1 < columns { 0.0 } else { row[columns] }
    }
}

impl DigestKernel<Series> for GlobalAlignment {
    type Digest = AlignmentDigest;

    fn digest(&self, item: &Series) -> Result<AlignmentDigest> {
        if let Some(channels) = self.channels {
            item.check_channels(channels)?;
        }
        let scale = 1.0 / (self.width.number("the global alignment kernel")? * std::f64::consts::SQRT_2);
        let channels = item.channels();
        let points = (0..channels).flat_map(|c| item.channel(c).map(move |value| value * scale)).collect();
        let length = item.len();
        let digest = AlignmentDigest { points, channels, length, ratios: vec![1.0; length], log_norm: 0.0 };
        Ok(with_norms(digest, &Band::new(self.band)))
    }

    fn compare(&self, x: &AlignmentDigest, z: &AlignmentDigest) -> f64 {
        let value = self.normalised_value(x, z);
        if self.normalised || value == 0.0 { value } else { value * (0.5 * (x.log_norm + z.log_norm)).exp() }
    }

    fn log_compare(&self, x: &AlignmentDigest, z: &AlignmentDigest) -> f64 {
        let log = self.normalised_value(x, z).ln();
        if self.normalised { log } else { log + 0.5 * (x.log_norm + z.log_norm) }
    }

    fn beyond(&self) -> Option<&'static str> {
        (!self.normalised).then_some("leave it at unit length (unit=true)")
    }

    fn compare_self(&self, x: &AlignmentDigest) -> f64 {
        if self.normalised { 1.0 } else { x.log_norm.exp() }
    }

    fn learn(&self, items: &[&Series], weights: Option<&[f64]>) -> Result<Self> {
        let channels = Series::common_channels(items.iter().copied())?;
        weights.map_or(Ok(()), |weights| check_weights(weights, items.len()))?;
        let width = match self.width {
            Width::Median(multiple) => {
                Width::Value(multiple * median_width(items, weights)).checked("sigma")?
            }
            width => width,
        };
        Ok(GlobalAlignment { width, channels: Some(channels), ..self.clone() })
    }
}

series_kernel!(GlobalAlignment);

/// Finds the norms of all prefixes, which the digest has not yet.
///
/// Row i of the table of a series with itself, still divided by the bound of row i − 1, ends in m = M(i, i−1) / M(i−1, i−1); then
/// M(i, i) = 2 M(i, i−1) + M(i−1, i−1), since κ(i, i) = 1, gives the bound of row i.
fn with_norms(mut digest: AlignmentDigest, band: &Band) -> AlignmentDigest {
    let length = digest.length;
    let mut memory = vec![0.0; 2 * length + 1];
    let (kappa, row) = memory.split_at_mut(length);
    row[1] = 1.0;
    for i in 1..length {
        let low = band.columns(i, length).0;
        local_kernels(&digest, i, &digest, low..i, band, &mut kappa[low..i]);
        let (mut above_left, mut left) = (row[low], 0.0);
        for j in low..i {
            let above = row[j + 1];
            let step = digest.ratios[j];
            left = kappa[j] * (above + step * (above_left + left));
            above_left = above;
            row[j + 1] = left;
        }
        row[low] = 0.0;
        let growth = 1.0 + 2.0 * left;
        let ratio = 1.0 / growth.sqrt();
        row[low + 1..=i].iter_mut().for_each(|value| *value *= ratio);
        row[i + 1] = 1.0;
        digest.ratios[i] = ratio;
        digest.log_norm += growth.ln();
    }
    digest
}

/// κ(i, j) for the columns of a range.
#[inline]
fn local_kernels(
    x: &AlignmentDigest,
    i: usize,
    z: &AlignmentDigest,
    columns: std::ops::Range<usize>,
    band: &Band,
    out: &mut [f64],
) {
    out.fill(0.0);
    for c in 0..x.channels {
        let value = x.points[c * x.length + i];
        let others = &z.points[c * z.length..][columns.clone()];
        for (sum, other) in out.iter_mut().zip(others) {
            let difference = value - other;
            *sum += difference * difference;
        }
    }
    if let Some(inverse) = band.inverse {
        for (j, sum) in columns.zip(out.iter_mut()) {
            let g = (1.0 - i.abs_diff(j) as f64 * inverse) * (-*sum).exp();
            *sum = g / (2.0 - g);
        }
    } else {
        for sum in out.iter_mut() {
            let g = (-*sum).exp();
            *sum = g / (2.0 - g);
        }
    }
}

/// The triangular band.
struct Band {
    /// 1/B
    inverse: Option<f64>,
    /// The largest |i − j| below B.
    reach: usize,
}

impl Band {
    fn new(width: Option<f64>) -> Self {
        // `as` saturates: a band wider than any series has no end.
        let reach = width.map_or(usize::MAX, |width| (width.ceil() as usize).saturating_sub(1));
        Band { inverse: width.map(|width| 1.0 / width), reach }
    }

    /// The columns of row i that are in the band.
    fn columns(&self, i: usize, columns: usize) -> (usize, usize) {
        (i.saturating_sub(self.reach), columns.min(i.saturating_add(self.reach).saturating_add(1)))
    }
}

/// Whether x is to be the rows of the table: the shorter one, or the one with the first smaller value.
fn before(x: &AlignmentDigest, z: &AlignmentDigest) -> bool {
    if x.length != z.length {
        return x.length < z.length;
    }
    let differ = x.points.iter().zip(&z.points).find(|(a, b)| a != b);
    differ.is_none_or(|(a, b)| a < b)
}

/// The median distance between times, times the square root of the median length.
fn median_width(items: &[&Series], weights: Option<&[f64]>) -> f64 {
    let places: Vec<(usize, usize)> =
        items.iter().enumerate().flat_map(|(i, series)| (0..series.len()).map(move |t| (i, t))).collect();
    let of_times: Option<Vec<f64>> = weights.map(|weights| places.iter().map(|&(i, _)| weights[i]).collect());
    let chosen = sample(places.len(), of_times.as_deref(), MEDIAN_TIMES);
    let at = |place: usize| items[places[place].0].at(places[place].1);
    let distance = median_of_pairs(&chosen, |a, b| {
        at(a).iter().zip(at(b)).map(|(x, z)| (x - z) * (x - z)).sum::<f64>().sqrt()
    });
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let lengths = items.iter().enumerate().map(|(i, series)| (series.len() as f64, weight(i)));
    let length = weighted_median(lengths.filter(|(_, weight)| *weight > 0.0).collect());
    distance.unwrap_or(1.0) * length.unwrap_or(1.0).sqrt()
}

//! The autocorrelation kernel: how channels depend on themselves and on each other some steps later.

use serde::{Deserialize, Serialize};

use crate::data::{Series, check_weights};
use crate::error::{Error, Result};
use crate::kernel::DigestKernel;
use crate::kernel::median::{median_of_pairs, sample};
use crate::kernel::series::{Width, series_kernel};

/// Series that the median distance looks at, at most.
const MEDIAN_SERIES: usize = 1000;

/// The autocorrelation kernel: compares the correlations between channels at lags 0 … L.
///
/// ρ_ℓ(a, b) = Σ_t (x_a(t) − μ_a)(x_b(t + ℓ) − μ_b) / (T s_a s_b), with means μ and standard deviations s of the whole series; 0
/// where a channel is constant or the series has no two times ℓ apart. The features of a series are all ρ_ℓ(a, b): (L + 1) d² numbers in
/// [−1, 1], whatever its length, that do not change with the offset and the scale of a channel. The kernel is their inner product
/// ([`Comparison::Product`]) or exp(−|ρ(x) − ρ(z)|² / (2σ²)) ([`Comparison::Gaussian`]; σ may be a multiple of the median distance above 0
/// between 1000 training series at most).
///
/// O(T L d²) per series, O(L d²) per pair.
///
/// ```
/// use mercer::data::Series;
/// use mercer::kernel::{Kernel, series::Autocorrelation};
/// let series = |values: &[f64]| Series::univariate(values.to_vec());
/// let kernel = Autocorrelation::new(1)?;
/// // ρ₀ = 1, ρ₁ = −3/4
/// assert_eq!(kernel.features(&series(&[1.0, -1.0, 1.0, -1.0])?), [1.0, -0.75]);
/// assert_eq!(kernel.eval(&series(&[1.0, -1.0, 1.0, -1.0])?, &series(&[5.0, 2.0])?), 1.0 + 0.375);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// A. Gaidon, Z. Harchaoui, C. Schmid: A time series kernel for action recognition, BMVC 2011.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Autocorrelation {
    lags: usize,
    comparison: Comparison,
    /// Those of the training series.
    #[serde(default)]
    channels: Option<usize>,
}

/// How [`Autocorrelation`] compares features.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// ⟨ρ(x), ρ(z)⟩
    Product,
    /// exp(−|ρ(x) − ρ(z)|² / (2σ²))
    Gaussian(Width),
}

/// What [`Autocorrelation`] keeps of a series: its features.
#[derive(Clone, Debug)]
pub struct AutocorrelationDigest {
    features: Vec<f64>,
    /// 1/(2σ²)
    rate: f64,
}

impl Autocorrelation {
    /// Lags that may be asked for, at most.
    pub const MOST_LAGS: usize = 1 << 20;

    /// The inner product of the correlations at lags 0 … `lags`.
    ///
    /// # Errors
    /// [`Error::Parameter`] for more than [`Autocorrelation::MOST_LAGS`].
    pub fn new(lags: usize) -> Result<Self> {
        if lags > Self::MOST_LAGS {
            let expected = "a whole number of at most 1048576";
            return Err(Error::Parameter { name: "lags", value: lags as f64, expected });
        }
        Ok(Autocorrelation { lags, comparison: Comparison::Product, channels: None })
    }

    /// The same kernel with another comparison of the features.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a width that is not above 0.
    pub fn comparison(mut self, comparison: Comparison) -> Result<Self> {
        if let Comparison::Gaussian(width) = comparison {
            width.checked("sigma")?;
        }
        self.comparison = comparison;
        Ok(self)
    }

    /// The largest lag.
    pub fn lags(&self) -> usize {
        self.lags
    }

    /// How features are compared.
    pub fn compared_by(&self) -> Comparison {
        self.comparison
    }

    /// ρ_ℓ(a, b), for each lag, for each a, for each b.
    pub fn features(&self, series: &Series) -> Vec<f64> {
        let (channels, length) = (series.channels(), series.len());
        let centred: Vec<Vec<f64>> = (0..channels).map(|c| standardised(series.channel(c))).collect();
        let mut features = Vec::with_capacity((self.lags + 1) * channels * channels);
        for lag in 0..=self.lags {
            for a in &centred {
                for b in &centred {
                    let sum = match b.get(lag..) {
                        Some(later) => a.iter().zip(later).map(|(x, z)| x * z).sum::<f64>(),
                        None => 0.0,
                    };
                    features.push(sum / length as f64);
                }
            }
        }
        features
    }
}

/// (x − μ) / s; zeros where s = 0.
fn standardised(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    let (length, first) = (values.len() as f64, values[0]);
    if values.iter().all(|&v| v == first) {
        values.fill(0.0);
        return values;
    }
    // Divided by the largest first: squares neither overflow nor vanish.
    let largest = values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    values.iter_mut().for_each(|v| *v /= largest);
    let mean = values.iter().sum::<f64>() / length;
    values.iter_mut().for_each(|v| *v -= mean);
    let deviation = (values.iter().map(|v| v * v).sum::<f64>() / length).sqrt();
    if deviation > 0.0 {
        values.iter_mut().for_each(|v| *v /= deviation);
    }
    values
}

impl DigestKernel<Series> for Autocorrelation {
    type Digest = AutocorrelationDigest;

    fn digest(&self, item: &Series) -> Result<AutocorrelationDigest> {
        if let Some(channels) = self.channels {
            item.check_channels(channels)?;
        }
        let rate = match self.comparison {
            Comparison::Product => 0.0,
            Comparison::Gaussian(width) => {
                let sigma = width.number("the autocorrelation kernel")?;
                0.5 / (sigma * sigma)
            }
        };
        Ok(AutocorrelationDigest { features: self.features(item), rate })
    }

    fn compare(&self, x: &AutocorrelationDigest, z: &AutocorrelationDigest) -> f64 {
        if x.features.len() != z.features.len() {
            return f64::NAN;
        }
        let pairs = x.features.iter().zip(&z.features);
        match self.comparison {
            Comparison::Product => pairs.map(|(x, z)| x * z).sum(),
            Comparison::Gaussian(_) => (-x.rate * pairs.map(|(x, z)| (x - z) * (x - z)).sum::<f64>()).exp(),
        }
    }

    fn learn(&self, items: &[&Series], weights: Option<&[f64]>) -> Result<Self> {
        let channels = Series::common_channels(items.iter().copied())?;
        weights.map_or(Ok(()), |weights| check_weights(weights, items.len()))?;
        let comparison = match self.comparison {
            Comparison::Gaussian(Width::Median(multiple)) => {
                let chosen = sample(items.len(), weights, MEDIAN_SERIES);
                let features: Vec<Vec<f64>> = items.iter().map(|item| self.features(item)).collect();
                let median = median_of_pairs(&chosen, |i, j| {
                    let pairs = features[i].iter().zip(&features[j]);
                    pairs.map(|(x, z)| (x - z) * (x - z)).sum::<f64>().sqrt()
                });
                Comparison::Gaussian(Width::Value(multiple * median.unwrap_or(1.0)).checked("sigma")?)
            }
            comparison => comparison,
        };
        Ok(Autocorrelation { comparison, channels: Some(channels), ..self.clone() })
    }
}

series_kernel!(Autocorrelation);

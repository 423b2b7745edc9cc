//! Training mixtures of normal distributions by expectation maximisation.

use serde::{Deserialize, Serialize};

use super::model::{count, weights_of};
use super::points::Points;
use super::{Covariances, GaussianMixture};
use crate::data::Random;
use crate::error::{Error, Result};
use crate::kernel::check;
use crate::linalg::{Matrix, SymmetricEigen};

/// How a [`GaussianMixture`] is trained.
///
/// `restarts` times from other random numbers, of which the best is kept; each time until the log-likelihood grows by less than `tolerance`
/// per point, or for `iterations`. The start: the nearest of K training points far from each other (k-means++) decides to which component
/// a point belongs. No variance (no eigenvalue of a full covariance) is below `variance_floor` (1e-3) times the mean variance of the
/// channels; within that bound every M-step is exact, so that the log-likelihood never falls.
///
/// O(iterations · restarts · n K d) with diagonal covariances; O(n K d²) and K eigenvalue problems per iteration with full ones.
///
/// ```
/// use mercer::kernel::generative::{CovarianceKind, GaussianMixture, Generative, MixtureTraining};
/// let points = [[0.0], [0.2], [5.0], [5.2]];
/// let items: Vec<&[f64]> = points.iter().map(|p| p.as_slice()).collect();
/// let training = MixtureTraining::new(2)?.covariances(CovarianceKind::Full);
/// let mut means = GaussianMixture::train(&training, &items, None)?.means().to_vec();
/// means.sort_by(f64::total_cmp);
/// assert!((means[0] - 0.1).abs() < 1e-6 && (means[1] - 5.1).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MixtureTraining {
    components: usize,
    covariances: CovarianceKind,
    iterations: usize,
    #[serde(deserialize_with = "check::serde_with::non_negative")]
    tolerance: f64,
    seed: u64,
    restarts: usize,
    #[serde(deserialize_with = "check::serde_with::positive")]
    variance_floor: f64,
}

/// Which covariances a mixture is trained with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CovarianceKind {
    /// The channels are independent in each component.
    #[default]
    Diagonal,
    /// Any.
    Full,
}

impl MixtureTraining {
    /// A mixture of so many components with diagonal covariances.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are none, or more than 10000.
    pub fn new(components: usize) -> Result<Self> {
        Ok(MixtureTraining {
            components: count("components", components)?,
            covariances: CovarianceKind::Diagonal,
            iterations: 100,
            tolerance: 1e-5,
            seed: 0,
            restarts: 1,
            variance_floor: 1e-3,
        })
    }

    /// Diagonal (the default) or full covariances.
    pub fn covariances(mut self, kind: CovarianceKind) -> Self {
        self.covariances = kind;
        self
    }

    /// At most so many iterations (100).
    pub fn iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// The growth of the log-likelihood per point at which it ends (1e-5).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn tolerance(mut self, tolerance: f64) -> Result<Self> {
        self.tolerance = check::non_negative("tolerance", tolerance)?;
        Ok(self)
    }

    /// The seed of the random numbers (0).
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// How often it starts anew (1).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn restarts(mut self, restarts: usize) -> Result<Self> {
        self.restarts = count("restarts", restarts)?;
        Ok(self)
    }

    /// The least variance, in mean variances of the channels (1e-3).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn with_variance_floor(mut self, floor: f64) -> Result<Self> {
        self.variance_floor = check::length("variance_floor", floor)?;
        Ok(self)
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Which covariances.
    pub fn covariance_kind(&self) -> CovarianceKind {
        self.covariances
    }

    /// The seed of the random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How often it starts.
    pub fn starts(&self) -> usize {
        self.restarts
    }

    /// The best of all starts.
    pub(super) fn train(&self, points: &Points<'_>) -> Result<GaussianMixture> {
        let components = count("components", self.components)?;
        let mut random = Random::new(self.seed);
        let mut best: Option<(GaussianMixture, f64)> = None;
        let floor = self.variance_floor * points.mean_variance();
        for _ in 0..count("restarts", self.restarts)? {
            let centres = points.spread(components, &mut random);
            let mut shares = vec![0.0; points.rows.len() * components];
            for (row, nearest) in shares.chunks_mut(components).zip(points.nearest(&centres)) {
                row[nearest] = 1.0;
            }
            let variances = points.variances().iter().map(|v| v.max(floor)).collect::<Vec<f64>>();
            let first = GaussianMixture::new(
                vec![1.0 / components as f64; components],
                centres,
                match self.covariances {
                    CovarianceKind::Diagonal => Covariances::Diagonal(variances.repeat(components)),
                    CovarianceKind::Full => Covariances::Full(diagonal(&variances).repeat(components)),
                },
            )?;
            let first = first.maximised(points, &shares, floor)?;
            let (model, objectives) = first.climb(points, self, floor)?;
            let reached = objectives.last().copied().unwrap_or(f64::NEG_INFINITY);
            if best.as_ref().is_none_or(|(_, before)| reached > *before) {
                best = Some((model, reached));
            }
        }
        best.map(|(model, _)| model).ok_or(Error::Empty { what: "restarts" })
    }
}

impl GaussianMixture {
    /// Goes on from this mixture by expectation maximisation: the new mixture, and the log-likelihood before each iteration and at the end.
    ///
    /// ```
    /// use mercer::kernel::generative::{Covariances, GaussianMixture, MixtureTraining};
    /// let first = GaussianMixture::new(vec![0.5; 2], vec![0.0, 1.0], Covariances::Diagonal(vec![1.0; 2]))?;
    /// let points = [[0.0], [0.2], [5.0], [5.2]];
    /// let points: Vec<&[f64]> = points.iter().map(|p| p.as_slice()).collect();
    /// let (_, logs) = first.expectation_maximisation(&points, None, &MixtureTraining::new(2)?)?;
    /// assert!(logs.is_sorted() && logs[logs.len() - 1] > logs[0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for points of another length, [`Error::NonFinite`], and weights that are none.
    pub fn expectation_maximisation(
        &self,
        points: &[&[f64]],
        weights: Option<&[f64]>,
        training: &MixtureTraining,
    ) -> Result<(Self, Vec<f64>)> {
        let weights = weights_of(points.len(), weights)?;
        let points = Points::new(points.iter().copied().zip(weights))?;
        if points.channels != self.channels() {
            let (expected, found) = (self.channels(), points.channels);
            return Err(Error::Shape { what: "values of a point", expected, found });
        }
        self.climb(&points, training, training.variance_floor * points.mean_variance())
    }

    fn climb(&self, points: &Points<'_>, training: &MixtureTraining, floor: f64) -> Result<(Self, Vec<f64>)> {
        let enough = training.tolerance * points.mass();
        let mut model = self.clone();
        let mut objectives: Vec<f64> = Vec::new();
        let mut shares = vec![0.0; points.rows.len() * self.components()];
        loop {
            let rows = points.rows.iter().zip(&points.weights).zip(shares.chunks_mut(self.components()));
            let objective: f64 = rows.map(|((point, w), shares)| w * model.posterior(point, shares)).sum();
            let grown = objectives.last().map(|before| objective - before);
            objectives.push(objective);
            if objectives.len() > training.iterations || grown.is_some_and(|grown| grown < enough) {
                return Ok((model, objectives));
            }
            model = model.maximised(points, &shares, floor)?;
        }
    }

    /// The M-step: weights, means and covariances of the points, shared among the components.
    fn maximised(&self, points: &Points<'_>, shares: &[f64], floor: f64) -> Result<Self> {
        let (components, channels) = (self.components(), points.channels);
        let all = points.mass();
        let mut weights = Vec::with_capacity(components);
        let mut means = Vec::with_capacity(components * channels);
        let mut entries = Vec::new();
        for k in 0..components {
            let counted = || {
                points
                    .rows
                    .iter()
                    .enumerate()
                    .map(|(i, row)| (*row, points.weights[i] * shares[i * components + k]))
            };
            let mass: f64 = counted().map(|(_, weight)| weight).sum();
            weights.push(mass / all);
            let old = |values: &[f64], size: usize| values[k * size..][..size].to_vec();
            // A component that nothing comes from stays where it is.
            if mass <= 0.0 {
                means.extend(old(self.means(), channels));
                entries.extend(match self.covariances() {
                    Covariances::Diagonal(variances) => old(variances, channels),
                    Covariances::Full(matrices) => old(matrices, channels * channels),
                });
                continue;
            }
            let mut mean = vec![0.0; channels];
            for (row, weight) in counted() {
                mean.iter_mut().zip(row).for_each(|(m, x)| *m += weight * x);
            }
            mean.iter_mut().for_each(|m| *m /= mass);
            match self.covariances() {
                Covariances::Diagonal(_) => {
                    let mut variances = vec![0.0; channels];
                    for (row, weight) in counted() {
                        for (v, (x, m)) in variances.iter_mut().zip(row.iter().zip(&mean)) {
                            *v += weight * (x - m) * (x - m);
                        }
                    }
                    entries.extend(variances.iter().map(|v| (v / mass).max(floor)));
                }
                Covariances::Full(_) => {
                    let mut covariance = Matrix::zeros(channels, channels);
                    for (row, weight) in counted() {
                        for a in 0..channels {
                            let scaled = weight * (row[a] - mean[a]) / mass;
                            for b in 0..=a {
                                covariance[(a, b)] += scaled * (row[b] - mean[b]);
                            }
                        }
                    }
                    entries.extend(lifted(&covariance, floor)?);
                }
            }
            means.extend(mean);
        }
        let covariances = match self.covariances() {
            Covariances::Diagonal(_) => Covariances::Diagonal(entries),
            Covariances::Full(_) => Covariances::Full(entries),
        };
        GaussianMixture::new(weights, means, covariances)
    }
}

fn diagonal(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    (0..n * n).map(|at| if at / n == at % n { values[at / n] } else { 0.0 }).collect()
}

/// The matrix with its eigenvalues at least `floor`, of which the lower triangle is read.
fn lifted(matrix: &Matrix, floor: f64) -> Result<Vec<f64>> {
    let n = matrix.rows();
    let eigen = SymmetricEigen::new(matrix)?;
    let mut lifted = Matrix::from_fn(n, n, |a, b| matrix[(a.max(b), a.min(b))]);
    for (k, &value) in eigen.values().iter().enumerate().filter(|(_, value)| **value < floor) {
        let vector = eigen.vector(k);
        for a in 0..n {
            for b in 0..=a {
                lifted[(a, b)] += (floor - value) * vector[a] * vector[b];
                lifted[(b, a)] = lifted[(a, b)];
            }
        }
    }
    Ok(lifted.values().to_vec())
}

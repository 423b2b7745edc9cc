//! Mixtures of normal distributions.

use serde::{Deserialize, Serialize};

use super::model::{log_sum_exp, probabilities};
use super::points::Points;
use super::{Generative, MixtureTraining, Trainable};
use crate::data::Series;
use crate::error::{Error, Result};
use crate::kernel::check;
use crate::linalg::{Cholesky, Matrix};

/// A mixture of K normal distributions: p(x) = Σₖ wₖ N(x; μₖ, Σₖ).
///
/// A point (`[f64]`) is one draw; the times of a [`Series`] are independent draws, so that ln p is their sum. Parameters of the gradient: the logits
/// of the weights, the means, and the variances; with full covariances, in place of the variances the entries on and below the diagonal of each
/// Σₖ, row after row (one off the diagonal stands for its two places).
///
/// O(K d) per point with diagonal covariances, O(K d²) with full ones.
///
/// ```
/// use mercer::kernel::generative::{Covariances, GaussianMixture, Generative};
/// let mixture =
///     GaussianMixture::new(vec![0.5, 0.5], vec![-1.0, 1.0], Covariances::Diagonal(vec![1.0, 1.0]))?;
/// let density = (-0.5f64).exp() / std::f64::consts::TAU.sqrt();
/// assert!((mixture.log_likelihood([0.0].as_slice())?.exp() - density).abs() < 1e-15);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// C. M. Bishop: Pattern Recognition and Machine Learning, Springer 2006, section 9.2; J. Sánchez et al.: Image classification with the
/// Fisher vector, International Journal of Computer Vision 105 (2013).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct GaussianMixture {
    weights: Vec<f64>,
    /// Component after component.
    means: Vec<f64>,
    covariances: Covariances,
    /// Inverse variances, or inverse covariance matrices.
    precisions: Vec<f64>,
    /// ln((2π)^d det Σ) of each component.
    log_volumes: Vec<f64>,
}

/// The covariances of a [`GaussianMixture`], component after component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Covariances {
    /// The variances of d channels each.
    Diagonal(Vec<f64>),
    /// A symmetric d × d matrix each, row after row.
    Full(Vec<f64>),
}

#[derive(Serialize, Deserialize)]
struct Stored {
    weights: Vec<f64>,
    means: Vec<f64>,
    covariances: Covariances,
}

impl GaussianMixture {
    /// Takes the weights of the components, their means (component after component) and their covariances.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Shape`]; [`Error::Entry`] or [`Error::Parameter`] for weights that are no probabilities, means that are
    /// not finite and variances that are not above 0; [`Error::Asymmetric`] or [`Error::Pivot`] for a matrix that is no covariance.
    pub fn new(mut weights: Vec<f64>, means: Vec<f64>, covariances: Covariances) -> Result<Self> {
        let components = weights.len();
        if components == 0 || means.is_empty() {
            return Err(Error::Empty { what: "components" });
        }
        if !means.len().is_multiple_of(components) {
            let expected = means.len().next_multiple_of(components);
            return Err(Error::Shape {
                what: "means (components × channels)", expected, found: means.len()
            });
        }
        probabilities("weight of a component", &mut weights)?;
        means.iter().try_for_each(|&mean| check::finite("mean", mean).map(drop))?;
        let channels = means.len() / components;
        let constant = channels as f64 * std::f64::consts::TAU.ln();
        let (precisions, log_volumes) = match &covariances {
            Covariances::Diagonal(variances) => {
                shape("variances (one per mean)", means.len(), variances.len())?;
                variances.iter().try_for_each(|&v| check::length("variance", v).map(drop))?;
                let volume = |row: &[f64]| constant + row.iter().map(|v| v.ln()).sum::<f64>();
                (
                    variances.iter().map(|v| 1.0 / v).collect(),
                    variances.chunks(channels).map(volume).collect(),
                )
            }
            Covariances::Full(matrices) => {
                shape("entries of the covariances", means.len() * channels, matrices.len())?;
                let (mut precisions, mut volumes) = (Vec::with_capacity(matrices.len()), Vec::new());
                for entries in matrices.chunks(channels * channels) {
                    let matrix = Matrix::new(entries.to_vec(), channels, channels)?;
                    check_symmetric(&matrix)?;
                    let factor = Cholesky::new(&matrix)?;
                    volumes.push(constant + factor.log_determinant());
                    precisions.extend(inverse(&factor, channels)?);
                }
                (precisions, volumes)
            }
        };
        Ok(GaussianMixture { weights, means, covariances, precisions, log_volumes })
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.weights.len()
    }

    /// Number of channels of a point.
    pub fn channels(&self) -> usize {
        self.means.len() / self.weights.len()
    }

    /// The weights of the components.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The means, component after component.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The covariances, component after component.
    pub fn covariances(&self) -> &Covariances {
        &self.covariances
    }

    /// ln p(x), and p(component | x) in `shares`.
    pub(super) fn posterior(&self, point: &[f64], shares: &mut [f64]) -> f64 {
        let channels = self.channels();
        let mut difference = vec![0.0; channels];
        for k in 0..self.components() {
            self.difference(k, point, &mut difference);
            let distance: f64 = match &self.covariances {
                Covariances::Diagonal(_) => {
                    let precisions = &self.precisions[k * channels..][..channels];
                    difference.iter().zip(precisions).map(|(d, p)| d * d * p).sum()
                }
                Covariances::Full(_) => {
                    self.times_precision(k, &difference).zip(&difference).map(|(a, d)| a * d).sum()
                }
            };
            shares[k] = self.weights[k].ln() - 0.5 * (distance + self.log_volumes[k]);
        }
        let log = log_sum_exp(shares);
        shares.iter_mut().for_each(|share| *share = (*share - log).exp());
        log
    }

    fn difference(&self, k: usize, point: &[f64], out: &mut [f64]) {
        let means = &self.means[k * point.len()..][..point.len()];
        for (value, (x, m)) in out.iter_mut().zip(point.iter().zip(means)) {
            *value = x - m;
        }
    }

    /// Σₖ⁻¹ d
    fn times_precision<'a>(&'a self, k: usize, d: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let rows = self.precisions[k * d.len() * d.len()..].chunks(d.len()).take(d.len());
        rows.map(move |row| row.iter().zip(d).map(|(p, d)| p * d).sum())
    }

    fn check_point(&self, point: &[f64]) -> Result<()> {
        shape("values of a point", self.channels(), point.len())
    }

    fn log_density(&self, points: &[&[f64]]) -> Result<f64> {
        let mut shares = vec![0.0; self.components()];
        let mut sum = 0.0;
        for point in points {
            self.check_point(point)?;
            sum += self.posterior(point, &mut shares);
        }
        Ok(sum)
    }

    fn gradient(&self, points: &[&[f64]]) -> Result<Vec<f64>> {
        let (components, channels) = (self.components(), self.channels());
        let per_component = match &self.covariances {
            Covariances::Diagonal(_) => channels,
            Covariances::Full(_) => channels * (channels + 1) / 2,
        };
        let mut score = vec![0.0; components + self.means.len() + components * per_component];
        let (of_weights, rest) = score.split_at_mut(components);
        let (of_means, of_covariances) = rest.split_at_mut(self.means.len());
        let mut shares = vec![0.0; components];
        let (mut difference, mut pulled) = (vec![0.0; channels], vec![0.0; channels]);
        for point in points {
            self.check_point(point)?;
            self.posterior(point, &mut shares);
            for k in 0..components {
                of_weights[k] += shares[k] - self.weights[k];
                self.difference(k, point, &mut difference);
                let out = &mut of_covariances[k * per_component..][..per_component];
                match &self.covariances {
                    Covariances::Diagonal(_) => {
                        let precisions = &self.precisions[k * channels..][..channels];
                        for c in 0..channels {
                            pulled[c] = difference[c] * precisions[c];
                            out[c] += shares[k] * 0.5 * (pulled[c] * pulled[c] - precisions[c]);
                        }
                    }
                    Covariances::Full(_) => {
                        pulled.iter_mut().zip(self.times_precision(k, &difference)).for_each(|(p, v)| *p = v);
                        let precision = &self.precisions[k * channels * channels..];
                        let mut out = out.iter_mut();
                        for a in 0..channels {
                            for (b, value) in (0..=a).zip(&mut out) {
                                let half = 0.5 * (pulled[a] * pulled[b] - precision[a * channels + b]);
                                *value += shares[k] * if a == b { half } else { 2.0 * half };
                            }
                        }
                    }
                }
                let means = &mut of_means[k * channels..][..channels];
                means.iter_mut().zip(&pulled).for_each(|(m, p)| *m += shares[k] * p);
            }
        }
        Ok(score)
    }
}

impl Trainable for GaussianMixture {
    type Training = MixtureTraining;
}

impl Generative<[f64]> for GaussianMixture {
    fn train(training: &MixtureTraining, items: &[&[f64]], weights: Option<&[f64]>) -> Result<Self> {
        let weights = super::model::weights_of(items.len(), weights)?;
        training.train(&Points::new(items.iter().copied().zip(weights))?)
    }

    fn log_likelihood(&self, item: &[f64]) -> Result<f64> {
        self.log_density(&[item])
    }

    fn score(&self, item: &[f64]) -> Result<Vec<f64>> {
        self.gradient(&[item])
    }
}

impl Generative<Series> for GaussianMixture {
    fn train(training: &MixtureTraining, items: &[&Series], weights: Option<&[f64]>) -> Result<Self> {
        let weights = super::model::weights_of(items.len(), weights)?;
        training.train(&Points::of_series(items, &weights)?)
    }

    fn log_likelihood(&self, item: &Series) -> Result<f64> {
        self.log_density(&item.times().collect::<Vec<_>>())
    }

    fn score(&self, item: &Series) -> Result<Vec<f64>> {
        self.gradient(&item.times().collect::<Vec<_>>())
    }
}

fn shape(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
}

fn check_symmetric(matrix: &Matrix) -> Result<()> {
    for row in 0..matrix.rows() {
        for column in 0..row {
            let (value, mirrored) = (matrix[(row, column)], matrix[(column, row)]);
            if value != mirrored {
                return Err(Error::Asymmetric { row, column, value, mirrored });
            }
        }
    }
    Ok(())
}

fn inverse(factor: &Cholesky, n: usize) -> Result<Vec<f64>> {
    let mut columns = Vec::with_capacity(n * n);
    for k in 0..n {
        let mut column = vec![0.0; n];
        column[k] = 1.0;
        factor.solve(&mut column)?;
        columns.extend(column);
    }
    Ok(columns)
}

impl TryFrom<Stored> for GaussianMixture {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self> {
        GaussianMixture::new(stored.weights, stored.means, stored.covariances)
    }
}

impl From<GaussianMixture> for Stored {
    fn from(mixture: GaussianMixture) -> Self {
        Stored { weights: mixture.weights, means: mixture.means, covariances: mixture.covariances }
    }
}

//! What the states of a hidden Markov model emit: symbols, or normally distributed points.

use serde::{Deserialize, Serialize};

use super::model::probabilities;
use super::points::Points;
use super::{Alphabet, HiddenMarkovTraining};
use crate::data::{Random, Series};
use crate::error::{Error, Result};
use crate::kernel::check;

/// The distributions of what each state emits.
///
/// ```
/// use mercer::kernel::generative::{Alphabet, Emission, SymbolEmission};
/// let coins = SymbolEmission::new(Alphabet::of(["ht"])?, vec![0.5, 0.5, 0.9, 0.1])?;
/// assert_eq!((coins.states(), coins.length("hth")), (2, 3));
/// assert_eq!(coins.log_densities("t")?, [0.5f64.ln(), 0.1f64.ln()]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait Emission: Clone + Send + Sync {
    /// What a model emits.
    type Item: ?Sized;

    /// Number of states.
    fn states(&self) -> usize;

    /// Number of times of an item.
    fn length(&self, item: &Self::Item) -> usize;

    /// ln p(xₜ | state), for each time, for each state.
    ///
    /// # Errors
    /// An item that the model does not emit.
    fn log_densities(&self, item: &Self::Item) -> Result<Vec<f64>>;

    /// Σₜ γₜ(s) ∂ ln p(xₜ | s) / ∂θ for all parameters θ of the emission, γ the posterior of the states at each time.
    ///
    /// # Errors
    /// As [`Emission::log_densities`].
    fn score(&self, item: &Self::Item, posterior: &[f64]) -> Result<Vec<f64>>;

    /// The emission that fits best to what was emitted in each state: items with their posteriors and weights.
    ///
    /// # Errors
    /// As [`Emission::log_densities`].
    fn refit(&self, items: &[(&Self::Item, &[f64], f64)], prior: &EmissionPrior) -> Result<Self>;

    /// What the prior adds to the logarithm of the likelihood.
    fn log_prior(&self, prior: &EmissionPrior) -> f64;

    /// The prior that these items and a training ask for.
    ///
    /// # Errors
    /// Items that nothing can be learned from.
    fn prior(
        training: &HiddenMarkovTraining,
        items: &[&Self::Item],
        weights: &[f64],
    ) -> Result<EmissionPrior>;

    /// An emission to start from, drawn at random.
    ///
    /// # Errors
    /// Items that nothing can be learned from.
    fn draw(
        training: &HiddenMarkovTraining,
        items: &[&Self::Item],
        weights: &[f64],
        random: &mut Random,
    ) -> Result<Self>;
}

/// What keeps distributions from degenerating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmissionPrior {
    /// Added to the count of every symbol.
    pub pseudocount: f64,
    /// The least variance.
    pub least_variance: f64,
}

/// A table of probabilities of symbols, a row per state.
///
/// Scores are derivatives by the logits a of p(c | s) = exp(a_sc) / Σ exp(a_s·): Σₜ γₜ(s) ([xₜ = c] − p(c | s)).
///
/// ```
/// use mercer::kernel::generative::{Alphabet, SymbolEmission};
/// let alphabet = Alphabet::of(["ab"])?;
/// assert!(SymbolEmission::new(alphabet.clone(), vec![0.3, 0.7]).is_ok());
/// assert!(SymbolEmission::new(alphabet, vec![0.3, 0.3]).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredSymbols", into = "StoredSymbols")]
pub struct SymbolEmission {
    alphabet: Alphabet,
    /// State after state.
    probabilities: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
struct StoredSymbols {
    alphabet: Alphabet,
    probabilities: Vec<f64>,
}

impl SymbolEmission {
    /// Takes the probability of each symbol of the alphabet in each state, state after state.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Shape`], [`Error::Entry`], [`Error::Parameter`] for what are no probabilities.
    pub fn new(alphabet: Alphabet, mut table: Vec<f64>) -> Result<Self> {
        let size = alphabet.size();
        if table.is_empty() {
            return Err(Error::Empty { what: "states" });
        }
        if !table.len().is_multiple_of(size) {
            let expected = table.len().next_multiple_of(size);
            let what = "emission probabilities (states × symbols)";
            return Err(Error::Shape { what, expected, found: table.len() });
        }
        table.chunks_mut(size).try_for_each(|row| probabilities("emission probability", row))?;
        Ok(SymbolEmission { alphabet, probabilities: table })
    }

    /// The symbols.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// p(symbol | state), state after state.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }
}

impl Emission for SymbolEmission {
    type Item = str;

    fn states(&self) -> usize {
        self.probabilities.len() / self.alphabet.size()
    }

    fn length(&self, item: &str) -> usize {
        item.chars().count()
    }

    fn log_densities(&self, item: &str) -> Result<Vec<f64>> {
        let size = self.alphabet.size();
        let codes = self.alphabet.codes(item)?;
        let logs: Vec<f64> = self.probabilities.iter().map(|p| p.ln()).collect();
        Ok(codes.iter().flat_map(|&c| logs.iter().skip(c).step_by(size).copied()).collect())
    }

    fn score(&self, item: &str, posterior: &[f64]) -> Result<Vec<f64>> {
        let (size, states) = (self.alphabet.size(), self.states());
        let codes = self.alphabet.codes(item)?;
        let mut score = vec![0.0; size * states];
        let mut visits = vec![0.0; states];
        for (&code, gamma) in codes.iter().zip(posterior.chunks(states)) {
            for s in 0..states {
                score[s * size + code] += gamma[s];
                visits[s] += gamma[s];
            }
        }
        for (at, (value, p)) in score.iter_mut().zip(&self.probabilities).enumerate() {
            *value -= visits[at / size] * p;
        }
        Ok(score)
    }

    fn refit(&self, items: &[(&str, &[f64], f64)], prior: &EmissionPrior) -> Result<Self> {
        let (size, states) = (self.alphabet.size(), self.states());
        let mut counts = vec![prior.pseudocount; size * states];
        for (item, posterior, weight) in items {
            let codes = self.alphabet.codes(item)?;
            for (&code, gamma) in codes.iter().zip(posterior.chunks(states)) {
                for s in 0..states {
                    counts[s * size + code] += weight * gamma[s];
                }
            }
        }
        for (row, old) in counts.chunks_mut(size).zip(self.probabilities.chunks(size)) {
            normalise(row, old);
        }
        Ok(SymbolEmission { alphabet: self.alphabet.clone(), probabilities: counts })
    }

    fn log_prior(&self, prior: &EmissionPrior) -> f64 {
        log_prior(&self.probabilities, prior.pseudocount)
    }

    fn prior(training: &HiddenMarkovTraining, _: &[&str], _: &[f64]) -> Result<EmissionPrior> {
        Ok(EmissionPrior { pseudocount: training.pseudocount(), least_variance: 0.0 })
    }

    fn draw(training: &HiddenMarkovTraining, items: &[&str], _: &[f64], random: &mut Random) -> Result<Self> {
        let alphabet = match training.alphabet() {
            Some(alphabet) => alphabet.clone(),
            None => Alphabet::of(items.iter().copied())?,
        };
        let table = draw_rows(training.states(), alphabet.size(), random);
        Ok(SymbolEmission { alphabet, probabilities: table })
    }
}

/// Rows of probabilities, none of them small.
pub(super) fn draw_rows(rows: usize, columns: usize, random: &mut Random) -> Vec<f64> {
    let mut table: Vec<f64> = (0..rows * columns).map(|_| 0.5 + random.uniform()).collect();
    for row in table.chunks_mut(columns) {
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|value| *value /= sum);
    }
    table
}

/// Counts as shares of their sum; the old shares where nothing was counted.
pub(super) fn normalise(counts: &mut [f64], old: &[f64]) {
    let sum: f64 = counts.iter().sum();
    if sum > 0.0 {
        counts.iter_mut().for_each(|count| *count /= sum);
    } else {
        counts.copy_from_slice(old);
    }
}

/// Σ pseudocount · ln p, and 0 without pseudocounts even where p = 0.
pub(super) fn log_prior(probabilities: &[f64], pseudocount: f64) -> f64 {
    if pseudocount == 0.0 { 0.0 } else { probabilities.iter().map(|p| pseudocount * p.ln()).sum() }
}

/// A normal distribution with a diagonal covariance in each state.
///
/// Scores are derivatives by the means, Σₜ γₜ(s) (x − μ)/σ², then by the variances, Σₜ γₜ(s) ((x − μ)²/σ² − 1)/(2σ²).
///
/// ```
/// use mercer::kernel::generative::{Emission, GaussianEmission};
/// let states = GaussianEmission::new(vec![0.0, 5.0], vec![1.0, 2.0], 1)?;
/// assert_eq!((states.states(), states.channels()), (2, 1));
/// assert!(GaussianEmission::new(vec![0.0, 5.0], vec![1.0, 0.0], 1).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredGaussian", into = "StoredGaussian")]
pub struct GaussianEmission {
    /// State after state.
    means: Vec<f64>,
    variances: Vec<f64>,
    channels: usize,
}

#[derive(Serialize, Deserialize)]
struct StoredGaussian {
    channels: usize,
    means: Vec<f64>,
    variances: Vec<f64>,
}

impl GaussianEmission {
    /// Takes the means and variances of all channels, state after state.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Shape`], [`Error::Parameter`] for a variance that is not above 0 or a mean that is not finite.
    pub fn new(means: Vec<f64>, variances: Vec<f64>, channels: usize) -> Result<Self> {
        if means.is_empty() || channels == 0 {
            return Err(Error::Empty { what: "states" });
        }
        if !means.len().is_multiple_of(channels) {
            let what = "means (states × channels)";
            let expected = means.len().next_multiple_of(channels);
            return Err(Error::Shape { what, expected, found: means.len() });
        }
        if means.len() != variances.len() {
            let what = "variances (one per mean)";
            return Err(Error::Shape { what, expected: means.len(), found: variances.len() });
        }
        means.iter().try_for_each(|&mean| check::finite("mean", mean).map(drop))?;
        variances.iter().try_for_each(|&variance| check::length("variance", variance).map(drop))?;
        Ok(GaussianEmission { means, variances, channels })
    }

    /// Number of channels.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// The means, state after state.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The variances, state after state.
    pub fn variances(&self) -> &[f64] {
        &self.variances
    }
}

impl Emission for GaussianEmission {
    type Item = Series;

    fn states(&self) -> usize {
        self.means.len() / self.channels
    }

    fn length(&self, item: &Series) -> usize {
        item.len()
    }

    fn log_densities(&self, item: &Series) -> Result<Vec<f64>> {
        item.check_channels(self.channels)?;
        let constants: Vec<f64> = self
            .variances
            .chunks(self.channels)
            .map(|row| row.iter().map(|v| (std::f64::consts::TAU * v).ln()).sum())
            .collect();
        let mut densities = Vec::with_capacity(item.len() * self.states());
        for point in item.times() {
            let states = self.means.chunks(self.channels).zip(self.variances.chunks(self.channels));
            densities.extend(states.zip(&constants).map(|((means, variances), constant)| {
                let terms = point.iter().zip(means).zip(variances).map(|((x, m), v)| (x - m) * (x - m) / v);
                -0.5 * (terms.sum::<f64>() + constant)
            }));
        }
        Ok(densities)
    }

    fn score(&self, item: &Series, posterior: &[f64]) -> Result<Vec<f64>> {
        item.check_channels(self.channels)?;
        let (states, parameters) = (self.states(), self.means.len());
        let mut score = vec![0.0; 2 * parameters];
        for (point, gamma) in item.times().zip(posterior.chunks(states)) {
            for k in 0..parameters {
                let difference = point[k % self.channels] - self.means[k];
                let (weight, variance) = (gamma[k / self.channels], self.variances[k]);
                score[k] += weight * difference / variance;
                score[parameters + k] += weight * 0.5 * (difference * difference / variance - 1.0) / variance;
            }
        }
        Ok(score)
    }

    fn refit(&self, items: &[(&Series, &[f64], f64)], prior: &EmissionPrior) -> Result<Self> {
        let (states, parameters, channels) = (self.states(), self.means.len(), self.channels);
        let (mut mass, mut means) = (vec![0.0; states], vec![0.0; parameters]);
        let visit = |f: &mut dyn FnMut(usize, f64, f64)| {
            for (item, posterior, weight) in items {
                for (point, gamma) in item.times().zip(posterior.chunks(states)) {
                    for k in 0..parameters {
                        f(k, weight * gamma[k / channels], point[k % channels]);
                    }
                }
            }
        };
        visit(&mut |k, weight, value| {
            means[k] += weight * value;
            if k % channels == 0 {
                mass[k / channels] += weight;
            }
        });
        // A state that nothing comes from stays as it is.
        let of = |k: usize, sum: f64, old: f64| match mass[k / channels] {
            mass if mass > 0.0 => sum / mass,
            _ => old,
        };
        (0..parameters).for_each(|k| means[k] = of(k, means[k], self.means[k]));
        // Around the new means: a difference of two large sums would lose the digits.
        let mut variances = vec![0.0; parameters];
        visit(&mut |k, weight, value| variances[k] += weight * (value - means[k]) * (value - means[k]));
        for k in 0..parameters {
            variances[k] = of(k, variances[k], self.variances[k]).max(prior.least_variance);
        }
        Ok(GaussianEmission { means, variances, channels })
    }

    fn log_prior(&self, _: &EmissionPrior) -> f64 {
        0.0
    }

    fn prior(training: &HiddenMarkovTraining, items: &[&Series], weights: &[f64]) -> Result<EmissionPrior> {
        let points = Points::of_series(items, weights)?;
        let least_variance = training.variance_floor() * points.mean_variance();
        Ok(EmissionPrior { pseudocount: training.pseudocount(), least_variance })
    }

    fn draw(
        training: &HiddenMarkovTraining,
        items: &[&Series],
        weights: &[f64],
        random: &mut Random,
    ) -> Result<Self> {
        let points = Points::of_series(items, weights)?;
        let least = training.variance_floor() * points.mean_variance();
        let variances = points.variances().into_iter().map(|variance| variance.max(least));
        let variances = variances.collect::<Vec<f64>>().repeat(training.states());
        GaussianEmission::new(points.spread(training.states(), random), variances, points.channels)
    }
}

impl TryFrom<StoredSymbols> for SymbolEmission {
    type Error = Error;

    fn try_from(stored: StoredSymbols) -> Result<Self> {
        SymbolEmission::new(stored.alphabet, stored.probabilities)
    }
}

impl From<SymbolEmission> for StoredSymbols {
    fn from(emission: SymbolEmission) -> Self {
        StoredSymbols { alphabet: emission.alphabet, probabilities: emission.probabilities }
    }
}

impl TryFrom<StoredGaussian> for GaussianEmission {
    type Error = Error;

    fn try_from(stored: StoredGaussian) -> Result<Self> {
        GaussianEmission::new(stored.means, stored.variances, stored.channels)
    }
}

impl From<GaussianEmission> for StoredGaussian {
    fn from(emission: GaussianEmission) -> Self {
        StoredGaussian { channels: emission.channels, means: emission.means, variances: emission.variances }
    }
}

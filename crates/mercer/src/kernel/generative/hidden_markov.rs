//! Hidden Markov models: a chain of states that nobody sees, each of which emits what one sees.
//!
//! p(x) = Σ over paths s of π(s₁) b(x₁ | s₁) Π A(sₜ₋₁, sₜ) b(xₜ | sₜ), found in O(T S²) by the forward algorithm. Each step is divided by its sum, and
//! densities by the largest of their time, so that nothing underflows however long the item.

use serde::{Deserialize, Serialize};

use super::model::probabilities;
use super::{Emission, GaussianEmission, Generative, HiddenMarkovTraining, SymbolEmission, Trainable};
use crate::error::{Error, Result};

/// A hidden Markov model with S states and emissions of either kind: [`SymbolEmission`](super::SymbolEmission) for strings,
/// [`GaussianEmission`](super::GaussianEmission) for time series.
///
/// ln p(x) and its gradient take O(T S²). An empty string has probability 1: the model says nothing about lengths. Parameters of the
/// gradient: the logits of the start probabilities, those of the transitions (row after row), the emission's.
///
/// ```
/// use mercer::kernel::generative::{Alphabet, Generative, HiddenMarkov, SymbolEmission};
/// let emission = SymbolEmission::new(Alphabet::of(["ht"])?, vec![0.5, 0.5, 0.9, 0.1])?;
/// let coins = HiddenMarkov::new(vec![1.0, 0.0], vec![0.0, 1.0, 0.0, 1.0], emission)?;
/// // The first coin, then the second for good.
/// assert!((coins.log_likelihood("hht")? - (0.5f64 * 0.9 * 0.1).ln()).abs() < 1e-15);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// L. R. Rabiner: A tutorial on hidden Markov models and selected applications in speech recognition, Proceedings of the IEEE 77 (1989).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored<E>", into = "Stored<E>")]
#[serde(bound(serialize = "E: Emission + Serialize", deserialize = "E: Emission + Deserialize<'de>"))]
pub struct HiddenMarkov<E> {
    start: Vec<f64>,
    /// Row after row.
    transition: Vec<f64>,
    emission: E,
}

/// A hidden Markov model of strings.
pub type StringMarkov = HiddenMarkov<SymbolEmission>;

/// A hidden Markov model of time series.
pub type SeriesMarkov = HiddenMarkov<GaussianEmission>;

#[derive(Serialize, Deserialize)]
struct Stored<E> {
    start: Vec<f64>,
    transition: Vec<f64>,
    emission: E,
}

/// What is known about the states of one item.
pub(super) struct Posterior {
    /// ln p(x)
    pub(super) log_likelihood: f64,
    /// p(sₜ = s | x), time after time.
    pub(super) states: Vec<f64>,
    /// Σₜ p(sₜ₋₁ = r, sₜ = s | x), row after row.
    pub(super) transitions: Vec<f64>,
}

impl<E: Emission> HiddenMarkov<E> {
    /// Takes the probabilities of the first state, those of the next state given each state (row after row), and the emission.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::Entry`] or [`Error::Parameter`] for what are no probabilities.
    pub fn new(mut start: Vec<f64>, mut transition: Vec<f64>, emission: E) -> Result<Self> {
        let states = emission.states();
        if start.len() != states {
            let what = "start probabilities (one per state)";
            return Err(Error::Shape { what, expected: states, found: start.len() });
        }
        if transition.len() != states * states {
            let what = "transition probabilities (states × states)";
            return Err(Error::Shape { what, expected: states * states, found: transition.len() });
        }
        probabilities("start probability", &mut start)?;
        transition.chunks_mut(states).try_for_each(|row| probabilities("transition probability", row))?;
        Ok(HiddenMarkov { start, transition, emission })
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.start.len()
    }

    /// The probabilities of the first state.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// The probabilities of the next state, a row per state.
    pub fn transition(&self) -> &[f64] {
        &self.transition
    }

    /// What the states emit.
    pub fn emission(&self) -> &E {
        &self.emission
    }

    /// ln p(x), −∞ for what the model cannot emit.
    fn forward(&self, densities: &[f64], mut keep: impl FnMut(&[f64], &[f64], f64)) -> f64 {
        let states = self.states();
        let mut alpha = vec![0.0; states];
        let mut emitted = vec![0.0; states];
        let mut log_likelihood = 0.0;
        for (t, row) in densities.chunks(states).enumerate() {
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if largest == f64::NEG_INFINITY {
                return largest;
            }
            for s in 0..states {
                emitted[s] = (row[s] - largest).exp();
            }
            let mut next = vec![0.0; states];
            if t == 0 {
                next.copy_from_slice(&self.start);
            } else {
                for (&a, transition) in alpha.iter().zip(self.transition.chunks(states)) {
                    next.iter_mut().zip(transition).for_each(|(n, p)| *n += a * p);
                }
            }
            next.iter_mut().zip(&emitted).for_each(|(n, e)| *n *= e);
            let sum: f64 = next.iter().sum();
            if sum == 0.0 {
                return f64::NEG_INFINITY;
            }
            next.iter_mut().for_each(|n| *n /= sum);
            log_likelihood += sum.ln() + largest;
            keep(&next, &emitted, sum);
            alpha = next;
        }
        log_likelihood
    }

    /// The forward–backward algorithm.
    pub(super) fn posterior(&self, item: &E::Item) -> Result<Posterior> {
        let states = self.states();
        let densities = self.emission.log_densities(item)?;
        let length = densities.len() / states;
        let (mut alphas, mut emitted) =
            (Vec::with_capacity(densities.len()), Vec::with_capacity(densities.len()));
        let mut sums = Vec::with_capacity(length);
        let log_likelihood = self.forward(&densities, |alpha, densities, sum| {
            alphas.extend_from_slice(alpha);
            emitted.extend_from_slice(densities);
            sums.push(sum);
        });
        if log_likelihood == f64::NEG_INFINITY {
            return Err(Error::Undefined {
                what: "the posterior of the states".into(),
                why: "the model gives the item a probability of 0".into(),
            });
        }
        let mut transitions = vec![0.0; states * states];
        let mut beta = vec![1.0; states];
        for t in (1..length).rev() {
            let alpha = &mut alphas[(t - 1) * states..][..2 * states];
            let (alpha, later) = alpha.split_at_mut(states);
            // b(xₜ | s) βₜ(s) / cₜ
            let ahead: Vec<f64> = (0..states).map(|s| emitted[t * states + s] * beta[s] / sums[t]).collect();
            later.iter_mut().zip(&beta).for_each(|(a, b)| *a *= b);
            for r in 0..states {
                let mut sum = 0.0;
                for s in 0..states {
                    let step = self.transition[r * states + s] * ahead[s];
                    transitions[r * states + s] += alpha[r] * step;
                    sum += step;
                }
                beta[r] = sum;
            }
        }
        if let Some(first) = alphas.get_mut(..states) {
            first.iter_mut().zip(&beta).for_each(|(a, b)| *a *= b);
        }
        Ok(Posterior { log_likelihood, states: alphas, transitions })
    }

    /// The same chain with other numbers that are known to be right.
    pub(super) fn with(&self, start: Vec<f64>, transition: Vec<f64>, emission: E) -> Self {
        HiddenMarkov { start, transition, emission }
    }
}

impl<E: Emission> Trainable for HiddenMarkov<E> {
    type Training = HiddenMarkovTraining;
}

impl<E: Emission> Generative<E::Item> for HiddenMarkov<E> {
    fn train(training: &HiddenMarkovTraining, items: &[&E::Item], weights: Option<&[f64]>) -> Result<Self> {
        training.train(items, weights)
    }

    fn log_likelihood(&self, item: &E::Item) -> Result<f64> {
        Ok(self.forward(&self.emission.log_densities(item)?, |_, _, _| {}))
    }

    fn score(&self, item: &E::Item) -> Result<Vec<f64>> {
        let states = self.states();
        let posterior = self.posterior(item)?;
        let mut score = vec![0.0; states];
        if let Some(first) = posterior.states.get(..states) {
            score.iter_mut().zip(first.iter().zip(&self.start)).for_each(|(v, (g, p))| *v = g - p);
        }
        for (counts, row) in posterior.transitions.chunks(states).zip(self.transition.chunks(states)) {
            let visits: f64 = counts.iter().sum();
            score.extend(counts.iter().zip(row).map(|(count, p)| count - visits * p));
        }
        score.extend(self.emission.score(item, &posterior.states)?);
        Ok(score)
    }
}

impl<E: Emission> TryFrom<Stored<E>> for HiddenMarkov<E> {
    type Error = Error;

    fn try_from(stored: Stored<E>) -> Result<Self> {
        HiddenMarkov::new(stored.start, stored.transition, stored.emission)
    }
}

impl<E> From<HiddenMarkov<E>> for Stored<E> {
    fn from(model: HiddenMarkov<E>) -> Self {
        Stored { start: model.start, transition: model.transition, emission: model.emission }
    }
}

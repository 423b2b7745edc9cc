//! Training hidden Markov models by expectation maximisation (Baum and Welch).
//!
//! The E-step finds the posterior of the states of all items, the M-step the probabilities that fit to it best. Neither lowers
//! Σᵢ wᵢ ln p(xᵢ) + c Σ ln θ, the likelihood with a prior that counts everything c times more than it was seen.

use serde::{Deserialize, Serialize};

use super::emission::{draw_rows, log_prior, normalise};
use super::model::{count, weights_of};
use super::{Alphabet, Emission, HiddenMarkov};
use crate::data::Random;
use crate::error::{Error, Result};
use crate::kernel::check;

/// How a hidden Markov model is trained.
///
/// `restarts` times from other random numbers, of which the best is kept; each time until the objective grows by less than `tolerance` per
/// item, or for `iterations`. The start: probabilities between 1/2 and 3/2 of equal shares; means at training points far from each
/// other. Probabilities have `pseudocount` (0.01) added to every count, so that none is 0; variances are not below
/// `variance_floor` (1e-3) times the mean variance of the channels.
///
/// O(iterations · restarts · Σ T S²), and S·T numbers of memory for an item at a time, of all items.
///
/// ```
/// use mercer::kernel::generative::{Generative, HiddenMarkovTraining, StringMarkov};
/// let training = HiddenMarkovTraining::new(2)?.with_seed(1).restarts(3)?.with_pseudocount(0.001)?;
/// let model = StringMarkov::train(&training, &["ababababab", "babababa"], None)?;
/// // One state for each letter, and they take turns.
/// assert!(model.log_likelihood("abababab")? > model.log_likelihood("aabbaabb")? + 10.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HiddenMarkovTraining {
    states: usize,
    iterations: usize,
    #[serde(deserialize_with = "check::serde_with::non_negative")]
    tolerance: f64,
    seed: u64,
    restarts: usize,
    #[serde(deserialize_with = "check::serde_with::non_negative")]
    pseudocount: f64,
    #[serde(deserialize_with = "check::serde_with::positive")]
    variance_floor: f64,
    #[serde(default)]
    alphabet: Option<Alphabet>,
}

impl HiddenMarkovTraining {
    /// A model with so many states.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are none, or more than 10000.
    pub fn new(states: usize) -> Result<Self> {
        Ok(HiddenMarkovTraining {
            states: count("states", states)?,
            iterations: 100,
            tolerance: 1e-4,
            seed: 0,
            restarts: 1,
            pseudocount: 0.01,
            variance_floor: 1e-3,
            alphabet: None,
        })
    }

    /// At most so many iterations (100).
    pub fn iterations(mut self, iterations: usize) -> Self {
        self.iterations = iterations;
        self
    }

    /// The growth of the objective per item at which it ends (1e-4).
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

    /// What is added to every count (0.01).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn with_pseudocount(mut self, pseudocount: f64) -> Result<Self> {
        self.pseudocount = check::non_negative("pseudocount", pseudocount)?;
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

    /// The symbols that strings may have; else those of the training strings.
    pub fn with_alphabet(mut self, alphabet: Alphabet) -> Self {
        self.alphabet = Some(alphabet);
        self
    }

    /// Number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// What is added to every count.
    pub fn pseudocount(&self) -> f64 {
        self.pseudocount
    }

    /// The least variance, in mean variances of the channels.
    pub fn variance_floor(&self) -> f64 {
        self.variance_floor
    }

    /// The symbols, where they were given.
    pub fn alphabet(&self) -> Option<&Alphabet> {
        self.alphabet.as_ref()
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
    pub(super) fn train<E: Emission>(
        &self,
        items: &[&E::Item],
        weights: Option<&[f64]>,
    ) -> Result<HiddenMarkov<E>> {
        let given = weights_of(items.len(), weights)?;
        let mut random = Random::new(self.seed);
        let mut best: Option<(HiddenMarkov<E>, f64)> = None;
        for _ in 0..count("restarts", self.restarts)? {
            let states = count("states", self.states)?;
            let start = draw_rows(1, states, &mut random);
            let transition = draw_rows(states, states, &mut random);
            let emission = E::draw(self, items, &given, &mut random)?;
            let first = HiddenMarkov::new(start, transition, emission)?;
            let (model, objectives) = first.expectation_maximisation(items, weights, self)?;
            let reached = objectives.last().copied().unwrap_or(f64::NEG_INFINITY);
            if best.as_ref().is_none_or(|(_, before)| reached > *before) {
                best = Some((model, reached));
            }
        }
        best.map(|(model, _)| model).ok_or(Error::Empty { what: "restarts" })
    }
}

impl<E: Emission> HiddenMarkov<E> {
    /// Goes on from this model by expectation maximisation: the new model, and the objective before each iteration and at the end.
    ///
    /// The objective is Σ w ln p(x) plus the pseudocount times Σ ln θ; it never falls by more than rounding.
    ///
    /// ```
    /// use mercer::kernel::generative::{Alphabet, HiddenMarkov, HiddenMarkovTraining, SymbolEmission};
    /// let emission = SymbolEmission::new(Alphabet::of(["ht"])?, vec![0.4, 0.6, 0.9, 0.1])?;
    /// let coins = HiddenMarkov::new(vec![0.5; 2], vec![0.7, 0.3, 0.3, 0.7], emission)?;
    /// let training = HiddenMarkovTraining::new(2)?.iterations(5).tolerance(0.0)?;
    /// let (_, objectives) = coins.expectation_maximisation(&["hhhthtthhhh", "ttthtth"], None, &training)?;
    /// assert!(objectives.len() == 6 && objectives.is_sorted());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Items that the model cannot have emitted, weights that are none.
    pub fn expectation_maximisation(
        &self,
        items: &[&E::Item],
        weights: Option<&[f64]>,
        training: &HiddenMarkovTraining,
    ) -> Result<(Self, Vec<f64>)> {
        let weights = weights_of(items.len(), weights)?;
        let prior = E::prior(training, items, &weights)?;
        let enough = training.tolerance * weights.iter().sum::<f64>();
        let (states, pseudocount) = (self.states(), training.pseudocount);
        let mut model = self.clone();
        let mut objectives: Vec<f64> = Vec::new();
        loop {
            let mut objective = log_prior(model.start(), pseudocount)
                + log_prior(model.transition(), pseudocount)
                + model.emission().log_prior(&prior);
            let mut start = vec![pseudocount; states];
            let mut transition = vec![pseudocount; states * states];
            let mut posteriors = Vec::with_capacity(items.len());
            for (item, &weight) in items.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0) {
                let posterior = model.posterior(item)?;
                objective += weight * posterior.log_likelihood;
                let add = |counts: &mut [f64], seen: &[f64]| {
                    counts.iter_mut().zip(seen).for_each(|(count, seen)| *count += weight * seen);
                };
                // Of an empty item there is no first state.
                add(&mut start, posterior.states.get(..states).unwrap_or_default());
                add(&mut transition, &posterior.transitions);
                posteriors.push((*item, posterior.states, weight));
            }
            let grown = objectives.last().map(|before| objective - before);
            objectives.push(objective);
            if objectives.len() > training.iterations || grown.is_some_and(|grown| grown < enough) {
                return Ok((model, objectives));
            }
            normalise(&mut start, model.start());
            for (row, old) in transition.chunks_mut(states).zip(model.transition().chunks(states)) {
                normalise(row, old);
            }
            let seen: Vec<(&E::Item, &[f64], f64)> =
                posteriors.iter().map(|(item, states, weight)| (*item, states.as_slice(), *weight)).collect();
            let emission = model.emission().refit(&seen, &prior)?;
            model = model.with(start, transition, emission);
        }
    }
}

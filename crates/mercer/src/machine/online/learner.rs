//! The protocol: predict, see the truth, suffer loss, learn.

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::function::{Departure, FunctionState, GrowingFunction};
use super::memory::Memory;
use super::rule::{Judgement, Rule, Seen};
use super::votes::Votes;
use crate::error::{Error, Result};

/// What an on-line machine has been through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "StoredTally")]
pub struct Tally {
    /// Examples that it was shown.
    pub examples: u64,
    /// Those that it was wrong about, before it learned from them.
    pub mistakes: u64,
    /// Those that changed it.
    pub updates: u64,
    /// The sum of its losses, times the weights of the examples.
    pub loss: f64,
    /// R² = max k(x, x) + r over the examples, in the space that the machine works in.
    pub squared_radius: f64,
    /// Σw over the examples that changed it, of weights w: their number where none has another weight than 1.
    pub weight: f64,
    /// Σw² over these.
    pub squared_weight: f64,
}

/// A tally in a file; earlier ones know no weights.
#[derive(Deserialize)]
struct StoredTally {
    examples: u64,
    mistakes: u64,
    updates: u64,
    loss: f64,
    #[serde(default)]
    squared_radius: f64,
    weight: Option<f64>,
    squared_weight: Option<f64>,
}

impl From<StoredTally> for Tally {
    fn from(stored: StoredTally) -> Self {
        let StoredTally { examples, mistakes, updates, loss, squared_radius, weight, squared_weight } =
            stored;
        let weight = weight.unwrap_or(updates as f64);
        let squared_weight = squared_weight.unwrap_or(updates as f64);
        Tally { examples, mistakes, updates, loss, squared_radius, weight, squared_weight }
    }
}

impl Tally {
    /// The largest margin γ with which any function can separate the examples that a perceptron has seen, by its number of updates: Novikoff's
    /// R²/γ² ≥ updates, solved for γ. Of updates with weights w it is γ Σw ≤ ⟨w, u⟩ ≤ ‖w‖ ≤ R √Σw². None if there were no updates; it holds for
    /// [`Rule::Perceptron`] without a budget.
    ///
    /// ```
    /// use mercer::machine::online::{Online, Remembered, Rule};
    /// let mut machine = Online::params(Remembered::new(|x: &f64, z: &f64| x * z), Rule::Perceptron).check()?;
    /// for (x, y) in [(2.0, 1.0), (-1.0, -1.0), (0.5, 1.0)] {
    ///     machine.learn(&x, y)?;
    /// }
    /// // One update, R = 2: no margin can be above 2. The true one is 0.5.
    /// assert_eq!(machine.tally().largest_margin(), Some(2.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn largest_margin(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| (self.squared_radius * self.squared_weight).sqrt() / self.weight)
    }

    /// Adds what another machine has been through.
    pub(super) fn join(&mut self, other: &Tally) {
        self.examples += other.examples;
        self.mistakes += other.mistakes;
        self.updates += other.updates;
        self.loss += other.loss;
        self.squared_radius = self.squared_radius.max(other.squared_radius);
        self.weight += other.weight;
        self.squared_weight += other.squared_weight;
    }

    fn add(&mut self, outcome: &Outcome, own: f64, weight: f64) {
        if outcome.updated {
            self.weight += weight;
            self.squared_weight += weight * weight;
        }
        if weight > 0.0 {
            self.squared_radius = self.squared_radius.max(own);
        }
        self.examples += 1;
        self.mistakes += u64::from(outcome.mistake);
        self.updates += u64::from(outcome.updated);
        self.loss += outcome.loss;
    }
}

/// What became of one example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// f(x), before the truth was known.
    pub value: f64,
    /// ±1, a number, or a level.
    pub prediction: f64,
    /// What was suffered, times the weight of the example.
    pub loss: f64,
    /// Whether the prediction was wrong.
    pub mistake: bool,
    /// Whether anything was learned.
    pub updated: bool,
}

/// How an on-line machine is to be; [`check`](OnlineParams::check) makes one.
#[derive(Clone, Debug)]
pub struct OnlineParams<M> {
    memory: M,
    rule: Rule,
    constant: f64,
    budget: Budget,
    averaged: bool,
    voted: bool,
}

impl<M: Memory> OnlineParams<M> {
    /// An offset in homogeneous coordinates: every item has one more feature, which is 1. Default: none.
    pub fn homogeneous(self) -> Self {
        self.bias_step(1.0)
    }

    /// An offset that changes by r when a coefficient changes by 1: every item has one more feature, which is √r. With r = R², the largest
    /// k(x, x), it is the bias of the perceptron's tables.
    pub fn bias_step(mut self, r: f64) -> Self {
        self.constant = r;
        self
    }

    /// How much may be remembered; default all.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Whether the mean of all functions on the way is kept, as one number more per item; default no. A set that is
    /// learned in several passes is averaged over all of them. A function counts as much as the example weighs after which it came.
    pub fn averaged(mut self, averaged: bool) -> Self {
        self.averaged = averaged;
        self
    }

    /// Whether all functions on the way may vote, each as often as it was right in a row (Freund and Schapire); default no. Memory
    /// grows with the number of updates, so that it does not go with a budget.
    pub fn voted(mut self, voted: bool) -> Self {
        self.voted = voted;
        self
    }

    /// The machine, which has learned nothing yet.
    ///
    /// # Errors
    /// [`Error::Parameter`] for numbers that make no sense, [`Error::Unsupported`] for votes with a budget or without classes, and for an average of
    /// what a budget removes.
    pub fn check(self) -> Result<Online<M>> {
        self.rule.check()?;
        self.budget.check()?;
        if !(self.constant.is_finite() && self.constant >= 0.0) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "bias step", value: self.constant, expected });
        }
        if self.voted && (self.budget != Budget::Unlimited || self.rule != Rule::Perceptron) {
            let what =
                "only a perceptron without a budget can vote: all its updates are needed; average instead";
            return Err(Error::Unsupported { what: what.into() });
        }
        if self.averaged && matches!(self.budget, Budget::Remove { .. }) {
            let what = "an average is made of all that was learned, and this budget removes some of it: project what leaves the budget, or \
                        have none";
            return Err(Error::Unsupported { what: what.into() });
        }
        // Votes walk along the updates, so that their items must stay.
        let averaging = self.averaged || self.voted;
        let function = GrowingFunction::new(self.memory, self.constant, self.budget, averaging);
        let votes = self.voted.then(Votes::default);
        Ok(Online { function, rule: self.rule, tally: Tally::default(), votes })
    }
}

/// A machine that learns from one example after the other: a [`Rule`] on a function over a [`Memory`].
///
/// Any kernel on any items; with a [`Budget`] in bounded memory for ever. An example costs as many kernel values as items are
/// remembered.
///
/// ```
/// use mercer::data::Row;
/// use mercer::machine::online::{Online, RowMemory, Rule};
/// // XOR with the quadratic kernel (⟨x, z⟩ + 1)².
/// let memory = RowMemory::new("polynomial(degree=2, gamma=1, constant=1)".parse()?)?;
/// let mut machine = Online::params(memory, Rule::Perceptron).check()?;
/// let examples = [([1.0, 1.0], -1.0), ([1.0, -1.0], 1.0), ([-1.0, 1.0], 1.0), ([-1.0, -1.0], -1.0)];
/// for _ in 0..10 {
///     for (x, y) in &examples {
///         machine.learn(Row::Dense64(x), *y)?;
///     }
/// }
/// for (x, y) in &examples {
///     assert_eq!(machine.predict(Row::Dense64(x))?, *y);
/// }
/// assert!(machine.tally().mistakes < 10);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Online<M> {
    pub(super) function: GrowingFunction<M>,
    pub(super) rule: Rule,
    pub(super) tally: Tally,
    pub(super) votes: Option<Votes>,
}

/// A round that can be finished or withdrawn, and cannot fail any more.
#[derive(Debug)]
pub(super) struct Round {
    pub outcome: Outcome,
    own: f64,
    weight: f64,
    step: f64,
    /// Where the example stands if it is remembered already.
    slot: Option<usize>,
    /// The example was admitted to the memory, with no coefficient yet.
    admitted: Option<Departure>,
    /// The rule of before, if its thresholds may have moved.
    thresholds: Option<Rule>,
}

/// All of an [`Online`] machine but its memory: what a checkpoint holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnlineState {
    /// Its rule, thresholds included.
    pub rule: Rule,
    /// What it has been through.
    pub tally: Tally,
    /// Coefficients, offset and counters.
    pub function: FunctionState,
    /// Its functions on the way, if they vote.
    pub votes: Option<Votes>,
}

impl<M: Memory> Online<M> {
    /// A machine with this memory (an empty one) and rule, without offset, budget, average or votes.
    pub fn params(memory: M, rule: Rule) -> OnlineParams<M> {
        let (budget, constant) = (Budget::Unlimited, 0.0);
        OnlineParams { memory, rule, constant, budget, averaged: false, voted: false }
    }

    /// Goes on where a machine was: its memory and the rest of it.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::Entry`] and others for parts that do not belong together.
    pub fn resume(memory: M, state: OnlineState) -> Result<Self> {
        state.rule.check()?;
        if let Some(votes) = &state.votes {
            votes.check(memory.len())?;
        }
        let function = GrowingFunction::join(memory, state.function)?;
        Ok(Online { function, rule: state.rule, tally: state.tally, votes: state.votes })
    }

    /// All of it but its memory.
    pub fn state(&self) -> OnlineState {
        OnlineState {
            rule: self.rule.clone(),
            tally: self.tally,
            function: self.function.state().clone(),
            votes: self.votes.clone(),
        }
    }

    /// The function.
    pub fn function(&self) -> &GrowingFunction<M> {
        &self.function
    }

    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Examples, mistakes, updates and losses so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// ±1, a number, or a level.
    ///
    /// # Errors
    /// An item that the kernel is not defined on.
    pub fn predict(&self, item: M::Item<'_>) -> Result<f64> {
        Ok(self.rule.prediction(self.function.value(item)?))
    }

    /// Takes part in one round of the protocol: predicts, sees the truth, suffers, learns. O(remembered items) kernel values.
    ///
    /// # Errors
    /// [`Error::Entry`] for a target that the rule does not know, and where a loss or a coefficient would not be a finite number; an item that
    /// the kernel is not defined on. Nothing is learned then, and the machine is as it was.
    pub fn learn(&mut self, item: M::Item<'_>, target: f64) -> Result<Outcome> {
        self.round(item, (target, 1.0), None)
    }

    /// The same for an example of this weight: see [`Rule`]. One of weight 0 changes nothing but the numbers of examples and
    /// mistakes.
    ///
    /// ```
    /// use mercer::machine::Slack;
    /// use mercer::machine::online::{Online, Remembered, Rule};
    /// // From f = 0 at k(x, x) = 4, ¼ would make the margin 1; C = 0.1 allows 0.1, and twice as much at weight 2.
    /// let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 0.1 };
    /// let mut machine = Online::params(Remembered::new(|x: &f64, z: &f64| x * z), rule).check()?;
    /// machine.learn_weighted(&2.0, -1.0, 2.0)?;
    /// assert_eq!(machine.function().coefficients(), [-0.2]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Online::learn`]; [`Error::Entry`] for a weight that is negative or not finite, [`Error::Unsupported`] for one other than 1 where it makes no
    /// sense: [`Rule::Ranking`], and machines whose functions [vote](OnlineParams::voted) once for each example.
    pub fn learn_weighted(&mut self, item: M::Item<'_>, target: f64, weight: f64) -> Result<Outcome> {
        self.round(item, (target, weight), None)
    }

    /// A round for the example of this number, which may have been seen before; a new number if there is none. The truth is a target with its weight.
    pub(super) fn round(&mut self, item: M::Item<'_>, truth: (f64, f64), id: Option<u64>) -> Result<Outcome> {
        let round = self.plan(item, truth, id)?;
        Ok(self.finish(round))
    }

    /// Refuses a weight that the machine does not know what to do with.
    fn check_weight(&self, weight: f64) -> Result<()> {
        if self.votes.is_some() && weight != 1.0 {
            let what =
                "a voted perceptron has no weights of examples: every example is one vote; average instead";
            return Err(Error::Unsupported { what: what.into() });
        }
        self.rule.check_weight(weight)
    }

    /// Everything in a round that can fail. What it has done so far, [`withdraw`](Self::withdraw) undoes.
    pub(super) fn plan(
        &mut self,
        item: M::Item<'_>,
        (target, weight): (f64, f64),
        id: Option<u64>,
    ) -> Result<Round> {
        self.check_weight(weight)?;
        let (value, own) = self.function.look(item)?;
        require_finite("f(x)", value)?;
        require_finite("k(x, x)", own)?;
        let Judgement { prediction, loss, mistake } = self.rule.judge(value, target)?;
        let loss = weight * loss;
        require_finite("sum of losses", self.tally.loss + loss)?;
        let slot = id.and_then(|id| self.function.slot_of(id));
        let coefficient = slot.map_or(0.0, |slot| self.function.coefficients()[slot]);
        // Thresholds move with a step.
        let thresholds = match &self.rule {
            Rule::Ranking { .. } => Some(self.rule.clone()),
            _ => None,
        };
        let (step, updated) = self.rule.step(Seen { value, target, coefficient, own, weight });
        let planned = match (step != 0.0, slot) {
            (false, _) => Ok(None),
            (true, _) if !self.function.can_step(coefficient, step) => {
                require_finite("step", f64::INFINITY).map(|()| None)
            }
            (true, Some(_)) => Ok(None),
            (true, None) => self.function.admit(item, own, id.unwrap_or(self.tally.examples), step).map(Some),
        };
        match planned {
            Ok(admitted) => {
                let outcome = Outcome { value, prediction, loss, mistake, updated };
                Ok(Round { outcome, own, weight, step, slot, admitted, thresholds })
            }
            Err(error) => {
                if let Some(rule) = thresholds {
                    self.rule = rule;
                }
                Err(error)
            }
        }
    }

    /// Learns what was planned.
    pub(super) fn finish(&mut self, round: Round) -> Outcome {
        let Round { outcome, own, weight, step, slot, admitted, .. } = round;
        match (slot, admitted) {
            (Some(slot), _) if step != 0.0 => {
                if let Some(votes) = &mut self.votes {
                    votes.update(slot, step);
                }
                self.function.step(slot, step);
            }
            (None, Some(admitted)) => {
                if let Some(votes) = &mut self.votes {
                    votes.update(self.function.memory().len() - 1, step);
                }
                self.function.add(step, admitted);
            }
            _ => {
                if let Some(votes) = &mut self.votes {
                    votes.survived();
                }
            }
        }
        self.function.tick(weight);
        self.tally.add(&outcome, own, weight);
        outcome
    }

    /// Forgets what was planned: the machine is as it was before.
    pub(super) fn withdraw(&mut self, round: Round) {
        if round.admitted.is_some() {
            self.function.dismiss();
        }
        if let Some(rule) = round.thresholds {
            self.rule = rule;
        }
    }

    /// What the mean of all functions on the way says, if it is kept.
    ///
    /// # Errors
    /// As [`Online::predict`]; [`Error::Unsupported`] if it is not kept.
    pub fn predict_averaged(&self, item: M::Item<'_>) -> Result<f64> {
        Ok(self.rule.prediction(self.function.averaged_value(item)?))
    }

    /// What the functions on the way vote for, if they do.
    ///
    /// # Errors
    /// As [`Online::predict`]; [`Error::Unsupported`] if they do not.
    pub fn predict_voted(&self, item: M::Item<'_>) -> Result<f64> {
        let Some(votes) = &self.votes else {
            return Err(Error::Unsupported { what: "the machine keeps no votes: ask for them first".into() });
        };
        let mut values = Vec::new();
        self.function.memory().compare(item, &mut values)?;
        Ok(self.rule.prediction(votes.count(&values, self.function.state().constant)))
    }
}

fn require_finite(what: &'static str, value: f64) -> Result<()> {
    let expected = "a finite number: scale the features and the targets";
    if value.is_finite() { Ok(()) } else { Err(Error::Entry { what, index: 0, value, expected }) }
}

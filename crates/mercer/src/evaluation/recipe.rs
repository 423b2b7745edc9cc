//! All that is decided from the rows to learn from: scaling, width of the kernel, cost, coefficients.
//!
//! An honest test repeats all of it without the rows to be tested. So it is one thing, that is done once for the
//! model and again for each fold.

use std::time::{Duration, Instant};

use super::learner::Learner;
use super::within::fit_within;
use super::{Choice, Regression, trials};
use crate::data::{Examples, Items, Scaling, ScalingKind, Split, TargetList, Vectors};
use crate::error::Result;
use crate::kernel::Expression;
use crate::machine::{FitProgress, SvcParams};
use crate::solver::{Control, Progress};

/// Rows that a cost is chosen by first if the time for it is limited.
const FEW_TO_CHOOSE: usize = 500;

/// Where the cost comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Costs {
    /// It is that of the machine.
    #[default]
    Given,
    /// It is chosen among these, see [`choose_cost`](super::choose_cost); for a [`Regression`] they may be multiples of a unit.
    Among(Vec<f64>),
}

/// How a classifier, a [`Regression`] or a [`Detector`](super::Detector) is made from rows of numbers and their targets.
///
/// ```
/// use mercer::data::{Examples, Labels, ScalingKind, Vectors};
/// use mercer::evaluation::{Costs, Recipe};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// use mercer::solver::Control;
/// let rows = Vectors::from_rows(&[[0.0], [10.0], [1.0], [11.0], [2.0], [12.0], [0.5], [11.5]])?;
/// let labels = Labels::from_text(["low", "high", "low", "high", "low", "high", "low", "high"]);
/// let recipe = Recipe {
///     scaling: Some(ScalingKind::Standardise),
///     costs: Costs::Among(vec![1.0, 10.0]),
///     ..Recipe::new(Svc::params("gaussian(gamma=median)".parse::<Expression>()?))
/// };
/// let learned = recipe.learn(Examples::new(&rows, &labels), &|_| Control::Continue)?;
/// assert_eq!(learned.choice.as_ref().unwrap().cost, 1.0);
/// assert_eq!(learned.predict(&Vectors::from_rows(&[[1.5]])?)?, ["low"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recipe<M> {
    /// How the columns are scaled, found from the rows to learn from.
    pub scaling: Option<ScalingKind>,
    /// The machine, its kernel not yet resolved.
    pub machine: M,
    /// Where its cost comes from.
    pub costs: Costs,
    /// Most time for the choice of the cost.
    pub choice_time: Option<Duration>,
    /// What random divisions are drawn from.
    pub seed: u64,
}

/// What a recipe has made.
#[derive(Clone, Debug)]
pub struct Learned<M: Learner> {
    /// What is done to rows before the model sees them.
    pub scaling: Option<Scaling>,
    /// The machine with its cost, and with all that it took from the targets.
    pub machine: M,
    /// The model.
    pub model: M::Model,
    /// How the cost was chosen, if it was.
    pub choice: Option<Choice>,
    /// The rows that it was learned from, if the time was not enough for all.
    pub rows: Option<Vec<usize>>,
}

impl<M: Learner> Recipe<M> {
    /// The machine with its own cost, without scaling.
    pub fn new(machine: M) -> Self {
        Recipe { scaling: None, machine, costs: Costs::Given, choice_time: None, seed: 0 }
    }

    /// Learns from examples. While the cost is being chosen, the observer sees a gap of ∞: nothing is known of the model yet.
    ///
    /// # Errors
    /// Those of scaling, of [`choose_cost`](super::choose_cost) and of a fit.
    pub fn learn(
        &self,
        examples: Examples<'_, Vectors<'_>, M::Targets>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Learned<M>> {
        self.learn_and_predict(examples, 0, observer)
    }

    /// The same, if so many rows are to be predicted afterwards within the limit of time.
    pub(super) fn learn_and_predict(
        &self,
        examples: Examples<'_, Vectors<'_>, M::Targets>,
        to_predict: usize,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Learned<M>> {
        let begun = Instant::now();
        examples.check()?;
        let (mut machine, unit) = self.machine.adapted(examples.targets, examples.weights)?;
        let scaling = self
            .scaling
            .map(|kind| Scaling::fit_weighted(kind, examples.items, examples.weights))
            .transpose()?;
        // The limit is for all of it.
        let deadline = machine.fit_options().solver.max_time.and_then(|limit| begun.checked_add(limit));
        let n = examples.items.len();
        let choice = match &self.costs {
            Costs::Given => None,
            Costs::Among(costs) => {
                let end = self.choice_time.and_then(|time| Instant::now().checked_add(time));
                // Nothing is known of the model yet, but who watches may have had enough.
                let late = || {
                    end.is_some_and(|end| Instant::now() >= end) || is_cancelled(observer, n, begun.elapsed())
                };
                let costs: Vec<f64> = costs.iter().map(|cost| cost * unit).collect();
                let choose = |most: usize, late: &(dyn Fn() -> bool + Sync)| {
                    let sample = Split::sample(&examples.targets.strata(), most, self.seed)?;
                    let part = examples.select(&sample);
                    let scaled = scaling.as_ref().map(|scaling| scaling.apply(&part.items)).transpose()?;
                    let part = part.view();
                    let part = Examples { items: scaled.as_ref().unwrap_or(part.items), ..part };
                    machine.choose(part, &costs, self.seed, late)
                };
                match end {
                    Some(end) if n > FEW_TO_CHOOSE * 2 => {
                        // A choice by few rows is better than none by many.
                        let few = choose(FEW_TO_CHOOSE, &late)?;
                        let left = end.saturating_duration_since(Instant::now());
                        let most = n.min(trials::MOST_ROWS);
                        let needed = begun.elapsed().mul_f64((most as f64 / FEW_TO_CHOOSE as f64).powi(2));
                        match few {
                            Some(few) if late() || needed > left => Some(few),
                            Some(few) => {
                                choose(most, &late)?.filter(|choice| !choice.cut_short).or(Some(few))
                            }
                            None => None,
                        }
                    }
                    _ => choose(trials::MOST_ROWS, &late)?,
                }
            }
        };
        if let Some(choice) = &choice {
            machine = machine.chosen(choice);
        }
        let (model, rows) = match deadline {
            Some(deadline) => {
                let time = (deadline, to_predict);
                fit_within(&machine, examples, scaling.as_ref(), time, self.seed, observer)?
            }
            None => {
                let scaled = scaling.as_ref().map(|scaling| scaling.apply(examples.items)).transpose()?;
                let items = scaled.as_ref().unwrap_or(examples.items);
                (machine.fit(items, examples.targets, examples.weights, None, observer)?, None)
            }
        };
        Ok(Learned { scaling, machine, model, choice, rows })
    }

    /// Learns from all examples, beginning with the coefficients of an earlier model of the same rows: one that was
    /// stopped, or had another cost. The scaling is that of the earlier model and the cost the machine's own: neither is
    /// decided anew.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, ScalingKind, Vectors};
    /// use mercer::evaluation::Recipe;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// use mercer::solver::{Control, Status};
    /// let rows = Vectors::from_rows(&[[0.0], [10.0], [1.0], [11.0], [9.0], [2.0]])?;
    /// let labels = Labels::from_text(["low", "high", "low", "high", "low", "high"]);
    /// let examples = Examples::new(&rows, &labels);
    /// let machine = Svc::params("gaussian(gamma=1)".parse::<Expression>()?);
    /// let scaling = Some(ScalingKind::Standardise);
    /// let stopped = Recipe { scaling, ..Recipe::new(machine.clone().max_iterations(1)) };
    /// let stopped = stopped.learn(examples, &|_| Control::Continue)?;
    /// assert_eq!(stopped.model.status(), Some(Status::IterationLimit));
    /// let recipe = Recipe { scaling, ..Recipe::new(machine) };
    /// let learned = recipe.learn_from(examples, stopped.scaling, &stopped.model, &|_| Control::Continue)?;
    /// assert_eq!(learned.model.status(), Some(Status::Converged));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Recipe::learn`], and for an earlier model with support rows that are not there.
    pub fn learn_from(
        &self,
        examples: Examples<'_, Vectors<'_>, M::Targets>,
        scaling: Option<Scaling>,
        earlier: &M::Model,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Learned<M>> {
        let begun = Instant::now();
        examples.check()?;
        let (machine, _) = self.machine.adapted(examples.targets, examples.weights)?;
        let scaled = scaling.as_ref().map(|scaling| scaling.apply(examples.items)).transpose()?;
        let items = scaled.as_ref().unwrap_or(examples.items);
        let limited = match machine.fit_options().solver.max_time {
            Some(limit) => machine.clone().within(limit.saturating_sub(begun.elapsed())),
            None => machine.clone(),
        };
        let model = limited.fit(items, examples.targets, examples.weights, Some(earlier), observer)?;
        Ok(Learned { scaling, machine, model, choice: None, rows: None })
    }
}

/// Asks whoever watches, before there is anything to tell of a model.
pub(super) fn is_cancelled(
    observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    rows: usize,
    elapsed: Duration,
) -> bool {
    let progress = Progress {
        outer_iterations: 0,
        iterations: 0,
        kkt_gap: f64::INFINITY,
        objective: 0.0,
        support: 0,
        active: rows,
        elapsed,
    };
    observer(&FitProgress { problem: 0, problems: 1, progress }) == Control::Cancel
}

impl<M: Learner> Learned<M> {
    /// Rows as the model wants them: scaled, if it was trained on scaled ones.
    ///
    /// # Errors
    /// Rows that cannot be scaled.
    pub fn prepare(&self, rows: &Vectors<'_>) -> Result<Vectors<'static>> {
        match &self.scaling {
            Some(scaling) => scaling.apply(rows),
            None => Ok(rows.select(&(0..rows.len()).collect::<Vec<_>>())),
        }
    }
}

impl Learned<SvcParams<Expression>> {
    /// Scores of rows as they come: for each one per class of the model.
    ///
    /// # Errors
    /// Rows that cannot be scaled, or that the kernel is not defined on.
    pub fn scores(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        self.model.scores(&self.prepare(rows)?)
    }

    /// Classes of rows as they come, by name.
    ///
    /// # Errors
    /// As [`Learned::scores`].
    pub fn predict(&self, rows: &Vectors<'_>) -> Result<Vec<&str>> {
        let classes = self.model.classes();
        let winner = crate::machine::one_against_one::winner;
        Ok(self
            .scores(rows)?
            .chunks_exact(classes.len())
            .map(|of_row| classes[winner(of_row)].as_str())
            .collect())
    }
}

impl Learned<Regression<Expression>> {
    /// Numbers for rows as they come.
    ///
    /// # Errors
    /// As [`Learned::scores`].
    pub fn predict(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        self.model.predict(&self.prepare(rows)?)
    }
}

//! All that is decided from the rows to learn from: scaling, width of the kernel, cost, coefficients.
//!
//! An honest test repeats all of it without the rows to be tested. So it is one thing, that is done once for the
//! model and again for each fold.

use std::time::{Duration, Instant};

use super::within::fit_within;
use super::{Choice, choose_cost};
use crate::data::{Examples, Scaling, ScalingKind, Vectors};
use crate::error::Result;
use crate::kernel::Expression;
use crate::machine::{FitProgress, SvcModel, SvcParams};
use crate::solver::Control;

/// Where the cost comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Costs {
    /// It is that of the machine.
    #[default]
    Given,
    /// It is chosen among these, see [`choose_cost`].
    Among(Vec<f64>),
}

/// How a classifier is made from rows of numbers and their labels.
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
pub struct Recipe {
    /// How the columns are scaled, found from the rows to learn from.
    pub scaling: Option<ScalingKind>,
    /// The machine, its kernel not yet resolved.
    pub machine: SvcParams<Expression>,
    /// Where its cost comes from.
    pub costs: Costs,
    /// Most time for the choice of the cost.
    pub choice_time: Option<Duration>,
    /// What random divisions are drawn from.
    pub seed: u64,
}

/// What a recipe has made.
#[derive(Clone, Debug)]
pub struct Learned {
    /// What is done to rows before the model sees them.
    pub scaling: Option<Scaling>,
    /// The model.
    pub model: SvcModel<Expression, Vectors<'static>>,
    /// How the cost was chosen, if it was.
    pub choice: Option<Choice>,
    /// The rows that it was learned from, if the time was not enough for all.
    pub rows: Option<Vec<usize>>,
}

impl Recipe {
    /// The machine with its own cost, without scaling.
    pub fn new(machine: SvcParams<Expression>) -> Self {
        Recipe { scaling: None, machine, costs: Costs::Given, choice_time: None, seed: 0 }
    }

    /// Learns from examples.
    ///
    /// # Errors
    /// Those of scaling, of [`choose_cost`] and of a fit.
    pub fn learn(
        &self,
        examples: Examples<'_, Vectors<'_>>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Learned> {
        let begun = Instant::now();
        examples.check()?;
        let Examples { items: rows, labels, weights, groups } = examples;
        let scaling = self.scaling.map(|kind| Scaling::fit(kind, rows)).transpose()?;
        let scaled = scaling.as_ref().map(|scaling| scaling.apply(rows)).transpose()?;
        let rows = scaled.as_ref().unwrap_or(rows);
        let choice = match &self.costs {
            Costs::Given => None,
            Costs::Among(costs) => {
                let deadline = self.choice_time.and_then(|time| Instant::now().checked_add(time));
                let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
                let examples = Examples { items: rows, labels, weights, groups };
                Some(choose_cost(&self.machine, examples, costs, self.seed, &late)?)
            }
        };
        let machine = match &choice {
            Some(choice) => self.machine.clone().cost(choice.cost),
            None => self.machine.clone(),
        };
        let examples = Examples { items: rows, labels, weights, groups };
        // The limit is for all of it.
        let (model, rows) = match machine.fit_options().solver.max_time {
            Some(limit) => {
                let limit = limit.saturating_sub(begun.elapsed());
                fit_within(machine, examples, limit, self.seed, observer)?
            }
            None => (machine.check()?.fit_observed(rows, labels, weights, observer)?, None),
        };
        Ok(Learned { scaling, model, choice, rows })
    }
}

impl Learned {
    /// Scores of rows as they come: for each one per class of the model.
    ///
    /// # Errors
    /// Rows that cannot be scaled, or that the kernel is not defined on.
    pub fn scores(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        match &self.scaling {
            Some(scaling) => self.model.scores(&scaling.apply(rows)?),
            None => self.model.scores(rows),
        }
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

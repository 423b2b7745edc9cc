//! What to expect of a recipe on new rows: tested on rows that had no part in any decision.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::learner::{Learner, Outcome};
use super::recipe::is_cancelled;
use super::testing::MOST_TESTED;
use super::{Learned, Recipe};
use crate::data::{Examples, Items, Split, TargetList, Vectors};
use crate::error::{Error, Result};
use crate::machine::FitProgress;
use crate::solver::{Control, Status};

/// How a recipe was tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// In each of so many folds everything was decided anew without it, the cost included, and tested on it.
    Folds(usize),
    /// On rows that were set aside before anything was decided.
    HeldOut {
        /// Rows that were learned from.
        learned: usize,
        /// Rows that were tested.
        tested: usize,
    },
}

/// The outcome of a test: [`ClassificationTest`](super::ClassificationTest) or
/// [`RegressionTest`](super::RegressionTest), and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assessment<O> {
    /// How it was made.
    pub method: Method,
    /// Models that had not converged when they were tested.
    pub unconverged: usize,
    /// What it says.
    #[serde(flatten)]
    pub outcome: O,
}

impl<M: Learner> Recipe<M> {
    /// Follows the recipe once for each split, on its rows to learn from, and tests the outcome on the others.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, Vectors};
    /// use mercer::evaluation::{Method, Recipe};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// use mercer::solver::Control;
    /// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
    /// let labels = Labels::from_text((0..20).map(|i| if i < 10 { "low" } else { "high" }));
    /// let recipe = Recipe::new(Svc::params("linear".parse::<Expression>()?));
    /// let examples = Examples::new(&rows, &labels);
    /// let test = recipe.assess(examples, &examples.folds(5, 0)?, &|_| Control::Continue)?;
    /// assert_eq!((test.method, test.outcome.confusion.rows()), (Method::Folds(5), 20));
    /// assert!(test.outcome.accuracy() >= 0.9);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// A limit of time is for all splits together: each has the same part of it, with its predictions, for which 10 000 of the rows to
    /// be tested are drawn if there are more. If the observer cancels, the splits that are complete are returned.
    ///
    /// # Errors
    /// As [`Recipe::learn`]; [`Error::Interrupted`] if the observer cancels before one is complete.
    pub fn assess(
        &self,
        examples: Examples<'_, Vectors<'_>, M::Targets>,
        splits: &[Split],
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Assessment<M::Outcome>> {
        let begun = Instant::now();
        let mut tests = Vec::with_capacity(splits.len());
        for (at, split) in splits.iter().enumerate() {
            let mut recipe = self.clone();
            let share = |limit: Duration| limit.saturating_sub(begun.elapsed()) / (splits.len() - at) as u32;
            let limit = self.machine.fit_options().solver.max_time;
            if limit.is_some() {
                recipe.choice_time = self.choice_time.map(|time| time / splits.len() as u32);
            }
            let train = examples.select(&split.train);
            let test = match limit {
                Some(_) if split.test.len() > MOST_TESTED => {
                    let strata = examples.targets.select(&split.test);
                    let sample = Split::sample(&strata.strata(), MOST_TESTED, self.seed)?;
                    sample.into_iter().map(|at| split.test[at]).collect()
                }
                _ => split.test.clone(),
            };
            if let Some(limit) = limit {
                // The rows have taken a part of the time to be copied.
                recipe.machine = recipe.machine.within(share(limit));
            }
            let learned = recipe
                .learn_and_predict(train.view(), test.len(), observer)
                .map_err(|error| of_part(error, || format!("fold {} of {}", at + 1, splits.len())))?;
            // A model that was cut short says nothing.
            if is_cancelled(observer, split.train.len(), begun.elapsed()) {
                break;
            }
            tests.push(learned.test(examples, &Split { train: split.train.clone(), test })?);
        }
        if tests.is_empty() && !splits.is_empty() {
            return Err(Error::Interrupted);
        }
        Ok(join(tests))
    }
}

impl<M: Learner> Learned<M> {
    /// Tests what was learned from a split's rows on its other rows.
    ///
    /// # Errors
    /// As [`Learned::prepare`].
    pub fn test(
        &self,
        examples: Examples<'_, Vectors<'_>, M::Targets>,
        split: &Split,
    ) -> Result<Assessment<M::Outcome>> {
        // Those without weight say nothing, unless there are no others.
        let counts = |row: &usize| examples.weights.is_none_or(|weights| weights[*row] > 0.0);
        let counted: Vec<usize> = split.test.iter().copied().filter(counts).collect();
        let (test, weights): (_, Option<Vec<f64>>) = match counted.is_empty() {
            true => (&split.test, None),
            false => {
                let of = |weights: &[f64]| counted.iter().map(|&row| weights[row]).collect();
                (&counted, examples.weights.map(of))
            }
        };
        let rows = self.prepare(&examples.items.select(test))?;
        let targets = examples.targets.select(test);
        let learned = self.rows.as_ref().map_or(split.train.len(), Vec::len);
        Ok(Assessment {
            method: Method::HeldOut { learned, tested: test.len() },
            unconverged: usize::from(M::ends(&self.model).iter().any(|&end| end != Status::Converged)),
            outcome: self.machine.test(&self.model, &rows, &targets, weights.as_deref())?,
        })
    }
}

/// Names the rows that were left out where the others are too few, or too much alike, to be learned from.
pub(super) fn of_part(error: Error, left_out: impl FnOnce() -> String) -> Error {
    match error {
        Error::OneTarget { .. }
        | Error::OneClass { .. }
        | Error::FewRows { .. }
        | Error::UnknownClass { .. }
        | Error::ClassWithoutWeight { .. }
        | Error::Interval { .. }
        | Error::Parameter { name: "nu", .. } => error.without(left_out()),
        other => other,
    }
}

/// Several tests as one.
fn join<O: Outcome>(tests: Vec<Assessment<O>>) -> Assessment<O> {
    Assessment {
        method: match &tests[..] {
            [only] => only.method,
            tests => Method::Folds(tests.len()),
        },
        unconverged: tests.iter().map(|test| test.unconverged).sum(),
        outcome: O::join(tests.into_iter().map(|test| test.outcome).collect()),
    }
}

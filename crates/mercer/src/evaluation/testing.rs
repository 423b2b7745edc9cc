//! A model, and an honest word on how good it is: learning and testing as one.

use std::time::{Duration, Instant};

use super::assessment::of_part;
use super::learner::Learner;
use super::recipe::is_cancelled;
use super::{Assessment, Costs, Learned, Recipe};
use crate::data::{Examples, Items, TargetList, Vectors};
use crate::error::{Error, Result};
use crate::machine::FitProgress;
use crate::solver::Control;

/// Most rows that are set aside: they make an accuracy known to half a percent.
pub(super) const MOST_TESTED: usize = 10_000;

/// How a recipe is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Testing {
    /// Not at all.
    None,
    /// In so many folds, each time deciding everything anew without it.
    Folds(usize),
    /// On rows that are set aside: a quarter of them if the model is made again from all rows afterwards, else a tenth.
    HeldOut {
        /// Whether it is.
        refit: bool,
    },
}

/// A model, and what to expect of it.
#[derive(Clone, Debug)]
pub struct Tested<M: Learner> {
    /// The model.
    pub learned: Learned<M>,
    /// The test, or why there is none.
    pub test: std::result::Result<Assessment<M::Outcome>, String>,
    /// The rows that the model was trained on, if not on all.
    pub rows: Option<Vec<usize>>,
}

/// A model without a test.
fn untested<M: Learner>(learned: Learned<M>, why: String) -> Result<Tested<M>> {
    Ok(Tested { rows: learned.rows.clone(), learned, test: Err(why) })
}

/// A model of all rows is worth having even if one of a part of them cannot be had, to be tested on the others.
///
/// So is one that somebody did not want to wait for the test of.
fn possible<T>(
    outcome: Result<T>,
    cancelled: impl FnOnce() -> bool,
) -> Result<std::result::Result<T, String>> {
    match outcome {
        Err(Error::Interrupted) if cancelled() => Ok(Err("not tested: interrupted".into())),
        Err(error @ Error::Without { .. }) => Ok(Err(format!("not tested: {error}"))),
        outcome => outcome.map(Ok),
    }
}

impl<M: Learner> Recipe<M> {
    /// Follows the recipe on all rows, or all but those that test it; the model's row numbers are those of `examples`.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, Vectors};
    /// use mercer::evaluation::{Recipe, Testing};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// use mercer::solver::Control;
    /// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
    /// let labels = Labels::from_text((0..20).map(|i| if i < 10 { "low" } else { "high" }));
    /// let recipe = Recipe::new(Svc::params("linear".parse::<Expression>()?));
    /// let testing = Testing::HeldOut { refit: true };
    /// let tested = recipe.learn_and_test(Examples::new(&rows, &labels), testing, None, &|_| Control::Continue)?;
    /// assert_eq!(tested.test.unwrap().outcome.confusion.rows(), 5);
    /// assert_eq!(tested.learned.predict(&rows)?[0], "low");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Recipe::learn`].
    pub fn learn_and_test(
        &self,
        examples: Examples<'_, Vectors<'_>, M::Targets>,
        testing: Testing,
        deadline: Option<Instant>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Tested<M>> {
        let rows = examples.items;
        let counts = examples.targets.strata().counts();
        let smallest = counts.iter().copied().filter(|&n| n > 0).min().unwrap_or(0);
        // Nothing can be chosen if every class has one row only.
        let lonely = Recipe { costs: Costs::Given, ..self.clone() };
        let recipe = if counts.iter().all(|&n| n < 2) { &lonely } else { self };
        let all = |recipe: &Recipe<M>| recipe.learn(examples, observer);
        let late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        match testing {
            Testing::HeldOut { refit } if smallest >= 2 => {
                let test = if refit { rows.len() / 4 } else { rows.len() / 10 }.clamp(1, MOST_TESTED);
                let split = examples.held_out(test, recipe.seed)?;
                let first = recipe
                    .learn_and_predict(examples.select(&split.train).view(), split.test.len(), observer)
                    .map_err(|error| of_part(error, || "the rows set aside".into()));
                let mut first = match possible(first, || false)? {
                    Ok(first) => first,
                    Err(why) => return untested(all(recipe)?, why),
                };
                let test = first.test(examples, &split)?;
                if !refit {
                    first.model = M::renumbered(first.model, &split.train);
                    let rows = match &first.rows {
                        Some(some) => some.iter().map(|&row| split.train[row]).collect(),
                        None => split.train,
                    };
                    return Ok(Tested { learned: first, test: Ok(test), rows: Some(rows) });
                }
                let mut learned = all(&recipe.with_choice(&first))?;
                learned.choice = first.choice;
                Ok(Tested { learned, test: Ok(test), rows: None })
            }
            Testing::Folds(folds) if smallest >= 2 => {
                let learned = all(recipe)?;
                let splits = examples.folds(folds.min(rows.len()), recipe.seed)?;
                let used_up = || Err("not tested: the time limit is used up".to_string());
                let enough = || is_cancelled(observer, rows.len(), Duration::ZERO);
                let test = match deadline {
                    Some(_) if late() => used_up(),
                    Some(deadline) => {
                        let left = deadline.saturating_duration_since(Instant::now());
                        let limited =
                            Recipe { machine: recipe.machine.clone().within(left), ..recipe.clone() };
                        possible(limited.assess(examples, &splits, observer), enough)?
                    }
                    None => possible(recipe.assess(examples, &splits, observer), enough)?,
                };
                // A fold that was cut short says nothing.
                let test = if late() { used_up() } else { test };
                let rows = learned.rows.clone();
                Ok(Tested { learned, test, rows })
            }
            Testing::None => untested(all(recipe)?, "not tested".into()),
            Testing::HeldOut { .. } | Testing::Folds(_) => {
                let why = "not tested: a class has one row only, to learn from or to test";
                untested(all(recipe)?, why.into())
            }
        }
    }

    /// The recipe with the cost that was chosen.
    fn with_choice(&self, learned: &Learned<M>) -> Recipe<M> {
        match &learned.choice {
            Some(choice) => {
                Recipe { machine: self.machine.clone().chosen(choice), costs: Costs::Given, ..self.clone() }
            }
            None => self.clone(),
        }
    }
}

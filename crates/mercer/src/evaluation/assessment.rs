//! What to expect of a recipe on new rows: tested on rows that had no part in any decision.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Confusion, Learned, Recipe, roc_auc};
use crate::data::{Examples, Items, Labels, Split, Vectors};
use crate::error::Result;
use crate::machine::{FitProgress, one_against_one};
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

/// The outcome of a test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// How it was made.
    pub method: Method,
    /// What was taken for what, all tested rows together.
    pub confusion: Confusion,
    /// The share of right answers in each fold.
    pub folds: Vec<f64>,
    /// Models that had not converged when they were tested.
    pub unconverged: usize,
    /// For two classes the area under the ROC curve, the mean over the folds that have rows of both.
    pub auc: Option<f64>,
}

impl Assessment {
    /// The share of all tested rows that were right.
    pub fn accuracy(&self) -> f64 {
        self.confusion.accuracy()
    }

    /// How far the accuracy may be off by chance: one standard error, from the spread of the folds, or from the
    /// number of rows where there is one part only.
    pub fn standard_error(&self) -> f64 {
        let k = self.folds.len() as f64;
        if self.folds.len() < 2 {
            let p = self.accuracy();
            return (p * (1.0 - p) / self.confusion.rows() as f64).sqrt();
        }
        let mean = self.folds.iter().sum::<f64>() / k;
        let variance = self.folds.iter().map(|fold| (fold - mean).powi(2)).sum::<f64>() / (k - 1.0);
        (variance / k).sqrt()
    }
}

impl Recipe {
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
    /// assert_eq!((test.method, test.confusion.rows()), (Method::Folds(5), 20));
    /// assert!(test.accuracy() >= 0.9);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Recipe::learn`].
    pub fn assess(
        &self,
        examples: Examples<'_, Vectors<'_>>,
        splits: &[Split],
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Assessment> {
        let begun = Instant::now();
        let mut tests = Vec::with_capacity(splits.len());
        for (at, split) in splits.iter().enumerate() {
            // The limits are for all folds together.
            let mut recipe = self.clone();
            let share = |limit: Duration| limit.saturating_sub(begun.elapsed()) / (splits.len() - at) as u32;
            if let Some(limit) = self.machine.fit_options().solver.max_time {
                recipe.machine = recipe.machine.max_time(share(limit));
                recipe.choice_time = self.choice_time.map(|time| time.min(share(limit) / 4));
            }
            let learned = recipe.learn(examples.select(&split.train).view(), observer)?;
            tests.push(learned.test(examples.items, examples.labels, split)?);
        }
        Ok(join(examples.labels, tests))
    }
}

impl Learned {
    /// Tests what was learned from a split's rows on its other rows.
    ///
    /// # Errors
    /// As [`Learned::scores`].
    pub fn test(&self, rows: &Vectors<'_>, labels: &Labels, split: &Split) -> Result<Assessment> {
        let scores = self.scores(&rows.select(&split.test))?;
        let classes = self.model.classes();
        let place: Vec<usize> = classes
            .iter()
            .map(|class| labels.classes().iter().position(|other| other == class).unwrap_or_default())
            .collect();
        let mut confusion = Confusion::empty(labels.classes().to_vec());
        for (of_row, &row) in scores.chunks_exact(classes.len()).zip(&split.test) {
            confusion.add(labels.codes()[row] as usize, place[one_against_one::winner(of_row)]);
        }
        let auc = match &place[..] {
            &[_, later] => {
                let scores: Vec<f64> = scores.chunks_exact(2).map(|of_row| of_row[1]).collect();
                let positive: Vec<bool> =
                    split.test.iter().map(|&row| labels.codes()[row] as usize == later).collect();
                roc_auc(&scores, &positive)
            }
            _ => None,
        };
        let learned = self.rows.as_ref().map_or(split.train.len(), Vec::len);
        let method = Method::HeldOut { learned, tested: split.test.len() };
        let unconverged = usize::from(self.model.status().is_some_and(|status| status != Status::Converged));
        Ok(Assessment { method, folds: vec![confusion.accuracy()], unconverged, confusion, auc })
    }
}

/// Several tests as one.
fn join(labels: &Labels, tests: Vec<Assessment>) -> Assessment {
    let mut confusion = Confusion::empty(labels.classes().to_vec());
    tests.iter().for_each(|test| confusion.merge(&test.confusion));
    let aucs: Vec<f64> = tests.iter().filter_map(|test| test.auc).collect();
    Assessment {
        method: match &tests[..] {
            [only] => only.method,
            tests => Method::Folds(tests.len()),
        },
        confusion,
        unconverged: tests.iter().map(|test| test.unconverged).sum(),
        folds: tests.iter().flat_map(|test| test.folds.clone()).collect(),
        auc: (!aucs.is_empty()).then(|| aucs.iter().sum::<f64>() / aucs.len() as f64),
    }
}

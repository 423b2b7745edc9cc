//! What is told about each task: its targets, and how good a model is.

mod classes;
mod novelty;
mod numbers;

use mercer::Result;
use mercer::data::Vectors;
use mercer::evaluation::{Assessment, Learned, Learner, Method};
use mercer::io::TrainedMachine;
use serde_json::{Map, Value};

use crate::print::{Page, plural};

pub use classes::{confusion, f1};
pub use novelty::{kinds, kinds_json};
pub use numbers::{describe, errors};

/// A learner that can be told about.
pub trait Telling: Learner {
    /// The model among models of all kinds.
    fn any(model: Self::Model) -> TrainedMachine;

    /// The model, if it is of this kind.
    fn of_any(model: TrainedMachine) -> Option<Self::Model>;

    /// What there is to be learned.
    fn targets(page: &mut Page, targets: &Self::Targets);

    /// The same for programs: a name and a value.
    fn targets_json(targets: &Self::Targets) -> (&'static str, Value);

    /// How a cost did when it was tried.
    fn tried(&self, outcome: f64) -> String;

    /// What to expect of new rows, in a line.
    fn in_words(test: &Assessment<Self::Outcome>) -> String;

    /// What else a test says.
    fn details(page: &mut Page, test: &Assessment<Self::Outcome>);

    /// Each fold by itself.
    fn folds(page: &mut Page, test: &Assessment<Self::Outcome>);

    /// What the user should know beyond the summary.
    fn advice(_test: &Assessment<Self::Outcome>) -> Option<&'static str> {
        None
    }

    /// What is worth telling about the rows that were learned from.
    fn own_rows(
        _learned: &Learned<Self>,
        _rows: &Vectors<'_>,
        _weights: Option<&[f64]>,
        _page: &mut Page,
        _json: &mut Map<String, Value>,
    ) -> Result<()> {
        Ok(())
    }
}

/// What to expect, and what else a test says.
pub fn show<M: Telling>(page: &mut Page, test: &Assessment<M::Outcome>) {
    page.line("on new rows", format!("expect {}", M::in_words(test)));
    M::details(page, test);
}

/// How a test was made.
fn how(method: Method) -> String {
    match method {
        Method::Folds(folds) => format!("{folds} folds, in each of which all was decided anew without it"),
        Method::HeldOut { learned, tested } => {
            let (learned, tested) = (plural(learned as u64, "row"), plural(tested as u64, "other"));
            format!("learned from {learned}, tested on {tested}")
        }
    }
}

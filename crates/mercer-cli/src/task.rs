//! Classes, numbers, or neither: what is to be learned from a file.

use mercer::data::{Labels, Remarks, Targets};
use mercer::evaluation::{Aside, check_targets};
use mercer::{Error, Result};

use crate::print::note;

/// More different labels than this do not tell what is novel.
const MOST_KINDS: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Task {
    Classify,
    Regress,
    Novelty,
}

/// What is learned.
pub enum Aim {
    Classes(Labels),
    Numbers(Vec<f64>),
    /// Nothing but what the rows look like; labels, where there are any, are compared with.
    Novelty(Option<Aside>),
}

impl Aim {
    pub fn task(&self) -> Task {
        match self {
            Aim::Classes(_) => Task::Classify,
            Aim::Numbers(_) => Task::Regress,
            Aim::Novelty(_) => Task::Novelty,
        }
    }

    /// What was asked for, or what the targets look like ([`Targets::guess`]).
    pub fn of(
        task: Option<Task>,
        targets: &Targets,
        column: Option<&str>,
        remarks: &Remarks,
    ) -> Result<Self> {
        match task {
            Some(Task::Novelty) => {
                let few = |labels: &Labels| (2..=MOST_KINDS).contains(&labels.classes().len());
                Ok(Aim::Novelty(targets.labels().ok().filter(few).map(Aside)))
            }
            Some(Task::Regress) => {
                numbers(targets, column, remarks, ", --task classify learns classes").map(Aim::Numbers)
            }
            None if targets.guess().is_regression => {
                tell_guess(targets, column);
                numbers(targets, column, remarks, ", --task classify learns classes").map(Aim::Numbers)
            }
            None | Some(Task::Classify) => match targets.labels()? {
                labels if labels.classes().len() < 2 => {
                    Err(Error::OneClass { label: labels.classes().first().cloned().unwrap_or_default() })
                }
                labels => Ok(Aim::Classes(labels)),
            },
        }
    }
}

/// Tells that whole numbers, which could name classes, are taken for numbers to be met.
fn tell_guess(targets: &Targets, column: Option<&str>) {
    let guess = targets.guess();
    if guess.is_regression && guess.whole {
        let column = column.map_or("the labels are".to_string(), |name| format!("column `{name}` has"));
        note(format!("mercer: {column} {guess}: regression targets (--task classify learns classes)"));
    }
}

/// The numbers to be met; of one that cannot be it is told where it stands, and what else there is.
pub fn numbers(
    targets: &Targets,
    column: Option<&str>,
    remarks: &Remarks,
    otherwise: &str,
) -> Result<Vec<f64>> {
    let refused = |row: usize, problem: String| {
        let numbers = remarks.numbers(targets.rows().unwrap_or(0));
        let row = 1 + numbers.map_or(row, |numbers| numbers[row]);
        let column = column.map_or("the label column".to_string(), |name| format!("column `{name}`"));
        Error::Unsupported { what: format!("row {row}, {column}: {problem}") }
    };
    let checked = targets.numbers().and_then(|numbers| check_targets(numbers).map(|()| numbers.to_vec()));
    checked.map_err(|error| match error {
        Error::WordTarget { row, word } => refused(
            row,
            format!(
                "`{word}` is not a number, and numbers are needed (--label names another column{otherwise})"
            ),
        ),
        Error::Entry { index, value, expected, .. } => {
            refused(index, format!("a target of {value:e}, expected {expected}"))
        }
        error => error,
    })
}

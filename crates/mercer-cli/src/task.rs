//! Classes, numbers, or neither: what is to be learned from a file.

use mercer::data::{Labels, Remarks, Targets};
use mercer::evaluation::{Aside, check_targets};
use mercer::{Error, Result};

/// More different numbers than this are measurements rather than classes, whole numbers or not.
const MANY_NUMBERS: usize = 100;
/// The same for numbers that are not all whole.
const MANY_FRACTIONS: usize = 20;
/// More different numbers than this are measurements if most rows have one of their own.
const RARE_NUMBERS: usize = 10;

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

    /// What was asked for, or what the targets look like: words and few whole numbers that come again and again are classes.
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
            None if look_measured(targets)? => {
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

/// Whether these are measurements rather than names of classes.
pub fn look_measured(targets: &Targets) -> Result<bool> {
    let Targets::Numbers(numbers) = targets else { return Ok(false) };
    let whole = numbers.iter().all(|number| number.fract() == 0.0);
    let different = targets.labels()?.classes().len();
    let hardly_repeated = different > RARE_NUMBERS && 2 * different > numbers.len();
    Ok(hardly_repeated || different > if whole { MANY_NUMBERS } else { MANY_FRACTIONS })
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

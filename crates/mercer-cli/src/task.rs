//! Classes or numbers: what the last column wants to be.

use mercer::data::{Labels, Targets};
use mercer::{Error, Result};

use crate::arguments::TaskArgument;
use crate::print::count;

/// More different numbers than this are measurements rather than classes, whole numbers or not.
const MANY_NUMBERS: usize = 100;
/// The same for numbers that are not all whole.
const MANY_FRACTIONS: usize = 20;

/// The classes to be learned.
pub fn labels(task: TaskArgument, targets: &Targets) -> Result<Labels> {
    let labels = targets.labels()?;
    let looks_measured = match targets {
        Targets::Numbers(numbers) => {
            let whole = numbers.iter().all(|number| number.fract() == 0.0);
            labels.classes().len() > if whole { MANY_NUMBERS } else { MANY_FRACTIONS }
        }
        _ => false,
    };
    let refuse = |what: String| Err(Error::Unsupported { what });
    match task {
        TaskArgument::Numbers => {
            refuse("--task numbers: regression is not there yet, only classes can be learned".into())
        }
        TaskArgument::Auto if looks_measured => refuse(format!(
            "the labels are {} different numbers, measurements rather than classes: regression is not there yet; \
             --task classes learns each number as a class of its own, --label names another column",
            count(labels.classes().len() as u64)
        )),
        TaskArgument::Auto | TaskArgument::Classes => Ok(labels),
    }
}

//! Which rows to learn from and which to test on.
//!
//! What is random in a division is drawn from a seed: the same seed gives the same division on every machine.
//! [`Splitting`] describes any of them, in words too.

mod folds;
mod groups;
mod held_out;
mod predefined;
mod splitting;
mod time_series;
mod words;

pub use splitting::Splitting;
pub use time_series::TimeSeries;

use super::{Labels, Random};
use crate::error::{Error, Result};
use crate::resources::{available_memory, default_budget};

/// A division of rows, each in ascending order; no row is in both.
///
/// ```
/// use mercer::data::{Labels, Split};
/// let labels = Labels::from_text(["a", "b", "a", "b", "a", "b"]);
/// let folds = Split::stratified(&labels, 3, 0)?;
/// assert_eq!(folds.len(), 3);
/// // Every fold tests one row of each class and learns from the other four rows.
/// for fold in &folds {
///     assert_eq!((fold.train.len(), fold.test.len()), (4, 2));
///     assert_ne!(labels.text(fold.test[0]), labels.text(fold.test[1]));
/// }
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Rows to learn from.
    pub train: Vec<usize>,
    /// Rows to test on.
    pub test: Vec<usize>,
}

fn rows_by_class(labels: &Labels) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); labels.classes().len()];
    labels.codes().iter().enumerate().for_each(|(row, &class)| rows[class as usize].push(row));
    rows
}

/// One split per fold, which tests the rows of that fold.
fn by_fold(fold_of: &[usize], k: usize) -> Result<Vec<Split>> {
    check_memory(k, fold_of.len())?;
    let split = |fold| {
        let (test, train) = (0..fold_of.len()).partition(|&row| fold_of[row] == fold);
        Split { train, test }
    };
    Ok((0..k).map(split).collect())
}

/// Seeds of repetitions: the first is the given one, so that the first repetition is what there is without others.
fn seeds(seed: u64, times: usize) -> impl Iterator<Item = u64> {
    let mut random = Random::new(seed);
    std::iter::once(seed).chain(std::iter::repeat_with(move || random.next_u64())).take(times)
}

fn check_folds(k: usize, rows: usize) -> Result<()> {
    if k < 2 || k > rows {
        let expected = "from 2 to the number of rows";
        return Err(Error::Parameter { name: "folds", value: k as f64, expected });
    }
    Ok(())
}

fn check_times(times: usize) -> Result<()> {
    match times {
        0 => Err(Error::Parameter { name: "repetitions", value: 0.0, expected: "1 at least" }),
        _ => Ok(()),
    }
}

/// Every split names every row, and leaving out each row of many takes n².
fn check_memory(splits: usize, rows: usize) -> Result<()> {
    let needed = (splits as u64).saturating_mul(rows as u64).saturating_mul(size_of::<usize>() as u64);
    let allowed = available_memory().map_or_else(default_budget, |bytes| bytes / 2);
    match needed > allowed {
        true => {
            Err(Error::Budget { what: "lists of rows", needed, allowed, instead: "ask for fewer splits" })
        }
        false => Ok(()),
    }
}

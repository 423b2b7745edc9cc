//! Divisions that learn from the past and test on the future.

use super::{Split, check_memory};
use crate::error::{Error, Result};

/// How rows in order of time are divided: the last ones are cut into `splits` parts of one size, each of which is tested
/// by what was learned from the rows before it.
///
/// With n rows and parts of m rows, part i = 0, 1, … begins at s = n − (splits − i)·m. It tests the rows s to s + m − 1, and
/// the rows before s − `gap` are learned from, the last `most_train` of them if so asked. These are the divisions of
/// scikit-learn's `TimeSeriesSplit`.
///
/// ```
/// use mercer::data::{Split, TimeSeries};
/// let splits = Split::time_series(10, &TimeSeries { gap: 1, ..TimeSeries::new(3) })?;
/// let ends: Vec<_> = splits.iter().map(|split| (split.train.len(), split.test.clone())).collect();
/// assert_eq!(ends, [(3, vec![4, 5]), (5, vec![6, 7]), (7, vec![8, 9])]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSeries {
    /// How many parts are tested, two at least.
    pub splits: usize,
    /// Rows left out between those that are learned from and those that are tested.
    pub gap: usize,
    /// Rows of a part; `None` for n / (splits + 1), rounded down.
    pub test: Option<usize>,
    /// Rows that are learned from, at most; `None` for all of the past.
    pub most_train: Option<usize>,
}

impl TimeSeries {
    /// So many parts, everything else as it is by default.
    pub fn new(splits: usize) -> Self {
        TimeSeries { splits, gap: 0, test: None, most_train: None }
    }

    pub(super) fn check(&self) -> Result<()> {
        let positive = |name, value: Option<usize>| match value {
            Some(0) => Err(Error::Parameter { name, value: 0.0, expected: "1 at least" }),
            _ => Ok(()),
        };
        if self.splits < 2 {
            let (name, expected) = ("splits of a time series", "2 at least");
            return Err(Error::Parameter { name, value: self.splits as f64, expected });
        }
        positive("rows of a test", self.test)?;
        positive("rows to learn from", self.most_train)
    }
}

impl Split {
    /// Learns from the past and tests on the future, see [`TimeSeries`]. O(splits·n).
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two parts, parts without rows, or so many rows in them and between that the
    /// first has no past; [`Error::Budget`] as [`Split::folds`].
    pub fn time_series(rows: usize, series: &TimeSeries) -> Result<Vec<Split>> {
        series.check()?;
        let TimeSeries { splits, gap, most_train, .. } = *series;
        let test = series.test.unwrap_or(rows / splits.saturating_add(1));
        let begin = splits.checked_mul(test).and_then(|tested| rows.checked_sub(tested));
        let past = begin.and_then(|begin| begin.checked_sub(gap)).unwrap_or(0);
        let (Some(begin), true, true) = (begin, test > 0, past > 0) else {
            let expected = "more than the parts to be tested and the gap take together";
            return Err(Error::Parameter { name: "rows", value: rows as f64, expected });
        };
        check_memory(splits, rows)?;
        let split = |part: usize| {
            let (start, end) = (begin + part * test, past + part * test);
            let first = end.saturating_sub(most_train.unwrap_or(end));
            Split { train: (first..end).collect(), test: (start..start + test).collect() }
        };
        Ok((0..splits).map(split).collect())
    }
}

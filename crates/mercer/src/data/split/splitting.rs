//! Any way of dividing rows, as a value.

use super::{Split, TimeSeries, check_times};
use crate::data::Labels;
use crate::error::{Error, Result};

/// A way of dividing rows into some to learn from and some to test on. It is printed and parsed as words.
///
/// | words | splits | in scikit-learn |
/// |---|---|---|
/// | `5` or `folds:5` | [`Split::folds`] | `KFold(shuffle=True)` |
/// | `stratified:5` | [`Split::stratified`] | `StratifiedKFold(shuffle=True)` |
/// | `grouped:5` | [`Split::grouped`] | `GroupKFold` |
/// | `stratified-grouped:5` | [`Split::stratified_grouped`] | `StratifiedGroupKFold(shuffle=True)` |
/// | `repeated:5x10`, `stratified-repeated:5x10` | [`Split::repeated`] | `RepeatedKFold`, `RepeatedStratifiedKFold` |
/// | `leave-one-out` or `loo` | [`Split::leave_one_out`] | `LeaveOneOut` |
/// | `leave-one-group-out` or `logo` | [`Split::leave_one_group_out`] | `LeaveOneGroupOut` |
/// | `time-series:5`, `time-series:5,gap=2,test=10,train=100` | [`Split::time_series`] | `TimeSeriesSplit` |
/// | `predefined:0,0,1,-1` | [`Split::predefined`] | `PredefinedSplit` |
/// | `held-out:0.25x10`, `stratified-held-out:0.25x10` | [`Split::held_out_often`] | `ShuffleSplit`, `StratifiedShuffleSplit` |
///
/// Those without chance (leaving one out, time series, predefined) are scikit-learn's to the row. The others keep the same
/// promises with another random generator, with these differences: rows are always in random order, and groups of one
/// size too; both sides of a split are in ascending order; a class with fewer rows than folds is taken, and missing from
/// some folds; of a class of two rows or more one is always learned from when rows are set aside.
///
/// ```
/// use mercer::data::{Labels, Splitting};
/// let splitting: Splitting = "stratified-repeated:2x3".parse()?;
/// let labels = Labels::from_text(["a", "b", "a", "b"]);
/// let splits = splitting.splits(4, Some(&labels), None, 0)?;
/// assert_eq!((splits.len(), splits[0].test.len()), (6, 2));
/// assert_eq!(splitting.to_string(), "stratified-repeated:2x3");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Splitting {
    /// k folds in random order.
    Folds {
        /// How many.
        k: usize,
    },
    /// k folds, of every class its share.
    Stratified {
        /// How many.
        k: usize,
    },
    /// k folds of whole groups.
    Grouped {
        /// How many.
        k: usize,
    },
    /// k folds of whole groups, of every class about its share.
    StratifiedGrouped {
        /// How many.
        k: usize,
    },
    /// k folds several times over, each time in another random order.
    Repeated {
        /// How many folds.
        k: usize,
        /// How many times.
        times: usize,
        /// Whether every fold has of every class its share.
        stratified: bool,
    },
    /// Every row by itself.
    LeaveOneOut,
    /// Every group by itself.
    LeaveOneGroupOut,
    /// The past to learn from and the future to test on.
    TimeSeries(TimeSeries),
    /// For each row the fold that tests it, or −1.
    Predefined(Vec<i64>),
    /// Rows set aside at random.
    HeldOut {
        /// The share of the rows that is set aside, above 0 and below 1: ⌈share · rows⌉ of them.
        share: f64,
        /// How many times.
        times: usize,
        /// Whether of every class its share is set aside.
        stratified: bool,
    },
}

impl Splitting {
    /// The splits of so many rows. Labels and groups are asked for where the splits depend on them.
    ///
    /// # Errors
    /// [`Error::Empty`] without rows, labels or groups that are needed, [`Error::Shape`] unless there is one of each per
    /// row, [`Error::Parameter`] for parameters that have no meaning or that so few rows do not allow, [`Error::Budget`] if
    /// the lists of rows would take more than half of the memory.
    pub fn splits(
        &self,
        rows: usize,
        labels: Option<&Labels>,
        groups: Option<&[u64]>,
        seed: u64,
    ) -> Result<Vec<Split>> {
        self.check()?;
        if rows == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        let one_per_row = |what, found| match found == rows {
            true => Ok(()),
            false => Err(Error::Shape { what, expected: rows, found }),
        };
        one_per_row("labels (one per row)", labels.map_or(rows, Labels::len))?;
        one_per_row("groups (one per row)", groups.map_or(rows, <[u64]>::len))?;
        let labelled =
            || labels.ok_or(Error::Empty { what: "labels, of which every part is to have its share" });
        let grouped = || groups.ok_or(Error::Empty { what: "groups of rows, which are to stay together" });
        match *self {
            Splitting::Folds { k } => Split::folds(rows, k, seed),
            Splitting::Stratified { k } => Split::stratified(labelled()?, k, seed),
            Splitting::Grouped { k } => Split::grouped(grouped()?, k, seed),
            Splitting::StratifiedGrouped { k } => Split::stratified_grouped(labelled()?, grouped()?, k, seed),
            Splitting::Repeated { k, times, stratified } => {
                let strata = if stratified { Some(labelled()?) } else { None };
                Split::repeated(rows, strata, k, times, seed)
            }
            Splitting::LeaveOneOut => Split::leave_one_out(rows),
            Splitting::LeaveOneGroupOut => Split::leave_one_group_out(grouped()?),
            Splitting::TimeSeries(ref series) => Split::time_series(rows, series),
            Splitting::Predefined(ref folds) => {
                one_per_row("predefined folds (one per row)", folds.len())?;
                Split::predefined(folds)
            }
            Splitting::HeldOut { share, times, stratified } => {
                let test = (share * rows as f64).ceil() as usize;
                if stratified {
                    return Split::held_out_often(labelled()?, test, times, seed);
                }
                let one_kind = Labels::from_codes(vec![String::new()], vec![0; rows])?;
                Split::held_out_often(&one_kind, test, times, seed)
            }
        }
    }

    /// Refuses what has no meaning for any rows.
    pub(super) fn check(&self) -> Result<()> {
        match *self {
            Splitting::Folds { k }
            | Splitting::Stratified { k }
            | Splitting::Grouped { k }
            | Splitting::StratifiedGrouped { k }
            | Splitting::Repeated { k, .. }
                if k < 2 =>
            {
                Err(Error::Parameter { name: "folds", value: k as f64, expected: "2 at least" })
            }
            Splitting::HeldOut { share, .. } if !(share > 0.0 && share < 1.0) => {
                let expected = "a number above 0 and below 1";
                Err(Error::Parameter { name: "share held out", value: share, expected })
            }
            Splitting::Repeated { times, .. } | Splitting::HeldOut { times, .. } => check_times(times),
            Splitting::TimeSeries(ref series) => series.check(),
            _ => Ok(()),
        }
    }
}

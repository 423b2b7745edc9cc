//! Divisions that somebody else has made.

use std::collections::BTreeSet;

use super::{Split, check_memory};
use crate::error::{Error, Result};

impl Split {
    /// A split for each number among `folds`, in ascending order, which tests the rows of that number and learns from all
    /// others. Rows of number −1 are learned from in every split and never tested. O(splits·n).
    ///
    /// As scikit-learn's `PredefinedSplit`, which takes other negative numbers for folds too; here they are refused.
    ///
    /// ```
    /// use mercer::data::Split;
    /// let splits = Split::predefined(&[0, 1, -1, 1])?;
    /// assert_eq!((&splits[1].train[..], &splits[1].test[..]), (&[0, 2][..], &[1, 3][..]));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] if no row is tested, [`Error::Entry`] for a number below −1, [`Error::Parameter`] if one fold has
    /// all rows; [`Error::Budget`] as [`Split::folds`].
    pub fn predefined(folds: &[i64]) -> Result<Vec<Split>> {
        if let Some(index) = folds.iter().position(|&fold| fold < -1) {
            let expected = "the number of a fold, from 0, or -1 for a row that is never tested";
            return Err(Error::Entry { what: "fold of row", index, value: folds[index] as f64, expected });
        }
        let numbers: BTreeSet<i64> = folds.iter().copied().filter(|&fold| fold >= 0).collect();
        if numbers.is_empty() {
            return Err(Error::Empty { what: "rows to test" });
        }
        if numbers.len() == 1 && !folds.contains(&-1) {
            let expected = "two at least, to learn from one and test the other";
            return Err(Error::Parameter { name: "folds", value: 1.0, expected });
        }
        check_memory(numbers.len(), folds.len())?;
        let split = |number| {
            let (test, train) = (0..folds.len()).partition(|&row| folds[row] == number);
            Split { train, test }
        };
        Ok(numbers.into_iter().map(split).collect())
    }
}

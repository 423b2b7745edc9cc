//! Divisions that set some rows aside.

use super::{Split, check_memory, check_times, rows_by_class, seeds};
use crate::data::{Labels, Random};
use crate::error::{Error, Result};

impl Split {
    /// One division that sets aside about `test` rows, of every class its share. A class of two rows or more has one
    /// on the side that learns. O(n).
    ///
    /// ```
    /// use mercer::data::{Labels, Split};
    /// let labels = Labels::from_text((0..100).map(|i| if i < 80 { "many" } else { "few" }));
    /// let split = Split::held_out(&labels, 25, 0)?;
    /// assert_eq!(split.test.len(), 25);
    /// assert_eq!(split.test.iter().filter(|&&row| labels.text(row) == "few").count(), 5);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] if nothing would be left on one side.
    pub fn held_out(labels: &Labels, test: usize, seed: u64) -> Result<Split> {
        let n = labels.len();
        if test == 0 || test >= n {
            let expected = "from 1 to one less than there are rows";
            return Err(Error::Parameter { name: "rows held out", value: test as f64, expected });
        }
        let mut random = Random::new(seed);
        let mut is_test = vec![false; n];
        // What rounding takes from one class it gives to a later one.
        let mut owed = 0.0;
        for mut rows in rows_by_class(labels) {
            random.shuffle(&mut rows);
            let share = rows.len() as f64 * test as f64 / n as f64 + owed;
            let taken = (share.round().max(0.0) as usize).min(rows.len() - usize::from(rows.len() > 1));
            owed = share - taken as f64;
            rows[..taken].iter().for_each(|&row| is_test[row] = true);
        }
        let (test, train) = (0..n).partition(|&row| is_test[row]);
        Ok(Split { train, test })
    }

    /// Rows set aside, `times` over and each time others at random: the first division is [`Split::held_out`]. A row may
    /// be set aside several times, or never. O(times·n).
    ///
    /// ```
    /// use mercer::data::{Labels, Split};
    /// let labels = Labels::from_text((0..100).map(|i| (i % 2).to_string()));
    /// let splits = Split::held_out_often(&labels, 20, 10, 0)?;
    /// assert!(splits.len() == 10 && splits.iter().all(|split| split.test.len() == 20));
    /// assert_ne!(splits[0], splits[1]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Split::held_out`], for no repetition, and [`Error::Budget`] as [`Split::folds`].
    pub fn held_out_often(labels: &Labels, test: usize, times: usize, seed: u64) -> Result<Vec<Split>> {
        check_times(times)?;
        check_memory(times, labels.len())?;
        seeds(seed, times).map(|seed| Split::held_out(labels, test, seed)).collect()
    }

    /// At most `most` rows, of every class its share; all rows, in order, if there are no more.
    ///
    /// # Errors
    /// [`Error::Parameter`] for no rows at all.
    pub fn sample(labels: &Labels, most: usize, seed: u64) -> Result<Vec<usize>> {
        if labels.len() <= most {
            return Ok((0..labels.len()).collect());
        }
        Ok(Split::held_out(labels, most, seed)?.test)
    }
}

//! Divisions that test every row once.

use super::{Split, by_fold, check_folds, check_memory, check_times, rows_by_class, seeds};
use crate::data::{Labels, Random};
use crate::error::{Error, Result};

impl Split {
    /// k folds of `rows` rows: every row is tested once, and fold sizes differ by one at most. O(k·n).
    ///
    /// ```
    /// use mercer::data::Split;
    /// let folds = Split::folds(10, 5, 7)?;
    /// let mut tested: Vec<usize> = folds.iter().flat_map(|fold| fold.test.clone()).collect();
    /// tested.sort();
    /// assert_eq!(tested, (0..10).collect::<Vec<_>>());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two folds or more than there are rows; [`Error::Budget`] if the lists of rows
    /// would take more than half of the memory.
    pub fn folds(rows: usize, k: usize, seed: u64) -> Result<Vec<Split>> {
        check_folds(k, rows)?;
        let mut order: Vec<usize> = (0..rows).collect();
        Random::new(seed).shuffle(&mut order);
        let mut fold_of = vec![0; rows];
        order.iter().enumerate().for_each(|(place, &row)| fold_of[row] = place % k);
        by_fold(&fold_of, k)
    }

    /// k folds in each of which every class has its share of the rows, to within one. O(k·n).
    ///
    /// A class with fewer rows than there are folds is missing from some of them.
    ///
    /// # Errors
    /// As [`Split::folds`].
    pub fn stratified(labels: &Labels, k: usize, seed: u64) -> Result<Vec<Split>> {
        check_folds(k, labels.len())?;
        let mut random = Random::new(seed);
        let mut fold_of = vec![0; labels.len()];
        // Each class is dealt out where the one before it ended, so that the folds are of one size.
        let mut next = 0;
        for mut rows in rows_by_class(labels) {
            random.shuffle(&mut rows);
            for row in rows {
                fold_of[row] = next % k;
                next += 1;
            }
        }
        by_fold(&fold_of, k)
    }

    /// k folds, `times` over, each time in another random order; of every class its share if there are labels. The first k
    /// are those of [`Split::folds`] or [`Split::stratified`]. O(times·k·n).
    ///
    /// ```
    /// use mercer::data::Split;
    /// let splits = Split::repeated(10, None, 5, 3, 7)?;
    /// assert_eq!(splits.len(), 15);
    /// assert_eq!(splits[..5], Split::folds(10, 5, 7)?);
    /// assert_ne!(splits[5..10], splits[..5]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Split::folds`], for no repetition, and [`Error::Shape`] unless there is one label per row.
    pub fn repeated(
        rows: usize,
        labels: Option<&Labels>,
        k: usize,
        times: usize,
        seed: u64,
    ) -> Result<Vec<Split>> {
        check_times(times)?;
        check_folds(k, rows)?;
        check_memory(k.saturating_mul(times), rows)?;
        let mut splits = Vec::with_capacity(k * times);
        for seed in seeds(seed, times) {
            splits.extend(match labels {
                None => Split::folds(rows, k, seed)?,
                Some(labels) if labels.len() == rows => Split::stratified(labels, k, seed)?,
                Some(labels) => {
                    let what = "labels (one per row)";
                    return Err(Error::Shape { what, expected: rows, found: labels.len() });
                }
            });
        }
        Ok(splits)
    }

    /// As many splits as rows, each of which tests one of them, in order. O(n²) bytes and time.
    ///
    /// ```
    /// use mercer::data::Split;
    /// let splits = Split::leave_one_out(3)?;
    /// assert_eq!((&splits[1].train[..], &splits[1].test[..]), (&[0, 2][..], &[1][..]));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two rows; [`Error::Budget`] as [`Split::folds`].
    pub fn leave_one_out(rows: usize) -> Result<Vec<Split>> {
        if rows < 2 {
            let expected = "two at least, to learn from one and test the other";
            return Err(Error::Parameter { name: "rows", value: rows as f64, expected });
        }
        by_fold(&(0..rows).collect::<Vec<_>>(), rows)
    }
}

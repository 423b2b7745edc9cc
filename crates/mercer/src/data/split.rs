//! Which rows to learn from and which to test on.
//!
//! All divisions are random, drawn from a seed: the same seed gives the same division on every machine.

use super::{Labels, Random};
use crate::error::{Error, Result};

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

impl Split {
    /// k folds of `rows` rows: every row is tested once, and fold sizes differ by one at most.
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
    /// [`Error::Parameter`] for fewer than two folds or more than there are rows.
    pub fn folds(rows: usize, k: usize, seed: u64) -> Result<Vec<Split>> {
        check_folds(k, rows)?;
        let mut order: Vec<usize> = (0..rows).collect();
        Random::new(seed).shuffle(&mut order);
        let mut fold_of = vec![0; rows];
        order.iter().enumerate().for_each(|(place, &row)| fold_of[row] = place % k);
        Ok(by_fold(&fold_of, k))
    }

    /// k folds in each of which every class has its share of the rows, to within one.
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
        Ok(by_fold(&fold_of, k))
    }

    /// k folds that never divide a group: rows of one patient, say, are tested together.
    ///
    /// The largest group comes first, each into the fold with the fewest rows so far.
    ///
    /// ```
    /// use mercer::data::Split;
    /// let folds = Split::grouped(&[7, 7, 8, 9, 9], 2, 0)?;
    /// assert!(folds.iter().all(|fold| fold.test.contains(&0) == fold.test.contains(&1)));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two folds or more than there are groups.
    pub fn grouped(groups: &[u64], k: usize, seed: u64) -> Result<Vec<Split>> {
        let mut members: std::collections::BTreeMap<u64, Vec<usize>> = Default::default();
        groups.iter().enumerate().for_each(|(row, &group)| members.entry(group).or_default().push(row));
        let mut members: Vec<Vec<usize>> = members.into_values().collect();
        if k < 2 || k > members.len() {
            let expected = "from 2 to the number of groups";
            return Err(Error::Parameter { name: "folds", value: k as f64, expected });
        }
        // Groups of one size in random order; the sort keeps it.
        Random::new(seed).shuffle(&mut members);
        members.sort_by_key(|rows| std::cmp::Reverse(rows.len()));
        let mut sizes = vec![0; k];
        let mut fold_of = vec![0; groups.len()];
        for rows in members {
            let fold = (0..k).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
            sizes[fold] += rows.len();
            rows.iter().for_each(|&row| fold_of[row] = fold);
        }
        Ok(by_fold(&fold_of, k))
    }

    /// One division that sets aside about `test` rows, of every class its share. A class of two rows or more has one
    /// on the side that learns.
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

fn rows_by_class(labels: &Labels) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); labels.classes().len()];
    labels.codes().iter().enumerate().for_each(|(row, &class)| rows[class as usize].push(row));
    rows
}

fn by_fold(fold_of: &[usize], k: usize) -> Vec<Split> {
    (0..k)
        .map(|fold| {
            let (test, train) = (0..fold_of.len()).partition(|&row| fold_of[row] == fold);
            Split { train, test }
        })
        .collect()
}

fn check_folds(k: usize, rows: usize) -> Result<()> {
    if k < 2 || k > rows {
        let expected = "from 2 to the number of rows";
        return Err(Error::Parameter { name: "folds", value: k as f64, expected });
    }
    Ok(())
}

//! Divisions that keep the rows of a group on one side.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{Split, by_fold, check_memory};
use crate::data::{Labels, Random};
use crate::error::{Error, Result};

impl Split {
    /// k folds that never divide a group: rows of one patient, say, are tested together.
    ///
    /// The largest group comes first, each into the fold with the fewest rows so far. O(n log n + k·n).
    ///
    /// ```
    /// use mercer::data::Split;
    /// let folds = Split::grouped(&[7, 7, 8, 9, 9], 2, 0)?;
    /// assert!(folds.iter().all(|fold| fold.test.contains(&0) == fold.test.contains(&1)));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two folds or more than there are groups; [`Error::Budget`] as
    /// [`Split::folds`].
    pub fn grouped(groups: &[u64], k: usize, seed: u64) -> Result<Vec<Split>> {
        let mut members = shuffled_groups(groups, k, seed)?;
        // Groups of one size stay in random order.
        members.sort_by_key(|rows| Reverse(rows.len()));
        let mut sizes = vec![0; k];
        let mut fold_of = vec![0; groups.len()];
        for rows in members {
            let fold = (0..k).min_by_key(|&fold| sizes[fold]).unwrap_or(0);
            sizes[fold] += rows.len();
            rows.iter().for_each(|&row| fold_of[row] = fold);
        }
        by_fold(&fold_of, k)
    }

    /// k folds that never divide a group, and in which every class has about its share of the rows.
    ///
    /// Groups come in the order in which their classes are the more unequal, the larger first, each into the fold where
    /// Σ σ_c / n_c becomes least: σ_c is the standard deviation over the folds of the number of rows of class c, and n_c
    /// the number of all its rows. Of equal folds the one with the fewest rows takes it. With a single class this is
    /// [`Split::grouped`]. O(n log n + k·n).
    ///
    /// ```
    /// use mercer::data::{Labels, Split};
    /// let labels = Labels::from_text(["a", "a", "b", "b", "a", "a", "b", "b"]);
    /// for fold in Split::stratified_grouped(&labels, &[1, 1, 2, 2, 3, 3, 4, 4], 2, 0)? {
    ///     assert_eq!(fold.test.iter().filter(|&&row| labels.text(row) == "a").count(), 2);
    /// }
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Split::grouped`], and [`Error::Shape`] unless there is one group per label.
    pub fn stratified_grouped(labels: &Labels, groups: &[u64], k: usize, seed: u64) -> Result<Vec<Split>> {
        if groups.len() != labels.len() {
            let (expected, found) = (labels.len(), groups.len());
            return Err(Error::Shape { what: "groups (one per row)", expected, found });
        }
        let classes = labels.classes().len();
        let members = shuffled_groups(groups, k, seed)?;
        check_memory(k, groups.len().max(classes))?;
        let mut members: Vec<Group> = members.into_iter().map(|rows| Group::new(rows, labels)).collect();
        members.sort_by_key(|group| Reverse((group.inequality(classes), group.rows.len())));

        let all = labels.counts();
        let mut folds = FoldCounts::new(k, classes);
        let mut fold_of = vec![0; groups.len()];
        for group in &members {
            let cost = |fold: usize| (folds.imbalance(fold, group, &all), folds.sizes[fold]);
            let fold = (0..k)
                .map(|fold| (cost(fold), fold))
                .min_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
                .map_or(0, |(_, fold)| fold);
            folds.add(fold, group);
            group.rows.iter().for_each(|&row| fold_of[row] = fold);
        }
        by_fold(&fold_of, k)
    }

    /// As many splits as groups, each of which tests one of them, in ascending order of their numbers. O(groups·n).
    ///
    /// ```
    /// use mercer::data::Split;
    /// let splits = Split::leave_one_group_out(&[5, 5, 3, 9])?;
    /// let tested: Vec<&[usize]> = splits.iter().map(|split| &split.test[..]).collect();
    /// assert_eq!(tested, [&[2][..], &[0, 1], &[3]]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for fewer than two groups; [`Error::Budget`] as [`Split::folds`].
    pub fn leave_one_group_out(groups: &[u64]) -> Result<Vec<Split>> {
        let members = rows_by_group(groups);
        if members.len() < 2 {
            let expected = "two at least, to learn from one and test the other";
            return Err(Error::Parameter { name: "groups", value: members.len() as f64, expected });
        }
        let mut fold_of = vec![0; groups.len()];
        for (fold, rows) in members.iter().enumerate() {
            rows.iter().for_each(|&row| fold_of[row] = fold);
        }
        by_fold(&fold_of, members.len())
    }
}

/// In ascending order of the groups' numbers.
fn rows_by_group(groups: &[u64]) -> Vec<Vec<usize>> {
    let mut members: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    groups.iter().enumerate().for_each(|(row, &group)| members.entry(group).or_default().push(row));
    members.into_values().collect()
}

/// The rows of each group, the groups in random order; as many groups as folds at least.
fn shuffled_groups(groups: &[u64], k: usize, seed: u64) -> Result<Vec<Vec<usize>>> {
    let mut members = rows_by_group(groups);
    if k < 2 || k > members.len() {
        let expected = "from 2 to the number of groups";
        return Err(Error::Parameter { name: "folds", value: k as f64, expected });
    }
    Random::new(seed).shuffle(&mut members);
    Ok(members)
}

/// A group, and how many of its rows are of which class.
struct Group {
    rows: Vec<usize>,
    counts: Vec<(usize, usize)>,
}

impl Group {
    fn new(rows: Vec<usize>, labels: &Labels) -> Self {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        rows.iter().for_each(|&row| *counts.entry(labels.codes()[row] as usize).or_default() += 1);
        Group { rows, counts: counts.into_iter().collect() }
    }

    /// The variance over all classes of the numbers of rows, times the squared number of classes.
    fn inequality(&self, classes: usize) -> u128 {
        let squares: u128 = self.counts.iter().map(|&(_, count)| (count as u128).pow(2)).sum();
        classes as u128 * squares - (self.rows.len() as u128).pow(2)
    }
}

/// How many rows of each class are in each fold so far.
struct FoldCounts {
    sizes: Vec<usize>,
    /// `counts[fold][class]`
    counts: Vec<Vec<f64>>,
    /// Σ over the folds, of each class.
    sums: Vec<f64>,
    /// Σ of the squares over the folds, of each class.
    squares: Vec<f64>,
}

impl FoldCounts {
    fn new(k: usize, classes: usize) -> Self {
        let (sums, squares) = (vec![0.0; classes], vec![0.0; classes]);
        FoldCounts { sizes: vec![0; k], counts: vec![vec![0.0; classes]; k], sums, squares }
    }

    /// Σ σ_c / n_c with the group in this fold, over its classes: for the others it is the same in any fold.
    fn imbalance(&self, fold: usize, group: &Group, all: &[usize]) -> f64 {
        let k = self.sizes.len() as f64;
        let of_class = |&(class, more): &(usize, usize)| {
            let (now, more) = (self.counts[fold][class], more as f64);
            let squares = self.squares[class] + more * (2.0 * now + more);
            let sum = self.sums[class] + more;
            (k * squares - sum * sum).max(0.0).sqrt() / (k * all[class] as f64)
        };
        group.counts.iter().map(of_class).sum()
    }

    fn add(&mut self, fold: usize, group: &Group) {
        self.sizes[fold] += group.rows.len();
        for &(class, more) in &group.counts {
            let (now, more) = (self.counts[fold][class], more as f64);
            self.counts[fold][class] += more;
            self.sums[class] += more;
            self.squares[class] += more * (2.0 * now + more);
        }
    }
}

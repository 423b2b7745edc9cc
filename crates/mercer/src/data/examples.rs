//! Items with all that is known about them.

use crate::data::{Items, Labels, Split, TargetList};
use crate::error::{Error, Result};

/// Items and their targets ([`Labels`], or numbers), and where there are any their weights and groups.
///
/// Rows of one group belong together: a division into folds keeps them on one side.
///
/// ```
/// use mercer::data::{Examples, Labels, Vectors};
/// let rows = Vectors::from_rows(&[[1.0], [2.0], [3.0], [4.0]])?;
/// let labels = Labels::from_text(["a", "b", "a", "b"]);
/// let examples = Examples { groups: Some(&[1, 1, 2, 2]), ..Examples::new(&rows, &labels) };
/// for fold in examples.folds(2, 0)? {
///     assert!(fold.test == [0, 1] || fold.test == [2, 3]);
/// }
/// assert_eq!(examples.select(&[3]).targets.text(0), "b");
/// // Numbers to be met are targets too.
/// assert_eq!(Examples::new(&rows, &vec![0.1, 0.2, 0.3, 0.4]).select(&[3]).targets, [0.4]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Examples<'a, I, Y = Labels> {
    /// The items.
    pub items: &'a I,
    /// One per item.
    pub targets: &'a Y,
    /// One per item.
    pub weights: Option<&'a [f64]>,
    /// One per item.
    pub groups: Option<&'a [u64]>,
}

// Derived, they would ask items and targets to be copied.
impl<I, Y> Clone for Examples<'_, I, Y> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I, Y> Copy for Examples<'_, I, Y> {}

/// Some of the examples.
#[derive(Clone, Debug)]
pub struct Selected<I, Y = Labels> {
    /// The items.
    pub items: I,
    /// One per item.
    pub targets: Y,
    /// One per item.
    pub weights: Option<Vec<f64>>,
    /// One per item.
    pub groups: Option<Vec<u64>>,
}

impl<'a, I: Items, Y: TargetList> Examples<'a, I, Y> {
    /// Items and targets alone.
    pub fn new(items: &'a I, targets: &'a Y) -> Self {
        Examples { items, targets, weights: None, groups: None }
    }

    /// Checks that there is one of everything per item.
    ///
    /// # Errors
    /// [`Error::Shape`], and those of [`check_weights`](crate::data::check_weights).
    pub fn check(&self) -> Result<()> {
        let n = self.items.len();
        let same = |what, found| match found == n {
            true => Ok(()),
            false => Err(Error::Shape { what, expected: n, found }),
        };
        same("targets (one per row)", self.targets.count())?;
        same("groups (one per row)", self.groups.map_or(n, <[u64]>::len))?;
        self.weights.map_or(Ok(()), |weights| crate::data::check_weights(weights, n))
    }

    /// Those at these positions.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn select(&self, positions: &[usize]) -> Selected<I::Owned, Y> {
        Selected {
            items: self.items.select(positions),
            targets: self.targets.select(positions),
            weights: self.weights.map(|weights| positions.iter().map(|&row| weights[row]).collect()),
            groups: self.groups.map(|groups| positions.iter().map(|&row| groups[row]).collect()),
        }
    }

    /// At most `k` folds, whole groups in each; without groups k in which every class has its share.
    ///
    /// # Errors
    /// As [`Split::folds`]; [`Error::Parameter`] for a single group.
    pub fn folds(&self, k: usize, seed: u64) -> Result<Vec<Split>> {
        match self.groups {
            None => Split::stratified(&self.targets.strata(), k, seed),
            Some(groups) => {
                let mut different = groups.to_vec();
                different.sort_unstable();
                different.dedup();
                if different.len() < 2 {
                    let expected = "two at least, to learn from one and test the other";
                    return Err(Error::Parameter { name: "groups", value: 1.0, expected });
                }
                let splits = Split::grouped(groups, k.min(different.len()), seed)?;
                if splits.iter().any(|split| !self.targets.suffice(&split.train)) {
                    let expected =
                        "groups with several classes each: without one of them a single class is left";
                    return Err(Error::Parameter { name: "groups", value: different.len() as f64, expected });
                }
                Ok(splits)
            }
        }
    }

    /// About `test` rows set aside: of each class its share, or whole groups.
    ///
    /// # Errors
    /// As [`Split::held_out`] and [`Examples::folds`].
    pub fn held_out(&self, test: usize, seed: u64) -> Result<Split> {
        if self.groups.is_none() {
            return Split::held_out(&self.targets.strata(), test, seed);
        }
        let parts = (self.items.len() / test.max(1)).max(2);
        Ok(self.folds(parts, seed)?.swap_remove(0))
    }
}

impl<I: Items, Y: TargetList> Selected<I, Y> {
    /// The examples.
    pub fn view(&self) -> Examples<'_, I, Y> {
        Examples {
            items: &self.items,
            targets: &self.targets,
            weights: self.weights.as_deref(),
            groups: self.groups.as_deref(),
        }
    }
}

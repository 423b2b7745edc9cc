//! What k-means of rows and of items have in common: the draw of k-means++, and the choice of the nearest mean.

use crate::data::{Random, check_weights};
use crate::error::{Error, Result};

/// The next center of k-means++: any item at first, then one with a probability in proportion to its squared distance from the nearest
/// center. With weights the probability of each is in proportion to them too.
pub(super) fn drawn(closest: &[f64], weights: Option<&[f64]>, is_first: bool, random: &mut Random) -> usize {
    let n = closest.len();
    let share = |i: usize| closest[i] * weights.map_or(1.0, |weights| weights[i]);
    let total: f64 = (0..n).filter(|&i| closest[i] > 0.0).map(share).sum();
    // Where all items are at centers already, any will do.
    match weights {
        None if is_first || total <= 0.0 => random.below(n),
        Some(weights) if is_first || total <= 0.0 => {
            by_share(n, weights.iter().sum(), |i| weights[i], random)
        }
        _ => by_share(n, total, share, random),
    }
}

/// An item with a probability in proportion to its share.
fn by_share(n: usize, total: f64, share: impl Fn(usize) -> f64, random: &mut Random) -> usize {
    let mut left = random.uniform() * total;
    let chosen = (0..n).find(|&i| {
        left -= share(i);
        left < 0.0
    });
    // Rounding may leave something at the end.
    chosen.or_else(|| (0..n).rev().find(|&i| share(i) > 0.0)).unwrap_or(n - 1)
}

/// How items count, if they have weights: an item of weight w as w items.
#[derive(Clone, Copy)]
pub(super) struct Counts<'a>(pub Option<&'a [f64]>);

impl Counts<'_> {
    pub fn of(&self, i: usize) -> f64 {
        self.0.map_or(1.0, |weights| weights[i])
    }

    /// The weight of each cluster, and how many items with a weight above 0 it has.
    pub fn masses(&self, clusters: &[usize], k: usize) -> Vec<(f64, usize)> {
        let mut masses = vec![(0.0, 0); k];
        for (i, &c) in clusters.iter().enumerate() {
            masses[c].0 += self.of(i);
            masses[c].1 += usize::from(self.of(i) > 0.0);
        }
        masses
    }

    /// Refuses weights that make no sense, and fewer items with a weight above 0 than clusters.
    pub fn check(&self, n: usize, clusters: usize) -> Result<()> {
        if let Some(weights) = self.0.filter(|_| n > 0) {
            check_weights(weights, n)?;
        }
        let found = (0..n).filter(|&i| self.of(i) > 0.0).count();
        match found < clusters {
            true => Err(Error::Shape { what: "rows (one per cluster at least)", expected: clusters, found }),
            false => Ok(()),
        }
    }
}

/// The nearest of some means; an item stays where it is unless another one is nearer.
pub(super) fn nearest(squared: &[f64], own: usize) -> usize {
    (0..squared.len()).fold(own, |best, c| if squared[c] < squared[best] { c } else { best })
}

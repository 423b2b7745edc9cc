//! What k-means of rows and of items have in common: the draw of k-means++, and the choice of the nearest mean.

use crate::data::Random;

/// The next center of k-means++: any item at first, then one with a probability in proportion to its squared distance from the nearest center.
pub(super) fn drawn(closest: &[f64], is_first: bool, random: &mut Random) -> usize {
    let n = closest.len();
    let total: f64 = closest.iter().sum();
    // Where all items are at centers already, any will do.
    if is_first || total <= 0.0 {
        return random.below(n);
    }
    let mut left = random.uniform() * total;
    let chosen = closest.iter().position(|distance| {
        left -= distance;
        left < 0.0
    });
    chosen.unwrap_or(n - 1)
}

/// The nearest of some means; an item stays where it is unless another one is nearer.
pub(super) fn nearest(squared: &[f64], own: usize) -> usize {
    (0..squared.len()).fold(own, |best, c| if squared[c] < squared[best] { c } else { best })
}

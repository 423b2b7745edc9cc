//! Whether the true class is among the likeliest few.

use crate::evaluation::spread::mean;

/// The share of rows whose class is among the k with the highest scores, of equal ones the earlier first (but the later of
/// two): with k = 1 this is the accuracy. A class without a score is never among them. O(n · classes).
pub(super) fn top_k(
    k: usize,
    scores: &[f64],
    truth: &[usize],
    classes: usize,
    weights: Option<&[f64]>,
) -> f64 {
    let is_among = |(of_row, &class): (&[f64], &usize)| {
        let Some(&own) = of_row.get(class) else { return 0.0 };
        let goes_first = |other: usize| if classes == 2 { other > class } else { other < class };
        let is_before = |(other, &score): (usize, &f64)| score > own || score == own && goes_first(other);
        let before = of_row.iter().enumerate().filter(|&(other, score)| is_before((other, score))).count();
        f64::from(u8::from(before < k))
    };
    mean(scores.chunks_exact(classes).zip(truth).map(is_among), weights)
}

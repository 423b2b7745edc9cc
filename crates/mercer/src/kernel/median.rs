//! Medians of distances, from which widths of kernels are taken.

/// At most `most` of n items, evenly spread, and what each counts for.
///
/// Without weights the items ⌊i·n/r⌋, r = min(n, most); with weights, of more than `most` items with a weight above 0 those
/// that hold the shares i/most of the weight, in their order.
pub(crate) fn sample(n: usize, weights: Option<&[f64]>, most: usize) -> Vec<(usize, f64)> {
    let Some(weights) = weights else {
        let r = n.min(most);
        return (0..r).map(|i| (i * n / r, 1.0)).collect();
    };
    let counted: Vec<(usize, f64)> =
        weights.iter().copied().enumerate().filter(|&(_, weight)| weight > 0.0).collect();
    if counted.len() <= most {
        return counted;
    }
    let all = counted.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut chosen = Vec::with_capacity(most);
    let mut before = 0.0;
    for &(item, weight) in &counted {
        before += weight;
        while chosen.len() < most && chosen.len() as f64 * all / (most as f64) < before {
            chosen.push((item, 1.0));
        }
    }
    chosen
}

/// The median of the distances above 0 between all pairs of a sample; `None` if there are none.
pub(crate) fn median_of_pairs(
    sample: &[(usize, f64)],
    mut distance: impl FnMut(usize, usize) -> f64,
) -> Option<f64> {
    let mut distances = Vec::with_capacity(sample.len() * sample.len().saturating_sub(1) / 2);
    for (at, &(i, weight)) in sample.iter().enumerate() {
        for &(j, other) in &sample[..at] {
            let s = distance(i, j);
            if s > 0.0 {
                distances.push((s, weight * other));
            }
        }
    }
    weighted_median(distances)
}

/// The value with half of the weight on either side, or the mean of the two that share the middle; `None` without values.
pub(crate) fn weighted_median(mut values: Vec<(f64, f64)>) -> Option<f64> {
    values.sort_by(|one, other| one.0.total_cmp(&other.0));
    let half = 0.5 * values.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut below = 0.0;
    for (at, &(s, weight)) in values.iter().enumerate() {
        below += weight;
        if below > half {
            return Some(s);
        }
        if below == half
            && let Some((next, _)) = values[at + 1..].first()
        {
            // Halved first, so that two large values do not overflow.
            return Some(0.5 * s + 0.5 * next);
        }
    }
    values.last().map(|&(s, _)| s)
}

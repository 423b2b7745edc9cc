//! How well scores put items into the order of their relevance.

use crate::error::{Error, Result};

/// The mean over the queries of the normalised discounted cumulative gain of the first `most` items (of all, for `None`):
///
/// ```text
/// DCG = Σ (2^rel − 1)/log₂(place + 1),   NDCG = DCG / DCG of the best order
/// ```
///
/// Items of equal scores share the mean gain of their places. A query whose items are all of relevance 0 has no best order and is left
/// out; `None` if all are. O(n log n).
///
/// ```
/// use mercer::evaluation::ndcg;
/// // The best first, then the two others swapped: (3 + 0 + 1/2) / (3 + 1/log₂3).
/// let found = ndcg(&[3.0, 2.0, 1.0], &[2.0, 0.0, 1.0], None, None)?.unwrap();
/// assert!((found - 3.5 / (3.0 + 1.0 / 3f64.log2())).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Numbers of scores, relevances and queries that differ; a relevance that is negative or not finite, or a score that is not a number.
///
/// # References
/// K. Järvelin, J. Kekäläinen: Cumulated gain-based evaluation of IR techniques, ACM TOIS 20 (2002).
pub fn ndcg(
    scores: &[f64],
    relevance: &[f64],
    queries: Option<&[u64]>,
    most: Option<usize>,
) -> Result<Option<f64>> {
    // 2 to the power of more is beyond all numbers.
    if let Some(index) = relevance.iter().position(|rel| !(0.0..=1000.0).contains(rel)) {
        let (what, expected) = ("relevance", "a number from 0 to 1000");
        return Err(Error::Entry { what, index, value: relevance[index], expected });
    }
    let gain = |i: usize| relevance[i].exp2() - 1.0;
    let each = groups(scores, relevance, queries)?.into_iter().map(|items| {
        let most = most.unwrap_or(items.len());
        let found = discounted(&items, |i| scores[i], gain, most);
        let best = discounted(&items, |i| relevance[i], gain, most);
        (best > 0.0).then(|| found / best)
    });
    Ok(mean(each))
}

/// Σ gain/log₂(place + 1) of the first so many in the order of falling keys, equal ones sharing their places.
fn discounted(items: &[usize], key: impl Fn(usize) -> f64, gain: impl Fn(usize) -> f64, most: usize) -> f64 {
    let mut order = items.to_vec();
    order.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    let (mut place, mut sum) = (0, 0.0);
    for run in order.chunk_by(|&a, &b| key(a) == key(b)) {
        let shared = run.iter().map(|&i| gain(i)).sum::<f64>() / run.len() as f64;
        let places = place..(place + run.len()).min(most.max(place));
        sum += shared * places.map(|at| 1.0 / (at as f64 + 2.0).log2()).sum::<f64>();
        place += run.len();
    }
    sum
}

/// The mean over the queries of average precision: the mean, over the relevant items, of the share of relevant ones down to their
/// place. Items are relevant if their relevance is above 0. Queries without one are left out; `None` if all are. Equal scores count as
/// one place. O(n log n).
///
/// ```
/// use mercer::evaluation::mean_average_precision;
/// let found = mean_average_precision(&[0.9, 0.8, 0.3], &[1.0, 0.0, 1.0], None)?.unwrap();
/// assert!((found - 0.5 * (1.0 + 2.0 / 3.0)).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`ndcg`].
pub fn mean_average_precision(
    scores: &[f64],
    relevance: &[f64],
    queries: Option<&[u64]>,
) -> Result<Option<f64>> {
    let each = groups(scores, relevance, queries)?.into_iter().map(|items| {
        let of = |values: &[f64]| items.iter().map(|&i| values[i]).collect::<Vec<f64>>();
        let positive: Vec<bool> = items.iter().map(|&i| relevance[i] > 0.0).collect();
        super::ranking::area_under_recall(&of(scores), &positive, None)
    });
    Ok(mean(each))
}

/// Kendall's τ-b of two series: pairs in the same order less pairs in the opposite one, divided by the geometric mean of the numbers of
/// pairs that each series tells apart; with queries, its mean over them. Queries of which one series tells no pair apart are left out;
/// `None` if all are. O(n log n).
///
/// ```
/// use mercer::evaluation::kendall_tau;
/// assert_eq!(kendall_tau(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0], None)?, Some(1.0 / 3.0));
/// assert_eq!(kendall_tau(&[1.0, 1.0], &[1.0, 2.0], None)?, None);
/// // Each query is in order, and how they stand to each other says nothing.
/// assert_eq!(kendall_tau(&[8.0, 9.0, 1.0, 2.0], &[0.0, 1.0, 2.0, 3.0], Some(&[1, 1, 2, 2]))?, Some(1.0));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] for series of different lengths; [`Error::Entry`] for an entry that is not a number.
///
/// # References
/// W. Knight: A computer method for calculating Kendall's tau with ungrouped data, JASA 61 (1966).
pub fn kendall_tau(a: &[f64], b: &[f64], queries: Option<&[u64]>) -> Result<Option<f64>> {
    Ok(mean(groups(a, b, queries)?.into_iter().map(|items| tau_of(a, b, items))))
}

/// τ of some of them.
fn tau_of(a: &[f64], b: &[f64], mut order: Vec<usize>) -> Option<f64> {
    let n = order.len();
    order.sort_by(|&i, &j| a[i].total_cmp(&a[j]).then(b[i].total_cmp(&b[j])));
    let pairs = |n: usize| (n as u64) * (n.saturating_sub(1) as u64) / 2;
    let tied = |runs: &[usize], same: &dyn Fn(usize, usize) -> bool| -> u64 {
        runs.chunk_by(|&i, &j| same(i, j)).map(|run| pairs(run.len())).sum()
    };
    let in_a = tied(&order, &|i, j| a[i] == a[j]);
    let in_both = tied(&order, &|i, j| a[i] == a[j] && b[i] == b[j]);
    let mut series: Vec<f64> = order.iter().map(|&i| b[i]).collect();
    let swaps = sort_counting(&mut series);
    let in_b: u64 = series.chunk_by(|x, y| x == y).map(|run| pairs(run.len())).sum();
    let all = pairs(n);
    let (of_a, of_b) = (all - in_a, all - in_b);
    if of_a == 0 || of_b == 0 {
        return None;
    }
    let concordant_less_discordant = (all + in_both) as f64 - (in_a + in_b) as f64 - 2.0 * swaps as f64;
    Some((concordant_less_discordant / ((of_a as f64) * (of_b as f64)).sqrt()).clamp(-1.0, 1.0))
}

/// Sorts by merging, and tells how many pairs were in the wrong order.
fn sort_counting(values: &mut [f64]) -> u64 {
    let n = values.len();
    if n < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(n / 2);
    let mut swaps = sort_counting(left) + sort_counting(right);
    let mut merged = Vec::with_capacity(n);
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        if j >= right.len() || (i < left.len() && left[i] <= right[j]) {
            merged.push(left[i]);
            i += 1;
        } else {
            merged.push(right[j]);
            swaps += (left.len() - i) as u64;
            j += 1;
        }
    }
    values.copy_from_slice(&merged);
    swaps
}

/// The items of each query, after a check of all numbers.
fn groups(scores: &[f64], relevance: &[f64], queries: Option<&[u64]>) -> Result<Vec<Vec<usize>>> {
    let n = scores.len();
    for (what, found) in [
        ("relevances (one per score)", relevance.len()),
        ("queries (one per score)", queries.map_or(n, <[u64]>::len)),
    ] {
        if found != n {
            return Err(Error::Shape { what, expected: n, found });
        }
    }
    for (what, values) in [("score", scores), ("relevance", relevance)] {
        if let Some(index) = values.iter().position(|value| value.is_nan()) {
            return Err(Error::Entry { what, index, value: values[index], expected: "a number" });
        }
    }
    let query = |i: usize| queries.map_or(0, |queries| queries[i]);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| query(i));
    Ok(order.chunk_by(|&a, &b| query(a) == query(b)).map(<[usize]>::to_vec).collect())
}

/// The mean of those that are defined.
fn mean(each: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (count, sum) = each.flatten().fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

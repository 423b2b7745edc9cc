//! How well scores put the rows of one class above the others, whatever the threshold.

use serde::Serialize;

use crate::error::{Error, Result};

/// Rows of one score: what those of the class weigh, and what the others do.
struct Run {
    score: f64,
    own: f64,
    other: f64,
}

/// Refuses scores that are not one for each row, and weights that are not.
fn check(scores: &[f64], positive: &[bool], weights: Option<&[f64]>) -> Result<()> {
    let expected = positive.len();
    for (what, found) in [
        ("scores (one per row)", scores.len()),
        ("weights (one per row)", weights.map_or(expected, <[f64]>::len)),
    ] {
        if found != expected {
            return Err(Error::Shape { what, expected, found });
        }
    }
    Ok(())
}

/// Rows in order of falling score, in runs of equal scores; there is one of each per row.
fn runs(scores: &[f64], positive: &[bool], weights: Option<&[f64]>) -> Vec<Run> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut runs: Vec<Run> = Vec::new();
    for row in order {
        let weight = weights.map_or(1.0, |weights| weights[row]);
        let (own, other) = if positive[row] { (weight, 0.0) } else { (0.0, weight) };
        match runs.last_mut() {
            Some(run) if run.score == scores[row] => {
                run.own += own;
                run.other += other;
            }
            _ => runs.push(Run { score: scores[row], own, other }),
        }
    }
    runs
}

/// The area under the ROC curve: the probability that a random row of the class has a higher score than a random
/// other one, equal scores counting half (Mann & Whitney); rows are drawn as often as they weigh. `None` unless there
/// are rows of both kinds. O(n log n).
///
/// ```
/// use mercer::evaluation::roc_auc;
/// assert_eq!(roc_auc(&[0.9, 0.8, 0.3, 0.1], &[true, false, true, false], None)?, Some(0.75));
/// assert_eq!(roc_auc(&[0.9, 0.8, 0.3], &[true, false, true], Some(&[3.0, 1.0, 1.0]))?, Some(0.75));
/// assert_eq!(roc_auc(&[0.5, 0.5], &[true, false], None)?, Some(0.5));
/// assert_eq!(roc_auc(&[0.5, 0.5], &[true, true], None)?, None);
/// assert!(roc_auc(&[0.5], &[true, false], None).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] unless there is one score, and one weight if there are any, for each row.
pub fn roc_auc(scores: &[f64], positive: &[bool], weights: Option<&[f64]>) -> Result<Option<f64>> {
    check(scores, positive, weights)?;
    Ok(area_under_roc(scores, positive, weights))
}

/// The area under the ROC curve of rows that have been checked.
pub(in crate::evaluation) fn area_under_roc(
    scores: &[f64],
    positive: &[bool],
    weights: Option<&[f64]>,
) -> Option<f64> {
    let (mut above, mut pairs, mut others) = (0.0, 0.0, 0.0);
    for Run { own, other, .. } in runs(scores, positive, weights) {
        pairs += other * (above + 0.5 * own);
        above += own;
        others += other;
    }
    (above > 0.0 && others > 0.0).then(|| pairs / (above * others))
}

/// The area under the precision–recall curve as average precision: Σ (Rₖ − Rₖ₋₁) Pₖ over the distinct scores from
/// above. `None` without rows of the class. O(n log n).
///
/// ```
/// use mercer::evaluation::average_precision;
/// // Precision 1 at recall ½, then 2/3 at recall 1.
/// let area = average_precision(&[0.9, 0.8, 0.3], &[true, false, true], None)?;
/// assert_eq!(area, Some(0.5 + 0.5 * 2.0 / 3.0));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`roc_auc`].
pub fn average_precision(scores: &[f64], positive: &[bool], weights: Option<&[f64]>) -> Result<Option<f64>> {
    check(scores, positive, weights)?;
    Ok(area_under_recall(scores, positive, weights))
}

/// The average precision of rows that have been checked.
pub(in crate::evaluation) fn area_under_recall(
    scores: &[f64],
    positive: &[bool],
    weights: Option<&[f64]>,
) -> Option<f64> {
    let (mut found, mut seen, mut area) = (0.0, 0.0, 0.0);
    for Run { own, other, .. } in runs(scores, positive, weights) {
        found += own;
        seen += own + other;
        // Recall grows at the scores of rows of the class alone.
        if own > 0.0 {
            area += own * (found / seen);
        }
    }
    (found > 0.0).then(|| area / found)
}

/// A score above which rows are taken to be of the class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Threshold {
    /// Rows with a higher score are taken to be of the class.
    pub score: f64,
    /// Rows that are then predicted as they are.
    pub right: usize,
}

/// The threshold that gets the most rows right; of several the one nearest to 0. O(n log n).
///
/// ```
/// use mercer::evaluation::best_threshold;
/// let best = best_threshold(&[-1.0, 0.5, 0.7, 2.0], &[false, false, true, true])?;
/// assert_eq!((best.score, best.right), (0.6, 4));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] unless there is one score for each row.
pub fn best_threshold(scores: &[f64], positive: &[bool]) -> Result<Threshold> {
    check(scores, positive, None)?;
    let runs = runs(scores, positive, None);
    let mut right = positive.iter().filter(|&&p| !p).count();
    let mut best = Threshold { score: runs.first().map_or(0.0, |run| run.score.max(0.0)), right };
    for (at, &Run { score, own, other }) in runs.iter().enumerate() {
        right = right + own as usize - other as usize;
        // Between this run and the next, at 0 if that lies there.
        let threshold = match runs.get(at + 1) {
            Some(next) if next.score <= 0.0 && score > 0.0 => 0.0,
            Some(next) => next.score + 0.5 * (score - next.score),
            None if score > 0.0 => 0.0,
            None => score - (1.0 + score.abs()),
        };
        if right > best.right || right == best.right && threshold.abs() < best.score.abs() {
            best = Threshold { score: threshold, right };
        }
    }
    Ok(best)
}

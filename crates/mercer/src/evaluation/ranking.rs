//! How well scores put the rows of one class above the others, whatever the threshold.

use serde::Serialize;

/// Rows in order of falling score, in runs of equal scores: (rows of the class, others) of each run, and its score.
fn runs(scores: &[f64], positive: &[bool]) -> Vec<(f64, usize, usize)> {
    assert_eq!(scores.len(), positive.len(), "one score for each row");
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut runs: Vec<(f64, usize, usize)> = Vec::new();
    for row in order {
        match runs.last_mut() {
            Some(run) if run.0 == scores[row] => {
                run.1 += usize::from(positive[row]);
                run.2 += usize::from(!positive[row]);
            }
            _ => runs.push((scores[row], usize::from(positive[row]), usize::from(!positive[row]))),
        }
    }
    runs
}

/// The area under the ROC curve: the probability that a random row of the class has a higher score than a random
/// other one, equal scores counting half (Mann & Whitney). `None` unless there are rows of both kinds. O(n log n).
///
/// ```
/// use mercer::evaluation::roc_auc;
/// assert_eq!(roc_auc(&[0.9, 0.8, 0.3, 0.1], &[true, false, true, false]), Some(0.75));
/// assert_eq!(roc_auc(&[0.5, 0.5], &[true, false]), Some(0.5));
/// assert_eq!(roc_auc(&[0.5, 0.5], &[true, true]), None);
/// ```
pub fn roc_auc(scores: &[f64], positive: &[bool]) -> Option<f64> {
    let (mut above, mut pairs, mut others) = (0usize, 0.0, 0usize);
    for (_, own, other) in runs(scores, positive) {
        pairs += other as f64 * (above as f64 + 0.5 * own as f64);
        above += own;
        others += other;
    }
    (above > 0 && others > 0).then(|| pairs / (above as f64 * others as f64))
}

/// The area under the precision–recall curve as average precision: Σ (Rₖ − Rₖ₋₁) Pₖ over the distinct scores from
/// above. `None` without rows of the class. O(n log n).
///
/// ```
/// use mercer::evaluation::average_precision;
/// // Precision 1 at recall ½, then 2/3 at recall 1.
/// assert_eq!(average_precision(&[0.9, 0.8, 0.3], &[true, false, true]), Some(0.5 + 0.5 * 2.0 / 3.0));
/// ```
pub fn average_precision(scores: &[f64], positive: &[bool]) -> Option<f64> {
    let total = positive.iter().filter(|&&p| p).count();
    let (mut found, mut seen, mut area) = (0usize, 0usize, 0.0);
    for (_, own, other) in runs(scores, positive) {
        found += own;
        seen += own + other;
        area += own as f64 / total as f64 * (found as f64 / seen as f64);
    }
    (total > 0).then_some(area)
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
/// let best = best_threshold(&[-1.0, 0.5, 0.7, 2.0], &[false, false, true, true]);
/// assert_eq!((best.score, best.right), (0.6, 4));
/// ```
pub fn best_threshold(scores: &[f64], positive: &[bool]) -> Threshold {
    let runs = runs(scores, positive);
    let mut right = positive.iter().filter(|&&p| !p).count();
    let mut best = Threshold { score: runs.first().map_or(0.0, |run| run.0.max(0.0)), right };
    for (at, &(score, own, other)) in runs.iter().enumerate() {
        right = right + own - other;
        // Between this run and the next, at 0 if that lies there.
        let threshold = match runs.get(at + 1) {
            Some(next) if next.0 <= 0.0 && score > 0.0 => 0.0,
            Some(next) => next.0 + 0.5 * (score - next.0),
            None if score > 0.0 => 0.0,
            None => score - (1.0 + score.abs()),
        };
        if right > best.right || right == best.right && threshold.abs() < best.score.abs() {
            best = Threshold { score: threshold, right };
        }
    }
    best
}

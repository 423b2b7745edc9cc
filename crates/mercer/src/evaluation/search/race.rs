//! Giving up cells that cannot be the best any more.

use crate::evaluation::Metric;

/// Standard errors by which a cell must be behind to be given up.
const FAR_BEHIND: f64 = 3.0;

/// Which of some cells, by their values of the metric on the same k sets of rows, are hopeless.
///
/// The differences of a cell from the best one so far have a mean d over the sets and a deviation s between them. With few
/// sets the deviation of a single cell is a matter of luck, so the median of all cells' takes its place: a cell is hopeless
/// if d > 3s/√k. Nothing is given up by a single set, or where the deviations are 0.
pub(super) fn hopeless(values: &[&[f64]], metric: &Metric) -> Vec<bool> {
    let none = vec![false; values.len()];
    let folds = values.first().map_or(0, |values| values.len());
    // A metric that could not be told for parts of the rows of one cell cannot be compared part by part.
    if folds < 2 || values.len() < 2 || values.iter().any(|cell| cell.len() != folds) {
        return none;
    }
    let scores = |cell: &[f64]| cell.iter().map(|&value| metric.as_score(value)).collect::<Vec<f64>>();
    let scores: Vec<Vec<f64>> = values.iter().map(|cell| scores(cell)).collect();
    let mean = |cell: &[f64]| cell.iter().sum::<f64>() / folds as f64;
    let best = (1..scores.len())
        .fold(0, |best, cell| if mean(&scores[cell]) > mean(&scores[best]) { cell } else { best });
    let behind: Vec<Vec<f64>> =
        scores.iter().map(|cell| scores[best].iter().zip(cell).map(|(b, c)| b - c).collect()).collect();
    let mut variances: Vec<f64> = (0..behind.len())
        .filter(|&cell| cell != best)
        .map(|cell| {
            let centre = mean(&behind[cell]);
            behind[cell].iter().map(|d| (d - centre) * (d - centre)).sum::<f64>() / (folds - 1) as f64
        })
        .collect();
    variances.sort_by(f64::total_cmp);
    let error = (variances[variances.len() / 2] / folds as f64).sqrt();
    match error > 0.0 {
        true => behind.iter().map(|cell| mean(cell) > FAR_BEHIND * error).collect(),
        false => none,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_far_behind_is_given_up() {
        let values: [&[f64]; 4] = [&[0.90, 0.92], &[0.91, 0.91], &[0.60, 0.61], &[0.89, 0.90]];
        assert_eq!(hopeless(&values, &Metric::Accuracy), [false, false, true, false]);
        // A loss is the better the smaller.
        let losses: [&[f64]; 3] = [&[0.1, 0.12], &[0.11, 0.11], &[0.9, 0.91]];
        assert_eq!(hopeless(&losses, &Metric::MeanSquaredError), [false, false, true]);
        let single: [&[f64]; 2] = [&[0.9], &[0.1]];
        assert_eq!(hopeless(&single, &Metric::Accuracy), [false, false]);
        let equal: [&[f64]; 2] = [&[0.9, 0.9], &[0.8, 0.8]];
        assert_eq!(hopeless(&equal, &Metric::Accuracy), [false, false]);
    }
}

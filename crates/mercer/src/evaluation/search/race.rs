//! Giving up cells that cannot be the best any more.

use crate::evaluation::Metric;

/// Standard errors by which a cell must be behind to be given up, if they are known.
const FAR_BEHIND: f64 = 2.5;

/// Which of some cells, by their values of the metric on the same k sets of rows, are hopeless.
///
/// The differences of a cell from the best one so far have a mean d over the sets and a deviation s between them. With few
/// sets the deviation of a single cell is a matter of luck, so the median of all cells' takes its place. A cell is hopeless
/// if d > 2.5 t s/√k, where t² = (k − 1)/(k − 3) is the variance of Student's t with k − 1 degrees of freedom: what few sets
/// say of the deviation is not much. Nothing is given up by three sets or fewer, or where the deviations are 0.
pub(super) fn hopeless(values: &[&[f64]], metric: &Metric) -> Vec<bool> {
    let none = vec![false; values.len()];
    let folds = values.first().map_or(0, |values| values.len());
    // A metric that could not be told for parts of the rows of one cell cannot be compared part by part.
    if folds < 4 || values.len() < 2 || values.iter().any(|cell| cell.len() != folds) {
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
    let far = FAR_BEHIND * ((folds - 1) as f64 / (folds - 3) as f64).sqrt();
    match error > 0.0 {
        true => behind.iter().map(|cell| mean(cell) > far * error).collect(),
        false => none,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_far_behind_is_given_up() {
        let twice = |values: [f64; 2]| [values, values].concat();
        let of = |cells: &[[f64; 2]], metric: &Metric| {
            let cells: Vec<Vec<f64>> = cells.iter().map(|&values| twice(values)).collect();
            hopeless(&cells.iter().map(Vec::as_slice).collect::<Vec<_>>(), metric)
        };
        let values = [[0.90, 0.92], [0.91, 0.91], [0.60, 0.61], [0.90, 0.91]];
        assert_eq!(of(&values, &Metric::Accuracy), [false, false, true, false]);
        // A loss is the better the smaller.
        let losses = [[0.1, 0.12], [0.11, 0.11], [0.9, 0.91]];
        assert_eq!(of(&losses, &Metric::MeanSquaredError), [false, false, true]);
        assert_eq!(of(&[[0.9, 0.9], [0.8, 0.8]], &Metric::Accuracy), [false, false]);
        // Three values say too little of their deviation.
        let three: [&[f64]; 2] = [&[0.9, 0.91, 0.9], &[0.1, 0.12, 0.1]];
        assert_eq!(hopeless(&three, &Metric::Accuracy), [false, false]);
    }
}

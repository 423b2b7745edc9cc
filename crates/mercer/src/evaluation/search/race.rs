//! Giving up cells that cannot be the best any more.

/// Standard errors by which a cell must be behind to be given up, if they are known.
const FAR_BEHIND: f64 = 2.5;

/// Which of some cells, by their scores (the larger the better) on the same k sets of rows, are hopeless.
///
/// The differences of a cell from the best one so far have a mean d over the sets and a deviation s between them. With few
/// sets the deviation of a single cell is a matter of luck, so the median of all cells' takes its place. A cell is hopeless
/// if d > 2.5 t s/√k, where t² = (k − 1)/(k − 3) is the variance of Student's t with k − 1 degrees of freedom: what few sets
/// say of the deviation is not much. Nothing is given up by three sets or fewer, or where the deviations are 0. O(k) for each
/// cell.
///
/// ```
/// use mercer::evaluation::search::hopeless;
/// let scores = [vec![0.90, 0.92, 0.90, 0.92], vec![0.91; 4], vec![0.60, 0.61, 0.60, 0.61]];
/// assert_eq!(hopeless(&scores), [false, false, true]);
/// ```
pub fn hopeless(scores: &[Vec<f64>]) -> Vec<bool> {
    let none = vec![false; scores.len()];
    let folds = scores.first().map_or(0, Vec::len);
    // A metric that could not be told for parts of the rows of one cell cannot be compared part by part.
    if folds < 4 || scores.len() < 2 || scores.iter().any(|cell| cell.len() != folds) {
        return none;
    }
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
    use crate::evaluation::Metric;

    #[test]
    fn only_what_is_far_behind_is_given_up() {
        let of = |cells: &[[f64; 2]]| {
            hopeless(&cells.iter().map(|values| [*values, *values].concat()).collect::<Vec<_>>())
        };
        let values = [[0.90, 0.92], [0.91, 0.91], [0.60, 0.61], [0.90, 0.91]];
        assert_eq!(of(&values), [false, false, true, false]);
        // A loss is the better the smaller.
        let losses = [[0.1, 0.12], [0.11, 0.11], [0.9, 0.91]];
        let scores = losses.map(|cell| cell.map(|loss| Metric::MeanSquaredError.as_score(loss)));
        assert_eq!(of(&scores), [false, false, true]);
        assert_eq!(of(&[[0.9, 0.9], [0.8, 0.8]]), [false, false]);
        // Three values say too little of their deviation.
        assert_eq!(hopeless(&[vec![0.9, 0.91, 0.9], vec![0.1, 0.12, 0.1]]), [false, false]);
    }
}

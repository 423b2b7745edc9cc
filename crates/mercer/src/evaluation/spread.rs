//! How far numbers are apart: standard deviations, quantiles, standard errors.

/// The distance of the quartiles of a normal distribution, in standard deviations.
const QUARTILES: f64 = 1.348_979_500_392_163_5;

/// Squares of distances below this lose their digits.
const TINY: f64 = 1e-140;

/// A standard deviation that a few outliers do not blow up: the smaller of the usual one and of what the distance of the
/// quartiles stands for; the usual one where half of the numbers are the same. 0 for numbers that are all the same.
///
/// ```
/// use mercer::evaluation::spread;
/// assert_eq!(spread(&[1.0, 1.0, 1.0, 3.0, 3.0, 3.0], None), 1.0);
/// let with_outlier: Vec<f64> = (0..100).map(f64::from).chain([1e9]).collect();
/// assert!((spread(&with_outlier, None) - 37.1).abs() < 0.1);
/// assert!((spread(&[1e-200, 1e-200, 3e-200, 3e-200], None) / 1e-200 - 1.0).abs() < 1e-12);
/// assert_eq!(spread(&[1.0, 3.0, 99.0], Some(&[3.0, 3.0, 0.0])), spread(&[1.0, 3.0], None));
/// ```
pub fn spread(numbers: &[f64], weights: Option<&[f64]>) -> f64 {
    let size = numbers.iter().map(|number| (number - numbers[0]).abs()).fold(0.0, f64::max);
    // Their squares would be 0, as if they were all the same.
    if 0.0 < size && size < TINY {
        let scaled: Vec<f64> = numbers.iter().map(|number| (number - numbers[0]) / size).collect();
        return size * spread(&scaled, weights);
    }
    let sd = variance(numbers, weights).sqrt();
    let quartiles = quantiles(numbers, weights, &[0.25, 0.75]);
    let robust = (quartiles[1] - quartiles[0]) / QUARTILES;
    if robust > 0.0 { sd.min(robust) } else { sd }
}

/// The weighted mean.
pub(super) fn mean(numbers: impl IntoIterator<Item = f64>, weights: Option<&[f64]>) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    for (i, number) in numbers.into_iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights[i]);
        sum += weight * number;
        all += weight;
    }
    sum / all
}

/// The mean squared distance from the mean.
pub(super) fn variance(numbers: &[f64], weights: Option<&[f64]>) -> f64 {
    let centre = mean(numbers.iter().copied(), weights);
    mean(numbers.iter().map(|number| (number - centre).powi(2)), weights)
}

/// Numbers below which these shares lie, on the straight line between neighbours: each number stands in the middle of
/// its weight, the least at share 0 and the greatest at share 1. Without weights these are the usual quantiles.
pub(super) fn quantiles(numbers: &[f64], weights: Option<&[f64]>, shares: &[f64]) -> Vec<f64> {
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let mut order: Vec<usize> = (0..numbers.len()).filter(|&i| weight(i) > 0.0).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let mut sum = 0.0;
    let middles: Vec<f64> = order
        .iter()
        .map(|&i| {
            sum += weight(i);
            sum - 0.5 * weight(i)
        })
        .collect();
    let (Some(first), Some(last)) = (middles.first(), middles.last()) else {
        return vec![f64::NAN; shares.len()];
    };
    let at = |share: &f64| {
        let place = first + share * (last - first);
        let above = middles.partition_point(|&middle| middle < place).min(order.len() - 1);
        let below = above.saturating_sub(1);
        let (low, high) = (numbers[order[below]], numbers[order[above]]);
        match middles[above] - middles[below] {
            gap if gap > 0.0 => low + (place - middles[below]) / gap * (high - low),
            _ => high,
        }
    };
    shares.iter().map(at).collect()
}

/// The number that half of the weight is not above, and half not below; between two numbers their mean. So weights count
/// as if a number stood there so often.
pub(super) fn median(numbers: &[f64], weights: Option<&[f64]>) -> f64 {
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let mut order: Vec<usize> = (0..numbers.len()).filter(|&i| weight(i) > 0.0).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    let all: f64 = order.iter().map(|&i| weight(i)).sum();
    let mut sum = 0.0;
    for (place, &i) in order.iter().enumerate() {
        sum += weight(i);
        // Half of the weight, but for the rounding of sums.
        if (sum - 0.5 * all).abs() <= 1e-12 * all {
            let next = order.get(place + 1).map_or(numbers[i], |&next| numbers[next]);
            return numbers[i] + 0.5 * (next - numbers[i]);
        }
        if sum > 0.5 * all {
            return numbers[i];
        }
    }
    f64::NAN
}

/// The standard error of the mean of some folds; `None` for fewer than two.
pub(super) fn standard_error(folds: &[f64]) -> Option<f64> {
    let k = folds.len() as f64;
    (folds.len() > 1).then(|| (variance(folds, None) / (k - 1.0)).sqrt())
}

//! The mean of a sigmoid over a normal distribution.

/// Standard deviations to either side; beyond lies less than 1e-16 of the distribution.
const REACH: f64 = 8.5;
/// Steps in standard deviations: at most, and times the standard deviation of the argument.
const STEP: (f64, f64) = (0.25, 0.6);
/// Where the steps would be smaller than this, the sigmoid is a jump for all that can be told.
const LEAST_STEP: f64 = 1e-3;

/// E σ(z) for z ~ N(mean, variance), by the trapezoidal rule.
///
/// The integrand is analytic, with poles at a distance of π/s from the real line for the standard deviation s, and vanishes at both ends:
/// the error of steps h is exp(−2π²/(sh)), and so 5e-15 for h = 0.6/s. O(s) evaluations, about 70 while s is at most 2.
pub(super) fn mean_of_sigmoid(mean: f64, variance: f64) -> f64 {
    let deviation = variance.sqrt();
    let step = (STEP.1 / deviation).min(STEP.0).max(LEAST_STEP);
    let count = (REACH / step).ceil() as i64;
    let (mut sum, mut all) = (0.0, 0.0);
    for i in -count..=count {
        let z = i as f64 * step;
        let weight = (-0.5 * z * z).exp();
        sum += weight / (1.0 + (-(mean + deviation * z)).exp());
        all += weight;
    }
    sum / all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_a_sigmoid_are_those_of_small_steps() {
        for (mean, variance) in [(0.3, 0.5), (-2.0, 4.0), (5.0, 100.0), (0.7, 0.0), (3.0, 1e4)] {
            let deviation = f64::sqrt(variance);
            let step = 1e-4;
            let at = |i: i32| {
                let z = f64::from(i) * step;
                (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt() / (1.0 + (-(mean + deviation * z)).exp())
            };
            let expected: f64 = (-100_000..=100_000).map(at).sum::<f64>() * step;
            let found = mean_of_sigmoid(mean, variance);
            assert!((found - expected).abs() < 1e-11, "{mean} {variance}: {found} {expected}");
        }
        // σ(z) + σ(−z) = 1
        assert!((mean_of_sigmoid(0.0, 9.0) - 0.5).abs() < 1e-14);
    }
}

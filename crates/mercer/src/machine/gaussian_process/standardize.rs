//! Targets with the mean 0 and the standard deviation 1.

/// Standardizes targets, if they are not all the same; returns the mean and the standard deviation that they had, or 1. A target of
/// weight w counts as w targets.
///
/// Sums and squares are those of multiples by a power of two, which are about 1: they stay within the range of numbers, and digits
/// are the same.
pub(super) fn standardize(targets: &mut [f64], weights: Option<&[f64]>) -> (f64, f64) {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
    let n = weights.map_or(targets.len() as f64, |weights| weights.iter().sum());
    let largest = targets.iter().fold(0.0f64, |most, y| most.max(y.abs()));
    // The power of two that is not above the largest.
    let unit = f64::from_bits(largest.to_bits() & EXPONENT).max(f64::MIN_POSITIVE);
    targets.iter_mut().for_each(|y| *y /= unit);
    let mean = targets.iter().enumerate().map(|(i, y)| weight(i) * y).sum::<f64>() / n;
    targets.iter_mut().for_each(|y| *y -= mean);
    let deviation = (targets.iter().enumerate().map(|(i, y)| weight(i) * y * y).sum::<f64>() / n).sqrt();
    if deviation * unit > 0.0 {
        targets.iter_mut().for_each(|y| *y /= deviation);
        return (mean * unit, deviation * unit);
    }
    targets.iter_mut().for_each(|y| *y *= unit);
    (mean * unit, 1.0)
}

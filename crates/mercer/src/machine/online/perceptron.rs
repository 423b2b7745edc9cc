//! The perceptron's rule: add y φ(x) where sgn f(x) ≠ y (Table 5.2; Algorithm 7.52).

use super::rule::Seen;

/// 1 for a mistake; a value of 0 is one.
pub(super) fn loss(value: f64, target: f64) -> (f64, bool) {
    let mistake = target * value <= 0.0;
    (f64::from(u8::from(mistake)), mistake)
}

/// α ← α + w in β = yα, for an example of the weight w.
pub(super) fn step(seen: Seen) -> f64 {
    if seen.target * seen.value <= 0.0 { seen.weight * seen.target } else { 0.0 }
}

//! PRank: levels in order, told apart by thresholds on one function (Crammer and Singer).
//!
//! The level is the first r with f(x) < bᵣ, the last one if there is none. Of a mistake, each threshold that should be on the other side
//! of f(x), τᵣ = ±1, moves by one, bᵣ ← bᵣ − τᵣ, and so does f: β ← β + Σ τᵣ. Thresholds stay in order.

use super::rule::Seen;
use crate::error::{Error, Result};

pub(super) fn level(value: f64, thresholds: &[f64]) -> f64 {
    (thresholds.iter().position(|&b| value < b).unwrap_or(thresholds.len()) + 1) as f64
}

pub(super) fn is_level(target: f64, thresholds: &[f64]) -> bool {
    target.fract() == 0.0 && target >= 1.0 && target <= (thresholds.len() + 1) as f64
}

pub(super) fn step(seen: Seen, thresholds: &mut [f64]) -> (f64, bool) {
    if level(seen.value, thresholds) == seen.target {
        return (0.0, false);
    }
    let mut step = 0.0;
    for (r, threshold) in thresholds.iter_mut().enumerate() {
        // f(x) belongs above the thresholds of all levels before the true one.
        let side = if (r + 1) as f64 >= seen.target { -1.0 } else { 1.0 };
        if (seen.value - *threshold) * side <= 0.0 {
            step += side;
            *threshold -= side;
        }
    }
    (step, true)
}

pub(super) fn check(thresholds: &[f64]) -> Result<()> {
    if thresholds.is_empty() {
        let levels = thresholds.len() as f64 + 1.0;
        return Err(Error::Parameter { name: "levels", value: levels, expected: "2 levels or more" });
    }
    match thresholds.windows(2).position(|pair| pair[0].is_nan() || pair[1].is_nan() || pair[0] > pair[1]) {
        Some(index) => {
            let expected = "thresholds in order";
            Err(Error::Entry { what: "threshold", index: index + 1, value: thresholds[index + 1], expected })
        }
        None => Ok(()),
    }
}

//! Numbers that make sense.

use super::bound::Term;
use crate::error::{Error, Result};

/// Refuses a δ that is no probability, or leaves nothing to claim.
pub(super) fn confidence(delta: f64) -> Result<()> {
    match delta > 0.0 && delta < 1.0 {
        true => Ok(()),
        false => Err(Error::Parameter {
            name: "delta",
            value: delta,
            expected: "a probability above 0 and below 1",
        }),
    }
}

/// Refuses what is not a finite number above 0.
pub(super) fn positive(name: &'static str, value: f64) -> Result<f64> {
    match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(Error::Parameter { name, value, expected: "a finite number above 0" }),
    }
}

/// Refuses what is not a finite number of 0 or more.
pub(super) fn not_negative(name: &'static str, value: f64) -> Result<f64> {
    match value >= 0.0 && value.is_finite() {
        true => Ok(value),
        false => Err(Error::Parameter { name, value, expected: "a finite number, at least 0" }),
    }
}

/// ℓ as a number; at least one row.
pub(super) fn rows(rows: usize) -> Result<f64> {
    if rows == 0 { Err(Error::Empty { what: "rows" }) } else { Ok(rows as f64) }
}

/// 3 √(ln(2/δ)/(2ℓ)): how unlucky the sample may be (Theorem 4.9, which those of chapter 7 rest on).
pub(super) fn bad_luck(delta: f64, rows: f64) -> Term {
    Term {
        name: "confidence",
        value: 3.0 * ((2.0 / delta).ln() / (2.0 * rows)).sqrt(),
        smaller_by: "more rows: four times as many halve it; a larger delta helps little",
    }
}

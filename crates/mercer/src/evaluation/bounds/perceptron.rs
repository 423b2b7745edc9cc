//! The perceptron: how many updates it makes, and what they say about its error.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{confidence, positive, rows};
use crate::error::{Error, Result};

/// Updates of the perceptron until it has all rows right (Novikoff; Shawe-Taylor & Cristianini, Theorem 7.53).
///
/// Rows in a ball of radius R about the origin that some hyperplane without an offset separates by γ take R²/γ² updates at most.
/// With the bias step y·R² of Cristianini & Shawe-Taylor's Table 5.1, and a hyperplane with an offset, the proof gives (2R/γ)².
///
/// ```
/// use mercer::evaluation::bounds::Updates;
/// let theorem = Updates { squared_radius: 4.0, margin: 0.5, bias: false };
/// assert_eq!(theorem.bound()?.value, 16.0);
/// assert_eq!(Updates { bias: true, ..theorem }.bound()?.value, 64.0);
/// assert!(!theorem.bound()?.is_vacuous());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Updates {
    /// R², about the origin.
    pub squared_radius: f64,
    /// γ of the hard margin machine, a distance.
    pub margin: f64,
    /// Whether the perceptron has a bias, learned by steps y·R².
    pub bias: bool,
}

impl Updates {
    /// R²/γ², or (2R/γ)². O(1).
    ///
    /// # Errors
    /// [`Error::Parameter`] for a radius or a margin that is not above 0.
    pub fn bound(&self) -> Result<Bound> {
        let gamma = positive("margin", self.margin)?;
        let squared = positive("squared radius", self.squared_radius)?;
        let factor = if self.bias { 4.0 } else { 1.0 };
        let terms = vec![Term {
            name: "updates",
            value: factor * squared / (gamma * gamma),
            smaller_by: "a larger margin for rows of this length",
        }];
        let theorem = "Shawe-Taylor & Cristianini, Theorem 7.53 (Novikoff)";
        let bound = Bound::new("perceptron updates", theorem, Quantity::PerceptronUpdates, terms);
        Ok(Bound { trivial: f64::INFINITY, ..bound })
    }
}

/// The error of a perceptron by the updates that it made (Shawe-Taylor & Cristianini, Theorem 7.54).
///
/// With probability 1 − δ, a perceptron that made 1 ≤ k ≤ ℓ/2 updates and then had all ℓ rows right has
///
/// ```text
/// P(y ≠ f(x))  ≤  ( k ln ℓ + ln(ℓ/(2δ)) ) / (ℓ − k)
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{Mistakes, Theorem};
/// let theorem = Mistakes { rows: 1000, updates: 20 };
/// // (20 ln 1000 + ln 10 000)/980
/// assert!((theorem.bound(0.05)?.value - 0.150_373).abs() < 1e-6);
/// assert!(Mistakes { updates: 501, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistakes {
    /// ℓ
    pub rows: usize,
    /// k
    pub updates: usize,
}

impl Theorem for Mistakes {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (l, k) = (rows(self.rows)?, self.updates as f64);
        if k < 1.0 || k > 0.5 * l {
            return Err(Error::Interval { name: "updates", value: k, low: 0.0, high: 0.5 * l });
        }
        let theorem = "Shawe-Taylor & Cristianini, Theorem 7.54";
        let terms = terms(k, l, 1.0 / (l - k), delta);
        Ok(Bound::new("perceptron mistakes", theorem, Quantity::PerceptronError, terms).with_delta(delta))
    }
}

/// The error of a perceptron by the margin that its rows allow (Shawe-Taylor & Cristianini, Corollary 7.55).
///
/// Provided that R²/γ² ≤ ℓ/2, with the γ of the hard margin machine without an offset,
///
/// ```text
/// P(y ≠ f(x))  ≤  (2/ℓ) ( R²/γ² · ln ℓ + ln(ℓ/(2δ)) )
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{PerceptronMargin, Theorem};
/// let theorem = PerceptronMargin { rows: 1000, squared_radius: 1.0, margin: 0.25 };
/// // (16 ln 1000 + ln 10 000)/500
/// assert!((theorem.bound(0.05)?.value - 0.239_469).abs() < 1e-6);
/// assert!(PerceptronMargin { margin: 0.04, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerceptronMargin {
    /// ℓ
    pub rows: usize,
    /// R², about the origin.
    pub squared_radius: f64,
    /// γ, a distance.
    pub margin: f64,
}

impl Theorem for PerceptronMargin {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let l = rows(self.rows)?;
        let gamma = positive("margin", self.margin)?;
        let most = positive("squared radius", self.squared_radius)? / (gamma * gamma);
        if most.is_nan() || most > 0.5 * l {
            return Err(Error::Interval { name: "R²/γ²", value: most, low: 0.0, high: 0.5 * l });
        }
        let theorem = "Shawe-Taylor & Cristianini, Corollary 7.55";
        let terms = terms(most, l, 2.0 / l, delta);
        Ok(Bound::new("perceptron margin", theorem, Quantity::PerceptronError, terms).with_delta(delta))
    }
}

/// factor · k ln ℓ and factor · ln(ℓ/(2δ))
fn terms(k: f64, l: f64, factor: f64, delta: f64) -> Vec<Term> {
    vec![
        Term {
            name: "updates",
            value: factor * k * l.ln(),
            smaller_by: "fewer updates: a larger margin for rows of this length; or more rows",
        },
        Term {
            name: "confidence",
            // Of one row, ln(ℓ/(2δ)) may be below 0.
            value: factor * (0.5 * l / delta).ln().max(0.0),
            smaller_by: "more rows; a larger delta helps little",
        },
    ]
}

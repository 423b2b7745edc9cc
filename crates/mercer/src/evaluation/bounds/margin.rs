//! The error by the margin: the general forms (7.8) and (7.13), and the hard margin.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{bad_luck, confidence, not_negative, positive, rows};
use crate::error::Result;

pub(super) const LESS_SLACK: &str = "less slack: a kernel that separates the classes better, or a higher cost (which makes the margin smaller)";

const MORE_MARGIN: &str = "a larger margin for rows of this length (another kernel or scaling, a lower cost), or more rows: four times as \
     many halve it";

/// The error of a hyperplane by its margin and the sum of slacks (Shawe-Taylor & Cristianini, inequality 7.8).
///
/// For a γ that was fixed before, with probability 1 − δ every function g(x) = ⟨w, φ(x)⟩ with ‖w‖ ≤ 1 has
///
/// ```text
/// P(y ≠ sgn g(x))  ≤  Σξ/(ℓγ)  +  4 √tr(K)/(ℓγ)  +  3 √(ln(2/δ)/(2ℓ)),      ξᵢ = (γ − yᵢ g(xᵢ))₊
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{SoftMargin, Theorem};
/// let theorem = SoftMargin { rows: 10_000, trace: 10_000.0, margin: 0.5, slack_sum: 250.0 };
/// // 250/5000 + 4·100/5000 + 3 √(ln 40/20 000)
/// assert!((theorem.bound(0.05)?.value - (0.05 + 0.08 + 0.040_743)).abs() < 1e-6);
/// assert!(SoftMargin { margin: 0.0, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftMargin {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// γ, a distance: ‖w‖ is 1.
    pub margin: f64,
    /// Σξ, distances too.
    pub slack_sum: f64,
}

impl Theorem for SoftMargin {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (l, trace) = (rows(self.rows)?, not_negative("trace", self.trace)?);
        let gamma = positive("margin", self.margin)?;
        let slack = not_negative("slack", self.slack_sum)? / (l * gamma);
        let terms = vec![
            Term { name: "slack", value: slack, smaller_by: LESS_SLACK },
            complexity(4.0, trace, l, gamma),
            bad_luck(delta, l),
        ];
        let theorem = "Shawe-Taylor & Cristianini, inequality (7.8)";
        Ok(Bound::new("margin and slack", theorem, Quantity::Error, terms).with_delta(delta))
    }
}

/// The error of a hyperplane by its margin and the squares of slacks (Shawe-Taylor & Cristianini, inequality 7.13).
///
/// ```text
/// P(y ≠ sgn g(x))  ≤  Σξ²/(ℓγ²)  +  8 √tr(K)/(ℓγ)  +  3 √(ln(2/δ)/(2ℓ))
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{SquaredSlack, Theorem};
/// let theorem = SquaredSlack { rows: 10_000, trace: 10_000.0, margin: 0.5, slack_squares: 250.0 };
/// // 250/2500 + 8·100/5000 + 3 √(ln 40/20 000)
/// assert!((theorem.bound(0.05)?.value - (0.1 + 0.16 + 0.040_743)).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredSlack {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// γ, a distance: ‖w‖ is 1.
    pub margin: f64,
    /// Σξ², squares of distances.
    pub slack_squares: f64,
}

impl Theorem for SquaredSlack {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (l, trace) = (rows(self.rows)?, not_negative("trace", self.trace)?);
        let gamma = positive("margin", self.margin)?;
        let slack = not_negative("slack", self.slack_squares)? / (l * gamma * gamma);
        let terms = vec![
            Term { name: "slack", value: slack, smaller_by: LESS_SLACK },
            complexity(8.0, trace, l, gamma),
            bad_luck(delta, l),
        ];
        let theorem = "Shawe-Taylor & Cristianini, inequality (7.13)";
        Ok(Bound::new("margin and squared slack", theorem, Quantity::Error, terms).with_delta(delta))
    }
}

/// The error of the hard margin machine (Shawe-Taylor & Cristianini, Theorems 7.22 and 7.27): (7.8) without slack.
///
/// ```text
/// P(y ≠ f(x))  ≤  4 √tr(K)/(ℓγ)  +  3 √(ln(2/δ)/(2ℓ))
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{HardMargin, Theorem};
/// let few = HardMargin { rows: 16, trace: 16.0, margin: 0.5 }.bound(0.05)?;
/// assert_eq!((few.terms[0].value, few.is_vacuous()), (2.0, true));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HardMargin {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// γ*, the distance of the nearest row from the hyperplane.
    pub margin: f64,
}

impl Theorem for HardMargin {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (l, trace) = (rows(self.rows)?, not_negative("trace", self.trace)?);
        let terms = vec![complexity(4.0, trace, l, positive("margin", self.margin)?), bad_luck(delta, l)];
        let theorem = "Shawe-Taylor & Cristianini, Theorems 7.22 and 7.27";
        Ok(Bound::new("hard margin", theorem, Quantity::Error, terms).with_delta(delta))
    }
}

/// factor · √tr(K)/(ℓγ): how much a hyperplane of this margin can be fitted to chance.
pub(super) fn complexity(factor: f64, trace: f64, l: f64, gamma: f64) -> Term {
    Term { name: "complexity", value: factor * trace.sqrt() / (l * gamma), smaller_by: MORE_MARGIN }
}

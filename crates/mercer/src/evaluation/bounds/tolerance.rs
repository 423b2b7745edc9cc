//! How often a regression misses by more than a tolerance.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{bad_luck, confidence, not_negative, positive, rows};
use crate::error::{Error, Result};

/// How often targets are missed by more than γ (Shawe-Taylor & Cristianini, Theorem 7.49).
///
/// With probability 1 − δ every function g(x) = ⟨w, φ(x)⟩ with ‖w‖ ≤ B, and γ, ε and B fixed before, has
///
/// ```text
/// P(|y − g(x)| > γ)  ≤  Σξ/(ℓ(γ − ε))  +  4B √tr(K)/(ℓ(γ − ε))  +  3 √(ln(2/δ)/(2ℓ)),      ξᵢ = (|yᵢ − g(xᵢ)| − ε)₊
/// ```
///
/// ```
/// use mercer::evaluation::bounds::{Theorem, Tolerance};
/// let theorem =
///     Tolerance { rows: 10_000, trace: 10_000.0, norm: 2.0, tube: 0.5, gamma: 2.5, slack_sum: 400.0 };
/// // 400/20 000 + 4·2·100/20 000 + 3 √(ln 40/20 000)
/// assert!((theorem.bound(0.05)?.value - (0.02 + 0.04 + 0.040_743)).abs() < 1e-6);
/// assert!(Tolerance { gamma: 0.5, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// B: ‖w‖ is at most this.
    pub norm: f64,
    /// ε, at least 0.
    pub tube: f64,
    /// γ, above ε.
    pub gamma: f64,
    /// Σξ: by how much targets lie outside of the tube, in all.
    pub slack_sum: f64,
}

impl Tolerance {
    /// γ for which slack and complexity sum up to p, in place of the one that is set. O(1).
    ///
    /// ```
    /// use mercer::evaluation::bounds::{Theorem, Tolerance};
    /// let theorem = Tolerance { rows: 400, trace: 400.0, norm: 2.0, tube: 0.5, gamma: 0.0, slack_sum: 40.0 };
    /// // ε + (40/400 + 4·2·20/400)/0.1
    /// let gamma = theorem.gamma_for(0.1)?;
    /// assert!((gamma - 5.5).abs() < 1e-12);
    /// let bound = Tolerance { gamma, ..theorem }.bound(0.05)?;
    /// assert!((bound.terms[0].value + bound.terms[1].value - 0.1).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// No rows, or a share that is not above 0.
    pub fn gamma_for(&self, p: f64) -> Result<f64> {
        let l = rows(self.rows)?;
        Ok(self.tube + (self.slack_sum + 4.0 * self.norm * self.trace.sqrt()) / (l * positive("share", p)?))
    }
}

impl Theorem for Tolerance {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (l, trace) = (rows(self.rows)?, not_negative("trace", self.trace)?);
        let room = self.gamma - not_negative("tube", self.tube)?;
        if !(room > 0.0 && room.is_finite()) {
            let expected = "a finite number, larger than the tube";
            return Err(Error::Parameter { name: "gamma", value: self.gamma, expected });
        }
        let (slack, norm) = (not_negative("slack", self.slack_sum)?, not_negative("norm", self.norm)?);
        let terms = vec![
            Term {
                name: "slack",
                value: slack / (l * room),
                smaller_by: "smaller residuals: a higher cost or another kernel; or a larger tolerance gamma",
            },
            Term {
                name: "complexity",
                value: 4.0 * norm * trace.sqrt() / (l * room),
                smaller_by: "a flatter function: a lower cost; or a larger tolerance gamma, or more rows: four times as many halve it",
            },
            bad_luck(delta, l),
        ];
        let theorem = "Shawe-Taylor & Cristianini, Theorem 7.49";
        let quantity = Quantity::Miss { gamma: self.gamma };
        Ok(Bound::new("tolerance", theorem, quantity, terms).with_delta(delta))
    }
}

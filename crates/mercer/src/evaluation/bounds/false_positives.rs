//! How often a sphere calls a row novel that is not.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{bad_luck, confidence, not_negative, positive};
use crate::error::Result;
use crate::machine::FalsePositiveBound;

/// How often a row like those of the training lies outside of the squared radius r² + γ, term by term as
/// [`FalsePositiveBound`] has them (Shawe-Taylor & Cristianini, Theorems 7.5, 7.9 and 7.12).
///
/// ```text
/// P(‖φ(x) − c‖² > r² + γ)  ≤  ‖ξ‖₁/(γℓ)  +  6R²/(γ√ℓ)  +  3 √(ln(2/δ)/(2ℓ)),      ξᵢ = (‖φ(xᵢ) − c‖² − r²)₊
/// ```
///
/// It is Theorem 7.9 for a cost C, 7.12 for a share ν, and for any sphere 7.5, where slacks count γ at most:
/// [`clipped_slack`]. γ is fixed before; for the best of k see [`Theorem::among`] (Remark 7.13). The γ for which the first
/// two terms sum up to a share p is [`FalsePositives::gamma_for`] (Corollary 7.14).
///
/// ```
/// use mercer::evaluation::bounds::{FalsePositives, Theorem};
/// let theorem = FalsePositives { items: 10_000.0, squared_radius: 1.0, slack_sum: 250.0, gamma: 0.5 };
/// // 250/5000 + 6/50 + 3 √(ln 40/20 000)
/// assert!((theorem.bound(0.05)?.value - (0.05 + 0.12 + 0.040_743)).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FalsePositives {
    /// ℓ: training rows, or the sum of their weights.
    pub items: f64,
    /// R², about the origin.
    pub squared_radius: f64,
    /// ‖ξ‖₁: by how much training rows lie outside, in squared distances.
    pub slack_sum: f64,
    /// γ, a squared distance.
    pub gamma: f64,
}

impl FalsePositives {
    /// The theorem with the γ for which slack and complexity sum up to p (Corollary 7.14, where ν = p gives the smallest
    /// sphere).
    ///
    /// ```
    /// use mercer::evaluation::bounds::{FalsePositives, Theorem};
    /// let theorem = FalsePositives { items: 400.0, squared_radius: 1.0, slack_sum: 8.0, gamma: 1.0 };
    /// let at_share = theorem.gamma_for(0.1)?;
    /// // (8/400 + 6/20)/0.1
    /// assert!((at_share.gamma - 3.2).abs() < 1e-12);
    /// let bound = at_share.bound(0.05)?;
    /// assert!((bound.terms[0].value + bound.terms[1].value - 0.1).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// A share that is not above 0, or no items.
    pub fn gamma_for(self, p: f64) -> Result<Self> {
        let (p, items) = (positive("share", p)?, positive("items", self.items)?);
        let gamma = FalsePositiveBound::gamma_for(p, self.slack_sum, self.squared_radius, items);
        Ok(FalsePositives { gamma, ..self })
    }
}

impl Theorem for FalsePositives {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (items, gamma) = (positive("items", self.items)?, positive("gamma", self.gamma)?);
        let squared = not_negative("squared radius", self.squared_radius)?;
        let slack = not_negative("slack", self.slack_sum)?;
        let found = FalsePositiveBound::new(slack, squared, items, gamma, delta);
        let terms = vec![
            Term {
                name: "slack",
                value: found.slack,
                smaller_by: "fewer rows outside: a smaller share nu or a higher cost; or a larger gamma",
            },
            Term {
                name: "complexity",
                value: found.complexity,
                smaller_by: "a larger gamma, rows nearer to the origin of the feature space, or more rows: four times as many halve it",
            },
            Term { value: found.confidence, ..bad_luck(delta, items) },
        ];
        let theorem = "Shawe-Taylor & Cristianini, Theorems 7.5, 7.9 and 7.12";
        let quantity = Quantity::FalsePositives { gamma };
        Ok(Bound::new("false positives", theorem, quantity, terms).with_delta(delta))
    }
}

/// γ Σ g(xᵢ) for the g of Theorem 7.5, which is ξ/γ up to 1: slacks that count γ at most. O(n).
///
/// ```
/// use mercer::evaluation::bounds::clipped_slack;
/// assert_eq!(clipped_slack(&[0.0, 0.25, 4.0], 0.5), 0.75);
/// ```
pub fn clipped_slack(slacks: &[f64], gamma: f64) -> f64 {
    slacks.iter().map(|xi| xi.clamp(0.0, gamma.max(0.0))).sum()
}

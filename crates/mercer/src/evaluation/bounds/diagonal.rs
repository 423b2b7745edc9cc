//! The 2-norm machine.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{bad_luck, confidence, not_negative, positive, rows};
use super::margin::{LESS_SLACK, complexity};
use crate::error::Result;

/// The error of the 2-norm soft margin machine by its dual (Shawe-Taylor & Cristianini, Theorem 7.38).
///
/// In the scale of Algorithm 7.37, where Σα = 1 and the kernel matrix has μ added to its diagonal:
///
/// ```text
/// P(y ≠ f(x))  ≤  min( μ²‖α‖²/(ℓγ*⁴) + 8 √tr(K)/(ℓγ*),  4 √(tr(K) + ℓμ)/(ℓγ*) )  +  3 √(ln(4/δ)/(2ℓ))
/// ```
///
/// The first is (7.13), the second the hard margin in the space that the diagonal makes; each has δ/2. (The text prints
/// μ‖α‖² where its proof has μ²‖α‖².) γ*² = αᵀGα + μ‖α‖² takes the diagonal in. For a machine of the functional margin 1
/// with coefficients α′ and cost C, the numbers are α = α′/Σα′ and μ = 1/C.
///
/// ```
/// use mercer::evaluation::bounds::{Diagonal, Theorem};
/// let theorem = Diagonal { rows: 400, trace: 400.0, mu: 1.0, squares: 0.01, margin: 0.5 };
/// // 0.01/(400·0.0625) + 8·20/(400·0.5) = 0.8004 and 4·√800/(400·0.5) = 0.5657: the second.
/// let bound = theorem.bound(0.05)?;
/// assert!((bound.terms[0].value - 0.565_685).abs() < 1e-6 && bound.terms.len() == 2);
/// // With a large μ the first is smaller: 0.8004 against 4·√4400/(400·0.5) = 1.327.
/// let sparse = Diagonal { mu: 10.0, squares: 0.0001, ..theorem }.bound(0.05)?;
/// assert_eq!((sparse.terms.len(), sparse.terms[0].name), (3, "slack"));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diagonal {
    /// ℓ
    pub rows: usize,
    /// tr(K), without what the diagonal adds.
    pub trace: f64,
    /// μ: what is added to the diagonal.
    pub mu: f64,
    /// ‖α‖² of coefficients that sum to 1.
    pub squares: f64,
    /// γ*, with what the diagonal adds.
    pub margin: f64,
}

impl Theorem for Diagonal {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (l, trace) = (rows(self.rows)?, not_negative("trace", self.trace)?);
        let (mu, gamma) = (positive("mu", self.mu)?, positive("margin", self.margin)?);
        let slack = mu * mu * not_negative("squares", self.squares)? / (l * gamma.powi(4));
        let soft = vec![
            Term { name: "slack", value: slack, smaller_by: LESS_SLACK },
            complexity(8.0, trace, l, gamma),
        ];
        let hard = vec![complexity(4.0, trace + l * mu, l, gamma)];
        let sum = |terms: &[Term]| terms.iter().map(|term| term.value).sum::<f64>();
        let mut terms = if sum(&soft) <= sum(&hard) { soft } else { hard };
        terms.push(bad_luck(0.5 * delta, l));
        let theorem = "Shawe-Taylor & Cristianini, Theorem 7.38";
        Ok(Bound::new("2-norm soft margin", theorem, Quantity::Error, terms).with_delta(delta))
    }
}

//! The 1-norm machine and the ν machine, by their dual solutions.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{bad_luck, confidence, not_negative, positive, rows};
use super::margin::{LESS_SLACK, complexity};
use crate::error::{Error, Result};

/// The error of the 1-norm soft margin machine by its dual (Shawe-Taylor & Cristianini, Theorem 7.30).
///
/// In the scale of Algorithm 7.29, where Σα = 1 and α ≤ C with C ≥ 1/ℓ, and W = −Σ αα yy κ:
///
/// ```text
/// P(y ≠ f(x))  ≤  1/(Cℓ) − √−W/(Cℓγ*)  +  4 √tr(K)/(ℓγ*)  +  3 √(ln(2/δ)/(2ℓ))
/// ```
///
/// The first two are Σξ/(ℓγ*), so at the solution it is [`SoftMargin`](super::SoftMargin). For a machine of the functional margin 1 with
/// coefficients α′ and cost C′ the numbers are C = C′/Σα′, √−W = ‖w‖/Σα′ and γ* = 1/‖w‖.
///
/// ```
/// use mercer::evaluation::bounds::{BoxConstraint, Theorem};
/// let theorem = BoxConstraint { rows: 400, trace: 400.0, cost: 0.01, root: 0.4, margin: 0.5 };
/// // (1 − 0.4/0.5)/(0.01·400) = 0.05, and 4·20/(400·0.5) = 0.4
/// let bound = theorem.bound(0.05)?;
/// assert!((bound.terms[0].value - 0.05).abs() < 1e-12 && (bound.terms[1].value - 0.4).abs() < 1e-12);
/// // A bound C on coefficients that sum to 1 is 1/ℓ at least.
/// assert!(BoxConstraint { cost: 0.001, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxConstraint {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// C, the bound of coefficients that sum to 1.
    pub cost: f64,
    /// √−W: the length of w = Σ yαφ(x).
    pub root: f64,
    /// γ*, a distance.
    pub margin: f64,
}

impl Theorem for BoxConstraint {
    fn bound(&self, delta: f64) -> Result<Bound> {
        let least = 1.0 / rows(self.rows)?;
        if positive("cost", self.cost)? < least * (1.0 - 1e-9) {
            let expected = "at least 1/ℓ for ℓ rows, as coefficients sum to 1";
            return Err(Error::Parameter { name: "cost", value: self.cost, expected });
        }
        let BoxConstraint { rows, trace, root, margin, .. } = *self;
        // Coefficients of 1/ℓ at most are all 1/ℓ.
        let same = NuShare { rows, trace, nu: (least / self.cost).min(1.0), root, margin }.bound(delta)?;
        let (name, theorem) = ("1-norm soft margin", "Shawe-Taylor & Cristianini, Theorem 7.30");
        Ok(Bound { name, theorem, ..same })
    }
}

/// The error of the ν machine by its dual (Shawe-Taylor & Cristianini, Theorem 7.33): Theorem 7.30 with C = 1/(νℓ).
///
/// ```text
/// P(y ≠ f(x))  ≤  ν − ν √−W/γ*  +  4 √tr(K)/(ℓγ*)  +  3 √(ln(2/δ)/(2ℓ))
/// ```
///
/// For the best of all ν = 1/ℓ, 2/ℓ, …, 1 it is [`Theorem::among`] ℓ choices (Remark 7.34).
///
/// ```
/// use mercer::evaluation::bounds::{NuShare, Theorem};
/// let theorem = NuShare { rows: 400, trace: 400.0, nu: 0.25, root: 0.4, margin: 0.5 };
/// // 0.25 − 0.25·0.4/0.5
/// assert!((theorem.bound(0.05)?.terms[0].value - 0.05).abs() < 1e-12);
/// // 3 √(ln(2·400/0.05)/800) in place of 3 √(ln(2/0.05)/800)
/// let dearer = theorem.among(400, 0.05)?.value - theorem.bound(0.05)?.value;
/// assert!((dearer - 0.126_291).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NuShare {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// ν, above 0 and at most 1.
    pub nu: f64,
    /// √−W: the length of w = Σ yαφ(x) for coefficients that sum to 1.
    pub root: f64,
    /// γ*, a distance.
    pub margin: f64,
}

impl Theorem for NuShare {
    fn bound(&self, delta: f64) -> Result<Bound> {
        if positive("nu", self.nu)? > 1.0 {
            return Err(Error::Parameter {
                name: "nu",
                value: self.nu,
                expected: "a number above 0, at most 1",
            });
        }
        confidence(delta)?;
        let (l, trace) = (rows(self.rows)?, not_negative("trace", self.trace)?);
        let gamma = positive("margin", self.margin)?;
        // Solved to a tolerance, √−W may exceed the margin in the last digits.
        let slack = self.nu * (1.0 - not_negative("root", self.root)? / gamma).max(0.0);
        let terms = vec![
            Term { name: "slack", value: slack, smaller_by: LESS_SLACK },
            complexity(4.0, trace, l, gamma),
            bad_luck(delta, l),
        ];
        let theorem = "Shawe-Taylor & Cristianini, Theorem 7.33";
        Ok(Bound::new("nu soft margin", theorem, Quantity::Error, terms).with_delta(delta))
    }
}

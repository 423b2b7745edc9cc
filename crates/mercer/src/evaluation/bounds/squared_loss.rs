//! The expected squared error of a regression.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{bad_luck, confidence, not_negative, positive, rows};
use crate::error::{Error, Result};

/// The expected squared error of a function of bounded norm (Shawe-Taylor & Cristianini, Theorem 7.39).
///
/// With probability 1 − δ every function g(x) = ⟨w, φ(x)⟩ with ‖w‖ ≤ B, a B that was fixed before and for which all targets lie
/// between −BR and BR, has
///
/// ```text
/// E (y − g(x))²  ≤  Σ(yᵢ − g(xᵢ))²/ℓ  +  16RB (B √tr(K) + ‖y‖)/ℓ  +  12 (RB)² √(ln(2/δ)/(2ℓ))
/// ```
///
/// Without any theorem it is at most (2RB)².
///
/// ```
/// use mercer::evaluation::bounds::{SquaredLoss, Theorem};
/// let theorem = SquaredLoss {
///     rows: 10_000, trace: 10_000.0, squared_radius: 1.0, norm: 2.0,
///     residual_squares: 1000.0, target_squares: 10_000.0, largest_target: 1.5,
/// };
/// // 0.1 + 16·2·(2·100 + 100)/10 000 + 48 √(ln 40/20 000)
/// let bound = theorem.bound(0.05)?;
/// assert!((bound.value - (0.1 + 0.96 + 0.651_889)).abs() < 1e-6 && bound.trivial == 16.0);
/// assert!(SquaredLoss { largest_target: 2.5, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredLoss {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// R², about the origin.
    pub squared_radius: f64,
    /// B: ‖w‖ is at most this.
    pub norm: f64,
    /// Σ (y − g(x))² over the training rows.
    pub residual_squares: f64,
    /// ‖y‖² = Σy².
    pub target_squares: f64,
    /// The largest |y| that there can be; at most BR.
    pub largest_target: f64,
}

impl Theorem for SquaredLoss {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (l, trace) = (rows(self.rows)?, not_negative("trace", self.trace)?);
        let radius = positive("squared radius", self.squared_radius)?.sqrt();
        let norm = positive("norm", self.norm)?;
        let reach = radius * norm;
        if not_negative("largest target", self.largest_target)? > reach * (1.0 + 1e-9) {
            let (name, value) = ("largest target", self.largest_target);
            return Err(Error::Interval { name, value, low: 0.0, high: reach });
        }
        let targets = not_negative("squares of targets", self.target_squares)?.sqrt();
        let luck = bad_luck(delta, l);
        let terms = vec![
            Term {
                name: "squared error on the training rows",
                value: not_negative("squares of residuals", self.residual_squares)? / l,
                smaller_by: "smaller residuals: a higher cost or another kernel",
            },
            Term {
                name: "complexity",
                value: 16.0 * reach * (norm * trace.sqrt() + targets) / l,
                smaller_by: "a flatter function (a lower cost), targets nearer to 0, or more rows: four times as many halve it",
            },
            Term { value: 4.0 * reach * reach * luck.value, ..luck },
        ];
        let theorem = "Shawe-Taylor & Cristianini, Theorem 7.39";
        let bound = Bound::new("squared error", theorem, Quantity::SquaredError, terms).with_delta(delta);
        Ok(Bound { trivial: 4.0 * reach * reach, ..bound })
    }
}

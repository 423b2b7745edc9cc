//! The error of a consistent hyperplane, by the fat-shattering dimension R²/γ².

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{confidence, positive, rows};
use crate::error::{Error, Result};

/// The error of a hyperplane that has all training rows right by a margin (Cristianini & Shawe-Taylor, Theorem 5.2; Campbell,
/// Theorem 1).
///
/// For a γ that was fixed before, with probability 1 − δ every ⟨w, φ(x)⟩ with ‖w‖ = 1 and a margin of γ at least has
///
/// ```text
/// P(y ≠ f(x))  ≤  (2/m) ( 64R²/γ² · log(emγw/(8R²)) · log(32mw²/γ²)  +  log(4/δ) ),
/// ```
///
/// provided that 64R²/γ² < m and m times the bound is more than 2.
///
/// Logarithms are to base 2: log(4/δ) is 1 + log(2/δ), where the 1 is that of the covering number. w is the length of
/// the interval in which the values ⟨w, φ(x)⟩ lie, by which the covering number is derived. The texts print the formula
/// for w = 1, so that it is another number in another unit of length. In a ball of radius R values lie between −R and R:
/// with w = 2R the logarithms are log(emγ/(4R)) and log(128mR²/γ²), in any unit.
///
/// ```
/// use mercer::evaluation::bounds::{FatShattering, Theorem};
/// let theorem = FatShattering { rows: 10_000_000, squared_radius: 1.0, margin: 0.5, width: 2.0 };
/// // 2e-7 · (256 · log₂(e·10⁷·0.5/4) · log₂(128·10⁷/0.25) + log₂ 80)
/// assert!((theorem.bound(0.05)?.value - 0.035_830).abs() < 1e-6);
/// // In units of which R is 10, the same.
/// let tenths = FatShattering { squared_radius: 100.0, margin: 5.0, width: 20.0, ..theorem };
/// assert!((tenths.bound(0.05)?.value - theorem.bound(0.05)?.value).abs() < 1e-12);
/// assert!(FatShattering { rows: 256, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FatShattering {
    /// m
    pub rows: usize,
    /// R², about the origin.
    pub squared_radius: f64,
    /// γ, a distance: ‖w‖ is 1.
    pub margin: f64,
    /// w: how far values of the function lie apart, at most. 2R always serves; the texts have 1.
    pub width: f64,
}

impl Theorem for FatShattering {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let m = rows(self.rows)?;
        let (squared, gamma) =
            (positive("squared radius", self.squared_radius)?, positive("margin", self.margin)?);
        let width = positive("width", self.width)?;
        let dimension = 64.0 * squared / (gamma * gamma);
        if dimension.is_nan() || dimension >= m {
            return Err(Error::Interval { name: "64R²/γ²", value: dimension, low: 0.0, high: m });
        }
        let scales = [
            std::f64::consts::E * m * gamma * width / (8.0 * squared),
            32.0 * (m * width / gamma) * (width / gamma),
        ];
        if scales.iter().any(|scale| *scale <= 1.0) {
            let expected = "more, so that the logarithms are above 0: 2R always serves";
            return Err(Error::Parameter { name: "width", value: width, expected });
        }
        let terms = vec![
            Term {
                name: "complexity",
                value: 2.0 / m * dimension * scales[0].log2() * scales[1].log2(),
                smaller_by: "a larger margin for rows of this length: twice the margin makes it a quarter; or more rows",
            },
            Term {
                name: "confidence",
                value: 2.0 / m * (4.0 / delta).log2(),
                smaller_by: "more rows; a larger delta helps little",
            },
        ];
        let theorem = "Cristianini & Shawe-Taylor, Theorem 5.2; Campbell, Theorem 1";
        let bound = Bound::new("fat shattering", theorem, Quantity::Error, terms).with_delta(delta);
        if m * bound.value <= 2.0 {
            let (name, value, expected) = ("rows times the bound", m * bound.value, "more than 2");
            return Err(Error::Parameter { name, value, expected });
        }
        Ok(bound)
    }
}

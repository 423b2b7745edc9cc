//! Machines that few of their training rows make.

use super::bound::{Bound, Quantity, Term, Theorem};
use super::check::{confidence, rows};
use crate::error::{Error, Result};

const FEWER: &str =
    "fewer support vectors (another kernel, rows that are told apart more easily), or more rows";

/// The error of a machine by its number of support vectors (Cristianini & Shawe-Taylor, Theorem 5.5; Shawe-Taylor & Cristianini,
/// Theorem 7.56).
///
/// With probability 1 − δ over m rows, a machine that d of them make, and that has the m − d others right, has
///
/// ```text
/// P(y ≠ f(x))  ≤  ( d ln(em/d) + ln(m/δ) ) / (m − d)
/// ```
///
/// The texts say so of the maximal margin hyperplane. The proof asks no more than that training on the d rows alone gives
/// the same machine: so do soft margins of a cost that was fixed before, whose other rows meet the margin too.
///
/// ```
/// use mercer::evaluation::bounds::{Compression, Theorem};
/// let theorem = Compression { rows: 1000, support: 20 };
/// // (20 ln(50e) + ln 20 000)/980
/// assert!((theorem.bound(0.05)?.value - 0.110_351).abs() < 1e-6);
/// assert!(Compression { support: 1000, ..theorem }.bound(0.05).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compression {
    /// m
    pub rows: usize,
    /// d, from 1 to m − 1.
    pub support: usize,
}

impl Theorem for Compression {
    fn bound(&self, delta: f64) -> Result<Bound> {
        confidence(delta)?;
        let (m, d) = (rows(self.rows)?, self.support as f64);
        if self.support == 0 || self.support >= self.rows {
            return Err(Error::Interval { name: "support vectors", value: d, low: 0.0, high: m - 1.0 });
        }
        let others = m - d;
        let terms = vec![
            Term {
                name: "support vectors",
                value: d * (std::f64::consts::E * m / d).ln() / others,
                smaller_by: FEWER,
            },
            Term {
                name: "confidence",
                value: (m / delta).ln() / others,
                smaller_by: "more rows; a larger delta helps little",
            },
        ];
        let theorem = "Cristianini & Shawe-Taylor, Theorem 5.5; Shawe-Taylor & Cristianini, Theorem 7.56";
        Ok(Bound::new("support vectors", theorem, Quantity::Error, terms).with_delta(delta))
    }
}

/// The expected error of a machine by its number of support vectors (Shawe-Taylor & Cristianini, Remark 7.57): #sv/ℓ.
///
/// A row that is no support vector is right when it is left out. The mean over training sets of the error on a new row is
/// at most that of #sv/ℓ; nothing is said about one training set.
///
/// ```
/// use mercer::evaluation::bounds::LeaveOneOut;
/// let bound = LeaveOneOut { rows: 1000, support: 20 }.bound()?;
/// assert_eq!((bound.value, bound.confidence), (0.02, None));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaveOneOut {
    /// ℓ
    pub rows: usize,
    /// #sv, at most ℓ.
    pub support: usize,
}

impl LeaveOneOut {
    /// #sv/ℓ. O(1).
    ///
    /// # Errors
    /// No rows, or more support vectors than rows.
    pub fn bound(&self) -> Result<Bound> {
        let (l, d) = (rows(self.rows)?, self.support as f64);
        if self.support > self.rows {
            return Err(Error::Interval { name: "support vectors", value: d, low: 0.0, high: l });
        }
        let terms = vec![Term { name: "support vectors", value: d / l, smaller_by: FEWER }];
        let theorem = "Shawe-Taylor & Cristianini, Remark 7.57";
        Ok(Bound::new("leave one out", theorem, Quantity::ExpectedError, terms))
    }
}

//! Margins that are fixed before the rows are seen.

use super::check::positive;
use crate::error::{Error, Result};

/// How far the values reach: from the largest down to a thousandth of it.
const SPAN: f64 = 1e3;

/// k values of γ, in equal ratios from the largest down to a thousandth of it.
///
/// A theorem is for one γ that was fixed beforehand, but the margin of a machine is found. With k values that were fixed,
/// the largest that the margin found exceeds may be taken, if [`Theorem::among`](super::Theorem::among) pays for k (Shawe-Taylor &
/// Cristianini, Remark 7.17). Slacks for a smaller γ are not larger, so those that are known stay upper bounds.
///
/// ```
/// use mercer::evaluation::bounds::Grid;
/// let grid = Grid::new(1.0, 31)?;
/// // 1, 0.794, 0.631, … ten to each power of ten.
/// assert!((grid.at_most(0.7).unwrap() - 0.630_957).abs() < 1e-6);
/// assert!((grid.at_least(0.7).unwrap() - 0.794_328).abs() < 1e-6);
/// assert_eq!((grid.at_most(5.0), grid.at_most(1e-4)), (Some(1.0), None));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    largest: f64,
    count: usize,
}

impl Grid {
    /// So many values, of which this is the largest.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a largest value that is not above 0, or no values.
    pub fn new(largest: f64, count: usize) -> Result<Self> {
        positive("largest value", largest)?;
        if count == 0 {
            return Err(Error::Parameter { name: "choices", value: 0.0, expected: "1 or more" });
        }
        Ok(Grid { largest, count })
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The largest value that is no larger than this; none if all are larger. O(1).
    pub fn at_most(&self, value: f64) -> Option<f64> {
        self.around(value).into_iter().flatten().find(|own| *own <= value)
    }

    /// The least value that is no smaller than this; none if all are smaller. O(1).
    pub fn at_least(&self, value: f64) -> Option<f64> {
        self.around(value).into_iter().flatten().rev().find(|own| *own >= value)
    }

    /// The values nearest to this one, from the largest; rounding may have moved the place by one.
    fn around(&self, value: f64) -> [Option<f64>; 4] {
        let (steps, last) = ((self.count.max(2) - 1) as f64, (self.count - 1) as f64);
        let own = |j: f64| self.largest * SPAN.powf(-j / steps);
        let place = (steps * (self.largest / value).ln() / SPAN.ln()).floor().clamp(0.0, last);
        [-1.0, 0.0, 1.0, 2.0].map(|more| place + more).map(|j| (0.0..=last).contains(&j).then(|| own(j)))
    }
}

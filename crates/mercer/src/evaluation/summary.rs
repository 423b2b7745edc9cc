//! What the values of several folds say together.

use serde::Serialize;

use super::spread::{mean, standard_error};
use crate::error::{Error, Result};

/// The mean of some values, one per fold, and how far it may be off by chance.
///
/// With k values, deviation² = Σ (value − mean)² / (k − 1) and standard error = deviation / √k. That would be exact if the
/// folds were independent of each other; they learn from rows that they share, so that it is rather too small.
///
/// ```
/// use mercer::evaluation::Summary;
/// let summary = Summary::new(&[0.8, 0.9, 1.0, 0.9])?;
/// assert!((summary.mean - 0.9).abs() < 1e-12);
/// assert!((summary.deviation.unwrap() - (0.02f64 / 3.0).sqrt()).abs() < 1e-12);
/// assert!((summary.standard_error.unwrap() - (0.02f64 / 12.0).sqrt()).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How many values there are.
    pub folds: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation; `None` for a single one.
    pub deviation: Option<f64>,
    /// The standard error of the mean; `None` for a single one.
    pub standard_error: Option<f64>,
}

impl Summary {
    /// Sums up the values of folds. O(k).
    ///
    /// # Errors
    /// [`Error::Empty`] without values, [`Error::Entry`] for one that is not finite.
    pub fn new(values: &[f64]) -> Result<Self> {
        if values.is_empty() {
            return Err(Error::Empty { what: "values of folds" });
        }
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            let (what, expected) = ("value of fold", "a finite number");
            return Err(Error::Entry { what, index, value: values[index], expected });
        }
        let standard_error = standard_error(values);
        Ok(Summary {
            folds: values.len(),
            mean: mean(values.iter().copied(), None),
            deviation: standard_error.map(|error| error * (values.len() as f64).sqrt()),
            standard_error,
        })
    }

    /// Sums up the differences `one[i] − other[i]` of two lists of values of the same folds. What makes a fold hard for both
    /// cancels, so that its standard error is mostly smaller than those of the lists. O(k).
    ///
    /// ```
    /// use mercer::evaluation::Summary;
    /// let (one, other) = ([0.8, 0.9, 1.0], [0.7, 0.8, 0.9]);
    /// let difference = Summary::of_differences(&one, &other)?;
    /// assert!((difference.mean - 0.1).abs() < 1e-12);
    /// assert!(difference.standard_error.unwrap() < 1e-12 && Summary::new(&one)?.standard_error.unwrap() > 0.05);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for lists of different lengths, and as [`Summary::new`].
    pub fn of_differences(one: &[f64], other: &[f64]) -> Result<Self> {
        if one.len() != other.len() {
            let (expected, found) = (one.len(), other.len());
            return Err(Error::Shape { what: "values of the same folds", expected, found });
        }
        Summary::new(&one.iter().zip(other).map(|(a, b)| a - b).collect::<Vec<_>>())
    }
}

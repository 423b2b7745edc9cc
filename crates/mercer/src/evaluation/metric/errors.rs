//! How far predicted numbers are from the true ones.

use serde::Serialize;

use super::Residuals;
use crate::error::Result;

/// The shares of [`Errors::quantiles`].
pub const RESIDUAL_SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// All that is told about [`Residuals`] r = y − f(x).
///
/// ```
/// use mercer::evaluation::Errors;
/// let errors = Errors::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0], None)?;
/// assert!((errors.mean_squared() - 0.375).abs() < 1e-12);
/// assert_eq!(errors.mean_absolute, 0.5);
/// assert_eq!((errors.median_absolute, errors.largest), (0.5, 1.0));
/// assert!((errors.r_squared.unwrap() - 0.948_608).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Rows.
    pub rows: usize,
    /// √(mean r²)
    pub root_mean_squared: f64,
    /// mean |r|
    pub mean_absolute: f64,
    /// median |r|
    pub median_absolute: f64,
    /// max |r|
    pub largest: f64,
    /// R² = 1 − mean r² / variance of y: 1 is perfect, 0 no better than the mean; `None` if all targets are the same.
    pub r_squared: Option<f64>,
    /// mean r: above 0 where predictions are too small.
    pub bias: f64,
    /// The share of targets that are not above their prediction.
    pub below: f64,
    /// Quantiles of r, see [`RESIDUAL_SHARES`].
    pub quantiles: [f64; 5],
}

impl Errors {
    /// Compares predictions with targets.
    ///
    /// # Errors
    /// As [`Residuals::new`].
    pub fn new(targets: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        let residuals = Residuals::new(targets, predicted, weights)?;
        let quantiles = residuals.quantiles(&RESIDUAL_SHARES);
        Ok(Errors {
            rows: residuals.rows(),
            root_mean_squared: residuals.mean_squared().sqrt(),
            mean_absolute: residuals.mean_absolute(),
            median_absolute: residuals.median_absolute(),
            largest: residuals.largest(),
            r_squared: residuals.r_squared(),
            bias: residuals.bias(),
            below: residuals.below(),
            quantiles: std::array::from_fn(|i| quantiles[i]),
        })
    }

    /// mean r²
    pub fn mean_squared(&self) -> f64 {
        self.root_mean_squared.powi(2)
    }
}

/// What can be said about residuals without keeping them, for more rows than memory holds.
///
/// ```
/// use mercer::evaluation::ErrorSums;
/// let mut sums = ErrorSums::default();
/// for (y, f) in [(3.0, 2.5), (-0.5, 0.0), (2.0, 2.0), (7.0, 8.0)] {
///     sums.add(y, f);
/// }
/// assert!((sums.root_mean_squared().powi(2) - 0.375).abs() < 1e-12);
/// assert_eq!(sums.mean_absolute(), 0.5);
/// assert!((sums.r_squared().unwrap() - 0.948_608).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ErrorSums {
    /// Rows so far.
    pub rows: u64,
    squared: f64,
    absolute: f64,
    /// The mean of the targets, and the sum of their squared distances from it.
    mean: f64,
    variation: f64,
}

impl ErrorSums {
    /// Takes in one more row.
    pub fn add(&mut self, target: f64, predicted: f64) {
        let residual = target - predicted;
        self.rows += 1;
        self.squared += residual * residual;
        self.absolute += residual.abs();
        // Welford's update: exact even where the mean is large and the spread small.
        let before = target - self.mean;
        self.mean += before / self.rows as f64;
        self.variation += before * (target - self.mean);
    }

    /// √(mean r²); NaN without rows.
    pub fn root_mean_squared(&self) -> f64 {
        (self.squared / self.rows as f64).sqrt()
    }

    /// mean |r|; NaN without rows.
    pub fn mean_absolute(&self) -> f64 {
        self.absolute / self.rows as f64
    }

    /// R², see [`Errors::r_squared`].
    pub fn r_squared(&self) -> Option<f64> {
        (self.variation > 0.0).then(|| 1.0 - self.squared / self.variation)
    }
}

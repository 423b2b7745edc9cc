//! What the differences of true and predicted numbers say.

use crate::data::check_weights;
use crate::error::{Error, Result};
use crate::evaluation::spread::{mean, median, quantiles, variance};
use crate::machine::Loss;

/// The residuals r = y − f(x) of some rows; with weights, every mean and every share is a weighted one, and rows of
/// weight 0 do not count.
///
/// ```
/// use mercer::evaluation::Residuals;
/// let residuals = Residuals::new(&[3.0, -0.5, 2.0, 7.0], &[2.5, 0.0, 2.0, 8.0], None)?;
/// assert_eq!((residuals.mean_squared(), residuals.mean_absolute()), (0.375, 0.5));
/// assert_eq!((residuals.median_absolute(), residuals.largest()), (0.5, 1.0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Residuals<'a> {
    targets: &'a [f64],
    residuals: Vec<f64>,
    weights: Option<&'a [f64]>,
}

impl<'a> Residuals<'a> {
    /// Compares predictions with targets. O(n).
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one prediction per target, [`Error::Empty`] without rows, and those of
    /// [`check_weights`].
    pub fn new(targets: &'a [f64], predicted: &[f64], weights: Option<&'a [f64]>) -> Result<Self> {
        if targets.len() != predicted.len() {
            let (expected, found) = (targets.len(), predicted.len());
            return Err(Error::Shape { what: "predictions", expected, found });
        }
        if targets.is_empty() {
            return Err(Error::Empty { what: "rows to test" });
        }
        if let Some(weights) = weights {
            check_weights(weights, targets.len())?;
        }
        let residuals = targets.iter().zip(predicted).map(|(y, f)| y - f).collect();
        Ok(Residuals { targets, residuals, weights })
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.residuals.len()
    }

    /// mean r²
    pub fn mean_squared(&self) -> f64 {
        self.mean(|r| r * r)
    }

    /// mean |r|
    pub fn mean_absolute(&self) -> f64 {
        self.mean(f64::abs)
    }

    /// mean r: above 0 where predictions are too small.
    pub fn bias(&self) -> f64 {
        self.mean(|r| r)
    }

    /// The share of targets that are not above their prediction.
    pub fn below(&self) -> f64 {
        self.mean(|r| f64::from(u8::from(r <= 0.0)))
    }

    /// The mean of a loss with a tube or width that is known.
    ///
    /// ```
    /// use mercer::evaluation::Residuals;
    /// use mercer::machine::Loss;
    /// let residuals = Residuals::new(&[1.0, 5.0], &[2.0, 3.0], None)?;
    /// assert_eq!(residuals.mean_loss(Loss::Quantile { level: 0.75 }), (0.25 + 1.5) / 2.0);
    /// assert_eq!(residuals.mean_loss(Loss::Huber { width: 1.0 }), (0.5 + 1.5) / 2.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn mean_loss(&self, loss: Loss) -> f64 {
        self.mean(|r| loss.value(r, 0.0))
    }

    /// The median of |r|: half of the weight is not above it, and half not below; between two rows their mean. O(n log n).
    pub fn median_absolute(&self) -> f64 {
        median(&self.residuals.iter().map(|r| r.abs()).collect::<Vec<_>>(), self.weights)
    }

    /// max |r|
    pub fn largest(&self) -> f64 {
        self.counted().map(|row| self.residuals[row].abs()).fold(0.0, f64::max)
    }

    /// Residuals below which these shares of them lie. O(n log n).
    pub fn quantiles(&self, shares: &[f64]) -> Vec<f64> {
        quantiles(&self.residuals, self.weights, shares)
    }

    /// R² = 1 − mean r² / variance of y: 1 is perfect, 0 no better than the mean; `None` if all targets are the same.
    pub fn r_squared(&self) -> Option<f64> {
        self.of_variance(self.mean_squared())
    }

    /// 1 − variance of r / variance of y: R² of predictions that a constant was added to, the best there is. `None` if all
    /// targets are the same.
    ///
    /// ```
    /// use mercer::evaluation::Residuals;
    /// let residuals = Residuals::new(&[1.0, 2.0, 3.0], &[11.0, 12.0, 13.0], None)?;
    /// assert_eq!(residuals.explained_variance(), Some(1.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn explained_variance(&self) -> Option<f64> {
        self.of_variance(variance(&self.residuals, self.weights))
    }

    /// mean |r / y|; `None` if a target is 0.
    pub fn mean_absolute_percentage(&self) -> Option<f64> {
        let relative = self.residuals.iter().zip(self.targets).map(|(r, y)| match *y == 0.0 {
            // It has no weight, or there is no mean.
            true => 0.0,
            false => (r / y).abs(),
        });
        self.counted().all(|row| self.targets[row] != 0.0).then(|| mean(relative, self.weights))
    }

    fn mean(&self, value: impl Fn(f64) -> f64) -> f64 {
        mean(self.residuals.iter().map(|&r| value(r)), self.weights)
    }

    fn of_variance(&self, left: f64) -> Option<f64> {
        let variance = variance(self.targets, self.weights);
        (variance > 0.0).then(|| 1.0 - left / variance)
    }

    /// Rows with a weight.
    fn counted(&self) -> impl Iterator<Item = usize> {
        (0..self.rows()).filter(|&row| self.weights.is_none_or(|weights| weights[row] > 0.0))
    }
}

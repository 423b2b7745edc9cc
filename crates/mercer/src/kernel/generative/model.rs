//! What a generative model has to know for a kernel to be made of it.

use crate::data::check_weights;
use crate::error::{Error, Result};

/// A model that can be trained.
pub trait Trainable: Clone + Send + Sync {
    /// How it is trained.
    type Training: Clone + Send + Sync;
}

/// A model p(x | θ) of items of type `X`, with a gradient.
///
/// ```
/// use mercer::kernel::generative::{Covariances, GaussianMixture, Generative};
/// let normal = GaussianMixture::new(vec![1.0], vec![0.0], Covariances::Diagonal(vec![1.0]))?;
/// let log = -0.5 * (std::f64::consts::TAU.ln() + 4.0);
/// assert!((normal.log_likelihood([2.0].as_slice())? - log).abs() < 1e-14);
/// // ∂/∂(logit of the weight), ∂/∂μ = x, ∂/∂σ² = (x² − 1)/2
/// assert_eq!(normal.score([2.0].as_slice())?, [0.0, 2.0, 1.5]);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait Generative<X: ?Sized>: Trainable {
    /// Trains a model on items; one of weight w counts as w items.
    ///
    /// # Errors
    /// Items that it cannot be learned from.
    fn train(training: &Self::Training, items: &[&X], weights: Option<&[f64]>) -> Result<Self>;

    /// ln p(x | θ)
    ///
    /// # Errors
    /// An item that the model is not defined on.
    fn log_likelihood(&self, item: &X) -> Result<f64>;

    /// The Fisher score ∂ ln p(x | θ) / ∂θ, as many numbers for every item.
    ///
    /// # Errors
    /// An item that the model is not defined on.
    fn score(&self, item: &X) -> Result<Vec<f64>>;
}

/// The weights of items: 1 for each where none are given.
pub(super) fn weights_of(items: usize, weights: Option<&[f64]>) -> Result<Vec<f64>> {
    if items == 0 {
        return Err(Error::Empty { what: "items" });
    }
    match weights {
        None => Ok(vec![1.0; items]),
        Some(weights) => check_weights(weights, items).map(|()| weights.to_vec()),
    }
}

/// Probabilities: not negative, with sum 1. A sum that is off by more than rounding, up to 1e-9, is made 1.
pub(super) fn probabilities(what: &'static str, values: &mut [f64]) -> Result<()> {
    if let Some(index) = values.iter().position(|v| !(v.is_finite() && *v >= 0.0)) {
        let expected = "a finite number of at least 0";
        return Err(Error::Entry { what, index, value: values[index], expected });
    }
    let sum: f64 = values.iter().sum();
    if (sum - 1.0).abs() > 1e-9 {
        return Err(Error::Parameter { name: what, value: sum, expected: "probabilities with the sum 1" });
    }
    // What was read back from a file keeps its bits.
    if (sum - 1.0).abs() > 1e-13 {
        values.iter_mut().for_each(|v| *v /= sum);
    }
    Ok(())
}

/// A whole number of at least 1 and not beyond reason.
pub(super) fn count(name: &'static str, value: usize) -> Result<usize> {
    if (1..=10_000).contains(&value) {
        return Ok(value);
    }
    Err(Error::Parameter { name, value: value as f64, expected: "a whole number from 1 to 10000" })
}

/// ln Σ exp(values); −∞ of nothing.
pub(super) fn log_sum_exp(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + values.iter().map(|v| (v - largest).exp()).sum::<f64>().ln()
}

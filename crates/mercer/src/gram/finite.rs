//! Whether a kernel's values can leave the range of numbers, and which one did.

use crate::error::{Error, Result};
use crate::gram::simd::Element;
use crate::kernel::vector::{Epilogue, Form, Measure};

/// Whether all values are finite, whatever the items, as long as their squared norms are at most `norm`.
///
/// Where this can be told beforehand nobody has to look at the values.
pub(in crate::gram) fn always_finite<E: Element>(form: &Form, factor: f64, norm: f64, depth: usize) -> bool {
    let factor = factor.abs().max(1.0);
    let depth = depth as f64;
    // Above all sums of every measure (Cauchy and Schwarz).
    let sum = 4.0 * norm + 2.0 * (depth * norm).sqrt() + depth;
    let never_negative =
        matches!(form.measure, Measure::SquaredDistance | Measure::Manhattan | Measure::SineSquared { .. });
    let of_histograms = matches!(form.measure, Measure::ChiSquareDistance | Measure::ChiSquareSimilarity);
    // Quotients of numbers that may be negative, against the rules, have no bound.
    if of_histograms {
        return false;
    }
    let room = E::LARGEST.ln() - 2.0 - factor.ln();
    let bounded = factor < E::LARGEST / 8.0;
    match form.epilogue {
        Epilogue::Identity => factor * sum < E::LARGEST / 8.0,
        Epilogue::Polynomial { gamma, constant, degree } => {
            f64::from(degree) * (gamma.abs() * sum + constant.abs() + 1.0).ln() < room
        }
        Epilogue::Exponential { rate } => {
            (never_negative && rate >= 0.0 && bounded) || rate.abs() * sum < room
        }
        Epilogue::Tanh { gamma, constant } => {
            bounded && gamma.abs() * sum + constant.abs() < E::LARGEST / 8.0
        }
        Epilogue::Cosine => bounded,
        _ => never_negative && bounded,
    }
}

/// Finds the first value that is not finite.
///
/// # Errors
/// [`Error::KernelValue`] with the items it belongs to.
pub(in crate::gram) fn check_row<T: crate::data::Real>(
    values: &[T],
    row: usize,
    column: impl Fn(usize) -> usize,
) -> Result<()> {
    match values.iter().position(|v| !v.to_f64().is_finite()) {
        Some(at) => Err(Error::KernelValue { row, column: column(at), value: values[at].to_f64() }),
        None => Ok(()),
    }
}

//! Losses: what a prediction costs, with derivative and conjugate.

use mercer::Error;
use mercer::machine::LossFunction;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::raised;

/// Name, whether it is a function of the margin, and the parameter's usual value, of every loss.
#[pyfunction]
pub fn losses() -> Vec<(&'static str, bool, Option<f64>)> {
    let of = |loss: LossFunction| (loss.name(), loss.is_of_margin(), parameter(loss));
    LossFunction::ALL.into_iter().map(of).collect()
}

/// "value", "derivative" or "conjugate" of a loss at each of these points, or its value "against margin".
#[pyfunction]
pub fn loss_at<'py>(
    py: Python<'py>,
    name: &str,
    parameter: Option<f64>,
    what: &str,
    at: PyReadonlyArray1<'_, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let loss = named(name, parameter).and_then(LossFunction::check).map_err(raised)?;
    let at = at.as_slice()?;
    let each = |of: fn(LossFunction, f64) -> f64| at.iter().map(|&at| of(loss, at)).collect();
    let values = match what {
        "value" => each(LossFunction::value),
        "derivative" => each(LossFunction::derivative),
        "conjugate" => each(LossFunction::conjugate),
        _ => loss.against_margin(at),
    };
    Ok(PyArray1::from_vec(py, values))
}

fn parameter(loss: LossFunction) -> Option<f64> {
    match loss {
        LossFunction::Insensitive { tube } => Some(tube),
        LossFunction::Huber { width } => Some(width),
        LossFunction::Pinball { level } => Some(level),
        _ => None,
    }
}

/// The loss of this name, with this parameter if it has one and one is given.
fn named(name: &str, given: Option<f64>) -> mercer::Result<LossFunction> {
    let usual = LossFunction::ALL.into_iter().find(|loss| loss.name() == name);
    let usual = usual.ok_or_else(|| Error::Unsupported { what: format!("no such loss: {name}") })?;
    Ok(match (usual, given) {
        (LossFunction::Insensitive { .. }, Some(tube)) => LossFunction::Insensitive { tube },
        (LossFunction::Huber { .. }, Some(width)) => LossFunction::Huber { width },
        (LossFunction::Pinball { .. }, Some(level)) => LossFunction::Pinball { level },
        (loss, _) => loss,
    })
}

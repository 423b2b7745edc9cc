//! The coefficients of a model.

use mercer::Error;
use mercer::io::TrainedMachine;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::Model;
use crate::errors::raised;

/// What is asked of support vectors is not asked of machines that have none.
fn no_vectors(name: &str) -> Error {
    Error::Unsupported { what: format!("a model of {name} has no support vectors") }
}

/// A row of coefficients for each support item; of linear machines a row of weights for each function.
pub(super) fn coefficients<'py>(py: Python<'py>, of: &Model) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (values, width) = match &of.saved.machine {
        TrainedMachine::Svc(model) => (&model.pairs().coefficients, model.classes().len() - 1),
        TrainedMachine::Classes(model) => (&model.functions().coefficients, model.classes().len()),
        TrainedMachine::Svr(model) => (&model.expansion().coefficients, 1),
        TrainedMachine::Novelty(model) => (&model.expansion().coefficients, 1),
        TrainedMachine::Linear(model) => (&model.functions().weights, model.functions().columns),
        TrainedMachine::LinearRegression(model) => (&model.functions().weights, model.functions().columns),
        TrainedMachine::Matrix(model) => return Err(raised(no_vectors(model.name()))),
    };
    PyArray1::from_slice(py, values).reshape([values.len() / width, width])
}

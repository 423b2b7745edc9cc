//! What a model keeps of the training set: its support items and their coefficients.

use mercer::Error;
use mercer::data::{Items, Vectors};
use mercer::io::{AnyModel, LoadedModel};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::Model;
use crate::errors::raised;
use crate::items::to_python;

/// The support items: a matrix, (data, indices, indptr, columns), or a list.
pub(super) fn items<'py>(py: Python<'py>, saved: &LoadedModel) -> PyResult<Bound<'py, PyAny>> {
    match saved {
        LoadedModel::Rows(saved) => rows_to_python(py, saved.model.support_items()),
        LoadedModel::Structures(saved) => {
            Ok(to_python(py, saved.model.support_items())?.into_pyobject(py)?.into_any())
        }
    }
}

/// Rows: a matrix, or (data, indices, indptr, columns).
pub fn rows_to_python<'py>(py: Python<'py>, items: &Vectors<'_>) -> PyResult<Bound<'py, PyAny>> {
    let shape = [items.len(), items.columns()];
    Ok(match &*items.row_major() {
        Vectors::Columns64(_) | Vectors::Columns32(_) => unreachable!("they have been put in rows"),
        Vectors::Dense64(rows) => PyArray1::from_slice(py, rows.values()).reshape(shape)?.into_any(),
        Vectors::Dense32(rows) => PyArray1::from_slice(py, rows.values()).reshape(shape)?.into_any(),
        Vectors::Sparse(rows) => {
            let (offsets, indices, values) = rows.parts();
            let parts = (
                PyArray1::from_slice(py, values),
                PyArray1::from_iter(py, indices.iter().map(|&i| i as i32)),
                PyArray1::from_iter(py, offsets.iter().map(|&i| i as i32)),
                items.columns(),
            );
            parts.into_pyobject(py)?.into_any()
        }
    })
}

/// What is asked of support vectors is not asked of machines that have none.
fn no_vectors(name: &str) -> Error {
    Error::Unsupported { what: format!("a model of {name} has no support vectors") }
}

/// A row of coefficients for each support item; of linear machines a row of weights for each function.
pub(super) fn coefficients<'py>(py: Python<'py>, of: &Model) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (values, width) = of!(of, model => match model {
        AnyModel::Svc(model) => (&model.pairs().coefficients, model.classes().len() - 1),
        AnyModel::Classes(model) => (&model.functions().coefficients, model.classes().len()),
        AnyModel::Svr(model) => (&model.expansion().coefficients, 1),
        AnyModel::Novelty(model) => (&model.expansion().coefficients, 1),
        AnyModel::Linear(model) => (&model.functions().weights, model.functions().columns),
        AnyModel::LinearRegression(model) => (&model.functions().weights, model.functions().columns),
        AnyModel::Matrix(model) => return Err(raised(no_vectors(model.name()))),
    });
    PyArray1::from_slice(py, values).reshape([values.len() / width, width])
}

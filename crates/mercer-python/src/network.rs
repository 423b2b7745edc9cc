//! The network of radial basis functions.

use std::path::PathBuf;

use mercer::Error;
use mercer::data::{Items as _, Vectors};
use mercer::io::{AnyModel, LoadedModel, MatrixModel, ModelCard, SavedModel};
use mercer::linalg::Matrix;
use mercer::machine::{RbfNetwork, RbfNetworkModel};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::matrix::{Means, array, matrix};
use crate::model::NOTE;
use crate::rows::Rows;
use crate::saved::write;
use crate::watch::watched;

/// Middles, widths and weights of a network.
type Network<'py> = (Bound<'py, PyArray2<f64>>, Vec<f64>, Bound<'py, PyArray2<f64>>);

/// Trains a network of radial basis functions.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_network<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    units: usize,
    penalty: f64,
    starts: usize,
    seed: u64,
    means: Means,
) -> PyResult<Network<'py>> {
    let targets = matrix(&targets)?;
    let given: Vectors<'_> = rows.vectors()?.map_err(raised)?;
    let model = watched(py, None, |_, interrupt| {
        let params = RbfNetwork::params(units).lambda(penalty).restarts(starts.saturating_sub(1)).seed(seed);
        params.options(means.options(interrupt)).check()?.fit(&given, &targets)
    })?;
    let turn = |m: &Matrix| array(py, m.values().to_vec(), m.rows(), m.columns());
    Ok((turn(&model.centres())?, model.widths().to_vec(), turn(model.weights())?))
}

/// What a network says about rows: one column per output.
#[pyfunction]
pub fn network_values<'py>(
    py: Python<'py>,
    centres: PyReadonlyArray2<'_, f64>,
    widths: Vec<f64>,
    weights: PyReadonlyArray2<'_, f64>,
    rows: Rows<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let model = RbfNetworkModel::new(Vec::new(), &matrix(&centres)?, widths, matrix(&weights)?);
    let model = model.map_err(raised)?;
    let given = rows.vectors()?.map_err(raised)?;
    let values = watched(py, None, |_, _| model.predict(&given))?;
    array(py, values, given.len(), model.weights().rows())
}

/// Writes a network to a file: JSON for .json, else binary.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn save_network(
    py: Python<'_>,
    path: PathBuf,
    centres: PyReadonlyArray2<'_, f64>,
    widths: Vec<f64>,
    weights: PyReadonlyArray2<'_, f64>,
    classes: Vec<String>,
    names: Option<Vec<String>>,
    note: String,
) -> PyResult<()> {
    let model =
        RbfNetworkModel::new(classes, &matrix(&centres)?, widths, matrix(&weights)?).map_err(raised)?;
    let mut card = ModelCard::of(&model.kept().items);
    card.feature_names = names;
    card.notes.insert(NOTE.into(), note);
    let saved = SavedModel::new(AnyModel::Matrix(MatrixModel::Network(model)), None, card);
    py.detach(|| write(&LoadedModel::Rows(saved), &path)).map_err(raised)
}

/// Middles, widths and weights of a network, and its classes.
type StoredNetwork<'py> = (Network<'py>, Vec<String>);

/// The network of a file.
#[pyfunction]
pub fn load_network<'py>(py: Python<'py>, path: PathBuf) -> PyResult<StoredNetwork<'py>> {
    let saved = py.detach(|| SavedModel::load(&path)).map_err(raised)?;
    let (AnyModel::Matrix(MatrixModel::Network(model)), None) = (&saved.model, &saved.scaling) else {
        let what = "a network whose rows are scaled first is for the command line, which trained it".into();
        return Err(raised(Error::Unsupported { what }));
    };
    let turn = |m: &Matrix| array(py, m.values().to_vec(), m.rows(), m.columns());
    let network = (turn(&model.centres())?, model.widths().to_vec(), turn(model.weights())?);
    Ok((network, model.classes().to_vec()))
}

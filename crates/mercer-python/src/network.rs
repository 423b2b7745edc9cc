//! The network of radial basis functions.

use mercer::Result;
use mercer::machine::{RbfNetwork, RbfNetworkModel};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::matrix::{Means, matrix};
use crate::rows::Rows;
use crate::saved::Machine;
use crate::watch::watched;

/// Trains a network of radial basis functions: a regression, or, with the names of classes, one on their signs.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_network(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    classes: Vec<String>,
    units: usize,
    penalty: f64,
    starts: usize,
    seed: u64,
    means: Means,
) -> PyResult<Machine> {
    let targets = matrix(&targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let given = rows.vectors()?;
    let model = watched(py, None, |_, interrupt| -> Result<RbfNetworkModel> {
        let params = RbfNetwork::params(units).lambda(penalty).restarts(starts.saturating_sub(1)).seed(seed);
        let model = params.options(means.options(interrupt)).check()?.fit(&given, &targets, weights)?;
        let (widths, weights) = (model.widths().to_vec(), model.weights().clone());
        RbfNetworkModel::from_parts(classes, model.kept().clone(), widths, weights)
    })?;
    Ok(Machine::new(model, &given.into(), means.threads()))
}

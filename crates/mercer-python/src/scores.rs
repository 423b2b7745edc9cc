//! Fisher scores of items under models that were trained elsewhere.

use mercer::data::{Collection, Series};
use mercer::kernel::generative::{
    Alphabet, Covariances, GaussianEmission, GaussianMixture, Generative, HiddenMarkov, SymbolEmission,
};
use mercer::resources::Interrupt;
use mercer::{Error, Result};
use numpy::PyArray2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::matrix::array;
use crate::rows::Rows;
use crate::watch::watched;

/// ∂ ln p(x | θ) / ∂θ under a Gaussian mixture, one row for each set of points or series.
#[pyfunction]
pub fn mixture_scores<'py>(
    py: Python<'py>,
    weights: Vec<f64>,
    means: Vec<f64>,
    covariances: Vec<f64>,
    full: bool,
    items: Rows<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let covariances = if full { Covariances::Full(covariances) } else { Covariances::Diagonal(covariances) };
    let model = GaussianMixture::new(weights, means, covariances).map_err(raised)?;
    scores(py, series(&*items.items()?)?, &model)
}

/// The same under a hidden Markov model of series.
#[pyfunction]
pub fn series_markov_scores<'py>(
    py: Python<'py>,
    start: Vec<f64>,
    transition: Vec<f64>,
    means: Vec<f64>,
    variances: Vec<f64>,
    items: Rows<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let channels = means.len() / start.len().max(1);
    let model = GaussianEmission::new(means, variances, channels)
        .and_then(|emission| HiddenMarkov::new(start, transition, emission))
        .map_err(raised)?;
    scores(py, series(&*items.items()?)?, &model)
}

/// The same under a hidden Markov model of strings; probabilities are in the order of the alphabet's characters.
#[pyfunction]
pub fn string_markov_scores<'py>(
    py: Python<'py>,
    start: Vec<f64>,
    transition: Vec<f64>,
    alphabet: &str,
    probabilities: Vec<f64>,
    items: Rows<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let model = Alphabet::new(alphabet.chars().collect())
        .and_then(|alphabet| SymbolEmission::new(alphabet, probabilities))
        .and_then(|emission| HiddenMarkov::new(start, transition, emission))
        .map_err(raised)?;
    let items = items.items()?;
    let Collection::Strings(strings) = &*items else {
        return Err(PyTypeError::new_err("a model of symbols scores strings"));
    };
    let strings: Vec<&str> = strings.iter().map(String::as_str).collect();
    scores(py, strings, &model)
}

fn series<'a>(items: &'a Collection<'_>) -> PyResult<Vec<&'a Series>> {
    match items {
        Collection::Series(series) => Ok(series.iter().collect()),
        _ => Err(PyTypeError::new_err("a model of points scores time series or sets of points")),
    }
}

/// One row for each item.
fn scores<'py, X, M>(py: Python<'py>, items: Vec<&X>, model: &M) -> PyResult<Bound<'py, PyArray2<f64>>>
where
    X: ?Sized + Sync,
    M: Generative<X>,
{
    let (rows, width) = watched(py, None, |_, _| {
        let mut rows: Vec<f64> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            Interrupt::checkpoint()?;
            let of_item = |error| Error::Item { index, source: Box::new(error) };
            rows.extend(model.score(item).map_err(of_item)?);
        }
        let width = rows.len() / items.len().max(1);
        Ok((rows, width)) as Result<_>
    })?;
    array(py, rows, items.len(), width)
}

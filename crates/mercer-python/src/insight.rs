//! What a machine says about its data.

use std::sync::Arc;

use mercer::data::Labels;
use mercer::evaluation::insight::{self, Prototype, Suspect, SuspectOptions};
use mercer::gram::{CollectionKernel, Pairwise};
use mercer::io::Explanation;
use mercer::machine::Svc;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::rows::Rows;
use crate::watch::watched;

/// Row, class that it is said to have, class that the others give it, margin, weight and slack.
type Told = (usize, usize, usize, f64, f64, f64);

/// Ranks labels by how much they are contradicted; no kernel for a square matrix of kernel values.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn suspects(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    classes: Vec<String>,
    kernel: Option<&str>,
    cost: f64,
    folds: usize,
    times: usize,
    seed: u64,
) -> PyResult<Vec<Told>> {
    let labels = Labels::from_codes(classes, codes.as_slice()?.to_vec()).map_err(raised)?;
    let options = SuspectOptions { folds, times, seed };
    let found = match kernel {
        Some(kernel) => {
            let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
            let items = rows.items()?;
            watched(py, None, |_, _| {
                let machine = Svc::params(kernel).cost(cost).check()?;
                insight::suspects(&machine, &*items, &labels, &options)
            })?
        }
        None => {
            let (values, n) = rows.square()?;
            let values: Arc<[f64]> = values.into();
            watched(py, None, |_, _| {
                let machine = Svc::params(between(values, n)).cost(cost).check()?;
                insight::suspects(&machine, &(0..n).collect::<Vec<usize>>(), &labels, &options)
            })?
        }
    };
    let told = |Suspect { row, given, suggested, margin, weight, slack }: Suspect| {
        (row, given, suggested, margin, weight, slack)
    };
    Ok(found.into_iter().map(told).collect())
}

/// Chooses items that stand for all: positions and distances of the means.
#[pyfunction]
pub fn prototypes(
    py: Python<'_>,
    rows: Rows<'_>,
    kernel: Option<&str>,
    count: usize,
) -> PyResult<Vec<(usize, f64)>> {
    let found = match kernel {
        Some(kernel) => {
            let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
            let items = rows.owned_items(py)?;
            watched(py, None, |_, _| insight::prototypes(&kernel, &*items, count))?
        }
        None => {
            let (values, n) = rows.square()?;
            let values: Arc<[f64]> = values.into();
            watched(py, None, |_, _| {
                insight::prototypes(&between(values, n), &(0..n).collect::<Vec<usize>>(), count)
            })?
        }
    };
    Ok(found.into_iter().map(|Prototype { item, distance }| (item, distance)).collect())
}

/// Positions in a matrix of kernel values, compared by looking there.
fn between(
    values: Arc<[f64]>,
    n: usize,
) -> Pairwise<impl Fn(&usize, &usize) -> f64 + Clone + Send + Sync + 'static, usize> {
    Pairwise::new(move |x: &usize, z: &usize| values[x * n + z])
}

/// A function of a model at one item: the classes above and below 0, the value, the offset, and of each support item its position in the training set,
/// coefficient, similarity and contribution.
type Explained = (Option<(String, String)>, f64, f64, Vec<(usize, f64, f64, f64)>);

/// Which support items speak for and against what a model says about one item.
#[pyfunction]
pub fn explain(py: Python<'_>, model: &Model, item: Rows<'_>) -> PyResult<Vec<Explained>> {
    let (saved, item) = (model.saved(), item.items()?);
    let found = watched(py, None, |_, _| saved.machine.explain(&*saved.prepare(&item)?))?;
    let positions = saved.machine.support_rows();
    let position = |support: usize| positions.get(support).copied().unwrap_or(support);
    let one = |Explanation { sides, value, offset, terms }: Explanation| {
        let terms = terms
            .into_iter()
            .map(|term| (position(term.support), term.coefficient, term.similarity, term.contribution));
        (sides, value, offset, terms.collect())
    };
    Ok(found.into_iter().map(one).collect())
}

//! Gaussian process classification.

use std::path::PathBuf;

use mercer::data::{Items as _, Labels, Structures, Vectors};
use mercer::gram::StructureKernel;
use mercer::io::{AnyModel, LoadedModel, MatrixModel, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::{LaplaceClassifier, LaplaceModel, Learning};
use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::matrix::{Means, array};
use crate::process::{Either, both, given, other_process};
use crate::rows::Rows;
use crate::saved::Machine;
use crate::watch::watched;

/// A trained Gaussian process classifier.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct ProcessClasses {
    model: Either<LaplaceModel<Expression, Vectors<'static>>, LaplaceModel<StructureKernel, Structures>>,
}

/// Trains a Gaussian process classifier on rows.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_process_classes(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, i64>,
    classes: Vec<String>,
    kernel: &str,
    learn: bool,
    restarts: usize,
    seed: u64,
    rank: Option<usize>,
    means: Means,
) -> PyResult<ProcessClasses> {
    let codes = codes.as_slice()?.iter().map(|&code| u32::try_from(code).unwrap_or(u32::MAX)).collect();
    let labels = Labels::from_codes(classes, codes).map_err(raised)?;
    let learning = Learning { restarts, seed, ..Learning::default() };
    let threads = means.threads();
    if let Some(items) = rows.structures() {
        let kernel: StructureKernel = kernel.parse().map_err(raised)?;
        let model = watched(py, None, |_, interrupt| {
            let machine = LaplaceClassifier::params(kernel);
            let machine = rank.into_iter().fold(machine, |machine, rank| machine.rank(rank));
            machine.options(means.options(interrupt)).check()?.fit(items, &labels)
        })?;
        return Ok(ProcessClasses { model: Either::Items(model.with_threads(threads)) });
    }
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let given = rows.vectors()?.map_err(raised)?;
    let model = watched(py, None, |_, interrupt| {
        let machine = LaplaceClassifier::params(kernel).learning(learning);
        let machine = rank.into_iter().fold(machine, |machine, rank| machine.rank(rank));
        let machine = machine.options(means.options(interrupt)).check()?;
        match learn {
            true => machine.fit_learned(&given, &labels),
            false => machine.fit(&given, &labels),
        }
    })?;
    Ok(ProcessClasses { model: Either::Rows(model.with_threads(threads)) })
}

impl ProcessClasses {
    fn machine(&self) -> Machine {
        match &self.model {
            Either::Rows(model) => Machine::of_rows(MatrixModel::Laplace(model.clone()), &model.kept().items),
            Either::Items(model) => {
                Machine::of_structures(MatrixModel::Laplace(model.clone()), &model.kept().items)
            }
        }
    }
}

#[pymethods]
impl ProcessClasses {
    /// Rows that each process of low rank is made of; none for exact ones.
    #[getter]
    fn ranks(&self) -> Vec<usize> {
        both!(self.model, model => model.low_rank().flatten().map(|low| low.rank).collect())
    }

    /// The formula of the kernel of each class against the rest (one for two classes), with what was learned.
    #[getter]
    fn kernels(&self) -> Vec<String> {
        both!(self.model, model => model.kernels().map(ToString::to_string).collect())
    }

    /// The approximate log likelihood of each class against the rest.
    #[getter]
    fn likelihoods(&self) -> Vec<f64> {
        both!(self.model, model => model.likelihoods())
    }

    /// Whether all learning came to an end; true if nothing was learned.
    #[getter]
    fn is_converged(&self) -> bool {
        both!(self.model, model => model.learned().flatten().all(|learned| learned.converged))
    }

    /// One row per row, one column per class.
    fn probabilities<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        given!(self.model, rows, model, items => {
            let values = watched(py, None, |_, _| model.probabilities(items))?;
            array(py, values.values().to_vec(), items.len(), model.classes().len())
        })
    }

    /// The model as the bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.machine().to_bytes(py)
    }

    /// The model that such bytes hold.
    #[staticmethod]
    fn from_bytes(bytes: &[u8], threads: usize) -> PyResult<Self> {
        let model = match LoadedModel::from_bytes(bytes).map_err(raised)? {
            LoadedModel::Rows(SavedModel {
                model: AnyModel::Matrix(MatrixModel::Laplace(model)),
                scaling: None,
                ..
            }) => Either::Rows(model.with_threads(threads)),
            LoadedModel::Structures(SavedModel {
                model: AnyModel::Matrix(MatrixModel::Laplace(model)),
                ..
            }) => Either::Items(model.with_threads(threads)),
            _ => return Err(raised(other_process())),
        };
        Ok(ProcessClasses { model })
    }

    /// Writes the model to a file: JSON for .json, else binary.
    fn save(&self, py: Python<'_>, path: PathBuf, names: Option<Vec<String>>, note: String) -> PyResult<()> {
        self.machine().save(py, path, names, note)
    }

    #[getter]
    fn classes(&self) -> Vec<String> {
        both!(self.model, model => model.classes().to_vec())
    }

    /// Columns of the rows that it was trained on; none if it was on structured items.
    #[getter]
    fn columns(&self) -> Option<usize> {
        match &self.model {
            Either::Rows(model) => Some(model.kept().items.columns()),
            Either::Items(_) => None,
        }
    }
}

//! Gaussian process classification.

use std::path::PathBuf;

use mercer::data::{Items as _, Labels, Vectors};
use mercer::io::{AnyModel, LoadedModel, MatrixModel, ModelCard, ModelFormat, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::{LaplaceClassifier, LaplaceModel, Learning};
use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::matrix::{Means, array, other_process};
use crate::model::NOTE;
use crate::rows::Rows;
use crate::saved::write;
use crate::watch::watched;

/// A trained Gaussian process classifier.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct ProcessClasses {
    model: LaplaceModel<Expression, Vectors<'static>>,
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
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let given = rows.vectors()?.map_err(raised)?;
    let learning = Learning { restarts, seed, ..Learning::default() };
    let threads = means.threads();
    let model = watched(py, None, |_, interrupt| {
        let machine = LaplaceClassifier::params(kernel).learning(learning);
        let machine = rank.into_iter().fold(machine, |machine, rank| machine.rank(rank));
        let machine = machine.options(means.options(interrupt)).check()?;
        match learn {
            true => machine.fit_learned(&given, &labels),
            false => machine.fit(&given, &labels),
        }
    })?;
    Ok(ProcessClasses { model: model.with_threads(threads) })
}

#[pymethods]
impl ProcessClasses {
    /// Rows that each process of low rank is made of; none for exact ones.
    #[getter]
    fn ranks(&self) -> Vec<usize> {
        self.model.low_rank().flatten().map(|low| low.rank).collect()
    }

    /// The formula of the kernel of each class against the rest (one for two classes), with what was learned.
    #[getter]
    fn kernels(&self) -> Vec<String> {
        self.model.kernels().map(ToString::to_string).collect()
    }

    /// The approximate log likelihood of each class against the rest.
    #[getter]
    fn likelihoods(&self) -> Vec<f64> {
        self.model.likelihoods()
    }

    /// Whether all learning came to an end; true if nothing was learned.
    #[getter]
    fn is_converged(&self) -> bool {
        self.model.learned().flatten().all(|learned| learned.converged)
    }

    /// One row per row, one column per class.
    fn probabilities<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        let values = watched(py, None, |_, _| self.model.probabilities(&rows))?;
        array(py, values.values().to_vec(), rows.len(), self.model.classes().len())
    }

    /// The model as the bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let card = ModelCard::of(&self.model.kept().items);
        let any = AnyModel::Matrix(MatrixModel::Laplace(self.model.clone()));
        PyBytes::new(py, &SavedModel::new(any, None, card).to_bytes(ModelFormat::Binary))
    }

    /// The model that such bytes hold.
    #[staticmethod]
    fn from_bytes(bytes: &[u8], threads: usize) -> PyResult<Self> {
        let saved = SavedModel::from_bytes(bytes).map_err(raised)?;
        match (saved.model, saved.scaling) {
            (AnyModel::Matrix(MatrixModel::Laplace(model)), None) => {
                Ok(ProcessClasses { model: model.with_threads(threads) })
            }
            _ => Err(raised(other_process())),
        }
    }

    /// Writes the model to a file: JSON for .json, else binary.
    fn save(&self, py: Python<'_>, path: PathBuf, names: Option<Vec<String>>, note: String) -> PyResult<()> {
        let mut card = ModelCard::of(&self.model.kept().items);
        card.feature_names = names;
        card.notes.insert(NOTE.into(), note);
        let any = AnyModel::Matrix(MatrixModel::Laplace(self.model.clone()));
        let saved = LoadedModel::Rows(SavedModel::new(any, None, card));
        py.detach(|| write(&saved, &path)).map_err(raised)
    }

    #[getter]
    fn classes(&self) -> Vec<String> {
        self.model.classes().to_vec()
    }

    /// Columns of the rows that it was trained on.
    #[getter]
    fn columns(&self) -> usize {
        self.model.kept().items.columns()
    }
}

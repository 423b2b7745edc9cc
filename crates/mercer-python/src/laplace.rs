//! Gaussian process classification.

use std::path::PathBuf;

use mercer::data::{Collection, Items as _, Labels};
use mercer::gram::CollectionKernel;
use mercer::io::{self, MatrixModel};
use mercer::machine::{Differentiable, LaplaceClassifier, LaplaceModel, Learning};
use numpy::{PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::machines::numbered;
use crate::matrix::{Means, array};
use crate::rows::Rows;
use crate::saved::{Machine, no_machine};
use crate::watch::watched;

/// A trained Gaussian process classifier.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct ProcessClasses {
    machine: Machine,
}

/// Trains a Gaussian process classifier; what is learned are the parameters of kernels on rows of numbers.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_process_classes(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, i64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
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
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let learning = Learning { restarts, seed, ..Learning::default() };
    let threads = means.threads();
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let learn = learn && !Differentiable::<Collection<'_>>::parameters(&kernel).is_empty();
    let items = rows.items()?;
    let model = watched(py, None, |_, interrupt| {
        let machine = LaplaceClassifier::params(kernel).learning(learning);
        let machine = rank.into_iter().fold(machine, |machine, rank| machine.rank(rank));
        let machine = machine.options(means.options(interrupt)).check()?;
        match learn {
            true => machine.fit_learned(&*items, &labels, weights),
            false => machine.fit_weighted(&*items, &labels, weights),
        }
    })?;
    Ok(ProcessClasses { machine: Machine::new(model, &items, threads) })
}

impl ProcessClasses {
    fn of(saved: io::Model) -> PyResult<Self> {
        let process = ProcessClasses { machine: Machine { saved } };
        process.model()?;
        Ok(process)
    }

    fn model(&self) -> PyResult<&LaplaceModel<CollectionKernel, Collection<'static>>> {
        match self.machine.model()? {
            MatrixModel::Laplace(model) => Ok(model),
            _ => Err(no_machine()),
        }
    }
}

#[pymethods]
impl ProcessClasses {
    /// Rows that each process of low rank is made of; none for exact ones.
    #[getter]
    fn ranks(&self) -> PyResult<Vec<usize>> {
        Ok(self.model()?.low_rank().flatten().map(|low| low.rank).collect())
    }

    /// The formula of the kernel of each class against the rest (one for two classes), with what was learned.
    #[getter]
    fn kernels(&self) -> PyResult<Vec<String>> {
        Ok(self.model()?.kernels().map(ToString::to_string).collect())
    }

    /// The approximate log likelihood of each class against the rest.
    #[getter]
    fn likelihoods(&self) -> PyResult<Vec<f64>> {
        Ok(self.model()?.likelihoods())
    }

    /// Whether all learning came to an end; true if nothing was learned.
    #[getter]
    fn is_converged(&self) -> PyResult<bool> {
        Ok(self.model()?.learned().flatten().all(|learned| learned.converged))
    }

    /// One row per row, one column per class.
    fn probabilities<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, given) = (self.model()?, rows.items()?);
        let items = self.machine.prepared(&given)?;
        let values = watched(py, None, |_, _| model.probabilities(&*items))?;
        array(py, values.values().to_vec(), items.len(), model.classes().len())
    }

    /// The model as the bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.machine.to_bytes(py)
    }

    /// The model that such bytes hold.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8], threads: usize) -> PyResult<Self> {
        Self::of(watched(py, None, |_, _| io::Model::from_bytes(bytes))?.with_threads(threads))
    }

    /// Writes the model to a file: JSON for .json, else binary.
    fn save(&self, py: Python<'_>, path: PathBuf, names: Option<Vec<String>>, note: String) -> PyResult<()> {
        self.machine.save(py, path, names, note)
    }

    #[getter]
    fn classes(&self) -> PyResult<Vec<String>> {
        Ok(self.model()?.classes().to_vec())
    }

    /// Columns of the rows that it was trained on; 0 for structured items.
    #[getter]
    fn columns(&self) -> u64 {
        self.machine.shape().1
    }
}

/// The approximate log p(y) of two classes with the kernel as it is, where codes are 0 and 1, and its derivatives with respect to the
/// parameters of the kernel if they are asked for.
#[pyfunction]
pub fn classes_likelihood(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: Vec<u32>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: &str,
    gradient: bool,
    means: Means,
) -> PyResult<(f64, Option<Vec<f64>>)> {
    let labels = numbered(codes, 2)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let items = rows.items()?;
    watched(py, None, |_, interrupt| {
        let machine = LaplaceClassifier::params(kernel).options(means.options(interrupt)).check()?;
        if gradient {
            let found = machine.log_likelihood(&*items, &labels, weights)?;
            return Ok((found.value, Some(found.gradient)));
        }
        Ok((machine.fit_weighted(&*items, &labels, weights)?.likelihoods()[0], None))
    })
}

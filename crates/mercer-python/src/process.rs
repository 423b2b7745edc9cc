//! Gaussian process regression, on rows or structured items.

use std::path::PathBuf;

use mercer::data::{Collection, Items as _};
use mercer::gram::CollectionKernel;
use mercer::io::{self, MatrixModel};
use mercer::linalg::Matrix;
use mercer::machine::{Differentiable, GaussianProcess, GaussianProcessModel, Learning};
use mercer::resources::Interrupt;
use mercer::{Error, Result};
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::matrix::{Means, array, matrix};
use crate::rows::Rows;
use crate::saved::{Machine, no_machine};
use crate::watch::watched;

/// A Gaussian process as it was asked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    kernel: String,
    noise: f64,
    normalise: bool,
    /// Whether parameters of the kernel are learned, and from how many further starts.
    learn: bool,
    restarts: usize,
    seed: u64,
    /// Most items that it is made of.
    rank: Option<usize>,
}

/// A trained Gaussian process.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Process {
    machine: Machine,
}

/// Trains a Gaussian process; what is learned are the parameters of kernels on rows of numbers.
#[pyfunction]
pub fn fit_process(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    wanted: Wanted,
    means: Means,
) -> PyResult<Process> {
    let targets = matrix(&targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let threads = means.threads();
    let kernel: CollectionKernel = wanted.kernel.parse().map_err(raised)?;
    let learn = wanted.learn && !Differentiable::<Collection<'_>>::parameters(&kernel).is_empty();
    let items = rows.items()?;
    let model = watched(py, None, |_, interrupt| {
        let machine = wanted.machine(kernel, &means, interrupt)?;
        match learn {
            true => machine.fit_learned(&*items, &targets, weights),
            false => machine.fit_many(&*items, &targets, weights),
        }
    })?;
    Ok(Process { machine: Machine::new(model, &items, threads) })
}

impl Wanted {
    fn machine(
        &self,
        kernel: CollectionKernel,
        means: &Means,
        interrupt: &Interrupt,
    ) -> Result<GaussianProcess<CollectionKernel>> {
        let learning = Learning { restarts: self.restarts, seed: self.seed, ..Learning::default() };
        let machine = GaussianProcess::params(kernel)
            .noise(self.noise)
            .normalise_targets(self.normalise)
            .learning(learning)
            .options(means.options(interrupt));
        self.rank.into_iter().fold(machine, |machine, rank| machine.rank(rank)).check()
    }
}

impl Process {
    fn of(saved: io::Model) -> PyResult<Self> {
        let process = Process { machine: Machine { saved } };
        process.model()?;
        Ok(process)
    }

    fn model(&self) -> PyResult<&GaussianProcessModel<CollectionKernel, Collection<'static>>> {
        match self.machine.model()? {
            MatrixModel::GaussianProcess(model) => Ok(model),
            _ => Err(no_machine()),
        }
    }
}

#[pymethods]
impl Process {
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

    /// The items that it was trained on.
    #[getter]
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.machine.items(py)
    }

    /// Columns of the rows that it was trained on; 0 for structured items.
    #[getter]
    fn columns(&self) -> u64 {
        self.machine.shape().1
    }

    #[getter]
    fn noise(&self) -> PyResult<f64> {
        Ok(self.model()?.noise())
    }

    /// The formula of the kernel, with what was learned.
    #[getter]
    fn kernel(&self) -> PyResult<String> {
        Ok(self.model()?.kept().kernel.to_string())
    }

    #[getter]
    fn likelihood(&self) -> PyResult<f64> {
        Ok(self.model()?.report().likelihood)
    }

    /// Items that a process of low rank is made of.
    #[getter]
    fn rank(&self) -> PyResult<Option<usize>> {
        Ok(self.model()?.report().low_rank.map(|low| low.rank))
    }

    #[getter]
    fn jitter(&self) -> PyResult<f64> {
        Ok(self.model()?.report().jitter)
    }

    /// Whether learning came to an end; true if nothing was learned.
    #[getter]
    fn is_converged(&self) -> PyResult<bool> {
        Ok(self.model()?.report().learned.as_ref().is_none_or(|learned| learned.converged))
    }

    #[getter]
    fn alpha<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let model = self.model()?;
        let (m, values) = (model.outputs(), model.functions().coefficients.clone());
        let n = values.len() / m;
        array(py, values, n, m)
    }

    #[getter]
    fn factor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Some(factor) = self.model()?.factor() else {
            let what = "a Gaussian process of low rank has no factor of the kernel matrix".into();
            return Err(raised(Error::Unsupported { what }));
        };
        let n = factor.size();
        array(py, Matrix::from_fn(n, n, |i, j| factor.lower(i, j)).values().to_vec(), n, n)
    }

    /// Mean and standard deviation of each output that targets were normalised with.
    #[getter]
    fn normalisation(&self) -> PyResult<(Vec<f64>, Vec<f64>)> {
        let (centre, scale) = self.model()?.normalisation();
        Ok((centre.to_vec(), scale.to_vec()))
    }

    /// One row per row, one column per output.
    fn mean<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, given) = (self.model()?, rows.items()?);
        let items = self.machine.prepared(&given)?;
        let values = watched(py, None, |_, _| model.predict(&*items))?;
        array(py, values, items.len(), model.outputs())
    }

    fn variance<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, given) = (self.model()?, rows.items()?);
        let items = self.machine.prepared(&given)?;
        let values = watched(py, None, |_, _| model.predict_with_variance(&*items))?;
        array(py, values.variance.values().to_vec(), items.len(), model.outputs())
    }

    /// Of targets with standard deviation 1.
    fn covariance<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, given) = (self.model()?, rows.items()?);
        let items = self.machine.prepared(&given)?;
        let values = watched(py, None, |_, _| model.covariance(&*items))?;
        array(py, values.values().to_vec(), items.len(), items.len())
    }

    /// Row s · m + o is function s of output o of m.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        count: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (model, given) = (self.model()?, rows.items()?);
        let items = self.machine.prepared(&given)?;
        let drawn = watched(py, None, |_, _| model.sample(&*items, count, seed))?;
        array(py, drawn.values().to_vec(), drawn.rows(), drawn.columns())
    }
}

/// log p(y) with the kernel as it is, and its derivatives with respect to the parameters of the kernel if they are asked for.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn process_likelihood(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: &str,
    noise: f64,
    gradient: bool,
    means: Means,
) -> PyResult<(f64, Option<Vec<f64>>)> {
    let targets = matrix(&targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let items = rows.items()?;
    watched(py, None, |_, interrupt| {
        let machine =
            GaussianProcess::params(kernel).noise(noise).options(means.options(interrupt)).check()?;
        if gradient {
            let found = machine.log_likelihood(&*items, &targets, weights)?;
            return Ok((found.value, Some(found.gradient)));
        }
        Ok((machine.fit_many(&*items, &targets, weights)?.report().likelihood, None))
    })
}

/// Functions drawn from a process that has seen no targets: one row each.
#[pyfunction]
pub fn sample_prior<'py>(
    py: Python<'py>,
    kernel: &str,
    rows: Rows<'_>,
    count: usize,
    seed: u64,
    means: Means,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let items = rows.items()?;
    let drawn = watched(py, None, |_, interrupt| {
        let machine = GaussianProcess::params(kernel).options(means.options(interrupt)).check()?;
        machine.sample_prior(&*items, count, seed)
    })?;
    array(py, drawn.values().to_vec(), drawn.rows(), drawn.columns())
}

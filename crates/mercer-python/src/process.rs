//! Gaussian process regression, on rows or structured items.

use std::path::PathBuf;

use mercer::data::{Items, Structures, Vectors};
use mercer::gram::{BulkKernel, StructureKernel};
use mercer::io::{AnyModel, LoadedModel, MatrixModel, SavedModel};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{GaussianProcess, GaussianProcessModel, Learning, MatrixOptions};
use mercer::resources::Interrupt;
use mercer::{Error, Result};
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::items::to_python;
use crate::matrix::{Means, array, matrix};
use crate::model::rows_to_python;
use crate::rows::Rows;
use crate::saved::Machine;
use crate::watch::watched;

/// A model of rows or of structured items.
pub enum Either<R, S> {
    Rows(R),
    Items(S),
}

/// What is asked of a model, whatever its items are.
macro_rules! both {
    ($of:expr, $model:ident => $asked:expr) => {
        match &$of {
            $crate::process::Either::Rows($model) => $asked,
            $crate::process::Either::Items($model) => $asked,
        }
    };
}

/// What is asked of a model about items of the kind that it has seen.
macro_rules! given {
    ($of:expr, $rows:ident, $model:ident, $items:ident => $asked:expr) => {
        match (&$of, $rows.structures()) {
            ($crate::process::Either::Rows($model), None) => {
                let $items = &$rows.vectors()?.map_err($crate::errors::raised)?;
                $asked
            }
            ($crate::process::Either::Items($model), Some($items)) => $asked,
            _ => return Err($crate::errors::raised($crate::saved::other_items())),
        }
    };
}
pub(crate) use {both, given};

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
    model: Either<
        GaussianProcessModel<Expression, Vectors<'static>>,
        GaussianProcessModel<StructureKernel, Structures>,
    >,
}

/// Trains a Gaussian process on rows, or on structured items, whose kernels have no parameters that are learned.
#[pyfunction]
pub fn fit_process(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    wanted: Wanted,
    means: Means,
) -> PyResult<Process> {
    let targets = matrix(&targets)?;
    let threads = means.threads();
    if let Some(items) = rows.structures() {
        let kernel: StructureKernel = wanted.kernel.parse().map_err(raised)?;
        let model = watched(py, None, |_, interrupt| {
            wanted.machine(kernel, &means, interrupt)?.fit_many(items, &targets)
        })?;
        return Ok(Process { model: Either::Items(model.with_threads(threads)) });
    }
    let kernel: Expression = wanted.kernel.parse().map_err(raised)?;
    let given = rows.vectors()?.map_err(raised)?;
    let model = watched(py, None, |_, interrupt| {
        let machine = wanted.machine(kernel, &means, interrupt)?;
        match wanted.learn {
            true => machine.fit_learned(&given, &targets),
            false => machine.fit_many(&given, &targets),
        }
    })?;
    Ok(Process { model: Either::Rows(model.with_threads(threads)) })
}

impl Wanted {
    fn machine<K>(&self, kernel: K, means: &Means, interrupt: &Interrupt) -> Result<GaussianProcess<K>> {
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
    fn machine(&self) -> Machine {
        match &self.model {
            Either::Rows(model) => {
                Machine::of_rows(MatrixModel::GaussianProcess(model.clone()), &model.kept().items)
            }
            Either::Items(model) => {
                Machine::of_structures(MatrixModel::GaussianProcess(model.clone()), &model.kept().items)
            }
        }
    }
}

#[pymethods]
impl Process {
    /// The model as the bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.machine().to_bytes(py)
    }

    /// The model that such bytes hold.
    #[staticmethod]
    fn from_bytes(bytes: &[u8], threads: usize) -> PyResult<Self> {
        let model = match LoadedModel::from_bytes(bytes).map_err(raised)? {
            LoadedModel::Rows(SavedModel {
                model: AnyModel::Matrix(MatrixModel::GaussianProcess(model)),
                scaling: None,
                ..
            }) => Either::Rows(model.with_threads(threads)),
            LoadedModel::Structures(SavedModel {
                model: AnyModel::Matrix(MatrixModel::GaussianProcess(model)),
                ..
            }) => Either::Items(model.with_threads(threads)),
            _ => return Err(raised(other_process())),
        };
        Ok(Process { model })
    }

    /// Writes the model to a file: JSON for .json, else binary.
    fn save(&self, py: Python<'_>, path: PathBuf, names: Option<Vec<String>>, note: String) -> PyResult<()> {
        self.machine().save(py, path, names, note)
    }

    /// The items that it was trained on.
    #[getter]
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.model {
            Either::Rows(model) => rows_to_python(py, &model.kept().items),
            Either::Items(model) => Ok(to_python(py, &model.kept().items)?.into_pyobject(py)?.into_any()),
        }
    }

    #[getter]
    fn noise(&self) -> f64 {
        both!(self.model, model => model.noise())
    }

    /// The formula of the kernel, with what was learned.
    #[getter]
    fn kernel(&self) -> String {
        both!(self.model, model => model.kept().kernel.to_string())
    }

    #[getter]
    fn likelihood(&self) -> f64 {
        both!(self.model, model => model.report().likelihood)
    }

    /// Items that a process of low rank is made of.
    #[getter]
    fn rank(&self) -> Option<usize> {
        both!(self.model, model => model.report().low_rank.map(|low| low.rank))
    }

    #[getter]
    fn jitter(&self) -> f64 {
        both!(self.model, model => model.report().jitter)
    }

    /// Whether learning came to an end; true if nothing was learned.
    #[getter]
    fn is_converged(&self) -> bool {
        both!(self.model, model => model.report().learned.as_ref().is_none_or(|learned| learned.converged))
    }

    #[getter]
    fn alpha<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (m, values) =
            both!(self.model, model => (model.outputs(), model.functions().coefficients.clone()));
        let n = values.len() / m;
        array(py, values, n, m)
    }

    #[getter]
    fn factor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Some(factor) = both!(self.model, model => model.factor()) else {
            let what = "a Gaussian process of low rank has no factor of the kernel matrix".into();
            return Err(raised(Error::Unsupported { what }));
        };
        let n = factor.size();
        array(py, Matrix::from_fn(n, n, |i, j| factor.lower(i, j)).values().to_vec(), n, n)
    }

    /// Mean and standard deviation of each output that targets were normalised with.
    #[getter]
    fn normalisation(&self) -> (Vec<f64>, Vec<f64>) {
        let (centre, scale) = both!(self.model, model => model.normalisation());
        (centre.to_vec(), scale.to_vec())
    }

    /// One row per row, one column per output.
    fn mean<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        given!(self.model, rows, model, items => {
            let values = watched(py, None, |_, _| model.predict(items))?;
            array(py, values, items.len(), model.outputs())
        })
    }

    fn variance<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        given!(self.model, rows, model, items => {
            let values = watched(py, None, |_, _| model.predict_with_variance(items))?;
            array(py, values.variance.values().to_vec(), items.len(), model.outputs())
        })
    }

    /// Of targets with standard deviation 1.
    fn covariance<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        given!(self.model, rows, model, items => {
            let values = watched(py, None, |_, _| model.covariance(items))?;
            array(py, values.values().to_vec(), items.len(), items.len())
        })
    }

    /// Row s · m + o is function s of output o of m.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        count: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        given!(self.model, rows, model, items => {
            let drawn = watched(py, None, |_, _| model.sample(items, count, seed))?;
            array(py, drawn.values().to_vec(), drawn.rows(), drawn.columns())
        })
    }
}

/// What is no process that Python can hold.
pub fn other_process() -> Error {
    let what =
        "the file holds another machine, or one whose rows are scaled first, which is for the command line";
    Error::Unsupported { what: what.into() }
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
    let drawn = match rows.structures() {
        Some(items) => {
            let kernel: StructureKernel = kernel.parse().map_err(raised)?;
            watched(py, None, |_, interrupt| drawn(kernel, items, count, seed, &means.options(interrupt)))?
        }
        None => {
            let kernel: Expression = kernel.parse().map_err(raised)?;
            let rows = rows.vectors()?.map_err(raised)?;
            watched(py, None, |_, interrupt| drawn(kernel, &rows, count, seed, &means.options(interrupt)))?
        }
    };
    array(py, drawn.values().to_vec(), drawn.rows(), drawn.columns())
}

fn drawn<K, I>(kernel: K, items: &I, count: usize, seed: u64, options: &MatrixOptions) -> Result<Matrix>
where
    I: Items,
    K: BulkKernel<I>,
{
    GaussianProcess::params(kernel).options(options.clone()).check()?.sample_prior(items, count, seed)
}

//! Machines that factorise the kernel matrix: ridge regression, principal components, Gaussian processes.
//!
//! What the first two learn are coefficients, which Python keeps; [`expand`] makes values of them.

use std::path::PathBuf;

use mercer::Error;
use mercer::data::{Items, Vectors};
use mercer::gram::{BulkKernel, Plan, Precision, StructureKernel};
use mercer::io::{AnyModel, LoadedModel, MatrixModel, ModelCard, ModelFormat, SavedModel};
use mercer::kernel::Expression;
use mercer::linalg::{LeadingSettings, Matrix};
use mercer::machine::{
    Functions, GaussianProcess, GaussianProcessModel, Kept, KernelPca, Learning, MatrixOptions, PathPoint,
    Ridge,
};
use mercer::resources::Interrupt;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::machines::on_weighted_gram;
use crate::model::{NOTE, rows_to_python};
use crate::rows::Rows;
use crate::saved::write;
use crate::watch::watched;

/// Threads and memory.
#[derive(Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Means {
    threads: usize,
    /// Bytes; none for the engine's own limit.
    memory: Option<u64>,
}

impl Means {
    pub fn threads(&self) -> usize {
        self.threads
    }

    pub fn options(&self, interrupt: &Interrupt) -> MatrixOptions {
        let usual = MatrixOptions::default();
        MatrixOptions {
            threads: self.threads,
            memory: self.memory.unwrap_or(usual.memory),
            interrupt: Some(interrupt.clone()),
            ..usual
        }
    }
}

pub fn matrix(values: &PyReadonlyArray2<'_, f64>) -> PyResult<Matrix> {
    let [rows, columns] = [values.shape()[0], values.shape()[1]];
    let values = values.as_array().iter().copied().collect();
    Matrix::new(values, rows, columns).map_err(raised)
}

pub fn array<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_vec(py, values).reshape([rows, columns])
}

/// The formula of the kernel with what it took from the rows, coefficients (one row per row), offsets, and how it was solved.
type Fitted<'py> = (Option<String>, Bound<'py, PyArray2<f64>>, String, f64, bool);

/// Trains a ridge regression on rows or structured items, or on a kernel matrix where there is no kernel.
#[pyfunction]
pub fn fit_ridge<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: Option<String>,
    lambdas: Vec<f64>,
    means: Means,
) -> PyResult<Fitted<'py>> {
    let targets = matrix(&targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let (formula, fit) =
        on_weighted_gram(py, &rows, (weights, true), kernel.as_deref(), &means, |gram, options| {
            Ridge::params(()).lambdas(lambdas).options(options).check()?.fit_gram(gram, &targets, weights)
        })?;
    let coefficients = array(py, fit.functions.coefficients, targets.rows(), targets.columns())?;
    Ok((formula, coefficients, format!("{:?}", fit.report.method), fit.report.jitter, fit.report.converged))
}

/// What ridge regressions with each λ, trained without an item, say about it: a matrix for each λ, one row per item.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn left_out_ridge<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: Option<String>,
    lambdas: Vec<f64>,
    offset: bool,
    means: Means,
) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
    let targets = matrix(&targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let (_, path) =
        on_weighted_gram(py, &rows, (weights, true), kernel.as_deref(), &means, |gram, options| {
            let machine = Ridge::params(()).offset(offset).options(options).check()?;
            machine.path(gram, &targets, weights, &lambdas)
        })?;
    let of =
        |point: &PathPoint| array(py, point.left_out.values().to_vec(), targets.rows(), targets.columns());
    path.points().iter().map(of).collect()
}

/// Σᵢ coefficients[i, o] k(xᵢ, x) + offsets[o] for each new row x.
#[pyfunction]
pub fn expand<'py>(
    py: Python<'py>,
    kernel: &str,
    rows: Rows<'_>,
    coefficients: PyReadonlyArray2<'_, f64>,
    offsets: Vec<f64>,
    new: Rows<'_>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let m = offsets.len();
    let functions = Functions { coefficients: matrix(&coefficients)?.values().to_vec(), offsets };
    if let (Some(known), Some(new)) = (rows.structures(), new.structures()) {
        let kernel: StructureKernel = kernel.parse().map_err(raised)?;
        let values =
            watched(py, None, |_, interrupt| expanded(&kernel, known, functions, new, threads, interrupt))?;
        return array(py, values, new.len(), m);
    }
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let (known, new) = (rows.vectors()?.map_err(raised)?, new.vectors()?.map_err(raised)?);
    let values =
        watched(py, None, |_, interrupt| expanded(&kernel, &known, functions, &new, threads, interrupt))?;
    array(py, values, new.len(), m)
}

/// The values of functions over known items at new ones.
fn expanded<K, I>(
    kernel: &K,
    known: &I,
    functions: Functions,
    new: &I,
    threads: usize,
    interrupt: &Interrupt,
) -> mercer::Result<Vec<f64>>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
{
    let precision = Precision::F64;
    let plan = Plan { precision, interrupt: Some(interrupt.clone()), ..Plan::new()? };
    let kernel = BulkKernel::<I>::resolve(kernel, known, None)?;
    let layout = BulkKernel::<I>::layout(&kernel, known, &plan)?;
    let items = known.select(&(0..known.len()).collect::<Vec<_>>());
    let kept = Kept { kernel, layout, precision, items, threads };
    if new.is_empty() {
        return Ok(Vec::new());
    }
    kept.compare(new, |gram, workers| functions.values(gram, workers))
}

/// What kernel PCA finds, by name.
#[derive(IntoPyObject)]
pub struct Components<'py> {
    kernel: Option<String>,
    values: Vec<f64>,
    /// One row per component.
    vectors: Bound<'py, PyArray2<f64>>,
    /// Of the components and, last, of the mean of k(xᵢ, x).
    coefficients: Bound<'py, PyArray2<f64>>,
    offsets: Vec<f64>,
    trace: f64,
    mean: f64,
    iterations: usize,
}

/// Finds principal components of rows or structured items, or of a kernel matrix where there is no kernel.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_components<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    kernel: Option<String>,
    components: Option<usize>,
    tolerance: Option<f64>,
    max_iterations: Option<usize>,
    seed: u64,
    means: Means,
) -> PyResult<Components<'py>> {
    let usual = LeadingSettings::default();
    let leading = LeadingSettings {
        tolerance: tolerance.unwrap_or(usual.tolerance),
        max_iterations: max_iterations.unwrap_or(usual.max_iterations),
    };
    let (formula, fit) =
        on_weighted_gram(py, &rows, (None, true), kernel.as_deref(), &means, |gram, options| {
            let params = KernelPca::params(()).leading(leading).seed(seed).options(options);
            let params = match components {
                Some(count) => params.components(count),
                None => params,
            };
            params.check()?.fit_gram(gram)
        })?;
    let (k, n) = (fit.values.len(), fit.vectors.columns());
    Ok(Components {
        kernel: formula,
        vectors: array(py, fit.vectors.values().to_vec(), k, n)?,
        coefficients: array(py, fit.functions.coefficients, n, k + 1)?,
        offsets: fit.functions.offsets,
        values: fit.values,
        trace: fit.trace,
        mean: fit.mean,
        iterations: fit.iterations,
    })
}

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
    /// Most rows that it is made of.
    rank: Option<usize>,
}

/// A trained Gaussian process.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Process {
    model: GaussianProcessModel<Expression, Vectors<'static>>,
}

/// Trains a Gaussian process on rows.
#[pyfunction]
pub fn fit_process(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    wanted: Wanted,
    means: Means,
) -> PyResult<Process> {
    let targets = matrix(&targets)?;
    let kernel: Expression = wanted.kernel.parse().map_err(raised)?;
    let given = rows.vectors()?.map_err(raised)?;
    let learning = Learning { restarts: wanted.restarts, seed: wanted.seed, ..Learning::default() };
    let threads = means.threads;
    let model = watched(py, None, |_, interrupt| {
        let machine = GaussianProcess::params(kernel)
            .noise(wanted.noise)
            .normalise_targets(wanted.normalise)
            .learning(learning)
            .options(means.options(interrupt));
        let machine = wanted.rank.into_iter().fold(machine, |machine, rank| machine.rank(rank)).check()?;
        match wanted.learn {
            true => machine.fit_learned(&given, &targets),
            false => machine.fit_many(&given, &targets),
        }
    })?;
    Ok(Process { model: model.with_threads(threads) })
}

#[pymethods]
impl Process {
    /// The model as the bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let card = ModelCard::of(&self.model.kept().items);
        let any = AnyModel::Matrix(MatrixModel::GaussianProcess(self.model.clone()));
        PyBytes::new(py, &SavedModel::new(any, None, card).to_bytes(ModelFormat::Binary))
    }

    /// The model that such bytes hold.
    #[staticmethod]
    fn from_bytes(bytes: &[u8], threads: usize) -> PyResult<Self> {
        let saved = SavedModel::from_bytes(bytes).map_err(raised)?;
        match (saved.model, saved.scaling) {
            (AnyModel::Matrix(MatrixModel::GaussianProcess(model)), None) => {
                Ok(Process { model: model.with_threads(threads) })
            }
            _ => Err(raised(other_process())),
        }
    }

    /// Writes the model to a file: JSON for .json, else binary.
    fn save(&self, py: Python<'_>, path: PathBuf, names: Option<Vec<String>>, note: String) -> PyResult<()> {
        let mut card = ModelCard::of(&self.model.kept().items);
        card.feature_names = names;
        card.notes.insert(NOTE.into(), note);
        let any = AnyModel::Matrix(MatrixModel::GaussianProcess(self.model.clone()));
        let saved = LoadedModel::Rows(SavedModel::new(any, None, card));
        py.detach(|| write(&saved, &path)).map_err(raised)
    }

    /// The rows that it was trained on.
    #[getter]
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows_to_python(py, &self.model.kept().items)
    }

    #[getter]
    fn noise(&self) -> f64 {
        self.model.noise()
    }

    /// The formula of the kernel, with what was learned.
    #[getter]
    fn kernel(&self) -> String {
        self.model.kept().kernel.to_string()
    }

    #[getter]
    fn likelihood(&self) -> f64 {
        self.model.report().likelihood
    }

    /// Rows that a process of low rank is made of.
    #[getter]
    fn rank(&self) -> Option<usize> {
        self.model.report().low_rank.map(|low| low.rank)
    }

    #[getter]
    fn jitter(&self) -> f64 {
        self.model.report().jitter
    }

    /// Whether learning came to an end; true if nothing was learned.
    #[getter]
    fn is_converged(&self) -> bool {
        self.model.report().learned.as_ref().is_none_or(|learned| learned.converged)
    }

    #[getter]
    fn alpha<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let m = self.model.outputs();
        let values = self.model.functions().coefficients.clone();
        let n = values.len() / m;
        array(py, values, n, m)
    }

    #[getter]
    fn factor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Some(factor) = self.model.factor() else {
            let what = "a Gaussian process of low rank has no factor of the kernel matrix".into();
            return Err(raised(Error::Unsupported { what }));
        };
        let n = factor.size();
        array(py, Matrix::from_fn(n, n, |i, j| factor.lower(i, j)).values().to_vec(), n, n)
    }

    /// Mean and standard deviation of each output that targets were normalised with.
    #[getter]
    fn normalisation(&self) -> (Vec<f64>, Vec<f64>) {
        let (centre, scale) = self.model.normalisation();
        (centre.to_vec(), scale.to_vec())
    }

    /// One row per row, one column per output.
    fn mean<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        let values = watched(py, None, |_, _| self.model.predict(&rows))?;
        array(py, values, rows.len(), self.model.outputs())
    }

    fn variance<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        let values = watched(py, None, |_, _| self.model.predict_with_variance(&rows))?;
        array(py, values.variance.values().to_vec(), rows.len(), self.model.outputs())
    }

    /// Of targets with standard deviation 1.
    fn covariance<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        let values = watched(py, None, |_, _| self.model.covariance(&rows))?;
        array(py, values.values().to_vec(), rows.len(), rows.len())
    }

    /// Row s · m + o is function s of output o of m.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        count: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        let drawn = watched(py, None, |_, _| self.model.sample(&rows, count, seed))?;
        array(py, drawn.values().to_vec(), drawn.rows(), drawn.columns())
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
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let rows = rows.vectors()?.map_err(raised)?;
    let drawn = watched(py, None, |_, interrupt| {
        GaussianProcess::params(kernel)
            .options(means.options(interrupt))
            .check()?
            .sample_prior(&rows, count, seed)
    })?;
    array(py, drawn.values().to_vec(), drawn.rows(), drawn.columns())
}

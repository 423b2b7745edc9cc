//! Machines that factorise the kernel matrix: ridge regression and principal components.
//!
//! What they learn are coefficients, which Python keeps; [`expand`] makes values of them.

use mercer::data::{Collection, Items as _};
use mercer::gram::{BulkKernel as _, CollectionKernel, Plan, Precision};
use mercer::linalg::{LeadingSettings, Matrix};
use mercer::machine::{Functions, Kept, KernelPca, MatrixOptions, PathPoint, Ridge};
use mercer::resources::Interrupt;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::grams::on_weighted_gram;
use crate::rows::Rows;
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
    let view = values.as_array();
    let values = values.py().detach(|| view.iter().copied().collect());
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
type Fitted<'py> = (Option<String>, Bound<'py, PyArray2<f64>>, Vec<f64>, String, f64, bool);

/// Trains a ridge regression on rows or structured items, or on a kernel matrix where there is no kernel.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_ridge<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: Option<String>,
    lambdas: Vec<f64>,
    offset: bool,
    means: Means,
) -> PyResult<Fitted<'py>> {
    let targets = matrix(&targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let (formula, fit) =
        on_weighted_gram(py, &rows, (weights, true), kernel.as_deref(), &means, |gram, options| {
            let machine = Ridge::params(()).lambdas(lambdas).offset(offset).options(options).check()?;
            machine.fit_gram(gram, &targets, weights)
        })?;
    let (functions, report) = (fit.functions, fit.report);
    let coefficients = array(py, functions.coefficients, targets.rows(), targets.columns())?;
    let method = format!("{:?}", report.method);
    Ok((formula, coefficients, functions.offsets, method, report.jitter, report.converged))
}

/// A ridge regression of a path, by name.
#[derive(IntoPyObject)]
pub struct Point<'py> {
    /// One row per item, one column per output.
    coefficients: Bound<'py, PyArray2<f64>>,
    offsets: Vec<f64>,
    /// What a regression that is trained without an item says about it, in the same form.
    left_out: Bound<'py, PyArray2<f64>>,
}

/// Ridge regressions with each λ, from one eigenvalue decomposition, with what they say about items that are left out.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn ridge_path<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: Option<String>,
    lambdas: Vec<f64>,
    offset: bool,
    means: Means,
) -> PyResult<Vec<Point<'py>>> {
    let targets = matrix(&targets)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let (_, path) =
        on_weighted_gram(py, &rows, (weights, true), kernel.as_deref(), &means, |gram, options| {
            let machine = Ridge::params(()).offset(offset).options(options).check()?;
            machine.path(gram, &targets, weights, &lambdas)
        })?;
    let turn = |values: &[f64]| array(py, values.to_vec(), targets.rows(), targets.columns());
    let of = |point: &PathPoint| {
        Ok(Point {
            coefficients: turn(&point.functions.coefficients)?,
            offsets: point.functions.offsets.clone(),
            left_out: turn(point.left_out.values())?,
        })
    };
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
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let (known, new) = (rows.items()?, new.items()?);
    let values =
        watched(py, None, |_, interrupt| expanded(&kernel, &known, functions, &new, threads, interrupt))?;
    array(py, values, new.len(), m)
}

/// The values of functions over known items at new ones.
fn expanded(
    kernel: &CollectionKernel,
    known: &Collection<'_>,
    functions: Functions,
    new: &Collection<'_>,
    threads: usize,
    interrupt: &Interrupt,
) -> mercer::Result<Vec<f64>> {
    let precision = Precision::F64;
    let plan = Plan { precision, interrupt: Some(interrupt.clone()), ..Plan::new()? };
    let kernel = kernel.resolve_by(known, None, &plan)?;
    let layout = kernel.layout(known, &plan)?;
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

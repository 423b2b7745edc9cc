//! Machines that learn from the kernel matrix alone: rows of numbers, structured items or kernel values.
//!
//! All of them find functions Σ βᵢ k(xᵢ, x) + b over the training items, and are a [`Machine`] then.

use std::collections::HashMap;
use std::sync::Arc;

use mercer::data::{Items, Labels};
use mercer::gram::{BulkKernel, Plan, Precision, PrecomputedGram, StructureKernel, SymmetricGram};
use mercer::io::MatrixModel;
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, Functions, Kept, KernelCca, KernelKMeans, KernelPcaFit, KernelPls,
    MatrixOptions, OrdinalSvm, RankSvm, RelevanceMachine, Ridge, RidgeFit, RidgeMethod, RidgeReport,
    SpectralClustering, SphereAndSlab,
};
use mercer::resources::{Interrupt, Workers};
use mercer::{Error, Result};
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::matrix::{Means, matrix};
use crate::rows::Rows;
use crate::saved::{Machine, Made};
use crate::watch::watched;

/// Functions that were found, by name.
#[derive(IntoPyObject)]
pub struct Found<'py> {
    /// The formula of the kernel with what it took from the rows; none where kernel values were given.
    kernel: Option<String>,
    /// The training items that the functions are made of.
    positions: Vec<usize>,
    /// One row per such item, one column per function.
    coefficients: Bound<'py, PyArray2<f64>>,
    offsets: Vec<f64>,
    /// What else was found, by name.
    told: HashMap<&'static str, Vec<f64>>,
    /// The model, to be asked and saved.
    machine: Py<Machine>,
}

fn found(
    py: Python<'_>,
    kernel: Option<String>,
    positions: Vec<usize>,
    machine: Machine,
) -> PyResult<Found<'_>> {
    let (coefficients, offsets) = machine.coefficients(py)?;
    let told = machine.told()?;
    Ok(Found { kernel, positions, coefficients, offsets, told, machine: Py::new(py, machine)? })
}

/// What `train` makes of the Gram matrix of whatever Python gave, as a model of it.
fn fitted<'py>(
    py: Python<'py>,
    rows: &Rows<'_>,
    kernel: Option<&str>,
    means: &Means,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<Made> + Send,
) -> PyResult<Found<'py>> {
    let threads = means.threads();
    let options = |interrupt: &Interrupt| means.options(interrupt);
    let (positions, machine, formula) = match (kernel, rows.structures()) {
        (Some(text), Some(items)) => {
            let kernel: StructureKernel = text.parse().map_err(raised)?;
            let (positions, model) =
                watched(py, None, |_, interrupt| modelled(&kernel, items, &options(interrupt), train))?;
            (positions, Machine::of_structures(model.with_threads(threads), items), Some(text.to_string()))
        }
        (Some(text), None) => {
            let kernel: Expression = text.parse().map_err(raised)?;
            let given = rows.vectors()?.map_err(raised)?;
            let (positions, model) =
                watched(py, None, |_, interrupt| modelled(&kernel, &given, &options(interrupt), train))?;
            let formula = model.kept().kernel.to_string();
            (positions, Machine::of_rows(model.with_threads(threads), &given), Some(formula))
        }
        (None, _) => {
            let (values, n) = rows.square()?;
            let (positions, model) = watched(py, None, |_, interrupt| {
                let made = train(&PrecomputedGram::symmetric(values, n)?, options(interrupt))?;
                of_values(made, n)
            })?;
            (positions, Machine::of_kernel_values(model.with_threads(threads), n), None)
        }
    };
    found(py, formula, positions, machine)
}

/// A model of kernel values, and the items that it needs.
fn of_values(made: Made, n: usize) -> Result<(Vec<usize>, MatrixModel)> {
    let positions = made.positions(n);
    let model = made.model(Kept::of_kernel_values(&positions, n)?)?;
    Ok((positions, model))
}

/// The same of a kernel on items.
#[allow(clippy::type_complexity)]
fn modelled<K, I>(
    kernel: &K,
    items: &I,
    options: &MatrixOptions,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<Made>,
) -> Result<(Vec<usize>, MatrixModel<K, I::Owned>)>
where
    K: BulkKernel<I> + BulkKernel<I::Owned>,
    I: Items,
{
    let (kernel, layout, made) = of_kernel(kernel, (items, None, false), options, train)?;
    let positions = made.positions(items.len());
    let precision = Precision::F64;
    let kept = Kept { kernel, layout, precision, items: items.select(&positions), threads: 0 };
    Ok((positions, made.model(kept)?))
}

/// What is known of a machine that was found by other means, as a model that can be asked and saved.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn machine_of(
    py: Python<'_>,
    rows: Rows<'_>,
    kernel: Option<&str>,
    kind: &str,
    coefficients: PyReadonlyArray2<'_, f64>,
    offsets: Vec<f64>,
    told: HashMap<String, Vec<f64>>,
    means: Means,
) -> PyResult<Machine> {
    let functions = Functions { coefficients: matrix(&coefficients)?.into_values(), offsets };
    let n = coefficients.as_array().nrows();
    let one = |name: &str| told.get(name).and_then(|values| values.first()).copied().unwrap_or(0.0);
    let many = |name: &str| told.get(name).cloned().unwrap_or_default();
    let made = match kind {
        "ridge" => {
            let method = match (one("iterative") != 0.0, one("mixed") != 0.0) {
                (true, _) => RidgeMethod::ConjugateGradient,
                (_, true) => RidgeMethod::Mixed,
                _ => RidgeMethod::Cholesky,
            };
            let (jitter, converged) = (one("jitter"), one("converged") != 0.0);
            let report = RidgeReport { method, jitter, iterations: 0, residual: 0.0, converged };
            Made::Ridge(RidgeFit { functions, report, left_out: None })
        }
        _ => {
            let values = many("values");
            let vectors = Matrix::new(many("vectors"), values.len(), n).map_err(raised)?;
            let (trace, mean) = (one("trace"), one("mean"));
            Made::Components(KernelPcaFit {
                values,
                vectors,
                functions,
                trace,
                mean,
                iterations: 0,
                held: true,
            })
        }
    };
    let options = MatrixOptions { threads: means.threads(), ..MatrixOptions::default() };
    match (kernel, rows.structures()) {
        (Some(text), Some(items)) => {
            let kernel: StructureKernel = text.parse().map_err(raised)?;
            let model = py.detach(|| modelled(&kernel, items, &options, |_, _| Ok(made))).map_err(raised)?.1;
            Ok(Machine::of_structures(model, items))
        }
        (Some(text), None) => {
            let kernel: Expression = text.parse().map_err(raised)?;
            let given = rows.vectors()?.map_err(raised)?;
            let model = py.detach(|| modelled(&kernel, &given, &options, |_, _| Ok(made))).map_err(raised)?.1;
            Ok(Machine::of_rows(model, &given))
        }
        (None, _) => Ok(Machine::of_kernel_values(of_values(made, n).map_err(raised)?.1, n)),
    }
}

/// What `train` makes of the Gram matrix of a kernel on items; an item of weight w counts as w items in what the kernel waits for.
fn of_kernel<K, I, T>(
    kernel: &K,
    (items, weights, holds): (&I, Option<&[f64]>, bool),
    options: &MatrixOptions,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<T>,
) -> Result<(K, K::Layout, T)>
where
    K: BulkKernel<I>,
    I: Items,
{
    let workers = Arc::new(Workers::checked(options.threads)?);
    let (precision, interrupt) = (Precision::F64, options.interrupt.clone());
    let n = items.len() as u64;
    // Values that the machine holds need not be kept here as well.
    let cache_bytes = if holds && 8 * n.saturating_mul(n) <= options.memory { 0 } else { options.memory };
    let plan = Plan { precision, workers, interrupt, cache_bytes, ..Plan::new()? };
    let kernel = kernel.resolve_by(items, weights, &Plan { cache_bytes: options.memory, ..plan.clone() })?;
    let layout = kernel.layout(items, &plan)?;
    let made = train(&*kernel.symmetric(items, &layout, &plan)?, options.clone())?;
    Ok((kernel, layout, made))
}

/// The same for whatever Python gave: rows, structured items, or kernel values where there is no kernel.
fn on_gram<T: Send>(
    py: Python<'_>,
    rows: &Rows<'_>,
    kernel: Option<&str>,
    means: &Means,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<T> + Send,
) -> PyResult<(Option<String>, T)> {
    on_weighted_gram(py, rows, (None, false), kernel, means, train)
}

/// The same of items that have weights, for a machine that may hold all kernel values itself.
pub fn on_weighted_gram<T: Send>(
    py: Python<'_>,
    rows: &Rows<'_>,
    (weights, holds): (Option<&[f64]>, bool),
    kernel: Option<&str>,
    means: &Means,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<T> + Send,
) -> PyResult<(Option<String>, T)> {
    let options = |interrupt: &Interrupt| means.options(interrupt);
    match (kernel, rows.structures()) {
        (Some(text), Some(items)) => {
            let kernel: StructureKernel = text.parse().map_err(raised)?;
            let made = watched(py, None, |_, interrupt| {
                Ok(of_kernel(&kernel, (items, weights, holds), &options(interrupt), train)?.2)
            })?;
            Ok((Some(text.to_string()), made))
        }
        (Some(text), None) => {
            let kernel: Expression = text.parse().map_err(raised)?;
            let given = rows.vectors()?.map_err(raised)?;
            let (kernel, _, made) = watched(py, None, |_, interrupt| {
                of_kernel(&kernel, (&given, weights, holds), &options(interrupt), train)
            })?;
            Ok((Some(kernel.to_string()), made))
        }
        (None, _) => {
            let (values, n) = rows.square()?;
            let made = watched(py, None, |_, interrupt| {
                train(&PrecomputedGram::symmetric(values, n)?, options(interrupt))
            })?;
            Ok((None, made))
        }
    }
}

/// Labels of so many classes that have numbers for names.
pub fn numbered(codes: Vec<u32>, classes: usize) -> PyResult<Labels> {
    Labels::from_codes((0..classes).map(|class| class.to_string()).collect(), codes).map_err(raised)
}

/// Labels of these classes.
fn labels(codes: &PyReadonlyArray1<'_, i64>, classes: Vec<String>) -> PyResult<Labels> {
    let codes = codes.as_slice()?.iter().map(|&code| u32::try_from(code).unwrap_or(u32::MAX)).collect();
    Labels::from_codes(classes, codes).map_err(raised)
}

/// Ridge regression on signs with an offset: the least-squares support vector machine.
#[pyfunction]
pub fn fit_least_squares<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    signs: PyReadonlyArray2<'_, f64>,
    classes: Vec<String>,
    kernel: Option<&str>,
    cost: f64,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = matrix(&signs)?;
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = Ridge::params(()).lambda(1.0 / cost).offset(true).options(options).check()?;
        Ok(Made::LeastSquares(machine.fit_gram(gram, &targets, None)?, classes))
    })
}

/// The kernel Fisher discriminant.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_fisher<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, i64>,
    classes: Vec<String>,
    kernel: Option<&str>,
    regularisation: f64,
    rank: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let labels = labels(&codes, classes)?;
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = FisherDiscriminant::params(()).regularisation(regularisation).rank(rank);
        let (ratios, centres, view) = machine.options(options).check()?.fit_gram(gram, &labels)?;
        Ok(Made::Fisher(labels.classes().to_vec(), ratios, centres, view))
    })
}

/// Kernel partial least squares.
#[pyfunction]
pub fn fit_pls<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    kernel: Option<&str>,
    components: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = matrix(&targets)?;
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = KernelPls::params(()).components(components).options(options).check()?;
        let (functions, report) = machine.fit_gram(gram, &targets)?;
        Ok(Made::Pls(functions, report))
    })
}

/// A ranking: items of the same query are compared, or all where there are no queries.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_ranking<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    queries: Option<PyReadonlyArray1<'_, u64>>,
    kernel: Option<&str>,
    cost: f64,
    tolerance: f64,
    max_steps: usize,
    rank: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = targets.as_slice()?;
    let queries = queries.as_ref().map(|queries| queries.as_slice()).transpose()?;
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = RankSvm::params(()).cost(cost).tolerance(tolerance).max_steps(max_steps).rank(rank);
        let (positions, functions, report) =
            machine.options(options).check()?.fit_gram(gram, targets, queries)?;
        Ok(Made::Rank(positions, functions, report))
    })
}

/// Levels that have an order.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_levels<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    levels: PyReadonlyArray1<'_, f64>,
    kernel: Option<&str>,
    cost: f64,
    tolerance: f64,
    max_steps: usize,
    rank: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let levels = levels.as_slice()?;
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = OrdinalSvm::params(()).cost(cost).tolerance(tolerance).max_steps(max_steps).rank(rank);
        let (positions, functions, report) = machine.options(options).check()?.fit_gram(gram, levels)?;
        Ok(Made::Ordinal(positions, functions, report))
    })
}

/// The relevance vector machine: of numbers, or of classes where their number is told.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_relevance<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    classes: Option<Vec<String>>,
    kernel: Option<&str>,
    offset: bool,
    tolerance: f64,
    max_steps: usize,
    rank: Option<usize>,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = targets.as_slice()?;
    let labels = classes
        .map(|names| Labels::from_codes(names, targets.iter().map(|&code| code as u32).collect()))
        .transpose()
        .map_err(raised)?;
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = RelevanceMachine::params(()).offset(offset).tolerance(tolerance).max_steps(max_steps);
        let machine = rank.into_iter().fold(machine, |machine, rank| machine.rank(rank));
        let machine = machine.options(options).check()?;
        let (functions, report) = match &labels {
            Some(labels) => machine.fit_gram_classes(gram, labels)?,
            None => machine.fit_gram(gram, targets)?,
        };
        Ok(Made::Relevance(functions, report))
    })
}

/// The Bayes point machine.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_bayes_point<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, i64>,
    classes: Vec<String>,
    kernel: Option<&str>,
    perceptrons: usize,
    softness: f64,
    max_rounds: usize,
    seed: u64,
    means: Means,
) -> PyResult<Found<'py>> {
    let labels = labels(&codes, classes)?;
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = BayesPointMachine::params(()).perceptrons(perceptrons).softness(softness);
        let machine = machine.max_rounds(max_rounds).seed(seed).options(options).check()?;
        let (functions, report) = machine.fit_gram(gram, &labels)?;
        Ok(Made::BayesPoint(functions, report))
    })
}

/// Clusters about means in feature space.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_k_means<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    kernel: Option<&str>,
    clusters: usize,
    starts: usize,
    max_rounds: usize,
    seed: u64,
    means: Means,
) -> PyResult<Found<'py>> {
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = KernelKMeans::params((), clusters).restarts(starts.saturating_sub(1));
        let machine = machine.max_rounds(max_rounds).seed(seed).options(options).check()?;
        Ok(Made::KMeans(machine.fit_gram(gram)?))
    })
}

/// Spectral clusters.
#[pyfunction]
pub fn fit_spectral<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    kernel: Option<&str>,
    clusters: usize,
    starts: usize,
    seed: u64,
    means: Means,
) -> PyResult<Found<'py>> {
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = SpectralClustering::params((), clusters).restarts(starts.saturating_sub(1));
        Ok(Made::Spectral(machine.seed(seed).options(options).check()?.fit_gram(gram)?))
    })
}

/// Functions of two views, and the correlations of each pair.
type Views<'py> = (Found<'py>, Found<'py>, Vec<f64>);

/// What two views have in common.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_views<'py>(
    py: Python<'py>,
    first: Rows<'_>,
    second: Rows<'_>,
    kernels: (Option<String>, Option<String>),
    components: usize,
    regularisation: f64,
    rank: usize,
    means: Means,
) -> PyResult<Views<'py>> {
    // Kernel values of both are computed first: items of two kinds cannot be lent to one function by name.
    let a = whole(py, &first, kernels.0.as_deref(), &means)?.1;
    let b = whole(py, &second, kernels.1.as_deref(), &means)?.1;
    let mut fit = watched(py, None, |_, interrupt| {
        let (n, m) = (a.rows(), b.rows());
        let grams = (PrecomputedGram::symmetric(a.values(), n)?, PrecomputedGram::symmetric(b.values(), m)?);
        let machine = KernelCca::params().components(components).regularisation(regularisation).rank(rank);
        machine.options(means.options(interrupt)).check()?.fit_grams(&[&grams.0, &grams.1])
    })?;
    let other = fit.views.pop().ok_or_else(|| raised(Error::Empty { what: "views" }))?;
    let one = fit.views.pop().ok_or_else(|| raised(Error::Empty { what: "views" }))?;
    let one = fitted(py, &first, kernels.0.as_deref(), &means, |_, _| Ok(Made::View(one)))?;
    let other = fitted(py, &second, kernels.1.as_deref(), &means, |_, _| Ok(Made::View(other)))?;
    Ok((one, other, fit.correlations))
}

/// All of a kernel matrix.
fn whole(
    py: Python<'_>,
    rows: &Rows<'_>,
    kernel: Option<&str>,
    means: &Means,
) -> PyResult<(Option<String>, Matrix)> {
    on_gram(py, rows, kernel, means, |gram, options| {
        let n = gram.shape().0;
        let needed = 8 * (n as u64) * (n as u64);
        if needed > options.memory {
            return Err(Error::Budget {
                what: "the kernel values of a view",
                needed,
                allowed: options.memory,
                instead: "allow more memory, or learn from fewer rows",
            });
        }
        mercer::gram::whole(gram)
    })
}

/// A sphere cut by a slab. Kernel values do not do: those of new items with themselves are needed.
#[pyfunction]
pub fn fit_slab(
    py: Python<'_>,
    rows: Rows<'_>,
    kernel: &str,
    components: usize,
    outside: f64,
    means: Means,
) -> PyResult<Machine> {
    let threads = means.threads();
    match rows.structures() {
        Some(items) => {
            let kernel: StructureKernel = kernel.parse().map_err(raised)?;
            let model = watched(py, None, |_, interrupt| {
                let machine = SphereAndSlab::params(kernel).components(components).outside(outside);
                machine.options(means.options(interrupt)).check()?.fit(items)
            })?;
            Ok(Machine::of_structures(MatrixModel::Slab(model.with_threads(threads)), items))
        }
        None => {
            let kernel: Expression = kernel.parse().map_err(raised)?;
            let given = rows.vectors()?.map_err(raised)?;
            let model = watched(py, None, |_, interrupt| {
                let machine = SphereAndSlab::params(kernel).components(components).outside(outside);
                machine.options(means.options(interrupt)).check()?.fit(&given)
            })?;
            Ok(Machine::of_rows(MatrixModel::Slab(model.with_threads(threads)), &given))
        }
    }
}

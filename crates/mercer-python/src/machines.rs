//! Machines that learn from the kernel matrix alone: rows of numbers, structured items or kernel values.

use std::collections::HashMap;

use mercer::Result;
use mercer::data::Labels;
use mercer::gram::{CollectionKernel, PrecomputedGram, SymmetricGram};
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, Functions, KernelCca, KernelKMeans, KernelPcaFit, KernelPls,
    OrdinalSvm, RankSvm, RelevanceMachine, Ridge, RidgeFit, RidgeMethod, RidgeReport, SpectralClustering,
    SphereAndSlab,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::grams::{Found, fitted, fitted_weighted, modelled, of_values, whole};
use crate::made::Made;
use crate::matrix::{Means, matrix};
use crate::rows::Rows;
use crate::saved::Machine;
use crate::watch::watched;

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
    match kernel {
        Some(text) => {
            let kernel: CollectionKernel = text.parse().map_err(raised)?;
            let items = rows.items()?;
            let (_, model) = watched(py, None, |_, interrupt| {
                modelled(&kernel, (&items, None), &means.options(interrupt), |_, _| Ok(made))
            })?;
            Ok(Machine::new(model, &items, 0))
        }
        None => Ok(Machine::of_kernel_values(of_values(made, n).map_err(raised)?.1, n, 0)),
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
#[allow(clippy::too_many_arguments)]
pub fn fit_least_squares<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    signs: PyReadonlyArray2<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    classes: Vec<String>,
    kernel: Option<&str>,
    cost: f64,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = matrix(&signs)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    fitted_weighted(py, &rows, weights, kernel, &means, |gram, options| {
        let machine = Ridge::params(()).lambda(1.0 / cost).offset(true).options(options).check()?;
        Ok(Made::LeastSquares(machine.fit_gram(gram, &targets, weights)?, classes))
    })
}

/// The kernel Fisher discriminant.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_fisher<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, i64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    classes: Vec<String>,
    kernel: Option<&str>,
    regularisation: f64,
    rank: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let labels = labels(&codes, classes)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    fitted_weighted(py, &rows, weights, kernel, &means, |gram, options| {
        let machine = FisherDiscriminant::params(()).regularisation(regularisation).rank(rank);
        let (ratios, centres, view) = machine.options(options).check()?.fit_gram(gram, &labels, weights)?;
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
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: Option<&str>,
    cost: f64,
    tolerance: f64,
    max_steps: usize,
    rank: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = targets.as_slice()?;
    let queries = queries.as_ref().map(|queries| queries.as_slice()).transpose()?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    fitted_weighted(py, &rows, weights, kernel, &means, |gram, options| {
        let machine = RankSvm::params(()).cost(cost).tolerance(tolerance).max_steps(max_steps).rank(rank);
        let (positions, functions, report) =
            machine.options(options).check()?.fit_gram(gram, targets, queries, weights)?;
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
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: Option<&str>,
    cost: f64,
    tolerance: f64,
    max_steps: usize,
    rank: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let levels = levels.as_slice()?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    fitted_weighted(py, &rows, weights, kernel, &means, |gram, options| {
        let machine = OrdinalSvm::params(()).cost(cost).tolerance(tolerance).max_steps(max_steps).rank(rank);
        let (positions, functions, report) =
            machine.options(options).check()?.fit_gram(gram, levels, weights)?;
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
    weights: Option<PyReadonlyArray1<'_, f64>>,
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
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    fitted_weighted(py, &rows, weights, kernel, &means, |gram, options| {
        let machine = RelevanceMachine::params(()).offset(offset).tolerance(tolerance).max_steps(max_steps);
        let machine = rank.into_iter().fold(machine, |machine, rank| machine.rank(rank));
        let machine = machine.options(options).check()?;
        let (functions, report) = match &labels {
            Some(labels) => machine.fit_gram_classes(gram, labels, weights)?,
            None => machine.fit_gram(gram, targets, weights)?,
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
    weights: Option<PyReadonlyArray1<'_, f64>>,
    kernel: Option<&str>,
    clusters: usize,
    starts: usize,
    max_rounds: usize,
    seed: u64,
    means: Means,
) -> PyResult<Found<'py>> {
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    fitted_weighted(py, &rows, weights, kernel, &means, |gram, options| {
        let machine = KernelKMeans::params((), clusters).restarts(starts.saturating_sub(1));
        let machine = machine.max_rounds(max_rounds).seed(seed).options(options).check()?;
        Ok(Made::KMeans(machine.fit_gram(gram, weights)?))
    })
}

/// Spectral clusters.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_spectral<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    kernel: Option<&str>,
    clusters: usize,
    components: usize,
    starts: usize,
    seed: u64,
    means: Means,
) -> PyResult<Found<'py>> {
    fitted(py, &rows, kernel, &means, |gram, options| {
        let machine = SpectralClustering::params((), clusters).components(components);
        let machine = machine.restarts(starts.saturating_sub(1));
        Ok(Made::Spectral(machine.seed(seed).options(options).check()?.fit_gram(gram)?))
    })
}

/// Functions of each view, and the correlation of each component.
type Views<'py> = (Vec<Found<'py>>, Vec<f64>);

/// What two or more views have in common.
#[pyfunction]
pub fn fit_views<'py>(
    py: Python<'py>,
    views: Vec<(Rows<'_>, Option<String>)>,
    components: usize,
    regularisation: f64,
    rank: usize,
    means: Means,
) -> PyResult<Views<'py>> {
    // Kernel values of all are computed first: items of several kinds cannot be lent to one function by name.
    let values = views
        .iter()
        .map(|(rows, kernel)| Ok(whole(py, rows, kernel.as_deref(), &means)?.1))
        .collect::<PyResult<Vec<Matrix>>>()?;
    let fit = watched(py, None, |_, interrupt| {
        let grams = values
            .iter()
            .map(|values| PrecomputedGram::symmetric(values.values(), values.rows()))
            .collect::<Result<Vec<_>>>()?;
        let lent: Vec<&dyn SymmetricGram> = grams.iter().map(|gram| gram as &dyn SymmetricGram).collect();
        let machine = KernelCca::params().components(components).regularisation(regularisation).rank(rank);
        machine.options(means.options(interrupt)).check()?.fit_grams(&lent)
    })?;
    let found = views
        .iter()
        .zip(fit.views)
        .map(|((rows, kernel), view)| {
            fitted(py, rows, kernel.as_deref(), &means, |_, _| Ok(Made::View(view)))
        })
        .collect::<PyResult<_>>()?;
    Ok((found, fit.correlations))
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
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let items = rows.items()?;
    let model = watched(py, None, |_, interrupt| {
        let machine = SphereAndSlab::params(kernel).components(components).outside(outside);
        machine.options(means.options(interrupt)).check()?.fit(&*items)
    })?;
    Ok(Machine::new(model, &items, means.threads()))
}

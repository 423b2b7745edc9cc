//! Machines that learn from the kernel matrix alone: rows of numbers, structured items or kernel values.
//!
//! All of them find functions Σ βᵢ k(xᵢ, x) + b, of which Python keeps the coefficients; `expand` makes values of them.

use std::collections::HashMap;
use std::sync::Arc;

use mercer::Result;
use mercer::data::{Items, Labels, Vectors};
use mercer::gram::{BulkKernel, Plan, Precision, PrecomputedGram, StructureKernel, SymmetricGram};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, Functions, KernelCca, KernelKMeans, KernelPls, MatrixOptions,
    RankSvm, RbfNetwork, RbfNetworkModel, RelevanceMachine, RelevanceReport, Ridge, SpectralClustering,
};
use mercer::resources::{Interrupt, Workers};
use numpy::{PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::matrix::{Means, array, matrix};
use crate::rows::Rows;
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
}

/// The same before Python sees it.
struct Learned {
    positions: Vec<usize>,
    functions: Functions,
    told: Vec<(&'static str, Vec<f64>)>,
}

impl Learned {
    fn found(self, py: Python<'_>, kernel: Option<String>) -> PyResult<Found<'_>> {
        let Learned { positions, functions, told } = self;
        let (n, m) = (positions.len(), functions.outputs());
        let coefficients = array(py, functions.coefficients, n, m)?;
        Ok(Found {
            kernel,
            positions,
            coefficients,
            offsets: functions.offsets,
            told: told.into_iter().collect(),
        })
    }
}

fn flag(value: bool) -> Vec<f64> {
    vec![f64::from(u8::from(value))]
}

fn numbers(values: &[usize]) -> Vec<f64> {
    values.iter().map(|&value| value as f64).collect()
}

/// What `train` makes of the Gram matrix of a kernel on items; an item of weight w counts as w items in what the kernel waits for.
fn of_kernel<K, I, T>(
    kernel: &K,
    (items, weights, holds): (&I, Option<&[f64]>, bool),
    options: &MatrixOptions,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<T>,
) -> Result<(K, T)>
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
    let kernel = kernel.resolve(items, weights)?;
    let layout = kernel.layout(items, &plan)?;
    let made = train(&*kernel.symmetric(items, &layout, &plan)?, options.clone())?;
    Ok((kernel, made))
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
                Ok(of_kernel(&kernel, (items, weights, holds), &options(interrupt), train)?.1)
            })?;
            Ok((Some(text.to_string()), made))
        }
        (Some(text), None) => {
            let kernel: Expression = text.parse().map_err(raised)?;
            let given = rows.vectors()?.map_err(raised)?;
            let (kernel, made) = watched(py, None, |_, interrupt| {
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

/// Labels of classes 0, 1, …
fn labels(codes: &PyReadonlyArray1<'_, i64>, classes: usize) -> PyResult<Labels> {
    let codes = codes.as_slice()?.iter().map(|&code| u32::try_from(code).unwrap_or(u32::MAX)).collect();
    Labels::from_codes((0..classes).map(|class| class.to_string()).collect(), codes).map_err(raised)
}

/// Ridge regression on signs with an offset: the least-squares support vector machine.
#[pyfunction]
pub fn fit_least_squares<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    signs: PyReadonlyArray2<'_, f64>,
    kernel: Option<&str>,
    cost: f64,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = matrix(&signs)?;
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = Ridge::params(()).lambda(1.0 / cost).offset(true).options(options).check()?;
        let fit = machine.fit_gram(gram, &targets, None)?;
        let told = vec![("jitter", vec![fit.report.jitter]), ("converged", flag(fit.report.converged))];
        Ok(Learned { positions: (0..targets.rows()).collect(), functions: fit.functions, told })
    })?;
    learned.found(py, formula)
}

/// The kernel Fisher discriminant.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_fisher<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, i64>,
    classes: usize,
    kernel: Option<&str>,
    regularisation: f64,
    rank: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let labels = labels(&codes, classes)?;
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = FisherDiscriminant::params(()).regularisation(regularisation).rank(rank);
        let (ratios, centres, view) = machine.options(options).check()?.fit_gram(gram, &labels)?;
        let told = vec![("ratios", ratios), ("means", centres.values().to_vec())];
        Ok(Learned { positions: view.pivots, functions: view.functions, told })
    })?;
    learned.found(py, formula)
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
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = KernelPls::params(()).components(components).options(options).check()?;
        let (functions, report) = machine.fit_gram(gram, &targets)?;
        let told = vec![("explained", report.explained)];
        Ok(Learned { positions: (0..targets.rows()).collect(), functions, told })
    })?;
    learned.found(py, formula)
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
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = RankSvm::params(()).cost(cost).tolerance(tolerance).max_steps(max_steps).rank(rank);
        let (positions, functions, report) =
            machine.options(options).check()?.fit_gram(gram, targets, queries)?;
        let told = vec![
            ("pairs", vec![report.pairs as f64]),
            ("swapped", vec![report.swapped as f64]),
            ("gap", vec![report.gap / report.objective.abs().max(f64::MIN_POSITIVE)]),
            ("steps", vec![report.steps as f64]),
            ("converged", flag(report.converged)),
        ];
        Ok(Learned { positions, functions, told })
    })?;
    learned.found(py, formula)
}

/// The relevance vector machine: of numbers, or of classes where their number is told.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_relevance<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    classes: Option<usize>,
    kernel: Option<&str>,
    offset: bool,
    tolerance: f64,
    max_steps: usize,
    means: Means,
) -> PyResult<Found<'py>> {
    let targets = targets.as_slice()?;
    let labels = classes
        .map(|count| {
            let names = (0..count).map(|class| class.to_string()).collect();
            Labels::from_codes(names, targets.iter().map(|&code| code as u32).collect())
        })
        .transpose()
        .map_err(raised)?;
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = RelevanceMachine::params(()).offset(offset).tolerance(tolerance).max_steps(max_steps);
        let machine = machine.options(options).check()?;
        let (functions, report) = match &labels {
            Some(labels) => machine.fit_gram_classes(gram, labels)?,
            None => machine.fit_gram(gram, targets)?,
        };
        let RelevanceReport { relevant, likelihoods, noise, covariance, steps, converged, .. } = report;
        let told = vec![
            ("likelihoods", likelihoods),
            ("noise", vec![noise]),
            ("covariance", covariance),
            ("steps", vec![steps as f64]),
            ("converged", flag(converged)),
        ];
        Ok(Learned { positions: relevant, functions, told })
    })?;
    learned.found(py, formula)
}

/// The Bayes point machine.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_bayes_point<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, i64>,
    classes: usize,
    kernel: Option<&str>,
    perceptrons: usize,
    softness: f64,
    max_rounds: usize,
    seed: u64,
    means: Means,
) -> PyResult<Found<'py>> {
    let labels = labels(&codes, classes)?;
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = BayesPointMachine::params(()).perceptrons(perceptrons).softness(softness);
        let machine = machine.max_rounds(max_rounds).seed(seed).options(options).check()?;
        let (functions, report) = machine.fit_gram(gram, &labels)?;
        let told =
            vec![("consistent", vec![report.consistent as f64]), ("agreement", vec![report.agreement])];
        Ok(Learned { positions: (0..labels.len()).collect(), functions, told })
    })?;
    learned.found(py, formula)
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
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = KernelKMeans::params((), clusters).restarts(starts.saturating_sub(1));
        let fit = machine.max_rounds(max_rounds).seed(seed).options(options).check()?.fit_gram(gram)?;
        let told = vec![
            ("clusters", numbers(&fit.clusters)),
            ("inertia", vec![fit.inertia]),
            ("rounds", vec![fit.rounds as f64]),
            ("converged", flag(fit.converged)),
        ];
        Ok(Learned { positions: (0..fit.clusters.len()).collect(), functions: fit.functions, told })
    })?;
    learned.found(py, formula)
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
    let (formula, learned) = on_gram(py, &rows, kernel, &means, |gram, options| {
        let machine = SpectralClustering::params((), clusters).restarts(starts.saturating_sub(1));
        let fit = machine.seed(seed).options(options).check()?.fit_gram(gram)?;
        let told = vec![
            ("clusters", numbers(&fit.k_means.clusters)),
            ("values", fit.values),
            ("centres", fit.centres.values().to_vec()),
        ];
        let positions = (0..fit.k_means.clusters.len()).collect();
        Ok(Learned { positions, functions: fit.functions, told })
    })?;
    learned.found(py, formula)
}

/// What two views have in common: functions of each, and what was told with the first.
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
) -> PyResult<(Found<'py>, Found<'py>)> {
    // Kernel values of both are computed first: items of two kinds cannot be lent to one function by name.
    let one = whole(py, &first, kernels.0.as_deref(), &means)?;
    let other = whole(py, &second, kernels.1.as_deref(), &means)?;
    let (a, b) = (one.1, other.1);
    let fit = watched(py, None, |_, interrupt| {
        let (n, m) = (a.rows(), b.rows());
        let grams = (PrecomputedGram::symmetric(a.values(), n)?, PrecomputedGram::symmetric(b.values(), m)?);
        let machine = KernelCca::params().components(components).regularisation(regularisation).rank(rank);
        machine.options(means.options(interrupt)).check()?.fit_grams(&[&grams.0, &grams.1])
    })?;
    let learned = |view: &mercer::machine::View| Learned {
        positions: view.pivots.clone(),
        functions: view.functions.clone(),
        told: vec![("correlations", fit.correlations.clone()), ("left_out", vec![view.left_out])],
    };
    let (first, second) = (learned(&fit.views[0]), learned(&fit.views[1]));
    Ok((first.found(py, one.0)?, second.found(py, other.0)?))
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
            return Err(mercer::Error::Budget {
                what: "the kernel values of a view",
                needed,
                allowed: options.memory,
                instead: "allow more memory, or learn from fewer rows",
            });
        }
        let mut values = Matrix::zeros(n, n);
        let all: Vec<usize> = (0..n).collect();
        let block = mercer::gram::Block::F64 { values: values.values_mut(), stride: n };
        gram.fill(&all, mercer::gram::Columns::Range(0..n), block)?;
        Ok(values)
    })
}

/// Middles, widths and weights of a network.
type Network<'py> = (Bound<'py, PyArray2<f64>>, Vec<f64>, Bound<'py, PyArray2<f64>>);

/// Trains a network of radial basis functions.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn fit_network<'py>(
    py: Python<'py>,
    rows: Rows<'_>,
    targets: PyReadonlyArray2<'_, f64>,
    units: usize,
    penalty: f64,
    starts: usize,
    seed: u64,
    means: Means,
) -> PyResult<Network<'py>> {
    let targets = matrix(&targets)?;
    let given: Vectors<'_> = rows.vectors()?.map_err(raised)?;
    let model = watched(py, None, |_, interrupt| {
        let params = RbfNetwork::params(units).lambda(penalty).restarts(starts.saturating_sub(1)).seed(seed);
        params.options(means.options(interrupt)).check()?.fit(&given, &targets)
    })?;
    let RbfNetworkModel { centres, widths, weights, .. } = model;
    let turn = |m: Matrix| array(py, m.values().to_vec(), m.rows(), m.columns());
    Ok((turn(centres)?, widths, turn(weights)?))
}

/// What a network says about rows: one column per output.
#[pyfunction]
pub fn network_values<'py>(
    py: Python<'py>,
    centres: PyReadonlyArray2<'_, f64>,
    widths: Vec<f64>,
    weights: PyReadonlyArray2<'_, f64>,
    rows: Rows<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let model = RbfNetworkModel {
        classes: Vec::new(),
        centres: matrix(&centres)?,
        widths,
        weights: matrix(&weights)?,
    };
    let given = rows.vectors()?.map_err(raised)?;
    let values = watched(py, None, |_, _| model.predict(&given))?;
    array(py, values, given.len(), model.weights.rows())
}

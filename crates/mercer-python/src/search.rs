//! Many settings of a machine on the same folds.

use mercer::data::{Examples, Items, Labels, Split, TargetList};
use mercer::evaluation::search::{
    ByCriterion, Candidate, Cell, Criterion, Grid, Search, Watch, usual_costs, usual_shares,
};
use mercer::evaluation::{Metric, PerClass, Regression as Regressor};
use mercer::gram::{BulkKernel, CollectionKernel, Pairwise};
use mercer::kernel::Kernel;
use mercer::machine::{ClassWeights, Decision, JointSvc};
use mercer::{Error, Result};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::classifier::Classifier;
use crate::errors::raised;
use crate::machines::numbered;
use crate::options::Options;
use crate::regression::Regression;
use crate::rows::Rows;
use crate::watch::watched;

/// What is tried, and where.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted<'py> {
    /// None if the rows are kernel values.
    kernels: Vec<String>,
    costs: Vec<f64>,
    /// Rows to learn from and rows to be tested.
    splits: Vec<(PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>)>,
    /// The first decides.
    metrics: Vec<String>,
    exhaustive: bool,
    /// Whether of classes with equal votes the first is predicted.
    ties_in_order: bool,
    /// Each fold by itself: what kernels learn is learned from its own rows, and no first look has a wider tolerance.
    per_fold: bool,
    halving: bool,
}

/// A cell: its kernel by its place, its cost, for each metric the value of each fold that it was tried in, the seconds that its
/// trainings took, "given up", "screened" or "exact", and how many trainings had not converged.
type Tried = (usize, Option<f64>, Vec<Vec<f64>>, f64, String, usize);

/// What is asked of items and kernels: kernel values that are looked up where there are no formulas.
macro_rules! on_items {
    ($py:expr, $rows:expr, $formulas:expr, $items:ident, $kernels:ident => $asked:expr) => {
        match $formulas.is_empty() {
            true => {
                let (values, n) = $rows.square()?;
                let $items = &places(n);
                let $kernels = vec![known(&values, n)?];
                $asked
            }
            false => {
                let $items = &*$rows.owned_items($py)?;
                let $kernels = parsed(&$formulas)?;
                $asked
            }
        }
    };
}

/// Tries a classifier with every kernel and every cost. `factors` are those of the classes.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn search_classifier(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    classes: Vec<String>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    factors: Vec<f64>,
    machine: Classifier,
    options: Options,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Tried>> {
    let factors = ClassWeights::Given(classes.iter().cloned().zip(factors).collect());
    let labels = Labels::from_codes(classes, codes.as_slice()?.to_vec()).map_err(raised)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let asked = Asked { machine: &machine, options: &options, factors, labels: &labels, weights };
    on_items!(py, rows, wanted.kernels, items, kernels => asked.try_all(py, &wanted.task(items, kernels)?))
}

/// Costs to try with a kernel, or with kernel values, for classes, from how noisy they are.
#[pyfunction]
#[pyo3(signature = (kernel, rows, codes, weights, options))]
pub fn costs_for_classes(
    py: Python<'_>,
    kernel: Option<&str>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    options: Options,
) -> PyResult<Vec<f64>> {
    let codes = codes.as_slice()?.to_vec();
    let classes = codes.iter().max().map_or(1, |&code| code as usize + 1);
    let labels = numbered(codes, classes)?;
    costs_for(py, kernel, rows, &labels, weights, &options)
}

/// Shares ν to try for classes, as far as these allow them.
#[pyfunction]
pub fn shares_for_classes(codes: PyReadonlyArray1<'_, u32>) -> PyResult<Vec<f64>> {
    let codes = codes.as_slice()?.to_vec();
    let classes = codes.iter().max().map_or(1, |&code| code as usize + 1);
    Ok(usual_shares(&numbered(codes, classes)?))
}

/// Costs to try with a kernel, or with kernel values, for numbers, in units of their standard deviation, from how noisy they are.
#[pyfunction]
#[pyo3(signature = (kernel, rows, targets, weights, options))]
pub fn costs_for_numbers(
    py: Python<'_>,
    kernel: Option<&str>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    options: Options,
) -> PyResult<Vec<f64>> {
    costs_for(py, kernel, rows, &targets.as_slice()?.to_vec(), weights, &options)
}

fn costs_for<Y: TargetList>(
    py: Python<'_>,
    kernel: Option<&str>,
    rows: Rows<'_>,
    targets: &Y,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    options: &Options,
) -> PyResult<Vec<f64>> {
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let Some(kernel) = kernel else {
        let (values, n) = rows.square()?;
        let places = places(n);
        let examples = Examples { weights, ..Examples::new(&places, targets) };
        return costs_of(py, vec![known(&values, n)?], examples, options);
    };
    let items = rows.items()?;
    let examples = Examples { weights, ..Examples::new(&*items, targets) };
    costs_of(py, parsed(&[kernel.to_string()])?, examples, options)
}

fn costs_of<K, I, Y>(
    py: Python<'_>,
    kernel: Vec<K>,
    examples: Examples<'_, I, Y>,
    options: &Options,
) -> PyResult<Vec<f64>>
where
    I: Items,
    K: BulkKernel<I::Owned>,
    Y: TargetList,
{
    let options = options.fit_options().map_err(raised)?;
    watched(py, None, |_, _| usual_costs(&kernel, examples, 0, &options.plan(examples.items.len())?))
}

/// Which of some settings, by their scores in the same folds, cannot be the best any more.
#[pyfunction]
pub fn hopeless(scores: Vec<Vec<f64>>) -> Vec<bool> {
    mercer::evaluation::search::hopeless(&scores)
}

/// A classifier, and what it is to learn.
struct Asked<'a> {
    machine: &'a Classifier,
    options: &'a Options,
    factors: ClassWeights,
    labels: &'a Labels,
    weights: Option<&'a [f64]>,
}

impl Asked<'_> {
    fn try_all<K, I>(&self, py: Python<'_>, task: &Task<'_, K, I>) -> PyResult<Vec<Tried>>
    where
        K: BulkKernel<I>,
        I: Items<Owned = I> + Send,
    {
        let (machine, labels, weights) = (self.machine, self.labels, self.weights);
        let options = self.options.fit_options().map_err(raised)?;
        let kernel = task.grid.kernels[0].clone();
        let params = machine.params(kernel.clone()).class_weights(self.factors.clone());
        let params = params.options(options.clone());
        let params = match task.ties_in_order && machine.is_voted() {
            true => params.decision(Decision::FirstVotes),
            false => params,
        };
        match (machine.joint(), machine.is_one_against_rest()) {
            (Some(joint), _) => {
                if machine.has_slack_of_its_own() {
                    let what = format!("{} has the hinge loss only", machine.name());
                    return Err(raised(Error::Unsupported { what }));
                }
                let params = JointSvc::params(kernel).machine(joint).class_weights(self.factors.clone());
                task.run(py, &PerClass::Joint(params.options(options)), labels, weights)
            }
            (None, true) => task.run(py, &PerClass::Rest(params), labels, weights),
            (None, false) => task.run(py, &params, labels, weights),
        }
    }

    fn judge_all<K, I>(
        &self,
        py: Python<'_>,
        judged: &Judged,
        items: &I,
        kernels: Vec<K>,
    ) -> PyResult<Vec<Tried>>
    where
        K: BulkKernel<I>,
        I: Items + Send,
    {
        let params = self.machine.params(kernels[0].clone()).class_weights(self.factors.clone());
        let params = params.options(self.options.fit_options().map_err(raised)?);
        let costs = if params.has_cost() { judged.costs.clone() } else { Vec::new() };
        let against_rest = self.machine.is_one_against_rest();
        let search = ByCriterion { against_rest, ..judged.search()? };
        watched(py, None, |_, interrupt| {
            let examples = Examples { weights: self.weights, ..Examples::new(items, self.labels) };
            let watch = Watch { cancelled: &|| interrupt.is_raised(), seen: &|_| () };
            let table = search.search(&params, &Grid { kernels, costs }, examples, watch)?;
            Ok(table.cells.into_iter().map(tried).collect())
        })
    }
}

/// What is compared by a criterion.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Judged {
    /// None if the rows are kernel values.
    kernels: Vec<String>,
    /// Of no concern to a machine with a share ν.
    costs: Vec<f64>,
    criterion: String,
    /// From how many settings the best is taken, in all.
    choices: usize,
}

impl Judged {
    fn search(&self) -> PyResult<ByCriterion> {
        let criterion: Criterion = self.criterion.parse().map_err(raised)?;
        Ok(ByCriterion { choices: Some(self.choices), ..ByCriterion::new(criterion) })
    }
}

/// Compares a classifier with every kernel and every cost by what its own rows tell; one value for each setting.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn search_by_criterion(
    py: Python<'_>,
    rows: Rows<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    classes: Vec<String>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    factors: Vec<f64>,
    machine: Classifier,
    options: Options,
    judged: Judged,
) -> PyResult<Vec<Tried>> {
    if machine.joint().is_some() {
        let what = format!(
            "a criterion is about machines of two classes each, and {} learns all at once: take multi_class=\"ovo\" or \"ovr\"",
            machine.name()
        );
        return Err(raised(Error::Unsupported { what }));
    }
    let factors = ClassWeights::Given(classes.iter().cloned().zip(factors).collect());
    let labels = Labels::from_codes(classes, codes.as_slice()?.to_vec()).map_err(raised)?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let asked = Asked { machine: &machine, options: &options, factors, labels: &labels, weights };
    on_items!(py, rows, judged.kernels, items, kernels => asked.judge_all(py, &judged, items, kernels))
}

/// Compares a regression with every kernel and every cost by what its own rows tell; one value for each setting.
#[pyfunction]
pub fn judge_regression(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    machine: Regression,
    options: Options,
    judged: Judged,
) -> PyResult<Vec<Tried>> {
    let targets = targets.as_slice()?.to_vec();
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let asked = AskedNumbers { machine: &machine, options: &options, targets: &targets, weights };
    on_items!(py, rows, judged.kernels, items, kernels => asked.judge_all(py, &judged, items, kernels))
}

/// A regression, and what it is to learn.
struct AskedNumbers<'a> {
    machine: &'a Regression,
    options: &'a Options,
    targets: &'a Vec<f64>,
    weights: Option<&'a [f64]>,
}

impl AskedNumbers<'_> {
    fn try_all<K, I>(&self, py: Python<'_>, task: &Task<'_, K, I>) -> PyResult<Vec<Tried>>
    where
        K: BulkKernel<I>,
        I: Items<Owned = I> + Send,
    {
        let options = self.options.fit_options().map_err(raised)?;
        let machine = self.machine.params(task.grid.kernels[0].clone()).options(options);
        task.run(py, &Regressor { machine, loss_in_spreads: false }, self.targets, self.weights)
    }

    fn judge_all<K, I>(
        &self,
        py: Python<'_>,
        judged: &Judged,
        items: &I,
        kernels: Vec<K>,
    ) -> PyResult<Vec<Tried>>
    where
        K: BulkKernel<I>,
        I: Items + Send,
    {
        let search = judged.search()?;
        let options = self.options.fit_options().map_err(raised)?;
        let params = self.machine.params(kernels[0].clone()).options(options);
        let grid = Grid { kernels, costs: judged.costs.clone() };
        watched(py, None, |_, interrupt| {
            let examples = Examples { weights: self.weights, ..Examples::new(items, self.targets) };
            let watch = Watch { cancelled: &|| interrupt.is_raised(), seen: &|_| () };
            let table = search.search_numbers(&params, &grid, examples, watch)?;
            Ok(table.cells.into_iter().map(tried).collect())
        })
    }
}

/// Items that are known by their places.
fn places(n: usize) -> Vec<usize> {
    (0..n).collect()
}

/// Kernel values of all pairs of items, to be looked up by their places.
#[derive(Clone)]
struct Known<'a> {
    values: &'a [f64],
    columns: usize,
}

impl Kernel<usize> for Known<'_> {
    fn eval(&self, row: &usize, column: &usize) -> f64 {
        self.values[row * self.columns + column]
    }
}

/// The values as a kernel of which nothing is known.
fn known(values: &[f64], n: usize) -> PyResult<Pairwise<Known<'_>, usize>> {
    if values.len() != n * n {
        let (what, found) = ("columns of kernel values", values.len() / n.max(1));
        return Err(raised(Error::Shape { what, expected: n, found }));
    }
    Ok(Pairwise::new(Known { values, columns: n }))
}

/// Tries a regression with every kernel and every cost.
#[pyfunction]
pub fn search_regression(
    py: Python<'_>,
    rows: Rows<'_>,
    targets: PyReadonlyArray1<'_, f64>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    machine: Regression,
    options: Options,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Tried>> {
    let targets = targets.as_slice()?.to_vec();
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let asked = AskedNumbers { machine: &machine, options: &options, targets: &targets, weights };
    on_items!(py, rows, wanted.kernels, items, kernels => asked.try_all(py, &wanted.task(items, kernels)?))
}

/// What was wanted, as the library takes it.
struct Task<'a, K, I> {
    items: &'a I,
    grid: Grid<K>,
    splits: Vec<Split>,
    search: Search,
    ties_in_order: bool,
    per_fold: bool,
}

/// Kernels by their formulas, at least one.
fn parsed(formulas: &[String]) -> PyResult<Vec<CollectionKernel>> {
    let kernels = formulas.iter().map(|formula| formula.parse());
    match kernels.collect::<Result<Vec<_>>>().map_err(raised)? {
        none if none.is_empty() => Err(raised(Error::Empty { what: "kernels to try" })),
        kernels => Ok(kernels),
    }
}

fn tried(cell: Cell) -> Tried {
    (cell.kernel, cell.cost, cell.values, cell.seconds, cell.look.to_string(), cell.unfinished)
}

impl Wanted<'_> {
    fn task<'a, K, I: Items>(&self, items: &'a I, kernels: Vec<K>) -> PyResult<Task<'a, K, I>> {
        let n = items.len();
        let positions = |rows: &PyReadonlyArray1<'_, i64>| -> PyResult<Vec<usize>> {
            let place = |&row: &i64| usize::try_from(row).ok().filter(|&row| row < n);
            let places: Option<Vec<usize>> = rows.as_slice()?.iter().map(place).collect();
            let what = "a split has a row that is not there".to_string();
            places.ok_or_else(|| raised(Error::Unsupported { what }))
        };
        let split = |(train, test): &(_, _)| -> PyResult<Split> {
            Ok(Split { train: positions(train)?, test: positions(test)? })
        };
        let splits = self.splits.iter().map(split).collect::<PyResult<Vec<_>>>()?;
        let metrics = self.metrics.iter().map(|name| name.parse::<Metric>());
        let metrics = metrics.collect::<Result<Vec<_>>>().map_err(raised)?;
        Ok(Task {
            items,
            grid: Grid { kernels, costs: self.costs.clone() },
            splits,
            search: Search { exhaustive: self.exhaustive, halving: self.halving, ..Search::new(metrics) },
            ties_in_order: self.ties_in_order,
            per_fold: self.per_fold,
        })
    }
}

impl<K: BulkKernel<I>, I: Items<Owned = I> + Send> Task<'_, K, I> {
    fn run<M>(
        &self,
        py: Python<'_>,
        machine: &M,
        targets: &M::Targets,
        weights: Option<&[f64]>,
    ) -> PyResult<Vec<Tried>>
    where
        M: Candidate<Kernel = K>,
        M::Targets: Sync,
    {
        watched(py, None, |_, interrupt| {
            let examples = Examples { weights, ..Examples::new(self.items, targets) };
            let watch = Watch { cancelled: &|| interrupt.is_raised(), seen: &|_| () };
            let (search, grid, splits) = (&self.search, &self.grid, &self.splits);
            let table = match self.per_fold {
                true => search.learned_per_fold(machine, grid, examples, splits, watch)?,
                false => search.cross_validate(machine, grid, examples, splits, watch)?,
            };
            Ok(table.cells.into_iter().map(tried).collect())
        })
    }
}

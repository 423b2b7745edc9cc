//! Many settings of a machine on the same folds.

use mercer::data::{Examples, Items, Labels, Split, Vectors};
use mercer::evaluation::search::{Candidate, Grid, Search, Watch};
use mercer::evaluation::{Metric, PerClass, Regression as Regressor};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, JointSvc};
use mercer::{Error, Result};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::classifier::Classifier;
use crate::errors::raised;
use crate::options::Options;
use crate::regression::Regression;
use crate::rows::Rows;
use crate::watch::watched;

/// What is tried, and where.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted<'py> {
    kernels: Vec<String>,
    costs: Vec<f64>,
    /// Rows to learn from and rows to be tested.
    splits: Vec<(PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>)>,
    /// The first decides.
    metrics: Vec<String>,
    exhaustive: bool,
    halving: bool,
}

/// A cell: its kernel by its place, its cost, for each metric the value of each fold that it was tried in, the seconds that its
/// trainings took, and "given up", "screened" or "exact".
type Tried = (usize, Option<f64>, Vec<Vec<f64>>, f64, String);

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
    let task = wanted.task(rows)?;
    let params = machine.params(task.grid.kernels[0].clone()).class_weights(factors.clone());
    let params = params.options(options.fit_options().map_err(raised)?);
    match (machine.joint(), machine.is_one_against_rest()) {
        (Some(joint), _) => {
            if machine.has_slack_of_its_own() {
                let what = format!("{} has the hinge loss only", machine.name());
                return Err(raised(Error::Unsupported { what }));
            }
            let kernel = task.grid.kernels[0].clone();
            let options = options.fit_options().map_err(raised)?;
            let params = JointSvc::params(kernel).machine(joint).class_weights(factors).options(options);
            task.run(py, &PerClass::Joint(params), &labels, weights)
        }
        (None, true) => task.run(py, &PerClass::Rest(params), &labels, weights),
        (None, false) => task.run(py, &params, &labels, weights),
    }
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
    let task = wanted.task(rows)?;
    let params = machine.params(task.grid.kernels[0].clone());
    let machine = params.options(options.fit_options().map_err(raised)?);
    task.run(py, &Regressor { machine, loss_in_spreads: false }, &targets, weights)
}

/// What was wanted, as the library takes it.
struct Task {
    rows: Vectors<'static>,
    grid: Grid<Expression>,
    splits: Vec<Split>,
    search: Search,
}

impl Wanted<'_> {
    fn task(&self, rows: Rows<'_>) -> PyResult<Task> {
        let given = rows.vectors()?.map_err(raised)?;
        let n = given.len();
        let kernels = self.kernels.iter().map(|kernel| kernel.parse::<Expression>());
        let kernels = kernels.collect::<Result<Vec<_>>>().map_err(raised)?;
        if kernels.is_empty() {
            return Err(raised(Error::Empty { what: "kernels to try" }));
        }
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
            rows: given.select(&(0..n).collect::<Vec<_>>()),
            grid: Grid { kernels, costs: self.costs.clone() },
            splits,
            search: Search { exhaustive: self.exhaustive, halving: self.halving, ..Search::new(metrics) },
        })
    }
}

impl Task {
    fn run<M>(
        &self,
        py: Python<'_>,
        machine: &M,
        targets: &M::Targets,
        weights: Option<&[f64]>,
    ) -> PyResult<Vec<Tried>>
    where
        M: Candidate<Kernel = Expression>,
        M::Targets: Sync,
    {
        watched(py, None, |_, interrupt| {
            let examples = Examples { weights, ..Examples::new(&self.rows, targets) };
            let watch = Watch { cancelled: &|| interrupt.is_raised(), seen: &|_| () };
            let table = self.search.cross_validate(machine, &self.grid, examples, &self.splits, watch)?;
            let cells = table.cells.into_iter();
            Ok(cells
                .map(|cell| (cell.kernel, cell.cost, cell.values, cell.seconds, cell.look.to_string()))
                .collect())
        })
    }
}

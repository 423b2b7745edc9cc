//! Exact machines of examples that come and go, and questions about those that have no label.

use std::collections::HashMap;
use std::time::Instant;

use mercer::data::{Items as _, Vectors};
use mercer::gram::{BulkKernel, Plan, Precision, StructureKernel};
use mercer::io::AnyModel;
use mercer::kernel::Expression;
use mercer::machine::online::{ActiveLearner, IncrementalSvc, Query, RowMemory, ValueItem, ValueMemory};
use mercer::machine::{Decision, Kept, PairMachines, SvcModel};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::rows::Rows;

/// An incremental support vector machine of rows, or of items that are known by their kernel values.
#[pyclass(module = "mercer._mercer")]
pub struct Incremental {
    machine: Machine,
}

enum Machine {
    Rows(Box<IncrementalSvc<RowMemory>>),
    Values(Box<IncrementalSvc<ValueMemory>>),
}

macro_rules! either {
    ($machine:expr, $name:ident => $body:expr) => {
        match $machine {
            Machine::Rows($name) => $body,
            Machine::Values($name) => $body,
        }
    };
}

#[pymethods]
impl Incremental {
    /// One of no examples; no kernel for kernel values.
    #[new]
    fn new(kernel: Option<&str>, cost: f64) -> PyResult<Self> {
        let machine = match kernel {
            Some(kernel) => {
                let memory = RowMemory::new(kernel.parse().map_err(raised)?).map_err(raised)?;
                Machine::Rows(Box::new(IncrementalSvc::new(memory, cost).map_err(raised)?))
            }
            None => {
                Machine::Values(Box::new(IncrementalSvc::new(ValueMemory::default(), cost).map_err(raised)?))
            }
        };
        Ok(Incremental { machine })
    }

    /// Adds rows with labels of ±1; their numbers.
    fn add(
        &mut self,
        py: Python<'_>,
        rows: Rows<'_>,
        labels: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Vec<u64>> {
        let (rows, labels) = (rows.vectors()?.map_err(raised)?, labels.as_slice()?);
        let Machine::Rows(machine) = &mut self.machine else { return Err(other_kind()) };
        let mut ids = Vec::with_capacity(labels.len());
        for (row, &label) in labels.iter().enumerate().take(rows.len()) {
            py.check_signals()?;
            ids.push(machine.add(rows.get(row), label).map_err(raised)?);
        }
        Ok(ids)
    }

    /// Adds one item by its kernel values with items of these numbers, the last of which is itself; its number.
    fn add_values(
        &mut self,
        values: PyReadonlyArray1<'_, f64>,
        columns: Vec<u64>,
        label: f64,
    ) -> PyResult<u64> {
        let Machine::Values(machine) = &mut self.machine else { return Err(other_kind()) };
        let id = columns.last().copied().unwrap_or(0);
        let columns: HashMap<u64, usize> = columns.into_iter().enumerate().map(|(at, id)| (id, at)).collect();
        let item = ValueItem { id, values: values.as_slice()?, columns: &columns };
        machine.add(item, label).map_err(raised)
    }

    /// Removes the example of this number.
    fn remove(&mut self, id: u64) -> PyResult<()> {
        either!(&mut self.machine, machine => machine.remove(id)).map_err(raised)
    }

    /// f(x) of rows.
    fn values<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        let Machine::Rows(machine) = &self.machine else { return Err(other_kind()) };
        let found: mercer::Result<Vec<f64>> =
            py.detach(|| (0..rows.len()).map(|row| machine.value(rows.get(row))).collect());
        Ok(PyArray1::from_vec(py, found.map_err(raised)?))
    }

    /// f(x) left out: of each example, by the machine of the others.
    fn left_out_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = py.detach(|| either!(&self.machine, machine => machine.left_out_values()));
        Ok(PyArray1::from_vec(py, found.map_err(raised)?))
    }

    /// The numbers of the examples.
    #[getter]
    fn ids(&self) -> Vec<u64> {
        either!(&self.machine, machine => machine.ids().to_vec())
    }

    /// β, in the order of `ids`.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, either!(&self.machine, machine => machine.coefficients()))
    }

    /// b
    #[getter]
    fn offset(&self) -> f64 {
        either!(&self.machine, machine => machine.offset())
    }

    /// The dual objective.
    #[getter]
    fn objective(&self) -> f64 {
        either!(&self.machine, machine => machine.objective())
    }

    /// By how much the conditions of optimality are violated.
    fn violation(&self, py: Python<'_>) -> PyResult<f64> {
        py.detach(|| either!(&self.machine, machine => machine.violation())).map_err(raised)
    }
}

/// A model of two classes that is f(x) = Σ β k(xᵢ, x) + b of these items, which stand in the order of their classes: the first so many are of the earlier one.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn expansion_model(
    kernel: &str,
    items: Rows<'_>,
    support: Vec<usize>,
    earlier: usize,
    coefficients: Vec<f64>,
    offset: f64,
    classes: Vec<String>,
) -> PyResult<Model> {
    let n = support.len();
    if coefficients.len() != n || earlier > n || classes.len() != 2 {
        return Err(PyValueError::new_err("one coefficient per item and two classes are needed"));
    }
    let pairs = PairMachines {
        classes,
        support,
        starts: vec![0, earlier, n],
        coefficients,
        offsets: vec![offset],
        decision: Decision::Votes,
        calibration: None,
        reports: Vec::new(),
    };
    match items.structures() {
        Some(items) => {
            let kernel: StructureKernel = kernel.parse().map_err(raised)?;
            let model = SvcModel::from_parts(kept(kernel, items.clone()).map_err(raised)?, pairs);
            Ok(Model::of_structures(AnyModel::Svc(model), items, 0, Instant::now()))
        }
        None => {
            let given = items.vectors()?.map_err(raised)?;
            let rows = given.select(&(0..given.len()).collect::<Vec<_>>());
            let kernel: Expression = kernel.parse().map_err(raised)?;
            let model = SvcModel::from_parts(kept(kernel, rows.clone()).map_err(raised)?, pairs);
            Ok(Model::new(AnyModel::Svc(model), &rows, 0, Instant::now()))
        }
    }
}

fn kept<K: BulkKernel<I>, I: mercer::data::Items>(kernel: K, items: I) -> mercer::Result<Kept<K, I>> {
    let precision = Precision::F64;
    let kernel = kernel.resolve(&items, None)?;
    let layout = kernel.layout(&items, &Plan { precision, ..Plan::new()? })?;
    Ok(Kept { kernel, layout, precision, items, threads: 0 })
}

/// A pool of items, and questions about them.
#[pyclass(module = "mercer._mercer")]
pub struct Questions {
    pool: Pool,
}

enum Pool {
    Rows { learner: ActiveLearner<RowMemory>, rows: Vectors<'static> },
    Values { learner: ActiveLearner<ValueMemory>, values: Vec<f64>, columns: HashMap<u64, usize> },
}

/// The learner and views of all items of the pool.
macro_rules! with_items {
    ($pool:expr, $learner:ident, $items:ident => $body:expr) => {
        match $pool {
            Pool::Rows { learner: $learner, rows } => {
                let $items: Vec<_> = (0..rows.len()).map(|row| rows.get(row)).collect();
                $body
            }
            Pool::Values { learner: $learner, values, columns } => {
                let n = columns.len();
                let $items: Vec<ValueItem<'_>> = (0..n)
                    .map(|row| ValueItem {
                        id: row as u64,
                        values: &values[row * n..][..n],
                        columns: &*columns,
                    })
                    .collect();
                $body
            }
        }
    };
}

#[pymethods]
impl Questions {
    /// A pool of rows with a kernel, or without one the square matrix of their kernel values.
    #[new]
    fn new(
        kernel: Option<&str>,
        cost: f64,
        rows: Rows<'_>,
        classes: usize,
        query: &str,
        seed: u64,
    ) -> PyResult<Self> {
        let query = match query {
            "nearest" => Query::Nearest,
            "band" => Query::Band,
            "uncertain" => Query::Uncertain,
            "random" => Query::Random,
            other => {
                let problem = format!("query={other:?}: expected nearest, band, uncertain or random");
                return Err(PyValueError::new_err(problem));
            }
        };
        let pool = match kernel {
            Some(kernel) => {
                let given = rows.vectors()?.map_err(raised)?;
                let rows = given.select(&(0..given.len()).collect::<Vec<_>>());
                let kernel: Expression = kernel.parse().map_err(raised)?;
                let memory = RowMemory::new(kernel.resolve(&rows).map_err(raised)?).map_err(raised)?;
                let machine = IncrementalSvc::new(memory, cost).map_err(raised)?;
                let learner = ActiveLearner::of_classes(machine, classes, query, seed).map_err(raised)?;
                Pool::Rows { learner, rows }
            }
            None => {
                let (values, n) = rows.square()?;
                let machine = IncrementalSvc::new(ValueMemory::default(), cost).map_err(raised)?;
                let learner = ActiveLearner::of_classes(machine, classes, query, seed).map_err(raised)?;
                let columns = (0..n).map(|at| (at as u64, at)).collect();
                Pool::Values { learner, values: values.into_owned(), columns }
            }
        };
        Ok(Questions { pool })
    }

    /// Positions of the items that teach most.
    fn ask(&self, py: Python<'_>, count: usize, diversity: f64) -> PyResult<Vec<usize>> {
        py.detach(|| with_items!(&self.pool, learner, items => learner.ask_some(&items, count, diversity)))
            .map_err(raised)
    }

    /// Tells the class of an item.
    fn answer(&mut self, py: Python<'_>, item: usize, code: usize) -> PyResult<()> {
        py.detach(|| {
            with_items!(&mut self.pool, learner, items => match items.as_slice().get(item) {
                Some(&view) => learner.answer(item, view, code),
                None => Err(mercer::Error::Entry {
                    what: "item",
                    index: item,
                    value: item as f64,
                    expected: "a position in the pool",
                }),
            })
        })
        .map_err(raised)
    }

    /// Takes the last answer back.
    fn undo(&mut self) -> PyResult<Option<usize>> {
        match &mut self.pool {
            Pool::Rows { learner, .. } => learner.undo(),
            Pool::Values { learner, .. } => learner.undo(),
        }
        .map_err(raised)
    }

    /// Items without an answer within the margin band.
    fn band(&self, py: Python<'_>) -> PyResult<usize> {
        py.detach(|| with_items!(&self.pool, learner, items => learner.band(&items))).map_err(raised)
    }

    /// Whether the dual objective has hardly grown in the last answers.
    fn has_settled(&self, rounds: usize, tolerance: f64) -> bool {
        match &self.pool {
            Pool::Rows { learner, .. } => learner.has_settled(rounds, tolerance),
            Pool::Values { learner, .. } => learner.has_settled(rounds, tolerance),
        }
    }

    /// Whether two classes have been seen.
    #[getter]
    fn has_boundary(&self) -> bool {
        match &self.pool {
            Pool::Rows { learner, .. } => learner.has_boundary(),
            Pool::Values { learner, .. } => learner.has_boundary(),
        }
    }

    /// Items with an answer and their classes, in the order of the answers.
    #[getter]
    fn asked(&self) -> Vec<(usize, usize)> {
        match &self.pool {
            Pool::Rows { learner, .. } => learner.asked(),
            Pool::Values { learner, .. } => learner.asked(),
        }
    }

    /// The dual objective after each answer.
    #[getter]
    fn objectives<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let found = match &self.pool {
            Pool::Rows { learner, .. } => learner.objectives(),
            Pool::Values { learner, .. } => learner.objectives(),
        };
        PyArray1::from_slice(py, found)
    }

    /// The kernel, with what the pool has filled in.
    #[getter]
    fn kernel(&self) -> Option<String> {
        match &self.pool {
            Pool::Rows { learner, .. } => Some(learner.machines()[0].memory().kernel().to_string()),
            Pool::Values { .. } => None,
        }
    }

    /// f(x) of each machine for rows that need not be in the pool, one row for each.
    fn values<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Pool::Rows { learner, .. } = &self.pool else { return Err(other_kind()) };
        let rows = rows.vectors()?.map_err(raised)?;
        let found: mercer::Result<Vec<Vec<f64>>> =
            py.detach(|| (0..rows.len()).map(|row| learner.values(rows.get(row))).collect());
        let found = found.map_err(raised)?.concat();
        PyArray1::from_vec(py, found).reshape([rows.len(), learner.machines().len()])
    }

    /// The same for items by their kernel values with all items of the pool.
    fn values_of_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Pool::Values { learner, columns, .. } = &self.pool else { return Err(other_kind()) };
        let rows = values.as_array();
        let one = |row: numpy::ndarray::ArrayView1<'_, f64>| {
            let values: Vec<f64> = row.iter().copied().collect();
            learner.values(ValueItem { id: u64::MAX, values: &values, columns })
        };
        let found: mercer::Result<Vec<Vec<f64>>> = rows.rows().into_iter().map(one).collect();
        let found = found.map_err(raised)?.concat();
        PyArray1::from_vec(py, found).reshape([rows.nrows(), learner.machines().len()])
    }

    /// Codes of the classes of rows that need not be in the pool.
    fn predict<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let Pool::Rows { learner, .. } = &self.pool else { return Err(other_kind()) };
        let rows = rows.vectors()?.map_err(raised)?;
        let found: mercer::Result<Vec<i64>> =
            py.detach(|| (0..rows.len()).map(|row| Ok(learner.predict(rows.get(row))? as i64)).collect());
        Ok(PyArray1::from_vec(py, found.map_err(raised)?))
    }

    /// The same for items by their kernel values with all items of the pool.
    fn predict_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let Pool::Values { learner, columns, .. } = &self.pool else { return Err(other_kind()) };
        let rows = values.as_array();
        let one = |row: numpy::ndarray::ArrayView1<'_, f64>| {
            let values: Vec<f64> = row.iter().copied().collect();
            Ok(learner.predict(ValueItem { id: u64::MAX, values: &values, columns })? as i64)
        };
        let found: mercer::Result<Vec<i64>> = rows.rows().into_iter().map(one).collect();
        Ok(PyArray1::from_vec(py, found.map_err(raised)?))
    }
}

fn other_kind() -> PyErr {
    PyValueError::new_err("the machine is one of kernel values, or of rows, and this is for the other kind")
}

//! Exact machines of examples that come and go, and questions about those that have no label.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Instant;

use mercer::data::{Items as _, Vectors};
use mercer::gram::{BulkKernel, Plan, Precision, StructureKernel};
use mercer::io::AnyModel;
use mercer::kernel::Expression;
use mercer::machine::online::{
    ActiveLearner, IncrementalSvc, Memory, Query, RowMemory, ValueItem, ValueMemory,
};
use mercer::machine::{Decision, Kept, PairMachines, SvcModel};
use mercer::resources::Interrupt;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::rows::Rows;
use crate::watch::watched;

/// An incremental support vector machine of rows, or of items that are known by their kernel values.
///
/// Updates wait for each other; predictions are made by the last complete machine. An update that fails or is interrupted leaves the machine as it was.
#[pyclass(module = "mercer._mercer", frozen)]
pub struct Incremental {
    machine: RwLock<Machine>,
    /// Whose turn it is to change the machine.
    turn: Mutex<()>,
}

#[derive(Clone)]
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

/// So many examples are added to the machine itself, and removed again if one fails; more to a copy.
const FEW: usize = 8;

impl Machine {
    fn set_interrupt(&mut self, interrupt: Option<&Interrupt>) {
        either!(self, machine => machine.set_interrupt(interrupt));
    }

    /// The numbers by which the package knows the examples: of kernel values, those of their items.
    fn ids(&self) -> Vec<u64> {
        match self {
            Machine::Rows(machine) => machine.ids().to_vec(),
            Machine::Values(machine) => machine.memory().ids().to_vec(),
        }
    }

    /// The machine's own number of such an example.
    fn own_id(&self, id: u64) -> u64 {
        match self {
            Machine::Rows(_) => id,
            Machine::Values(machine) => {
                let slot = machine.memory().ids().iter().position(|&other| other == id);
                slot.map_or(u64::MAX, |slot| machine.ids()[slot])
            }
        }
    }
}

/// Adds examples one by one; none if one fails.
fn added<M: Memory>(
    machine: &mut IncrementalSvc<M>,
    count: usize,
    mut add: impl FnMut(&mut IncrementalSvc<M>, usize) -> mercer::Result<u64>,
    interrupt: &Interrupt,
) -> mercer::Result<Vec<u64>> {
    let before = machine.ids().to_vec();
    let mut ids = Vec::with_capacity(count);
    for at in 0..count {
        let found = if interrupt.is_raised() { Err(mercer::Error::Interrupted) } else { add(machine, at) };
        match found {
            Ok(id) => ids.push(id),
            Err(error) => {
                machine.set_interrupt(None);
                let new: Vec<u64> = machine.ids().iter().copied().filter(|id| !before.contains(id)).collect();
                for id in new.into_iter().rev() {
                    machine.remove(id)?;
                }
                return Err(error);
            }
        }
    }
    Ok(ids)
}

impl Incremental {
    /// What the last complete machine answers, with the interpreter free.
    fn read<T: Send>(&self, py: Python<'_>, answer: impl FnOnce(&Machine) -> T + Send) -> T {
        py.detach(|| answer(&self.machine.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Changes the machine, as a whole or not at all: a few examples at their place, many on a copy.
    fn update<T: Send>(
        &self,
        py: Python<'_>,
        count: usize,
        change: impl FnOnce(&mut Machine, &Interrupt) -> mercer::Result<T> + Send,
    ) -> PyResult<T> {
        watched(py, None, |_, interrupt| {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            if count <= FEW {
                let mut machine = self.machine.write().unwrap_or_else(PoisonError::into_inner);
                machine.set_interrupt(Some(interrupt));
                let found = change(&mut machine, interrupt);
                machine.set_interrupt(None);
                return found;
            }
            let mut machine = self.machine.read().unwrap_or_else(PoisonError::into_inner).clone();
            machine.set_interrupt(Some(interrupt));
            let found = change(&mut machine, interrupt)?;
            machine.set_interrupt(None);
            *self.machine.write().unwrap_or_else(PoisonError::into_inner) = machine;
            Ok(found)
        })
    }
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
        Ok(Incremental { machine: RwLock::new(machine), turn: Mutex::new(()) })
    }

    /// Another machine of the same examples. What is added to that one does not change this one.
    fn copied(&self, py: Python<'_>) -> Self {
        let machine = self.read(py, Machine::clone);
        Incremental { machine: RwLock::new(machine), turn: Mutex::new(()) }
    }

    /// Adds rows with labels of ±1; their numbers.
    fn add(&self, py: Python<'_>, rows: Rows<'_>, labels: PyReadonlyArray1<'_, f64>) -> PyResult<Vec<u64>> {
        let (rows, labels) = (rows.vectors()?.map_err(raised)?, labels.as_slice()?);
        let count = rows.len().min(labels.len());
        self.update(py, count, |machine, interrupt| match machine {
            Machine::Rows(machine) => {
                added(machine, count, |machine, row| machine.add(rows.get(row), labels[row]), interrupt)
            }
            Machine::Values(_) => Err(wrong_kind()),
        })
    }

    /// Adds items by their kernel values, one row for each, with the items that the columns belong to, themselves among these.
    fn add_values(
        &self,
        py: Python<'_>,
        values: PyReadonlyArray2<'_, f64>,
        ids: Vec<u64>,
        columns: Vec<u64>,
        labels: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let labels = labels.as_slice()?;
        let (width, values) = (columns.len(), values.as_slice()?);
        let count = labels.len().min(ids.len()).min(values.len() / width.max(1));
        let columns: HashMap<u64, usize> = columns.into_iter().enumerate().map(|(at, id)| (id, at)).collect();
        let item =
            |at: usize| ValueItem { id: ids[at], values: &values[at * width..][..width], columns: &columns };
        self.update(py, count, |machine, interrupt| match machine {
            Machine::Values(machine) => {
                added(machine, count, |machine, at| machine.add(item(at), labels[at]), interrupt)
            }
            Machine::Rows(_) => Err(wrong_kind()),
        })
        .map(|_| ())
    }

    /// Removes the examples of these numbers.
    fn remove(&self, py: Python<'_>, ids: Vec<u64>) -> PyResult<()> {
        // Always on a copy: what was removed could not be put back with its number.
        self.update(py, usize::MAX, |machine, interrupt| {
            for id in ids {
                if interrupt.is_raised() {
                    return Err(mercer::Error::Interrupted);
                }
                let own = machine.own_id(id);
                either!(machine, machine => machine.remove(own))?;
            }
            Ok(())
        })
    }

    /// f(x) of rows.
    fn values<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        let found = watched(py, None, |_, interrupt| {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner);
            let Machine::Rows(machine) = &*machine else { return Err(wrong_kind()) };
            let one = |row: usize| match interrupt.is_raised() {
                true => Err(mercer::Error::Interrupted),
                false => machine.value(rows.get(row)),
            };
            (0..rows.len()).map(one).collect::<mercer::Result<Vec<f64>>>()
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// f(x) left out: of each example, by the machine of the others.
    fn left_out_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = watched(py, None, |_, interrupt| {
            let mut machine = self.machine.read().unwrap_or_else(PoisonError::into_inner).clone();
            machine.set_interrupt(Some(interrupt));
            either!(machine, machine => machine.left_out_values())
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The numbers of the examples, their coefficients β, the offset b, the dual objective and how many changes the batch solver has made: all of one
    /// moment.
    fn state<'py>(&self, py: Python<'py>) -> (Vec<u64>, Bound<'py, PyArray1<f64>>, f64, f64, u64) {
        let (ids, beta, offset, objective, refits) = self.read(py, |machine| {
            either!(machine, of => {
                (machine.ids(), of.coefficients(), of.offset(), of.objective(), of.refits())
            })
        });
        (ids, PyArray1::from_vec(py, beta), offset, objective, refits)
    }

    /// The numbers of the examples.
    #[getter]
    fn ids(&self, py: Python<'_>) -> Vec<u64> {
        self.read(py, Machine::ids)
    }

    /// By how much the conditions of optimality are violated.
    fn violation(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |machine| either!(machine, machine => machine.violation())).map_err(raised)
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

/// A pool of items, and questions about them. An answer that fails or is interrupted leaves the learner as it was.
#[pyclass(module = "mercer._mercer", frozen)]
pub struct Questions {
    pool: RwLock<Pool>,
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

impl Questions {
    fn write<T>(&self, change: impl FnOnce(&mut Pool) -> T) -> T {
        change(&mut self.pool.write().unwrap_or_else(PoisonError::into_inner))
    }
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
            "mixed" => Query::Mixed,
            "nearest" => Query::Nearest,
            "band" => Query::Band,
            "uncertain" => Query::Uncertain,
            "random" => Query::Random,
            other => {
                let problem = format!("query={other:?}: expected mixed, nearest, band, uncertain or random");
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
        Ok(Questions { pool: RwLock::new(pool) })
    }

    /// Positions of the items that teach most.
    fn ask(&self, py: Python<'_>, count: usize, diversity: f64) -> PyResult<Vec<usize>> {
        watched(py, None, |_, interrupt| {
            self.write(|pool| {
                with_items!(pool, learner, items => {
                    learner.set_interrupt(Some(interrupt));
                    let found = learner.ask_some(&items, count, diversity);
                    learner.set_interrupt(None);
                    found
                })
            })
        })
    }

    /// Gives the class of an item.
    fn answer(&self, py: Python<'_>, item: usize, code: usize) -> PyResult<()> {
        watched(py, None, |_, interrupt| {
            self.write(|pool| {
                with_items!(pool, learner, items => match items.as_slice().get(item) {
                    Some(&view) => {
                        learner.set_interrupt(Some(interrupt));
                        let found = learner.answer(item, view, code);
                        learner.set_interrupt(None);
                        found
                    }
                    None => Err(mercer::Error::Entry {
                        what: "item",
                        index: item,
                        value: item as f64,
                        expected: "a position in the pool",
                    }),
                })
            })
        })
    }

    /// Takes the last answer back.
    fn undo(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        py.detach(|| {
            self.write(|pool| match pool {
                Pool::Rows { learner, .. } => learner.undo(),
                Pool::Values { learner, .. } => learner.undo(),
            })
        })
        .map_err(raised)
    }

    /// Items without an answer within the margin band.
    fn band(&self, py: Python<'_>) -> PyResult<usize> {
        watched(py, None, |_, interrupt| {
            self.write(|pool| {
                with_items!(pool, learner, items => {
                    learner.set_interrupt(Some(interrupt));
                    let found = learner.band(&items);
                    learner.set_interrupt(None);
                    found
                })
            })
        })
    }

    /// Whether the dual objective has hardly grown in the last answers.
    fn has_settled(&self, rounds: usize, tolerance: f64) -> bool {
        match &*self.pool.read().unwrap_or_else(PoisonError::into_inner) {
            Pool::Rows { learner, .. } => learner.has_settled(rounds, tolerance),
            Pool::Values { learner, .. } => learner.has_settled(rounds, tolerance),
        }
    }

    /// Whether two classes have been seen.
    #[getter]
    fn has_boundary(&self) -> bool {
        match &*self.pool.read().unwrap_or_else(PoisonError::into_inner) {
            Pool::Rows { learner, .. } => learner.has_boundary(),
            Pool::Values { learner, .. } => learner.has_boundary(),
        }
    }

    /// How many changes of the machines the batch solver made.
    #[getter]
    fn refits(&self) -> u64 {
        match &*self.pool.read().unwrap_or_else(PoisonError::into_inner) {
            Pool::Rows { learner, .. } => learner.machines().iter().map(|machine| machine.refits()).sum(),
            Pool::Values { learner, .. } => learner.machines().iter().map(|machine| machine.refits()).sum(),
        }
    }

    /// Items with an answer and their classes, in the order of the answers.
    #[getter]
    fn asked(&self) -> Vec<(usize, usize)> {
        match &*self.pool.read().unwrap_or_else(PoisonError::into_inner) {
            Pool::Rows { learner, .. } => learner.asked(),
            Pool::Values { learner, .. } => learner.asked(),
        }
    }

    /// The dual objective after each answer.
    #[getter]
    fn objectives<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let pool = self.pool.read().unwrap_or_else(PoisonError::into_inner);
        let found = match &*pool {
            Pool::Rows { learner, .. } => learner.objectives(),
            Pool::Values { learner, .. } => learner.objectives(),
        };
        PyArray1::from_slice(py, found)
    }

    /// The kernel, with what the pool has filled in.
    #[getter]
    fn kernel(&self) -> Option<String> {
        match &*self.pool.read().unwrap_or_else(PoisonError::into_inner) {
            Pool::Rows { learner, .. } => Some(learner.machines()[0].memory().kernel().to_string()),
            Pool::Values { .. } => None,
        }
    }

    /// f(x) of each machine for rows that need not be in the pool, one row for each.
    fn values<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = rows.vectors()?.map_err(raised)?;
        // The lock is held with the interpreter free only: who has the interpreter may wait for the lock.
        let found: mercer::Result<(Vec<Vec<f64>>, usize)> = py.detach(|| {
            let pool = self.pool.read().unwrap_or_else(PoisonError::into_inner);
            let Pool::Rows { learner, .. } = &*pool else { return Err(wrong_kind()) };
            let values: mercer::Result<Vec<Vec<f64>>> =
                (0..rows.len()).map(|row| learner.values(rows.get(row))).collect();
            Ok((values?, learner.machines().len()))
        });
        let (found, machines) = found.map_err(raised)?;
        PyArray1::from_vec(py, found.concat()).reshape([rows.len(), machines])
    }

    /// The same for items by their kernel values with all items of the pool.
    fn values_of_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pool = self.pool.read().unwrap_or_else(PoisonError::into_inner);
        let Pool::Values { learner, columns, .. } = &*pool else { return Err(other_kind()) };
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
        let rows = rows.vectors()?.map_err(raised)?;
        let found: mercer::Result<Vec<i64>> = py.detach(|| {
            let pool = self.pool.read().unwrap_or_else(PoisonError::into_inner);
            let Pool::Rows { learner, .. } = &*pool else { return Err(wrong_kind()) };
            (0..rows.len()).map(|row| Ok(learner.predict(rows.get(row))? as i64)).collect()
        });
        Ok(PyArray1::from_vec(py, found.map_err(raised)?))
    }

    /// The same for items by their kernel values with all items of the pool.
    fn predict_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let pool = self.pool.read().unwrap_or_else(PoisonError::into_inner);
        let Pool::Values { learner, columns, .. } = &*pool else { return Err(other_kind()) };
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
    raised(wrong_kind())
}

fn wrong_kind() -> mercer::Error {
    let what = "the machine is one of kernel values, or of rows, and this is for the other kind".into();
    mercer::Error::Unsupported { what }
}

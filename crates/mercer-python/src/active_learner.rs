//! A pool of items, and questions about those that have no label.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use mercer::Result;
use mercer::data::{Items as _, Vectors};
use mercer::kernel::Expression;
use mercer::machine::online::{
    ActiveLearner, IncrementalSvc, Memory, Query, RowMemory, ValueItem, ValueMemory,
};
use mercer::resources::Interrupt;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::incremental::wrong_kind;
use crate::rows::Rows;
use crate::watch::{turn, watched};

/// A pool of items, and questions about them.
///
/// Answers wait for each other and change a copy of the learner: all else is answered by the last complete learner. An answer that fails or is interrupted
/// leaves the learner as it was.
#[pyclass(module = "mercer._mercer", frozen)]
pub struct Questions {
    pool: Pool,
    learner: RwLock<Arc<Learner>>,
    /// Held by the thread that changes the learner.
    turn: Mutex<()>,
}

enum Pool {
    Rows(Vectors<'static>),
    /// The square matrix of kernel values, row by row, and the column of each item.
    Values {
        values: Vec<f64>,
        columns: HashMap<u64, usize>,
    },
}

#[derive(Clone)]
enum Learner {
    Rows(ActiveLearner<RowMemory>),
    Values(ActiveLearner<ValueMemory>),
}

macro_rules! either {
    ($learner:expr, $name:ident => $body:expr) => {
        match $learner {
            Learner::Rows($name) => $body,
            Learner::Values($name) => $body,
        }
    };
}

/// The learner and views of all items of the pool.
macro_rules! with_items {
    ($pool:expr, $learner:expr, $name:ident, $items:ident => $body:expr) => {
        match ($pool, $learner) {
            (Pool::Rows(rows), Learner::Rows($name)) => {
                let $items: Vec<_> = (0..rows.len()).map(|row| rows.get(row)).collect();
                $body
            }
            (Pool::Values { values, columns }, Learner::Values($name)) => {
                let $items = items(values, columns, |row| row as u64);
                $body
            }
            _ => Err(wrong_kind()),
        }
    };
}

/// Items by their kernel values with those of the pool, and their numbers.
fn items<'a>(
    values: &'a [f64],
    columns: &'a HashMap<u64, usize>,
    id: impl Fn(usize) -> u64,
) -> Vec<ValueItem<'a>> {
    let one = |(row, values)| ValueItem { id: id(row), values, columns };
    values.chunks_exact(columns.len().max(1)).enumerate().map(one).collect()
}

impl Questions {
    /// The last complete learner. The lock is held for a moment only.
    fn last(&self) -> Arc<Learner> {
        Arc::clone(&self.learner.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes a copy of the learner, which takes its place if that succeeds.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&Pool, &mut Learner) -> Result<T> + Send,
    ) -> PyResult<T> {
        watched(py, None, |_, _| {
            let _turn = turn(&self.turn)?;
            let mut learner = Learner::clone(&self.last());
            let found = change(&self.pool, &mut learner)?;
            *self.learner.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(learner);
            Ok(found)
        })
    }

    /// What the last complete learner finds out about rows that need not be in the pool, one by one.
    fn of_rows<T: Send>(
        &self,
        py: Python<'_>,
        rows: &Rows<'_>,
        one: impl Fn(&ActiveLearner<RowMemory>, mercer::data::Row<'_>) -> Result<T> + Send,
    ) -> PyResult<Vec<T>> {
        let rows = rows.vectors()?;
        let learner = self.last();
        watched(py, None, |_, _| {
            let Learner::Rows(learner) = &*learner else { return Err(wrong_kind()) };
            one_by_one(learner, (0..rows.len()).map(|row| rows.get(row)), one)
        })
    }

    /// The same of items by their kernel values with all items of the pool.
    fn of_values<T: Send>(
        &self,
        py: Python<'_>,
        values: &PyReadonlyArray2<'_, f64>,
        one: impl Fn(&ActiveLearner<ValueMemory>, ValueItem<'_>) -> Result<T> + Send,
    ) -> PyResult<Vec<T>> {
        let rows = values.as_array();
        let learner = self.last();
        watched(py, None, |_, _| {
            let (Pool::Values { columns, .. }, Learner::Values(learner)) = (&self.pool, &*learner) else {
                return Err(wrong_kind());
            };
            if rows.ncols() != columns.len() {
                let what = "kernel values of an item (one per item of the pool)";
                return Err(mercer::Error::Shape { what, expected: columns.len(), found: rows.ncols() });
            }
            let values: Vec<f64> = rows.iter().copied().collect();
            one_by_one(learner, items(&values, columns, |_| u64::MAX), one)
        })
    }
}

/// Asks the learner about one item after the other, until it is interrupted.
fn one_by_one<M: Memory, I, T>(
    learner: &ActiveLearner<M>,
    items: impl IntoIterator<Item = I>,
    one: impl Fn(&ActiveLearner<M>, I) -> Result<T>,
) -> Result<Vec<T>> {
    items.into_iter().map(|item| Interrupt::checkpoint().and_then(|()| one(learner, item))).collect()
}

/// One row for each item.
fn in_rows(py: Python<'_>, values: Vec<Vec<f64>>, width: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    PyArray1::from_vec(py, values.concat()).reshape([values.len(), width])
}

#[pymethods]
impl Questions {
    /// A pool of rows with a kernel, or without one the square matrix of their kernel values.
    #[new]
    fn new(
        py: Python<'_>,
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
        let (pool, learner) = match kernel {
            Some(kernel) => {
                let given = rows.vectors()?;
                let kernel: Expression = kernel.parse().map_err(raised)?;
                watched(py, None, |_, _| {
                    let rows = given.select(&(0..given.len()).collect::<Vec<_>>());
                    let machine = IncrementalSvc::new(RowMemory::new(kernel.resolve(&rows)?)?, cost)?;
                    let learner = ActiveLearner::of_classes(machine, classes, query, seed)?;
                    Ok((Pool::Rows(rows), Learner::Rows(learner)))
                })?
            }
            None => {
                let (values, n) = rows.square()?;
                watched(py, None, |_, _| {
                    let machine = IncrementalSvc::new(ValueMemory::default(), cost)?;
                    let learner = ActiveLearner::of_classes(machine, classes, query, seed)?;
                    let columns = (0..n).map(|at| (at as u64, at)).collect();
                    Ok((Pool::Values { values: values.into_owned(), columns }, Learner::Values(learner)))
                })?
            }
        };
        Ok(Questions { pool, learner: RwLock::new(Arc::new(learner)), turn: Mutex::new(()) })
    }

    /// Positions of the items that teach most.
    fn ask(&self, py: Python<'_>, count: usize, diversity: f64) -> PyResult<Vec<usize>> {
        let learner = self.last();
        watched(
            py,
            None,
            |_, _| with_items!(&self.pool, &*learner, learner, items => learner.ask_some(&items, count, diversity)),
        )
    }

    /// Gives the class of an item.
    fn answer(&self, py: Python<'_>, item: usize, code: usize) -> PyResult<()> {
        self.change(py, |pool, learner| {
            with_items!(pool, learner, learner, items => match items.as_slice().get(item) {
                Some(&view) => learner.answer(item, view, code),
                None => Err(mercer::Error::Entry {
                    what: "item",
                    index: item,
                    value: item as f64,
                    expected: "a position in the pool",
                }),
            })
        })
    }

    /// Takes the last answer back.
    fn undo(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.change(py, |_, learner| either!(learner, learner => learner.undo()))
    }

    /// Items without an answer within the margin band.
    fn band(&self, py: Python<'_>) -> PyResult<usize> {
        let learner = self.last();
        watched(py, None, |_, _| with_items!(&self.pool, &*learner, learner, items => learner.band(&items)))
    }

    /// Whether the dual objective has hardly grown in the last answers.
    fn has_settled(&self, rounds: usize, tolerance: f64) -> bool {
        either!(&*self.last(), learner => learner.has_settled(rounds, tolerance))
    }

    /// Whether two classes have been seen.
    #[getter]
    fn has_boundary(&self) -> bool {
        either!(&*self.last(), learner => learner.has_boundary())
    }

    /// Items with an answer and their classes, in the order of the answers.
    #[getter]
    fn asked(&self) -> Vec<(usize, usize)> {
        either!(&*self.last(), learner => learner.asked())
    }

    /// How many changes of the machines the batch solver made.
    #[getter]
    fn refits(&self) -> u64 {
        either!(&*self.last(), learner => learner.machines().iter().map(|machine| machine.refits()).sum())
    }

    /// The dual objective after each answer.
    #[getter]
    fn objectives<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, either!(&*self.last(), learner => learner.objectives()))
    }

    /// The kernel, with what the pool has filled in.
    #[getter]
    fn kernel(&self) -> Option<String> {
        match &*self.last() {
            Learner::Rows(learner) => Some(learner.machines()[0].memory().kernel().to_string()),
            Learner::Values(_) => None,
        }
    }

    /// f(x) of each machine for rows that need not be in the pool, one row for each.
    fn values<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        in_rows(py, self.of_rows(py, &rows, |learner, row| learner.values(row))?, self.machines())
    }

    /// The same for items by their kernel values with all items of the pool.
    fn values_of_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        in_rows(py, self.of_values(py, &values, |learner, item| learner.values(item))?, self.machines())
    }

    /// Codes of the classes of rows that need not be in the pool.
    fn predict<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let found = self.of_rows(py, &rows, |learner, row| Ok(learner.predict(row)? as i64))?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The same for items by their kernel values with all items of the pool.
    fn predict_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let found = self.of_values(py, &values, |learner, item| Ok(learner.predict(item)? as i64))?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// How many machines it has: one for two classes, else one for each class.
    #[getter]
    fn machines(&self) -> usize {
        either!(&*self.last(), learner => learner.machines().len())
    }
}

//! Exact machines of examples that come and go.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Instant;

use mercer::data::{Collection, Items as _};
use mercer::gram::{BulkKernel, CollectionKernel, Plan, Precision};
use mercer::machine::online::{IncrementalSvc, Memory, RowMemory, ValueItem, ValueMemory};
use mercer::machine::{Decision, Kept, PairMachines, SvcModel};
use mercer::resources::Interrupt;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::model::Model;
use crate::rows::Rows;
use crate::watch::{turn, watched};

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

/// What [`Incremental::state`] tells.
type State<'py> = (Vec<u64>, Bound<'py, PyArray1<f64>>, f64, f64, u64, String, f64, f64);

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

/// Adds examples one by one.
fn added<M: Memory>(
    machine: &mut IncrementalSvc<M>,
    count: usize,
    mut add: impl FnMut(&mut IncrementalSvc<M>, usize) -> mercer::Result<u64>,
) -> mercer::Result<Vec<u64>> {
    (0..count).map(|at| Interrupt::checkpoint().and_then(|()| add(machine, at))).collect()
}

/// Removes the examples that were not there before.
fn taken_back<M: Memory>(machine: &mut IncrementalSvc<M>, before: &[u64]) -> mercer::Result<()> {
    let before: HashSet<u64> = before.iter().copied().collect();
    let new: Vec<u64> = machine.ids().iter().copied().filter(|id| !before.contains(id)).collect();
    // The removal must end, whoever has interrupted the addition.
    Interrupt::new().scope(|| new.into_iter().rev().try_for_each(|id| machine.remove(id)))
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
        change: impl FnOnce(&mut Machine) -> mercer::Result<T> + Send,
    ) -> PyResult<T> {
        watched(py, None, |_, _| {
            let _turn = turn(&self.turn)?;
            if count <= FEW {
                let mut machine = self.machine.write().unwrap_or_else(PoisonError::into_inner);
                let before = either!(&*machine, machine => machine.ids().to_vec());
                let found = change(&mut machine);
                if found.is_err() {
                    either!(&mut *machine, machine => taken_back(machine, &before))?;
                }
                return found;
            }
            let mut machine = self.machine.read().unwrap_or_else(PoisonError::into_inner).clone();
            let found = change(&mut machine)?;
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

    /// Adds rows with labels of ±1 and weights; their numbers.
    fn add(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        labels: PyReadonlyArray1<'_, f64>,
        weights: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Vec<u64>> {
        let (rows, labels, weights) = (rows.vectors()?, labels.as_slice()?, weights.as_slice()?);
        let count = rows.len().min(labels.len()).min(weights.len());
        self.update(py, count, |machine| match machine {
            Machine::Rows(machine) => added(machine, count, |machine, row| {
                machine.add_weighted(rows.get(row), labels[row], weights[row])
            }),
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
        weights: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (labels, weights) = (labels.as_slice()?, weights.as_slice()?);
        let (width, values) = (columns.len(), values.as_slice()?);
        let count = labels.len().min(weights.len()).min(ids.len()).min(values.len() / width.max(1));
        let columns: HashMap<u64, usize> = columns.into_iter().enumerate().map(|(at, id)| (id, at)).collect();
        let item =
            |at: usize| ValueItem { id: ids[at], values: &values[at * width..][..width], columns: &columns };
        self.update(py, count, |machine| match machine {
            Machine::Values(machine) => {
                added(machine, count, |machine, at| machine.add_weighted(item(at), labels[at], weights[at]))
            }
            Machine::Rows(_) => Err(wrong_kind()),
        })
        .map(|_| ())
    }

    /// Removes the examples of these numbers.
    fn remove(&self, py: Python<'_>, ids: Vec<u64>) -> PyResult<()> {
        // Always on a copy: what was removed could not be put back with its number.
        self.update(py, usize::MAX, |machine| {
            for id in ids {
                Interrupt::checkpoint()?;
                let own = machine.own_id(id);
                either!(machine, machine => machine.remove(own))?;
            }
            Ok(())
        })
    }

    /// f(x) of rows.
    fn values<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = rows.vectors()?;
        let found = watched(py, None, |_, _| {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner);
            let Machine::Rows(machine) = &*machine else { return Err(wrong_kind()) };
            let one = |row: usize| Interrupt::checkpoint().and_then(|()| machine.value(rows.get(row)));
            (0..rows.len()).map(one).collect::<mercer::Result<Vec<f64>>>()
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// f(x) left out: of each example, by the machine of the others.
    fn left_out_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let found = watched(py, None, |_, _| {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner).clone();
            either!(&machine, machine => machine.left_out_values())
        })?;
        Ok(PyArray1::from_vec(py, found))
    }

    /// The numbers of the examples, their coefficients β, the offset b, the dual objective, how many changes the batch solver has made, the status, the
    /// violation of the conditions of optimality and the relative duality gap: all of one moment.
    fn state<'py>(&self, py: Python<'py>) -> State<'py> {
        let (ids, beta, offset, objective, refits, status, certificate) = self.read(py, |machine| {
            either!(machine, of => {
                let quality = (of.objective(), of.refits(), of.status().to_string(), of.certificate());
                let (objective, refits, status, certificate) = quality;
                (machine.ids(), of.coefficients(), of.offset(), objective, refits, status, certificate)
            })
        });
        let gap = certificate.relative_gap();
        (ids, PyArray1::from_vec(py, beta), offset, objective, refits, status, certificate.kkt_gap, gap)
    }

    /// The numbers of the examples.
    #[getter]
    fn ids(&self, py: Python<'_>) -> Vec<u64> {
        self.read(py, Machine::ids)
    }

    /// By how much the conditions of optimality are violated.
    fn violation(&self, py: Python<'_>) -> PyResult<f64> {
        watched(py, None, |_, _| {
            let machine = self.machine.read().unwrap_or_else(PoisonError::into_inner);
            either!(&*machine, machine => machine.violation())
        })
    }
}

/// A model of two classes that is f(x) = Σ β k(xᵢ, x) + b of these items, which stand in the order of their classes: the first so many are of the earlier one.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn expansion_model(
    py: Python<'_>,
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
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let items = items.owned_items(py)?;
    let kept = kept(kernel, items.clone().into_owned()).map_err(raised)?;
    Ok(Model::new(SvcModel::from_parts(kept, pairs), &items, 0, Instant::now()))
}

fn kept(
    kernel: CollectionKernel,
    items: Collection<'static>,
) -> mercer::Result<Kept<CollectionKernel, Collection<'static>>> {
    let precision = Precision::F64;
    let kernel = kernel.resolve(&items, None)?;
    let layout = kernel.layout(&items, &Plan { precision, ..Plan::new()? })?;
    Ok(Kept { kernel, layout, precision, items, threads: 0 })
}

pub fn wrong_kind() -> mercer::Error {
    let what = "the machine is one of kernel values, or of rows, and this is for the other kind".into();
    mercer::Error::Unsupported { what }
}

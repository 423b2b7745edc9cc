//! Machines that learn from one example after the other.

mod examples;
mod table;

use std::path::PathBuf;

use mercer::data::{Items as _, Scaling, Vectors};
use mercer::io::{ModelFormat, SavedLearner};
use mercer::kernel::Expression;
use mercer::machine::Slack;
use mercer::machine::online::{
    Budget, Memory, Online, OnlineState, PassLimits, Passes, RowMemory, Rule, Several, Tally, ValueMemory,
};
use mercer::{Error, Result};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use self::examples::{learned, number, valued, views, visited};
use self::table::Table;
use crate::errors::raised;
use crate::rows::Rows;
use crate::watch::watched;

/// A machine as it was asked for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    /// None for kernel values instead of rows.
    kernel: Option<String>,
    /// "perceptron", "passive-aggressive", "regression" or "ranking".
    rule: String,
    cost: f64,
    tube: f64,
    /// "linear" or "quadratic".
    slack: String,
    levels: usize,
    bias_step: f64,
    budget: Option<usize>,
    project: bool,
    averaged: bool,
}

impl Wanted {
    fn machine<M: Memory>(&self, memory: M) -> Result<Online<M>> {
        let slack = if self.slack == "quadratic" { Slack::Quadratic } else { Slack::Linear };
        let cost = self.cost;
        let rule = match self.rule.as_str() {
            "perceptron" => Rule::Perceptron,
            "passive-aggressive" => Rule::PassiveAggressive { slack, cost },
            "ranking" => Rule::ranking(self.levels),
            _ => Rule::Regression { tube: self.tube, slack, cost },
        };
        let budget = match self.budget {
            None => Budget::Unlimited,
            Some(items) if self.project => Budget::Project { items },
            Some(items) => Budget::Remove { items },
        };
        Online::params(memory, rule).bias_step(self.bias_step).budget(budget).averaged(self.averaged).check()
    }

    fn learner<M: Memory>(&self, classes: Vec<String>, memory: impl Fn() -> Result<M>) -> Result<Several<M>> {
        match classes.is_empty() {
            true => Several::of_numbers(self.machine(memory()?)?),
            false => Several::of_classes(classes, || self.machine(memory()?)),
        }
    }
}

/// A learner of rows, or of items that are known by their kernel values. It never changes: to learn gives another one, so that
/// predictions of other threads go on with the one they have, and what is interrupted has changed nothing.
#[pyclass(frozen, module = "mercer._mercer")]
#[derive(Clone)]
pub struct OnlineLearner {
    learner: Learner,
    /// What is done to rows first, if the command line has begun it.
    scaling: Option<Scaling>,
    label_name: Option<String>,
    label_at: Option<usize>,
    feature_names: Option<Vec<String>>,
    /// What the estimator that saved it has noted.
    note: Option<String>,
    /// The options that the command line began it with.
    options: Option<std::collections::BTreeMap<String, String>>,
}

#[derive(Clone)]
enum Learner {
    Rows(Several<RowMemory>),
    Values(Several<ValueMemory>),
}

/// The same words for either.
macro_rules! either {
    ($learner:expr, $name:ident => $body:expr) => {
        match $learner {
            Learner::Rows($name) => $body,
            Learner::Values($name) => $body,
        }
    };
}

/// A learner of kernel values in parts: classes, tally, and of each machine its state, coefficients, delays, numbers of examples, times, numbers of items
/// and kernel values among them.
type Parts = (Vec<String>, String, Vec<Part>);
type Told = (u64, u64, u64, f64, f64, Option<f64>);
type Part = (String, Vec<f64>, Vec<f64>, Vec<u64>, Vec<u64>, Vec<u64>, Vec<f64>);

#[pymethods]
impl OnlineLearner {
    /// One that has learned nothing; no classes for numbers and levels.
    #[new]
    fn new(machine: Wanted, classes: Vec<String>) -> PyResult<Self> {
        let learner = match &machine.kernel {
            Some(kernel) => {
                let kernel: Expression = kernel.parse().map_err(raised)?;
                Learner::Rows(machine.learner(classes, || RowMemory::new(kernel.clone())).map_err(raised)?)
            }
            None => Learner::Values(machine.learner(classes, || Ok(ValueMemory::default())).map_err(raised)?),
        };
        Ok(OnlineLearner::of(learner))
    }

    /// Takes part in a round for each row: the learner after that, and what was predicted before the truth was known.
    fn learn<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        targets: PyReadonlyArray1<'_, f64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<(Self, Bound<'py, PyArray1<f64>>)> {
        let rows = self.scaled(rows.vectors()?).map_err(raised)?;
        let (targets, weights) = (targets.as_slice()?, slice_of(&weights)?);
        let (learner, found) = watched(py, None, |_, _| {
            let Learner::Rows(learner) = &self.learner else { return Err(other_kind()) };
            let mut learner = learner.clone();
            let found = learned(&mut learner, &views(&rows), targets, weights)?;
            Ok((Learner::Rows(learner), found))
        })?;
        Ok((self.with(learner), PyArray1::from_vec(py, found)))
    }

    /// The same for items by their kernel values, one row for each, and the numbers of the items that the columns belong to.
    fn learn_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
        ids: Vec<u64>,
        columns: Vec<u64>,
        targets: PyReadonlyArray1<'_, f64>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<(Self, Bound<'py, PyArray1<f64>>)> {
        let (table, targets, weights) =
            (Table::new(&values, columns)?, targets.as_slice()?, slice_of(&weights)?);
        let (learner, found) = watched(py, None, |_, _| {
            let Learner::Values(learner) = &self.learner else { return Err(other_kind()) };
            let mut learner = learner.clone();
            let found = learned(&mut learner, &table.items(&ids), targets, weights)?;
            Ok((Learner::Values(learner), found))
        })?;
        Ok((self.with(learner), PyArray1::from_vec(py, found)))
    }

    /// Goes over the rows until nothing changes: the learner after that, and how it went, machine by machine.
    fn fit<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        targets: PyReadonlyArray1<'_, f64>,
        passes: u64,
        tolerance: f64,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<(Self, Vec<Bound<'py, PyDict>>)> {
        let rows = self.scaled(rows.vectors()?).map_err(raised)?;
        let (targets, weights) = (targets.as_slice()?, slice_of(&weights)?);
        let limits = PassLimits { passes, tolerance };
        let (learner, found) = watched(py, None, |_, _| {
            let Learner::Rows(learner) = &self.learner else { return Err(other_kind()) };
            let mut learner = learner.clone();
            let found = visited(&mut learner, &views(&rows), targets, weights, &limits)?;
            Ok((Learner::Rows(learner), found))
        })?;
        Ok((self.with(learner), found.iter().map(|passes| told(py, passes)).collect::<PyResult<_>>()?))
    }

    /// The same for items by their kernel values.
    #[allow(clippy::too_many_arguments)]
    fn fit_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
        ids: Vec<u64>,
        targets: PyReadonlyArray1<'_, f64>,
        passes: u64,
        tolerance: f64,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<(Self, Vec<Bound<'py, PyDict>>)> {
        let (table, targets, weights) =
            (Table::new(&values, ids.clone())?, targets.as_slice()?, slice_of(&weights)?);
        let limits = PassLimits { passes, tolerance };
        let (learner, found) = watched(py, None, |_, _| {
            let Learner::Values(learner) = &self.learner else { return Err(other_kind()) };
            let mut learner = learner.clone();
            let found = visited(&mut learner, &table.items(&ids), targets, weights, &limits)?;
            Ok((Learner::Values(learner), found))
        })?;
        Ok((self.with(learner), found.iter().map(|passes| told(py, passes)).collect::<PyResult<_>>()?))
    }

    /// The values of the functions, one row for each row; of their means over all examples if that is asked for.
    fn values<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        averaged: bool,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = self.scaled(rows.vectors()?).map_err(raised)?;
        let Learner::Rows(learner) = &self.learner else { return Err(raised(other_kind())) };
        let found = watched(py, None, |_, _| valued(learner, &views(&rows), averaged))?;
        PyArray1::from_vec(py, found).reshape([rows.len(), learner.machines().len()])
    }

    /// The same for items by their kernel values.
    fn values_of_values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
        columns: Vec<u64>,
        averaged: bool,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let table = Table::new(&values, columns)?;
        let Learner::Values(learner) = &self.learner else { return Err(raised(other_kind())) };
        // They are not to be learned from, so that their own numbers do not matter.
        let items = table.items(&vec![u64::MAX; table.rows]);
        let found = watched(py, None, |_, _| valued(learner, &items, averaged))?;
        PyArray1::from_vec(py, found).reshape([table.rows, learner.machines().len()])
    }

    /// The answers where the functions have these values: codes of classes, numbers or levels.
    fn decide<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let view = values.as_array();
        let answers = view.rows().into_iter().map(|row| {
            let row: Vec<f64> = row.iter().copied().collect();
            number(either!(&self.learner, learner => learner.decide(&row)))
        });
        Ok(PyArray1::from_vec(py, answers.collect()))
    }

    /// Examples, mistakes, updates, loss, the squared radius and the largest margin so far; of all machines together first, then of each.
    #[getter]
    fn tallies(&self) -> Vec<Told> {
        fn all<M: Memory>(learner: &Several<M>) -> Vec<Tally> {
            let of_each = learner.machines().iter().map(Online::tally);
            std::iter::once(learner.tally()).chain(of_each).collect()
        }
        let one = |tally: &Tally| {
            let margin = tally.largest_margin();
            (tally.examples, tally.mistakes, tally.updates, tally.loss, tally.squared_radius, margin)
        };
        either!(&self.learner, learner => all(learner)).iter().map(one).collect()
    }

    /// The rule as JSON, the budget and how it is kept, and the bias step.
    #[getter]
    fn told(&self) -> PyResult<(String, Option<usize>, bool, f64, bool)> {
        fn one<M: Memory>(learner: &Several<M>) -> (Rule, Budget, f64, bool) {
            let (machine, state) = (&learner.machines()[0], learner.machines()[0].function().state());
            (machine.rule().clone(), state.budget, state.constant, state.averaging)
        }
        let (rule, budget, constant, averaging) = either!(&self.learner, learner => one(learner));
        let rule =
            serde_json::to_string(&rule).map_err(|problem| PyValueError::new_err(problem.to_string()))?;
        Ok((rule, budget.items(), matches!(budget, Budget::Project { .. }), constant, averaging))
    }

    /// Names of the columns, if a file had them.
    #[getter]
    fn feature_names(&self) -> Option<Vec<String>> {
        self.feature_names.clone()
    }

    /// How many columns rows have, once there was one.
    #[getter]
    fn columns(&self) -> Option<usize> {
        let Learner::Rows(learner) = &self.learner else { return None };
        learner.machines().iter().find_map(|machine| machine.function().memory().columns())
    }

    /// Of each machine: the coefficients and the offset.
    #[getter]
    fn functions(&self) -> Vec<(Vec<f64>, f64)> {
        fn one<M: Memory>(machine: &Online<M>) -> (Vec<f64>, f64) {
            (machine.function().coefficients().to_vec(), machine.function().offset())
        }
        either!(&self.learner, learner => learner.machines().iter().map(one).collect())
    }

    /// Of each machine: the numbers of the examples that it remembers.
    #[getter]
    fn ids(&self) -> Vec<Vec<u64>> {
        fn one<M: Memory>(machine: &Online<M>) -> Vec<u64> {
            machine.function().state().ids.clone()
        }
        either!(&self.learner, learner => learner.machines().iter().map(one).collect())
    }

    /// The numbers of the items that any machine of kernel values remembers, in order.
    #[getter]
    fn items(&self) -> Vec<u64> {
        let Learner::Values(learner) = &self.learner else { return Vec::new() };
        let mut found: Vec<u64> = learner
            .machines()
            .iter()
            .flat_map(|machine| machine.function().memory().ids().to_vec())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The thresholds of a ranking.
    #[getter]
    fn thresholds(&self) -> Vec<f64> {
        match either!(&self.learner, learner => learner.machines()[0].rule().clone()) {
            Rule::Ranking { thresholds } => thresholds,
            _ => Vec::new(),
        }
    }

    /// The classes, as text.
    #[getter]
    fn classes(&self) -> Vec<String> {
        either!(&self.learner, learner => learner.classes().to_vec())
    }

    /// The kernel of a learner of rows.
    #[getter]
    fn kernel(&self) -> Option<String> {
        match &self.learner {
            Learner::Rows(learner) => Some(learner.machines()[0].function().memory().kernel().to_string()),
            Learner::Values(_) => None,
        }
    }

    /// A learner of rows as the bytes of a file.
    fn to_bytes(&self) -> PyResult<Vec<u8>> {
        self.saved(None)?.to_bytes(ModelFormat::Binary).map_err(raised)
    }

    /// The learner that these bytes hold.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        SavedLearner::from_bytes(bytes).map(Self::of_saved).map_err(raised)
    }

    /// Writes a learner of rows to a file that the command line goes on with, with a note of the package.
    fn save(&self, path: PathBuf, names: Option<Vec<String>>, note: String) -> PyResult<()> {
        let saved = SavedLearner { note: Some(note), ..self.saved(names)? };
        saved.save(&path, ModelFormat::of(&path)).map_err(raised)
    }

    /// What the estimator that saved it has noted.
    #[getter]
    fn note(&self) -> Option<String> {
        self.note.clone()
    }

    /// A learner of kernel values, part by part.
    fn parts(&self) -> PyResult<Parts> {
        let Learner::Values(learner) = &self.learner else { return Err(raised(other_kind())) };
        let json = |problem: serde_json::Error| PyValueError::new_err(problem.to_string());
        let one = |machine: &Online<ValueMemory>| {
            let (state, memory) = (machine.state(), machine.function().memory());
            let text = serde_json::to_string(&state).map_err(json)?;
            let function = state.function;
            Ok((
                text,
                function.coefficients,
                function.delayed,
                function.ids,
                function.born,
                memory.ids().to_vec(),
                memory.values(),
            ))
        };
        let machines = learner.machines().iter().map(one).collect::<PyResult<_>>()?;
        Ok((learner.classes().to_vec(), serde_json::to_string(&learner.tally()).map_err(json)?, machines))
    }

    /// The learner of these parts.
    #[staticmethod]
    fn from_parts(parts: Parts) -> PyResult<Self> {
        let (classes, tally, machines) = parts;
        let json = |problem: serde_json::Error| PyValueError::new_err(problem.to_string());
        let one = |(text, coefficients, delayed, ids, born, items, values): Part| {
            let mut state: OnlineState = serde_json::from_str(&text).map_err(json)?;
            state.function.coefficients = coefficients;
            state.function.delayed = delayed;
            state.function.ids = ids;
            state.function.born = born;
            let memory = ValueMemory::with_items(items, &values).map_err(raised)?;
            Online::resume(memory, state).map_err(raised)
        };
        let machines = machines.into_iter().map(one).collect::<PyResult<Vec<_>>>()?;
        let tally: Tally = serde_json::from_str(&tally).map_err(json)?;
        let learner = Several::resume(machines, classes, tally).map_err(raised)?;
        Ok(OnlineLearner::of(Learner::Values(learner)))
    }
}

impl OnlineLearner {
    /// The learner of a file.
    pub fn of_saved(saved: SavedLearner) -> Self {
        let SavedLearner { learner, scaling, feature_names, label_name, label_at, note, options } = saved;
        let learner = Learner::Rows(learner);
        OnlineLearner { learner, scaling, label_name, label_at, feature_names, note, options }
    }

    fn of(learner: Learner) -> Self {
        OnlineLearner {
            learner,
            scaling: None,
            label_name: None,
            label_at: None,
            feature_names: None,
            note: None,
            options: None,
        }
    }

    /// The same of another learner.
    fn with(&self, learner: Learner) -> Self {
        OnlineLearner {
            learner,
            scaling: self.scaling.clone(),
            label_name: self.label_name.clone(),
            label_at: self.label_at,
            feature_names: self.feature_names.clone(),
            note: self.note.clone(),
            options: self.options.clone(),
        }
    }

    /// Rows as the learner sees them.
    fn scaled<'a>(&self, rows: Vectors<'a>) -> Result<Vectors<'a>> {
        match &self.scaling {
            Some(scaling) => scaling.apply(&rows),
            None => Ok(rows),
        }
    }

    fn saved(&self, names: Option<Vec<String>>) -> PyResult<SavedLearner> {
        match &self.learner {
            Learner::Rows(learner) => Ok(SavedLearner {
                learner: learner.clone(),
                scaling: self.scaling.clone(),
                feature_names: names.or(self.feature_names.clone()),
                label_name: self.label_name.clone(),
                label_at: self.label_at,
                note: self.note.clone(),
                options: self.options.clone(),
            }),
            Learner::Values(_) => Err(raised(other_kind())),
        }
    }
}

/// Weights as the engine takes them.
fn slice_of<'a>(weights: &'a Option<PyReadonlyArray1<'_, f64>>) -> PyResult<Option<&'a [f64]>> {
    Ok(weights.as_ref().map(|weights| weights.as_slice()).transpose()?)
}

fn other_kind() -> Error {
    let what = "the learner is one of kernel values, or of rows, and this is for the other kind".into();
    Error::Unsupported { what }
}

fn told<'py>(py: Python<'py>, found: &Passes) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("passes", found.passes)?;
    told.set_item("updates", found.updates)?;
    told.set_item("settled", found.settled)?;
    told.set_item("squared_radius", found.squared_radius)?;
    told.set_item("margin", found.margin)?;
    Ok(told)
}

//! A trained model, as Python holds it: its attributes. How it is asked, what is told of its training and its files are in `model/`.

pub mod files;
mod pieces;
mod solved;
mod support;

use std::path::PathBuf;
use std::time::Instant;

use mercer::data::{Collection, Feature, FeatureValues, ScalingKind};
use mercer::gram::Precision;
use mercer::io::{self, KERNEL_VALUES, ModelCard, ModelFormat, TrainedMachine};
use mercer::machine::one_against_one::{most_votes, winner};
use mercer::machine::probability::Map;
use mercer::machine::{Decision, Multiclass, PairMachines, Region};
use mercer::solver::Status;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use self::pieces::in_rows;
use crate::bounds::told;
use crate::errors::raised;
use crate::items::to_python;
use crate::rows::Rows;
use crate::watch::watched;

/// A trained model.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Model {
    saved: io::Model,
    /// What the training took, if it was trained here.
    seconds: Option<f64>,
}

/// The method of a scaling, its two numbers, centers and widths.
type ScalingParts = (String, (f64, f64), Vec<f64>, Vec<f64>);

impl Model {
    /// A model of these training items, whose training began then and has just ended.
    pub fn new(
        machine: impl Into<TrainedMachine>,
        items: &Collection<'_>,
        threads: usize,
        begun: Instant,
    ) -> Self {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let machine = machine.into().with_threads(threads);
        Model { saved: io::Model::new(machine, None, ModelCard::of_items(items)), seconds }
    }

    /// A model of kernel values with n training items, whose training began then and has just ended.
    pub fn of_kernel_values(
        machine: impl Into<TrainedMachine>,
        n: usize,
        threads: usize,
        begun: Instant,
    ) -> Self {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let machine = machine.into().with_threads(threads);
        let card = card_of_kernel_values(machine.support_items(), n);
        Model { saved: io::Model::new(machine, None, card), seconds }
    }

    /// A model from a file or made of another, of whose training no time is known.
    pub fn of(saved: io::Model) -> Self {
        Model { saved, seconds: None }
    }
}

/// The card of a model of kernel values with n training items, of which it keeps these.
pub fn card_of_kernel_values(items: &Collection<'_>, n: usize) -> ModelCard {
    let mut card = ModelCard::of_items(items);
    card.rows = n as u64;
    card.data_checksum = String::new();
    card.notes.insert(KERNEL_VALUES.into(), "rows are kernel values with the training items".into());
    card
}

/// A model as the bytes of a model file.
pub fn to_bytes<'py>(py: Python<'py>, saved: &io::Model) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &py.detach(|| saved.to_bytes(ModelFormat::Binary)))
}

#[pymethods]
impl Model {
    /// "pairs", "classes", "numbers", "region", "linear classes", "linear numbers" or "matrix".
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.saved.machine {
            TrainedMachine::Svc(_) => "pairs",
            TrainedMachine::Classes(_) => "classes",
            TrainedMachine::Svr(_) => "numbers",
            TrainedMachine::Novelty(_) => "region",
            TrainedMachine::Linear(_) => "linear classes",
            TrainedMachine::LinearRegression(_) => "linear numbers",
            TrainedMachine::Matrix(_) => "matrix",
        }
    }

    /// Which of the machines that factorise K it is.
    #[getter]
    fn machine(&self) -> Option<&'static str> {
        match &self.saved.machine {
            TrainedMachine::Matrix(model) => Some(model.name()),
            _ => None,
        }
    }

    /// Seconds that the training took, without what was done for Python before and after; None for a model from a file.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.seconds
    }

    /// Whether its rows are kernel values.
    #[getter]
    fn takes_kernel_values(&self) -> bool {
        self.saved.card.notes.contains_key(KERNEL_VALUES)
    }

    /// The kernel with every automatic parameter filled in.
    #[getter]
    fn kernel(&self) -> String {
        self.saved.machine.kernel().to_string()
    }

    /// What was done to a kernel that is shifted or clipped.
    #[getter]
    fn mended(&self) -> Option<String> {
        self.saved.machine.kernel().learned_mending().map(ToString::to_string)
    }

    /// Whether it scales the rows that it is asked about, as those that it was trained on were.
    #[getter]
    fn is_scaled(&self) -> bool {
        self.saved.scaling.is_some()
    }

    /// What was done to the columns before training: (name of the method, its two numbers, centers, widths).
    #[getter]
    fn scaling(&self) -> Option<ScalingParts> {
        let scaling = self.saved.scaling.as_ref()?;
        let (name, range) = match scaling.kind() {
            ScalingKind::Standardise => ("standard", (0.0, 0.0)),
            ScalingKind::MinMax { low, high } => ("range", (low, high)),
            ScalingKind::Deviation => ("deviation", (0.0, 0.0)),
            ScalingKind::MaxAbs => ("largest", (0.0, 0.0)),
            ScalingKind::UnitNorm => ("norm", (0.0, 0.0)),
        };
        Some((name.into(), range, scaling.centre().to_vec(), scaling.width().to_vec()))
    }

    /// The columns of the table that it was trained on, as JSON, if some of them have words.
    #[getter]
    fn schema(&self) -> PyResult<Option<String>> {
        let words = |feature: &Feature| matches!(feature.values, FeatureValues::Words { .. });
        match &self.saved.schema {
            Some(schema) if schema.features.iter().any(words) => serde_json::to_string(schema)
                .map(Some)
                .map_err(|error| PyValueError::new_err(error.to_string())),
            _ => Ok(None),
        }
    }

    /// Number of columns of the rows that it takes.
    #[getter]
    fn columns(&self) -> u64 {
        self.saved.card.columns
    }

    /// Number of rows that it was trained on.
    #[getter]
    fn rows(&self) -> u64 {
        self.saved.card.rows
    }

    /// How more than two classes are told apart, as `multi_class` of an estimator calls it.
    #[getter]
    fn multiclass(&self) -> &'static str {
        match &self.saved.machine {
            TrainedMachine::Svc(model) if model.pairs().decision == Decision::Graph => "dag",
            TrainedMachine::Classes(model) => match model.machine() {
                Multiclass::OneAgainstRest => "ovr",
                Multiclass::WestonWatkins => "weston-watkins",
                Multiclass::CrammerSinger => "crammer-singer",
            },
            _ => "ovo",
        }
    }

    /// Names of the classes, in order.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.saved.machine.classes().map(<[String]>::to_vec).unwrap_or_default()
    }

    /// Positions of the support items in the training set.
    #[getter]
    fn support<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let support = self.saved.machine.support_rows();
        PyArray1::from_iter(py, support.iter().map(|&i| i as i32))
    }

    /// The support items themselves: a matrix, or (data, indices, indptr, columns).
    #[getter]
    fn support_items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.saved.machine.support_items())
    }

    /// Coefficients: a row for each support item; of pairs one for each other class, else one for each function. Of linear
    /// machines a row of weights for each function.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        support::coefficients(py, self)
    }

    /// Offsets: of each pair, of each class, or of the one function; −ρ or −r² of a region.
    #[getter]
    fn offsets(&self) -> Vec<f64> {
        match &self.saved.machine {
            TrainedMachine::Svc(model) => model.pairs().offsets.clone(),
            TrainedMachine::Classes(model) => model.functions().offsets.clone(),
            TrainedMachine::Svr(model) => vec![model.expansion().offset],
            TrainedMachine::Novelty(model) => vec![-model.found().threshold],
            TrainedMachine::Linear(model) => model.functions().intercepts.clone(),
            TrainedMachine::LinearRegression(model) => model.functions().intercepts.clone(),
            TrainedMachine::Matrix(_) => Vec::new(),
        }
    }

    /// How many support items each class has.
    #[getter]
    fn support_per_class(&self) -> Vec<i32> {
        match &self.saved.machine {
            TrainedMachine::Svc(model) => {
                model.pairs().starts.windows(2).map(|ends| (ends[1] - ends[0]) as i32).collect()
            }
            other => vec![other.support_rows().len() as i32],
        }
    }

    /// Steps of the solver, for each problem.
    #[getter]
    fn iterations(&self) -> Vec<i64> {
        self.ended().iter().map(|ended| i64::try_from(ended.iterations).unwrap_or(i64::MAX)).collect()
    }

    /// How the training ended: "converged", or what stopped the first problem that has not.
    #[getter]
    fn status(&self) -> Option<String> {
        self.saved.machine.status().map(|status| status.to_string())
    }

    /// Whether a limit of time or steps ended it.
    #[getter]
    fn is_converged(&self) -> bool {
        self.saved.machine.status().is_none_or(|status| status == Status::Converged)
    }

    /// The largest violation of the optimality conditions.
    #[getter]
    fn kkt_gap(&self) -> Option<f64> {
        self.ended().iter().map(|ended| ended.certificate.kkt_gap).reduce(f64::max)
    }

    /// The largest relative duality gap; none where none can be claimed.
    #[getter]
    fn gap(&self) -> Option<f64> {
        let ended = self.ended();
        match ended.iter().all(|ended| ended.convex) {
            true => ended.iter().map(|ended| ended.certificate.relative_gap()).reduce(f64::max),
            false => None,
        }
    }

    /// The primal and dual objective of each problem.
    #[getter]
    fn objectives(&self) -> Vec<(f64, f64)> {
        self.ended().iter().map(|ended| (ended.certificate.primal, ended.certificate.dual)).collect()
    }

    /// "single" or "double".
    #[getter]
    fn precision(&self) -> &'static str {
        if self.saved.machine.precision() == Precision::F32 { "single" } else { "double" }
    }

    /// The tube ε that was given or found, of a regression.
    #[getter]
    fn tube(&self) -> Option<f64> {
        match &self.saved.machine {
            TrainedMachine::Svr(model) => Some(model.tube()),
            _ => None,
        }
    }

    /// Whether the region of a detector is a half-space; else it is a sphere.
    #[getter]
    fn is_hyperplane(&self) -> bool {
        matches!(&self.saved.machine, TrainedMachine::Novelty(model) if model.region() == Region::Hyperplane)
    }

    /// (r² or ρ, ‖v‖², by how much the region is larger, scale of the coefficients) of a detector.
    #[getter]
    fn region(&self) -> Option<(f64, f64, f64, f64)> {
        match &self.saved.machine {
            TrainedMachine::Novelty(model) => {
                let found = model.found();
                Some((found.threshold, found.squared_norm, model.edge(), model.scale()))
            }
            _ => None,
        }
    }

    /// A and B of 1/(1 + exp(A f + B)) for each pair, where sigmoids give the probabilities.
    #[getter]
    fn sigmoids(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let calibration = self.pairs()?.calibration.as_ref()?;
        let of = |map: &Map| match map {
            Map::Sigmoid(sigmoid) => Some((sigmoid.slope, sigmoid.shift)),
            Map::Isotonic(_) => None,
        };
        calibration.maps.iter().map(of).collect::<Option<Vec<_>>>().map(|pairs| pairs.into_iter().unzip())
    }

    /// Where its probabilities come from, if it gives any: "consistent", "platt" or "isotonic".
    #[getter]
    fn probability(&self) -> Option<String> {
        Some(self.pairs()?.calibration.as_ref()?.kind.to_string())
    }

    /// Whether it gives probabilities.
    #[getter]
    fn has_probabilities(&self) -> bool {
        self.pairs().is_some_and(|pairs| pairs.calibration.is_some())
    }

    /// For each row the value of each pair (positive for the later class), of each class, or of the one function.
    fn decision_values<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let width = match &self.saved.machine {
            TrainedMachine::Svc(model) => model.pairs().offsets.len(),
            TrainedMachine::Classes(model) => model.classes().len(),
            TrainedMachine::Linear(model) => model.functions().count(),
            TrainedMachine::Matrix(model) => model.width(),
            _ => 1,
        };
        let values = self.asked(py, &rows, |machine, items| match machine {
            TrainedMachine::Svc(model) => model.decision_values(items),
            TrainedMachine::Classes(model) => model.scores(items),
            TrainedMachine::Svr(model) => model.predict(items),
            TrainedMachine::Novelty(model) => model.scores(items),
            TrainedMachine::Linear(model) => model.decision_values(items.rows()?),
            TrainedMachine::LinearRegression(model) => model.predict(items.rows()?),
            TrainedMachine::Matrix(model) => model.values(items),
        })?;
        in_rows(py, values, width)
    }

    /// For each row a score of each class; the highest is predicted.
    fn class_scores<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let classes = self.saved.machine.classes().map_err(raised)?.len();
        let values = self.asked(py, &rows, |machine, items| machine.class_scores(items))?;
        in_rows(py, values, classes)
    }

    /// For each row the position of its class. Of equal votes the scores decide, or, as LIBSVM has it, the order of the classes.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        ties_in_order: bool,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let k = self.saved.machine.classes().map_err(raised)?.len();
        let by_votes = |pairs: &PairMachines| ties_in_order && pairs.decision == Decision::Votes;
        let voted = |decisions: Vec<f64>| -> Vec<i64> {
            decisions.chunks_exact(k * (k - 1) / 2).map(|of_row| most_votes(k, of_row) as i64).collect()
        };
        let won = |scores: Vec<f64>| -> Vec<i64> {
            scores.chunks_exact(k).map(|of_row| winner(of_row) as i64).collect()
        };
        let codes = self.asked(py, &rows, |machine, items| match machine {
            TrainedMachine::Svc(model) if by_votes(model.pairs()) => model.decision_values(items).map(voted),
            machine => machine.class_scores(items).map(won),
        })?;
        Ok(PyArray1::from_vec(py, codes))
    }

    /// For each row the probability of each class.
    fn probabilities<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let classes = self.saved.machine.classes().map_err(raised)?.len();
        let values = self.asked(py, &rows, |machine, items| machine.classifier()?.probabilities(items))?;
        in_rows(py, values, classes)
    }

    /// Threads for predictions; 0 means as many as there are.
    #[getter]
    fn threads(&self) -> usize {
        self.saved.machine.kept().map_or(0, |kept| kept.threads)
    }

    /// The same model with so many threads for predictions.
    fn with_threads(&self, threads: usize) -> Model {
        Model { saved: self.saved.clone().with_threads(threads), seconds: self.seconds }
    }

    /// What theorems promise about new rows.
    fn bounds<'py>(
        &self,
        py: Python<'py>,
        delta: f64,
        choices: usize,
        gamma: Option<f64>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        told(py, &self.saved.machine, delta, choices, gamma)
    }

    /// The model as the bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.saved)
    }

    /// The model that the bytes of a model file hold.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Model> {
        let saved = watched(py, None, |_, _| io::Model::from_bytes(bytes))?;
        Ok(Model::of(saved))
    }

    /// Pickled as the bytes of a model file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Model>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }

    /// Writes the model to a file: JSON for .json, LIBSVM's format for .model, else binary.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        cost: f64,
        names: Option<Vec<String>>,
        note: String,
    ) -> PyResult<()> {
        let mut saved = self.saved.clone();
        saved.card.cost = cost;
        saved.card.feature_names = names;
        saved.card.notes.insert(NOTE.into(), note);
        watched(py, None, |_, _| files::write(&saved, &path))
    }

    /// What the estimator that saved the model has noted for the one that it becomes again; none in files from elsewhere.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.saved.card.notes.get(NOTE).map(String::as_str)
    }

    /// The parameters of the machine as its card has them: a JSON object.
    #[getter]
    fn parameters(&self) -> PyResult<String> {
        serde_json::to_string(&self.saved.card.parameters)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Names of the features, if they are known.
    #[getter]
    fn feature_names(&self) -> Option<Vec<String>> {
        self.saved.card.feature_names.clone()
    }
}

/// Whose note it is.
pub const NOTE: &str = "python";

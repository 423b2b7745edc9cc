//! A trained model, as Python holds it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use mercer::data::{Items, Structures, Vectors};
use mercer::gram::{Precision, StructureKernel};
use mercer::io::{
    AnyModel, LoadedModel, ModelCard, ModelFormat, SavedModel, read_libsvm_model, write_libsvm_model,
};
use mercer::machine::one_against_one::{most_votes, winner};
use mercer::machine::probability::Map;
use mercer::machine::{Decision, Expansion, Multiclass, PairMachines, Region, Report};
use mercer::solver::{Certificate, Status};
use mercer::{Error, Result};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::bounds::told;
use crate::errors::raised;
use crate::items::to_python;
use crate::rows::Rows;

/// The name of the note on the card of a model whose rows are kernel values, as the command line knows it.
const KERNEL_VALUES: &str = "precomputed";

/// Steps of the first piece of a prediction: its rows times support items times columns, some forty milliseconds as a rule. Every
/// piece begins with the support items in another order of memory, so that few are better than many.
const FIRST_PIECE: usize = 1 << 31;
/// What a kernel value costs besides its columns, in columns.
const OF_VALUE: usize = 32;
/// Rows that it has at least.
const LEAST_ROWS: usize = 64;
/// Numbers that a piece holds at most, of which a copy is made.
const LARGEST_PIECE: usize = 1 << 21;
/// Structured items that are looked at between two looks for signals.
const ITEMS_AT_ONCE: usize = 256;
/// The most by which a piece grows at a time.
const GROWTH: usize = 8;
/// Pieces that take less than the first grow, those that take more than the second are halved.
const MOMENT: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(50));

/// A trained model.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Model {
    saved: LoadedModel,
    /// What the training took, if it was trained here.
    seconds: Option<f64>,
}

/// What is asked of a model, whatever its items are.
macro_rules! of {
    ($of:expr, $model:ident => $asked:expr) => {
        match &$of.saved {
            LoadedModel::Rows(saved) => {
                let $model = &saved.model;
                $asked
            }
            LoadedModel::Structures(saved) => {
                let $model = &saved.model;
                $asked
            }
        }
    };
}

/// A model of structured items.
type Structured = AnyModel<StructureKernel, Structures>;

/// What is told of each problem that was solved.
struct Ended {
    certificate: Certificate,
    convex: bool,
    iterations: u64,
}

impl Model {
    /// A model of these training rows, whose training began then and has just ended.
    pub fn new(model: AnyModel, rows: &Vectors<'_>, threads: usize, begun: Instant) -> Self {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let saved = SavedModel::new(model.with_threads(threads), None, ModelCard::of(rows));
        Model { saved: LoadedModel::Rows(saved), seconds }
    }

    /// A model of kernel values with n training items, whose training began then and has just ended.
    pub fn of_kernel_values(model: AnyModel, n: usize, threads: usize, begun: Instant) -> Self {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let mut card = ModelCard::of(model.support_items());
        card.rows = n as u64;
        card.data_checksum = String::new();
        card.notes.insert(KERNEL_VALUES.into(), "rows are kernel values with the training items".into());
        Model { saved: LoadedModel::Rows(SavedModel::new(model.with_threads(threads), None, card)), seconds }
    }

    /// A model of these training items, whose training began then and has just ended.
    pub fn of_structures(model: Structured, items: &Structures, threads: usize, begun: Instant) -> Self {
        let seconds = Some(begun.elapsed().as_secs_f64());
        let saved = SavedModel::of_structures(model.with_threads(threads), ModelCard::of_structures(items));
        Model { saved: LoadedModel::Structures(saved), seconds }
    }

    fn card(&self) -> &ModelCard {
        match &self.saved {
            LoadedModel::Rows(saved) => &saved.card,
            LoadedModel::Structures(saved) => &saved.card,
        }
    }

    /// The model of rows of numbers.
    fn of_rows(&self) -> Result<&SavedModel> {
        match &self.saved {
            LoadedModel::Rows(saved) => Ok(saved),
            LoadedModel::Structures(saved) => {
                let kind = saved.model.support_items().kind();
                Err(Error::Unsupported {
                    what: format!("the model is one of {kind}, not of rows of numbers"),
                })
            }
        }
    }

    /// Computes with rows, or with structured items where the model is one of such.
    fn asked<T: Send>(
        &self,
        py: Python<'_>,
        rows: &Rows<'_>,
        of_rows: impl Fn(&AnyModel, &Vectors<'_>) -> Result<Vec<T>> + Sync,
        of_items: impl Fn(&Structured, &Structures) -> Result<Vec<T>> + Sync,
    ) -> PyResult<Vec<T>> {
        match (&self.saved, rows.structures()) {
            (LoadedModel::Structures(saved), Some(items)) => {
                let (mut values, n) = (Vec::new(), items.len());
                for start in (0..n).step_by(ITEMS_AT_ONCE) {
                    py.check_signals()?;
                    let some: Vec<usize> = (start..n.min(start + ITEMS_AT_ONCE)).collect();
                    let answer = py.detach(|| of_items(&saved.model, &items.select(&some)));
                    values.extend(answer.map_err(|error| match error {
                        Error::Item { index, source } => raised(Error::Item { index: index + start, source }),
                        error => raised(error),
                    })?);
                }
                Ok(values)
            }
            _ => {
                let saved = self.of_rows().map_err(raised)?;
                self.on_rows(py, saved, rows, |rows| of_rows(&saved.model, rows))
            }
        }
    }

    /// The machines of pairs, if it has such.
    pub fn pairs(&self) -> Option<&PairMachines> {
        of!(self, model => match model {
            AnyModel::Svc(model) => Some(model.pairs()),
            _ => None,
        })
    }

    /// The one function that it is, if it is one.
    pub fn expansion(&self) -> Option<&Expansion> {
        of!(self, model => match model {
            AnyModel::Svr(model) => Some(model.expansion()),
            AnyModel::Novelty(model) => Some(model.expansion()),
            _ => None,
        })
    }

    fn ended(&self) -> Vec<Ended> {
        let one = |report: &Report| Ended {
            certificate: report.certificate,
            convex: report.convex,
            iterations: report.iterations,
        };
        of!(self, model => match model {
            AnyModel::Svc(model) => {
                let reports = model.pairs().reports.iter();
                let of_pair = |report: &mercer::machine::PairReport| Ended {
                    certificate: report.certificate,
                    convex: report.convex,
                    iterations: report.iterations,
                };
                reports.map(of_pair).collect()
            }
            AnyModel::Svr(model) => model.report().into_iter().map(one).collect(),
            AnyModel::Novelty(model) => model.report().into_iter().map(one).collect(),
            AnyModel::Classes(model) => model.reports().iter().map(one).collect(),
            AnyModel::Linear(model) => model.reports().iter().map(one).collect(),
            AnyModel::LinearRegression(model) => model.report().into_iter().map(one).collect(),
            AnyModel::Matrix(_) => Vec::new(),
        })
    }

    /// Computes with the rows, scaled if the training rows were, while other threads of Python may run. Many rows are taken in
    /// pieces, between which signals are looked for: no value depends on the others.
    fn on_rows<T: Send>(
        &self,
        py: Python<'_>,
        saved: &SavedModel,
        rows: &Rows<'_>,
        compute: impl Fn(&Vectors<'_>) -> Result<Vec<T>> + Sync,
    ) -> PyResult<Vec<T>> {
        let given = rows.vectors()?.map_err(raised)?;
        let compute = |rows: &Vectors<'_>| match saved.scaling {
            Some(_) => compute(&saved.prepare(rows)?),
            None => compute(rows),
        };
        let n = given.len();
        let support = saved.model.support_items().len().max(1);
        let most = (LARGEST_PIECE / (given.stored() / n.max(1)).max(1)).max(LEAST_ROWS);
        let first = FIRST_PIECE / support.saturating_mul(given.columns() + OF_VALUE);
        let mut size = first.clamp(LEAST_ROWS, most);
        if n <= size {
            return py.detach(|| compute(&given)).map_err(raised);
        }
        let (mut values, mut start) = (Vec::new(), 0);
        while start < n {
            py.check_signals()?;
            let piece = start..start.saturating_add(size).min(n);
            start = piece.end;
            let begun = Instant::now();
            values.extend(py.detach(|| compute(&given.range(piece))).map_err(raised)?);
            match begun.elapsed() {
                took if took < MOMENT.0 / GROWTH as u32 => size = size.saturating_mul(GROWTH),
                took if took < MOMENT.0 => size = size.saturating_mul(2),
                took if took > MOMENT.1 => size = (size / 2).max(1),
                _ => {}
            }
            size = size.min(most);
        }
        Ok(values)
    }
}

/// What is asked of support vectors is not asked of machines that have none.
fn no_vectors(name: &str) -> Error {
    Error::Unsupported { what: format!("a model of {name} has no support vectors") }
}

/// A row for each item.
fn in_rows(py: Python<'_>, values: Vec<f64>, width: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = values.len() / width;
    PyArray1::from_vec(py, values).reshape([rows, width])
}

#[pymethods]
impl Model {
    /// "pairs", "classes", "numbers", "region", "linear classes", "linear numbers" or "matrix".
    #[getter]
    fn kind(&self) -> &'static str {
        of!(self, model => match model {
            AnyModel::Svc(_) => "pairs",
            AnyModel::Classes(_) => "classes",
            AnyModel::Svr(_) => "numbers",
            AnyModel::Novelty(_) => "region",
            AnyModel::Linear(_) => "linear classes",
            AnyModel::LinearRegression(_) => "linear numbers",
            AnyModel::Matrix(_) => "matrix",
        })
    }

    /// Seconds that the training took, without what was done for Python before and after; None for a model from a file.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.seconds
    }

    /// Whether its rows are kernel values.
    #[getter]
    fn takes_kernel_values(&self) -> bool {
        self.card().notes.contains_key(KERNEL_VALUES)
    }

    /// The kernel with every automatic parameter filled in.
    #[getter]
    fn kernel(&self) -> String {
        of!(self, model => model.kernel().to_string())
    }

    /// Whether it scales the rows that it is asked about, as those that it was trained on were.
    #[getter]
    fn is_scaled(&self) -> bool {
        matches!(&self.saved, LoadedModel::Rows(saved) if saved.scaling.is_some())
    }

    /// Number of columns of the rows that it takes.
    #[getter]
    fn columns(&self) -> u64 {
        self.card().columns
    }

    /// Number of rows that it was trained on.
    #[getter]
    fn rows(&self) -> u64 {
        self.card().rows
    }

    /// How more than two classes are told apart, as `multi_class` of an estimator calls it.
    #[getter]
    fn multiclass(&self) -> &'static str {
        of!(self, model => match model {
            AnyModel::Svc(model) if model.pairs().decision == Decision::Graph => "dag",
            AnyModel::Classes(model) => match model.machine() {
                Multiclass::OneAgainstRest => "ovr",
                Multiclass::WestonWatkins => "weston-watkins",
                Multiclass::CrammerSinger => "crammer-singer",
            },
            _ => "ovo",
        })
    }

    /// Names of the classes, in order.
    #[getter]
    fn classes(&self) -> Vec<String> {
        of!(self, model => model.classes().map(<[String]>::to_vec).unwrap_or_default())
    }

    /// Positions of the support items in the training set.
    #[getter]
    fn support<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let support = of!(self, model => model.support_rows());
        PyArray1::from_iter(py, support.iter().map(|&i| i as i32))
    }

    /// The support items themselves: a matrix, or (data, indices, indptr, columns).
    #[getter]
    fn support_items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let items = match &self.saved {
            LoadedModel::Rows(saved) => saved.model.support_items(),
            LoadedModel::Structures(saved) => {
                let items = to_python(py, saved.model.support_items())?;
                return Ok(items.into_pyobject(py)?.into_any());
            }
        };
        let shape = [items.len(), items.columns()];
        Ok(match &*items.row_major() {
            Vectors::Columns64(_) | Vectors::Columns32(_) => unreachable!("they have been put in rows"),
            Vectors::Dense64(rows) => PyArray1::from_slice(py, rows.values()).reshape(shape)?.into_any(),
            Vectors::Dense32(rows) => PyArray1::from_slice(py, rows.values()).reshape(shape)?.into_any(),
            Vectors::Sparse(rows) => {
                let (offsets, indices, values) = rows.parts();
                let parts = (
                    PyArray1::from_slice(py, values),
                    PyArray1::from_iter(py, indices.iter().map(|&i| i as i32)),
                    PyArray1::from_iter(py, offsets.iter().map(|&i| i as i32)),
                    items.columns(),
                );
                parts.into_pyobject(py)?.into_any()
            }
        })
    }

    /// Coefficients: a row for each support item; of pairs one for each other class, else one for each function. Of linear
    /// machines a row of weights for each function.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (values, width) = of!(self, model => match model {
            AnyModel::Svc(model) => (&model.pairs().coefficients, model.classes().len() - 1),
            AnyModel::Classes(model) => (&model.functions().coefficients, model.classes().len()),
            AnyModel::Svr(model) => (&model.expansion().coefficients, 1),
            AnyModel::Novelty(model) => (&model.expansion().coefficients, 1),
            AnyModel::Linear(model) => (&model.functions().weights, model.functions().columns),
            AnyModel::LinearRegression(model) => (&model.functions().weights, model.functions().columns),
            AnyModel::Matrix(model) => return Err(raised(no_vectors(model.name()))),
        });
        PyArray1::from_slice(py, values).reshape([values.len() / width, width])
    }

    /// Offsets: of each pair, of each class, or of the one function; −ρ or −r² of a region.
    #[getter]
    fn offsets(&self) -> Vec<f64> {
        of!(self, model => match model {
            AnyModel::Svc(model) => model.pairs().offsets.clone(),
            AnyModel::Classes(model) => model.functions().offsets.clone(),
            AnyModel::Svr(model) => vec![model.expansion().offset],
            AnyModel::Novelty(model) => vec![-model.found().threshold],
            AnyModel::Linear(model) => model.functions().intercepts.clone(),
            AnyModel::LinearRegression(model) => model.functions().intercepts.clone(),
            AnyModel::Matrix(_) => Vec::new(),
        })
    }

    /// How many support items each class has.
    #[getter]
    fn support_per_class(&self) -> Vec<i32> {
        of!(self, model => match model {
            AnyModel::Svc(model) => {
                model.pairs().starts.windows(2).map(|ends| (ends[1] - ends[0]) as i32).collect()
            }
            other => vec![other.support_rows().len() as i32],
        })
    }

    /// Steps of the solver, for each problem.
    #[getter]
    fn iterations(&self) -> Vec<i64> {
        self.ended().iter().map(|ended| i64::try_from(ended.iterations).unwrap_or(i64::MAX)).collect()
    }

    /// How the training ended: "converged", or what stopped the first problem that has not.
    #[getter]
    fn status(&self) -> Option<String> {
        of!(self, model => model.status()).map(|status| status.to_string())
    }

    /// Whether a limit of time or steps ended it.
    #[getter]
    fn is_converged(&self) -> bool {
        of!(self, model => model.status()).is_none_or(|status| status == Status::Converged)
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
        if of!(self, model => model.precision()) == Precision::F32 { "single" } else { "double" }
    }

    /// The tube ε that was given or found, of a regression.
    #[getter]
    fn tube(&self) -> Option<f64> {
        of!(self, model => match model {
            AnyModel::Svr(model) => Some(model.tube()),
            _ => None,
        })
    }

    /// Whether the region of a detector is a half-space; else it is a sphere.
    #[getter]
    fn is_hyperplane(&self) -> bool {
        of!(self, model => matches!(model, AnyModel::Novelty(model) if model.region() == Region::Hyperplane))
    }

    /// (r² or ρ, ‖v‖², by how much the region is larger, scale of the coefficients) of a detector.
    #[getter]
    fn region(&self) -> Option<(f64, f64, f64, f64)> {
        of!(self, model => match model {
            AnyModel::Novelty(model) => {
                let found = model.found();
                Some((found.threshold, found.squared_norm, model.edge(), model.scale()))
            }
            _ => None,
        })
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
        let width = of!(self, model => match model {
            AnyModel::Svc(model) => model.pairs().offsets.len(),
            AnyModel::Classes(model) => model.classes().len(),
            AnyModel::Linear(model) => model.functions().count(),
            AnyModel::Matrix(model) => model.width(),
            _ => 1,
        });
        let of_rows = |model: &AnyModel, rows: &Vectors<'_>| match model {
            AnyModel::Svc(model) => model.decision_values(rows),
            AnyModel::Classes(model) => model.scores(rows),
            AnyModel::Svr(model) => model.predict(rows),
            AnyModel::Novelty(model) => model.scores(rows),
            AnyModel::Linear(model) => model.decision_values(rows),
            AnyModel::LinearRegression(model) => model.predict(rows),
            AnyModel::Matrix(model) => model.values(rows),
        };
        let of_items = |model: &Structured, items: &Structures| match model {
            AnyModel::Svc(model) => model.decision_values(items),
            AnyModel::Svr(model) => model.predict(items),
            AnyModel::Novelty(model) => model.scores(items),
            AnyModel::Matrix(model) => model.values(items),
            model => model.class_scores(items),
        };
        let values = self.asked(py, &rows, of_rows, of_items)?;
        in_rows(py, values, width)
    }

    /// For each row a score of each class; the highest is predicted.
    fn class_scores<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let classes = of!(self, model => model.classes()).map_err(raised)?.len();
        let values = self.asked(
            py,
            &rows,
            |model, rows| model.class_scores(rows),
            |model, items| model.class_scores(items),
        )?;
        in_rows(py, values, classes)
    }

    /// For each row the position of its class. Of equal votes the scores decide, or, as LIBSVM has it, the order of the classes.
    fn predict<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        ties_in_order: bool,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let k = of!(self, model => model.classes()).map_err(raised)?.len();
        let by_votes = |pairs: &PairMachines| ties_in_order && pairs.decision == Decision::Votes;
        let voted = |decisions: Vec<f64>| -> Vec<i64> {
            decisions.chunks_exact(k * (k - 1) / 2).map(|of_row| most_votes(k, of_row) as i64).collect()
        };
        let won = |scores: Vec<f64>| -> Vec<i64> {
            scores.chunks_exact(k).map(|of_row| winner(of_row) as i64).collect()
        };
        let of_rows = |model: &AnyModel, rows: &Vectors<'_>| match model {
            AnyModel::Svc(model) if by_votes(model.pairs()) => model.decision_values(rows).map(voted),
            model => model.class_scores(rows).map(won),
        };
        let of_items = |model: &Structured, items: &Structures| match model {
            AnyModel::Svc(model) if by_votes(model.pairs()) => model.decision_values(items).map(voted),
            model => model.class_scores(items).map(won),
        };
        let codes = self.asked(py, &rows, of_rows, of_items)?;
        Ok(PyArray1::from_vec(py, codes))
    }

    /// For each row the probability of each class.
    fn probabilities<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let classes = of!(self, model => model.classes()).map_err(raised)?.len();
        let of_rows = |model: &AnyModel, rows: &Vectors<'_>| model.classifier()?.probabilities(rows);
        let of_items = |model: &Structured, items: &Structures| match model {
            AnyModel::Svc(model) => model.probabilities(items),
            _ => Err(Error::Unsupported { what: "the model has no probabilities".into() }),
        };
        in_rows(py, self.asked(py, &rows, of_rows, of_items)?, classes)
    }

    /// Threads for predictions; 0 means as many as there are.
    #[getter]
    fn threads(&self) -> usize {
        of!(self, model => match model {
            AnyModel::Svc(model) => model.kept().threads,
            AnyModel::Svr(model) => model.kept().threads,
            AnyModel::Novelty(model) => model.kept().threads,
            AnyModel::Classes(model) => model.kept().threads,
            AnyModel::Matrix(model) => model.kept().threads,
            AnyModel::Linear(_) | AnyModel::LinearRegression(_) => 0,
        })
    }

    /// The same model with so many threads for predictions.
    fn with_threads(&self, threads: usize) -> Model {
        let saved = match self.saved.clone() {
            LoadedModel::Rows(saved) => {
                LoadedModel::Rows(SavedModel { model: saved.model.with_threads(threads), ..saved })
            }
            LoadedModel::Structures(saved) => {
                LoadedModel::Structures(SavedModel { model: saved.model.with_threads(threads), ..saved })
            }
        };
        Model { saved, seconds: self.seconds }
    }

    /// What theorems promise about new rows.
    fn bounds<'py>(
        &self,
        py: Python<'py>,
        delta: f64,
        choices: usize,
        gamma: Option<f64>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        of!(self, model => told(py, model, delta, choices, gamma))
    }

    /// The model as the bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| match &self.saved {
            LoadedModel::Rows(saved) => saved.to_bytes(ModelFormat::Binary),
            LoadedModel::Structures(saved) => saved.to_bytes(ModelFormat::Binary),
        });
        PyBytes::new(py, &bytes)
    }

    /// The model that the bytes of a model file hold.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Model> {
        let saved = py.detach(|| LoadedModel::from_bytes(bytes)).map_err(raised)?;
        Ok(Model { saved, seconds: None })
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
        let card = match &mut saved {
            LoadedModel::Rows(saved) => &mut saved.card,
            LoadedModel::Structures(saved) => &mut saved.card,
        };
        card.cost = cost;
        card.feature_names = names;
        card.notes.insert(NOTE.into(), note);
        py.detach(|| match (&saved, is_libsvm(&path)) {
            (LoadedModel::Rows(saved), true) => {
                let mut text = Vec::new();
                write_libsvm_model(saved, &mut text)?;
                std::fs::write(&path, text).map_err(|source| Error::file(&path, source))
            }
            (LoadedModel::Rows(saved), false) => saved.save(&path, ModelFormat::of(&path)),
            (LoadedModel::Structures(_), true) => {
                let what = "LIBSVM's format holds rows of numbers: save as .mercer or .json".to_string();
                Err(Error::Unsupported { what })
            }
            (LoadedModel::Structures(saved), false) => saved.save(&path, ModelFormat::of(&path)),
        })
        .map_err(raised)
    }

    /// Reads a model from a file of any of the three formats.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Model> {
        let saved = py.detach(|| match is_libsvm(&path) {
            true => {
                let file = std::fs::File::open(&path).map_err(|source| Error::file(&path, source))?;
                let read = read_libsvm_model(std::io::BufReader::new(file)).map(LoadedModel::Rows);
                read.map_err(|error| error.in_file(&path))
            }
            false => LoadedModel::load(&path),
        });
        Ok(Model { saved: saved.map_err(raised)?, seconds: None })
    }

    /// What the estimator that saved the model has noted for the one that it becomes again; none in files from elsewhere.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.card().notes.get(NOTE).map(String::as_str)
    }

    /// Names of the features, if they are known.
    #[getter]
    fn feature_names(&self) -> Option<Vec<String>> {
        self.card().feature_names.clone()
    }
}

/// Whose note it is.
const NOTE: &str = "python";

fn is_libsvm(path: &std::path::Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("model"))
}

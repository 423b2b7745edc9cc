//! Models of machines that factorise K, as Python holds them: made by a fit, written to a file, read again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mercer::data::{Items as _, Structures, Vectors};
use mercer::gram::{BulkKernel, StructureKernel, WithLayout};
use mercer::io::{AnyModel, LoadedModel, MatrixModel, ModelCard, ModelFormat, SavedModel};
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointModel, BayesPointReport, CcaView, FisherModel, Functions, KMeansFit, Kept, KernelKMeansModel,
    KernelPcaFit, KernelPcaModel, LeastSquaresModel, OrdinalModel, OrdinalReport, PlsModel, PlsReport,
    RankModel, RankReport, RelevanceModel, RelevanceReport, RidgeFit, RidgeMethod, RidgeModel, RidgeReport,
    SpectralFit, SpectralModel, View,
};
use mercer::resources::Workers;
use mercer::{Error, Result};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::items::to_python;
use crate::matrix::array;
use crate::model::{KERNEL_VALUES, NOTE, rows_to_python};
use crate::rows::Rows;
use crate::watch::watched;

/// What a machine found on a Gram matrix: everything but the items.
pub enum Made {
    Ridge(RidgeFit),
    /// Ridge regression on the signs of these classes.
    LeastSquares(RidgeFit, Vec<String>),
    /// Classes, ratios, means along the directions, and the directions.
    Fisher(Vec<String>, Vec<f64>, Matrix, View),
    Components(KernelPcaFit),
    View(View),
    Pls(Functions, PlsReport),
    Rank(Vec<usize>, Functions, RankReport),
    Ordinal(Vec<usize>, Functions, OrdinalReport),
    Relevance(Functions, RelevanceReport),
    BayesPoint(Functions, BayesPointReport),
    KMeans(KMeansFit),
    Spectral(SpectralFit),
}

impl Made {
    /// The training items that are needed, of n.
    pub fn positions(&self, n: usize) -> Vec<usize> {
        match self {
            Made::Fisher(_, _, _, view) | Made::View(view) => view.pivots.clone(),
            Made::Rank(positions, ..) | Made::Ordinal(positions, ..) => positions.clone(),
            Made::Relevance(_, report) => report.relevant.clone(),
            _ => (0..n).collect(),
        }
    }

    /// The model with what it keeps of the items.
    pub fn model<K: WithLayout, I: mercer::data::Items>(self, kept: Kept<K, I>) -> Result<MatrixModel<K, I>> {
        Ok(match self {
            Made::Ridge(fit) => MatrixModel::Ridge(RidgeModel::from_parts(kept, fit)?),
            Made::LeastSquares(fit, classes) => {
                let ridge = RidgeModel::from_parts(kept, fit)?;
                MatrixModel::LeastSquares(LeastSquaresModel::from_parts(classes, ridge)?)
            }
            Made::Fisher(classes, ratios, means, view) => {
                let view = CcaView::from_parts(kept, view)?;
                MatrixModel::Fisher(FisherModel::from_parts(classes, ratios, means, view)?)
            }
            Made::Components(fit) => MatrixModel::Pca(KernelPcaModel::from_parts(kept, fit)?),
            Made::View(view) => MatrixModel::View(CcaView::from_parts(kept, view)?),
            Made::Pls(functions, report) => MatrixModel::Pls(PlsModel::from_parts(kept, functions, report)?),
            Made::Rank(_, functions, report) => {
                MatrixModel::Rank(RankModel::from_parts(kept, functions, report)?)
            }
            Made::Ordinal(_, functions, report) => {
                MatrixModel::Ordinal(OrdinalModel::from_parts(kept, functions, report)?)
            }
            Made::Relevance(functions, report) => {
                MatrixModel::Relevance(RelevanceModel::from_parts(kept, functions, report)?)
            }
            Made::BayesPoint(functions, report) => {
                MatrixModel::BayesPoint(BayesPointModel::from_parts(kept, functions, report)?)
            }
            Made::KMeans(fit) => MatrixModel::KMeans(KernelKMeansModel::from_parts(kept, fit)?),
            Made::Spectral(fit) => MatrixModel::Spectral(SpectralModel::from_parts(kept, fit)?),
        })
    }
}

/// A trained machine that factorises K.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Machine {
    saved: LoadedModel,
}

/// What is asked of it, whatever its items are.
macro_rules! of {
    ($of:expr, $model:ident => $asked:expr) => {
        match &$of.saved {
            LoadedModel::Rows(SavedModel { model: AnyModel::Matrix($model), .. }) => $asked,
            LoadedModel::Structures(SavedModel { model: AnyModel::Matrix($model), .. }) => $asked,
            _ => return Err(raised(no_machine())),
        }
    };
}

/// Items that a model cannot be asked about.
pub fn other_items() -> Error {
    Error::Unsupported {
        what: "the items are of another kind than those that the model was trained on".into(),
    }
}

fn no_machine() -> Error {
    Error::Unsupported { what: "the file holds another kind of model".into() }
}

impl Machine {
    /// Of rows.
    pub fn of_rows(model: MatrixModel, rows: &Vectors<'_>) -> Self {
        let saved = SavedModel::new(AnyModel::Matrix(model), None, ModelCard::of(rows));
        Machine { saved: LoadedModel::Rows(saved) }
    }

    /// Of the kernel values of so many items.
    pub fn of_kernel_values(model: MatrixModel, n: usize) -> Self {
        let mut card = ModelCard::of(&model.kept().items);
        card.rows = n as u64;
        card.data_checksum = String::new();
        card.notes.insert(KERNEL_VALUES.into(), "rows are kernel values with the training items".into());
        Machine { saved: LoadedModel::Rows(SavedModel::new(AnyModel::Matrix(model), None, card)) }
    }

    /// Of structured items.
    pub fn of_structures(model: MatrixModel<StructureKernel, Structures>, items: &Structures) -> Self {
        let card = ModelCard::of_structures(items);
        Machine { saved: LoadedModel::Structures(SavedModel::of_structures(AnyModel::Matrix(model), card)) }
    }

    fn card(&self) -> &ModelCard {
        match &self.saved {
            LoadedModel::Rows(saved) => &saved.card,
            LoadedModel::Structures(saved) => &saved.card,
        }
    }

    fn checked(saved: LoadedModel) -> PyResult<Self> {
        let machine = Machine { saved };
        of!(machine, model => match model {
            MatrixModel::Slab(_) => {}
            model => functions_of(model).map(|_| ()).map_err(raised)?,
        });
        Ok(machine)
    }

    /// Coefficients, one row per kept item and one column per function, and offsets.
    pub fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray2<f64>>, Vec<f64>)> {
        of!(self, model => {
            let functions = functions_of(model).map_err(raised)?;
            let m = functions.outputs();
            let values = functions.coefficients.clone();
            let n = values.len() / m.max(1);
            Ok((array(py, values, n, m)?, functions.offsets.clone()))
        })
    }

    pub fn told(&self) -> PyResult<HashMap<&'static str, Vec<f64>>> {
        of!(self, model => Ok(told(model).into_iter().collect()))
    }
}

#[pymethods]
impl Machine {
    /// What kind of machine it is.
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        of!(self, model => Ok(model.name()))
    }

    /// The formula of the kernel; none where rows are kernel values.
    #[getter]
    fn kernel(&self) -> PyResult<Option<String>> {
        if self.card().notes.contains_key(KERNEL_VALUES) {
            return Ok(None);
        }
        of!(self, model => Ok(Some(model.kept().kernel.to_string())))
    }

    #[getter]
    fn classes(&self) -> PyResult<Option<Vec<String>>> {
        of!(self, model => Ok(model.classes().map(<[String]>::to_vec)))
    }

    /// What it found, by name.
    #[getter(told)]
    fn told_of(&self) -> PyResult<HashMap<&'static str, Vec<f64>>> {
        self.told()
    }

    /// Coefficients, one row per kept item and one column per function, and offsets.
    #[getter(expansion)]
    fn expansion<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray2<f64>>, Vec<f64>)> {
        self.coefficients(py)
    }

    /// The items that it keeps: a matrix, (data, indices, indptr, columns), or a list.
    #[getter]
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.saved {
            LoadedModel::Rows(saved) => rows_to_python(py, saved.model.support_items()),
            LoadedModel::Structures(saved) => {
                Ok(to_python(py, saved.model.support_items())?.into_pyobject(py)?.into_any())
            }
        }
    }

    /// Training items, and columns of rows.
    #[getter]
    fn shape(&self) -> (u64, u64) {
        (self.card().rows, self.card().columns)
    }

    #[getter]
    fn note(&self) -> Option<&str> {
        self.card().notes.get(NOTE).map(String::as_str)
    }

    #[getter]
    fn feature_names(&self) -> Option<Vec<String>> {
        self.card().feature_names.clone()
    }

    /// The values of all functions, one row per item; rows are scaled first where those of the training were.
    fn functions<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        match (&self.saved, rows.structures()) {
            (LoadedModel::Structures(SavedModel { model: AnyModel::Matrix(model), .. }), Some(items)) => {
                let (values, m) = watched(py, None, |_, _| values(model, items, threads))?;
                array(py, values, items.len(), m)
            }
            (LoadedModel::Rows(saved), None) => {
                let AnyModel::Matrix(model) = &saved.model else { return Err(raised(no_machine())) };
                let given = rows.vectors()?.map_err(raised)?;
                let (values, m) = watched(py, None, |_, _| match &saved.scaling {
                    Some(_) => values(model, &saved.prepare(&given)?, threads),
                    None => values(model, &given, threads),
                })?;
                array(py, values, given.len(), m)
            }
            _ => Err(raised(other_items())),
        }
    }

    pub fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| match &self.saved {
            LoadedModel::Rows(saved) => saved.to_bytes(ModelFormat::Binary),
            LoadedModel::Structures(saved) => saved.to_bytes(ModelFormat::Binary),
        });
        PyBytes::new(py, &bytes)
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Machine> {
        Self::checked(py.detach(|| LoadedModel::from_bytes(bytes)).map_err(raised)?)
    }

    /// Pickled as the bytes of a model file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Machine>().getattr("from_bytes")?, (self.to_bytes(py),)))
    }

    /// Writes the model to a file: JSON for .json, else binary.
    pub fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        names: Option<Vec<String>>,
        note: String,
    ) -> PyResult<()> {
        let mut saved = self.saved.clone();
        let card = match &mut saved {
            LoadedModel::Rows(saved) => &mut saved.card,
            LoadedModel::Structures(saved) => &mut saved.card,
        };
        if names.is_some() {
            card.feature_names = names;
        }
        card.notes.insert(NOTE.into(), note);
        py.detach(|| write(&saved, &path)).map_err(raised)
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Machine> {
        Self::checked(py.detach(|| LoadedModel::load(&path)).map_err(raised)?)
    }
}

/// Writes a model of these machines: JSON for .json, else binary.
pub fn write(saved: &LoadedModel, path: &Path) -> Result<()> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("model")) {
        let what = "LIBSVM's format holds support vector machines only: save as .mercer or .json".into();
        return Err(Error::Unsupported { what });
    }
    match saved {
        LoadedModel::Rows(saved) => saved.save(path, ModelFormat::of(path)),
        LoadedModel::Structures(saved) => saved.save(path, ModelFormat::of(path)),
    }
}

/// The functions that a model is made of.
fn functions_of<K: WithLayout, I>(model: &MatrixModel<K, I>) -> Result<&Functions> {
    Ok(match model {
        MatrixModel::Ridge(model) => model.functions(),
        MatrixModel::LeastSquares(model) => model.ridge().functions(),
        MatrixModel::Fisher(model) => &model.view().view().functions,
        MatrixModel::Pca(model) => &model.fit().functions,
        MatrixModel::View(view) => &view.view().functions,
        MatrixModel::KMeans(model) => &model.fit().functions,
        MatrixModel::Pls(model) => model.functions(),
        MatrixModel::Rank(model) => model.functions(),
        MatrixModel::Ordinal(model) => model.functions(),
        MatrixModel::Relevance(model) => model.functions(),
        MatrixModel::BayesPoint(model) => model.functions(),
        MatrixModel::Spectral(model) => &model.fit().functions,
        other => {
            let what = format!("the package has no estimator for a model of {}", other.name());
            return Err(Error::Unsupported { what });
        }
    })
}

fn values<K, I, J>(model: &MatrixModel<K, I>, items: &J, threads: usize) -> Result<(Vec<f64>, usize)>
where
    K: BulkKernel<J>,
    I: mercer::data::Items,
    J: mercer::data::Items<Owned = I>,
{
    if let MatrixModel::Slab(model) = model {
        return Ok((if items.is_empty() { Vec::new() } else { model.scores(items)? }, 1));
    }
    let functions = functions_of(model)?;
    if items.is_empty() {
        return Ok((Vec::new(), functions.outputs()));
    }
    let workers = Workers::checked(threads)?;
    let found = model.kept().compare(items, |gram, _| functions.values(gram, &workers))?;
    Ok((found, functions.outputs()))
}

fn flag(value: bool) -> Vec<f64> {
    vec![f64::from(u8::from(value))]
}

fn numbers(values: &[usize]) -> Vec<f64> {
    values.iter().map(|&value| value as f64).collect()
}

fn of_ridge(report: &RidgeReport) -> Vec<(&'static str, Vec<f64>)> {
    vec![
        ("jitter", vec![report.jitter]),
        ("converged", flag(report.converged)),
        ("iterative", flag(report.method == RidgeMethod::ConjugateGradient)),
        ("mixed", flag(report.method == RidgeMethod::Mixed)),
    ]
}

/// What a model has beside its functions, by name.
fn told<K: WithLayout, I>(model: &MatrixModel<K, I>) -> Vec<(&'static str, Vec<f64>)> {
    match model {
        MatrixModel::Ridge(model) => of_ridge(model.report()),
        MatrixModel::LeastSquares(model) => of_ridge(model.ridge().report()),
        MatrixModel::Fisher(model) => {
            vec![("ratios", model.ratios().to_vec()), ("means", model.means().values().to_vec())]
        }
        MatrixModel::Pca(model) => {
            let fit = model.fit();
            vec![
                ("values", fit.values.clone()),
                ("vectors", fit.vectors.values().to_vec()),
                ("trace", vec![fit.trace]),
                ("mean", vec![fit.mean]),
            ]
        }
        MatrixModel::View(view) => vec![("left_out", vec![view.view().left_out])],
        MatrixModel::Pls(model) => vec![("explained", model.report().explained.clone())],
        MatrixModel::Rank(model) => {
            let report = model.report();
            vec![
                ("pairs", vec![report.pairs as f64]),
                ("swapped", vec![report.swapped as f64]),
                ("gap", vec![report.gap / report.objective.abs().max(f64::MIN_POSITIVE)]),
                ("steps", vec![report.steps as f64]),
                ("converged", flag(report.converged)),
            ]
        }
        MatrixModel::Ordinal(model) => {
            let report = model.report();
            vec![
                ("levels", report.levels.clone()),
                ("thresholds", report.thresholds.clone()),
                ("steps", vec![report.steps as f64]),
                ("converged", flag(report.converged)),
            ]
        }
        MatrixModel::Relevance(model) => {
            let report = model.report();
            vec![
                ("relevant", numbers(&report.relevant)),
                ("candidates", vec![report.candidates as f64]),
                ("likelihoods", report.likelihoods.clone()),
                ("noise", vec![report.noise]),
                ("covariance", report.covariance.clone()),
                ("steps", vec![report.steps as f64]),
                ("converged", flag(report.converged)),
            ]
        }
        MatrixModel::BayesPoint(model) => {
            let report = model.report();
            let ended = report.ended.map_or(Vec::new(), |ended| vec![ended as f64]);
            vec![
                ("consistent", vec![report.consistent as f64]),
                ("ended", ended),
                ("agreement", vec![report.agreement]),
            ]
        }
        MatrixModel::KMeans(model) => {
            let fit = model.fit();
            vec![
                ("clusters", numbers(&fit.clusters)),
                ("inertia", vec![fit.inertia]),
                ("rounds", vec![fit.rounds as f64]),
                ("converged", flag(fit.converged)),
            ]
        }
        MatrixModel::Spectral(model) => {
            let fit = model.fit();
            vec![
                ("clusters", numbers(&fit.k_means.clusters)),
                ("values", fit.values.clone()),
                ("centres", fit.centres.values().to_vec()),
            ]
        }
        MatrixModel::Slab(model) => vec![
            ("thickness", vec![model.thickness()]),
            ("radius", model.sphere().radius().into_iter().collect()),
            ("components", vec![model.plane().components() as f64]),
        ],
        _ => Vec::new(),
    }
}

//! Models of machines that factorise K, as Python holds them: made by a fit, written to a file, read again.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use mercer::data::{Collection, Items as _, Vectors};
use mercer::gram::{BulkKernel, CollectionKernel, WithLayout};
use mercer::io::{AnyModel, LoadedModel, MatrixModel, ModelCard, ModelFormat, SavedModel};
use mercer::machine::Functions;
use mercer::resources::Workers;
use mercer::{Error, Result};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::items::to_python;
use crate::kinds::given;
use crate::loaded;
use crate::matrix::array;
use crate::model::{KERNEL_VALUES, NOTE, rows_to_python};
use crate::rows::Rows;
use crate::told::told;
use crate::watch::watched;

/// A trained machine that factorises K.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Machine {
    pub saved: LoadedModel,
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

pub fn no_machine() -> Error {
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
    pub fn of_structures(
        model: MatrixModel<CollectionKernel, Collection<'static>>,
        items: &Collection,
    ) -> Self {
        let card = ModelCard::of_structures(items);
        Machine { saved: LoadedModel::Structures(SavedModel::of_structures(AnyModel::Matrix(model), card)) }
    }

    /// The same with so many threads for predictions.
    pub fn with_threads(self, threads: usize) -> Self {
        Machine { saved: loaded::with_threads(self.saved, threads) }
    }

    fn card(&self) -> &ModelCard {
        loaded::card(&self.saved)
    }

    fn checked(saved: LoadedModel) -> PyResult<Self> {
        let machine = Machine { saved };
        of!(machine, model => match model {
            MatrixModel::Slab(_) | MatrixModel::Network(_) => {}
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
    pub fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.saved {
            LoadedModel::Rows(saved) => rows_to_python(py, saved.model.support_items()),
            LoadedModel::Structures(saved) => {
                Ok(to_python(py, saved.model.support_items())?.into_pyobject(py)?.into_any())
            }
        }
    }

    /// Training items, and columns of rows.
    #[getter]
    pub fn shape(&self) -> (u64, u64) {
        (self.card().rows, self.card().columns)
    }

    /// What the file says about it, by name; the package's own is `NOTE`.
    #[getter]
    fn notes(&self) -> BTreeMap<String, String> {
        self.card().notes.clone()
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

    /// The variance of the targets at each item, of a relevance vector regression.
    fn variances<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        given!(self, Relevance, rows, model, items => {
            Ok(PyArray1::from_vec(py, watched(py, None, |_, _| model.variances(items))?))
        })
    }

    /// The scores of items along the directions of partial least squares, one row per item.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        given!(self, Pls, rows, model, items => {
            let Some(scores) = &model.report().scores else {
                let what = "the file holds no directions: it was written before they were kept".into();
                return Err(raised(Error::Unsupported { what }));
            };
            let values = match items.is_empty() || scores.outputs() == 0 {
                true => Vec::new(),
                false => watched(py, None, |_, _| {
                    model.kept().compare(items, |gram, workers| scores.values(gram, workers))
                })?,
            };
            array(py, values, items.len(), scores.outputs())
        })
    }

    pub fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        loaded::to_bytes(py, &self.saved)
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Machine> {
        Self::checked(watched(py, None, |_, _| LoadedModel::from_bytes(bytes))?)
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
        let card = loaded::card_mut(&mut saved);
        if names.is_some() {
            card.feature_names = names;
        }
        card.notes.insert(NOTE.into(), note);
        watched(py, None, |_, _| write(&saved, &path))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Machine> {
        Self::checked(watched(py, None, |_, _| LoadedModel::load(&path))?)
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
    // Two that are no sums of kernel values.
    if let MatrixModel::Slab(_) | MatrixModel::Network(_) = model {
        return Ok((if items.is_empty() { Vec::new() } else { model.values(items)? }, model.width()));
    }
    let functions = functions_of(model)?;
    if items.is_empty() {
        return Ok((Vec::new(), functions.outputs()));
    }
    let workers = Workers::checked(threads)?;
    let found = model.kept().compare(items, |gram, _| functions.values(gram, &workers))?;
    Ok((found, functions.outputs()))
}

//! Models of machines that factorise K, as Python holds them: made by a fit, written to a file, read again.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use mercer::data::{Collection, Items as _};
use mercer::io::{self, KERNEL_VALUES, MatrixModel, ModelCard, ModelFormat, TrainedMachine};
use mercer::machine::Functions;
use mercer::resources::Workers;
use mercer::{Error, Result};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::raised;
use crate::items::to_python;
use crate::matrix::array;
use crate::model::{NOTE, card_of_kernel_values, to_bytes};
use crate::rows::Rows;
use crate::told::told;
use crate::watch::watched;

/// A trained machine that factorises K.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Machine {
    pub saved: io::Model,
}

/// A file that holds a model of another machine.
pub fn no_machine() -> PyErr {
    raised(Error::Unsupported { what: "the file holds another kind of model".into() })
}

impl Machine {
    /// Of these training items.
    pub fn new(model: impl Into<MatrixModel>, items: &Collection<'_>, threads: usize) -> Self {
        let model = model.into().with_threads(threads);
        Machine { saved: io::Model::new(model, None, ModelCard::of_items(items)) }
    }

    /// Of the kernel values of so many items.
    pub fn of_kernel_values(model: MatrixModel, n: usize, threads: usize) -> Self {
        let card = card_of_kernel_values(&model.kept().items, n);
        Machine { saved: io::Model::new(model.with_threads(threads), None, card) }
    }

    /// The model itself.
    pub fn model(&self) -> PyResult<&MatrixModel> {
        match &self.saved.machine {
            TrainedMachine::Matrix(model) => Ok(model),
            _ => Err(no_machine()),
        }
    }

    /// Items as the model takes them: rows are scaled where those of the training were.
    pub fn prepared<'a, 'c>(&self, items: &'a Collection<'c>) -> PyResult<Cow<'a, Collection<'c>>> {
        self.saved.prepare(items).map_err(raised)
    }

    fn checked(saved: io::Model) -> PyResult<Self> {
        let machine = Machine { saved };
        match machine.model()? {
            MatrixModel::Slab(_) | MatrixModel::Network(_) => {}
            model => functions_of(model).map(|_| ()).map_err(raised)?,
        }
        Ok(machine)
    }

    /// Coefficients, one row per kept item and one column per function, and offsets.
    pub fn coefficients<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray2<f64>>, Vec<f64>)> {
        let functions = functions_of(self.model()?).map_err(raised)?;
        let m = functions.outputs();
        let values = functions.coefficients.clone();
        let n = values.len() / m.max(1);
        Ok((array(py, values, n, m)?, functions.offsets.clone()))
    }

    pub fn told(&self) -> PyResult<HashMap<&'static str, Vec<f64>>> {
        Ok(told(self.model()?).into_iter().collect())
    }
}

#[pymethods]
impl Machine {
    /// What kind of machine it is.
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        Ok(self.model()?.name())
    }

    /// The formula of the kernel; none where rows are kernel values.
    #[getter]
    fn kernel(&self) -> PyResult<Option<String>> {
        if self.saved.card.notes.contains_key(KERNEL_VALUES) {
            return Ok(None);
        }
        Ok(Some(self.model()?.kept().kernel.to_string()))
    }

    #[getter]
    fn classes(&self) -> PyResult<Option<Vec<String>>> {
        Ok(self.model()?.classes().map(<[String]>::to_vec))
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
        to_python(py, self.saved.machine.support_items())
    }

    /// Training items, and columns of rows.
    #[getter]
    pub fn shape(&self) -> (u64, u64) {
        (self.saved.card.rows, self.saved.card.columns)
    }

    /// What the file says about it, by name; the package's own is `NOTE`.
    #[getter]
    fn notes(&self) -> BTreeMap<String, String> {
        self.saved.card.notes.clone()
    }

    #[getter]
    fn feature_names(&self) -> Option<Vec<String>> {
        self.saved.card.feature_names.clone()
    }

    /// The values of all functions, one row per item; rows are scaled first where those of the training were.
    fn functions<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let given = rows.items()?;
        let (model, items) = (self.model()?, self.prepared(&given)?);
        let (values, m) = watched(py, None, |_, _| values(model, &items, threads))?;
        array(py, values, items.len(), m)
    }

    /// The variance of the targets at each item, of a relevance vector regression.
    fn variances<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let MatrixModel::Relevance(model) = self.model()? else { return Err(no_machine()) };
        let given = rows.items()?;
        let items = self.prepared(&given)?;
        Ok(PyArray1::from_vec(py, watched(py, None, |_, _| model.variances(&*items))?))
    }

    /// The scores of items along the directions of partial least squares, one row per item.
    fn scores<'py>(&self, py: Python<'py>, rows: Rows<'_>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let MatrixModel::Pls(model) = self.model()? else { return Err(no_machine()) };
        let Some(scores) = &model.report().scores else {
            let what = "the file holds no directions: it was written before they were kept".into();
            return Err(raised(Error::Unsupported { what }));
        };
        let given = rows.items()?;
        let items = self.prepared(&given)?;
        let values = match items.is_empty() || scores.outputs() == 0 {
            true => Vec::new(),
            false => watched(py, None, |_, _| {
                model.kept().compare(&*items, |gram, workers| scores.values(gram, workers))
            })?,
        };
        array(py, values, items.len(), scores.outputs())
    }

    pub fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        to_bytes(py, &self.saved)
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Machine> {
        Self::checked(watched(py, None, |_, _| io::Model::from_bytes(bytes))?)
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
        if names.is_some() {
            saved.card.feature_names = names;
        }
        saved.card.notes.insert(NOTE.into(), note);
        watched(py, None, |_, _| write(&saved, &path))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Machine> {
        Self::checked(watched(py, None, |_, _| io::Model::load(&path))?)
    }
}

/// Writes a model of these machines: JSON for .json, else binary.
pub fn write(saved: &io::Model, path: &Path) -> Result<()> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("model")) {
        let what = "LIBSVM's format holds support vector machines only: save as .mercer or .json".into();
        return Err(Error::Unsupported { what });
    }
    saved.save(path, ModelFormat::of(path))
}

/// The functions that a model is made of.
fn functions_of(model: &MatrixModel) -> Result<&Functions> {
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

fn values(model: &MatrixModel, items: &Collection<'_>, threads: usize) -> Result<(Vec<f64>, usize)> {
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

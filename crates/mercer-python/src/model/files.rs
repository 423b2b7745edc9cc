//! Models in files: JSON for .json, LIBSVM's format for .model, else binary.

use std::path::{Path, PathBuf};

use mercer::Result;
use mercer::data::write_atomically;
use mercer::io::{self, LearnerOrModel, ModelFormat, write_libsvm_model};
use pyo3::prelude::*;

use super::Model;
use crate::online::OnlineLearner;
use crate::watch::watched;

pub(super) fn write(model: &io::Model, path: &Path) -> Result<()> {
    match is_libsvm(path) {
        true => write_atomically(path, |file| write_libsvm_model(model, file)),
        false => model.save(path, ModelFormat::of(path)),
    }
}

/// The on-line learner or the model of a file in any of the three formats. The file is read once, so that it may be a pipe.
#[pyfunction]
pub fn load(py: Python<'_>, path: PathBuf) -> PyResult<Py<PyAny>> {
    Ok(match watched(py, None, |_, _| LearnerOrModel::load(&path))? {
        LearnerOrModel::Learner(saved) => Py::new(py, OnlineLearner::of_saved(*saved))?.into_any(),
        LearnerOrModel::Model(saved) => Py::new(py, Model::of(*saved))?.into_any(),
    })
}

fn is_libsvm(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("model"))
}

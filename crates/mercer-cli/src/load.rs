//! Loading a model of Mercer or of LIBSVM.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use mercer::io::{LoadedModel, SavedLearner, SavedModel, read_libsvm_model, read_model_bytes};
use mercer::{Error, Result};

use crate::source;

/// How a model file of LIBSVM begins.
const LIBSVM: &[u8] = b"svm_type";

/// A model of rows of numbers.
pub fn load(path: &Path) -> Result<SavedModel> {
    load_any(path)?.of_rows().map_err(|error| error.in_file(source::name(path)))
}

/// A model of any items.
pub fn load_any(path: &Path) -> Result<LoadedModel> {
    if source::is_standard(path) {
        return from_stream(std::io::stdin().lock()).map_err(|error| error.in_file(source::name(path)));
    }
    from_stream(BufReader::new(open(path)?)).map_err(|error| in_file(error, path))
}

/// What a model file holds.
pub enum Loaded {
    /// An on-line learner, which is more than the model that it is now.
    Learner(Box<SavedLearner>),
    /// A model.
    Model(Box<LoadedModel>),
}

/// A learner or a model of any items. The file is read once, so that it may be a pipe.
pub fn load_learner_or_model(path: &Path) -> Result<Loaded> {
    let model = |model| Loaded::Model(Box::new(model));
    if source::is_standard(path) {
        return load_any(path).map(model);
    }
    let mut stream = BufReader::new(open(path)?);
    if stream.fill_buf().map_err(|source| Error::file(path, source))?.starts_with(LIBSVM) {
        return from_stream(stream).map(model).map_err(|error| in_file(error, path));
    }
    let bytes = read_model_bytes(stream).map_err(|error| in_file(error, path))?;
    match SavedLearner::from_bytes(&bytes) {
        Ok(learner) => Ok(Loaded::Learner(Box::new(learner))),
        Err(_) => LoadedModel::from_bytes(&bytes).map(model).map_err(|error| error.in_file(path)),
    }
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|source| Error::file(path, source))
}

fn in_file(error: Error, path: &Path) -> Error {
    match error {
        Error::Io(source) => Error::file(path, source),
        error => error.in_file(path),
    }
}

/// A stream is read once, so that it may be a pipe.
fn from_stream(mut stream: impl BufRead) -> Result<LoadedModel> {
    match stream.fill_buf()?.starts_with(LIBSVM) {
        true => read_libsvm_model(stream).map(LoadedModel::Rows),
        false => LoadedModel::read(stream),
    }
}

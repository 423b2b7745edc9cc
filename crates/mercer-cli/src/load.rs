//! Loading a model of Mercer or of LIBSVM: every file is read once, so that it may be a pipe.

use std::path::Path;

use mercer::Result;
use mercer::io::{LearnerOrModel, LoadedModel, SavedModel, read_model_bytes, read_model_file};

use crate::source;

/// A model of rows of numbers.
pub fn load(path: &Path) -> Result<SavedModel> {
    load_any(path)?.of_rows().map_err(|error| error.in_file(source::name(path)))
}

/// A model of any items.
pub fn load_any(path: &Path) -> Result<LoadedModel> {
    LoadedModel::from_bytes(&bytes(path)?).map_err(|error| error.in_file(source::name(path)))
}

/// A learner or a model of any items.
pub fn load_learner_or_model(path: &Path) -> Result<LearnerOrModel> {
    LearnerOrModel::from_bytes(&bytes(path)?).map_err(|error| error.in_file(source::name(path)))
}

/// The bytes of a model file, or of standard input for `-`.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    match source::is_standard(path) {
        true => read_model_bytes(std::io::stdin().lock()).map_err(|error| error.in_file(source::name(path))),
        false => read_model_file(path),
    }
}

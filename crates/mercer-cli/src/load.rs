//! Loading a model of Mercer or of LIBSVM: every file is read once, so that it may be a pipe.

use std::path::Path;

use mercer::data::ItemKind;
use mercer::io::{LearnerOrModel, Model, read_model_bytes, read_model_file};

use mercer::{Error, Result};

use crate::source;

/// A model of rows of numbers.
pub fn load_of_rows(path: &Path) -> Result<Model> {
    let model = load(path)?;
    let check = || match model.machine.item_kind() {
        ItemKind::Rows => Ok(()),
        kind => {
            Err(Error::Unsupported { what: format!("the model is one of {kind}, not of rows of numbers") })
        }
    };
    check().map_err(|error| error.in_file(source::name(path)))?;
    Ok(model)
}

/// A model of any items.
pub fn load(path: &Path) -> Result<Model> {
    Model::from_bytes(&bytes(path)?).map_err(|error| error.in_file(source::name(path)))
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

//! Loading a model of Mercer or of LIBSVM.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use mercer::io::{LoadedModel, SavedModel, read_libsvm_model};
use mercer::{Error, Result};

use crate::source;

/// A model of rows of numbers.
pub fn load(path: &Path) -> Result<SavedModel> {
    load_any(path)?.of_rows().map_err(|error| error.in_file(source::name(path)))
}

/// A model of any items.
pub fn load_any(path: &Path) -> Result<LoadedModel> {
    if source::is_standard(path) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        let loaded = match bytes.starts_with(b"svm_type") {
            true => read_libsvm_model(&bytes[..]).map(LoadedModel::Rows),
            false => LoadedModel::from_bytes(&bytes),
        };
        return loaded.map_err(|error| error.in_file(source::name(path)));
    }
    let file = std::fs::File::open(path).map_err(|source| Error::file(path, source))?;
    let mut reader = BufReader::new(file);
    let start = reader.fill_buf().map_err(|source| Error::file(path, source))?;
    if start.starts_with(b"svm_type") {
        return read_libsvm_model(reader).map(LoadedModel::Rows).map_err(|error| error.in_file(path));
    }
    LoadedModel::load(path)
}

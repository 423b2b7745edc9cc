//! Loading a model of Mercer or of LIBSVM.

use std::io::{BufRead, BufReader};
use std::path::Path;

use mercer::io::{SavedModel, read_libsvm_model};
use mercer::{Error, Result};

pub fn load(path: &Path) -> Result<SavedModel> {
    let file = std::fs::File::open(path).map_err(|source| Error::file(path, source))?;
    let mut reader = BufReader::new(file);
    let start = reader.fill_buf().map_err(|source| Error::file(path, source))?;
    if start.starts_with(b"svm_type") {
        return read_libsvm_model(reader).map_err(|error| error.in_file(path));
    }
    SavedModel::load(path)
}

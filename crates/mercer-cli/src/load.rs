//! Loading a model of Mercer or of LIBSVM.

use std::io::{BufRead, BufReader};
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
        return from_stream(std::io::stdin().lock()).map_err(|error| error.in_file(source::name(path)));
    }
    let file = std::fs::File::open(path).map_err(|source| Error::file(path, source))?;
    from_stream(BufReader::new(file)).map_err(|error| match error {
        Error::Io(source) => Error::file(path, source),
        error => error.in_file(path),
    })
}

/// A stream is read once, so that it may be a pipe.
fn from_stream(mut stream: impl BufRead) -> Result<LoadedModel> {
    match stream.fill_buf()?.starts_with(b"svm_type") {
        true => read_libsvm_model(stream).map(LoadedModel::Rows),
        false => LoadedModel::read(stream),
    }
}

//! Models in files: JSON for .json, LIBSVM's format for .model, else binary.

use std::path::Path;

use mercer::data::write_atomically;
use mercer::io::{LoadedModel, ModelFormat, read_libsvm_model, write_libsvm_model};
use mercer::{Error, Result};

pub(super) fn write(model: &LoadedModel, path: &Path) -> Result<()> {
    match (model, is_libsvm(path)) {
        (LoadedModel::Rows(saved), true) => write_atomically(path, |file| write_libsvm_model(saved, file)),
        (LoadedModel::Rows(saved), false) => saved.save(path, ModelFormat::of(path)),
        (LoadedModel::Structures(_), true) => {
            let what = "LIBSVM's format holds rows of numbers: save as .mercer or .json".to_string();
            Err(Error::Unsupported { what })
        }
        (LoadedModel::Structures(saved), false) => saved.save(path, ModelFormat::of(path)),
    }
}

pub(super) fn read(path: &Path) -> Result<LoadedModel> {
    match is_libsvm(path) {
        true => {
            let file = std::fs::File::open(path).map_err(|source| Error::file(path, source))?;
            let read = read_libsvm_model(std::io::BufReader::new(file)).map(LoadedModel::Rows);
            read.map_err(|error| error.in_file(path))
        }
        false => LoadedModel::load(path),
    }
}

fn is_libsvm(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("model"))
}

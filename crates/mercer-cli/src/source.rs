//! Where data come from: a file, or standard input for `-`.

use std::io::Read;
use std::path::{Path, PathBuf};

use mercer::data::{Chunks, Contents, ReadOptions, read_chunks, read_file, read_from};
use mercer::{Error, Result};

/// Whether this is standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What errors call it.
pub fn name(path: &Path) -> PathBuf {
    if is_standard(path) { PathBuf::from("standard input") } else { path.to_path_buf() }
}

/// All of it.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Contents> {
    match is_standard(path) {
        true => read_from(std::io::stdin().lock(), options).map_err(|error| error.in_file(name(path))),
        false => read_file(path, options),
    }
}

/// So many rows at a time.
pub fn chunks(path: &Path, options: &ReadOptions, rows: usize) -> Result<Chunks> {
    let stream: Box<dyn Read> = match is_standard(path) {
        true => Box::new(std::io::stdin()),
        false => Box::new(std::fs::File::open(path).map_err(|source| Error::file(path, source))?),
    };
    read_chunks(stream, name(path), options, rows)
}

//! Errors of the library as exceptions of Python.

use std::io;
use std::path::Path;

use mercer::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};

/// What the library's parameters are called in Python.
const NAMES: [(&str, &str); 6] = [
    ("cost", "C"),
    ("tube", "epsilon"),
    ("width", "epsilon"),
    ("tolerance", "tol"),
    ("threads", "n_jobs"),
    ("memory", "cache_size"),
];

/// Who decides about memory.
const MEMORY: &str =
    "the parameter memory, or cache_size of a support vector machine, says how many megabytes may be used";

/// The exception that Python programs expect.
pub fn raised(mut error: Error) -> PyErr {
    if let Error::Parameter { name, .. } = &mut error
        && let Some((_, known)) = NAMES.iter().find(|(ours, _)| ours == name)
    {
        *name = known;
    }
    let message = error.to_string();
    match error {
        Error::Budget { .. } => PyMemoryError::new_err(format!("{message} ({MEMORY})")),
        Error::File { path, source } => file_error(&path, &source, message),
        _ => PyValueError::new_err(message),
    }
}

/// With the number of the system's error, by which Python chooses the subclass: FileNotFoundError, PermissionError, IsADirectoryError, …
fn file_error(path: &Path, source: &io::Error, message: String) -> PyErr {
    match source.raw_os_error() {
        Some(number) => {
            let reason = source.to_string();
            let reason = reason.strip_suffix(&format!(" (os error {number})")).unwrap_or(&reason).to_owned();
            PyOSError::new_err((number, reason, path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(message),
    }
}

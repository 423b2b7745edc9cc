//! Errors of the library as exceptions of Python.

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

/// The exception that Python programs expect.
pub fn raised(mut error: Error) -> PyErr {
    if let Error::Parameter { name, .. } = &mut error
        && let Some((_, known)) = NAMES.iter().find(|(ours, _)| ours == name)
    {
        *name = known;
    }
    let message = error.to_string();
    match error {
        Error::Budget { .. } => PyMemoryError::new_err(message),
        Error::File { .. } => PyOSError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

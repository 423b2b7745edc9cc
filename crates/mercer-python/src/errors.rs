//! Errors of the library as exceptions of Python.

use mercer::Error;
use pyo3::PyErr;
use pyo3::exceptions::{PyMemoryError, PyNotImplementedError, PyOSError, PyValueError};

/// The exception that Python programs expect.
pub fn raised(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Budget { .. } => PyMemoryError::new_err(message),
        Error::File { .. } => PyOSError::new_err(message),
        Error::Unsupported { .. } => PyNotImplementedError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

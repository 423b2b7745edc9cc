//! Kernel matrices made positive semi-definite.

use mercer::linalg::{Mended as Inner, Mending};
use mercer::resources::Interrupt;
use numpy::{PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::matrix::{array, matrix};
use crate::watch::watched;

/// A kernel matrix made positive semi-definite, and what was done to it.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct Mended {
    inner: Inner,
}

/// Adds to the diagonal ("shift"), or sets negative eigenvalues to 0 ("clip").
#[pyfunction]
pub fn mend(py: Python<'_>, values: PyReadonlyArray2<'_, f64>, how: &str) -> PyResult<Mended> {
    let mending = match how {
        "shift" => Mending::Shift,
        "clip" => Mending::Clip,
        _ => return Err(PyValueError::new_err(format!("how is \"shift\" or \"clip\", not {how:?}"))),
    };
    let matrix = matrix(&values)?;
    Ok(Mended { inner: watched(py, None, |_, _| Inner::new(&matrix, mending))? })
}

#[pymethods]
impl Mended {
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let matrix = self.inner.matrix();
        array(py, matrix.values().to_vec(), matrix.rows(), matrix.columns())
    }

    #[getter]
    fn smallest_eigenvalue(&self) -> f64 {
        self.inner.smallest_eigenvalue()
    }

    #[getter]
    fn negative(&self) -> usize {
        self.inner.negative()
    }

    #[getter]
    fn largest_change(&self) -> f64 {
        self.inner.largest_change()
    }

    /// Kernel values of new items with those of the matrix, treated as it was.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut treated = matrix(&values)?;
        let (n, m) = (treated.rows(), treated.columns());
        let treated = watched(py, None, |_, _| {
            let treat = |row| Interrupt::checkpoint().and_then(|()| self.inner.row(row));
            treated.values_mut().chunks_mut(m.max(1)).try_for_each(treat)?;
            Ok(treated)
        })?;
        array(py, treated.values().to_vec(), n, m)
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Mended: {}>", self.inner)
    }
}

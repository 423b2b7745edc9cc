//! Kernel values that Python computes, of examples that have numbers.

use std::collections::HashMap;

use mercer::machine::online::ValueItem;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A table of kernel values whose columns belong to numbered items.
pub struct Table {
    values: Vec<f64>,
    pub rows: usize,
    width: usize,
    columns: HashMap<u64, usize>,
}

impl Table {
    pub fn new(values: &PyReadonlyArray2<'_, f64>, columns: Vec<u64>) -> PyResult<Self> {
        let view = values.as_array();
        let (rows, width) = view.dim();
        if width != columns.len() {
            let problem = format!("{width} columns of kernel values for {} items", columns.len());
            return Err(PyValueError::new_err(problem));
        }
        let columns = columns.into_iter().enumerate().map(|(at, id)| (id, at)).collect();
        Ok(Table { values: view.iter().copied().collect(), rows, width, columns })
    }

    pub fn items(&self, ids: &[u64]) -> Vec<ValueItem<'_>> {
        let row = |at: usize| &self.values[at * self.width..][..self.width];
        ids.iter()
            .take(self.rows)
            .enumerate()
            .map(|(at, &id)| ValueItem { id, values: row(at), columns: &self.columns })
            .collect()
    }
}

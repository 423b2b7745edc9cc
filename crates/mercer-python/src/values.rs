//! Kernels by themselves: whether one can be read, and its values.

use std::sync::Arc;

use mercer::Result;
use mercer::data::Items;
use mercer::gram::{BulkKernel, Columns, Gram as _, Interruptible, Plan, Precision, StructureKernel};
use mercer::kernel::{AnyExpression, Expression};
use mercer::resources::{Interrupt, Workers};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::rows::Rows;
use crate::watch::watched;

/// The kernel as it prints itself, or what is wrong with it.
#[pyfunction]
pub fn check_kernel(kernel: &str) -> PyResult<String> {
    Ok(kernel.parse::<AnyExpression>().map_err(raised)?.to_string())
}

/// The values of a kernel for all pairs of two sets of rows.
#[pyfunction]
pub fn gram<'py>(
    py: Python<'py>,
    kernel: &str,
    rows: Rows<'_>,
    others: Rows<'_>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    if let (Some(items), Some(others)) = (rows.structures(), others.structures()) {
        let kernel: StructureKernel = kernel.parse().map_err(raised)?;
        let (n, m) = (items.len(), others.len());
        let values = watched(py, None, |_, interrupt| values_of(&kernel, items, others, interrupt))?;
        return PyArray1::from_vec(py, values).reshape([n, m]);
    }
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let (rows, others) = (rows.vectors()?.map_err(raised)?, others.vectors()?.map_err(raised)?);
    let (n, m) = (rows.len(), others.len());
    let values = watched(py, None, |_, interrupt| {
        let owned = rows.select(&(0..n).collect::<Vec<_>>());
        values_of(&kernel, &owned, &others, interrupt)
    })?;
    PyArray1::from_vec(py, values).reshape([n, m])
}

/// k(x, z) for all pairs, row after row; what waits for data is found from the first items.
fn values_of<K, J>(kernel: &K, items: &J::Owned, others: &J, interrupt: &Interrupt) -> Result<Vec<f64>>
where
    J: Items,
    K: BulkKernel<J> + BulkKernel<J::Owned>,
{
    let kernel = BulkKernel::<J::Owned>::resolve(kernel, items, None)?;
    let workers = Arc::new(Workers::checked(0)?);
    let interrupt = Some(interrupt.clone());
    let plan = Plan { precision: Precision::F64, workers, interrupt: interrupt.clone(), ..Plan::new()? };
    let layout = BulkKernel::<J::Owned>::layout(&kernel, items, &plan)?;
    let gram = BulkKernel::<J>::cross(&kernel, items, others, &layout, &plan)?;
    let (n, m) = (items.len(), others.len());
    let mut values = vec![0.0; n * m];
    let all: Vec<usize> = (0..n).collect();
    let out = mercer::gram::Block::F64 { values: &mut values, stride: m };
    // In pieces, between which Ctrl-C is heard.
    Interruptible::new(gram, interrupt).fill(&all, Columns::Range(0..m), out)?;
    Ok(values)
}

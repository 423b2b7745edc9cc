//! Kernels by themselves: whether one can be read, and its values.

use std::sync::Arc;

use mercer::Result;
use mercer::data::Items;
use mercer::gram::{
    Block, BulkKernel, CollectionKernel, Columns, Gram as _, Interruptible, Plan, Precision, whole,
};
use mercer::kernel::{AnyExpression, Expression, Parameter};
use mercer::resources::{Interrupt, Workers, default_budget};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::rows::Rows;
use crate::watch::watched;

/// The kernel as it prints itself, or what is wrong with it.
#[pyfunction]
pub fn check_kernel(kernel: &str) -> PyResult<String> {
    Ok(kernel.parse::<AnyExpression>().map_err(raised)?.to_string())
}

/// Name, value, lower and upper bound, and whether it is on a logarithmic scale.
type Learnable = (String, f64, f64, f64, bool);

/// Every parameter that can be learned; of a kernel on structured items none.
#[pyfunction]
pub fn kernel_parameters(kernel: &str) -> PyResult<Vec<Learnable>> {
    Ok(match kernel.parse::<AnyExpression>().map_err(raised)? {
        AnyExpression::Rows(kernel) => {
            let told = |p: Parameter| (p.name, p.value, p.lower, p.upper, p.log_scale);
            kernel.parameters().into_iter().map(told).collect()
        }
        AnyExpression::Structures(_) => Vec::new(),
    })
}

/// The same kernel with other values of these parameters.
#[pyfunction]
pub fn kernel_with_parameters(kernel: &str, values: Vec<f64>) -> PyResult<String> {
    let kernel: Expression = kernel.parse().map_err(raised)?;
    Ok(kernel.with_parameters(&values).map_err(raised)?.to_string())
}

/// The kernel with every number that it leaves open filled in from these rows.
#[pyfunction]
pub fn resolve_kernel(kernel: &str, rows: Rows<'_>) -> PyResult<String> {
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let rows = rows.vectors()?.map_err(raised)?;
    Ok(kernel.resolve(&rows).map_err(raised)?.to_string())
}

/// The values of a kernel for all pairs of two sets of rows, or of one set with itself.
#[pyfunction]
#[pyo3(signature = (kernel, rows, others=None))]
pub fn gram<'py>(
    py: Python<'py>,
    kernel: &str,
    rows: Rows<'_>,
    others: Option<Rows<'_>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    if let Some(items) = rows.structures() {
        let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
        let no_items = || PyTypeError::new_err("structured items cannot be compared with rows of numbers");
        let others = others.as_ref().map(|others| others.structures().ok_or_else(no_items)).transpose()?;
        let (n, m) = (items.len(), others.map_or(items.len(), Items::len));
        let values = watched(py, None, |_, interrupt| match others {
            Some(others) => values_between(&kernel, items, others, interrupt),
            None => values_of(&kernel, items, interrupt),
        })?;
        return PyArray1::from_vec(py, values).reshape([n, m]);
    }
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let rows = rows.vectors()?.map_err(raised)?;
    let others = others.as_ref().map(|others| others.vectors()?.map_err(raised)).transpose()?;
    let (n, m) = (rows.len(), others.as_ref().map_or(rows.len(), Items::len));
    let values = watched(py, None, |_, interrupt| {
        let owned = rows.select(&(0..n).collect::<Vec<_>>());
        match &others {
            Some(others) => values_between(&kernel, &owned, others, interrupt),
            // Noise is no part of k(x, z), only of a training set with itself.
            None if kernel.has_white_noise() => values_between(&kernel, &owned, &rows, interrupt),
            None => values_of(&kernel, &owned, interrupt),
        }
    })?;
    PyArray1::from_vec(py, values).reshape([n, m])
}

/// k(x, x) of structured items; what waits for data is found from those that are known.
#[pyfunction]
pub fn own_values(py: Python<'_>, kernel: &str, known: Rows<'_>, items: Rows<'_>) -> PyResult<Vec<f64>> {
    if let (Some(known), Some(items)) = (known.structures(), items.structures()) {
        let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
        return diagonal(py, &kernel, known, items);
    }
    let kernel: Expression = kernel.parse().map_err(raised)?;
    let (known, items) = (known.vectors()?.map_err(raised)?, items.vectors()?.map_err(raised)?);
    diagonal(py, &kernel, &known, &items)
}

fn diagonal<K: BulkKernel<I>, I: Items>(
    py: Python<'_>,
    kernel: &K,
    known: &I,
    items: &I,
) -> PyResult<Vec<f64>> {
    watched(py, None, |_, interrupt| {
        let kernel = kernel.resolve_by(known, None, &roomy(interrupt)?)?;
        // Rows of kernel values are not wanted, and none are kept.
        let plan = Plan { cache_bytes: 0, ..plan(interrupt)? };
        let layout = kernel.layout(known, &plan)?;
        Ok(kernel.symmetric(items, &layout, &plan)?.diagonal().to_vec())
    })
}

/// A kernel on structured items that has learned what it takes from them: its values do not depend on which items are compared.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct LearnedKernel {
    kernel: CollectionKernel,
}

#[pymethods]
impl LearnedKernel {
    #[new]
    fn new(py: Python<'_>, kernel: &str, items: Rows<'_>) -> PyResult<Self> {
        let Some(items) = items.structures() else { return Err(no_items()) };
        let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
        Ok(LearnedKernel {
            kernel: watched(py, None, |_, interrupt| kernel.resolve_by(items, None, &roomy(interrupt)?))?,
        })
    }

    /// A row for each of the first items, a column for each of the others.
    fn values<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        others: Rows<'_>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (Some(rows), Some(others)) = (rows.structures(), others.structures()) else {
            return Err(no_items());
        };
        let values =
            watched(py, None, |_, interrupt| values_of_resolved(&self.kernel, rows, others, interrupt))?;
        PyArray1::from_vec(py, values).reshape([rows.len(), others.len()])
    }
}

fn no_items() -> PyErr {
    PyTypeError::new_err("structured items are needed here, not rows of numbers")
}

/// How values are computed that are asked for once.
fn plan(interrupt: &Interrupt) -> Result<Plan> {
    Ok(Plan {
        precision: Precision::F64,
        workers: Arc::new(Workers::checked(0)?),
        interrupt: Some(interrupt.clone()),
        cache_bytes: 0,
        ..Plan::new()?
    })
}

/// The same with the usual memory, for kernels that must look at all values of the known items.
fn roomy(interrupt: &Interrupt) -> Result<Plan> {
    Ok(Plan { cache_bytes: default_budget(), ..plan(interrupt)? })
}

/// k(x, z) for all pairs of items of one set, row after row; what waits for data is found from them.
fn values_of<K, J>(kernel: &K, items: &J, interrupt: &Interrupt) -> Result<Vec<f64>>
where
    J: Items,
    K: BulkKernel<J>,
{
    let kernel = kernel.resolve_by(items, None, &roomy(interrupt)?)?;
    let plan = plan(interrupt)?;
    let layout = kernel.layout(items, &plan)?;
    let gram = kernel.symmetric(items, &layout, &plan)?;
    // In pieces, between which Ctrl-C is heard.
    Ok(whole(&Interruptible::new(gram, plan.interrupt.clone()))?.into_values())
}

/// k(x, z) for all pairs of two sets, row after row; what waits for data is found from the first.
fn values_between<K, J>(kernel: &K, items: &J::Owned, others: &J, interrupt: &Interrupt) -> Result<Vec<f64>>
where
    J: Items,
    K: BulkKernel<J> + BulkKernel<J::Owned>,
{
    let kernel = BulkKernel::<J::Owned>::resolve_by(kernel, items, None, &roomy(interrupt)?)?;
    values_of_resolved(&kernel, items, others, interrupt)
}

/// The same of a kernel that waits for nothing.
fn values_of_resolved<K, J>(
    kernel: &K,
    items: &J::Owned,
    others: &J,
    interrupt: &Interrupt,
) -> Result<Vec<f64>>
where
    J: Items,
    K: BulkKernel<J> + BulkKernel<J::Owned>,
{
    let plan = plan(interrupt)?;
    let layout = BulkKernel::<J::Owned>::layout(kernel, items, &plan)?;
    let gram = BulkKernel::<J>::cross(kernel, items, others, &layout, &plan)?;
    let (n, m) = (items.len(), others.len());
    let mut values = vec![0.0; n * m];
    let all: Vec<usize> = (0..n).collect();
    let out = Block::F64 { values: &mut values, stride: m };
    Interruptible::new(gram, plan.interrupt.clone()).fill(&all, Columns::Range(0..m), out)?;
    Ok(values)
}

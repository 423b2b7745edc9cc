//! Kernels by themselves: whether one can be read, and its values.

use std::sync::Arc;

use mercer::Result;
use mercer::data::{Collection, Items as _};
use mercer::gram::{
    Block, BulkKernel as _, CollectionKernel, Columns, Gram as _, Interruptible, Plan, Precision, whole,
};
use mercer::kernel::{Expression, Parameter, StructureExpression};
use mercer::machine::Differentiable;
use mercer::resources::{Interrupt, Workers, default_budget};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::rows::Rows;
use crate::watch::watched;

/// The kernel as it prints itself, or what is wrong with it.
#[pyfunction]
pub fn check_kernel(kernel: &str) -> PyResult<String> {
    Ok(kernel.parse::<StructureExpression>().map_err(raised)?.to_string())
}

/// Name, value, lower and upper bound, and whether it is on a logarithmic scale.
type Learnable = (String, f64, f64, f64, bool);

/// Every parameter that can be learned; of a kernel on structured items none.
#[pyfunction]
pub fn kernel_parameters(kernel: &str) -> PyResult<Vec<Learnable>> {
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let told = |p: Parameter| (p.name, p.value, p.lower, p.upper, p.log_scale);
    Ok(Differentiable::<Collection<'_>>::parameters(&kernel).into_iter().map(told).collect())
}

/// The same kernel with other values of these parameters.
#[pyfunction]
pub fn kernel_with_parameters(kernel: &str, values: Vec<f64>) -> PyResult<String> {
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let changed = Differentiable::<Collection<'_>>::with_parameters(&kernel, &values);
    Ok(changed.map_err(raised)?.to_string())
}

/// The kernel with every number that it leaves open filled in from these items.
#[pyfunction]
pub fn resolve_kernel(kernel: &str, rows: Rows<'_>) -> PyResult<String> {
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    Ok(kernel.resolve(&*rows.items()?, None).map_err(raised)?.to_string())
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
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let given = rows.items()?;
    let others = others.as_ref().map(Rows::items).transpose()?;
    let shape = [given.len(), others.as_ref().map_or(given.len(), |others| others.len())];
    // Noise is no part of k(x, z), only of a training set with itself.
    let is_noisy = kernel.expression().on_rows().is_some_and(Expression::has_white_noise);
    let values = match others.as_ref().or(is_noisy.then_some(&given)) {
        Some(others) => {
            let known = rows.owned_items(py)?;
            watched(py, None, |_, interrupt| {
                let kernel = kernel.resolve_by(&*known, None, &roomy(interrupt)?)?;
                values_between(&kernel, &known, others, interrupt)
            })?
        }
        None => watched(py, None, |_, interrupt| values_of(&kernel, &given, interrupt))?,
    };
    PyArray1::from_vec(py, values).reshape(shape)
}

/// k(x, x) of items; what waits for data is found from those that are known.
#[pyfunction]
pub fn own_values(py: Python<'_>, kernel: &str, known: Rows<'_>, items: Rows<'_>) -> PyResult<Vec<f64>> {
    let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
    let (known, items) = (known.items()?, items.items()?);
    watched(py, None, |_, interrupt| {
        let kernel = kernel.resolve_by(&*known, None, &roomy(interrupt)?)?;
        // Rows of kernel values are not wanted, and none are kept.
        let plan = Plan { cache_bytes: 0, ..plan(interrupt)? };
        let layout = kernel.layout(&*known, &plan)?;
        Ok(kernel.symmetric(&*items, &layout, &plan)?.diagonal().to_vec())
    })
}

/// A kernel that has learned what it takes from items: its values do not depend on which items are compared.
#[pyclass(frozen, module = "mercer._mercer")]
pub struct LearnedKernel {
    kernel: CollectionKernel,
}

#[pymethods]
impl LearnedKernel {
    #[new]
    fn new(py: Python<'_>, kernel: &str, items: Rows<'_>) -> PyResult<Self> {
        let kernel: CollectionKernel = kernel.parse().map_err(raised)?;
        let items = items.items()?;
        Ok(LearnedKernel {
            kernel: watched(py, None, |_, interrupt| kernel.resolve_by(&*items, None, &roomy(interrupt)?))?,
        })
    }

    /// A row for each of the first items, a column for each of the others.
    fn values<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'_>,
        others: Rows<'_>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (rows, others) = (rows.owned_items(py)?, others.items()?);
        let values =
            watched(py, None, |_, interrupt| values_between(&self.kernel, &rows, &others, interrupt))?;
        PyArray1::from_vec(py, values).reshape([rows.len(), others.len()])
    }
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
fn values_of(kernel: &CollectionKernel, items: &Collection<'_>, interrupt: &Interrupt) -> Result<Vec<f64>> {
    let kernel = kernel.resolve_by(items, None, &roomy(interrupt)?)?;
    let plan = plan(interrupt)?;
    let layout = kernel.layout(items, &plan)?;
    let gram = kernel.symmetric(items, &layout, &plan)?;
    // In pieces, between which Ctrl-C is heard.
    Ok(whole(&Interruptible::new(gram, plan.interrupt.clone()))?.into_values())
}

/// k(x, z) for all pairs of two sets, row after row, of a kernel that waits for nothing.
fn values_between(
    kernel: &CollectionKernel,
    items: &Collection<'static>,
    others: &Collection<'_>,
    interrupt: &Interrupt,
) -> Result<Vec<f64>> {
    let plan = plan(interrupt)?;
    let layout = kernel.layout(items, &plan)?;
    let gram = kernel.cross(items, others, &layout, &plan)?;
    let (n, m) = (items.len(), others.len());
    let mut values = vec![0.0; n * m];
    let all: Vec<usize> = (0..n).collect();
    let out = Block::F64 { values: &mut values, stride: m };
    Interruptible::new(gram, plan.interrupt.clone()).fill(&all, Columns::Range(0..m), out)?;
    Ok(values)
}

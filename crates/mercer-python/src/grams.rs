//! What machines make of a Gram matrix, whatever Python gave it as: rows of numbers, structured items or kernel values.
//!
//! All of them find functions Σ βᵢ k(xᵢ, x) + b over the training items, and are a [`Machine`] then.

use std::collections::HashMap;
use std::sync::Arc;

use mercer::data::{Collection, Items as _};
use mercer::gram::{
    BulkKernel, CollectionKernel, CollectionLayout, Plan, Precision, PrecomputedGram, SymmetricGram,
};
use mercer::io::MatrixModel;
use mercer::linalg::Matrix;
use mercer::machine::{Kept, MatrixOptions};
use mercer::resources::{Interrupt, Workers};
use mercer::{Error, Result};
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::made::Made;
use crate::matrix::Means;
use crate::rows::Rows;
use crate::saved::Machine;
use crate::watch::watched;

/// Functions that were found, by name.
#[derive(IntoPyObject)]
pub struct Found<'py> {
    /// The formula of the kernel with what it took from the rows; none where kernel values were given.
    kernel: Option<String>,
    /// The training items that the functions are made of.
    positions: Vec<usize>,
    /// One row per such item, one column per function.
    coefficients: Bound<'py, PyArray2<f64>>,
    offsets: Vec<f64>,
    /// What else was found, by name.
    told: HashMap<&'static str, Vec<f64>>,
    /// The model, to be asked and saved.
    machine: Py<Machine>,
}

fn found(
    py: Python<'_>,
    kernel: Option<String>,
    positions: Vec<usize>,
    machine: Machine,
) -> PyResult<Found<'_>> {
    let (coefficients, offsets) = machine.coefficients(py)?;
    let told = machine.told()?;
    Ok(Found { kernel, positions, coefficients, offsets, told, machine: Py::new(py, machine)? })
}

/// What `train` makes of the Gram matrix of whatever Python gave, as a model of it.
pub fn fitted<'py>(
    py: Python<'py>,
    rows: &Rows<'_>,
    kernel: Option<&str>,
    means: &Means,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<Made> + Send,
) -> PyResult<Found<'py>> {
    fitted_weighted(py, rows, None, kernel, means, train)
}

/// The same of items that have weights.
pub fn fitted_weighted<'py>(
    py: Python<'py>,
    rows: &Rows<'_>,
    weights: Option<&[f64]>,
    kernel: Option<&str>,
    means: &Means,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<Made> + Send,
) -> PyResult<Found<'py>> {
    let threads = means.threads();
    let options = |interrupt: &Interrupt| means.options(interrupt);
    let (positions, machine, formula) = match kernel {
        Some(text) => {
            let kernel: CollectionKernel = text.parse().map_err(raised)?;
            let items = rows.items()?;
            let (positions, model) = watched(py, None, |_, interrupt| {
                modelled(&kernel, (&items, weights), &options(interrupt), train)
            })?;
            let formula = model.kept().kernel.to_string();
            (positions, Machine::new(model, &items, threads), Some(formula))
        }
        None => {
            let (values, n) = rows.square()?;
            let (positions, model) = watched(py, None, |_, interrupt| {
                let made = train(&PrecomputedGram::symmetric(values, n)?, options(interrupt))?;
                of_values(made, n)
            })?;
            (positions, Machine::of_kernel_values(model, n, threads), None)
        }
    };
    found(py, formula, positions, machine)
}

/// A model of kernel values, and the items that it needs.
pub fn of_values(made: Made, n: usize) -> Result<(Vec<usize>, MatrixModel)> {
    let positions = made.positions(n);
    let model = made.model(Kept::of_kernel_values(&positions, n)?.into())?;
    Ok((positions, model))
}

/// The same of a kernel on items.
pub fn modelled(
    kernel: &CollectionKernel,
    (items, weights): (&Collection<'_>, Option<&[f64]>),
    options: &MatrixOptions,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<Made>,
) -> Result<(Vec<usize>, MatrixModel)> {
    let (kernel, layout, made) = of_kernel(kernel, (items, weights, false), options, train)?;
    let positions = made.positions(items.len());
    let precision = Precision::F64;
    let kept = Kept { kernel, layout, precision, items: items.select(&positions), threads: 0 };
    Ok((positions, made.model(kept)?))
}

/// What `train` makes of the Gram matrix of a kernel on items; an item of weight w counts as w items in what the kernel waits for.
fn of_kernel<T>(
    kernel: &CollectionKernel,
    (items, weights, holds): (&Collection<'_>, Option<&[f64]>, bool),
    options: &MatrixOptions,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<T>,
) -> Result<(CollectionKernel, CollectionLayout, T)> {
    let workers = Arc::new(Workers::checked(options.threads)?);
    let (precision, interrupt) = (Precision::F64, options.interrupt.clone());
    let n = items.len() as u64;
    // Values that the machine holds need not be kept here as well.
    let cache_bytes = if holds && 8 * n.saturating_mul(n) <= options.memory { 0 } else { options.memory };
    let plan = Plan { precision, workers, interrupt, cache_bytes, ..Plan::new()? };
    let kernel = kernel.resolve_by(items, weights, &Plan { cache_bytes: options.memory, ..plan.clone() })?;
    let layout = kernel.layout(items, &plan)?;
    let made = train(&*kernel.symmetric(items, &layout, &plan)?, options.clone())?;
    Ok((kernel, layout, made))
}

/// The same for whatever Python gave: rows, structured items, or kernel values where there is no kernel.
pub fn on_gram<T: Send>(
    py: Python<'_>,
    rows: &Rows<'_>,
    kernel: Option<&str>,
    means: &Means,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<T> + Send,
) -> PyResult<(Option<String>, T)> {
    on_weighted_gram(py, rows, (None, false), kernel, means, train)
}

/// The same of items that have weights, for a machine that may hold all kernel values itself.
pub fn on_weighted_gram<T: Send>(
    py: Python<'_>,
    rows: &Rows<'_>,
    (weights, holds): (Option<&[f64]>, bool),
    kernel: Option<&str>,
    means: &Means,
    train: impl FnOnce(&dyn SymmetricGram, MatrixOptions) -> Result<T> + Send,
) -> PyResult<(Option<String>, T)> {
    let options = |interrupt: &Interrupt| means.options(interrupt);
    match kernel {
        Some(text) => {
            let kernel: CollectionKernel = text.parse().map_err(raised)?;
            let items = rows.items()?;
            let (kernel, _, made) = watched(py, None, |_, interrupt| {
                of_kernel(&kernel, (&items, weights, holds), &options(interrupt), train)
            })?;
            Ok((Some(kernel.to_string()), made))
        }
        None => {
            let (values, n) = rows.square()?;
            let made = watched(py, None, |_, interrupt| {
                train(&PrecomputedGram::symmetric(values, n)?, options(interrupt))
            })?;
            Ok((None, made))
        }
    }
}

/// All of a kernel matrix.
pub fn whole(
    py: Python<'_>,
    rows: &Rows<'_>,
    kernel: Option<&str>,
    means: &Means,
) -> PyResult<(Option<String>, Matrix)> {
    on_gram(py, rows, kernel, means, |gram, options| {
        let n = gram.shape().0;
        let needed = 8 * (n as u64) * (n as u64);
        if needed > options.memory {
            return Err(Error::Budget {
                what: "the kernel values of a view",
                needed,
                allowed: options.memory,
                instead: "allow more memory, or learn from fewer rows",
            });
        }
        mercer::gram::whole(gram)
    })
}

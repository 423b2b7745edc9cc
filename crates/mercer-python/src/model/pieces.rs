//! A model at work, some rows at a time, so that signals are heard.

use std::time::{Duration, Instant};

use mercer::data::{Collection, Items, Vectors};
use mercer::io::{AnyModel, LoadedModel, SavedModel};
use mercer::resources::Interrupt;
use mercer::{Error, Result};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::{Model, Structured};
use crate::errors::raised;
use crate::rows::Rows;
use crate::watch::watched;

/// Steps of the first piece of a prediction: its rows times support items times columns, some forty milliseconds as a rule. Every
/// piece begins with the support items in another order of memory, so that few are better than many.
const FIRST_PIECE: usize = 1 << 31;
/// Steps that are done at once by the thread that asks: not even a thousandth of a second, as a rule.
const SHORT: usize = 1 << 20;
/// What a kernel value costs besides its columns, in columns.
const OF_VALUE: usize = 32;
/// Rows that it has at least.
const LEAST_ROWS: usize = 64;
/// Numbers that a piece holds at most, of which a copy is made.
const LARGEST_PIECE: usize = 1 << 21;
/// Structured items that are looked at between two looks for signals.
const ITEMS_AT_ONCE: usize = 256;
/// The most by which a piece grows at a time.
const GROWTH: usize = 8;
/// Pieces that take less than the first grow, those that take more than the second are halved.
const MOMENT: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(50));

impl Model {
    /// The model itself.
    pub fn loaded(&self) -> &LoadedModel {
        &self.saved
    }

    /// Computes with rows, or with structured items where the model is one of such.
    pub(super) fn asked<T: Send>(
        &self,
        py: Python<'_>,
        rows: &Rows<'_>,
        of_rows: impl Fn(&AnyModel, &Vectors<'_>) -> Result<Vec<T>> + Sync,
        of_items: impl Fn(&Structured, &Collection) -> Result<Vec<T>> + Sync,
    ) -> PyResult<Vec<T>> {
        match (&self.saved, rows.structures()) {
            (LoadedModel::Structures(saved), Some(items)) => watched(py, None, |_, _| {
                let (mut values, n) = (Vec::new(), items.len());
                for start in (0..n).step_by(ITEMS_AT_ONCE) {
                    Interrupt::checkpoint()?;
                    let some: Vec<usize> = (start..n.min(start + ITEMS_AT_ONCE)).collect();
                    let answer = of_items(&saved.model, &items.select(&some));
                    values.extend(answer.map_err(|error| match error {
                        Error::Item { index, source } => Error::Item { index: index + start, source },
                        error => error,
                    })?);
                }
                Ok(values)
            }),
            _ => {
                let saved = self.of_rows().map_err(raised)?;
                self.on_rows(py, saved, rows, |rows| of_rows(&saved.model, rows))
            }
        }
    }

    /// Computes with the rows, scaled if the training rows were, while other threads of Python may run. Many rows are taken in
    /// pieces, so that copies of them stay small: no value depends on the others.
    pub(super) fn on_rows<T: Send>(
        &self,
        py: Python<'_>,
        saved: &SavedModel,
        rows: &Rows<'_>,
        compute: impl Fn(&Vectors<'_>) -> Result<Vec<T>> + Sync,
    ) -> PyResult<Vec<T>> {
        let given = rows.vectors()?.map_err(raised)?;
        let compute = |rows: &Vectors<'_>| match saved.scaling {
            Some(_) => compute(&saved.prepare(rows)?),
            None => compute(rows),
        };
        let n = given.len();
        let support = saved.model.support_items().len().max(1);
        let steps = support.saturating_mul(given.columns() + OF_VALUE);
        if n.saturating_mul(steps) <= SHORT {
            return py.detach(|| compute(&given)).map_err(raised);
        }
        let most = (LARGEST_PIECE / (given.stored() / n.max(1)).max(1)).max(LEAST_ROWS);
        let mut size = (FIRST_PIECE / steps).clamp(LEAST_ROWS, most);
        watched(py, None, |_, _| {
            let (mut values, mut start) = (Vec::new(), 0);
            while start < n {
                Interrupt::checkpoint()?;
                let piece = start..start.saturating_add(size).min(n);
                start = piece.end;
                let begun = Instant::now();
                values.extend(compute(&given.range(piece))?);
                match begun.elapsed() {
                    took if took < MOMENT.0 / GROWTH as u32 => size = size.saturating_mul(GROWTH),
                    took if took < MOMENT.0 => size = size.saturating_mul(2),
                    took if took > MOMENT.1 => size = (size / 2).max(1),
                    _ => {}
                }
                size = size.min(most);
            }
            Ok(values)
        })
    }
}

/// A row for each item.
pub(super) fn in_rows(py: Python<'_>, values: Vec<f64>, width: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = values.len() / width;
    PyArray1::from_vec(py, values).reshape([rows, width])
}

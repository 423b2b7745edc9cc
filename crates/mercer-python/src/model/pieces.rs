//! A model at work, some rows at a time, so that signals are heard.

use std::time::{Duration, Instant};

use mercer::data::{Collection, Items as _};
use mercer::io::{self, TrainedMachine};
use mercer::resources::Interrupt;
use mercer::{Error, Result};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::Model;
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

/// How many items are looked at between two looks for signals.
struct Pieces {
    first: usize,
    least: usize,
    most: usize,
}

impl Pieces {
    /// Of items that are compared with so many support items; none for those that are done at once.
    fn of(items: &Collection<'_>, support: usize) -> Option<Self> {
        let Collection::Rows(rows) = items else {
            return Some(Pieces { first: ITEMS_AT_ONCE, least: ITEMS_AT_ONCE, most: ITEMS_AT_ONCE });
        };
        let n = rows.len();
        let steps = support.max(1).saturating_mul(rows.columns() + OF_VALUE);
        let most = (LARGEST_PIECE / (rows.stored() / n.max(1)).max(1)).max(LEAST_ROWS);
        let first = (FIRST_PIECE / steps).clamp(LEAST_ROWS, most);
        (n.saturating_mul(steps) > SHORT).then_some(Pieces { first, least: 1, most })
    }
}

impl Model {
    /// The model itself.
    pub fn saved(&self) -> &io::Model {
        &self.saved
    }

    /// Computes with the items, scaled if the training rows were, while other threads of Python may run. Many items are taken in
    /// pieces, so that copies of them stay small: no value depends on the others.
    pub(super) fn asked<T: Send>(
        &self,
        py: Python<'_>,
        rows: &Rows<'_>,
        compute: impl Fn(&TrainedMachine, &Collection<'_>) -> Result<Vec<T>> + Sync,
    ) -> PyResult<Vec<T>> {
        let (given, saved) = (rows.items()?, &self.saved);
        let compute = |items: &Collection<'_>| compute(&saved.machine, &*saved.prepare(items)?);
        let pieces = Pieces::of(&given, saved.machine.support_items().len());
        let Some(Pieces { first, least, most }) = pieces else {
            return py.detach(|| compute(&given)).map_err(raised);
        };
        watched(py, None, |_, _| {
            let n = given.len();
            let (mut values, mut start, mut size) = (Vec::new(), 0, first);
            while start < n {
                Interrupt::checkpoint()?;
                let piece = start..start.saturating_add(size).min(n);
                let begun = Instant::now();
                let answer = compute(&given.range(piece.clone())).map_err(|error| match error {
                    Error::Item { index, source } => Error::Item { index: index + start, source },
                    error => error,
                });
                values.extend(answer?);
                start = piece.end;
                match begun.elapsed() {
                    took if took < MOMENT.0 / GROWTH as u32 => size = size.saturating_mul(GROWTH),
                    took if took < MOMENT.0 => size = size.saturating_mul(2),
                    took if took > MOMENT.1 => size /= 2,
                    _ => {}
                }
                size = size.clamp(least, most);
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

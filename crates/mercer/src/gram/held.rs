//! Parts of a Gram matrix, held: for whoever asks for the same values again and again.

use std::ops::Range;

use crate::error::Result;
use crate::gram::{Columns, Gram, Precision, PrecomputedGram, SymmetricGram, Value};
use crate::resources::InstructionSet;

/// The values of a square matrix that is in memory, row after row. Some numbers more may follow, so that a row can be read in
/// vectors to its end.
#[derive(Clone, Copy, Debug)]
pub enum Held<'a> {
    /// In single precision.
    F32(&'a [f32]),
    /// In double precision.
    F64(&'a [f64]),
}

/// Numbers that follow the last row of a matrix that is held: as many as a vector has, and no fewer.
pub(super) const BEHIND: usize = 16;

/// The values of some items with each other, in the precision of the matrix that they are from. O(m²) bytes for m items:
/// the caller has seen to it that they are there.
///
/// ```
/// use mercer::gram::{PrecomputedGram, SymmetricGram, hold};
/// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 3.0, 2.0, 5.0, 6.0, 3.0, 6.0, 9.0], 3)?;
/// assert_eq!(hold(&gram, &[2, 0], mercer::resources::InstructionSet::strongest())?.diagonal(), [9.0, 1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`Gram::fill`].
pub fn hold(
    gram: &dyn SymmetricGram,
    items: &[usize],
    level: InstructionSet,
) -> Result<Box<dyn SymmetricGram>> {
    Ok(match gram.precision() {
        Precision::F32 => Box::new(symmetric::<f32>(gram, items, level)?),
        _ => Box::new(symmetric::<f64>(gram, items, level)?),
    })
}

/// The values of some rows and columns, likewise.
///
/// ```
/// use mercer::gram::{Gram, PrecomputedGram, hold_between};
/// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 3.0, 2.0, 5.0, 6.0, 3.0, 6.0, 9.0], 3)?;
/// let part = hold_between(&gram, &[1], &[0, 2], mercer::resources::InstructionSet::strongest())?;
/// assert_eq!(part.shape(), (1, 2));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`Gram::fill`].
pub fn hold_between(
    gram: &dyn SymmetricGram,
    rows: &[usize],
    columns: &[usize],
    level: InstructionSet,
) -> Result<Box<dyn Gram>> {
    Ok(match gram.precision() {
        Precision::F32 => Box::new(between::<f32>(gram, rows, columns, level)?),
        _ => Box::new(between::<f64>(gram, rows, columns, level)?),
    })
}

fn between<T: Value>(
    gram: &dyn SymmetricGram,
    rows: &[usize],
    columns: &[usize],
    level: InstructionSet,
) -> Result<PrecomputedGram<'static, T>> {
    match gram.held().and_then(T::of) {
        Some(values) => Ok(copied(values, gram.shape().1, rows, columns, level)),
        None => rectangular::<T>(gram, rows, columns, level),
    }
}

fn symmetric<T: Value>(
    gram: &dyn SymmetricGram,
    items: &[usize],
    level: InstructionSet,
) -> Result<PrecomputedGram<'static, T>> {
    let diagonal = items.iter().map(|&item| gram.diagonal()[item]).collect();
    let part = match gram.held().and_then(T::of) {
        Some(values) => copied(values, gram.shape().1, items, items, level),
        None => rectangular::<T>(gram, items, items, level)?,
    };
    Ok(part.with_diagonal(diagonal))
}

/// Rows and columns of a matrix that is in memory. Columns that follow each other are copied together.
fn copied<T: Value>(
    values: &[T],
    stride: usize,
    rows: &[usize],
    columns: &[usize],
    level: InstructionSet,
) -> PrecomputedGram<'static, T> {
    let runs: Vec<Range<usize>> =
        columns.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len()).collect();
    let mut part = Vec::with_capacity(rows.len() * columns.len() + BEHIND);
    for &i in rows {
        let row = &values[i * stride..][..stride];
        runs.iter().for_each(|run| part.extend_from_slice(&row[run.clone()]));
    }
    part.resize(part.len() + BEHIND, T::from_f64(0.0));
    PrecomputedGram::trusted(part, rows.len(), columns.len(), level)
}

fn rectangular<T: Value>(
    gram: &dyn Gram,
    rows: &[usize],
    columns: &[usize],
    level: InstructionSet,
) -> Result<PrecomputedGram<'static, T>> {
    let mut values = vec![T::from_f64(0.0); rows.len() * columns.len() + BEHIND];
    let is_range = columns.windows(2).all(|pair| pair[0] + 1 == pair[1]) && !columns.is_empty();
    let part = if is_range {
        Columns::Range(columns[0]..columns[0] + columns.len())
    } else {
        Columns::List(columns)
    };
    gram.fill(rows, part, T::block(&mut values, columns.len()))?;
    Ok(PrecomputedGram::trusted(values, rows.len(), columns.len(), level))
}

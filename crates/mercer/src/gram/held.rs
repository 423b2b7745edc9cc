//! Parts of a Gram matrix, held: for whoever asks for the same values again and again.

use std::ops::Range;

use crate::error::Result;
use crate::gram::{Columns, Gram, Precision, PrecomputedGram, Room, SymmetricGram, Value};
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
/// the caller has seen to it that they are there, and says where to put them.
///
/// ```
/// use mercer::gram::{PrecomputedGram, Room, SymmetricGram, hold};
/// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 3.0, 2.0, 5.0, 6.0, 3.0, 6.0, 9.0], 3)?;
/// let (level, mut room) = (mercer::resources::InstructionSet::strongest(), Room::default());
/// assert_eq!(hold(&gram, &[2, 0], level, &mut room)?.diagonal(), [9.0, 1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`Gram::fill`].
pub fn hold<'r>(
    gram: &dyn SymmetricGram,
    items: &[usize],
    level: InstructionSet,
    room: &'r mut Room,
) -> Result<Box<dyn SymmetricGram + 'r>> {
    Ok(match gram.precision() {
        Precision::F32 => Box::new(symmetric::<f32>(gram, items, level, room)?),
        _ => Box::new(symmetric::<f64>(gram, items, level, room)?),
    })
}

/// The values of some rows and columns, likewise.
///
/// ```
/// use mercer::gram::{Gram, PrecomputedGram, Room, hold_between};
/// let gram = PrecomputedGram::symmetric(vec![1.0, 2.0, 3.0, 2.0, 5.0, 6.0, 3.0, 6.0, 9.0], 3)?;
/// let (level, mut room) = (mercer::resources::InstructionSet::strongest(), Room::default());
/// assert_eq!(hold_between(&gram, &[1], &[0, 2], level, &mut room)?.shape(), (1, 2));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`Gram::fill`].
pub fn hold_between<'r>(
    gram: &dyn SymmetricGram,
    rows: &[usize],
    columns: &[usize],
    level: InstructionSet,
    room: &'r mut Room,
) -> Result<Box<dyn Gram + 'r>> {
    Ok(match gram.precision() {
        Precision::F32 => Box::new(between::<f32>(gram, rows, columns, level, room)?),
        _ => Box::new(between::<f64>(gram, rows, columns, level, room)?),
    })
}

fn symmetric<'r, T: Value>(
    gram: &dyn SymmetricGram,
    items: &[usize],
    level: InstructionSet,
    room: &'r mut Room,
) -> Result<PrecomputedGram<'r, T>> {
    let diagonal = items.iter().map(|&item| gram.diagonal()[item]).collect();
    Ok(between::<T>(gram, items, items, level, room)?.with_diagonal(diagonal))
}

fn between<'r, T: Value>(
    gram: &dyn SymmetricGram,
    rows: &[usize],
    columns: &[usize],
    level: InstructionSet,
    room: &'r mut Room,
) -> Result<PrecomputedGram<'r, T>> {
    let place = T::place(room);
    let size = PrecomputedGram::<T>::room_for(rows.len(), columns.len());
    match gram.held().and_then(T::of) {
        Some(values) => {
            copy(values, gram.shape().1, rows, columns, place);
            place.resize(size, T::from_f64(0.0));
        }
        None => {
            place.resize(size, T::from_f64(0.0));
            gram.fill(rows, as_columns(columns), T::block(place, columns.len()))?;
        }
    }
    Ok(PrecomputedGram::trusted(place, rows.len(), columns.len(), level))
}

/// Rows and columns of a matrix that is in memory. Columns that follow each other are copied together.
fn copy<T: Value>(values: &[T], stride: usize, rows: &[usize], columns: &[usize], part: &mut Vec<T>) {
    let runs = runs(columns);
    part.clear();
    part.reserve(PrecomputedGram::<T>::room_for(rows.len(), columns.len()));
    for &i in rows {
        let row = &values[i * stride..][..stride];
        runs.iter().for_each(|run| part.extend_from_slice(&row[run.clone()]));
    }
}

/// Columns that follow each other, together.
pub(super) fn runs(columns: &[usize]) -> Vec<Range<usize>> {
    columns.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len()).collect()
}

fn as_columns(columns: &[usize]) -> Columns<'_> {
    let is_range = columns.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    match columns.first() {
        Some(&first) if is_range => Columns::Range(first..first + columns.len()),
        _ => Columns::List(columns),
    }
}

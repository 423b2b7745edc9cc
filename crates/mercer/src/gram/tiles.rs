//! Blocks cut into small tiles that are computed in double precision, each by one thread.

use std::sync::{Arc, Mutex};

use crate::error::{Error, Result};
use crate::gram::{Block, Columns, Value};
use crate::resources::{InstructionSet, Workers};

/// A part of a block to be computed.
pub(crate) struct Tile<'a> {
    pub(crate) rows: &'a [usize],
    pub(crate) columns: &'a Columns<'a>,
    /// `rows × columns` values, row after row.
    pub(crate) out: &'a mut [f64],
}

/// The first error in the order of the tiles, whichever thread was faster.
#[derive(Default)]
struct FirstError(Mutex<Option<(usize, Error)>>);

impl FirstError {
    fn note(&self, position: usize, outcome: Result<()>) {
        if let Err(error) = outcome {
            let mut first = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if first.as_ref().is_none_or(|(earlier, _)| position < *earlier) {
                *first = Some((position, error));
            }
        }
    }

    fn into_result(self) -> Result<()> {
        match self.0.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// [`Gram::fill`](crate::gram::Gram::fill) by tiles of at most `size` rows and columns.
pub(crate) fn fill_by_tiles(
    workers: &Workers,
    worth: bool,
    size: (usize, usize),
    rows: &[usize],
    columns: &Columns<'_>,
    out: Block<'_>,
    compute: impl Fn(Tile<'_>) -> Result<()> + Sync,
) -> Result<()> {
    match out {
        Block::F32 { values, stride } => fill(workers, worth, size, rows, columns, (values, stride), compute),
        Block::F64 { values, stride } => fill(workers, worth, size, rows, columns, (values, stride), compute),
    }
}

/// Where a tile goes: one piece of each of its rows.
struct Place<'a, T> {
    row: usize,
    column: usize,
    pieces: Vec<&'a mut [T]>,
}

fn fill<T: Value>(
    workers: &Workers,
    worth: bool,
    size: (usize, usize),
    rows: &[usize],
    columns: &Columns<'_>,
    (values, stride): (&mut [T], usize),
    compute: impl Fn(Tile<'_>) -> Result<()> + Sync,
) -> Result<()> {
    let width = columns.len();
    if rows.is_empty() || width == 0 {
        return Ok(());
    }
    let across = width.div_ceil(size.1);
    let mut places: Vec<Place<'_, T>> = Vec::with_capacity(rows.len().div_ceil(size.0) * across);
    let values = &mut values[..(rows.len() - 1) * stride + width];
    for (band, values) in values.chunks_mut(size.0 * stride).enumerate() {
        let first = places.len();
        let pieces = || Vec::with_capacity(size.0);
        places.extend((0..across).map(|t| Place {
            row: band * size.0,
            column: t * size.1,
            pieces: pieces(),
        }));
        for row in values.chunks_mut(stride) {
            for (t, piece) in row[..width].chunks_mut(size.1).enumerate() {
                places[first + t].pieces.push(piece);
            }
        }
    }
    let error = FirstError::default();
    workers.for_each_chunk(&mut places, 1, worth, |position, places| {
        for place in places {
            let (tall, wide) = (place.pieces.len(), place.pieces[0].len());
            let mut tile = vec![0.0; tall * wide];
            let outcome = compute(Tile {
                rows: &rows[place.row..place.row + tall],
                columns: &columns.slice(place.column..place.column + wide),
                out: &mut tile,
            });
            for (piece, row) in place.pieces.iter_mut().zip(tile.chunks(wide)) {
                piece.iter_mut().zip(row).for_each(|(to, &v)| *to = T::from_f64(v));
            }
            error.note(position, outcome);
        }
    });
    error.into_result()
}

/// [`Gram::accumulate`](crate::gram::Gram::accumulate) by tiles of at most `size` rows and columns; one task
/// owns `size.1` columns, so that each sum is made in the order of the rows.
pub(crate) fn accumulate_by_tiles(
    (workers, level): (&Arc<Workers>, InstructionSet),
    worth: bool,
    size: (usize, usize),
    (rows, weights): (&[usize], &[f64]),
    columns: &Columns<'_>,
    f: &mut [f64],
    compute: impl Fn(Tile<'_>) -> Result<()> + Sync,
) -> Result<()> {
    let error = FirstError::default();
    workers.for_each_chunk(f, size.1, worth, |start, f| {
        let columns = columns.slice(start..start + f.len());
        let mut tile = vec![0.0; size.0.min(rows.len()) * f.len()];
        for (rows, weights) in rows.chunks(size.0).zip(weights.chunks(size.0)) {
            let tile = &mut tile[..rows.len() * f.len()];
            match compute(Tile { rows, columns: &columns, out: tile }) {
                Ok(()) => {
                    for (row, &weight) in tile.chunks(f.len()).zip(weights) {
                        f64::add_weighted(level, weight, row, f);
                    }
                }
                failed => return error.note(start, failed),
            }
        }
    });
    error.into_result()
}

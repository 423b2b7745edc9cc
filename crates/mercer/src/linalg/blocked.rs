//! Cholesky factorisation block by block, in either precision.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::traits::RealField;
use faer::{Accum, MatMut, MatRef, Par};

use crate::error::{Error, Result};
use crate::resources::Workers;

/// Columns that are eliminated together. Sizes are constants, so that the bits do not depend on the number of threads.
const BLOCK: usize = 256;
/// Columns, or right-hand sides, that one task handles.
pub(super) const STRIP: usize = 128;
/// Columns that one task copies.
const FEW: usize = 32;
/// From this size on several threads are worth it.
pub(super) const WORTH_THREADS: usize = 512;

/// Writes L into the entries on and above the diagonal, column by column of L; those below stay.
pub(super) fn factorise<T: RealField + Copy>(values: &mut [T], n: usize, workers: &Workers) -> Result<()> {
    workers.check()?;
    let worth = n >= WORTH_THREADS;
    let mut panel: Vec<T> = Vec::new();
    for first in (0..n).step_by(BLOCK) {
        let width = BLOCK.min(n - first);
        let (block, trailing) = values[first * n..].split_at_mut(width * n);
        eliminate(&mut block[first..], n, width).map_err(|index| Error::Pivot { index: first + index })?;
        let (next, below) = (first + width, n - first - width);
        if below == 0 {
            break;
        }
        // What is below the diagonal block, row after row: X with X·Lᵀ = A, each row by itself.
        panel.resize(width * below, T::zero_impl());
        let columns = MatRef::from_column_major_slice(block, n, width);
        let diagonal = columns.submatrix(first, 0, width, width);
        workers.try_each_chunk(&mut panel, width * STRIP, worth, |start, rows| {
            let (top, count) = (next + start / width, rows.len() / width);
            let mut rows = MatMut::from_column_major_slice_mut(rows, width, count);
            rows.copy_from(columns.submatrix(top, 0, count, width).transpose());
            solve_lower_triangular_in_place(diagonal, rows, Par::Seq);
        })?;
        let x = MatRef::from_row_major_slice(&panel, below, width);
        workers.try_each_chunk(block, n * FEW, worth, |start, columns| {
            let (left, count) = (start / n, columns.len() / n);
            let mut columns = MatMut::from_column_major_slice_mut(columns, n, count);
            columns.as_mut().subrows_mut(next, below).copy_from(x.subcols(left, count));
        })?;
        // What is right of it loses X·Xᵀ, on and below the diagonal.
        workers.try_each_chunk(trailing, n * STRIP, worth, |start, strip| {
            let (left, count) = (start / n, strip.len() / n);
            let (own, rows) = x.subrows(left, below - left).split_at_row(count);
            let strip = MatMut::from_column_major_slice_mut(strip, n, count);
            let (square, rest) = strip.subrows_mut(next + left, below - left).split_at_row_mut(count);
            triangular::matmul(
                square,
                BlockStructure::TriangularLower,
                Accum::Add,
                own,
                BlockStructure::Rectangular,
                own.transpose(),
                BlockStructure::Rectangular,
                -T::one_impl(),
                Par::Seq,
            );
            matmul(rest, Accum::Add, rows, own.transpose(), -T::one_impl(), Par::Seq);
        })?;
    }
    Ok(())
}

/// Factorises one block, whose columns are so far apart; the pivot that is not above 0, if there is one.
///
/// On a copy, since what is above its diagonal must stay.
fn eliminate<T: RealField + Copy>(
    block: &mut [T],
    apart: usize,
    width: usize,
) -> std::result::Result<(), usize> {
    let mut copy = vec![T::zero_impl(); width * width];
    for j in 0..width {
        copy[j * width + j..(j + 1) * width].copy_from_slice(&block[j * apart + j..j * apart + width]);
    }
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<T>(width, Par::Seq, Default::default()));
    cholesky_in_place(
        MatMut::from_column_major_slice_mut(&mut copy, width, width),
        Default::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .map_err(|LltError::NonPositivePivot { index }| index)?;
    for j in 0..width {
        block[j * apart + j..j * apart + width].copy_from_slice(&copy[j * width + j..(j + 1) * width]);
    }
    Ok(())
}

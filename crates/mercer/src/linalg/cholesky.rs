//! The triangular root of a positive definite matrix.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, MatMut, MatRef, Par};

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::resources::Workers;

/// Columns that are eliminated together. Sizes are constants, so that the bits do not depend on the number of threads.
const BLOCK: usize = 256;
/// Columns, or right-hand sides, that one task handles.
const STRIP: usize = 128;
/// From this size on several threads are worth it.
const WORTH_THREADS: usize = 512;

/// What is added to the diagonal of a matrix that is not positive definite, as a multiple of its mean, at first and at most.
/// Less would be lost in rounding: a solution has no more digits than the jitter leaves between itself and 1e-16.
const JITTER: (f64, f64) = (1e-10, 1e-6);

/// The Cholesky factorisation A = LLᵀ of a symmetric positive definite matrix.
///
/// ```
/// use mercer::linalg::{Cholesky, Matrix};
/// let factor = Cholesky::new(&Matrix::new(vec![4.0, 2.0, 2.0, 5.0], 2, 2)?)?;
/// let mut x = [8.0, 12.0];
/// factor.solve(&mut x)?;
/// assert_eq!(x, [1.0, 2.0]);
/// assert!((factor.log_determinant() - 16f64.ln()).abs() < 1e-14);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cholesky {
    /// R = Lᵀ, row after row: both substitutions then walk along rows.
    upper: Matrix,
}

impl Cholesky {
    /// Factorises a matrix that is symmetric, on the calling thread.
    ///
    /// O(n³/3) time, O(n²) memory.
    ///
    /// # Errors
    /// [`Error::Pivot`] with the first pivot that is not above 0; [`Error::Shape`], [`Error::NonFinite`], [`Error::Interrupted`].
    pub fn new(matrix: &Matrix) -> Result<Self> {
        Self::in_place(matrix.clone(), &Workers::serial())
    }

    /// The same in the place of the matrix, by several threads.
    ///
    /// O(n³/3) time, O(n) memory beside the matrix.
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// use mercer::resources::Workers;
    /// let factor = Cholesky::in_place(Matrix::new(vec![9.0], 1, 1)?, &Workers::new(2))?;
    /// assert_eq!(factor.lower(0, 0), 3.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Cholesky::new`].
    pub fn in_place(mut matrix: Matrix, workers: &Workers) -> Result<Self> {
        matrix.check_square()?;
        factorise(&mut matrix, workers)?;
        Ok(Self::finished(matrix))
    }

    /// The same of a matrix that may be singular to rounding: where it is not positive definite, the smallest jitter of
    /// 1e-10, 1e-9, …, 1e-6 times the mean of the diagonal that makes it so is added to the diagonal, and told.
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// use mercer::resources::Workers;
    /// let singular = Matrix::new(vec![1.0, 1.0, 1.0, 1.0], 2, 2)?;
    /// let (factor, jitter) = Cholesky::with_jitter(singular, &Workers::serial())?;
    /// assert!(jitter > 0.0 && jitter < 1e-9);
    /// assert!((factor.lower(1, 0) - 1.0).abs() < 1e-9);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Pivot`] if the largest jitter does not do; [`Error::Shape`], [`Error::NonFinite`].
    pub fn with_jitter(mut matrix: Matrix, workers: &Workers) -> Result<(Self, f64)> {
        matrix.check_square()?;
        let n = matrix.rows();
        let diagonal: Vec<f64> = (0..n).map(|i| matrix[(i, i)]).collect();
        let mean = diagonal.iter().map(|d| d.abs()).sum::<f64>() / n.max(1) as f64;
        let mut share = JITTER.0;
        let mut failed = match factorise(&mut matrix, workers) {
            Ok(()) => return Ok((Self::finished(matrix), 0.0)),
            Err(error @ Error::Pivot { .. }) => error,
            Err(error) => return Err(error),
        };
        while share <= 1.5 * JITTER.1 {
            let jitter = share * mean;
            // The triangle that is not written to still has the matrix.
            for i in 0..n {
                for j in 0..i {
                    matrix[(j, i)] = matrix[(i, j)];
                }
                matrix[(i, i)] = diagonal[i] + jitter;
            }
            match factorise(&mut matrix, workers) {
                Ok(()) => return Ok((Self::finished(matrix), jitter)),
                Err(error @ Error::Pivot { .. }) => failed = error,
                Err(error) => return Err(error),
            }
            share *= 10.0;
        }
        Err(failed)
    }

    fn finished(mut upper: Matrix) -> Self {
        let n = upper.rows();
        for i in 0..n {
            upper.values_mut()[i * n..][..i].fill(0.0);
        }
        Cholesky { upper }
    }

    /// n: rows and columns of A.
    pub fn size(&self) -> usize {
        self.upper.rows()
    }

    /// L[row, column].
    pub fn lower(&self, row: usize, column: usize) -> f64 {
        self.upper[(column, row)]
    }

    /// Replaces b by the solution x of Ax = b. O(n²).
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// let factor = Cholesky::new(&Matrix::new(vec![4.0], 1, 1)?)?;
    /// let mut x = [2.0];
    /// factor.solve(&mut x)?;
    /// assert_eq!((factor.lower(0, 0), x), (2.0, [0.5]));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if b has another length.
    pub fn solve(&self, b: &mut [f64]) -> Result<()> {
        let n = self.upper.rows();
        if b.len() != n {
            return Err(Error::Shape { what: "right-hand side", expected: n, found: b.len() });
        }
        for i in 0..n {
            let row = self.upper.row(i);
            b[i] /= row[i];
            let (done, rest) = b.split_at_mut(i + 1);
            for (value, r) in rest.iter_mut().zip(&row[i + 1..]) {
                *value -= r * done[i];
            }
        }
        for i in (0..n).rev() {
            let row = self.upper.row(i);
            let known: f64 = row[i + 1..].iter().zip(&b[i + 1..]).map(|(r, x)| r * x).sum();
            b[i] = (b[i] - known) / row[i];
        }
        Ok(())
    }

    /// Replaces every row b of a matrix by the solution x of Ax = b. O(n²) per row.
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// use mercer::resources::Workers;
    /// let factor = Cholesky::new(&Matrix::new(vec![4.0, 2.0, 2.0, 5.0], 2, 2)?)?;
    /// let mut rows = Matrix::new(vec![8.0, 12.0, 4.0, 2.0], 2, 2)?;
    /// factor.solve_rows(&mut rows, &Workers::serial())?;
    /// assert_eq!(rows.values(), [1.0, 2.0, 1.0, 0.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if rows have another length.
    pub fn solve_rows(&self, rows: &mut Matrix, workers: &Workers) -> Result<()> {
        self.substitute(rows, workers, |columns| {
            solve_lower_triangular_in_place(self.l(), columns.as_mut(), Par::Seq);
            solve_upper_triangular_in_place(self.l().transpose(), columns.as_mut(), Par::Seq);
        })
    }

    /// Replaces every row b of a matrix by L⁻¹b, whose squared length is bᵀA⁻¹b. O(n²/2) per row.
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// use mercer::resources::Workers;
    /// let factor = Cholesky::new(&Matrix::new(vec![4.0], 1, 1)?)?;
    /// let mut rows = Matrix::new(vec![6.0], 1, 1)?;
    /// factor.forward_rows(&mut rows, &Workers::serial())?;
    /// assert_eq!(rows.values(), [3.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if rows have another length.
    pub fn forward_rows(&self, rows: &mut Matrix, workers: &Workers) -> Result<()> {
        self.substitute(rows, workers, |columns| {
            solve_lower_triangular_in_place(self.l(), columns.as_mut(), Par::Seq);
        })
    }

    /// Replaces every row b of a matrix by L⁻ᵀb. O(n²/2) per row.
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// use mercer::resources::Workers;
    /// let factor = Cholesky::new(&Matrix::new(vec![4.0, 2.0, 2.0, 5.0], 2, 2)?)?;
    /// let mut rows = Matrix::new(vec![8.0, 4.0], 1, 2)?;
    /// factor.backward_rows(&mut rows, &Workers::serial())?;
    /// assert_eq!(rows.values(), [3.0, 2.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if rows have another length.
    pub fn backward_rows(&self, rows: &mut Matrix, workers: &Workers) -> Result<()> {
        self.substitute(rows, workers, |columns| {
            solve_upper_triangular_in_place(self.l().transpose(), columns.as_mut(), Par::Seq);
        })
    }

    fn substitute(
        &self,
        rows: &mut Matrix,
        workers: &Workers,
        solve: impl Fn(&mut MatMut<'_, f64>) + Sync,
    ) -> Result<()> {
        let n = self.size();
        if rows.columns() != n {
            let what = "columns of the right-hand sides";
            return Err(Error::Shape { what, expected: n, found: rows.columns() });
        }
        if n > 0 {
            let worth = rows.rows() * n >= WORTH_THREADS * WORTH_THREADS;
            workers.try_each_chunk(rows.values_mut(), n * STRIP, worth, |_, chunk| {
                let count = chunk.len() / n;
                solve(&mut MatMut::from_column_major_slice_mut(chunk, n, count));
            })?;
        }
        Ok(())
    }

    /// L, whose columns are our rows.
    fn l(&self) -> MatRef<'_, f64> {
        let n = self.size();
        MatRef::from_column_major_slice(self.upper.values(), n, n)
    }

    /// A⁻¹. O(2n³/3) time, two more matrices of n² numbers while it is computed.
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// use mercer::resources::Workers;
    /// let factor = Cholesky::new(&Matrix::new(vec![2.0, 1.0, 1.0, 1.0], 2, 2)?)?;
    /// let inverse = factor.inverse(&Workers::serial())?;
    /// assert!(inverse.values().iter().zip([1.0, -1.0, -1.0, 2.0]).all(|(a, b)| (a - b).abs() < 1e-14));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn inverse(&self, workers: &Workers) -> Result<Matrix> {
        let n = self.size();
        let (mut root, mut inverse) = (Matrix::zeros(n, n), Matrix::zeros(n, n));
        if n == 0 {
            return Ok(inverse);
        }
        let worth = n >= WORTH_THREADS;
        workers.try_each_chunk(root.values_mut(), n * STRIP, worth, |start, columns| {
            self.inverse_root(start / n, columns);
        })?;
        // A⁻¹ = L⁻ᵀL⁻¹. L⁻¹ is 0 above its diagonal, so that rows from the lower of two indices on count.
        let root = MatRef::from_column_major_slice(root.values(), n, n);
        workers.try_each_chunk(inverse.values_mut(), n * STRIP, worth, |start, columns| {
            let (first, count) = (start / n, columns.len() / n);
            let mut columns = MatMut::from_column_major_slice_mut(columns, n, count);
            for top in (first..n).step_by(STRIP) {
                let height = STRIP.min(n - top);
                matmul(
                    columns.as_mut().subrows_mut(top, height),
                    Accum::Replace,
                    root.submatrix(top, top, n - top, height).transpose(),
                    root.submatrix(top, first, n - top, count),
                    1.0,
                    Par::Seq,
                );
            }
        })?;
        for i in 0..n {
            for j in 0..i {
                inverse[(i, j)] = inverse[(j, i)];
            }
        }
        Ok(inverse)
    }

    /// The diagonal of A⁻¹. O(n³/3) time, O(n) memory per thread.
    ///
    /// ```
    /// use mercer::linalg::{Cholesky, Matrix};
    /// use mercer::resources::Workers;
    /// let factor = Cholesky::new(&Matrix::new(vec![2.0, 1.0, 1.0, 1.0], 2, 2)?)?;
    /// let diagonal = factor.inverse_diagonal(&Workers::serial())?;
    /// assert!((diagonal[0] - 1.0).abs() < 1e-14 && (diagonal[1] - 2.0).abs() < 1e-14);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn inverse_diagonal(&self, workers: &Workers) -> Result<Vec<f64>> {
        let n = self.size();
        let strips = workers.map(n.div_ceil(STRIP), n >= WORTH_THREADS, |strip| {
            workers.check()?;
            let first = strip * STRIP;
            let mut columns = vec![0.0; STRIP.min(n - first) * n];
            self.inverse_root(first, &mut columns);
            Ok(columns.chunks(n).map(|column| column.iter().map(|v| v * v).sum()).collect::<Vec<f64>>())
        });
        Ok(strips.into_iter().collect::<Result<Vec<_>>>()?.concat())
    }

    /// Writes the columns of L⁻¹ from `first` on into columns that are 0.
    fn inverse_root(&self, first: usize, columns: &mut [f64]) {
        let n = self.size();
        let count = columns.len() / n;
        (0..count).for_each(|j| columns[j * n + first + j] = 1.0);
        let below = n - first;
        solve_lower_triangular_in_place(
            self.l().submatrix(first, first, below, below),
            MatMut::from_column_major_slice_mut(columns, n, count).subrows_mut(first, below),
            Par::Seq,
        );
    }

    /// ln det A.
    pub fn log_determinant(&self) -> f64 {
        (0..self.upper.rows()).map(|i| 2.0 * self.upper[(i, i)].ln()).sum()
    }
}

/// Writes L into the entries on and above the diagonal, column by column of L; those below stay.
fn factorise(matrix: &mut Matrix, workers: &Workers) -> Result<()> {
    let n = matrix.rows();
    workers.check()?;
    let worth = n >= WORTH_THREADS;
    let mut panel: Vec<f64> = Vec::new();
    for first in (0..n).step_by(BLOCK) {
        let width = BLOCK.min(n - first);
        let (block, trailing) = matrix.values_mut()[first * n..].split_at_mut(width * n);
        eliminate(&mut block[first..], n, width).map_err(|index| Error::Pivot { index: first + index })?;
        let (next, below) = (first + width, n - first - width);
        if below == 0 {
            break;
        }
        // What is below the diagonal block, row after row: X with X·Lᵀ = A, each row by itself.
        panel.resize(width * below, 0.0);
        let columns = MatRef::from_column_major_slice(block, n, width);
        let diagonal = columns.submatrix(first, 0, width, width);
        workers.try_each_chunk(&mut panel, width * STRIP, worth, |start, rows| {
            let (top, count) = (next + start / width, rows.len() / width);
            let mut rows = MatMut::from_column_major_slice_mut(rows, width, count);
            rows.copy_from(columns.submatrix(top, 0, count, width).transpose());
            solve_lower_triangular_in_place(diagonal, rows, Par::Seq);
        })?;
        let x = MatRef::from_row_major_slice(&panel, below, width);
        MatMut::from_column_major_slice_mut(block, n, width).subrows_mut(next, below).copy_from(x);
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
                -1.0,
                Par::Seq,
            );
            matmul(rest, Accum::Add, rows, own.transpose(), -1.0, Par::Seq);
        })?;
    }
    Ok(())
}

/// Factorises one block, whose columns are so far apart; the pivot that is not above 0, if there is one.
///
/// On a copy, since what is above its diagonal must stay.
fn eliminate(block: &mut [f64], apart: usize, width: usize) -> std::result::Result<(), usize> {
    let mut copy = vec![0.0; width * width];
    for j in 0..width {
        copy[j * width + j..(j + 1) * width].copy_from_slice(&block[j * apart + j..j * apart + width]);
    }
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(width, Par::Seq, Default::default()));
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

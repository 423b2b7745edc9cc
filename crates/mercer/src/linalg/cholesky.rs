//! The triangular root of a positive definite matrix.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, MatMut, MatRef, Par};

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::linalg::blocked::{STRIP, WORTH_THREADS, factorise};
use crate::resources::Workers;

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
        let n = matrix.rows();
        factorise(matrix.values_mut(), n, workers)?;
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
        let mut failed = match factorise(matrix.values_mut(), n, workers) {
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
            match factorise(matrix.values_mut(), n, workers) {
                Ok(()) => return Ok((Self::finished(matrix), jitter)),
                Err(error @ Error::Pivot { .. }) => failed = error,
                Err(error) => return Err(error),
            }
            share *= 10.0;
        }
        Err(failed)
    }

    /// From R = Lᵀ, which is 0 below its diagonal.
    pub(crate) fn of_upper(upper: Matrix) -> Result<Self> {
        upper.check_square()?;
        match (0..upper.rows()).find(|&i| upper[(i, i)] <= 0.0) {
            Some(index) => Err(Error::Pivot { index }),
            None => Ok(Self::finished(upper)),
        }
    }

    /// R = Lᵀ.
    pub(crate) fn upper(&self) -> &Matrix {
        &self.upper
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
    ///
    /// # Panics
    /// If there is no such entry.
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

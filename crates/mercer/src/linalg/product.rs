//! Products of matrices.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::resources::Workers;

/// Rows of the result that one task computes: a constant, so that the bits do not depend on the number of threads.
const STRIP: usize = 128;
/// Multiplications from which several threads are worth it.
const WORTH_THREADS: usize = 1 << 20;

impl Matrix {
    /// The product with another matrix. O(rows · columns · columns of the other).
    ///
    /// ```
    /// use mercer::linalg::Matrix;
    /// use mercer::resources::Workers;
    /// let a = Matrix::new(vec![1.0, 2.0, 3.0, 4.0], 2, 2)?;
    /// let b = Matrix::new(vec![1.0, 1.0], 2, 1)?;
    /// assert_eq!(a.times(&b, &Workers::serial())?.values(), [3.0, 7.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if the other has not as many rows as this has columns.
    pub fn times(&self, other: &Matrix, workers: &Workers) -> Result<Matrix> {
        let view = MatRef::from_row_major_slice(other.values(), other.rows(), other.columns());
        self.product(view, workers)
    }

    /// The product with the transpose of another matrix: all inner products of rows. O(rows · columns · rows of the other).
    ///
    /// ```
    /// use mercer::linalg::Matrix;
    /// use mercer::resources::Workers;
    /// let a = Matrix::new(vec![1.0, 2.0, 3.0, 4.0], 2, 2)?;
    /// let b = Matrix::new(vec![1.0, 1.0], 1, 2)?;
    /// assert_eq!(a.times_transposed(&b, &Workers::serial())?.values(), [3.0, 7.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if rows have another length.
    pub fn times_transposed(&self, other: &Matrix, workers: &Workers) -> Result<Matrix> {
        let view = MatRef::from_column_major_slice(other.values(), other.columns(), other.rows());
        self.product(view, workers)
    }

    fn product(&self, other: MatRef<'_, f64>, workers: &Workers) -> Result<Matrix> {
        let (depth, width) = (self.columns(), other.ncols());
        if other.nrows() != depth {
            let what = "rows of the second factor";
            return Err(Error::Shape { what, expected: depth, found: other.nrows() });
        }
        let mut result = Matrix::zeros(self.rows(), width);
        if width > 0 && depth > 0 {
            let worth = self.rows() * depth * width >= WORTH_THREADS;
            workers.try_each_chunk(result.values_mut(), STRIP * width, worth, |start, chunk| {
                let (first, count) = (start / width, chunk.len() / width);
                let rows = &self.values()[first * depth..][..count * depth];
                matmul(
                    MatMut::from_row_major_slice_mut(chunk, count, width),
                    Accum::Replace,
                    MatRef::from_row_major_slice(rows, count, depth),
                    other,
                    1.0,
                    Par::Seq,
                );
            })?;
        }
        Ok(result)
    }

    /// Rows and columns exchanged.
    ///
    /// ```
    /// use mercer::linalg::Matrix;
    /// let matrix = Matrix::new(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3)?;
    /// assert_eq!(matrix.transposed().values(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn transposed(&self) -> Matrix {
        let mut result = Matrix::zeros(self.columns(), self.rows());
        let (rows, columns) = (self.rows(), self.columns());
        MatMut::from_column_major_slice_mut(result.values_mut(), rows, columns)
            .copy_from(MatRef::from_row_major_slice(self.values(), rows, columns));
        result
    }
}

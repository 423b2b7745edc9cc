//! A dense matrix of f64.

use std::ops::{Index, IndexMut};

use crate::error::{Error, Result};
use crate::resources::Interrupt;

/// Squares of so many entries keep both triangles in the cache.
const TILE: usize = 32;

/// A dense matrix of f64, row after row.
///
/// ```
/// use mercer::linalg::Matrix;
/// let matrix = Matrix::from_fn(2, 3, |i, j| (10 * i + j) as f64);
/// assert_eq!(matrix.row(1), [10.0, 11.0, 12.0]);
/// assert_eq!(matrix[(0, 2)], 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    values: Vec<f64>,
    rows: usize,
    columns: usize,
}

impl Matrix {
    /// Takes `rows × columns` values, row after row.
    ///
    /// ```
    /// use mercer::linalg::Matrix;
    /// assert_eq!(Matrix::new(vec![1.0, 2.0, 3.0, 4.0], 2, 2)?[(1, 0)], 3.0);
    /// assert!(Matrix::new(vec![1.0], 2, 2).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values.
    pub fn new(values: Vec<f64>, rows: usize, columns: usize) -> Result<Self> {
        match rows.checked_mul(columns) {
            Some(expected) if expected == values.len() => Ok(Matrix { values, rows, columns }),
            expected => Err(Error::Shape {
                what: "values of the matrix",
                expected: expected.unwrap_or(usize::MAX),
                found: values.len(),
            }),
        }
    }

    /// All zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { values: vec![0.0; rows * columns], rows, columns }
    }

    /// The matrix with entries `entry(i, j)`, asked for row by row.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Self {
        let mut values = Vec::with_capacity(rows * columns);
        for i in 0..rows {
            values.extend((0..columns).map(|j| entry(i, j)));
        }
        Matrix { values, rows, columns }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    ///
    /// # Panics
    /// If there is none at this position.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns..][..self.columns]
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All values, row after row, to be changed.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// All values, row after row, without a copy.
    ///
    /// ```
    /// use mercer::linalg::Matrix;
    /// assert_eq!(Matrix::zeros(1, 2).into_values(), [0.0, 0.0]);
    /// ```
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// Copies what is below the diagonal of a square matrix to above it.
    pub(crate) fn mirror_lower(&mut self) -> Result<()> {
        let n = self.rows;
        self.mirror(|values, i, j| values[j * n + i] = values[i * n + j])
    }

    /// Copies what is above the diagonal of a square matrix to below it.
    pub(crate) fn mirror_upper(&mut self) -> Result<()> {
        let n = self.rows;
        self.mirror(|values, i, j| values[i * n + j] = values[j * n + i])
    }

    /// Copies one of each pair of entries (i, j) and (j, i), i > j, to the other.
    fn mirror(&mut self, copy: impl Fn(&mut [f64], usize, usize)) -> Result<()> {
        let n = self.rows;
        for top in (0..n).step_by(TILE) {
            Interrupt::checkpoint()?;
            for left in (0..=top).step_by(TILE) {
                for i in top..n.min(top + TILE) {
                    for j in left..i.min(left + TILE) {
                        copy(&mut self.values, i, j);
                    }
                }
            }
        }
        Ok(())
    }

    /// Refuses what is not square or not finite, as all factorisations do.
    pub(crate) fn check_square(&self) -> Result<()> {
        if self.rows != self.columns {
            return Err(Error::Shape {
                what: "columns of a square matrix",
                expected: self.rows,
                found: self.columns,
            });
        }
        match self.values.iter().position(|v| !v.is_finite()) {
            Some(at) => Err(Error::NonFinite {
                row: at / self.columns,
                column: at % self.columns,
                value: self.values[at],
            }),
            None => Ok(()),
        }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        assert!(j < self.columns, "column {j} of {}", self.columns);
        &self.values[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        assert!(j < self.columns, "column {j} of {}", self.columns);
        &mut self.values[i * self.columns + j]
    }
}

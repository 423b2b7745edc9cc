//! The triangular root of a positive definite matrix.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError, cholesky_in_place, cholesky_in_place_scratch};
use faer::{MatMut, Par};

use crate::error::{Error, Result};
use crate::linalg::Matrix;

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
    /// Factorises a matrix that is symmetric; only one triangle is read.
    ///
    /// O(n³/3) time, O(n²) memory.
    ///
    /// # Errors
    /// [`Error::Pivot`] with the first pivot that is not above 0; [`Error::Shape`], [`Error::NonFinite`].
    pub fn new(matrix: &Matrix) -> Result<Self> {
        matrix.check_square()?;
        let n = matrix.rows();
        let mut upper = matrix.clone();
        let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default()));
        cholesky_in_place(
            // The rows of a symmetric matrix are its columns, and the columns of L are the rows of R.
            MatMut::from_column_major_slice_mut(upper.values_mut(), n, n),
            Default::default(),
            Par::Seq,
            MemStack::new(&mut memory),
            Default::default(),
        )
        .map_err(|LltError::NonPositivePivot { index }| Error::Pivot { index })?;
        for i in 0..n {
            for j in 0..i {
                upper[(i, j)] = 0.0;
            }
        }
        Ok(Cholesky { upper })
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

    /// ln det A.
    pub fn log_determinant(&self) -> f64 {
        (0..self.upper.rows()).map(|i| 2.0 * self.upper[(i, i)].ln()).sum()
    }
}

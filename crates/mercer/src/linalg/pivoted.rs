//! The triangular root of a positive semi-definite matrix, row by row from the largest remaining diagonal entry on.

use crate::error::{Error, Result};
use crate::linalg::{Cholesky, Matrix};
use crate::resources::{Interrupt, Workers};

/// A low-rank approximation A ≈ GᵀG of a positive semi-definite matrix, made from as many of its columns as it has rows.
///
/// The next column is always that of the largest diagonal entry of A − GᵀG, so that it stops at the rank of A. In feature space
/// this is Gram–Schmidt of the items. O(n · rank²) time, O(n · rank) memory, and `rank` columns of A.
///
/// ```
/// use mercer::linalg::PivotedCholesky;
/// // The inner products of 1, 2 and 3: rank 1.
/// let column = |j: usize, out: &mut [f64]| {
///     out.iter_mut().enumerate().for_each(|(i, v)| *v = ((i + 1) * (j + 1)) as f64);
///     Ok(())
/// };
/// let root = PivotedCholesky::new(&[1.0, 4.0, 9.0], 3, 1e-12, column)?;
/// assert_eq!((root.pivots(), root.factor().row(0)), (&[2][..], &[1.0, 2.0, 3.0][..]));
/// assert_eq!(root.left(), 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// S. Fine, K. Scheinberg: Efficient SVM training using low-rank kernel representations, JMLR 2 (2001), section 4.
#[derive(Clone, Debug)]
pub struct PivotedCholesky {
    factor: Matrix,
    pivots: Vec<usize>,
    left: f64,
}

impl PivotedCholesky {
    /// From the diagonal of A and a function that writes a column. It ends with `most` rows, or when what is left of the trace
    /// is at most `tolerance` times the trace.
    ///
    /// # Errors
    /// [`Error::Entry`] for a diagonal entry below 0 or not finite, [`Error::Interrupted`], and those of `column`.
    pub fn new(
        diagonal: &[f64],
        most: usize,
        tolerance: f64,
        mut column: impl FnMut(usize, &mut [f64]) -> Result<()>,
    ) -> Result<Self> {
        let n = diagonal.len();
        if let Some(index) = diagonal.iter().position(|d| !(*d >= 0.0 && d.is_finite())) {
            let (what, expected) = ("diagonal entry", "a finite number of at least 0");
            return Err(Error::Entry { what, index, value: diagonal[index], expected });
        }
        let trace: f64 = diagonal.iter().sum();
        let mut left = diagonal.to_vec();
        let (mut rows, mut pivots): (Vec<f64>, Vec<usize>) = (Vec::new(), Vec::new());
        // A vector that grows would be there twice while it is copied. Where there is no room for all rows there may be for some.
        let _ = rows.try_reserve_exact(most.min(n).saturating_mul(n));
        while pivots.len() < most.min(n) {
            Interrupt::checkpoint()?;
            let remaining: f64 = left.iter().sum();
            // The first of the largest, so that ties do not depend on anything else.
            let pivot = (0..n).fold(0, |best, i| if left[i] > left[best] { i } else { best });
            if remaining <= tolerance * trace || left[pivot] <= f64::EPSILON * diagonal[pivot] {
                break;
            }
            let mut row = vec![0.0; n];
            column(pivot, &mut row)?;
            for earlier in rows.chunks(n) {
                let share = earlier[pivot];
                row.iter_mut().zip(earlier).for_each(|(v, e)| *v -= share * e);
            }
            let root = left[pivot].sqrt();
            row.iter_mut().for_each(|v| *v /= root);
            pivots.iter().for_each(|&done| row[done] = 0.0);
            row[pivot] = root;
            left.iter_mut().zip(&row).for_each(|(d, v)| *d = (*d - v * v).max(0.0));
            left[pivot] = 0.0;
            rows.extend_from_slice(&row);
            pivots.push(pivot);
        }
        let factor = Matrix::new(rows, pivots.len(), n)?;
        Ok(PivotedCholesky { factor, pivots, left: left.iter().sum() })
    }

    /// G, one row per pivot.
    pub fn factor(&self) -> &Matrix {
        &self.factor
    }

    /// The columns of A that were looked at, in their order.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// G, the columns that were looked at, and what is left out.
    pub(crate) fn into_parts(self) -> (Matrix, Vec<usize>, f64) {
        (self.factor, self.pivots, self.left)
    }

    /// tr(A − GᵀG): what is left out.
    pub fn left(&self) -> f64 {
        self.left
    }

    /// Something like the inverse of A + shift · I: (GᵀG + shift · I)⁻¹, to be used again and again.
    ///
    /// ```
    /// use mercer::linalg::PivotedCholesky;
    /// let root = PivotedCholesky::new(&[4.0], 1, 0.0, |_, out| { out[0] = 4.0; Ok(()) })?;
    /// let mut v = [10.0];
    /// root.shifted_inverse(1.0)?.apply(&mut v);
    /// assert!((v[0] - 2.0).abs() < 1e-14);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] if the shift is not above 0.
    pub fn shifted_inverse(&self, shift: f64) -> Result<ShiftedInverse<'_>> {
        if !(shift > 0.0 && shift.is_finite()) {
            let expected = "a finite number above 0";
            return Err(Error::Parameter { name: "shift", value: shift, expected });
        }
        let workers = Workers::serial();
        let mut inner = self.factor.times_transposed(&self.factor, &workers)?;
        for i in 0..inner.rows() {
            inner[(i, i)] += shift;
        }
        let (inner, _) = Cholesky::with_jitter(inner, &workers)?;
        Ok(ShiftedInverse { factor: &self.factor, inner, shift })
    }
}

/// (GᵀG + shift · I)⁻¹ = (I − Gᵀ(GGᵀ + shift · I)⁻¹G)/shift: the preconditioner of systems with A + shift · I.
#[derive(Clone, Debug)]
pub struct ShiftedInverse<'a> {
    factor: &'a Matrix,
    inner: Cholesky,
    shift: f64,
}

impl ShiftedInverse<'_> {
    /// Replaces a vector, of as many numbers as A has rows, by the product. O(n · rank).
    pub fn apply(&self, v: &mut [f64]) {
        let rank = self.factor.rows();
        let mut inside: Vec<f64> =
            (0..rank).map(|i| self.factor.row(i).iter().zip(&*v).map(|(g, v)| g * v).sum()).collect();
        self.inner.solve(&mut inside).expect("as many numbers as rows");
        for (i, share) in inside.iter().enumerate() {
            v.iter_mut().zip(self.factor.row(i)).for_each(|(v, g)| *v -= share * g);
        }
        v.iter_mut().for_each(|v| *v /= self.shift);
    }
}

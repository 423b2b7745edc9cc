//! Matrices that should be positive semi-definite and are not: the smallest change that makes them so.
//!
//! A = V diag(λ) Vᵀ with some λ < 0. Two ways out: add −λ_min to the diagonal, or set what is below 0 to 0.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::linalg::{Matrix, SymmetricEigen};
use crate::resources::{Interrupt, Workers};

/// Rows that are mended at a time.
const STRIP: usize = 32;

/// How [`Mended`] makes a symmetric matrix positive semi-definite.
///
/// ```
/// use mercer::linalg::{Matrix, Mended, Mending};
/// let matrix = Matrix::new(vec![0.0, 1.0, 1.0, 0.0], 2, 2)?;
/// assert!((Mended::new(&matrix, Mending::Shift)?.matrix()[(0, 0)] - 1.0).abs() < 1e-14);
/// assert!((Mended::new(&matrix, Mending::Clip)?.matrix()[(0, 0)] - 0.5).abs() < 1e-14);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mending {
    /// A − λ_min I: all eigenvalues grow by the same, the values off the diagonal stay.
    Shift,
    /// V diag(max(λ, 0)) Vᵀ: the nearest positive semi-definite matrix, in the Frobenius norm.
    Clip,
}

/// A symmetric matrix made positive semi-definite, and what was done to it; prints as a sentence.
///
/// Values k(x, ·) of a new item with the training items are to be treated alike: [`Mended::row`]. After a shift they stay; after
/// clipping they are projected onto the eigenvectors that were kept, P = V₊V₊ᵀ, since VΛ₊Vᵀ = PA.
///
/// O(n³) time, O(n²) memory.
///
/// ```
/// use mercer::linalg::{Matrix, Mended, Mending};
/// let matrix = Matrix::new(vec![1.0, 2.0, 2.0, 1.0], 2, 2)?;
/// let mended = Mended::new(&matrix, Mending::Clip)?;
/// assert_eq!(mended.negative(), 1);
/// assert_eq!(
///     mended.to_string(),
///     "1 of 2 eigenvalues below 0 (down to -1.000e0) set to 0; no entry changed by more than 5.000e-1"
/// );
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// Y. Chen et al.: Similarity-based classification: concepts and algorithms, JMLR 10 (2009), section 4.
#[derive(Clone, Debug, PartialEq)]
pub struct Mended {
    matrix: Matrix,
    mending: Mending,
    smallest: f64,
    negative: usize,
    largest_change: f64,
    projection: Option<Matrix>,
}

impl Mended {
    /// Mends a symmetric matrix, of which only the entries on and below the diagonal are read.
    ///
    /// A matrix without eigenvalues below 0 stays as it is, to the bit.
    ///
    /// # Errors
    /// [`Error::Shape`] if it is not square, [`Error::NonFinite`],
    /// [`Error::NoConvergence`], [`Error::Interrupted`] within a [`scope`](crate::resources::Interrupt::scope).
    pub fn new(matrix: &Matrix, mending: Mending) -> Result<Self> {
        let workers = Workers::serial().ended_by(Interrupt::current().as_ref());
        matrix.check_square()?;
        let mut symmetric = matrix.clone();
        symmetric.mirror_lower()?;
        let eigen = SymmetricEigen::heard(matrix.clone(), &workers)?;
        let n = matrix.rows();
        let values = eigen.values();
        let negative = values.iter().filter(|&&value| value < 0.0).count();
        let smallest = values.first().copied().unwrap_or(0.0);
        let mut mended =
            Mended { matrix: symmetric, mending, smallest, negative, largest_change: 0.0, projection: None };
        if negative == 0 {
            return Ok(mended);
        }
        match mending {
            Mending::Shift => {
                for i in 0..n {
                    mended.matrix[(i, i)] -= smallest;
                }
                mended.largest_change = -smallest;
            }
            Mending::Clip => mended.clip(&eigen, &workers)?,
        }
        Ok(mended)
    }

    /// Takes what belongs to eigenvalues below 0 away.
    fn clip(&mut self, eigen: &SymmetricEigen, workers: &Workers) -> Result<()> {
        let (n, negative) = (self.matrix.rows(), self.negative);
        let vectors = eigen.first(negative);
        let mut projection = Matrix::zeros(n, n);
        // V₋Λ₋V₋ᵀ and V₋V₋ᵀ some rows at a time, so that the work hears who ends it.
        for first in (0..n).step_by(STRIP) {
            let count = STRIP.min(n - first);
            let plain = Matrix::from_fn(count, negative, |i, k| eigen.vector(k)[first + i]);
            let scaled = Matrix::from_fn(count, negative, |i, k| eigen.values()[k] * plain[(i, k)]);
            let (plain, scaled) = (plain.times(&vectors, workers)?, scaled.times(&vectors, workers)?);
            for i in 0..count {
                for j in 0..=first + i {
                    let change = -scaled[(i, j)];
                    self.largest_change = self.largest_change.max(change.abs());
                    self.matrix[(first + i, j)] += change;
                    projection[(first + i, j)] = f64::from(u8::from(j == first + i)) - plain[(i, j)];
                }
            }
        }
        self.matrix.mirror_lower()?;
        projection.mirror_lower()?;
        self.projection = Some(projection);
        Ok(())
    }

    /// The matrix, positive semi-definite up to rounding.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// What was to be done about eigenvalues below 0.
    pub fn mending(&self) -> Mending {
        self.mending
    }

    /// The smallest eigenvalue before.
    pub fn smallest_eigenvalue(&self) -> f64 {
        self.smallest
    }

    /// How many eigenvalues were below 0; if none, nothing was changed.
    pub fn negative(&self) -> usize {
        self.negative
    }

    /// By how much an entry changed at most.
    pub fn largest_change(&self) -> f64 {
        self.largest_change
    }

    /// Treats the values of a new item with the items of the matrix as the matrix was treated. O(n²) after clipping.
    ///
    /// ```
    /// use mercer::linalg::{Matrix, Mended, Mending};
    /// let matrix = Matrix::new(vec![1.0, 2.0, 2.0, 1.0], 2, 2)?;
    /// let mut row = [1.0, 2.0];
    /// Mended::new(&matrix, Mending::Clip)?.row(&mut row)?;
    /// assert!((row[0] - 1.5).abs() < 1e-14 && (row[1] - 1.5).abs() < 1e-14);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values.
    pub fn row(&self, values: &mut [f64]) -> Result<()> {
        let n = self.matrix.rows();
        if values.len() != n {
            let what = "kernel values (one per item of the matrix)";
            return Err(Error::Shape { what, expected: n, found: values.len() });
        }
        if let Some(projection) = &self.projection {
            let before = values.to_vec();
            for (i, value) in values.iter_mut().enumerate() {
                *value = projection.row(i).iter().zip(&before).map(|(p, v)| p * v).sum();
            }
        }
        Ok(())
    }
}

impl fmt::Display for Mended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.matrix.rows();
        if self.negative == 0 {
            return write!(f, "no eigenvalue below 0 among {n}; nothing changed");
        }
        write!(f, "{} of {n} eigenvalues below 0 (down to {:.3e}) ", self.negative, self.smallest)?;
        match self.mending {
            Mending::Shift => write!(f, "lifted by adding {:.3e} to the diagonal", self.largest_change),
            Mending::Clip => {
                write!(f, "set to 0; no entry changed by more than {:.3e}", self.largest_change)
            }
        }
    }
}

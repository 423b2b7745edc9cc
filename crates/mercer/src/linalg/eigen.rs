//! Eigenvalues and eigenvectors of symmetric matrices.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::{MatMut, MatRef, Par};

use crate::error::{Error, Result};
use crate::linalg::Matrix;
use crate::resources::Workers;

/// From this size on a decomposition takes so long that somebody may want to end it.
const WORTH_HEARING: usize = 400;
/// How long one listens between two looks.
const MOMENT: Duration = Duration::from_millis(10);

/// The eigenvalues of a symmetric matrix, in ascending order.
///
/// Only the entries on and below the diagonal are read. O(n³) time, O(n²) memory.
///
/// # Errors
/// [`Error::Shape`] if it is not square, [`Error::NonFinite`], [`Error::NoConvergence`].
///
/// ```
/// use mercer::linalg::{Matrix, symmetric_eigenvalues};
/// let matrix = Matrix::new(vec![2.0, 1.0, 1.0, 2.0], 2, 2)?;
/// let values = symmetric_eigenvalues(&matrix)?;
/// assert!((values[0] - 1.0).abs() < 1e-14 && (values[1] - 3.0).abs() < 1e-14);
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn symmetric_eigenvalues(matrix: &Matrix) -> Result<Vec<f64>> {
    let mut values = vec![0.0; matrix.rows()];
    decompose(matrix, &mut values, None)?;
    Ok(values)
}

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix: A = V diag(values) Vᵀ.
///
/// ```
/// use mercer::linalg::{Matrix, SymmetricEigen};
/// let eigen = SymmetricEigen::new(&Matrix::new(vec![2.0, 1.0, 1.0, 2.0], 2, 2)?)?;
/// let v = eigen.vector(1);
/// assert!((v[0] - v[1]).abs() < 1e-14 && (v[0].abs() - 0.5f64.sqrt()).abs() < 1e-14);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SymmetricEigen {
    values: Vec<f64>,
    /// Row j belongs to eigenvalue j.
    vectors: Matrix,
}

impl SymmetricEigen {
    /// Decomposes a matrix of which only the entries on and below the diagonal are read.
    ///
    /// O(n³) time, O(n²) memory.
    ///
    /// ```
    /// use mercer::linalg::{Matrix, SymmetricEigen};
    /// let eigen = SymmetricEigen::new(&Matrix::new(vec![3.0, 0.0, 0.0, -1.0], 2, 2)?)?;
    /// assert_eq!(eigen.values(), [-1.0, 3.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if it is not square, [`Error::NonFinite`], [`Error::NoConvergence`].
    pub fn new(matrix: &Matrix) -> Result<Self> {
        let n = matrix.rows();
        let (mut values, mut vectors) = (vec![0.0; n], Matrix::zeros(n, n));
        decompose(matrix, &mut values, Some(&mut vectors))?;
        Ok(SymmetricEigen { values, vectors })
    }

    /// The same of a matrix that is given away. If somebody may end the work, it is done on a thread of its own, and whoever ends it
    /// does not wait for it: it cannot be cut into pieces, and goes on unheard to its end.
    ///
    /// ```
    /// use mercer::linalg::{Matrix, SymmetricEigen};
    /// use mercer::resources::{Interrupt, Workers};
    /// let interrupt = Interrupt::new();
    /// let workers = Workers::serial().ended_by(Some(&interrupt));
    /// let matrix = Matrix::new(vec![3.0, 0.0, 0.0, -1.0], 2, 2)?;
    /// assert_eq!(SymmetricEigen::heard(matrix.clone(), &workers)?.values(), [-1.0, 3.0]);
    /// interrupt.raise();
    /// assert!(SymmetricEigen::heard(matrix, &workers).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SymmetricEigen::new`], and [`Error::Interrupted`].
    pub fn heard(matrix: Matrix, workers: &Workers) -> Result<Self> {
        workers.check()?;
        if workers.interrupt().is_none() || matrix.rows() < WORTH_HEARING {
            return Self::new(&matrix);
        }
        let matrix = Arc::new(matrix);
        let (sender, receiver) = mpsc::channel();
        let shared = Arc::clone(&matrix);
        let work = thread::Builder::new().spawn(move || {
            // Nobody listens any more if the work was ended.
            let _ = sender.send(Self::new(&shared));
        });
        if work.is_err() {
            return Self::new(&matrix);
        }
        drop(matrix);
        loop {
            match receiver.recv_timeout(MOMENT) {
                Ok(found) => return found,
                Err(mpsc::RecvTimeoutError::Timeout) => workers.check()?,
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Err(Error::NoConvergence { what: "the eigenvalue decomposition" });
                }
            }
        }
    }

    /// The eigenvalues, in ascending order.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The eigenvector of the `j`-th value, of length 1.
    ///
    /// # Panics
    /// If there is no such value.
    pub fn vector(&self, j: usize) -> &[f64] {
        self.vectors.row(j)
    }

    /// The eigenvectors of the `count` smallest values, one per row.
    pub(crate) fn first(&self, count: usize) -> Matrix {
        let n = self.vectors.columns();
        Matrix::from_fn(count, n, |k, i| self.vectors[(k, i)])
    }
}

fn decompose(matrix: &Matrix, values: &mut [f64], vectors: Option<&mut Matrix>) -> Result<()> {
    matrix.check_square()?;
    let n = matrix.rows();
    let wanted = if vectors.is_some() { ComputeEigenvectors::Yes } else { ComputeEigenvectors::No };
    let mut memory = MemBuffer::new(self_adjoint_evd_scratch::<f64>(n, wanted, Par::Seq, Default::default()));
    self_adjoint_evd(
        MatRef::from_row_major_slice(matrix.values(), n, n),
        DiagMut::from_slice_mut(values),
        // Eigenvectors are columns there; written column by column they are our rows.
        vectors.map(|v| MatMut::from_column_major_slice_mut(v.values_mut(), n, n)),
        Par::Seq,
        MemStack::new(&mut memory),
        Default::default(),
    )
    .map_err(|_| Error::NoConvergence { what: "the eigenvalue decomposition" })
}

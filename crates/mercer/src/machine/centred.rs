//! K̃ = HKH: the Gram matrix about the mean of the items, for machines that see it through products.

use crate::error::{Error, Result};
use crate::gram::{Columns, Combinations, SymmetricGram};
use crate::linalg::{Matrix, SymmetricEigen};
use crate::machine::whole::whole;
use crate::resources::{Interrupt, Workers};

/// An eigenvalue below 0 by more than this share of the largest, or of the mean of the diagonal, is no rounding.
const INDEFINITE: f64 = 1e-5;

/// K̃ = HKH, held or not.
pub(super) struct Centred<'a> {
    gram: &'a dyn SymmetricGram,
    /// K̃, if it is held.
    matrix: Option<Matrix>,
    /// The mean of each row of K.
    pub means: Vec<f64>,
    /// The mean of all values of K.
    pub mean: f64,
    /// tr K̃
    pub trace: f64,
}

impl<'a> Centred<'a> {
    pub fn new(gram: &'a dyn SymmetricGram, held: bool) -> Result<Self> {
        let n = gram.shape().0;
        let mut matrix = if held { Some(whole(gram)?) } else { None };
        let means: Vec<f64> = match &matrix {
            Some(matrix) => (0..n).map(|i| matrix.row(i).iter().sum::<f64>() / n as f64).collect(),
            None => {
                let rows: Vec<usize> = (0..n).collect();
                let mut means = vec![0.0; n];
                gram.accumulate(&rows, &vec![1.0 / n as f64; n], Columns::Range(0..n), &mut means)?;
                means
            }
        };
        let mean = means.iter().sum::<f64>() / n as f64;
        let trace = (0..n).map(|i| gram.diagonal()[i] - 2.0 * means[i] + mean).sum();
        if let Some(matrix) = &mut matrix {
            for (i, row) in matrix.values_mut().chunks_mut(n).enumerate() {
                Interrupt::checkpoint()?;
                let own = means[i] - mean;
                row.iter_mut().zip(&means).for_each(|(k, m)| *k -= own + m);
            }
        }
        Ok(Centred { gram, matrix, means, mean, trace })
    }

    /// Refuses a matrix with a quotient vᵀK̃v/vᵀv that is negative beyond what rounding explains, as scikit-learn's `KernelPCA` does.
    pub fn check_quotients(&self, least: f64, largest: f64) -> Result<()> {
        // What centring cancels is as large as the values of K.
        let own = self.gram.diagonal();
        let size = own.iter().map(|k| k.abs()).sum::<f64>() / own.len().max(1) as f64;
        match least < -INDEFINITE * largest.abs().max(size) {
            true => Err(Error::Indefinite { smallest: least, largest }),
            false => Ok(()),
        }
    }

    /// All eigenvalues, of which the largest are kept.
    pub fn whole(&mut self, wanted: usize, workers: &Workers) -> Result<(Vec<f64>, Matrix, usize)> {
        let matrix = self.matrix.take().ok_or(Error::Empty { what: "values of K" })?;
        let n = matrix.rows();
        let eigen = SymmetricEigen::heard(matrix, workers)?;
        if let (Some(least), Some(largest)) = (eigen.values().first(), eigen.values().last()) {
            self.check_quotients(*least, *largest)?;
        }
        let values = (0..wanted).map(|k| eigen.values()[n - 1 - k]).collect();
        Ok((values, Matrix::from_fn(wanted, n, |k, i| eigen.vector(n - 1 - k)[i]), 0))
    }

    /// K̃ times each row.
    pub fn times(&self, block: &Matrix, workers: &Workers) -> Result<Matrix> {
        if let Some(matrix) = &self.matrix {
            // K̃ is symmetric, so that rows of it can be multiplied with rows.
            return Ok(matrix.times_transposed(block, workers)?.transposed());
        }
        let (m, n) = (block.rows(), block.columns());
        let mut block = block.clone();
        block.values_mut().chunks_mut(n).for_each(centre);
        let mut sums = Combinations::new();
        for o in 0..m {
            sums.push(block.row(o).iter().copied().enumerate());
        }
        let rows: Vec<usize> = (0..n).collect();
        let mut products = vec![0.0; n * m];
        self.gram.combine(&rows, &sums, Columns::Range(0..n), &mut products, workers)?;
        let mut result = Matrix::from_fn(m, n, |o, i| products[i * m + o]);
        result.values_mut().chunks_mut(n).for_each(centre);
        Ok(result)
    }
}

fn centre(row: &mut [f64]) {
    let mean = row.iter().sum::<f64>() / row.len() as f64;
    row.iter_mut().for_each(|v| *v -= mean);
}

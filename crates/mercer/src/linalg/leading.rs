//! The largest eigenvalues of a symmetric matrix that is known by its products alone.
//!
//! A space of vectors is grown by the residuals of the best approximations in it (Rayleigh and Ritz), which spans the block
//! Krylov space of Lanczos; every vector is made orthogonal to all others, and when the space is large it is restarted with
//! the best part of it. (E. R. Davidson, J. Comp. Phys. 17 (1975); Y. Saad: Numerical methods for large eigenvalue
//! problems, chapters 6 and 8.)

use crate::error::{Error, Result};
use crate::linalg::{Matrix, SymmetricEigen};
use crate::resources::Workers;

/// A space is restarted with the best of its vectors when it has so many times as many as it began with.
const GROWTH: usize = 6;
/// What is left of a vector of length 1 after the space has been taken from it is nothing but rounding below this.
const NOTHING: f64 = 1e-10;

/// When [`LeadingEigen`] is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeadingSettings {
    /// Largest ‖Av − λv‖ of a pair that counts as found, as a share of the largest |λ|; default 1e-10.
    pub tolerance: f64,
    /// Most products of the matrix with a block of vectors; default 500.
    pub max_iterations: usize,
}

impl Default for LeadingSettings {
    fn default() -> Self {
        LeadingSettings { tolerance: 1e-10, max_iterations: 500 }
    }
}

/// The k largest eigenvalues of a symmetric matrix and their eigenvectors, with what is left of Av − λv.
///
/// O(n · k) memory, and per step a product of the matrix with about k vectors and O(n · k²) besides. The steps depend on how far
/// the eigenvalues are apart: kernel matrices, whose spectra fall fast, take some ten.
///
/// ```
/// use mercer::linalg::{LeadingEigen, LeadingSettings, Matrix};
/// use mercer::resources::Workers;
/// let workers = Workers::serial();
/// let matrix = Matrix::from_fn(6, 6, |i, j| if i == j { (i + 1) as f64 } else { 0.0 });
/// let start = Matrix::from_fn(3, 6, |i, j| ((i + 1) * (j + 2)) as f64 % 7.0 - 2.5);
/// let settings = LeadingSettings::default();
/// let found = LeadingEigen::new(start, 2, &settings, &|block| block.times(&matrix, &workers), &workers)?;
/// assert!((found.values()[0] - 6.0).abs() < 1e-9 && (found.values()[1] - 5.0).abs() < 1e-9);
/// assert!(found.residuals().iter().all(|r| *r < 1e-9));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeadingEigen {
    values: Vec<f64>,
    vectors: Matrix,
    residuals: Vec<f64>,
    iterations: usize,
    least: f64,
}

impl LeadingEigen {
    /// The `count` largest eigenvalues. `start` has a vector per row, at least `count` of them and better ten more, drawn at
    /// random; `multiply` gives A times each row of what it is given.
    ///
    /// # Errors
    /// [`Error::Shape`] if the start has too few rows or a product another shape, [`Error::NonFinite`],
    /// [`Error::NoConvergence`] when the limit is reached, and those of `multiply`.
    pub fn new(
        start: Matrix,
        count: usize,
        settings: &LeadingSettings,
        multiply: &dyn Fn(&Matrix) -> Result<Matrix>,
        workers: &Workers,
    ) -> Result<Self> {
        let n = start.columns();
        if start.rows() < count || count > n {
            let what = "vectors to begin with (one per eigenvalue at least)";
            return Err(Error::Shape { what, expected: count, found: start.rows().min(n) });
        }
        if count == 0 {
            let (values, residuals, vectors) = (Vec::new(), Vec::new(), Matrix::zeros(0, n));
            return Ok(LeadingEigen { values, vectors, residuals, iterations: 0, least: f64::INFINITY });
        }
        let block = start.rows().min(n);
        let mut space = Space::new(n);
        space.grow(start, multiply, workers)?;
        let mut least = f64::INFINITY;
        for iterations in 1.. {
            let best = space.best(block, workers)?;
            least = least.min(best.least);
            let scale = best.values.iter().fold(f64::MIN_POSITIVE, |most, v| most.max(v.abs()));
            let limit = settings.tolerance * scale;
            let residuals = best.residuals();
            let sizes: Vec<f64> = (0..best.values.len()).map(|i| norm(residuals.row(i))).collect();
            let open: Vec<usize> = (0..sizes.len()).filter(|&i| sizes[i] > limit).collect();
            let is_done = open.iter().all(|&i| i >= count);
            if best.values.len() >= count && is_done {
                let vectors = Matrix::new(best.vectors.values()[..count * n].to_vec(), count, n)?;
                let (values, residuals) = (best.values[..count].to_vec(), sizes[..count].to_vec());
                return Ok(LeadingEigen { values, vectors, residuals, iterations, least });
            }
            if iterations >= settings.max_iterations {
                break;
            }
            if space.len() + open.len() > (GROWTH * block).min(n) {
                space.restart(best)?;
            }
            let chosen = open.iter().flat_map(|&i| residuals.row(i).to_vec()).collect();
            let before = space.len();
            space.grow(Matrix::new(chosen, open.len(), n)?, multiply, workers)?;
            if space.len() == before {
                break;
            }
        }
        Err(Error::NoConvergence { what: "the search for the largest eigenvalues" })
    }

    /// The eigenvalues, the largest first.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Eigenvectors of length 1, one per row.
    pub fn vectors(&self) -> &Matrix {
        &self.vectors
    }

    /// ‖Av − λv‖ of each pair: an eigenvalue of A is that near to λ.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// The least Rayleigh quotient vᵀAv/vᵀv in any space that was searched: the smallest eigenvalue is not above it. Infinite where no
    /// eigenvalue was asked for.
    pub fn least_quotient(&self) -> f64 {
        self.least
    }

    /// Products of the matrix with a block of vectors that were taken.
    pub fn iterations(&self) -> usize {
        self.iterations
    }
}

/// Orthonormal vectors Q, one per row, their images QA, and QAQᵀ.
struct Space {
    vectors: Matrix,
    images: Matrix,
    projected: Matrix,
}

/// The best approximations in a space.
struct Best {
    values: Vec<f64>,
    /// The smallest eigenvalue of A on the space.
    least: f64,
    vectors: Matrix,
    images: Matrix,
}

impl Space {
    fn new(n: usize) -> Self {
        Space { vectors: Matrix::zeros(0, n), images: Matrix::zeros(0, n), projected: Matrix::zeros(0, 0) }
    }

    fn len(&self) -> usize {
        self.vectors.rows()
    }

    /// Adds what of these vectors is not in the space yet.
    fn grow(
        &mut self,
        new: Matrix,
        multiply: &dyn Fn(&Matrix) -> Result<Matrix>,
        workers: &Workers,
    ) -> Result<()> {
        let new = self.orthonormal(new, workers)?;
        let (old, count, n) = (self.len(), new.rows(), new.columns());
        if count == 0 {
            return Ok(());
        }
        let images = multiply(&new)?;
        for (what, expected, found) in
            [("rows of the product", count, images.rows()), ("columns of the product", n, images.columns())]
        {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        self.vectors = stacked(&self.vectors, &new);
        self.images = stacked(&self.images, &images);
        let products = images.times_transposed(&self.vectors, workers)?;
        self.projected = Matrix::from_fn(old + count, old + count, |i, j| {
            let (high, low) = (i.max(j), i.min(j));
            if high < old { self.projected[(high, low)] } else { products[(high - old, low)] }
        });
        Ok(())
    }

    /// The same vectors, orthogonal to the space and to each other, and of length 1; those that depend on others left out.
    fn orthonormal(&self, mut new: Matrix, workers: &Workers) -> Result<Matrix> {
        let n = new.columns();
        for row in new.values_mut().chunks_mut(n) {
            normalise(row);
        }
        // Twice is enough (Kahan and Parlett).
        for _ in 0..2 {
            if self.len() > 0 {
                let inside = new.times_transposed(&self.vectors, workers)?.times(&self.vectors, workers)?;
                new.values_mut().iter_mut().zip(inside.values()).for_each(|(v, w)| *v -= w);
            }
        }
        let mut kept: Vec<f64> = Vec::with_capacity(new.values().len());
        for row in new.values_mut().chunks_mut(n) {
            workers.check()?;
            for _ in 0..2 {
                for other in kept.chunks(n) {
                    let share: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
                    row.iter_mut().zip(other).for_each(|(a, b)| *a -= share * b);
                }
            }
            let size = norm(row);
            if size > NOTHING && size.is_finite() {
                row.iter_mut().for_each(|v| *v /= size);
                kept.extend_from_slice(row);
            }
        }
        let count = kept.len() / n;
        let mut kept = Matrix::new(kept, count, n)?;
        // What was small has lost digits against the space when it was made longer.
        if self.len() > 0 && count > 0 {
            let inside = kept.times_transposed(&self.vectors, workers)?.times(&self.vectors, workers)?;
            kept.values_mut().iter_mut().zip(inside.values()).for_each(|(v, w)| *v -= w);
            for row in kept.values_mut().chunks_mut(n) {
                normalise(row);
            }
        }
        Ok(kept)
    }

    /// The largest eigenvalues of A on the space.
    fn best(&self, count: usize, workers: &Workers) -> Result<Best> {
        let eigen = SymmetricEigen::heard(self.projected.clone(), workers)?;
        let m = self.len();
        let count = count.min(m);
        let values = (0..count).map(|i| eigen.values()[m - 1 - i]).collect();
        let turn = Matrix::from_fn(count, m, |i, j| eigen.vector(m - 1 - i)[j]);
        let vectors = turn.times(&self.vectors, workers)?;
        let images = turn.times(&self.images, workers)?;
        let least = eigen.values().first().copied().unwrap_or(f64::INFINITY);
        Ok(Best { values, least, vectors, images })
    }

    /// Goes on with the best of it alone.
    fn restart(&mut self, best: Best) -> Result<()> {
        let Best { values, vectors, images, .. } = best;
        let diagonal = |i: usize, j: usize| if i == j { values[i] } else { 0.0 };
        self.projected = Matrix::from_fn(values.len(), values.len(), diagonal);
        (self.vectors, self.images) = (vectors, images);
        Ok(())
    }
}

impl Best {
    /// Av − λv of each.
    fn residuals(&self) -> Matrix {
        let n = self.vectors.columns();
        let mut residuals = self.images.clone();
        for (i, row) in residuals.values_mut().chunks_mut(n).enumerate() {
            let value = self.values[i];
            row.iter_mut().zip(self.vectors.row(i)).for_each(|(r, v)| *r -= value * v);
        }
        residuals
    }
}

fn stacked(above: &Matrix, below: &Matrix) -> Matrix {
    let (rows, columns) = (above.rows() + below.rows(), below.columns());
    let at = |i: usize| if i < above.rows() { above.row(i) } else { below.row(i - above.rows()) };
    let mut all = Matrix::zeros(rows, columns);
    all.values_mut().chunks_mut(columns).enumerate().for_each(|(i, row)| row.copy_from_slice(at(i)));
    all
}

fn norm(row: &[f64]) -> f64 {
    row.iter().map(|v| v * v).sum::<f64>().sqrt()
}

fn normalise(row: &mut [f64]) {
    let size = norm(row);
    if size > 0.0 {
        row.iter_mut().for_each(|v| *v /= size);
    }
}

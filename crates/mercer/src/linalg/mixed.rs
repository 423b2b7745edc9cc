//! Systems with a positive definite matrix by a factor in single precision, refined to double precision.
//!
//! A factor in single precision takes half the time and half the memory of one in double precision, and is wrong by about 1e-7 times the
//! condition of the matrix. As a preconditioner of conjugate gradients with the matrix itself it is so good that a few products end
//! it; residuals are computed anew in double precision, so that what rounding did to the factor does not show in the solution.
//! (N. J. Higham: Accuracy and stability of numerical algorithms, section 12.1; A. Buttari et al.: Mixed precision iterative refinement
//! techniques for the solution of dense linear systems, IJHPCA 21 (2007).)

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, MatMut, MatRef, Par};

use crate::error::{Error, Result};
use crate::linalg::blocked::{STRIP, WORTH_THREADS, factorise};
use crate::linalg::{ConjugateGradient, ConjugateSettings, Matrix, in_lanes};
use crate::resources::Workers;

/// Times that the residual is computed anew, at most. Two are enough where the factor is any good, and bring it to rounding.
const ROUNDS: usize = 4;
/// What conjugate gradients make of a residual each time. The steps beyond would be lost in its rounding.
const INNER: ConjugateSettings = ConjugateSettings { tolerance: 1e-8, max_iterations: 20 };

/// Rows of A that are taken by one task, as shares of its upper triangle of the same size. A constant, so that the bits do not depend on the
/// number of threads; as the sizes of substitution are.
const PARTS: usize = 16;
/// Right-hand sides that are multiplied at a time: each part has sums of its own for them.
const BATCH: usize = 8;
/// Unknowns that are substituted at a time, rows below them that one task brings up to date, and columns that one task sums up.
const BLOCK: usize = 256;
const ROWS_AT_ONCE: usize = 1024;
const COLUMNS_AT_ONCE: usize = 32;

/// ‖b − Ax‖/(ε‖A‖‖x‖) that counts as solved.
const FEW_UNITS: f64 = 1.0;

/// The factor LLᵀ ≈ SAS in single precision, where S = diag(A)^(−½), and the solution of systems with A to double precision.
///
/// ```
/// use mercer::linalg::{Matrix, MixedCholesky};
/// use mercer::resources::Workers;
/// let matrix = Matrix::new(vec![4.0, 2.0, 2.0, 5.0], 2, 2)?;
/// let factor = MixedCholesky::new(&matrix, &Workers::serial())?;
/// let solved = factor.solve_rows(&matrix, &Matrix::new(vec![8.0, 12.0], 1, 2)?, &Workers::serial())?;
/// let solved = solved.expect("a matrix of small condition");
/// assert!((solved.solutions[(0, 0)] - 1.0).abs() < 1e-15 && (solved.solutions[(0, 1)] - 2.0).abs() < 1e-15);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MixedCholesky {
    /// The diagonal of S.
    scales: Vec<f64>,
    /// Lᵀ, row after row.
    upper: Vec<f32>,
}

/// What [`MixedCholesky::solve_rows`] found.
#[derive(Clone, Debug)]
pub struct Refined {
    /// x of each right-hand side, one per row.
    pub solutions: Matrix,
    /// Products with A that were taken.
    pub products: usize,
    /// The largest ‖b − Ax‖/‖b‖, computed with A in double precision.
    pub residual: f64,
}

impl MixedCholesky {
    /// Factorises a matrix that is symmetric; its entries on and above the diagonal are read. O(n³/3) time in single precision, 4n² bytes.
    ///
    /// # Errors
    /// [`Error::Pivot`] if it is not positive definite in single precision; [`Error::Shape`], [`Error::NonFinite`],
    /// [`Error::Interrupted`].
    pub fn new(matrix: &Matrix, workers: &Workers) -> Result<Self> {
        matrix.check_square()?;
        let n = matrix.rows();
        let mut scales = Vec::with_capacity(n);
        for i in 0..n {
            let scale = 1.0 / matrix[(i, i)].sqrt();
            // Written so that NaN is refused too.
            if !(scale > 0.0 && scale.is_finite()) {
                return Err(Error::Pivot { index: i });
            }
            scales.push(scale);
        }
        let mut upper = vec![0f32; n * n];
        workers.try_each_chunk(&mut upper, STRIP * n.max(1), n >= WORTH_THREADS, |start, chunk| {
            for (at, row) in chunk.chunks_mut(n).enumerate() {
                let i = start / n + at;
                let entries = row[i..].iter_mut().zip(&matrix.row(i)[i..]).zip(&scales[i..]);
                entries.for_each(|((single, value), scale)| *single = (value * scale * scales[i]) as f32);
            }
        })?;
        factorise(&mut upper, n, workers)?;
        Ok(MixedCholesky { scales, upper })
    }

    /// Solves Ax = b for every row b, given the matrix that was factorised; `None` if the factor is too far from it, and then
    /// only a factor in double precision will do. O(n²) per row and product.
    ///
    /// Solved means ‖b − Ax‖ ≤ ε‖A‖‖x‖ with ε = 2⁻⁵², or √n times that, with which LAPACK's `dsposv` is content, where no more is to be
    /// gained.
    ///
    /// # Errors
    /// [`Error::Shape`] if the matrix or the rows have another size; [`Error::NonFinite`], [`Error::Interrupted`].
    pub fn solve_rows(&self, matrix: &Matrix, rows: &Matrix, workers: &Workers) -> Result<Option<Refined>> {
        let (n, m) = (self.scales.len(), rows.rows());
        for found in [matrix.rows(), matrix.columns(), rows.columns()] {
            if found != n {
                return Err(Error::Shape { what: "columns of the right-hand sides", expected: n, found });
            }
        }
        let ones = Matrix::from_fn(1, n, |_, _| 1.0);
        let size = times(matrix, f64::abs, &ones, workers)?.values().iter().copied().fold(0.0, f64::max);
        let multiply = |block: &Matrix| times(matrix, |value| value, block, workers);
        let mut solutions = Matrix::zeros(m, n);
        let (mut residuals, mut products, mut before) = (rows.clone(), 0, f64::INFINITY);
        for _ in 0..ROUNDS {
            let found =
                ConjugateGradient::new(&residuals, &multiply, &|r| self.precondition(r, workers), &INNER);
            let found = match found {
                Ok(found) if found.is_converged() => found,
                Ok(_) | Err(Error::Pivot { .. } | Error::NonFinite { .. }) => return Ok(None),
                Err(error) => return Err(error),
            };
            solutions.values_mut().iter_mut().zip(found.solutions().values()).for_each(|(x, d)| *x += d);
            let images = multiply(&solutions)?;
            products += found.iterations() + 1;
            residuals = Matrix::from_fn(m, n, |o, i| rows[(o, i)] - images[(o, i)]);
            let left: Vec<f64> = (0..m).map(|o| norm(residuals.row(o))).collect();
            if left.iter().any(|left| !left.is_finite()) {
                return Ok(None);
            }
            let share = |o: usize, of: f64| if left[o] == 0.0 { 0.0 } else { left[o] / of };
            // What is left, in units of the rounding of A and x.
            let units =
                (0..m).map(|o| share(o, f64::EPSILON * size * norm(solutions.row(o)))).fold(0.0, f64::max);
            let (solved, slow) = (units <= (n as f64).sqrt(), units > 0.1 * before);
            if units <= FEW_UNITS || solved && slow {
                let residual = (0..m).map(|o| share(o, norm(rows.row(o)))).fold(0.0, f64::max);
                return Ok(Some(Refined { solutions, products, residual }));
            }
            before = units;
        }
        Ok(None)
    }

    /// Replaces r by S(LLᵀ)⁻¹Sr, which is near A⁻¹r. O(n²).
    fn precondition(&self, r: &mut [f64], workers: &Workers) {
        // Of the largest size 1, so that nothing is lost at the ends of single precision.
        let largest = r.iter().zip(&self.scales).fold(0f64, |m, (r, s)| m.max((r * s).abs()));
        if largest == 0.0 || !largest.is_finite() {
            return;
        }
        let mut single: Vec<f32> =
            r.iter().zip(&self.scales).map(|(r, s)| (r * s / largest) as f32).collect();
        self.substitute(&mut single, workers);
        let scaled = single.iter().zip(&self.scales);
        r.iter_mut().zip(scaled).for_each(|(r, (v, s))| *r = f64::from(*v) * s * largest);
    }

    /// Replaces x by (LLᵀ)⁻¹x, block by block: most of it are products, in which threads share the rows.
    fn substitute(&self, x: &mut [f32], workers: &Workers) {
        let n = x.len();
        let (lower, worth) = (MatRef::from_column_major_slice(&self.upper, n, n), n >= WORTH_THREADS);
        for first in (0..n).step_by(BLOCK) {
            let width = BLOCK.min(n - first);
            let (own, below) = x[first..].split_at_mut(width);
            let diagonal = lower.submatrix(first, first, width, width);
            solve_lower_triangular_in_place(diagonal, column(own), Par::Seq);
            let own = MatRef::from_column_major_slice(own, width, 1);
            workers.for_each_chunk(below, ROWS_AT_ONCE, worth, |start, rows| {
                let count = rows.len();
                let left = lower.submatrix(first + width + start, first, count, width);
                matmul(column(rows), Accum::Add, left, own, -1.0, Par::Seq);
            });
        }
        for first in (0..n).step_by(BLOCK).rev() {
            let width = BLOCK.min(n - first);
            let (own, below) = x[first..].split_at_mut(width);
            let rest = below.len();
            let below = MatRef::from_column_major_slice(below, rest, 1);
            if rest > 0 {
                workers.for_each_chunk(own, COLUMNS_AT_ONCE, worth, |start, part| {
                    let count = part.len();
                    let left = lower.submatrix(first + width, first + start, rest, count).transpose();
                    matmul(column(part), Accum::Add, left, below, -1.0, Par::Seq);
                });
            }
            let diagonal = lower.submatrix(first, first, width, width).transpose();
            solve_upper_triangular_in_place(diagonal, column(own), Par::Seq);
        }
    }
}

/// f(A)x of every row x, for a symmetric A of which only entries on and above the diagonal are read, each once. O(n²) per row.
fn times(matrix: &Matrix, f: impl Fn(f64) -> f64 + Sync, rows: &Matrix, workers: &Workers) -> Result<Matrix> {
    let n = matrix.rows();
    let mut result = Matrix::zeros(rows.rows(), n);
    // Above its row i the triangle has the share (i/n)(2 − i/n) of its entries.
    let border = |part: usize| {
        let share = part as f64 / PARTS as f64;
        ((n as f64 * (1.0 - (1.0 - share).sqrt())).round() as usize).min(n)
    };
    for first in (0..rows.rows()).step_by(BATCH) {
        workers.check()?;
        let batch: Vec<&[f64]> = (first..rows.rows().min(first + BATCH)).map(|o| rows.row(o)).collect();
        let sums = workers.map(PARTS, n >= WORTH_THREADS, |part| {
            let (top, bottom) = (border(part), border(part + 1));
            let mut sums = vec![vec![0.0; n - top]; batch.len()];
            for i in top..bottom {
                let entries = &matrix.row(i)[i..];
                for (x, sums) in batch.iter().zip(&mut sums) {
                    let (own, right) = (f(entries[0]) * x[i], &entries[1..]);
                    sums[i - top] += own + in_lanes(right, &x[i + 1..], &f);
                    let below = sums[i - top + 1..].iter_mut().zip(right);
                    below.for_each(|(sum, entry)| *sum += f(*entry) * x[i]);
                }
            }
            (top, sums)
        });
        for (top, sums) in sums {
            for (o, sums) in sums.iter().enumerate() {
                let to = &mut result.values_mut()[(first + o) * n + top..];
                to.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum);
            }
        }
    }
    Ok(result)
}

fn column(values: &mut [f32]) -> MatMut<'_, f32> {
    let rows = values.len();
    MatMut::from_column_major_slice_mut(values, rows, 1)
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

//! The linear system of a ridge regression, and its solutions: by factorisation, in one precision or two, and by conjugate gradients.
//!
//! With u = W^(−½)β and A = W^½KW^½ + λI the system is Au + bW^½1 = W^½y, (W^½1)ᵀu = 0: symmetric, and no worse for
//! weights that are small or 0.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::gram::{Columns, Combinations, SymmetricGram, upper};
use crate::linalg::{Cholesky, ConjugateGradient, ConjugateSettings, Matrix, MixedCholesky, PivotedCholesky};
use crate::resources::Workers;

/// Rows of the low-rank approximation that conjugate gradients are preconditioned with.
const RANK: usize = 200;
/// The preconditioner takes λ for no less than this share of the mean of the diagonal.
const LEAST_SHIFT: f64 = 1e-8;

/// Right-hand sides that are refined at a time: each takes as much memory as ten of those that wait.
pub(super) const REFINED_TOGETHER: usize = 64;

/// How the system of a ridge regression is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RidgeMethod {
    /// By factorisation while the memory allows it, by conjugate gradients beyond. What was done is in the report. From 2048 items on, if
    /// the memory is enough and nothing is left out, the factorisation is [`Mixed`](Self::Mixed).
    Automatic,
    /// K + λW⁻¹ = LLᵀ in double precision: 8n² bytes, O(n³/3).
    Cholesky,
    /// A factor in single precision, and solutions refined to double precision with K itself: 12n² bytes, O(n³/3) at twice the speed.
    /// Where the factor is not good enough for that, the machine does as [`Cholesky`](Self::Cholesky), and the report says so.
    Mixed,
    /// Conjugate gradients with a low-rank preconditioner: O(n) memory besides rows of K that are kept, O(n²) per step.
    ConjugateGradient,
}

/// How the system was solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RidgeReport {
    /// What was done; never [`RidgeMethod::Automatic`].
    pub method: RidgeMethod,
    /// What was added to the diagonal because the matrix was not positive definite; 0 if it was.
    pub jitter: f64,
    /// Products with K that conjugate gradients took, or the refinement.
    pub iterations: usize,
    /// The largest ‖b − Ax‖/‖b‖ that they left; 0 for a factorisation in double precision.
    pub residual: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
}

/// Targets and weights of the items; outputs that share a λ.
pub(super) struct System<'a> {
    pub gram: &'a dyn SymmetricGram,
    /// One row per output.
    pub targets: &'a Matrix,
    /// √w of each item, if they are weighted.
    pub roots: Option<&'a [f64]>,
    pub lambda: f64,
    pub offset: bool,
}

/// β, one row per output, and b of each.
pub(super) struct Solved {
    pub coefficients: Matrix,
    pub offsets: Vec<f64>,
    pub report: RidgeReport,
    /// What is predicted for each item without it, one row per output.
    pub left_out: Option<Matrix>,
}

impl System<'_> {
    fn root(&self, i: usize) -> f64 {
        self.roots.map_or(1.0, |roots| roots[i])
    }

    /// W^½y of every output, and W^½1 if there is an offset.
    pub fn right(&self) -> Matrix {
        let (m, n) = (self.targets.rows(), self.targets.columns());
        Matrix::from_fn(m + usize::from(self.offset), n, |o, i| {
            self.root(i) * if o < m { self.targets[(o, i)] } else { 1.0 }
        })
    }

    /// W^½KW^½, all of it.
    pub fn scaled(&self) -> Result<Matrix> {
        let mut matrix = self.scaled_upper()?;
        matrix.mirror_upper()?;
        Ok(matrix)
    }

    /// W^½KW^½ on and above its diagonal.
    fn scaled_upper(&self) -> Result<Matrix> {
        let mut matrix = upper(self.gram)?;
        if let Some(roots) = self.roots {
            let n = matrix.rows();
            for (i, row) in matrix.values_mut().chunks_mut(n).enumerate() {
                row.iter_mut().zip(roots).for_each(|(value, root)| *value *= root * roots[i]);
            }
        }
        Ok(matrix)
    }

    /// From the solutions of Au = [`right`](Self::right): u of every output and b.
    pub fn split(&self, mut solved: Matrix) -> Result<(Matrix, Vec<f64>, Option<Border>)> {
        let (m, n) = (self.targets.rows(), self.targets.columns());
        if !self.offset {
            return Ok((solved, vec![0.0; m], None));
        }
        let border = solved.row(m).to_vec();
        let along = |v: &[f64]| v.iter().enumerate().map(|(i, v)| self.root(i) * v).sum::<f64>();
        let total = along(&border);
        let mut offsets = Vec::with_capacity(m);
        for row in solved.values_mut()[..m * n].chunks_mut(n) {
            let b = along(row) / total;
            row.iter_mut().zip(&border).for_each(|(u, s)| *u -= b * s);
            offsets.push(b);
        }
        let mut values = solved.into_values();
        values.truncate(m * n);
        let solved = Matrix::new(values, m, n)?;
        Ok((solved, offsets, Some(Border { solution: border, total })))
    }

    /// β = W^½u.
    pub fn coefficients(&self, mut u: Matrix) -> Matrix {
        if let Some(roots) = self.roots {
            for row in u.values_mut().chunks_mut(roots.len()) {
                row.iter_mut().zip(roots).for_each(|(u, root)| *u *= root);
            }
        }
        u
    }

    /// What is predicted for each item without it: yᵢ − βᵢ/Cᵢᵢ, where C is the inverse of the system, bordered or not.
    pub fn left_out(
        &self,
        u: &Matrix,
        offsets: &[f64],
        border: Option<&Border>,
        mut inverse_diagonal: Vec<f64>,
    ) -> Result<Matrix> {
        let (m, n) = (u.rows(), u.columns());
        if let Some(Border { solution, total }) = border {
            if n < 2 {
                let what = "rows (two at least, to leave one out)";
                return Err(Error::Shape { what, expected: 2, found: n });
            }
            inverse_diagonal.iter_mut().zip(solution).for_each(|(d, s)| *d -= s * s / total);
        }
        let mut left_out = Matrix::from_fn(m, n, |o, i| {
            self.targets[(o, i)] - u[(o, i)] / (self.root(i) * inverse_diagonal[i])
        });
        // An item without weight is no part of it anyway.
        let out: Vec<usize> = (0..n).filter(|&i| self.root(i) == 0.0).collect();
        if !out.is_empty() {
            let rows: Vec<usize> = (0..n).collect();
            for o in 0..m {
                let beta: Vec<f64> = (0..n).map(|i| self.root(i) * u[(o, i)]).collect();
                let mut values = vec![offsets[o]; out.len()];
                self.gram.accumulate(&rows, &beta, Columns::List(&out), &mut values)?;
                out.iter().zip(values).for_each(|(&i, value)| left_out[(o, i)] = value);
            }
        }
        Ok(left_out)
    }

    /// By factorisation, in single precision first if that is wanted.
    pub fn factorise(&self, mixed: bool, leave_one_out: bool, workers: &Workers) -> Result<Solved> {
        let mut matrix = self.scaled_upper()?;
        (0..matrix.rows()).for_each(|i| matrix[(i, i)] += self.lambda);
        if mixed && let Some(solved) = self.refine(&matrix, workers)? {
            return Ok(solved);
        }
        matrix.mirror_upper()?;
        let (factor, jitter) = Cholesky::with_jitter(matrix, workers)?;
        let mut right = self.right();
        factor.solve_rows(&mut right, workers)?;
        let (u, offsets, border) = self.split(right)?;
        let left_out = match leave_one_out {
            true => Some(self.left_out(&u, &offsets, border.as_ref(), factor.inverse_diagonal(workers)?)?),
            false => None,
        };
        let method = RidgeMethod::Cholesky;
        let report = RidgeReport { method, jitter, iterations: 0, residual: 0.0, converged: true };
        Ok(Solved { coefficients: self.coefficients(u), offsets, report, left_out })
    }

    /// By a factor in single precision, if it is good enough.
    fn refine(&self, matrix: &Matrix, workers: &Workers) -> Result<Option<Solved>> {
        let factor = match MixedCholesky::new(matrix, workers) {
            Ok(factor) => factor,
            Err(Error::Pivot { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut right = self.right();
        let n = matrix.rows();
        let (mut products, mut residual) = (0, 0f64);
        for part in right.values_mut().chunks_mut(n * REFINED_TOGETHER) {
            let rows = Matrix::new(part.to_vec(), part.len() / n, n)?;
            let Some(found) = factor.solve_rows(matrix, &rows, workers)? else { return Ok(None) };
            part.copy_from_slice(found.solutions.values());
            (products, residual) = (products.max(found.products), residual.max(found.residual));
        }
        let (u, offsets, _) = self.split(right)?;
        let report = RidgeReport {
            method: RidgeMethod::Mixed,
            jitter: 0.0,
            iterations: products,
            residual,
            converged: true,
        };
        Ok(Some(Solved { coefficients: self.coefficients(u), offsets, report, left_out: None }))
    }

    /// By conjugate gradients; products with K by the second verb.
    pub fn iterate(&self, settings: &ConjugateSettings, workers: &Workers) -> Result<Solved> {
        let n = self.gram.shape().0;
        let all: Vec<usize> = (0..n).collect();
        let diagonal: Vec<f64> = (0..n).map(|i| self.gram.diagonal()[i] * self.root(i).powi(2)).collect();
        let mean = diagonal.iter().sum::<f64>() / n as f64;
        let low_rank = PivotedCholesky::new(&diagonal, RANK.min(n), 1e-12, |j, column| {
            self.gram.accumulate(&[j], &[self.root(j)], Columns::Range(0..n), column)?;
            column.iter_mut().enumerate().for_each(|(i, value)| *value *= self.root(i));
            Ok(())
        })?;
        let inverse = low_rank.shifted_inverse(self.lambda.max(LEAST_SHIFT * mean).max(f64::MIN_POSITIVE))?;
        let multiply = |block: &Matrix| {
            let mut sums = Combinations::new();
            for o in 0..block.rows() {
                sums.push(block.row(o).iter().enumerate().map(|(i, v)| (i, self.root(i) * v)));
            }
            let m = block.rows();
            let mut products = vec![0.0; n * m];
            self.gram.combine(&all, &sums, Columns::Range(0..n), &mut products, workers)?;
            Ok(Matrix::from_fn(m, n, |o, i| self.root(i) * products[i * m + o] + self.lambda * block[(o, i)]))
        };
        let solved = ConjugateGradient::new(&self.right(), &multiply, &|r| inverse.apply(r), settings)?;
        let report = RidgeReport {
            method: RidgeMethod::ConjugateGradient,
            jitter: 0.0,
            iterations: solved.iterations(),
            residual: solved.residuals().iter().copied().fold(0.0, f64::max),
            converged: solved.is_converged(),
        };
        let (u, offsets, _) = self.split(solved.solutions().clone())?;
        Ok(Solved { coefficients: self.coefficients(u), offsets, report, left_out: None })
    }
}

/// s = A⁻¹W^½1 and (W^½1)ᵀs.
pub(super) struct Border {
    pub solution: Vec<f64>,
    pub total: f64,
}

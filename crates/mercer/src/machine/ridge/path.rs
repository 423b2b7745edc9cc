//! Ridge regressions with many values of λ, from one eigenvalue decomposition.
//!
//! With W^½KW^½ = VΛVᵀ the inverse of W^½KW^½ + λI is V(Λ + λI)⁻¹Vᵀ: O(n²) for each λ, leave-one-out included.

use super::Ridge;
use super::system::System;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram};
use crate::linalg::{Matrix, SymmetricEigen};
use crate::machine::Functions;
use crate::machine::whole::bytes_of_outputs;

/// What one λ gives.
#[derive(Clone, Debug)]
pub struct PathPoint {
    /// λ
    pub lambda: f64,
    /// One function per output.
    pub functions: Functions,
    /// What each function says about each item when it is trained without it, one row per item.
    pub left_out: Matrix,
    /// The mean of w(y − f₋ᵢ(x))² over items and outputs, where f₋ᵢ is trained without the item.
    pub left_out_error: f64,
}

/// Ridge regressions with many values of λ.
#[derive(Clone, Debug)]
pub struct RidgePath {
    points: Vec<PathPoint>,
}

impl RidgePath {
    /// One per λ, in the order in which they were given.
    pub fn points(&self) -> &[PathPoint] {
        &self.points
    }

    /// The same, without a copy.
    pub fn into_points(self) -> Vec<PathPoint> {
        self.points
    }

    /// That with the least leave-one-out error, of equals the first.
    pub fn best(&self) -> &PathPoint {
        let better = |best: usize, i: usize| {
            if self.points[i].left_out_error < self.points[best].left_out_error { i } else { best }
        };
        &self.points[(0..self.points.len()).fold(0, better)]
    }
}

impl<K> Ridge<K> {
    /// Trains on items with λ of these shares of the mean of the diagonal of K, which says what size λ is of. As
    /// [`Ridge::path`], which it calls.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::Ridge;
    /// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i) / 5.0]).collect::<Vec<_>>())?;
    /// let targets = Matrix::from_fn(20, 1, |i, _| (i as f64 / 5.0).sin());
    /// let machine = Ridge::params("gaussian(gamma=1)".parse::<Expression>()?).offset(true).check()?;
    /// let path = machine.path_of(&rows, &targets, None, &[1e-6, 1e-3, 1.0])?;
    /// // There is no noise: the smallest is the best.
    /// assert_eq!(path.best().lambda, 1e-6);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ridge::path`], and a kernel that is not defined on the items; [`Error::Pivot`] if the mean of the diagonal is not above 0.
    pub fn path_of<I: Items>(
        &self,
        items: &I,
        targets: &Matrix,
        weights: Option<&[f64]>,
        shares: &[f64],
    ) -> Result<RidgePath>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let plan = self.options.plan(0)?;
        let roomy = self.options.plan(self.options.memory)?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &roomy)?;
        let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
        let gram = BulkKernel::<I>::symmetric(&kernel, items, &layout, &plan)?;
        let diagonal = gram.diagonal();
        let size = diagonal.iter().sum::<f64>() / items.len().max(1) as f64;
        if size <= 0.0 && !items.is_empty() {
            // No share of it makes K positive definite.
            return Err(Error::Pivot { index: diagonal.iter().position(|value| *value <= 0.0).unwrap_or(0) });
        }
        let lambdas: Vec<f64> = shares.iter().map(|share| share * size).collect();
        self.path(&*gram, targets, weights, &lambdas)
    }

    /// Trains on a Gram matrix with every λ of a list in the place of the machine's own. O(n³) once and O(n² · outputs) per λ;
    /// 40n² bytes.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::Ridge;
    /// let gram = PrecomputedGram::symmetric(vec![2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0], 3)?;
    /// let targets = Matrix::new(vec![1.0, 2.0, 1.0], 3, 1)?;
    /// let path = Ridge::params(()).check()?.path(&gram, &targets, None, &[0.1, 1.0, 10.0])?;
    /// assert_eq!(path.points().len(), 3);
    /// assert!(path.best().left_out_error <= path.points()[0].left_out_error);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ridge::fit_gram`]; [`Error::Entry`] for a λ that is not a finite number above 0; [`Error::Pivot`] for one that
    /// does not make K + λW⁻¹ positive definite; [`Error::Budget`].
    pub fn path(
        &self,
        gram: &dyn SymmetricGram,
        targets: &Matrix,
        weights: Option<&[f64]>,
        lambdas: &[f64],
    ) -> Result<RidgePath> {
        let n = gram.shape().0;
        self.check_data(n, targets, weights)?;
        if lambdas.is_empty() {
            return Err(Error::Empty { what: "values of lambda" });
        }
        if let Some(index) = lambdas.iter().position(|lambda| !(*lambda > 0.0 && lambda.is_finite())) {
            let (what, expected) = ("lambda", "a finite number above 0");
            return Err(Error::Entry { what, index, value: lambdas[index], expected });
        }
        // For each λ coefficients and what is predicted without each item; beside them what one is made of.
        let copies = 2 * (lambdas.len() as u64) + 8;
        let needed = bytes_of_outputs(copies, n, targets.columns());
        let instead = "allow more memory, or take fewer rows or outputs (classes), or train with one lambda after the other";
        let options = self.options.beside("the outputs of all values of lambda", needed, instead)?;
        let instead = "allow more memory, or train with one lambda after the other";
        options.check_memory("the eigenvalue decomposition of K", 5, n, instead)?;
        let workers = self.options.workers()?;
        let by_output = targets.transposed();
        let roots: Option<Vec<f64>> = weights.map(|weights| weights.iter().map(|w| w.sqrt()).collect());
        let system = |lambda| System {
            gram,
            targets: &by_output,
            roots: roots.as_deref(),
            lambda,
            offset: self.offset,
        };
        let eigen = SymmetricEigen::heard(system(0.0).scaled()?, &workers)?;
        let vectors = Matrix::from_fn(n, n, |k, i| eigen.vector(k)[i]);
        let turned = system(0.0).right().times_transposed(&vectors, &workers)?;
        let point = |lambda: f64| -> Result<PathPoint> {
            let system = system(lambda);
            let lifted: Vec<f64> = eigen.values().iter().map(|value| value + lambda).collect();
            if let Some(index) = lifted.iter().position(|value| *value <= 0.0) {
                return Err(Error::Pivot { index });
            }
            let divided = Matrix::from_fn(turned.rows(), n, |o, k| turned[(o, k)] / lifted[k]);
            let (u, offsets, border) = system.split(divided.times(&vectors, &workers)?)?;
            let mut diagonal = vec![0.0; n];
            for (k, value) in lifted.iter().enumerate() {
                diagonal.iter_mut().zip(vectors.row(k)).for_each(|(d, v)| *d += v * v / value);
            }
            let left_out = system.left_out(&u, &offsets, border.as_ref(), diagonal)?.transposed();
            let coefficients = system.coefficients(u).transposed().values().to_vec();
            let weight = |at: usize| weights.map_or(1.0, |weights| weights[at / targets.columns()]);
            let errors = targets.values().iter().zip(left_out.values()).enumerate();
            let error: f64 = errors.map(|(at, (y, f))| weight(at) * (y - f).powi(2)).sum();
            Ok(PathPoint {
                lambda,
                functions: Functions { coefficients, offsets },
                left_out_error: error / targets.values().len() as f64,
                left_out,
            })
        };
        Ok(RidgePath { points: lambdas.iter().map(|&lambda| point(lambda)).collect::<Result<_>>()? })
    }
}

//! A trained Gaussian process.

use serde::{Deserialize, Serialize};

use super::likelihood::add_noise;
use super::low_rank::LowRank;
use super::{LearnedKernel, LowRankReport};
use crate::data::{Items, check_weights};
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, Gram, Plan, Precision, WithLayout};
use crate::linalg::{Cholesky, Matrix};
use crate::machine::Functions;
use crate::machine::kept::Kept;
use crate::machine::whole::{whole, whole_of};
use crate::resources::Workers;

/// New items whose variances are computed at a time.
const BATCH: usize = 256;

/// How the training went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaussianProcessReport {
    /// log p(y), of targets that were normalised if that was asked for, summed over the outputs.
    pub likelihood: f64,
    /// What was added to the diagonal because K + σ²I was not positive definite; 0 if it was.
    pub jitter: f64,
    /// What stands for K, if it is not K itself.
    #[serde(default)]
    pub low_rank: Option<LowRankReport>,
    /// How the parameters of the kernel were learned, if they were.
    pub learned: Option<LearnedKernel>,
}

/// Means and variances: one row per item, one column per output.
#[derive(Clone, Debug, PartialEq)]
pub struct UncertainValues {
    /// E f(x)
    pub mean: Matrix,
    /// Var f(x), with the noise of a `white` in the kernel, without that which is a parameter.
    pub variance: Matrix,
}

/// A trained Gaussian process: kernel, training items, coefficients, and the factor of K + σ²I for variances (8n² bytes); of low rank,
/// the pivots in place of all items.
#[derive(Clone, Debug)]
pub struct GaussianProcessModel<K: WithLayout, I> {
    pub(super) kept: Kept<K, I>,
    pub(super) noise: f64,
    /// Of the items that are kept, if they had any.
    pub(super) weights: Option<Vec<f64>>,
    pub(super) known: Known,
    /// Of the normalised targets.
    pub(super) functions: Functions,
    pub(super) centre: Vec<f64>,
    pub(super) scale: Vec<f64>,
    pub(super) report: GaussianProcessReport,
}

/// What variances are made of.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// K + σ²I = LLᵀ
    Exact(Cholesky),
    LowRank(LowRank),
}

impl<K: WithLayout, I> GaussianProcessModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<GaussianProcessModel<L, J>> {
        let GaussianProcessModel { kept, noise, weights, known, functions, centre, scale, report } = self;
        let kept = change(kept)?;
        Ok(GaussianProcessModel { kept, noise, weights, known, functions, centre, scale, report })
    }

    /// Joins the parts, for example from a file, and factorises K + σ²I again: O(n³/3) time, 8n² bytes. `centre` and `scale` are the
    /// [normalisation](GaussianProcessModel::normalisation), `weights` those of the items if they had any; `factors` are the [factors](GaussianProcessModel::low_rank_factors) of a
    /// process of low rank.
    ///
    /// # Errors
    /// Parts that do not fit together; [`Error::Pivot`] if K + σ²I is not positive definite even with a jitter; [`Error::Budget`].
    pub fn from_parts(
        kept: Kept<K, I>,
        (noise, weights): (f64, Option<Vec<f64>>),
        functions: Functions,
        (centre, scale): (Vec<f64>, Vec<f64>),
        report: GaussianProcessReport,
        factors: Option<(Matrix, Matrix)>,
    ) -> Result<Self>
    where
        I: Items,
        K: BulkKernel<I>,
    {
        functions.check(&kept.items)?;
        let expected = functions.outputs();
        for found in [centre.len(), scale.len()] {
            if found != expected {
                return Err(Error::Shape { what: "normalisations (one per output)", expected, found });
            }
        }
        if !(noise >= 0.0 && noise.is_finite()) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "noise", value: noise, expected });
        }
        if let Some(weights) = &weights {
            check_weights(weights, kept.items.len())?;
            if let Some(index) = weights.iter().position(|w| *w == 0.0) {
                let expected = "a number above 0";
                return Err(Error::Entry { what: "weight", index, value: 0.0, expected });
            }
        }
        let known = match factors {
            Some((root, gain)) => {
                let (root, gain) = (Cholesky::of_upper(root)?, Cholesky::of_upper(gain)?);
                for found in [root.size(), gain.size()] {
                    let expected = kept.items.len();
                    if found != expected {
                        return Err(Error::Shape {
                            what: "rows of a factor (one per pivot)",
                            expected,
                            found,
                        });
                    }
                }
                Known::LowRank(LowRank { root, gain })
            }
            None => {
                let mut matrix = whole_of(&kept, "a Gaussian process")?;
                let plan = Plan { precision: Precision::F64, cache_bytes: 0, ..Plan::new()? };
                let of = (&kept.kernel, &kept.items, &kept.layout);
                add_noise(&mut matrix, of, noise, weights.as_deref(), &plan)?;
                Known::Exact(Cholesky::with_jitter(matrix, &Workers::checked(0)?)?.0)
            }
        };
        Ok(GaussianProcessModel { kept, noise, weights, known, functions, centre, scale, report })
    }

    /// σ²: the variance of the noise that is a parameter.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// The weights of the items that are kept, if they had any; a process of low rank has them in its factors.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// The kernel, with what was learned, and the training items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// α, of targets that were normalised if that was asked for.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// The Cholesky factor of K + σ²I; none for a process of low rank.
    pub fn factor(&self) -> Option<&Cholesky> {
        match &self.known {
            Known::Exact(factor) => Some(factor),
            Known::LowRank(_) => None,
        }
    }

    /// Lᵀ with LLᵀ = K of the pivots, and the like of I + GΛ⁻¹Gᵀ, for a process of low rank.
    pub fn low_rank_factors(&self) -> Option<(&Matrix, &Matrix)> {
        match &self.known {
            Known::Exact(_) => None,
            Known::LowRank(known) => Some((known.root.upper(), known.gain.upper())),
        }
    }

    /// Mean and standard deviation of each output that targets were normalised with; 0 and 1 if they were not.
    pub fn normalisation(&self) -> (&[f64], &[f64]) {
        (&self.centre, &self.scale)
    }

    /// How the training went.
    pub fn report(&self) -> &GaussianProcessReport {
        &self.report
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.functions.outputs()
    }

    /// E f(x): for each item those of all outputs. O(n) kernel values per item.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        self.kept.compare(items, |gram, workers| self.means(gram, workers))
    }

    fn means(&self, gram: &dyn Gram, workers: &Workers) -> Result<Vec<f64>> {
        let mut means = self.functions.values(gram, workers)?;
        for row in means.chunks_mut(self.outputs()) {
            for (o, value) in row.iter_mut().enumerate() {
                *value = (self.centre[o] + self.scale[o] * *value).clamp(-f64::MAX, f64::MAX);
            }
        }
        Ok(means)
    }

    /// Means and variances. O(n²) per item.
    ///
    /// # Errors
    /// As [`GaussianProcessModel::predict`].
    pub fn predict_with_variance<J: Items<Owned = I>>(&self, items: &J) -> Result<UncertainValues>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let (q, m) = (items.len(), self.outputs());
        if q == 0 {
            return Ok(UncertainValues { mean: Matrix::zeros(0, m), variance: Matrix::zeros(0, m) });
        }
        let mut variances = self.kept.diagonal(items)?;
        let mean = self.kept.compare(items, |gram, workers| {
            for first in (0..q).step_by(BATCH) {
                let (solved, left) = self.forward(gram, first..q.min(first + BATCH), workers)?;
                let square = |rows: &Matrix, r: usize| rows.row(r).iter().map(|v| v * v).sum::<f64>();
                for (r, variance) in variances[first..].iter_mut().take(BATCH).enumerate() {
                    let known = square(&solved, r) - left.as_ref().map_or(0.0, |left| square(left, r));
                    // Rounding can take more than there is.
                    *variance = (*variance - known).max(0.0);
                }
            }
            Matrix::new(self.means(gram, workers)?, q, m)
        })?;
        // Of targets beyond 1e154 the square is no number: the largest one stands for it.
        let of = |i: usize, o: usize| (variances[i] * self.scale[o] * self.scale[o]).min(f64::MAX);
        let variance = Matrix::from_fn(q, m, of);
        Ok(UncertainValues { mean, variance })
    }

    /// L⁻¹k(x) of some columns, one row each, and what is to be taken away from their squares again.
    fn forward(
        &self,
        gram: &dyn Gram,
        columns: std::ops::Range<usize>,
        workers: &Workers,
    ) -> Result<(Matrix, Option<Matrix>)> {
        let (n, width) = (gram.shape().0, columns.len());
        let mut values = Matrix::zeros(n, width);
        let rows: Vec<usize> = (0..n).collect();
        let block = Block::F64 { values: values.values_mut(), stride: width };
        gram.fill(&rows, Columns::Range(columns), block)?;
        let mut rows = values.transposed();
        Ok(match &self.known {
            Known::Exact(factor) => {
                factor.forward_rows(&mut rows, workers)?;
                (rows, None)
            }
            Known::LowRank(known) => {
                let (solved, left) = known.forward(rows, workers)?;
                (solved, Some(left))
            }
        })
    }

    /// The covariance of f at these items, q × q, of targets with standard deviation 1. O(q(n² + qn)) time, O(q(n + q)) memory.
    ///
    /// # Errors
    /// As [`GaussianProcessModel::predict`].
    pub fn covariance<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let q = items.len();
        if q == 0 {
            return Ok(Matrix::zeros(0, 0));
        }
        let plan = Plan { precision: Precision::F64, cache_bytes: 0, ..Plan::new()? };
        let mut covariance = whole(&*self.kept.kernel.symmetric(items, &self.kept.layout, &plan)?)?;
        let known = self.kept.compare(items, |gram, workers| {
            let (solved, left) = self.forward(gram, 0..q, workers)?;
            let mut known = solved.times_transposed(&solved, workers)?;
            if let Some(left) = left {
                let less = left.times_transposed(&left, workers)?;
                known.values_mut().iter_mut().zip(less.values()).for_each(|(k, less)| *k -= less);
            }
            Ok(known)
        })?;
        covariance.values_mut().iter_mut().zip(known.values()).for_each(|(k, known)| *k -= known);
        // Products of rows are symmetric to the bit only where both are computed alike.
        for i in 0..q {
            for j in 0..i {
                covariance[(j, i)] = covariance[(i, j)];
            }
        }
        Ok(covariance)
    }
}

//! Training of a ridge regression.

use super::system::{REFINED_TOGETHER, Solved, System};
use super::{Ridge, RidgeMethod, RidgeModel, RidgeReport};
use crate::data::{Items, check_weights};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Precision, SymmetricGram};
use crate::kernel::Definiteness;
use crate::linalg::Matrix;
use crate::machine::kept::Kept;
use crate::machine::median::median;
use crate::machine::whole::{MatrixOptions, bytes, bytes_of_outputs};
use crate::machine::{Functions, RegressionSample, ResidualSample};
use crate::resources::Workers;

/// From so many items on a factor in single precision is worth the second matrix.
const WORTH_TWO: usize = 2048;

/// Copies of one number per item and output: targets, coefficients, and right-hand sides that become solutions.
const COPIES: u64 = 4;
/// What is predicted for each item without it, and its transpose.
const COPIES_LEFT_OUT: u64 = 2;
/// What conjugate gradients take beside them.
const COPIES_ITERATED: u64 = 8;

/// What a training on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct RidgeFit {
    /// One function per output.
    pub functions: Functions,
    /// How the system was solved; of several values of λ, how the worst was.
    pub report: RidgeReport,
    /// What each function says about each item when it is trained without it, one row per item; if it was asked for.
    pub left_out: Option<Matrix>,
}

impl<K> Ridge<K> {
    /// Trains on items and one target of each.
    ///
    /// # Errors
    /// As [`Ridge::fit_many`].
    pub fn fit<I: Items>(&self, items: &I, targets: &[f64]) -> Result<RidgeModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_many(items, &Matrix::new(targets.to_vec(), targets.len(), 1)?, None)
    }

    /// Trains on items and several targets of each (one row per item, one column per output), with a weight per item if there
    /// are any: an item of weight w counts as w items.
    ///
    /// O(n³/3) time and 8n² bytes by factorisation (12n² if it begins in single precision), whatever the number of outputs is; O(n²) per
    /// step of conjugate gradients.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::Ridge;
    /// let rows = Vectors::from_rows(&[[1.0], [2.0]])?;
    /// let targets = Matrix::new(vec![1.0, -1.0, 2.0, -2.0], 2, 2)?;
    /// let machine = Ridge::params("linear".parse::<Expression>()?).lambda(0.0).check()?;
    /// let model = machine.fit_many(&rows, &targets, Some(&[1.0, 3.0]))?;
    /// let found = model.predict(&Vectors::from_rows(&[[3.0]])?)?;
    /// assert!((found[0] - 3.0).abs() < 1e-4 && (found[1] + 3.0).abs() < 1e-4);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// No rows, targets of another number or not finite, weights that are negative or all 0, a kernel that is not defined on the
    /// items; [`Error::Pivot`] if K + λW⁻¹ is not positive definite even with a jitter; [`Error::Budget`] if a
    /// factorisation was asked for and the memory is not enough.
    pub fn fit_many<I: Items>(
        &self,
        items: &I,
        targets: &Matrix,
        weights: Option<&[f64]>,
    ) -> Result<RidgeModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        self.check_data(n, targets, weights)?;
        let iterative = self.chosen(n, targets.columns())? == RidgeMethod::ConjugateGradient;
        let cache = if iterative { self.beside_outputs(n, targets.columns(), true)?.memory } else { 0 };
        let plan = self.options.plan(cache)?;
        let roomy = self.options.plan(self.options.memory)?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &roomy)?;
        let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
        let convex = BulkKernel::<I>::definiteness(&kernel) == Definiteness::Guaranteed;
        let (fit, samples) = {
            let gram = BulkKernel::<I>::symmetric(&kernel, items, &layout, &plan)?;
            let fit = self.fit_gram_with(&*gram, targets, weights, &plan.workers)?;
            let samples = self.samples(&fit, gram.diagonal(), (targets, weights), convex);
            (fit, samples)
        };
        let all: Vec<usize> = (0..n).collect();
        let kept = Kept { items: items.select(&all), kernel, layout, precision: Precision::F64, threads: 0 };
        Ok(RidgeModel::new(kept, fit).with_samples(samples))
    }

    /// What the items that count say about each output. By its system y − f(x) = (λ + jitter)β/w, and ‖f‖² = βᵀKβ = Σ β (f(x) − b).
    fn samples(
        &self,
        fit: &RidgeFit,
        diagonal: &[f64],
        (targets, weights): (&Matrix, Option<&[f64]>),
        convex: bool,
    ) -> Vec<ResidualSample> {
        let (n, m) = (targets.rows(), targets.columns());
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let counts: Vec<usize> = (0..n).filter(|&i| weight(i) > 0.0).collect();
        let diagonal: Vec<f64> = counts.iter().map(|&i| diagonal[i]).collect();
        let of_output = |o: usize| {
            let (penalty, offset) = (self.lambda(o) + fit.report.jitter, fit.functions.offsets[o]);
            let beta = |i: usize| fit.functions.coefficients[i * m + o];
            let own: Vec<f64> = counts.iter().map(|&i| targets[(i, o)]).collect();
            let residuals: Vec<f64> = counts.iter().map(|&i| penalty * beta(i) / weight(i)).collect();
            let of_item = |at: usize| beta(counts[at]) * (own[at] - residuals[at] - offset);
            let norm = (0..counts.len()).map(of_item).sum::<f64>().max(0.0).sqrt();
            let sample = RegressionSample::of(&own, &residuals, 0.0, self.offset, &diagonal)?;
            norm.is_finite().then_some(ResidualSample { norm, offset, convex, sample })
        };
        (0..m).map(of_output).collect::<Option<_>>().unwrap_or_default()
    }

    /// λ of an output.
    fn lambda(&self, output: usize) -> f64 {
        if self.lambdas.len() == 1 { self.lambdas[0] } else { self.lambdas[output] }
    }

    /// Trains on a Gram matrix.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::Ridge;
    /// let gram = PrecomputedGram::symmetric(vec![3.0, 0.0, 0.0, 8.0], 2)?;
    /// let targets = Matrix::new(vec![4.0, 9.0], 2, 1)?;
    /// let fit = Ridge::params(()).lambda(1.0).check()?.fit_gram(&gram, &targets, None)?;
    /// assert_eq!(fit.functions.coefficients, [1.0, 1.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Ridge::fit_many`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        targets: &Matrix,
        weights: Option<&[f64]>,
    ) -> Result<RidgeFit> {
        self.check_data(gram.shape().0, targets, weights)?;
        self.fit_gram_with(gram, targets, weights, &self.options.workers()?)
    }

    fn fit_gram_with(
        &self,
        gram: &dyn SymmetricGram,
        targets: &Matrix,
        weights: Option<&[f64]>,
        workers: &Workers,
    ) -> Result<RidgeFit> {
        let (n, m) = (targets.rows(), targets.columns());
        let method = self.chosen(n, m)?;
        let roots: Option<Vec<f64>> = weights.map(|weights| weights.iter().map(|w| w.sqrt()).collect());
        let mut functions = Functions { coefficients: vec![0.0; n * m], offsets: vec![0.0; m] };
        let mut left_out = self.left_out.then(|| Matrix::zeros(n, m));
        let mut report: Option<RidgeReport> = None;
        // Outputs of the same λ share a system.
        let mut done = vec![false; m];
        for first in 0..m {
            if done[first] {
                continue;
            }
            let shared: Vec<usize> = (first..m).filter(|&o| self.lambda(o) == self.lambda(first)).collect();
            // An offset takes up the median, so that of targets far from 0 little is lost by rounding.
            let centres: Vec<f64> = shared.iter().map(|&o| self.centre(targets, weights, o)).collect();
            let of_these = Matrix::from_fn(shared.len(), n, |o, i| targets[(i, shared[o])] - centres[o]);
            let system = System {
                gram,
                targets: &of_these,
                roots: roots.as_deref(),
                lambda: self.lambda(first),
                offset: self.offset,
            };
            let solved = match method {
                RidgeMethod::ConjugateGradient => system.iterate(&self.conjugate, workers)?,
                method => system.factorise(method == RidgeMethod::Mixed, self.left_out, workers)?,
            };
            for (at, &o) in shared.iter().enumerate() {
                done[o] = true;
                functions.offsets[o] = centres[at] + solved.offsets[at];
                for i in 0..n {
                    functions.coefficients[i * m + o] = solved.coefficients[(at, i)];
                    if let (Some(all), Some(part)) = (&mut left_out, &solved.left_out) {
                        all[(i, o)] = centres[at] + part[(at, i)];
                    }
                }
            }
            report = Some(worse(report, solved));
        }
        crate::machine::expansion::check_finite("coefficient", &functions.coefficients)?;
        let report = report.ok_or(Error::Empty { what: "outputs" })?;
        Ok(RidgeFit { functions, report, left_out })
    }

    /// What is taken from the targets of an output and added to its offset.
    fn centre(&self, targets: &Matrix, weights: Option<&[f64]>, output: usize) -> f64 {
        let counts = |i: &usize| weights.is_none_or(|weights| weights[*i] > 0.0);
        let of_output = || (0..targets.rows()).filter(counts).map(|i| targets[(i, output)]);
        let middle = self.offset.then(|| median(of_output().collect())).flatten().unwrap_or(0.0);
        // The differences may be beyond all numbers.
        if of_output().all(|y| (y - middle).is_finite()) { middle } else { 0.0 }
    }

    /// Refuses so many outputs of so many items if there is not the memory for them, however they are solved.
    pub(in crate::machine) fn check_outputs(&self, n: usize, outputs: usize) -> Result<()> {
        self.beside_outputs(n, outputs, false).map(|_| ())
    }

    /// The options with the memory that several outputs leave to K.
    fn beside_outputs(&self, n: usize, outputs: usize, iterated: bool) -> Result<MatrixOptions> {
        let (left_out, iterated) = (u64::from(self.left_out), u64::from(iterated));
        // Right-hand sides that are refined together.
        let refined = bytes_of_outputs(COPIES_ITERATED, n, outputs.min(REFINED_TOGETHER));
        let copies = COPIES + COPIES_LEFT_OUT * left_out + COPIES_ITERATED * iterated;
        let needed = bytes_of_outputs(copies, n, outputs).saturating_add(refined);
        let what = "the targets and coefficients of all outputs";
        self.options.beside(what, needed, "allow more memory, or take fewer rows or outputs (classes)")
    }

    /// How the system is solved, for so many items and outputs.
    fn chosen(&self, n: usize, outputs: usize) -> Result<RidgeMethod> {
        let options = self.beside_outputs(n, outputs, false)?;
        let iterated = || self.beside_outputs(n, outputs, true).map(|_| RidgeMethod::ConjugateGradient);
        let fits = |needed| needed <= options.memory;
        // K, and a factor of half its size.
        let both = bytes(3, n) / 2;
        let instead = "allow more memory, or solve by conjugate gradients, without leave-one-out";
        match self.method {
            RidgeMethod::Mixed if self.left_out => Err(Error::Unsupported {
                what: "leave-one-out of a ridge regression needs a factorisation in double precision".into(),
            }),
            RidgeMethod::Mixed => {
                options.check_bytes("K and its factor in single precision", both, instead)?;
                Ok(RidgeMethod::Mixed)
            }
            RidgeMethod::ConjugateGradient if self.left_out => Err(Error::Unsupported {
                what:
                    "leave-one-out of a ridge regression needs a factorisation; conjugate gradients have none"
                        .into(),
            }),
            RidgeMethod::ConjugateGradient => iterated(),
            RidgeMethod::Automatic if !fits(bytes(1, n)) && !self.left_out => iterated(),
            RidgeMethod::Automatic if n >= WORTH_TWO && fits(both) && !self.left_out => {
                Ok(RidgeMethod::Mixed)
            }
            _ => {
                options.check_memory("the factorisation of K", 1, n, instead)?;
                Ok(RidgeMethod::Cholesky)
            }
        }
    }

    pub(super) fn check_data(&self, rows: usize, targets: &Matrix, weights: Option<&[f64]>) -> Result<()> {
        if rows == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        if targets.rows() != rows {
            let what = "targets (one per row)";
            return Err(Error::Shape { what, expected: rows, found: targets.rows() });
        }
        let m = targets.columns();
        if m == 0 {
            return Err(Error::Empty { what: "outputs" });
        }
        if self.lambdas.len() != 1 && self.lambdas.len() != m {
            let what = "values of lambda (one, or one per output)";
            return Err(Error::Shape { what, expected: m, found: self.lambdas.len() });
        }
        if let Some(at) = targets.values().iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index: at / m, value: targets.values()[at], expected });
        }
        weights.map_or(Ok(()), |weights| check_weights(weights, rows))
    }
}

/// The report of the system that went worse.
fn worse(before: Option<RidgeReport>, solved: Solved) -> RidgeReport {
    let Some(before) = before else { return solved.report };
    let now = solved.report;
    RidgeReport {
        // Of systems in two precisions and such that had to be solved in one the latter are told.
        method: if now.method == RidgeMethod::Mixed { before.method } else { now.method },
        jitter: before.jitter.max(now.jitter),
        iterations: before.iterations.max(now.iterations),
        residual: before.residual.max(now.residual),
        converged: before.converged && now.converged,
    }
}

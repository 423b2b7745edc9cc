//! Training of a Gaussian process, with the kernel as it is or with one that is learned.

use super::learning::{drawn, learnable};
use super::likelihood::{Evidence, Factored};
use super::low_rank::{self, Pivots, Regression};
use super::model::Known;
use super::standardize::standardize;
use super::{
    Differentiable, GaussianProcess, GaussianProcessModel, GaussianProcessReport, LearnedKernel,
    LogLikelihood, LowRankReport,
};
use crate::data::{Items, check_weights};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Plan, Precision};
use crate::linalg::Matrix;
use crate::machine::Functions;
use crate::machine::kept::Kept;

impl<K> GaussianProcess<K> {
    /// Trains on items and one target of each, with the kernel as it is. O(n³/3) time, 8n² bytes; of low rank r O(nr²) and
    /// 56nr.
    ///
    /// # Errors
    /// As [`GaussianProcess::fit_many`].
    pub fn fit<I: Items>(&self, items: &I, targets: &[f64]) -> Result<GaussianProcessModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_many(items, &Matrix::new(targets.to_vec(), targets.len(), 1)?, None)
    }

    /// The same with several targets of each item (one row per item, one column per output), and with a weight per item if there are
    /// any: an item of weight w counts as w items with the same targets, so that its noise has the variance σ²/w. Items of weight 0
    /// are not kept.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::GaussianProcess;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [9.0]])?;
    /// let targets = Matrix::new(vec![2.0, 1.0, 5.0], 3, 1)?;
    /// let machine = GaussianProcess::params("gaussian(gamma=100)".parse::<Expression>()?).noise(1.0).check()?;
    /// let model = machine.fit_many(&rows, &targets, Some(&[3.0, 1.0, 0.0]))?;
    /// // y/(1 + σ²/w)
    /// let found = model.predict(&rows)?;
    /// assert!((found[0] - 1.5).abs() < 1e-12 && (found[1] - 0.5).abs() < 1e-12 && found[2].abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// No rows, targets of another number or not finite, weights that are negative or all 0, a kernel that is not defined on the items;
    /// [`Error::Pivot`] if K + σ²I is not positive definite even with a jitter; [`Error::Budget`].
    pub fn fit_many<I: Items>(
        &self,
        items: &I,
        targets: &Matrix,
        weights: Option<&[f64]>,
    ) -> Result<GaussianProcessModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let begun = self.begin(items, targets, weights)?;
        let roomy = self.options.plan(self.options.memory)?;
        let kernel = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &roomy)?;
        self.fit_with(items, kernel, begun, None)
    }

    /// Learns the parameters of the kernel first: those with the largest log p(y) that is found. O(n³) time for each evaluation, 32n²
    /// bytes; where there are fewer, or a rank is given, from as many random rows as that allows.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::GaussianProcess;
    /// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i) / 3.0]).collect::<Vec<_>>())?;
    /// let targets = Matrix::from_fn(20, 1, |i, _| (i as f64 / 3.0).sin());
    /// let kernel: Expression = "1 * gaussian(length_scale=10) + white(0.1)".parse()?;
    /// let machine = GaussianProcess::params(kernel).check()?;
    /// let learned = machine.fit_learned(&rows, &targets, None)?;
    /// // There is no noise to speak of, and the width is that of a wave.
    /// let found = learned.kept().kernel.parameters();
    /// assert!(found[1].value > 0.5 && found[1].value < 5.0 && found[2].value < 1e-3);
    /// assert!(learned.report().likelihood > machine.fit_many(&rows, &targets, None)?.report().likelihood);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GaussianProcess::fit_many`]; [`Error::Unsupported`] for a kernel whose derivatives are not known.
    pub fn fit_learned<I: Items>(
        &self,
        items: &I,
        targets: &Matrix,
        weights: Option<&[f64]>,
    ) -> Result<GaussianProcessModel<K, I::Owned>>
    where
        K: Differentiable<I> + Differentiable<I::Owned>,
    {
        let begun = self.begin(items, targets, weights)?;
        let n = begun.len();
        let resolved = BulkKernel::<I>::resolve(&self.kernel, items, weights)?;
        let rows = learnable(self.options.memory, 4, n);
        if rows < n.min(2) {
            self.check_memory(4, n)?;
        }
        let rows = rows.min(self.rank.map_or(n, |rank| rank.max(2)));
        let (kernel, learned) = match (rows < n, &begun.counted) {
            (false, None) => self.learned(&begun.evidence(items, self.noise), &resolved)?,
            (false, Some(counted)) => {
                let few = items.select(counted);
                self.learned(&begun.evidence(&few, self.noise), &resolved)?
            }
            (true, _) => {
                let some = drawn(rows, n, self.learning.seed);
                let few = items.select(&begun.places(&some));
                let of_few = Matrix::from_fn(begun.targets.rows(), rows, |o, i| begun.targets[(o, some[i])]);
                let weights = begun.weights_of(&some);
                let evidence = Evidence {
                    items: &few,
                    targets: &of_few,
                    noise: self.noise,
                    weights: weights.as_deref(),
                    plan: &begun.plan,
                };
                let (kernel, learned) = self.learned(&evidence, &resolved)?;
                (kernel, LearnedKernel { rows: Some(rows), ..learned })
            }
        };
        self.fit_with(items, kernel, begun, Some(learned))
    }

    /// The kernel with the largest likelihood.
    fn learned<I: Items>(&self, evidence: &Evidence<'_, I>, kernel: &K) -> Result<(K, LearnedKernel)>
    where
        K: Differentiable<I>,
    {
        super::learning::learn::<K, I>(kernel, &self.learning, &mut |kernel| {
            let factored = evidence.at(kernel)?;
            Ok((factored.value, evidence.gradient(kernel, &factored)?))
        })
    }

    /// log p(y) and its gradient, for the kernel as it is. O(n³) time, 32n² bytes.
    ///
    /// # Errors
    /// As [`GaussianProcess::fit_learned`].
    pub fn log_likelihood<I: Items>(
        &self,
        items: &I,
        targets: &Matrix,
        weights: Option<&[f64]>,
    ) -> Result<LogLikelihood>
    where
        K: Differentiable<I> + Differentiable<I::Owned>,
    {
        self.check_memory(4, items.len())?;
        let begun = self.begin(items, targets, weights)?;
        let kernel = BulkKernel::<I>::resolve(&self.kernel, items, weights)?;
        match &begun.counted {
            None => begun.evidence(items, self.noise).likelihood(&kernel),
            Some(counted) => begun.evidence(&items.select(counted), self.noise).likelihood(&kernel),
        }
    }

    pub(super) fn check_memory(&self, matrices: u64, n: usize) -> Result<()> {
        let instead = "allow more memory, or learn from fewer rows";
        self.options.check_memory("a Gaussian process", matrices, n, instead)
    }

    /// Checks the data, leaves out what has the weight 0, and normalises the targets.
    pub(super) fn begin<I: Items>(
        &self,
        items: &I,
        targets: &Matrix,
        weights: Option<&[f64]>,
    ) -> Result<Begun> {
        let (n, m) = (items.len(), targets.columns());
        if n == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        if targets.rows() != n {
            return Err(Error::Shape { what: "targets (one per row)", expected: n, found: targets.rows() });
        }
        if m == 0 {
            return Err(Error::Empty { what: "outputs" });
        }
        if let Some(at) = targets.values().iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index: at / m, value: targets.values()[at], expected });
        }
        let counted = match weights {
            Some(weights) => {
                check_weights(weights, n)?;
                let counted: Vec<usize> = (0..n).filter(|&i| weights[i] > 0.0).collect();
                (counted.len() < n).then_some(counted)
            }
            None => None,
        };
        let weights: Option<Vec<f64>> =
            weights.map(|weights| weights.iter().copied().filter(|w| *w > 0.0).collect());
        let n = counted.as_ref().map_or(n, Vec::len);
        let place = |i: usize| counted.as_ref().map_or(i, |counted| counted[i]);
        let mut normalised = Matrix::from_fn(m, n, |o, i| targets[(place(i), o)]);
        let (mut centre, mut scale) = (vec![0.0; m], vec![1.0; m]);
        if self.normalise {
            for (o, row) in normalised.values_mut().chunks_mut(n).enumerate() {
                (centre[o], scale[o]) = standardize(row, weights.as_deref());
            }
        }
        Ok(Begun { plan: self.options.plan(0)?, targets: normalised, weights, counted, centre, scale })
    }

    /// Trains with a kernel that is resolved.
    pub(super) fn fit_with<I: Items>(
        &self,
        items: &I,
        kernel: K,
        begun: Begun,
        learned: Option<LearnedKernel>,
    ) -> Result<GaussianProcessModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let solved = match &begun.counted {
            None => self.solved(items, &kernel, &begun)?,
            Some(counted) => self.solved(&items.select(counted), &kernel, &begun)?,
        };
        let Solved { positions, layout, known, alpha, likelihood, jitter, low_rank } = solved;
        let weights = match &known {
            Known::Exact(_) => begun.weights.clone(),
            // Its factors are kept as they are.
            Known::LowRank(_) => None,
        };
        let coefficients = alpha.transposed().values().to_vec();
        let items = items.select(&begun.places(&positions));
        Ok(GaussianProcessModel {
            kept: Kept { items, kernel, layout, precision: Precision::F64, threads: 0 },
            noise: self.noise,
            weights,
            known,
            functions: Functions { coefficients, offsets: vec![0.0; alpha.rows()] },
            centre: begun.centre,
            scale: begun.scale,
            report: GaussianProcessReport { likelihood, jitter, low_rank, learned },
        })
    }

    /// The system of the items that count.
    fn solved<I: Items>(&self, items: &I, kernel: &K, begun: &Begun) -> Result<Solved<K::Layout>>
    where
        K: BulkKernel<I>,
    {
        let n = items.len();
        Ok(match low_rank::chosen(&self.options, self.rank, 1, n, 1)? {
            None => {
                let Factored { layout, factor, alpha, value, jitter, .. } =
                    begun.evidence(items, self.noise).at(kernel)?;
                let (positions, known) = ((0..n).collect(), Known::Exact(factor));
                Solved { positions, layout, known, alpha, likelihood: value, jitter, low_rank: None }
            }
            Some(rank) => {
                let layout = kernel.layout(items, &begun.plan)?;
                let weights = begun.weights.as_deref();
                let pivots = Pivots::new(kernel, (items, weights), &layout, rank, &begun.plan)?;
                let seen = (&begun.targets, weights);
                let made = Regression::new(&pivots, seen, self.noise, &begun.plan.workers)?;
                let Regression { known, coefficients: alpha, likelihood, jitter } = made;
                let (known, low_rank) = (Known::LowRank(known), Some(pivots.report));
                Solved { positions: pivots.positions, layout, known, alpha, likelihood, jitter, low_rank }
            }
        })
    }
}

/// The solution of the system of some items.
struct Solved<L> {
    positions: Vec<usize>,
    layout: L,
    known: Known,
    /// One row per output.
    alpha: Matrix,
    likelihood: f64,
    jitter: f64,
    low_rank: Option<LowRankReport>,
}

/// What a training begins with.
pub(super) struct Begun {
    pub(super) plan: Plan,
    /// One row per output, of the items that count.
    pub(super) targets: Matrix,
    /// Of the items that count, all above 0.
    pub(super) weights: Option<Vec<f64>>,
    /// The items with a weight above 0, if there are others.
    counted: Option<Vec<usize>>,
    centre: Vec<f64>,
    scale: Vec<f64>,
}

impl Begun {
    /// How many items count.
    pub(super) fn len(&self) -> usize {
        self.targets.columns()
    }

    /// Where some of the items that count stand among all.
    pub(super) fn places(&self, some: &[usize]) -> Vec<usize> {
        some.iter().map(|&i| self.counted.as_ref().map_or(i, |counted| counted[i])).collect()
    }

    /// The weights of some of the items that count.
    pub(super) fn weights_of(&self, some: &[usize]) -> Option<Vec<f64>> {
        self.weights.as_ref().map(|weights| some.iter().map(|&i| weights[i]).collect())
    }

    fn evidence<'a, I>(&'a self, items: &'a I, noise: f64) -> Evidence<'a, I> {
        Evidence { items, targets: &self.targets, noise, weights: self.weights.as_deref(), plan: &self.plan }
    }
}

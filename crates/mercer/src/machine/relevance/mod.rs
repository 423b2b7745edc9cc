//! The relevance vector machine: a weight of its own prior for every item, most of which turn out to be 0.
//!
//! ```text
//! f(x) = Σ wᵢ k(xᵢ, x) + b,   wᵢ ~ N(0, 1/αᵢ)
//! regression:      y = f(x) + noise of variance 1/β
//! classification:  P(y = 1 | x) = σ(f(x)), by Laplace's approximation, each class against the rest
//! ```
//!
//! α (and β) are those with the largest marginal likelihood. They are found one at a time, from no item at all: the item whose α, set to
//! its best value, gains most is added, changed or dropped, until nothing is to be gained. An item that is not needed has α = ∞.
//! Targets are divided by their standard deviation first, and what is found is told in their own unit.
//! Beyond the memory, or where a `rank` is given, only some items are looked at: the pivots of a pivoted Cholesky factorisation of K,
//! of which every other item is nearly a combination. How many there were is in the report.
//! (M. Tipping: Sparse Bayesian learning and the relevance vector machine, JMLR 1 (2001); M. Tipping, A. Faul: Fast marginal likelihood
//! maximisation for sparse Bayesian models, AISTATS 2003.)

mod likelihood;
mod search;
mod unit;

use serde::{Deserialize, Serialize};

use super::fisher::check_weighted_labels;
use super::whole::{MatrixOptions, bytes, matrix_options, trained, whole};
use super::{FunctionModel, Functions};
use crate::data::{Items, Labels, check_weights};
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, SymmetricGram, WithLayout};
use crate::linalg::{Matrix, PivotedCholesky};
use crate::resources::{InstructionSet, Interrupt, Workers};
use likelihood::Observed;
use search::{Basis, Sparse, Weighing};
use unit::Unit;

/// The share of the trace of K that pivots may leave out, if there are so few of them.
const NOTHING: f64 = 1e-12;

/// How the search for relevant items went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelevanceReport {
    /// The classes; none for a regression.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The training items that the functions are made of.
    pub relevant: Vec<usize>,
    /// How many items they were chosen from: all, or the pivots that there was room for. 0 where a file does not say.
    #[serde(default)]
    pub candidates: usize,
    /// The log marginal likelihood of each function; approximate for classes.
    pub likelihoods: Vec<f64>,
    /// 1/β: the variance of the noise that a regression found; 0 for classes.
    pub noise: f64,
    /// The covariance of the weights of a regression, that of b last, row after row; empty for classes.
    pub covariance: Vec<f64>,
    /// Items added, changed or dropped, in all.
    pub steps: usize,
    /// Whether nothing was left to be gained.
    pub converged: bool,
}

/// A function for a regression and for two classes, else one per class.
pub type RelevanceModel<K, I> = FunctionModel<K, I, RelevanceReport>;

/// Parameters of the relevance vector machine, not yet checked.
#[derive(Clone, Debug)]
pub struct RelevanceMachineParams<K> {
    kernel: K,
    offset: bool,
    tolerance: f64,
    max_steps: usize,
    rank: Option<usize>,
    options: MatrixOptions,
}

/// The relevance vector machine with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::RelevanceMachine;
/// let rows = Vectors::from_rows(&(0..60).map(|i| [f64::from(i) / 6.0]).collect::<Vec<_>>())?;
/// let targets: Vec<f64> = (0..60).map(|i| (f64::from(i) / 6.0).sin()).collect();
/// let model = RelevanceMachine::params("gaussian(gamma=0.5)".parse::<Expression>()?).check()?.fit(&rows, &targets)?;
/// // A few items tell it all.
/// assert!(model.report().relevant.len() < 15);
/// assert!((model.predict(&Vectors::from_rows(&[[1.5]])?)?[0] - 1.5f64.sin()).abs() < 0.02);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RelevanceMachine<K> {
    kernel: K,
    offset: bool,
    tolerance: f64,
    max_steps: usize,
    rank: Option<usize>,
    options: MatrixOptions,
}

impl<K> RelevanceMachine<K> {
    /// Parameters with their defaults: with an offset, until ln α changes by less than 1e-6, in at most 10 000 steps.
    pub fn params(kernel: K) -> RelevanceMachineParams<K> {
        let options = MatrixOptions::default();
        RelevanceMachineParams {
            kernel,
            offset: true,
            tolerance: 1e-6,
            max_steps: 10_000,
            rank: None,
            options,
        }
    }

    /// Trains a regression on items and one target of each. O(n²) for each item that is added and O(nM²) per step with M relevant
    /// items, 16n² bytes; or, with r [candidates](RelevanceMachineParams::rank), O(nr) and 32nr.
    ///
    /// # Errors
    /// No rows, targets of another number, not finite or beyond 1e154 (their variance is not finite), a kernel that is not defined on
    /// the items; [`Error::Budget`] if there is no memory for one candidate.
    pub fn fit<I: Items>(&self, items: &I, targets: &[f64]) -> Result<RelevanceModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_weighted(items, targets, None)
    }

    /// The same with a weight per item, if there are any: an item of weight w counts as w items with the same target, so that its noise
    /// has the variance 1/(βw), and an item of weight 0 as none.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::RelevanceMachine;
    /// let rows = Vectors::from_rows(&(0..60).map(|i| [f64::from(i) / 6.0]).collect::<Vec<_>>())?;
    /// let mut targets: Vec<f64> = (0..60).map(|i| (f64::from(i) / 6.0).sin()).collect();
    /// let mut weights = vec![1.0; 60];
    /// (targets[7], weights[7]) = (99.0, 0.0);
    /// let machine = RelevanceMachine::params("gaussian(gamma=0.5)".parse::<Expression>()?).check()?;
    /// let model = machine.fit_weighted(&rows, &targets, Some(&weights))?;
    /// assert!((model.predict(&Vectors::from_rows(&[[1.5]])?)?[0] - 1.5f64.sin()).abs() < 0.02);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`RelevanceMachine::fit`]; weights that are negative or all 0.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        targets: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<RelevanceModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.check_targets(items.len(), targets, weights)?;
        let plan = self.options.plan(0)?;
        let (kept, (functions, report)) = trained(&self.kernel, (items, weights), &plan, |gram| {
            let (functions, report) = self.numbers(gram, targets, weights, &plan.workers)?;
            Ok((report.relevant.clone(), (functions, report)))
        })?;
        Ok(FunctionModel::new(kept, functions, report))
    }

    /// Trains a regression on a Gram matrix, with a weight per item if there are any: functions of the relevant items, which the report
    /// names.
    ///
    /// # Errors
    /// As [`RelevanceMachine::fit_weighted`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        targets: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<(Functions, RelevanceReport)> {
        self.check_targets(gram.shape().0, targets, weights)?;
        self.numbers(gram, targets, weights, &self.options.workers()?)
    }

    fn numbers(
        &self,
        gram: &dyn SymmetricGram,
        targets: &[f64],
        weights: Option<&[f64]>,
        workers: &Workers,
    ) -> Result<(Functions, RelevanceReport)> {
        let unit = Unit::of(targets, weights)?;
        let weighing = Weighing::of_numbers(weights);
        let (basis, candidates) = self.basis(gram, &weighing)?;
        let mut measured = unit.measured(targets);
        if let Some(roots) = &weighing.roots {
            measured.iter_mut().zip(roots).for_each(|(y, root)| *y *= root);
        }
        let sparse = self
            .sparse(&basis, &candidates, Observed::Numbers(&measured), workers)?
            .restored(&unit, basis.total());
        Ok(joined(Vec::new(), vec![sparse], targets.len(), candidates.len()))
    }

    /// Trains a classifier on items and labels, each class against the rest, with a weight per item if there are any: an item of weight w
    /// counts as w items. O(n²M) per step, 16n² bytes; or, with r
    /// [candidates](RelevanceMachineParams::rank), O(nrM) and 32nr.
    ///
    /// # Errors
    /// No rows, labels of another number or of one class, weights that are negative or all 0 in a class, a kernel that is not defined on
    /// the items; [`Error::Budget`] if there is no memory for one candidate.
    pub fn fit_classes<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<RelevanceModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        check_weighted_labels(items.len(), labels, weights)?;
        let plan = self.options.plan(0)?;
        let (kept, (functions, report)) = trained(&self.kernel, (items, weights), &plan, |gram| {
            let (functions, report) = self.classes(gram, labels, weights, &plan.workers)?;
            Ok((report.relevant.clone(), (functions, report)))
        })?;
        Ok(FunctionModel::new(kept, functions, report))
    }

    /// Trains a classifier on a Gram matrix: functions of the relevant items, which the report names.
    ///
    /// # Errors
    /// As [`RelevanceMachine::fit_classes`].
    pub fn fit_gram_classes(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<(Functions, RelevanceReport)> {
        check_weighted_labels(gram.shape().0, labels, weights)?;
        self.classes(gram, labels, weights, &self.options.workers()?)
    }

    fn classes(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        workers: &Workers,
    ) -> Result<(Functions, RelevanceReport)> {
        let classes = labels.classes().to_vec();
        // One function is enough for two: it is positive for the later.
        let first = if classes.len() == 2 { 1 } else { 0 };
        let (basis, candidates) = self.basis(gram, &Weighing::of_classes(weights))?;
        let mut found = Vec::new();
        for class in first..classes.len() {
            let positive: Vec<bool> = labels.codes().iter().map(|&c| c as usize == class).collect();
            found.push(self.sparse(&basis, &candidates, Observed::Signs(&positive, weights), workers)?);
        }
        Ok(joined(classes, found, labels.len(), candidates.len()))
    }

    fn check_targets(&self, n: usize, targets: &[f64], weights: Option<&[f64]>) -> Result<()> {
        if n == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        if targets.len() != n {
            return Err(Error::Shape { what: "targets (one per row)", expected: n, found: targets.len() });
        }
        if let Some(index) = targets.iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index, value: targets[index], expected });
        }
        weights.map_or(Ok(()), |weights| check_weights(weights, n))
    }

    /// The functions that are looked at, and the items that they belong to.
    fn basis(&self, gram: &dyn SymmetricGram, how: &Weighing<'_>) -> Result<(Basis, Vec<usize>)> {
        let n = gram.shape().0;
        if self.rank.is_none_or(|rank| rank >= n) && bytes(2, n) <= self.options.memory {
            let all: Vec<usize> = (0..n).collect();
            return Ok((Basis::new(whole(gram)?, &all, self.offset, how), all));
        }
        let needed = 4 * 8 * n as u64;
        let most = usize::try_from(self.options.memory / needed).unwrap_or(usize::MAX).min(n);
        let wanted = self.rank.unwrap_or(most);
        if most == 0 || most < wanted.min(n) {
            let (what, instead) = ("a relevance vector machine", "allow more memory, or a smaller rank");
            let needed = needed.saturating_mul(wanted.clamp(1, n) as u64);
            return Err(Error::Budget { what, needed, allowed: self.options.memory, instead });
        }
        let mut diagonal = gram.diagonal().to_vec();
        for (own, weight) in diagonal.iter_mut().zip(how.weights.unwrap_or_default()) {
            *own = if *weight > 0.0 { *own } else { 0.0 };
        }
        let root = PivotedCholesky::new(&diagonal, wanted.min(n), NOTHING, |j, column| {
            gram.accumulate(&[j], &[1.0], Columns::Range(0..n), column)
        })?;
        let mut candidates = root.pivots().to_vec();
        drop(root);
        candidates.sort_unstable();
        let mut values = Matrix::zeros(candidates.len(), n);
        let block = Block::F64 { values: values.values_mut(), stride: n };
        gram.fill(&candidates, Columns::Range(0..n), block)?;
        Ok((Basis::new(values, &candidates, self.offset, how), candidates))
    }

    /// The search among candidates; what it finds are numbers of items, n for the offset.
    fn sparse(
        &self,
        basis: &Basis,
        candidates: &[usize],
        observed: Observed<'_>,
        workers: &Workers,
    ) -> Result<Sparse> {
        let mut found = search::search(basis, &observed, self.tolerance, self.max_steps, workers)?;
        let items = basis.items();
        found.active.iter_mut().for_each(|at| *at = candidates.get(*at).copied().unwrap_or(items));
        Ok(found)
    }
}

/// All functions over the items that any of them needs.
fn joined(
    classes: Vec<String>,
    found: Vec<Sparse>,
    n: usize,
    candidates: usize,
) -> (Functions, RelevanceReport) {
    let m = found.len();
    let mut relevant: Vec<usize> =
        found.iter().flat_map(|sparse| sparse.active.iter().copied()).filter(|&at| at < n).collect();
    relevant.sort_unstable();
    relevant.dedup();
    let mut functions = Functions { coefficients: vec![0.0; relevant.len() * m], offsets: vec![0.0; m] };
    for (o, sparse) in found.iter().enumerate() {
        for (at, weight) in sparse.active.iter().zip(&sparse.weights) {
            match relevant.binary_search(at) {
                Ok(place) => functions.coefficients[place * m + o] = *weight,
                // Behind the items stands the offset.
                Err(_) => functions.offsets[o] = *weight,
            }
        }
    }
    let covariance = match (&found[..], classes.is_empty()) {
        ([only], true) => only.covariance_of(&relevant, n),
        _ => Vec::new(),
    };
    let report = RelevanceReport {
        noise: if classes.is_empty() { found[0].noise } else { 0.0 },
        classes,
        relevant,
        candidates,
        likelihoods: found.iter().map(|sparse| sparse.likelihood).collect(),
        covariance,
        steps: found.iter().map(|sparse| sparse.steps).sum(),
        converged: found.iter().all(|sparse| sparse.converged),
    };
    (functions, report)
}

impl<K> RelevanceMachineParams<K> {
    /// Whether f has an offset b, with a prior like that of the weights; default true.
    pub fn offset(mut self, offset: bool) -> Self {
        self.offset = offset;
        self
    }

    /// The change of ln α that counts as none; default 1e-6.
    pub fn tolerance(mut self, change: f64) -> Self {
        self.tolerance = change;
        self
    }

    /// Most items that are added, changed or dropped; default 10 000.
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.max_steps = steps;
        self
    }

    /// Most items that the relevant ones are chosen from, the pivots of a pivoted Cholesky factorisation of K; by default all items while
    /// the memory allows it, and beyond as many as it allows.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::RelevanceMachine;
    /// let rows = Vectors::from_rows(&(0..60).map(|i| [f64::from(i) / 6.0]).collect::<Vec<_>>())?;
    /// let targets: Vec<f64> = (0..60).map(|i| (f64::from(i) / 6.0).sin()).collect();
    /// let machine = RelevanceMachine::params("gaussian(gamma=0.5)".parse::<Expression>()?).rank(12).check()?;
    /// let model = machine.fit(&rows, &targets)?;
    /// assert_eq!(model.report().candidates, 12);
    /// assert!((model.predict(&Vectors::from_rows(&[[1.5]])?)?[0] - 1.5f64.sin()).abs() < 0.02);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn rank(mut self, most: usize) -> Self {
        self.rank = Some(most);
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<RelevanceMachine<K>> {
        let RelevanceMachineParams { kernel, offset, tolerance, max_steps, rank, options } = self;
        if !(tolerance > 0.0 && tolerance.is_finite()) {
            let expected = "a finite number above 0";
            return Err(Error::Parameter { name: "tolerance", value: tolerance, expected });
        }
        if max_steps == 0 {
            return Err(Error::Parameter { name: "max_steps", value: 0.0, expected: "at least 1" });
        }
        if rank == Some(0) {
            return Err(Error::Parameter { name: "rank", value: 0.0, expected: "at least 1" });
        }
        Workers::checked(options.threads)?;
        Ok(RelevanceMachine { kernel, offset, tolerance, max_steps, rank, options })
    }
}

impl<K: WithLayout, I> RelevanceModel<K, I> {
    /// The variance of y at each item, for a regression: 1/β + φ(x)ᵀΣφ(x). O(M²) per item.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a classifier; as [`FunctionModel::predict`].
    pub fn variances<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let report = self.report();
        if !report.classes.is_empty() {
            let what = "the variance of a relevance vector machine is that of a regression".into();
            return Err(Error::Unsupported { what });
        }
        let (q, m) = (items.len(), report.relevant.len());
        let width = m + 1;
        if q == 0 {
            return Ok(Vec::new());
        }
        let mut values = Matrix::zeros(m, q);
        if m > 0 {
            self.kept().compare(items, |gram, _| {
                let rows: Vec<usize> = (0..m).collect();
                let block = Block::F64 { values: values.values_mut(), stride: q };
                gram.fill(&rows, Columns::Range(0..q), block)
            })?;
        }
        let covariance = Matrix::new(report.covariance.clone(), width, width)?;
        let phi = |i: usize, c: usize| if i < m { values[(i, c)] } else { 1.0 };
        let variance = |c: usize| {
            let row = |i: usize| -> f64 { (0..width).map(|j| covariance[(i, j)] * phi(j, c)).sum() };
            report.noise + (0..width).map(|i| phi(i, c) * row(i)).sum::<f64>()
        };
        Ok((0..q).map(variance).collect())
    }

    /// The probability of each class, for a classifier: one row per item. Of more than two classes those of each against the rest,
    /// made to sum to 1.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a regression; as [`FunctionModel::predict`].
    pub fn probabilities<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let k = self.report().classes.len();
        if k == 0 {
            let what = "a regression has no classes, and no probabilities of them".into();
            return Err(Error::Unsupported { what });
        }
        let sigmoid = |f: &f64| 1.0 / (1.0 + (-f).exp());
        let each: Vec<f64> = self.predict(items)?.iter().map(sigmoid).collect();
        if k == 2 {
            return Ok(Matrix::from_fn(items.len(), 2, |i, c| if c == 1 { each[i] } else { 1.0 - each[i] }));
        }
        let mut all = Matrix::new(each, items.len(), k)?;
        for row in all.values_mut().chunks_mut(k) {
            let total: f64 = row.iter().sum();
            row.iter_mut().for_each(|p| *p = if total > 0.0 { *p / total } else { 1.0 / k as f64 });
        }
        Ok(all)
    }
}

//! Gaussian process classification: kernel logistic regression that knows how sure it is.
//!
//! ```text
//! f ~ N(0, k),   P(y = 1 | x) = σ(f(x)),   σ(z) = 1/(1 + e⁻ᶻ)
//! ```
//!
//! The distribution of f given the labels is replaced by the normal one with the same mode f̂ and the same curvature there: Laplace's
//! approximation. The mode is that of kernel logistic regression with λ = ½. Of more than two classes each is told from the rest.
//! An item of weight w is w items with the same f: its log likelihood counts w times.
//! (C. E. Rasmussen, C. K. I. Williams: Gaussian processes for machine learning, algorithms 3.1, 3.2 and 5.1.)

mod amplitude;
mod few;
mod mode;
mod quadrature;

use super::learning::{Learning, drawn, learn, learnable};
use super::low_rank::{self, LowRank, Pivots};
use super::{Differentiable, LearnedKernel, LowRankReport};
use crate::data::{Items, Labels};
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, Precision, WithLayout};
use crate::linalg::{Cholesky, Matrix};
use crate::machine::fisher::check_weighted_labels;
use crate::machine::kept::Kept;
use crate::machine::whole::{MatrixOptions, matrix_options};
use crate::resources::{InstructionSet, Interrupt, Workers};
use few::FewMode;
use mode::{Mode, Signs};
use quadrature::mean_of_sigmoid;

/// New items that are looked at together.
const BATCH: usize = 256;

/// Parameters of the classifier, not yet checked.
#[derive(Clone, Debug)]
pub struct LaplaceParams<K> {
    kernel: K,
    learning: Learning,
    rank: Option<usize>,
    options: MatrixOptions,
}

/// The classifier with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::LaplaceClassifier;
/// let rows = Vectors::from_rows(&[[-2.0], [-1.0], [1.0], [2.0]])?;
/// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
/// let machine = LaplaceClassifier::params("9 * gaussian(gamma=0.5)".parse::<Expression>()?).check()?;
/// let model = machine.fit(&rows, &labels)?;
/// let said = model.probabilities(&Vectors::from_rows(&[[1.5], [0.0], [99.0]])?)?;
/// // Sure, undecided, and far from all that it has seen.
/// assert!(said[(0, 1)] > 0.7 && (said[(1, 1)] - 0.5).abs() < 1e-9 && (said[(2, 1)] - 0.5).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LaplaceClassifier<K> {
    kernel: K,
    learning: Learning,
    rank: Option<usize>,
    options: MatrixOptions,
}

/// A trained classifier.
#[derive(Clone, Debug)]
pub struct LaplaceModel<K: WithLayout, I> {
    classes: Vec<String>,
    /// One for two classes, else one per class.
    parts: Vec<Part<K, I>>,
}

/// What was learned about a class against the rest, without the items.
#[derive(Clone, Debug, PartialEq)]
pub struct LaplacePart {
    /// w(t − π) at the mode, with t = 1 for the class and 0 for the rest: the coefficients of the mean of f.
    pub slope: Vec<f64>,
    /// √(wπ(1 − π)) at the mode; none for a classifier of low rank.
    pub roots: Vec<f64>,
    /// What stands for K, if it is not K itself, with Lᵀ of LLᵀ = K of the pivots and the like of I + GWGᵀ.
    pub low_rank: Option<(LowRankReport, Matrix, Matrix)>,
    /// The approximate log p(y).
    pub likelihood: f64,
    /// How the parameters of the kernel were learned, if they were.
    pub learned: Option<LearnedKernel>,
}

/// Makes of a kernel the one to be trained with, and tells how it was learned.
type Prepare<'p, K, I> = dyn Fn(K, &Signs<'_, I>) -> Result<(K, Option<LearnedKernel>)> + 'p;

/// A class against the rest.
#[derive(Clone, Debug)]
struct Part<K: WithLayout, I> {
    kept: Kept<K, I>,
    mode: Either,
    learned: Option<LearnedKernel>,
}

/// The mode with all items, or with a few.
#[derive(Clone, Debug)]
enum Either {
    Exact(Mode),
    LowRank(FewMode),
}

impl Either {
    fn likelihood(&self) -> f64 {
        match self {
            Either::Exact(mode) => mode.likelihood,
            Either::LowRank(mode) => mode.likelihood,
        }
    }
}

impl<K> LaplaceClassifier<K> {
    /// Parameters with their defaults.
    pub fn params(kernel: K) -> LaplaceParams<K> {
        let (learning, options) = (Learning::default(), MatrixOptions::default());
        LaplaceParams { kernel, learning, rank: None, options }
    }

    /// Trains on items and labels, with the kernel as it is. O(n³/3) time per step, of which there are some ten, and 24n² bytes; of
    /// low rank r O(nr²) per step, and 56nr.
    ///
    /// # Errors
    /// No rows, labels of another number or of one class, a kernel that is not defined on the items; [`Error::Budget`],
    /// [`Error::Pivot`] for a kernel that is not positive semi-definite.
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<LaplaceModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_weighted(items, labels, None)
    }

    /// The same with a weight per item, if there are any: an item of weight w counts as w items, one of weight 0 as none.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::LaplaceClassifier;
    /// let rows = Vectors::from_rows(&[[-1.0], [1.0], [1.5]])?;
    /// let labels = Labels::from_text(["no", "yes", "no"]);
    /// let machine = LaplaceClassifier::params("9 * gaussian(gamma=0.5)".parse::<Expression>()?).check()?;
    /// let model = machine.fit_weighted(&rows, &labels, Some(&[1.0, 1.0, 0.0]))?;
    /// // The third row does not count: what is left is symmetric about 0.
    /// let said = model.probabilities(&Vectors::from_rows(&[[0.0], [1.5]])?)?;
    /// assert!((said[(0, 1)] - 0.5).abs() < 1e-9 && said[(1, 1)] > 0.6);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`LaplaceClassifier::fit`]; weights that are negative, or all 0 in a class.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<LaplaceModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        self.fit_by(items, labels, weights, &|kernel, _| Ok((kernel, None)))
    }

    /// Learns the parameters of the kernel first, for each class its own: those with the largest approximate log p(y) that is found.
    /// 48n² bytes; where there are fewer, or a rank is given, from as many random rows as that allows.
    ///
    /// # Errors
    /// As [`LaplaceClassifier::fit`]; [`Error::Unsupported`] for a kernel whose derivatives are not known.
    pub fn fit_learned<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<LaplaceModel<K, I::Owned>>
    where
        K: Differentiable<I> + Differentiable<I::Owned>,
    {
        check_weighted_labels(items.len(), labels, weights)?;
        let counted: Vec<usize> =
            (0..items.len()).filter(|&i| weights.is_none_or(|weights| weights[i] > 0.0)).collect();
        let n = counted.len();
        let fitting = learnable(self.options.memory, 6, items.len());
        let rows = fitting.min(n);
        if rows < n.min(2) {
            self.check_memory(6, n)?;
        }
        let rows = rows.min(self.rank.map_or(n, |rank| rank.max(2)));
        self.fit_by(items, labels, weights, &|kernel, signs| {
            if rows >= n && fitting >= items.len() {
                let found = learn::<K, I>(&kernel, &self.learning, &mut |kernel| signs.likelihood(kernel))?;
                return Ok((found.0, Some(found.1)));
            }
            let mut some: Vec<usize> =
                drawn(rows, n, self.learning.seed).into_iter().map(|at| counted[at]).collect();
            // Both classes are to be seen.
            for wanted in [false, true] {
                if some.iter().all(|&row| signs.positive[row] != wanted)
                    && let Some(&row) = counted.iter().find(|row| signs.positive[**row] == wanted)
                {
                    let last = some.len() - 1 - usize::from(wanted);
                    some[last] = row;
                }
            }
            let few = items.select(&some);
            let positive: Vec<bool> = some.iter().map(|&row| signs.positive[row]).collect();
            let of_some: Option<Vec<f64>> = weights.map(|w| some.iter().map(|&row| w[row]).collect());
            let weights = of_some.as_deref();
            let signs = Signs { items: &few, positive: &positive, weights, plan: signs.plan };
            let found =
                learn::<K, I::Owned>(&kernel, &self.learning, &mut |kernel| signs.likelihood(kernel))?;
            Ok((found.0, Some(LearnedKernel { rows: (rows < n).then_some(rows), ..found.1 })))
        })
    }

    /// The approximate log p(y) of two classes and its gradient, for the kernel as it is.
    ///
    /// # Errors
    /// As [`LaplaceClassifier::fit_learned`]; [`Error::Unsupported`] for more than two classes.
    pub fn log_likelihood<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<super::LogLikelihood>
    where
        K: Differentiable<I>,
    {
        if labels.classes().len() != 2 {
            let what = "the likelihood of a Gaussian process classifier is that of two classes".into();
            return Err(Error::Unsupported { what });
        }
        check_weighted_labels(items.len(), labels, weights)?;
        self.check_memory(6, items.len())?;
        let plan = self.options.plan(0)?;
        let kernel = BulkKernel::<I>::resolve(&self.kernel, items, weights)?;
        let positive: Vec<bool> = labels.codes().iter().map(|&code| code == 1).collect();
        let signs = Signs { items, positive: &positive, weights, plan: &plan };
        let (value, gradient) = signs.likelihood(&kernel)?;
        Ok(super::LogLikelihood { value, gradient, jitter: 0.0 })
    }

    fn check_memory(&self, matrices: u64, n: usize) -> Result<()> {
        let instead = "allow more memory, or learn from fewer rows";
        self.options.check_memory("a Gaussian process classifier", matrices, n, instead)
    }

    fn fit_by<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        prepare: &Prepare<'_, K, I>,
    ) -> Result<LaplaceModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        check_weighted_labels(items.len(), labels, weights)?;
        let parts = if labels.classes().len() == 2 { 1 } else { labels.classes().len() };
        let rank = low_rank::chosen(&self.options, self.rank, 3, items.len(), parts)?;
        let plan = self.options.plan(0)?;
        let roomy = self.options.plan(self.options.memory)?;
        let resolved = BulkKernel::<I>::resolve_by(&self.kernel, items, weights, &roomy)?;
        let classes = labels.classes().to_vec();
        let first = if classes.len() == 2 { 1 } else { 0 };
        let all: Vec<usize> = (0..items.len()).collect();
        let mut parts = Vec::new();
        for class in first..classes.len() {
            let positive: Vec<bool> = labels.codes().iter().map(|&code| code as usize == class).collect();
            let signs = Signs { items, positive: &positive, weights, plan: &plan };
            let (kernel, learned) = prepare(resolved.clone(), &signs)?;
            let (layout, mode, positions) = match rank {
                None => {
                    let (layout, mode, _) = signs.mode(&kernel)?;
                    (layout, Either::Exact(mode), all.clone())
                }
                Some(rank) => {
                    let layout = BulkKernel::<I>::layout(&kernel, items, &plan)?;
                    let pivots = Pivots::new(&kernel, (items, weights), &layout, rank, &plan)?;
                    let mode = FewMode::new(&pivots, &positive, weights, &plan.workers)?;
                    (layout, Either::LowRank(mode), pivots.positions)
                }
            };
            let items = items.select(&positions);
            let kept = Kept { items, kernel, layout, precision: Precision::F64, threads: 0 };
            parts.push(Part { kept, mode, learned });
        }
        Ok(LaplaceModel { classes, parts })
    }
}

impl<K> LaplaceParams<K> {
    /// How the parameters of the kernel are learned by [`LaplaceClassifier::fit_learned`].
    pub fn learning(mut self, learning: Learning) -> Self {
        self.learning = learning;
        self
    }

    /// Most items that the process is made of, the pivots of a pivoted Cholesky factorisation of K; by default all items while the memory
    /// allows it, and beyond as many as it allows. Parameters of the kernel are then learned from as many random rows.
    pub fn rank(mut self, most: usize) -> Self {
        self.rank = Some(most);
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<LaplaceClassifier<K>> {
        let LaplaceParams { kernel, learning, rank, options } = self;
        if rank == Some(0) {
            return Err(Error::Parameter { name: "rank", value: 0.0, expected: "at least 1" });
        }
        Workers::checked(options.threads)?;
        Ok(LaplaceClassifier { kernel, learning, rank, options })
    }
}

impl<K: WithLayout, I> LaplaceModel<K, I> {
    /// The same model with something else in place of what each part keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<LaplaceModel<L, J>> {
        let changed = |Part { kept, mode, learned }| Ok(Part { kept: change(kept)?, mode, learned });
        let parts = self.parts.into_iter().map(changed).collect::<Result<_>>()?;
        Ok(LaplaceModel { classes: self.classes, parts })
    }

    /// Joins the parts, for example from a file, and factorises I + W^½KW^½ of each again: O(n³/3) time, 8n² bytes.
    ///
    /// # Errors
    /// Parts that do not fit together; [`Error::Pivot`] for a kernel that is not positive semi-definite; [`Error::Budget`].
    pub fn from_parts(classes: Vec<String>, parts: Vec<(Kept<K, I>, LaplacePart)>) -> Result<Self>
    where
        I: Items,
        K: BulkKernel<I>,
    {
        let expected = if classes.len() == 2 { 1 } else { classes.len() };
        if parts.len() != expected || classes.len() < 2 {
            let found = parts.len();
            return Err(Error::Shape { what: "functions (one per class, one for two)", expected, found });
        }
        let parts = parts.into_iter().map(|(kept, part)| {
            let LaplacePart { slope, roots, low_rank, likelihood, learned } = part;
            let mode = match low_rank {
                None => Either::Exact(Mode::again(&kept, slope, roots, likelihood)?),
                Some((report, root, gain)) => {
                    let (root, gain) = (Cholesky::of_upper(root)?, Cholesky::of_upper(gain)?);
                    for found in [slope.len(), root.size(), gain.size()] {
                        let (what, expected) = ("numbers of a mode (one per pivot)", kept.items.len());
                        if found != expected {
                            return Err(Error::Shape { what, expected, found });
                        }
                    }
                    crate::machine::expansion::check_finite("number of the mode", &slope)?;
                    let known = LowRank { root, gain };
                    Either::LowRank(FewMode { slope, known, likelihood, report })
                }
            };
            Ok(Part { kept, mode, learned })
        });
        Ok(LaplaceModel { classes, parts: parts.collect::<Result<_>>()? })
    }

    /// What each part keeps, and what it learned: one for two classes, else one per class.
    pub fn parts(&self) -> impl Iterator<Item = (&Kept<K, I>, LaplacePart)> {
        self.parts.iter().map(|part| {
            let (likelihood, learned) = (part.mode.likelihood(), part.learned.clone());
            let (slope, roots, low_rank) = match &part.mode {
                Either::Exact(mode) => (mode.slope.clone(), mode.roots.clone(), None),
                Either::LowRank(FewMode { slope, known: LowRank { root, gain }, report, .. }) => {
                    let low_rank = (*report, root.upper().clone(), gain.upper().clone());
                    (slope.clone(), Vec::new(), Some(low_rank))
                }
            };
            (&part.kept, LaplacePart { slope, roots, low_rank, likelihood, learned })
        })
    }

    /// Kernel, layout, precision and training items; of several classes those of the first, whose kernel may have been learned
    /// differently.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.parts[0].kept
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.parts.iter_mut().for_each(|part| part.kept.threads = threads);
        self
    }

    /// The classes, in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The kernel of each class against the rest (one for two classes), with what was learned.
    pub fn kernels(&self) -> impl Iterator<Item = &K> {
        self.parts.iter().map(|part| &part.kept.kernel)
    }

    /// How the parameters of each kernel were learned, if they were.
    pub fn learned(&self) -> impl Iterator<Item = Option<&LearnedKernel>> {
        self.parts.iter().map(|part| part.learned.as_ref())
    }

    /// The approximate log p(y) of each class against the rest.
    pub fn likelihoods(&self) -> Vec<f64> {
        self.parts.iter().map(|part| part.mode.likelihood()).collect()
    }

    /// What stands for K of each class against the rest, if it is not K itself.
    pub fn low_rank(&self) -> impl Iterator<Item = Option<LowRankReport>> {
        self.parts.iter().map(|part| match &part.mode {
            Either::Exact(_) => None,
            Either::LowRank(mode) => Some(mode.report),
        })
    }

    /// Probabilities: one row per item, one column per class; of more than two classes those of each against the rest, made to sum to
    /// 1. O(n²) per item.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn probabilities<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let (q, k) = (items.len(), self.classes.len());
        let mut all = Matrix::zeros(q, k);
        if q == 0 {
            return Ok(all);
        }
        for (p, part) in self.parts.iter().enumerate() {
            for (i, (mean, variance)) in part.latent(items)?.into_iter().enumerate() {
                let positive = mean_of_sigmoid(mean, variance);
                match self.parts.len() {
                    1 => (all[(i, 0)], all[(i, 1)]) = (1.0 - positive, positive),
                    _ => all[(i, p)] = positive,
                }
            }
        }
        if self.parts.len() > 1 {
            for row in all.values_mut().chunks_mut(k) {
                let total: f64 = row.iter().sum();
                row.iter_mut().for_each(|v| *v = if total > 0.0 { *v / total } else { 1.0 / k as f64 });
            }
        }
        Ok(all)
    }

    /// The number of the most probable class of each item; of equal ones the first, of two the later.
    ///
    /// # Errors
    /// As [`LaplaceModel::probabilities`].
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let probabilities = self.probabilities(items)?;
        let best = |row: &[f64]| match row {
            [_, later] => usize::from(*later >= 0.5),
            row => (0..row.len()).fold(0, |best, c| if row[c] > row[best] { c } else { best }),
        };
        Ok((0..items.len()).map(|i| best(probabilities.row(i))).collect())
    }
}

impl<K: WithLayout, I> Part<K, I> {
    /// Mean and variance of f at these items.
    fn latent<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<(f64, f64)>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let slope = match &self.mode {
            Either::Exact(mode) => &mode.slope,
            Either::LowRank(mode) => &mode.slope,
        };
        let (n, q) = (slope.len(), items.len());
        let own = self.kept.diagonal(items)?;
        let all: Vec<usize> = (0..n).collect();
        self.kept.compare(items, |gram, workers| {
            let mut found = Vec::with_capacity(q);
            for first in (0..q).step_by(BATCH) {
                let width = BATCH.min(q - first);
                let mut values = Matrix::zeros(n, width);
                let block = Block::F64 { values: values.values_mut(), stride: width };
                gram.fill(&all, Columns::Range(first..first + width), block)?;
                let values = values.transposed();
                let mean = |c: usize| values.row(c).iter().zip(slope).map(|(k, s)| k * s).sum::<f64>();
                let means: Vec<f64> = (0..width).map(mean).collect();
                let (solved, left) = match &self.mode {
                    Either::Exact(mode) => {
                        let mut scaled = Matrix::from_fn(width, n, |c, i| mode.roots[i] * values[(c, i)]);
                        mode.factor.forward_rows(&mut scaled, workers)?;
                        (scaled, None)
                    }
                    Either::LowRank(mode) => {
                        let (solved, left) = mode.known.forward(values, workers)?;
                        (solved, Some(left))
                    }
                };
                let square = |rows: &Matrix, c: usize| rows.row(c).iter().map(|v| v * v).sum::<f64>();
                for (c, mean) in means.into_iter().enumerate() {
                    let known = square(&solved, c) - left.as_ref().map_or(0.0, |left| square(left, c));
                    found.push((mean, (own[first + c] - known).max(0.0)));
                }
            }
            Ok(found)
        })
    }
}

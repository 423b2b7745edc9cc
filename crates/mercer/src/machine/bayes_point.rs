//! The Bayes point machine: of all functions that get every item right, the one in their middle.
//!
//! ```text
//! w = mean of w₁/‖w₁‖, …, w_T/‖w_T‖,   wₜ the kernel perceptron on the items in an order of its own
//! ```
//!
//! Each order leads the perceptron to another point of the version space, the set of all w that get every item right; their mean is an
//! approximation of its centre of mass, which of all single functions comes nearest to the vote of all of them. With λ > 0 the kernel is
//! k(x, z) + λδ, which any labels can be told apart with: an item of noise then does not keep the perceptron from ending.
//! (R. Herbrich, T. Graepel, C. Campbell: Bayes point machines, JMLR 1 (2001), section 3.2 and appendix B.)

use serde::{Deserialize, Serialize};

use super::fisher::check_labels;
use super::whole::{MatrixOptions, bytes, bytes_of_outputs, matrix_options, trained, whole};
use super::{FunctionModel, Functions};
use crate::data::{Items, Labels, Random};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Columns, SymmetricGram};
use crate::linalg::Matrix;
use crate::resources::{InstructionSet, Interrupt, Workers};

/// How the perceptrons ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BayesPointReport {
    /// The classes, in order.
    pub classes: Vec<String>,
    /// Perceptrons of each function.
    pub perceptrons: usize,
    /// How many of all perceptrons get every item right. With λ > 0 one can come to its end without that: k + λδ tells any labels apart,
    /// and k alone, which new items are told by, may not.
    pub consistent: usize,
    /// How many came to their end, with every item right by k + λδ, before the rounds ran out. `None` where a file does not say.
    #[serde(default)]
    pub ended: Option<usize>,
    /// The mean cosine of two of them, which tells how large the version space is; the least over the functions.
    pub agreement: f64,
}

/// A function for two classes, else one per class.
pub type BayesPointModel<K, I> = FunctionModel<K, I, BayesPointReport>;

/// Parameters of the Bayes point machine, not yet checked.
#[derive(Clone, Debug)]
pub struct BayesPointMachineParams<K> {
    kernel: K,
    perceptrons: usize,
    softness: f64,
    max_rounds: usize,
    seed: u64,
    options: MatrixOptions,
}

/// The Bayes point machine with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::BayesPointMachine;
/// let rows = Vectors::from_rows(&[[1.0, 0.2], [0.3, 1.0], [-1.0, -0.1], [-0.2, -1.0]])?;
/// let labels = Labels::from_text(["yes", "yes", "no", "no"]);
/// let machine = BayesPointMachine::params("linear".parse::<Expression>()?).check()?;
/// let model = machine.fit(&rows, &labels)?;
/// assert_eq!(model.report().consistent, 50);
/// let f = model.predict(&rows)?;
/// assert!(f[0] > 0.0 && f[1] > 0.0 && f[2] < 0.0 && f[3] < 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BayesPointMachine<K> {
    kernel: K,
    perceptrons: usize,
    softness: f64,
    max_rounds: usize,
    seed: u64,
    options: MatrixOptions,
}

impl<K> BayesPointMachine<K> {
    /// Parameters with their defaults: fifty perceptrons, λ = 0, at most 1000 rounds each.
    pub fn params(kernel: K) -> BayesPointMachineParams<K> {
        let options = MatrixOptions::default();
        BayesPointMachineParams { kernel, perceptrons: 50, softness: 0.0, max_rounds: 1000, seed: 0, options }
    }

    /// Trains on items and labels, each of more than two classes against the rest. O(n) per mistake of a perceptron and O(n²) per
    /// perceptron; 8n² bytes where the memory allows it, else rows of K are computed when a perceptron makes a mistake, and kept as long
    /// as there is room: slower, and the same machine. There is no offset: add `constant(1)` to the kernel for one.
    ///
    /// # Errors
    /// No rows, labels of another number or of one class, a kernel that is not defined on the items.
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<BayesPointModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        check_labels(n, labels)?;
        let plan = self.options.plan(if self.holds(n) { 0 } else { self.options.memory })?;
        let (kept, (functions, report)) = trained(&self.kernel, (items, None), &plan, |gram| {
            Ok(((0..n).collect(), self.points(gram, labels, &plan.workers)?))
        })?;
        Ok(FunctionModel::new(kept, functions, report))
    }

    /// Trains on a Gram matrix.
    ///
    /// # Errors
    /// As [`BayesPointMachine::fit`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
    ) -> Result<(Functions, BayesPointReport)> {
        check_labels(gram.shape().0, labels)?;
        self.points(gram, labels, &self.options.workers()?)
    }

    /// Whether there is the memory for all of K.
    fn holds(&self, n: usize) -> bool {
        bytes(1, n) <= self.options.memory
    }

    fn points(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        workers: &Workers,
    ) -> Result<(Functions, BayesPointReport)> {
        let n = labels.len();
        let whole = if self.holds(n) { Some(whole(gram)?) } else { None };
        let values = Values { gram, whole, softness: self.softness };
        let classes = labels.classes().to_vec();
        // One function is enough for two: it is positive for the later.
        let first = if classes.len() == 2 { 1 } else { 0 };
        let m = classes.len() - first;
        let needed = bytes_of_outputs(2, n, m);
        let instead = "allow more memory, or take fewer rows or classes";
        self.options.check_bytes("the coefficients of all classes", needed, instead)?;
        let mut functions = Functions { coefficients: vec![0.0; n * m], offsets: vec![0.0; m] };
        let (mut consistent, mut ended, mut agreement) = (0, 0, 1f64);
        for o in 0..m {
            let sign = |i: usize| if labels.codes()[i] as usize == o + first { 1.0 } else { -1.0 };
            let signs: Vec<f64> = (0..n).map(sign).collect();
            let (seed, rounds) = (self.seed, self.max_rounds);
            let ends = workers.map(self.perceptrons, true, |t| {
                // A generator of its own for each, so that threads do not matter.
                let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(t as u64));
                workers.check()?;
                perceptron(&values, &signs, rounds, &mut random)
            });
            let ends = ends.into_iter().collect::<Result<Vec<End>>>()?;
            let mut mean = vec![0.0; n];
            for end in &ends {
                consistent += usize::from(end.consistent);
                ended += usize::from(end.ended);
                mean.iter_mut().zip(&end.coefficients).for_each(|(m, c)| *m += c / ends.len() as f64);
            }
            agreement = agreement.min(cosine(&values, &mean, ends.len())?);
            mean.iter().enumerate().for_each(|(i, c)| functions.coefficients[i * m + o] = *c);
        }
        crate::machine::expansion::check_finite("coefficient", &functions.coefficients)?;
        let (perceptrons, ended) = (self.perceptrons, Some(ended));
        let report = BayesPointReport { classes, perceptrons, consistent, ended, agreement };
        Ok((functions, report))
    }
}

/// K + λI: all of it, or row by row.
struct Values<'a> {
    gram: &'a dyn SymmetricGram,
    whole: Option<Matrix>,
    softness: f64,
}

impl Values<'_> {
    /// Adds a multiple of row i.
    fn add(&self, i: usize, weight: f64, to: &mut [f64]) -> Result<()> {
        match &self.whole {
            Some(matrix) => to.iter_mut().zip(matrix.row(i)).for_each(|(v, k)| *v += weight * k),
            None => self.gram.accumulate(&[i], &[weight], Columns::Range(0..to.len()), to)?,
        }
        to[i] += weight * self.softness;
        Ok(())
    }
}

/// Where a perceptron ended: its coefficients, with ‖w‖ = 1.
struct End {
    coefficients: Vec<f64>,
    /// Every item is right by k alone, and by k + λδ.
    consistent: bool,
    ended: bool,
}

/// Goes over the items in an order of its own until it gets all of them right.
fn perceptron(rows: &Values<'_>, signs: &[f64], most: usize, random: &mut Random) -> Result<End> {
    let n = signs.len();
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order);
    let (mut coefficients, mut values) = (vec![0.0; n], vec![0.0; n]);
    let mut ended = false;
    for _ in 0..most {
        let mut mistakes = 0;
        for &i in &order {
            if signs[i] * values[i] <= 0.0 {
                coefficients[i] += signs[i];
                rows.add(i, signs[i], &mut values)?;
                mistakes += 1;
            }
        }
        if mistakes == 0 {
            ended = true;
            break;
        }
    }
    let square: f64 = coefficients.iter().zip(&values).map(|(c, v)| c * v).sum();
    let size = square.max(0.0).sqrt();
    let right = |i: usize| signs[i] * (values[i] - rows.softness * coefficients[i]) > 0.0;
    let consistent = ended && (0..n).all(right);
    if size > 0.0 {
        coefficients.iter_mut().for_each(|c| *c /= size);
    }
    Ok(End { coefficients, consistent, ended })
}

/// The mean cosine of two of so many vectors of length 1, from the length of their mean: ‖mean‖² = (1 + (T − 1)c)/T.
fn cosine(rows: &Values<'_>, mean: &[f64], count: usize) -> Result<f64> {
    if count < 2 {
        return Ok(1.0);
    }
    let mut values = vec![0.0; mean.len()];
    for (i, &m) in mean.iter().enumerate().filter(|(_, m)| **m != 0.0) {
        rows.add(i, m, &mut values)?;
    }
    let square: f64 = mean.iter().zip(&values).map(|(m, v)| m * v).sum();
    Ok((square * count as f64 - 1.0) / (count as f64 - 1.0))
}

impl<K> BayesPointMachineParams<K> {
    /// Perceptrons whose mean is taken; default 50.
    pub fn perceptrons(mut self, count: usize) -> Self {
        self.perceptrons = count;
        self
    }

    /// λ, added to the diagonal of K in training: above 0 for labels with noise; default 0.
    pub fn softness(mut self, lambda: f64) -> Self {
        self.softness = lambda;
        self
    }

    /// Most times that a perceptron goes over the items; default 1000.
    pub fn max_rounds(mut self, rounds: usize) -> Self {
        self.max_rounds = rounds;
        self
    }

    /// Seed of the orders.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<BayesPointMachine<K>> {
        let BayesPointMachineParams { kernel, perceptrons, softness, max_rounds, seed, options } = self;
        for (name, value) in [("perceptrons", perceptrons), ("max_rounds", max_rounds)] {
            if value == 0 {
                return Err(Error::Parameter { name, value: 0.0, expected: "at least 1" });
            }
        }
        if !(softness >= 0.0 && softness.is_finite()) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "softness", value: softness, expected });
        }
        Workers::checked(options.threads)?;
        Ok(BayesPointMachine { kernel, perceptrons, softness, max_rounds, seed, options })
    }
}

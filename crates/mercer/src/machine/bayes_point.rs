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
use super::whole::{MatrixOptions, matrix_options, trained, whole};
use super::{FunctionModel, Functions};
use crate::data::{Items, Labels, Random};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram};
use crate::linalg::Matrix;
use crate::resources::{InstructionSet, Interrupt, Workers};

/// How the perceptrons ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BayesPointReport {
    /// The classes, in order.
    pub classes: Vec<String>,
    /// Perceptrons of each function.
    pub perceptrons: usize,
    /// How many of all perceptrons got every item right in the end.
    pub consistent: usize,
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
    /// perceptron, 8n² bytes. There is no offset: add `constant(1)` to the kernel for one.
    ///
    /// # Errors
    /// No rows, labels of another number or of one class, a kernel that is not defined on the items; [`Error::Budget`].
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<BayesPointModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        self.check_data(n, labels)?;
        let plan = self.options.plan(0)?;
        let (kept, (functions, report)) = trained(&self.kernel, items, &plan, |gram| {
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
        self.check_data(gram.shape().0, labels)?;
        self.points(gram, labels, &self.options.workers()?)
    }

    fn check_data(&self, n: usize, labels: &Labels) -> Result<()> {
        check_labels(n, labels)?;
        let instead = "allow more memory, or learn from fewer rows";
        self.options.check_memory("a Bayes point machine", 1, n, instead)
    }

    fn points(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        workers: &Workers,
    ) -> Result<(Functions, BayesPointReport)> {
        let n = labels.len();
        let mut matrix = whole(gram)?;
        (0..n).for_each(|i| matrix[(i, i)] += self.softness);
        let classes = labels.classes().to_vec();
        // One function is enough for two: it is positive for the later.
        let first = if classes.len() == 2 { 1 } else { 0 };
        let m = classes.len() - first;
        let mut functions = Functions { coefficients: vec![0.0; n * m], offsets: vec![0.0; m] };
        let (mut consistent, mut agreement) = (0, 1f64);
        for o in 0..m {
            let sign = |i: usize| if labels.codes()[i] as usize == o + first { 1.0 } else { -1.0 };
            let signs: Vec<f64> = (0..n).map(sign).collect();
            let (seed, rounds) = (self.seed, self.max_rounds);
            let ends = workers.map(self.perceptrons, true, |t| {
                // A generator of its own for each, so that threads do not matter.
                let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(t as u64));
                perceptron(&matrix, &signs, rounds, &mut random)
            });
            let mut mean = vec![0.0; n];
            for end in &ends {
                consistent += usize::from(end.consistent);
                mean.iter_mut().zip(&end.coefficients).for_each(|(m, c)| *m += c / ends.len() as f64);
            }
            agreement = agreement.min(cosine(&matrix, &mean, ends.len()));
            mean.iter().enumerate().for_each(|(i, c)| functions.coefficients[i * m + o] = *c);
        }
        crate::machine::expansion::check_finite("coefficient", &functions.coefficients)?;
        let report = BayesPointReport { classes, perceptrons: self.perceptrons, consistent, agreement };
        Ok((functions, report))
    }
}

/// Where a perceptron ended: its coefficients, with ‖w‖ = 1.
struct End {
    coefficients: Vec<f64>,
    consistent: bool,
}

/// Goes over the items in an order of its own until it gets all of them right.
fn perceptron(matrix: &Matrix, signs: &[f64], most: usize, random: &mut Random) -> End {
    let n = signs.len();
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order);
    let (mut coefficients, mut values) = (vec![0.0; n], vec![0.0; n]);
    let mut consistent = false;
    for _ in 0..most {
        let mut mistakes = 0;
        for &i in &order {
            if signs[i] * values[i] <= 0.0 {
                coefficients[i] += signs[i];
                values.iter_mut().zip(matrix.row(i)).for_each(|(v, k)| *v += signs[i] * k);
                mistakes += 1;
            }
        }
        if mistakes == 0 {
            consistent = true;
            break;
        }
    }
    let square: f64 = coefficients.iter().zip(&values).map(|(c, v)| c * v).sum();
    let size = square.max(0.0).sqrt();
    if size > 0.0 {
        coefficients.iter_mut().for_each(|c| *c /= size);
    }
    End { coefficients, consistent }
}

/// The mean cosine of two of so many vectors of length 1, from the length of their mean: ‖mean‖² = (1 + (T − 1)c)/T.
fn cosine(matrix: &Matrix, mean: &[f64], count: usize) -> f64 {
    if count < 2 {
        return 1.0;
    }
    let value = |i: usize| -> f64 { matrix.row(i).iter().zip(mean).map(|(k, m)| k * m).sum() };
    let square: f64 = mean.iter().enumerate().map(|(i, m)| m * value(i)).sum();
    (square * count as f64 - 1.0) / (count as f64 - 1.0)
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

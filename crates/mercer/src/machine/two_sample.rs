//! Do two samples come from the same distribution? The kernel two-sample test.
//!
//! ```text
//! MMD² = ‖mean φ(x) − mean φ(z)‖² = mean k(x, x′) − 2 mean k(x, z) + mean k(z, z′)
//! ```
//!
//! With a kernel such as the Gaussian it is 0 for equal distributions only. How large it is by chance is told by dividing all items at
//! random into two samples of the same sizes. (A. Gretton et al.: A kernel two-sample test, JMLR 13 (2012).)

use crate::data::{Items, Random};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Columns, Combinations, Interruptible, SymmetricGram};
use crate::linalg::Matrix;
use crate::machine::MatrixOptions;
use crate::machine::whole::{bytes, whole};
use crate::resources::Workers;

/// Permutations whose statistics are computed together.
const BATCH: usize = 64;

/// What the two-sample test found.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::{MatrixOptions, TwoSampleTest};
/// let rows: Vec<[f64; 1]> = (0..40).map(|i| [f64::from(i % 20) / 10.0 + if i < 20 { 0.0 } else { 1.0 }]).collect();
/// let kernel: Expression = "gaussian(gamma=1)".parse()?;
/// let options = MatrixOptions::default();
/// // The first twenty rows against the others, which lie higher.
/// let test = TwoSampleTest::new(&kernel, &Vectors::from_rows(&rows)?, 20, 199, 1, &options)?;
/// assert!(test.statistic > 0.1 && test.p_value < 0.01);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TwoSampleTest {
    /// MMD² without bias: pairs of an item with itself are left out, so that it can be below 0.
    pub statistic: f64,
    /// MMD² with all pairs, never below 0.
    pub biased: f64,
    /// The share of divisions, the given one among them, whose statistic is at least as large.
    pub p_value: f64,
    /// Divisions at random that were tried.
    pub permutations: usize,
    /// Whether the kernel values were held; if not, they were computed anew for each batch of divisions.
    pub held: bool,
}

impl TwoSampleTest {
    /// Tests whether the first `first` items and the others are samples of one distribution. O(n² · permutations) time, 8n² bytes where
    /// the memory allows it; beyond, values of the kernel are computed anew for each batch of divisions, as large as the memory allows.
    ///
    /// # Errors
    /// Fewer than two items in a sample, no permutations, a kernel that is not defined on the items.
    pub fn new<K, I>(
        kernel: &K,
        items: &I,
        first: usize,
        permutations: usize,
        seed: u64,
        options: &MatrixOptions,
    ) -> Result<Self>
    where
        I: Items,
        K: BulkKernel<I>,
    {
        check(items.len(), first, permutations)?;
        let plan = options.plan(0)?;
        let kernel = kernel.resolve(items, None)?;
        let layout = kernel.layout(items, &plan)?;
        let gram = Interruptible::new(kernel.symmetric(items, &layout, &plan)?, plan.interrupt.clone());
        Self::by_products(&gram, first, permutations, seed, options.memory, &plan.workers)
    }

    /// The same with a Gram matrix of all items.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::machine::{MatrixOptions, TwoSampleTest};
    /// // 0, 0 against 1, 1 with k(x, z) = xz: the means are 1 apart.
    /// let values = vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    /// let gram = PrecomputedGram::symmetric(values, 4)?;
    /// let test = TwoSampleTest::of_gram(&gram, 2, 99, 0, &MatrixOptions::default())?;
    /// assert_eq!((test.statistic, test.biased), (1.0, 1.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`TwoSampleTest::new`].
    pub fn of_gram(
        gram: &dyn SymmetricGram,
        first: usize,
        permutations: usize,
        seed: u64,
        options: &MatrixOptions,
    ) -> Result<Self> {
        check(gram.shape().0, first, permutations)?;
        Self::by_products(gram, first, permutations, seed, options.memory, &options.workers()?)
    }

    fn by_products(
        gram: &dyn SymmetricGram,
        first: usize,
        permutations: usize,
        seed: u64,
        memory: u64,
        workers: &Workers,
    ) -> Result<Self> {
        let n = gram.shape().0;
        let held = bytes(1, n) <= memory;
        let sums = Sums { gram, matrix: if held { Some(whole(gram)?) } else { None }, workers };
        // Values that are not held are worth more divisions at a time; each takes a row of numbers four times.
        let many = memory / (32 * n as u64);
        let batch = if held { BATCH } else { usize::try_from(many).unwrap_or(BATCH).max(BATCH) };
        let given: Vec<bool> = (0..n).map(|i| i < first).collect();
        let total = sums.of(&[vec![true; n]])?.row(0).to_vec();
        let (statistic, biased) = statistics(&sums, &total, &[given])?[0];
        let mut random = Random::new(seed);
        let mut order: Vec<usize> = (0..n).collect();
        let mut reached = 1;
        for start in (0..permutations).step_by(batch) {
            workers.check()?;
            let divisions: Vec<Vec<bool>> = (start..permutations.min(start + batch))
                .map(|_| {
                    random.shuffle(&mut order);
                    let mut division = vec![false; n];
                    order[..first].iter().for_each(|&i| division[i] = true);
                    division
                })
                .collect();
            let found = statistics(&sums, &total, &divisions)?;
            // Equal divisions are equal but for rounding.
            let slack = 1e-12 * biased.abs();
            reached += found.iter().filter(|(value, _)| *value >= statistic - slack).count();
        }
        let p_value = reached as f64 / (permutations + 1) as f64;
        Ok(TwoSampleTest { statistic, biased, p_value, permutations, held })
    }
}

/// Sums of kernel values over some of the items.
struct Sums<'a> {
    gram: &'a dyn SymmetricGram,
    /// K, if it is held.
    matrix: Option<Matrix>,
    workers: &'a Workers,
}

impl Sums<'_> {
    /// For each division, one row: Σ k(x, xᵢ) over its first sample, of every item x.
    fn of(&self, divisions: &[Vec<bool>]) -> Result<Matrix> {
        let (n, m) = (self.gram.shape().0, divisions.len());
        if let Some(matrix) = &self.matrix {
            let inside = Matrix::from_fn(m, n, |d, i| f64::from(u8::from(divisions[d][i])));
            return inside.times(matrix, self.workers);
        }
        let mut sums = Combinations::new();
        for division in divisions {
            sums.push(division.iter().enumerate().filter(|(_, inside)| **inside).map(|(i, _)| (i, 1.0)));
        }
        let rows: Vec<usize> = (0..n).collect();
        let mut products = vec![0.0; n * m];
        self.gram.combine(&rows, &sums, Columns::Range(0..n), &mut products, self.workers)?;
        Ok(Matrix::from_fn(m, n, |d, i| products[i * m + d]))
    }
}

fn check(n: usize, first: usize, permutations: usize) -> Result<()> {
    let other = n.saturating_sub(first);
    if first < 2 || other < 2 {
        let what = "items of each sample (two at least)";
        return Err(Error::Shape { what, expected: 2, found: first.min(other) });
    }
    match permutations {
        0 => Err(Error::Parameter { name: "permutations", value: 0.0, expected: "at least 1" }),
        _ => Ok(()),
    }
}

/// MMD² without and with bias of some divisions, each of which says of every item whether it is in the first sample; `total` are the sums
/// over all items.
fn statistics(sums: &Sums<'_>, total: &[f64], divisions: &[Vec<bool>]) -> Result<Vec<(f64, f64)>> {
    let own = sums.gram.diagonal();
    let sums = sums.of(divisions)?;
    let n = own.len();
    let of = |d: usize| {
        // Σ k over pairs within the first sample, within the second, between them; and of items with themselves.
        let (mut a, mut b, mut between, mut own_a, mut own_b, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let with_first = sums[(d, i)];
            if divisions[d][i] {
                (a, own_a, count) = (a + with_first, own_a + own[i], count + 1.0);
            } else {
                (between, b, own_b) = (between + with_first, b + total[i] - with_first, own_b + own[i]);
            }
        }
        let (m, k) = (count, n as f64 - count);
        let cross = 2.0 * between / (m * k);
        let unbiased = (a - own_a) / (m * (m - 1.0)) + (b - own_b) / (k * (k - 1.0)) - cross;
        (unbiased, a / (m * m) + b / (k * k) - cross)
    };
    Ok((0..divisions.len()).map(of).collect())
}

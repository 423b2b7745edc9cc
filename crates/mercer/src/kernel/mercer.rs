//! Mercer's condition, tried on a sample.
//!
//! A symmetric function k is a kernel if and only if for every finite set of items the Gram matrix is
//! positive semi-definite: Σᵢⱼ cᵢcⱼ k(xᵢ, xⱼ) ≥ 0 for all c. One set of items on which that fails refutes k;
//! any number of sets on which it holds proves nothing.

use std::fmt;

use crate::data::{Items, Random, Vectors};
use crate::error::{Error, Result};
use crate::kernel::{Expression, Kernel};
use crate::linalg::{Matrix, symmetric_eigenvalues};

/// How far rounding may carry values from symmetry, relative to the largest value, and eigenvalues below 0,
/// relative to the largest eigenvalue.
const TOLERANCE: f64 = 1e-9;

/// What [`check_mercer`] found; prints as a sentence.
///
/// ```
/// use mercer::kernel::check_mercer;
/// let items = vec![1.0, 2.0, 3.0];
/// let distance = |x: &&f64, z: &&f64| (*x - *z).abs();
/// let report = check_mercer(&distance, &items, 100, 0)?;
/// assert!(report.smallest_eigenvalue < 0.0);
/// println!("{report}");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MercerReport {
    /// Items that were compared.
    pub sample: usize,
    /// Items that there are.
    pub items: usize,
    /// max |k(xᵢ, xⱼ) − k(xⱼ, xᵢ)|
    pub largest_asymmetry: f64,
    /// The smallest eigenvalue of (K + Kᵀ)/2.
    pub smallest_eigenvalue: f64,
    /// The eigenvalue of (K + Kᵀ)/2 that is largest in size.
    pub largest_eigenvalue: f64,
    /// The conclusion.
    pub verdict: Verdict,
}

/// Whether a sample refutes that a function is a kernel.
///
/// ```
/// use mercer::kernel::{Verdict, check_mercer};
/// let items = vec![1.0, 2.0, 3.0];
/// let product = |x: &&f64, z: &&f64| *x * *z;
/// assert_eq!(check_mercer(&product, &items, 100, 0)?.verdict, Verdict::PositiveSemiDefinite);
/// let distance = |x: &&f64, z: &&f64| (*x - *z).abs();
/// assert!(matches!(check_mercer(&distance, &items, 100, 0)?.verdict, Verdict::Indefinite { .. }));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Not refuted: the Gram matrix of the sample is symmetric and positive semi-definite up to rounding.
    PositiveSemiDefinite,
    /// Refuted: k(x, z) and k(z, x) differ.
    NotSymmetric {
        /// Position of x among all items.
        row: usize,
        /// Position of z among all items.
        column: usize,
        /// k(x, z)
        value: f64,
        /// k(z, x)
        mirrored: f64,
    },
    /// Refuted: the Gram matrix has an eigenvalue well below 0.
    Indefinite {
        /// The smallest eigenvalue.
        smallest: f64,
        /// The eigenvalue that is largest in size.
        largest: f64,
    },
}

/// Tries Mercer's condition on a sample of at most `sample` items, drawn with this seed.
///
/// The values are compared for symmetry, and the smallest eigenvalue of the Gram matrix K with the largest;
/// differences of up to 1e-9 (relative) count as rounding. A sample can refute that a function is a kernel,
/// but never prove it. O(sample²) values and O(sample³) time.
///
/// # Errors
/// [`Error::Empty`] without items, [`Error::KernelValue`] if a value is not finite.
///
/// ```
/// use mercer::kernel::{Verdict, check_mercer};
/// // A distance is no kernel: its Gram matrices have zeros on the diagonal.
/// let points = vec![0.0f64, 1.0, 2.0];
/// let distance = |x: &&f64, z: &&f64| (*x - *z).abs();
/// let report = check_mercer(&distance, &points, 100, 0)?;
/// assert!(matches!(report.verdict, Verdict::Indefinite { .. }));
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn check_mercer<'a, I: Items, K: Kernel<I::Item<'a>>>(
    kernel: &K,
    items: &'a I,
    sample: usize,
    seed: u64,
) -> Result<MercerReport> {
    let chosen = draw(items.len(), sample, seed);
    if chosen.is_empty() {
        return Err(Error::Empty { what: "items" });
    }
    let views: Vec<I::Item<'a>> = chosen.iter().map(|&i| items.get(i)).collect();
    let values = Matrix::from_fn(views.len(), views.len(), |i, j| {
        if i == j { kernel.eval_diagonal(&views[i]) } else { kernel.eval(&views[i], &views[j]) }
    });
    report(&values, &chosen, items.len())
}

impl Expression {
    /// Tries Mercer's condition on a sample of at most `sample` rows; see [`check_mercer`].
    ///
    /// What waits for data is resolved from all rows first.
    ///
    /// # Errors
    /// Those of [`resolve`](Expression::resolve) and of [`check_mercer`].
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// let rows = Vectors::from_rows(&[[0.1], [1.0]])?;
    /// let kernel: Expression = "sigmoid(gamma=1, constant=-1)".parse()?;
    /// let sentence = kernel.check_mercer(&rows, 100, 0)?.to_string();
    /// assert!(sentence.starts_with("not positive semi-definite"), "{sentence}");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn check_mercer(&self, rows: &Vectors<'_>, sample: usize, seed: u64) -> Result<MercerReport> {
        check_mercer(&self.resolve(rows)?, rows, sample, seed)
    }
}

fn report(values: &Matrix, chosen: &[usize], items: usize) -> Result<MercerReport> {
    let n = chosen.len();
    let (mut worst, mut size) = ((0, 0, 0.0), 0.0f64);
    for i in 0..n {
        for j in 0..n {
            let value = values[(i, j)];
            if !value.is_finite() {
                return Err(Error::KernelValue { row: chosen[i], column: chosen[j], value });
            }
            size = size.max(value.abs());
            let difference = (value - values[(j, i)]).abs();
            if j > i && difference > worst.2 {
                worst = (i, j, difference);
            }
        }
    }
    let (i, j, largest_asymmetry) = worst;
    // Halved before they are added: the sum of two large values may overflow.
    let mean = Matrix::from_fn(n, n, |i, j| 0.5 * values[(i, j)] + 0.5 * values[(j, i)]);
    let eigenvalues = symmetric_eigenvalues(&mean)?;
    let (smallest, largest) = (eigenvalues[0], eigenvalues[n - 1]);
    let verdict = if largest_asymmetry > TOLERANCE * size {
        let (value, mirrored) = (values[(i, j)], values[(j, i)]);
        Verdict::NotSymmetric { row: chosen[i], column: chosen[j], value, mirrored }
    } else if smallest < -TOLERANCE * smallest.abs().max(largest.abs()) {
        Verdict::Indefinite { smallest, largest }
    } else {
        Verdict::PositiveSemiDefinite
    };
    Ok(MercerReport {
        sample: n,
        items,
        largest_asymmetry,
        smallest_eigenvalue: smallest,
        largest_eigenvalue: largest,
        verdict,
    })
}

impl fmt::Display for MercerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.verdict)?;
        match self.items {
            all if all == self.sample => write!(f, "all {all} items compared")?,
            all => write!(f, "a sample of {} of {all} items compared", self.sample)?,
        }
        match self.verdict {
            Verdict::PositiveSemiDefinite => f.write_str("; a sample can refute a kernel, not prove it)"),
            _ => f.write_str(")"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::PositiveSemiDefinite => {
                f.write_str("no sign against a kernel: symmetric and positive semi-definite")
            }
            Verdict::NotSymmetric { row, column, value, mirrored } => write!(
                f,
                "not symmetric: k(item {row}, item {column}) = {value} but k(item {column}, item {row}) = {mirrored}"
            ),
            Verdict::Indefinite { smallest, largest } => write!(
                f,
                "not positive semi-definite: the Gram matrix has an eigenvalue {smallest:e} beside {largest:e}"
            ),
        }
    }
}

/// At most `sample` of 0 … n−1 without repetition, ascending.
fn draw(n: usize, sample: usize, seed: u64) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    if sample >= n {
        return all;
    }
    let mut random = Random::new(seed);
    for i in 0..sample {
        all.swap(i, i + random.below(n - i));
    }
    all.truncate(sample);
    all.sort_unstable();
    all
}

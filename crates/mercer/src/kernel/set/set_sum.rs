//! All rows of one set against all rows of the other.

use serde::{Deserialize, Serialize};

use crate::data::{Items, Series, Vectors};
use crate::error::Result;
use crate::kernel::set::{RowKernel, rows_of, set_kernel_on_series};
use crate::kernel::{Definiteness, DigestKernel, Expression, kernel_by_digests};

/// The set kernel: the sum, or the mean, of a kernel over all pairs of rows.
///
/// k(A, B) = Σ_a Σ_b k₁(a, b), the inner product of the sums of the images of the rows; with [`mean`](SetSum::mean) divided
/// by |A| |B|, that of their means. Positive semi-definite if k₁ is. An empty set has length 0.
///
/// An item is a collection of rows ([`Vectors`]): the instances of a bag, the atoms of a molecule, the frames of a
/// recording. O(|A| |B|) values of k₁ per pair.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::{Kernel, set::SetSum, vector::Linear};
/// let (x, z) = (Vectors::from_rows(&[[1.0], [2.0]])?, Vectors::from_rows(&[[3.0], [4.0]])?);
/// assert_eq!(SetSum::new(Linear)?.eval(&x, &z), 21.0);
/// assert_eq!(SetSum::new(Linear)?.mean().eval(&x, &z), 5.25);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// T. Gärtner, P. A. Flach, A. Kowalczyk & A. J. Smola, *Multi-instance kernels*, ICML 2002.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetSum {
    rows: RowKernel,
    mean: bool,
}

impl SetSum {
    /// The sum of this kernel over all pairs. What waits for data in it (`gamma=scale`) is learned from the rows of all
    /// training sets.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for a kernel with white noise: a row of a set is no observation.
    pub fn new(kernel: impl Into<Expression>) -> Result<Self> {
        Ok(SetSum { rows: RowKernel::new(kernel)?, mean: false })
    }

    /// The mean in place of the sum, so that large sets count no more than small ones.
    pub fn mean(self) -> Self {
        SetSum { mean: true, ..self }
    }

    /// The kernel on rows.
    pub fn kernel(&self) -> &Expression {
        self.rows.kernel()
    }

    /// Whether it is the mean.
    pub fn is_mean(&self) -> bool {
        self.mean
    }
}

impl<'v> DigestKernel<Vectors<'v>> for SetSum {
    /// The rows.
    type Digest = Vectors<'static>;

    fn digest(&self, rows: &Vectors<'v>) -> Result<Vectors<'static>> {
        self.rows.digest(rows)
    }

    fn compare(&self, x: &Vectors<'static>, z: &Vectors<'static>) -> f64 {
        // Row by row and column by column: half of both is the same, to the bit, for (z, x).
        let (mut by_row, mut by_column) = (vec![0.0; x.len()], vec![0.0; z.len()]);
        let fit = self.rows.for_each_pair(x, z, |a, b, value| {
            by_row[a] += value;
            by_column[b] += value;
        });
        if !fit {
            return f64::NAN;
        }
        let sum = (by_row.iter().sum::<f64>() + by_column.iter().sum::<f64>()) / 2.0;
        let pairs = x.len() as f64 * z.len() as f64;
        if self.mean && pairs > 0.0 { sum / pairs } else { sum }
    }

    fn learn(&self, items: &[&Vectors<'v>], weights: Option<&[f64]>) -> Result<Self> {
        Ok(SetSum { rows: self.rows.learn(items, weights)?, mean: self.mean })
    }

    fn definiteness(&self) -> Definiteness {
        self.rows.definiteness()
    }
}

kernel_by_digests!(['v] SetSum, Vectors<'v>);
set_kernel_on_series!(SetSum);

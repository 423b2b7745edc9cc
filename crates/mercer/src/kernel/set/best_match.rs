//! Every row with the row of the other set that is most like it.

use serde::{Deserialize, Serialize};

use crate::data::{Items, Series, Vectors};
use crate::error::Result;
use crate::kernel::set::{RowKernel, rows_of, set_kernel_on_series};
use crate::kernel::{Definiteness, DigestKernel, Expression, kernel_by_digests};

/// The matching kernel: how well each row of one set is matched by the best row of the other, on average.
///
/// k(A, B) = ½ (1/|A| Σ_a max_b k₁(a, b) + 1/|B| Σ_b max_a k₁(a, b)), and 0 if a set is empty. It is symmetric but **not
/// positive semi-definite** in general, whatever k₁ is: a machine trained with it has no duality gap to show.
///
/// An item is a collection of rows ([`Vectors`]), such as the local features of an image. O(|A| |B|) values of k₁
/// per pair.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::{Kernel, set::BestMatch, vector::Gaussian};
/// let kernel = BestMatch::new(Gaussian::gamma(1.0)?)?;
/// let (x, z) = (Vectors::from_rows(&[[0.0], [9.0]])?, Vectors::from_rows(&[[9.0], [0.0], [9.0]])?);
/// assert_eq!(kernel.eval(&x, &z), 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// C. Wallraven, B. Caputo & A. Graf, *Recognition with local features: the kernel recipe*, ICCV 2003. S. Lyu, *Mercer
/// kernels for object recognition with local features*, CVPR 2005, shows that it is not positive semi-definite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestMatch {
    rows: RowKernel,
}

impl BestMatch {
    /// Rows matched by this kernel. What waits for data in it (`gamma=scale`) is learned from the rows of all training
    /// sets.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for a kernel with white noise: a row of a set is no observation.
    pub fn new(kernel: impl Into<Expression>) -> Result<Self> {
        Ok(BestMatch { rows: RowKernel::new(kernel)? })
    }

    /// The kernel on rows.
    pub fn kernel(&self) -> &Expression {
        self.rows.kernel()
    }
}

impl<'v> DigestKernel<Vectors<'v>> for BestMatch {
    /// The rows.
    type Digest = Vectors<'static>;

    fn digest(&self, rows: &Vectors<'v>) -> Result<Vectors<'static>> {
        self.rows.digest(rows)
    }

    fn compare(&self, x: &Vectors<'static>, z: &Vectors<'static>) -> f64 {
        let least = f64::NEG_INFINITY;
        let (mut of_row, mut of_column) = (vec![least; x.len()], vec![least; z.len()]);
        let fit = self.rows.for_each_pair(x, z, |a, b, value| {
            of_row[a] = of_row[a].max(value);
            of_column[b] = of_column[b].max(value);
        });
        match fit {
            false => f64::NAN,
            true if x.is_empty() || z.is_empty() => 0.0,
            true => (mean(&of_row) + mean(&of_column)) / 2.0,
        }
    }

    fn learn(&self, items: &[&Vectors<'v>], weights: Option<&[f64]>) -> Result<Self> {
        Ok(BestMatch { rows: self.rows.learn(items, weights)? })
    }

    fn definiteness(&self) -> Definiteness {
        Definiteness::NotGuaranteed
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

kernel_by_digests!(['v] BestMatch, Vectors<'v>);
set_kernel_on_series!(BestMatch);

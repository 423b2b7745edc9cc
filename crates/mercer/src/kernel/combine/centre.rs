//! The origin of feature space moved to the mean of the training items.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::data::{Items, Row, Vectors};
use crate::kernel::{Expression, Kernel};

/// A kernel centred in feature space on a reference set of rows.
///
/// k(x, z) = k₁(x, z) − μ(x) − μ(z) + g, with μ(x) the mean of k₁(x, r) over the n reference rows r and g the
/// mean of μ(r). All of these compare different observations, so `white` inside of it adds to the diagonal
/// only: `centre(k + white(s))` is `centre(k) + white(s)`.
///
/// Written `centre(k)`. The reference is no part of the text: [`Expression::resolve`] sets it to a copy of the
/// training rows, and before that all values are NaN. Equal kernels have equal references.
/// O(n) values of k₁ per pair, and O(n²) once for g; a Gram matrix keeps the means.
///
/// ```
/// use mercer::data::{Row, Vectors};
/// use mercer::kernel::{Expression, Kernel};
/// let rows = Vectors::from_rows(&[[1.0], [3.0]])?;
/// let kernel = "centre(linear)".parse::<Expression>()?.resolve(&rows)?;
/// assert_eq!(kernel.eval(&Row::Dense64(&[5.0]), &Row::Dense64(&[4.0])), 6.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Centre {
    pub(crate) kernel: Box<Expression>,
    #[serde(skip)]
    reference: Option<Arc<Vectors<'static>>>,
    /// g, computed when it is first needed: a Gram matrix never asks.
    #[serde(skip)]
    grand_mean: Arc<OnceLock<f64>>,
}

impl Centre {
    /// The kernel, to be centred on rows that are not known yet.
    pub fn new(kernel: impl Into<Expression>) -> Self {
        Centre { kernel: Box::new(kernel.into()), reference: None, grand_mean: Arc::default() }
    }

    /// The same kernel centred on these rows.
    pub fn with_reference(self, reference: Option<Arc<Vectors<'static>>>) -> Self {
        Centre { kernel: self.kernel, reference, grand_mean: Arc::default() }
    }

    /// The kernel that is centred.
    pub fn kernel(&self) -> &Expression {
        &self.kernel
    }

    /// The rows it is centred on, once they are known.
    pub fn reference(&self) -> Option<&Arc<Vectors<'static>>> {
        self.reference.as_ref()
    }

    /// μ(x); NaN without a reference.
    fn mean(&self, x: &Row<'_>) -> f64 {
        let Some(rows) = &self.reference else { return f64::NAN };
        (0..rows.len()).map(|i| self.kernel.eval(x, &rows.get(i))).sum::<f64>() / rows.len() as f64
    }

    /// g; NaN without a reference.
    fn grand_mean(&self) -> f64 {
        let Some(rows) = &self.reference else { return f64::NAN };
        *self
            .grand_mean
            .get_or_init(|| (0..rows.len()).map(|i| self.mean(&rows.get(i))).sum::<f64>() / rows.len() as f64)
    }
}

impl PartialEq for Centre {
    fn eq(&self, other: &Self) -> bool {
        self.kernel == other.kernel && self.reference == other.reference
    }
}

impl<'a> Kernel<Row<'a>> for Centre {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        // The means are added first, so that the value is symmetric to the bit.
        self.kernel.eval(x, z) - (self.mean(x) + self.mean(z)) + self.grand_mean()
    }

    fn eval_diagonal(&self, x: &Row<'a>) -> f64 {
        self.kernel.eval_diagonal(x) - 2.0 * self.mean(x) + self.grand_mean()
    }
}

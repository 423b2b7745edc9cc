//! A trained machine that is some functions and a report.

use super::Functions;
use super::kept::Kept;
use crate::data::Items;
use crate::error::Result;
use crate::gram::{BulkKernel, WithLayout};

/// fₒ(x) = Σᵢ βᵢₒ k(xᵢ, x) + bₒ, with the items that they are made of and a report on how they were found.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::linalg::Matrix;
/// use mercer::machine::KernelPls;
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
/// let targets = Matrix::new(vec![1.0, 3.0, 5.0], 3, 1)?;
/// let model = KernelPls::params("linear".parse::<Expression>()?).components(1).check()?.fit(&rows, &targets)?;
/// assert!((model.predict(&Vectors::from_rows(&[[3.0]])?)?[0] - 7.0).abs() < 1e-12);
/// assert_eq!(model.report().components, 1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FunctionModel<K: WithLayout, I, R> {
    kept: Kept<K, I>,
    functions: Functions,
    report: R,
}

impl<K: WithLayout, I, R> FunctionModel<K, I, R> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<FunctionModel<L, J, R>> {
        Ok(FunctionModel { kept: change(self.kept)?, functions: self.functions, report: self.report })
    }

    pub(super) fn new(kept: Kept<K, I>, functions: Functions, report: R) -> Self {
        FunctionModel { kept, functions, report }
    }

    /// Joins the parts, for example from a file.
    ///
    /// # Errors
    /// Parts that do not fit together.
    pub fn from_parts(kept: Kept<K, I>, functions: Functions, report: R) -> Result<Self>
    where
        I: Items,
    {
        functions.check(&kept.items)?;
        Ok(FunctionModel { kept, functions, report })
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// Kernel, layout, precision and the items that the functions are made of.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// Coefficients and offsets.
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// How they were found.
    pub fn report(&self) -> &R {
        &self.report
    }

    /// The values of all functions at these items: for each item those of all. One kernel value per item and item that is kept.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        self.kept.compare(items, |gram, workers| self.functions.values(gram, workers))
    }
}

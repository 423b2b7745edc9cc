//! A trained ridge regression.

use super::{RidgeFit, RidgeReport};
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, WithLayout};
use crate::linalg::Matrix;
use crate::machine::kept::Kept;
use crate::machine::{Functions, ResidualSample};

/// A trained ridge regression: kernel, all training items, and coefficients.
///
/// Its answer for an item does not depend on what else is predicted with it, nor on threads.
#[derive(Clone, Debug)]
pub struct RidgeModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    fit: RidgeFit,
    samples: Vec<ResidualSample>,
}

impl<K: WithLayout, I> RidgeModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<RidgeModel<L, J>> {
        Ok(RidgeModel { kept: change(self.kept)?, fit: self.fit, samples: self.samples })
    }

    pub(super) fn new(kept: Kept<K, I>, fit: RidgeFit) -> Self {
        RidgeModel { kept, fit, samples: Vec::new() }
    }

    /// Joins what was kept and what was learned, for example from a file.
    ///
    /// # Errors
    /// Parts that do not fit together.
    pub fn from_parts(kept: Kept<K, I>, fit: RidgeFit) -> Result<Self>
    where
        I: Items,
    {
        fit.functions.check(&kept.items)?;
        if let Some(left_out) = &fit.left_out {
            let expected = fit.functions.coefficients.len();
            let found = left_out.values().len();
            if found != expected {
                return Err(Error::Shape {
                    what: "left-out predictions (one per item and output)",
                    expected,
                    found,
                });
            }
        }
        Ok(RidgeModel::new(kept, fit))
    }

    /// The same with what the training items say about each output; empty if that is not known.
    pub fn with_samples(mut self, samples: Vec<ResidualSample>) -> Self {
        self.samples = samples;
        self
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// Kernel, layout, precision and training items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// Coefficients and offsets of all outputs.
    pub fn functions(&self) -> &Functions {
        &self.fit.functions
    }

    /// All that was learned.
    pub fn fit(&self) -> &RidgeFit {
        &self.fit
    }

    /// How the system was solved.
    pub fn report(&self) -> &RidgeReport {
        &self.fit.report
    }

    /// What the training items say about the error of each output on new ones; empty for models that have not kept it.
    pub fn samples(&self) -> &[ResidualSample] {
        &self.samples
    }

    /// What the model says about each training item when it is trained without it, one row per item; if it was asked for.
    pub fn left_out(&self) -> Option<&Matrix> {
        self.fit.left_out.as_ref()
    }

    /// The values of all functions at these items: for each item those of all outputs.
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
        self.kept.compare(items, |gram, workers| self.fit.functions.values(gram, workers))
    }
}

//! A trained regression.

use super::{Loss, SvrFit};
use crate::data::Items;
use crate::error::Result;
use crate::gram::{BulkKernel, WithLayout};
use crate::machine::kept::Kept;
use crate::machine::{Expansion, RegressionSample, Report};

/// A trained regression: kernel, support items, coefficients and certificate.
///
/// Its answer for an item does not depend on what else is predicted with it, nor on threads.
#[derive(Clone, Debug)]
pub struct SvrModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    loss: Loss,
    tube: f64,
    expansion: Expansion,
    report: Option<Report>,
    sample: Option<RegressionSample>,
    /// Not kept when a model is saved.
    residuals: Vec<f64>,
}

impl<K: WithLayout, I> SvrModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<SvrModel<L, J>> {
        let SvrModel { kept, loss, tube, expansion, report, sample, residuals } = self;
        Ok(SvrModel { kept: change(kept)?, loss, tube, expansion, report, sample, residuals })
    }

    pub(super) fn new(kept: Kept<K, I>, loss: Loss, fit: SvrFit) -> Self {
        let SvrFit { expansion, report, tube, residuals, sample } = fit;
        SvrModel { kept, loss, tube, expansion, report: Some(report), sample, residuals }
    }

    /// Puts a model together from its parts, as the readers of model files do.
    pub fn from_parts(
        kept: Kept<K, I>,
        loss: Loss,
        tube: f64,
        expansion: Expansion,
        report: Option<Report>,
    ) -> Self {
        SvrModel { kept, loss, tube, expansion, report, sample: None, residuals: Vec::new() }
    }

    /// The same model, with what its training rows say about new ones.
    pub fn with_sample(mut self, sample: Option<RegressionSample>) -> Self {
        self.sample = sample;
        self
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// The same model, whose training items are known by other numbers: item i is number `numbers[i]` of a larger set.
    ///
    /// # Panics
    /// If there is no number for a support item.
    pub fn renumbered(mut self, numbers: &[usize]) -> Self {
        self.expansion.support.iter_mut().for_each(|item| *item = numbers[*item]);
        self
    }

    /// Kernel, layout, precision and support items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// The loss that it was trained with.
    pub fn loss(&self) -> Loss {
        self.loss
    }

    /// ε: the tube that was given, or that ν has found; 0 for losses without one.
    pub fn tube(&self) -> f64 {
        self.tube
    }

    /// Coefficients and offset.
    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// How the training went; `None` where that is not known (a model of another program).
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// What the training items say about new ones; `None` where that is not known (a model of another program, or from
    /// before it was kept).
    pub fn sample(&self) -> Option<&RegressionSample> {
        self.sample.as_ref()
    }

    /// yᵢ − f(xᵢ) of all training items; empty for a model that was loaded.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }

    /// f at these items.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        self.kept.values(&self.expansion, items)
    }
}

//! A trained classifier.

use super::SvcFit;
use crate::data::Items;
use crate::error::Result;
use crate::gram::{BulkKernel, Precision, WithLayout};
use crate::machine::kept::Kept;
use crate::machine::one_against_one::winner;
use crate::machine::pair_machines::PairMachines;
use crate::solver::Status;

/// A trained classifier: kernel, support items, coefficients and certificates.
///
/// Its answers for an item do not depend on what else is predicted with it, nor on threads.
#[derive(Clone, Debug)]
pub struct SvcModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    pairs: PairMachines,
    /// Not kept when a model is saved.
    slacks: Vec<Vec<(usize, f64)>>,
}

impl<K: WithLayout, I> SvcModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<SvcModel<L, J>> {
        Ok(SvcModel { kept: change(self.kept)?, pairs: self.pairs, slacks: self.slacks })
    }

    pub(super) fn new(kept: Kept<K, I>, fit: SvcFit) -> Self {
        SvcModel { kept, pairs: fit.pairs, slacks: fit.slacks }
    }

    /// Puts a model together from its parts, as the readers of model files do.
    pub fn from_parts(kept: Kept<K, I>, pairs: PairMachines) -> Self {
        SvcModel { kept, pairs, slacks: Vec::new() }
    }

    /// The same model, whose training items are known by other numbers: item i is number `numbers[i]` of a larger set.
    ///
    /// # Panics
    /// If there is no number for a support item.
    pub fn renumbered(mut self, numbers: &[usize]) -> Self {
        self.pairs.support.iter_mut().for_each(|item| *item = numbers[*item]);
        self.slacks.iter_mut().flatten().for_each(|(item, _)| *item = numbers[*item]);
        self
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// Kernel, support items, and how they are compared with others.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// The kernel with every automatic parameter filled in.
    pub fn kernel(&self) -> &K {
        &self.kept.kernel
    }

    /// How distances and layouts were chosen for the training items.
    pub fn layout(&self) -> &K::Layout {
        &self.kept.layout
    }

    /// Precision of kernel values, the same in training and prediction.
    pub fn precision(&self) -> Precision {
        self.kept.precision
    }

    /// The support items, in the order of their classes.
    pub fn support_items(&self) -> &I {
        &self.kept.items
    }

    /// Coefficients, offsets and reports of all pairs of classes.
    pub fn pairs(&self) -> &PairMachines {
        &self.pairs
    }

    /// The classes in order.
    pub fn classes(&self) -> &[String] {
        &self.pairs.classes
    }

    /// `Converged` if every pair is; `None` if it is not known, as for a model of another program.
    pub fn status(&self) -> Option<Status> {
        self.pairs.status()
    }

    /// For each pair the training rows that missed the margin, and their slack; empty for a model that was loaded.
    pub fn slacks(&self) -> &[Vec<(usize, f64)>] {
        &self.slacks
    }

    /// Decision values: for each item one per pair of classes (one in all if there are two classes).
    ///
    /// Positive values speak for the later class of the pair.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn decision_values<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<usize> = (0..self.kept.items.len()).collect();
        self.kept.compare(items, |gram, workers| self.pairs.decisions(gram, &rows, workers))
    }

    /// Scores: for each item one per class; the highest is predicted.
    ///
    /// For two classes they are −f and f; for more see [`one_against_one`](crate::machine::one_against_one).
    ///
    /// # Errors
    /// As [`SvcModel::decision_values`].
    pub fn scores<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.pairs.scores(&self.decision_values(items)?))
    }

    /// Probabilities: for each item one per class, in the order of [`SvcModel::classes`].
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::{Probability, Svc};
    /// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
    /// let labels = Labels::from_text((0..20).map(|i| if i < 9 || i == 12 { "low" } else { "high" }));
    /// let machine = Svc::params("linear".parse::<Expression>()?).probability(Probability::Consistent);
    /// let model = machine.check()?.fit(&rows, &labels)?;
    /// let p = model.probabilities(&rows)?;
    /// assert_eq!(model.classes(), ["high", "low"]);
    /// assert!(p[0] < 0.1 && p[39] < 0.1 && (p[0] + p[1] - 1.0).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SvcModel::decision_values`]; [`Error::Unsupported`](crate::Error::Unsupported) for a model that was trained
    /// without them.
    pub fn probabilities<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        self.pairs.probabilities(&self.decision_values(items)?)
    }

    /// The position of each item's class in [`SvcModel::classes`].
    ///
    /// # Errors
    /// As [`SvcModel::decision_values`].
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.scores(items)?.chunks_exact(self.pairs.class_count()).map(winner).collect())
    }

    /// Each item's class by name.
    ///
    /// # Errors
    /// As [`SvcModel::decision_values`].
    pub fn predict_labels<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<&str>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.predict(items)?.into_iter().map(|class| self.pairs.classes[class].as_str()).collect())
    }
}

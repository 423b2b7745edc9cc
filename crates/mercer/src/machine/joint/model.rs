//! A trained joint machine.

use super::{ClassFunctions, Joint};
use crate::data::Items;
use crate::error::Result;
use crate::gram::{BulkKernel, WithLayout};
use crate::machine::Report;
use crate::machine::kept::Kept;
use crate::machine::one_against_one::winner;
use crate::solver::Status;

/// A trained joint machine: kernel, support items, coefficients and certificate.
///
/// Its answers for an item do not depend on what else is predicted with it, nor on threads.
#[derive(Clone, Debug)]
pub struct JointModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    machine: Joint,
    functions: ClassFunctions,
    report: Option<Report>,
}

impl<K: WithLayout, I> JointModel<K, I> {
    /// Puts a model together from its parts, as the readers of model files do.
    pub fn from_parts(
        kept: Kept<K, I>,
        machine: Joint,
        functions: ClassFunctions,
        report: Option<Report>,
    ) -> Self {
        JointModel { kept, machine, functions, report }
    }

    /// The same model, whose training items are known by other numbers: item i is number `numbers[i]` of a larger set.
    pub fn renumbered(mut self, numbers: &[usize]) -> Self {
        self.functions.support.iter_mut().for_each(|item| *item = numbers[*item]);
        self
    }

    /// Threads for predictions; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// Kernel, layout, precision and support items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// Whose machine it is.
    pub fn machine(&self) -> Joint {
        self.machine
    }

    /// Coefficients and offsets of all classes.
    pub fn functions(&self) -> &ClassFunctions {
        &self.functions
    }

    /// The classes in order.
    pub fn classes(&self) -> &[String] {
        &self.functions.classes
    }

    /// How the training went; `None` where that is not known.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Why the training ended.
    pub fn status(&self) -> Option<Status> {
        self.report.as_ref().map(|report| report.status)
    }

    /// Scores f_k: for each item one per class; the highest is predicted.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn scores<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<f64>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<usize> = (0..self.kept.items.len()).collect();
        self.kept.compare(items, |gram, workers| self.functions.scores(gram, &rows, workers))
    }

    /// The position of each item's class in [`JointModel::classes`]; the first of equal scores.
    ///
    /// # Errors
    /// As [`JointModel::scores`].
    pub fn predict<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<usize>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.scores(items)?.chunks_exact(self.functions.class_count()).map(winner).collect())
    }

    /// Each item's class by name.
    ///
    /// # Errors
    /// As [`JointModel::scores`].
    pub fn predict_labels<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<&str>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.predict(items)?.into_iter().map(|class| self.classes()[class].as_str()).collect())
    }
}

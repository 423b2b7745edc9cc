//! A trained classifier with one function per class.

use serde::{Deserialize, Serialize};

use super::Report;
use super::class_functions::ClassFunctions;
use super::kept::Kept;
use super::one_against_one::winner;
use crate::data::Items;
use crate::error::Result;
use crate::gram::{BulkKernel, WithLayout};
use crate::solver::{Joint, Status};

/// How the functions of the classes were learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Multiclass {
    /// Each apart, its class against all others.
    OneAgainstRest,
    /// All at once, as Weston & Watkins do.
    WestonWatkins,
    /// All at once, as Crammer & Singer do.
    CrammerSinger,
}

impl From<Joint> for Multiclass {
    fn from(machine: Joint) -> Self {
        match machine {
            Joint::WestonWatkins => Multiclass::WestonWatkins,
            Joint::CrammerSinger => Multiclass::CrammerSinger,
        }
    }
}

impl std::fmt::Display for Multiclass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Multiclass::OneAgainstRest => "one against rest",
            Multiclass::WestonWatkins => "Weston & Watkins",
            Multiclass::CrammerSinger => "Crammer & Singer",
        })
    }
}

/// A trained classifier with one function per class: kernel, support items, coefficients and certificates.
///
/// Its answers for an item do not depend on what else is predicted with it, nor on threads.
#[derive(Clone, Debug)]
pub struct ClassModel<K: WithLayout, I> {
    kept: Kept<K, I>,
    machine: Multiclass,
    functions: ClassFunctions,
    reports: Vec<Report>,
}

impl<K: WithLayout, I> ClassModel<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<ClassModel<L, J>> {
        let ClassModel { kept, machine, functions, reports } = self;
        Ok(ClassModel { kept: change(kept)?, machine, functions, reports })
    }

    /// Puts a model together from its parts, as the readers of model files do.
    pub fn from_parts(
        kept: Kept<K, I>,
        machine: Multiclass,
        functions: ClassFunctions,
        reports: Vec<Report>,
    ) -> Self {
        ClassModel { kept, machine, functions, reports }
    }

    /// The same model, whose training items are known by other numbers: item i is number `numbers[i]` of a larger set.
    ///
    /// # Panics
    /// If there is no number for a support item.
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

    /// How it was learned.
    pub fn machine(&self) -> Multiclass {
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

    /// How the training of each problem went: one in all for joint machines, else one per class.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// `Converged` if every problem has, otherwise the status of the first that has not; `None` if nothing is known.
    pub fn status(&self) -> Option<Status> {
        Status::of_all(self.reports.iter().map(|report| report.status))
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

    /// The position of each item's class in [`ClassModel::classes`]; the first of equal scores.
    ///
    /// # Errors
    /// As [`ClassModel::scores`].
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
    /// As [`ClassModel::scores`].
    pub fn predict_labels<J: Items<Owned = I>>(&self, items: &J) -> Result<Vec<&str>>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        Ok(self.predict(items)?.into_iter().map(|class| self.classes()[class].as_str()).collect())
    }
}

//! Folds over one Gram matrix, for whatever is tried on all of them.
//!
//! K is computed once and shared by all folds and all that is tried. A row that is held out gets the weight 0: it takes
//! no part in the training, and its kernel values are there when it is tested.

use std::sync::Arc;

use super::learner::{Fold, Tunable};
use crate::data::{Examples, Items, Selected, Split, TargetList};
use crate::error::{Error, Result};
use crate::gram::{self, BulkKernel, Plan, PrecomputedGram};
use crate::kernel::Definiteness;
use crate::machine::FitOptions;
use crate::resources::Workers;
use crate::solver::Method;

/// Rows that are looked at, at most: their kernel values are held as a whole.
pub(super) const MOST_ROWS: usize = 3000;
/// From so many rows on there are three folds instead of five.
const FEWER_FOLDS: usize = 1000;

/// Rows that were drawn, their kernel values, and the folds that they are held out in.
pub(super) struct Trials<Y> {
    pub targets: Y,
    pub splits: Vec<Split>,
    weights: Vec<f64>,
    gram: PrecomputedGram<'static, f64>,
    convex: bool,
    workers: Arc<Workers>,
}

impl<Y: TargetList> Trials<Y> {
    /// Draws rows and folds, resolves the kernel on the rows and computes K: O(m²) kernel values and bytes for m rows, 3000
    /// at most, which take 72 MB. It does not depend on the memory of the machine's options, and so neither does the choice.
    pub fn new<M, I>(machine: &M, examples: Examples<'_, I, Y>, seed: u64) -> Result<Self>
    where
        M: Tunable<Targets = Y>,
        I: Items,
        M::Kernel: BulkKernel<I::Owned>,
    {
        let sample = Split::sample(&examples.targets.strata(), MOST_ROWS, seed)?;
        let selected = examples.select(&sample);
        let splits = splits(selected.view(), seed)?;
        let Selected { items, targets, weights, .. } = selected;
        let weights = weights.unwrap_or_else(|| vec![1.0; items.len()]);

        let plan = machine.fit_options().plan(items.len())?;
        let kernel = machine.kernel()?.resolve_by(&items, Some(&weights), &plan)?;
        let convex = kernel.definiteness() == Definiteness::Guaranteed;
        let gram = whole(&kernel, &items, &plan)?;
        Ok(Trials { targets, splits, weights, gram, convex, workers: plan.workers })
    }

    /// How many rows are looked at.
    pub fn rows(&self) -> usize {
        self.weights.len()
    }

    /// What is tried, in each fold; folds side by side, so that each has to do with [`for_trials`].
    pub fn each<R: Send>(
        &self,
        attempt: impl Fn(&PrecomputedGram<'_, f64>, &Fold<'_, Y>) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let outcomes = self.workers.map(self.splits.len(), true, |fold| {
            let Split { test, .. } = &self.splits[fold];
            let test_weights: Vec<f64> = test.iter().map(|&row| self.weights[row]).collect();
            let mut weights = self.weights.clone();
            test.iter().for_each(|&row| weights[row] = 0.0);
            let (targets, convex) = (&self.targets, self.convex);
            let fold = Fold { targets, weights: &weights, test, test_weights: &test_weights, convex };
            attempt(&self.gram, &fold)
        });
        outcomes.into_iter().collect()
    }
}

/// Options of a training beside others. All methods find the same machine; the fastest is good enough for a trial.
pub(super) fn for_trials(options: &FitOptions) -> FitOptions {
    let mut options = FitOptions { threads: 1, ..options.clone() };
    options.solver.method = Method::Decomposition;
    options
}

/// Folds to learn without and to test on, in which no class is only tested.
fn splits<I: Items, Y: TargetList>(examples: Examples<'_, I, Y>, seed: u64) -> Result<Vec<Split>> {
    let (labels, n) = (examples.targets.strata(), examples.items.len());
    let counts = labels.counts();
    let counts_for = |row: usize| examples.weights.is_none_or(|weights| weights[row] > 0.0);
    let folds = if n < FEWER_FOLDS { 5 } else { 3 };
    let mut splits = examples.folds(folds.min(n), seed)?;
    // The only row of a class is learned from in every fold; one without weight says nothing.
    for split in &mut splits {
        split.test.retain(|&row| counts[labels.codes()[row] as usize] > 1 && counts_for(row));
    }
    // With groups a class may be in one fold alone.
    let learns_all = |split: &Split| {
        let mut left = counts.clone();
        split.test.iter().for_each(|&row| left[labels.codes()[row] as usize] -= 1);
        left.iter().zip(&counts).all(|(&left, &all)| left > 0 || all == 0)
    };
    splits.retain(|split| !split.test.is_empty() && learns_all(split));
    if splits.is_empty() {
        let expected = "two at least, to learn from one and test the other";
        let name = match examples.groups {
            None => "rows of the largest class",
            Some(_) => "groups that a class stands in",
        };
        return Err(Error::Parameter { name, value: 1.0, expected });
    }
    Ok(splits)
}

/// K of all pairs, in the precision of the plan.
fn whole<K, I>(kernel: &K, items: &I, plan: &Plan) -> Result<PrecomputedGram<'static, f64>>
where
    I: Items,
    K: BulkKernel<I>,
{
    let values = values_of_pairs(kernel, items, plan)?;
    PrecomputedGram::symmetric(values, items.len())?.with_resources(plan.level, Arc::new(Workers::serial()))
}

/// The values of K, row after row, in the precision of the plan.
pub(super) fn values_of_pairs<K, I>(kernel: &K, items: &I, plan: &Plan) -> Result<Vec<f64>>
where
    I: Items,
    K: BulkKernel<I>,
{
    let layout = kernel.layout(items, plan)?;
    let gram = kernel.symmetric(items, &layout, &Plan { cache_bytes: 0, ..plan.clone() })?;
    Ok(gram::whole(&*gram)?.into_values())
}

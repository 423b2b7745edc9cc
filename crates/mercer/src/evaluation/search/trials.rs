//! Some cells in some folds, over shared kernel values.

use std::ops::Range;

use super::parts::Parts;
use super::{Answer, Candidate, HeldOut, Table, Watch};
use crate::data::{Examples, Items, Split, TargetList};
use crate::error::Result;
use crate::evaluation::Metric;
use crate::gram::{BulkKernel, Plan};
use crate::kernel::Definiteness;
use crate::solver::Control;

/// What is tried, whatever the rows.
pub(super) struct Settings<'a, M: Candidate> {
    /// What is measured.
    pub metrics: &'a [Metric],
    /// The kernels, all parameters known.
    pub kernels: &'a [M::Kernel],
    /// The costs, ascending.
    pub costs: &'a [f64],
    pub plan: Plan,
    /// Bytes.
    pub memory: u64,
    pub watch: Watch<'a, M::Kernel>,
}

/// The settings on some rows.
pub(super) struct Trials<'a, M: Candidate, I> {
    settings: &'a Settings<'a, M>,
    items: I,
    targets: M::Targets,
    weights: Vec<f64>,
    splits: Vec<Split>,
}

/// What came of a cell in a fold: the value of each metric, the seconds that it took, and what it left.
struct Outcome<L> {
    values: Vec<f64>,
    seconds: f64,
    left: L,
}

impl<'a, M, I> Trials<'a, M, I>
where
    M: Candidate,
    I: Items<Owned = I>,
    M::Kernel: BulkKernel<I>,
{
    /// Rows that are held out together stand together, so that what a fold takes of K is in long runs.
    pub fn new(
        settings: &'a Settings<'a, M>,
        examples: &Examples<'_, I, M::Targets>,
        splits: &[Split],
    ) -> Self {
        let n = examples.items.len();
        let (order, splits) = together(splits, n);
        let weight = |&row: &usize| examples.weights.map_or(1.0, |weights| weights[row]);
        Trials {
            settings,
            items: examples.items.select(&order),
            targets: examples.targets.select(&order),
            weights: order.iter().map(weight).collect(),
            splits,
        }
    }

    /// Number of folds.
    pub fn folds(&self) -> usize {
        self.splits.len()
    }

    /// Adds the values of these cells in these folds to the table, and says whether all are there. `left` has, for each cell,
    /// what its answers in the folds left; if they are tried `again`, they begin there.
    pub fn run(
        &self,
        machine: &M,
        table: &mut Table<M::Kernel>,
        cells: &[usize],
        folds: Range<usize>,
        left: &mut [Vec<M::Left>],
        again: bool,
    ) -> Result<bool> {
        let threads = self.settings.plan.workers.threads();
        let by_kernel: Vec<&[usize]> =
            cells.chunk_by(|a, b| a / self.settings.costs.len() == b / self.settings.costs.len()).collect();
        // As many kernels side by side as there are threads, so that all threads have the same number of folds.
        for some in by_kernel.chunks(threads) {
            let parts = |of_kernel: &&[usize]| {
                let kernel = &self.settings.kernels[of_kernel[0] / self.settings.costs.len()];
                Parts::new(
                    kernel,
                    &self.items,
                    &self.settings.plan,
                    self.settings.memory,
                    threads + some.len() - 1,
                )
            };
            let parts = some.iter().map(parts).collect::<Result<Vec<_>>>()?;
            let seen = &*left;
            let tried = self.settings.plan.workers.map_one_by_one(some.len() * folds.len(), |task| {
                let (of_kernel, fold) = (task / folds.len(), folds.start + task % folds.len());
                let (parts, cells) = (&parts[of_kernel], some[of_kernel]);
                let begin = again.then(|| cells.iter().map(|&at| seen[at][fold].clone()).collect::<Vec<_>>());
                self.fold(machine, cells, parts, &self.splits[fold], begin.as_deref())
            });
            let tried = tried.into_iter().collect::<Result<Vec<_>>>()?;
            if (self.settings.watch.cancelled)() {
                return Ok(false);
            }
            for (task, fold) in tried.into_iter().enumerate() {
                for (&at, outcome) in some[task / folds.len()].iter().zip(fold) {
                    let cell = &mut table.cells[at];
                    cell.seconds += outcome.seconds;
                    cell.values.iter_mut().zip(outcome.values).for_each(|(all, value)| all.push(value));
                    left[at].push(outcome.left);
                }
            }
            (self.settings.watch.seen)(table);
        }
        Ok(true)
    }

    /// What comes of each cell of a kernel on the rows that are held out.
    fn fold(
        &self,
        machine: &M,
        cells: &[usize],
        parts: &Parts<'_, M::Kernel, I>,
        split: &Split,
        begin: Option<&[M::Left]>,
    ) -> Result<Vec<Outcome<M::Left>>> {
        let kernel = &self.settings.kernels[cells[0] / self.settings.costs.len()];
        let machine = machine.clone().with_kernel(kernel.clone());
        let costs: Vec<f64> =
            cells.iter().map(|at| self.settings.costs[at % self.settings.costs.len()]).collect();
        let convex = kernel.definiteness() == Definiteness::Guaranteed;
        let control =
            |_: &_| if (self.settings.watch.cancelled)() { Control::Cancel } else { Control::Continue };
        let of = |rows: &[usize]| rows.iter().map(|&row| self.weights[row]).collect::<Vec<f64>>();
        let (learned, truth) = (self.targets.select(&split.train), self.targets.select(&split.test));
        let (train_weights, test_weights) = (of(&split.train), of(&split.test));
        let answers = parts.of(split, |gram, cross| {
            let rows = HeldOut { gram, cross, targets: &learned, weights: &train_weights, convex };
            match begin {
                None => machine.say(&costs, &rows, &control),
                Some(begin) => machine.say_again(&costs, begin, &rows, &control),
            }
        })?;
        answers
            .into_iter()
            .map(|Answer { said, seconds, left }| {
                let compared = said.compare(M::truth(&truth), Some(&test_weights))?;
                let values = self.settings.metrics.iter().map(|metric| compared.value(metric));
                Ok(Outcome { values: values.collect::<Result<_>>()?, seconds, left })
            })
            .collect()
    }
}

/// An order of the rows in which those of a test set follow each other, as far as test sets do not overlap, and the splits by
/// the places in it.
fn together(splits: &[Split], n: usize) -> (Vec<usize>, Vec<Split>) {
    let mut place = vec![usize::MAX; n];
    let mut order = Vec::with_capacity(n);
    for row in splits.iter().flat_map(|split| split.test.iter().copied()).chain(0..n) {
        if place[row] == usize::MAX {
            place[row] = order.len();
            order.push(row);
        }
    }
    let moved = |rows: &[usize]| {
        let mut places: Vec<usize> = rows.iter().map(|&row| place[row]).collect();
        places.sort_unstable();
        places
    };
    let moved = |split: &Split| Split { train: moved(&split.train), test: moved(&split.test) };
    (order, splits.iter().map(moved).collect())
}

//! Some cells in some folds, over shared kernel values.

use std::ops::Range;

use super::parts::{Parts, bytes_of_all};
use super::{Answer, Candidate, HeldOut, Table, Watch};
use crate::data::{Examples, Items, Split, TargetList};
use crate::error::{Error, Result};
use crate::evaluation::Metric;
use crate::gram::{BulkKernel, Plan, Room, Rooms, Sums};
use crate::kernel::Definiteness;
use crate::resources::Workers;
use crate::solver::Control;

/// Parts that the rows of a fold are dealt into for the race, and rows of such a part, at least.
const PARTS: usize = 8;
const LEAST_OF_PART: usize = 25;

/// Tasks that a thread has to do before all wait for the last one, where the memory allows it.
const TASKS_PER_THREAD: usize = 4;

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
    /// Whether cells race, and so are measured on parts of the rows too.
    pub races: bool,
    pub watch: Watch<'a, M::Kernel>,
}

/// The settings on some rows.
pub(super) struct Trials<'a, M: Candidate, I> {
    settings: &'a Settings<'a, M>,
    items: I,
    targets: M::Targets,
    weights: Vec<f64>,
    splits: Vec<Split>,
    /// How many kernels can be tried side by side with their values, and those of as many folds, held; 0 if there is not the memory for one.
    held: usize,
    /// What kernels are made of, and which of them are.
    sums: Sums,
    of_sums: Vec<bool>,
    rooms: Rooms,
}

/// What is remembered of a cell besides its values.
#[derive(Clone)]
pub(super) struct Memory<L> {
    /// What its answers in the folds left.
    left: Vec<L>,
    /// The first metric on parts of the rows that folds held out: eight of each fold, or one if these would be small.
    pub parts: Vec<f64>,
}

impl<L> Default for Memory<L> {
    fn default() -> Self {
        Memory { left: Vec::new(), parts: Vec::new() }
    }
}

/// What came of a cell in a fold: the value of each metric and of the first one on parts of the rows, the seconds that it took, and
/// whether that was enough, and what it left.
struct Outcome<L> {
    values: Vec<f64>,
    parts: Vec<f64>,
    seconds: f64,
    converged: bool,
    left: L,
}

impl<'a, M, I> Trials<'a, M, I>
where
    M: Candidate,
    I: Items<Owned = I>,
    M::Kernel: BulkKernel<I>,
{
    /// Rows that are held out together stand together, so that what a fold takes of K is in long runs. What several kernels are
    /// functions of is computed here, if there is the memory to keep it.
    ///
    /// # Errors
    /// Those of the kernels.
    pub fn new(
        settings: &'a Settings<'a, M>,
        examples: &Examples<'_, I, M::Targets>,
        splits: &[Split],
    ) -> Result<Self> {
        let n = examples.items.len();
        let (order, splits) = together(splits, examples.targets.strata().codes());
        let weight = |&row: &usize| examples.weights.map_or(1.0, |weights| weights[row]);
        let items = examples.items.select(&order);
        let plan = &settings.plan;
        // A matrix for each kernel that is tried beside others, and a part of it for a fold. What is kept besides must not depend on the
        // number of threads: it can be seen in the last digits.
        let needed = bytes_of_all(n, plan).saturating_mul(2).max(1);
        let mut sums = Sums::new(settings.memory.saturating_sub(needed));
        let of_sums = match &settings.kernels {
            [_] => vec![false],
            kernels => {
                let add = |kernel: &M::Kernel| kernel.add_sums(&items, plan, &mut sums);
                kernels.iter().map(add).collect::<Result<_>>()?
            }
        };
        let more = sums.left() / needed;
        let held = usize::try_from(more).map_or(usize::MAX, |more| more.saturating_add(1));
        Ok(Trials {
            settings,
            items,
            targets: examples.targets.select(&order),
            weights: order.iter().map(weight).collect(),
            splits,
            held: if settings.memory < needed { 0 } else { held },
            sums,
            of_sums,
            rooms: Rooms::default(),
        })
    }

    /// Number of folds.
    pub fn folds(&self) -> usize {
        self.splits.len()
    }

    /// Adds the values of these cells in these folds to the table, and says whether all are there. If they are tried `again`, they
    /// begin where their answers in these folds ended, as the memory of each cell has it.
    pub fn run(
        &self,
        machine: &M,
        table: &mut Table<M::Kernel>,
        cells: &[usize],
        folds: Range<usize>,
        memory: &mut [Memory<M::Left>],
        again: bool,
    ) -> Result<bool> {
        let by_kernel: Vec<&[usize]> =
            cells.chunk_by(|a, b| a / self.settings.costs.len() == b / self.settings.costs.len()).collect();
        let threads = self.settings.plan.workers.threads();
        let fewer = (0 < self.held && self.held < threads).then(|| Workers::new(self.held));
        let workers = fewer.as_ref().unwrap_or(&self.settings.plan.workers);
        // As many kernels side by side as there are threads, so that all threads have the same number of folds; and more if there are few
        // folds, so that nobody waits long for the last one.
        let threads = workers.threads();
        let at_once = (TASKS_PER_THREAD * threads).div_ceil(folds.len().max(1)).min(self.held).max(threads);
        for some in by_kernel.chunks(at_once) {
            let mut rooms: Vec<Room> = some.iter().map(|_| self.rooms.take()).collect();
            let parts = |(of_kernel, room): (&&[usize], _)| {
                let number = of_kernel[0] / self.settings.costs.len();
                let (kernel, items, plan) =
                    (&self.settings.kernels[number], &self.items, &self.settings.plan);
                if self.held == 0 {
                    return Ok(Parts::Computed { kernel, items, plan });
                }
                let sums = self.of_sums[number].then_some(&self.sums);
                Parts::held(kernel, items, sums, folds.len(), plan, &self.rooms, room)
            };
            let Some(parts) =
                self.unless_cancelled(some.iter().zip(&mut rooms).map(parts).collect::<Result<Vec<_>>>())?
            else {
                return Ok(false);
            };
            let seen = &*memory;
            let tried = workers.map_one_by_one(some.len() * folds.len(), |task| {
                let (of_kernel, fold) = (task / folds.len(), folds.start + task % folds.len());
                let (parts, cells) = (&parts[of_kernel], some[of_kernel]);
                let begin =
                    again.then(|| cells.iter().map(|&at| seen[at].left[fold].clone()).collect::<Vec<_>>());
                self.fold(machine, cells, parts, &self.splits[fold], begin.as_deref())
            });
            drop(parts);
            rooms.into_iter().for_each(|room| self.rooms.give_back(room));
            let Some(tried) = self.unless_cancelled(tried.into_iter().collect::<Result<Vec<_>>>())? else {
                return Ok(false);
            };
            if (self.settings.watch.cancelled)() {
                return Ok(false);
            }
            for (task, fold) in tried.into_iter().enumerate() {
                for (&at, outcome) in some[task / folds.len()].iter().zip(fold) {
                    let cell = &mut table.cells[at];
                    cell.seconds += outcome.seconds;
                    cell.unfinished += usize::from(!outcome.converged);
                    cell.values.iter_mut().zip(outcome.values).for_each(|(all, value)| all.push(value));
                    memory[at].left.push(outcome.left);
                    memory[at].parts.extend(outcome.parts);
                }
            }
            (self.settings.watch.seen)(table);
        }
        Ok(true)
    }

    /// None for work that was interrupted because the search is cancelled.
    fn unless_cancelled<T>(&self, outcome: Result<T>) -> Result<Option<T>> {
        match outcome {
            Err(Error::Interrupted) if (self.settings.watch.cancelled)() => Ok(None),
            outcome => outcome.map(Some),
        }
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
        if (self.settings.watch.cancelled)() {
            return Err(Error::Interrupted);
        }
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
        let weights_of_parts = if self.settings.races { parted(&test_weights) } else { Vec::new() };
        answers
            .into_iter()
            .map(|Answer { said, seconds, converged, left }| {
                let compared = said.compare(M::truth(&truth), Some(&test_weights))?;
                let values = self.settings.metrics.iter().map(|metric| compared.value(metric));
                let values = values.collect::<Result<Vec<f64>>>()?;
                let of_part = |weights: &Vec<f64>| {
                    let compared = said.compare(M::truth(&truth), Some(weights)).ok()?;
                    compared.value(&self.settings.metrics[0]).ok().filter(|value| value.is_finite())
                };
                // Of rows without one of the classes not every metric can be told.
                let parts: Option<Vec<f64>> = weights_of_parts.iter().map(of_part).collect();
                let parts = parts.filter(|parts| !parts.is_empty()).unwrap_or_else(|| values[..1].to_vec());
                Ok(Outcome { values, parts, seconds, converged, left })
            })
            .collect()
    }
}

/// The weights of some rows, eight times: each time of every eighth row alone. None if there are too few rows.
fn parted(weights: &[f64]) -> Vec<Vec<f64>> {
    let parts = if weights.len() < PARTS * LEAST_OF_PART { 0 } else { PARTS };
    let of_part = |part: usize| {
        let weight = |(row, weight): (usize, &f64)| if row % PARTS == part { *weight } else { 0.0 };
        weights.iter().enumerate().map(weight).collect()
    };
    (0..parts).map(of_part).collect()
}

/// An order of the rows in which those of a test set follow each other, as far as test sets do not overlap, those of a stratum next to
/// each other; and the splits by the places in it.
fn together(splits: &[Split], strata: &[u32]) -> (Vec<usize>, Vec<Split>) {
    let n = strata.len();
    let mut place = vec![usize::MAX; n];
    let mut order = Vec::with_capacity(n);
    let everything: Vec<usize> = (0..n).collect();
    for rows in splits.iter().map(|split| &split.test).chain([&everything]) {
        let mut rows = rows.clone();
        rows.sort_by_key(|&row| strata[row]);
        for row in rows {
            if place[row] == usize::MAX {
                place[row] = order.len();
                order.push(row);
            }
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

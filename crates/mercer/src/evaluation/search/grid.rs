//! Every kernel with every cost, in every fold.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::halving::{keep, samples, within};
use super::race::hopeless;
use super::trials::{Memory, Settings, Trials};
use super::{Candidate, Cell, Look, Table};
use crate::data::{Examples, Items, Split, TargetList};
use crate::error::{Error, Result};
use crate::evaluation::trials::for_trials;
use crate::evaluation::{Metric, Needs};
use crate::gram::BulkKernel;
use crate::solver::Stop;

/// Rows from which on a first look with a wider tolerance saves time that is worth saving.
const WORTH_SCREENING: usize = 1000;

/// What is tried.
///
/// ```
/// use mercer::evaluation::search::Grid;
/// let grid = Grid { kernels: vec!["linear", "gaussian"], costs: vec![0.1, 1.0, 10.0] };
/// assert_eq!(grid.kernels.len() * grid.costs.len(), 6);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<K> {
    /// Kernels; what waits for data is found from all rows.
    pub kernels: Vec<K>,
    /// Costs, in any order; of no concern to a machine without. [`ByCriterion`](super::ByCriterion) takes them for shares ν
    /// where the machine has one, as [`Shares`](super::Shares) does.
    pub costs: Vec<f64>,
}

/// How a grid is gone through.
///
/// 0. With `halving` (successive halving, Jamieson & Talwalkar 2016, by thirds) all cells are tried on a sample of some
///    hundred rows that has the classes in their proportions; the best third of them, those of equal means together, on three
///    times as many; and so on. What is left is tried on all rows as follows. Cells that stayed behind keep the values of the last
///    sample that they were tried on, and count as given up.
/// 1. Cells are solved with a tolerance that is wider by the factor `screening`, or by 50 for regressions; fewer than 1000 rows are
///    solved with the tolerance of the machine at once, and are not looked at again. So is every cell of an `exhaustive` search.
/// 2. Unless the search is `exhaustive`, cells that are far behind the best one are given up after the first fold, and again after
///    every second one: by more than 2.5 standard errors of the paired differences between eighths of the rows that folds hold
///    out, or between folds where they hold out fewer than 200 rows (the deviation being the median of all cells', and the
///    errors wider by what is not known of it, as Student's t has it).
/// 3. Cells that are no further behind the best one than a standard error of it, nor than the differences from it leave open (the
///    median of their standard errors), are solved again with the tolerance of the machine. If one that was solved once is
///    then ahead of them, those near to it are solved again too, and so on.
///
/// The best cell is so the best of those that were looked at twice, and none that was looked at once has a better mean. A cell may
/// have been passed over whose values would have become better by as much as step 3 allows for: `screening` of 1 looks at all of
/// them closely. Decisions are made when folds are complete, so that the result does not depend on the number of threads.
///
/// Two trainings within the same tolerance can differ in a few rows near the border between classes. So can a cell's values and
/// those of the same setting tried alone, since in a search trainings begin where others ended.
///
/// ```
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::Search;
/// let search = Search { halving: true, ..Search::new(vec![Metric::BalancedAccuracy, Metric::Accuracy]) };
/// assert_eq!(search.screening, 500.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// What is measured; the first decides.
    pub metrics: Vec<Metric>,
    /// Try every cell in every fold with the tolerance of the machine.
    pub exhaustive: bool,
    /// By how much the tolerance of the first look is wider, 50 at most for regressions; 1 for no second look, as with fewer than
    /// 1000 rows and in an `exhaustive` search.
    pub screening: f64,
    /// Try all cells with a part of the rows first, and the best third of them with three times as many, up to all rows.
    pub halving: bool,
    /// Most wall time; default unlimited. With a limit cells are tried as with `halving`, and if it is reached before one was tried
    /// with all rows, what they were worth on the last sample is returned ([`Look::Sampled`]). A nested search, or one per fold,
    /// divides it equally among its folds.
    pub max_time: Option<Duration>,
}

impl Search {
    /// A search that gives up hopeless cells, and has a second look at the best.
    pub fn new(metrics: Vec<Metric>) -> Self {
        Search { metrics, exhaustive: false, screening: 500.0, halving: false, max_time: None }
    }

    /// Every cell in every fold with the tolerance of the machine.
    pub fn exact(metrics: Vec<Metric>) -> Self {
        Search { metrics, exhaustive: true, screening: 1.0, halving: false, max_time: None }
    }

    /// Tries a machine with the kernels and costs of a grid on the rows that each split holds out.
    ///
    /// Kernel values are computed once per kernel, and shared by all folds and costs, while n² of them (4 bytes each, 8 in
    /// double precision) and a part of them for a fold fit into the memory of the machine's options; beyond, every fold computes the rows it
    /// asks for. If there is memory for n² more, the distances or inner products that several kernels are made of are computed once for
    /// all of them. Within a fold costs are tried in ascending order, each from where the
    /// one before ended; a second look begins where the first one ended. Folds of as many kernels as there are threads run side
    /// by side, each with one thread; the result does not depend on their number. If it is cancelled, what was done so far is
    /// returned.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, Random, Splitting, Vectors};
    /// use mercer::evaluation::Metric;
    /// use mercer::evaluation::search::{Grid, Search, Watch};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// let mut random = Random::new(3);
    /// let points: Vec<[f64; 2]> = (0..80).map(|_| [random.normal(), random.normal()]).collect();
    /// let inside = points.iter().map(|p| if p[0] * p[0] + p[1] * p[1] < 1.2 { "in" } else { "out" });
    /// let (labels, rows) = (Labels::from_text(inside), Vectors::from_rows(&points)?);
    /// let kernels = vec!["linear".parse::<Expression>()?, "gaussian(gamma=0.5)".parse()?];
    /// let (grid, machine) = (Grid { kernels: kernels.clone(), costs: vec![1.0, 10.0] }, Svc::params(kernels[0].clone()));
    /// let splits = "stratified:4".parse::<Splitting>()?.splits(80, Some(&labels), None, 0)?;
    /// let search = Search::new(vec![Metric::Accuracy]);
    /// let table = search.cross_validate(&machine, &grid, Examples::new(&rows, &labels), &splits, Watch::nobody())?;
    /// // A circle is no half-plane.
    /// assert_eq!(table.best().unwrap().kernel, 1);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] without kernels, costs, splits or metrics, [`Error::Entry`] for a cost that is not a finite number
    /// above 0, [`Error::Parameter`] for a `screening` below 1, [`Error::Unsupported`] for a split that leaves one class only; those
    /// of kernels, fits and metrics.
    pub fn cross_validate<M, I>(
        &self,
        machine: &M,
        grid: &Grid<M::Kernel>,
        examples: Examples<'_, I, M::Targets>,
        splits: &[Split],
        watch: Watch<'_, M::Kernel>,
    ) -> Result<Table<M::Kernel>>
    where
        M: Candidate,
        I: Items<Owned = I>,
        M::Kernel: BulkKernel<I>,
    {
        let end = self.max_time.and_then(|time| Instant::now().checked_add(time));
        let cancelled = || (watch.cancelled)() || end.is_some_and(|end| Instant::now() >= end);
        let watch = Watch { cancelled: &cancelled, ..watch };
        self.check(machine, grid, splits)?;
        examples.check()?;
        check_classes(examples.targets, splits)?;
        let n = examples.items.len();
        let mut plan = machine.fit_options().plan(n)?;
        if let Some(end) = end {
            // Long sums over kernel values end with the time too.
            plan.interrupt = Some(plan.interrupt.unwrap_or_default().until(end));
        }
        let resolve = |kernel: &M::Kernel| kernel.resolve_by(examples.items, examples.weights, &plan);
        let kernels = grid.kernels.iter().map(resolve).collect::<Result<Vec<_>>>()?;
        let mut costs = if machine.has_cost() { grid.costs.clone() } else { vec![1.0] };
        costs.sort_by(f64::total_cmp);
        let machine = match self.metrics.iter().any(|metric| metric.needs() == Needs::Probabilities) {
            true => machine.clone(),
            false => machine.clone().without_probabilities(),
        };
        let options = machine.fit_options();
        let (metrics, memory) = (&self.metrics[..], options.memory);
        let races = !self.exhaustive;
        let settings = Settings { metrics, kernels: &kernels, costs: &costs, plan, memory, races, watch };
        let screening = if self.exhaustive || n < WORTH_SCREENING { 1.0 } else { self.screening };
        let exact = machine.clone().with_options(for_trials(options));
        let loose = {
            let mut options = for_trials(options);
            let wider = screening.min(machine.loosest());
            options.solver.stop = match options.solver.stop {
                Stop::KktGap(tolerance) => Stop::KktGap(wider * tolerance),
                Stop::DualityGap(relative) => Stop::DualityGap(wider * relative),
            };
            machine.clone().with_options(options)
        };

        let (has_cost, is_share) = (machine.has_cost(), machine.costs_are_shares());
        let cell = |kernel, &value: &f64| {
            let cell = Cell::new(kernel, (has_cost && !is_share).then_some(value), self.metrics.len());
            Cell { nu: is_share.then_some(value), ..cell }
        };
        let cells = (0..kernels.len()).flat_map(|kernel| costs.iter().map(move |cost| (kernel, cost)));
        let mut table = Table {
            metrics: self.metrics.clone(),
            kernels: kernels.clone(),
            cells: cells.map(|(kernel, cost)| cell(kernel, cost)).collect(),
        };
        let table_size = table.cells.len();
        let mut alive: Vec<usize> = (0..table_size).collect();
        let no_memory = || vec![Memory::default(); table_size];
        // What the last sample of the rows has told.
        let mut sampled: Option<Table<M::Kernel>> = None;
        if self.halving || self.max_time.is_some() {
            for rows in samples(&examples.targets.strata()) {
                let part = examples.select(&rows);
                let mut folds = within(splits, &rows);
                folds.retain(|split| part.targets.suffice(&split.train));
                if folds.is_empty() {
                    continue;
                }
                let trials = match Trials::new(&settings, &part.view(), &folds) {
                    Err(Error::Interrupted) if cancelled() => return Ok(sampled.unwrap_or(table)),
                    trials => trials?,
                };
                alive.iter().for_each(|&at| table.cells[at].clear());
                if !trials.run(&loose, &mut table, &alive, 0..trials.folds(), &mut no_memory(), false)? {
                    return Ok(sampled.unwrap_or(table));
                }
                let mut told = table.clone();
                alive.iter().for_each(|&at| told.cells[at].look = Look::Sampled);
                sampled = Some(told);
                alive = keep(&table, &alive);
            }
            alive.iter().for_each(|&at| table.cells[at].clear());
        }
        let trials = match Trials::new(&settings, &examples, splits) {
            Err(Error::Interrupted) if cancelled() => return Ok(sampled.unwrap_or(table)),
            trials => trials?,
        };
        let mut memory: Vec<Memory<M::Left>> = no_memory();
        for folds in rounds(splits.len(), self.exhaustive) {
            let is_last = folds.end == splits.len();
            if !trials.run(&loose, &mut table, &alive, folds, &mut memory, false)? {
                // Values of some folds cannot be compared with those of all.
                return Ok(sampled.unwrap_or(table));
            }
            if !(self.exhaustive || is_last) {
                let scores = |&at: &usize| {
                    memory[at].parts.iter().map(|&value| self.metrics[0].as_score(value)).collect()
                };
                let given_up = hopeless(&alive.iter().map(scores).collect::<Vec<_>>());
                alive = alive.into_iter().zip(given_up).filter(|(_, up)| !up).map(|(at, _)| at).collect();
            }
        }
        let reached = if screening > 1.0 { Look::Screened } else { Look::Exact };
        alive.iter().for_each(|&at| table.cells[at].look = reached);
        while table.best().is_some_and(|best| best.look == Look::Screened) {
            let mut near = table.near_best()?;
            near.retain(|&at| table.cells[at].look == Look::Screened);
            let before: Vec<Cell> = near.iter().map(|&at| table.cells[at].clone()).collect();
            near.iter().for_each(|&at| table.cells[at].clear());
            if !trials.run(&exact, &mut table, &near, 0..splits.len(), &mut memory, true)? {
                near.iter().zip(before).for_each(|(&at, cell)| table.cells[at] = cell);
                return Ok(table);
            }
            near.iter().for_each(|&at| table.cells[at].look = Look::Exact);
        }
        Ok(table)
    }

    fn check<M: Candidate>(&self, machine: &M, grid: &Grid<M::Kernel>, splits: &[Split]) -> Result<()> {
        for (what, is_empty) in [
            ("kernels to try", grid.kernels.is_empty()),
            ("costs to try", grid.costs.is_empty() && machine.has_cost()),
            ("splits", splits.is_empty()),
            ("metrics", self.metrics.is_empty()),
        ] {
            if is_empty {
                return Err(Error::Empty { what });
            }
        }
        match self.screening >= 1.0 && self.screening.is_finite() {
            true => Ok(()),
            false => {
                let expected = "a finite number of at least 1";
                Err(Error::Parameter { name: "screening", value: self.screening, expected })
            }
        }
    }
}

/// Refuses a split that leaves one class only to learn from, by its place.
fn check_classes<Y: TargetList>(targets: &Y, splits: &[Split]) -> Result<()> {
    let strata = targets.strata();
    let alone = |split: &Split| strata.classes().len() > 1 && !strata.suffice(&split.train);
    match splits.iter().position(alone) {
        Some(at) => {
            let (number, all) = (at + 1, splits.len());
            let what = format!("split {number} of {all} has rows of one class only to learn from");
            Err(Error::Unsupported { what })
        }
        None => Ok(()),
    }
}

/// Folds that are tried before cells are given up, and again: one, and then two at a time.
fn rounds(folds: usize, exhaustive: bool) -> Vec<Range<usize>> {
    let first = if exhaustive { folds } else { 1 };
    let others = (first..folds).step_by(2).map(|begin| begin..folds.min(begin + 2));
    std::iter::once(0..first).chain(others).collect()
}

/// Who is shown how a search goes, and may end it.
///
/// ```
/// use mercer::evaluation::search::Watch;
/// let watch: Watch<'_, &str> = Watch::nobody();
/// assert!(!(watch.cancelled)());
/// ```
pub struct Watch<'a, K, M = Metric> {
    /// Whether to end it; asked often, from any thread.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
    /// Shown the table whenever kernels have been tried in some folds.
    pub seen: &'a (dyn Fn(&Table<K, M>) + Sync),
}

impl<K, M> Clone for Watch<'_, K, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, M> Copy for Watch<'_, K, M> {}

impl<K, M> Watch<'_, K, M> {
    /// Nobody.
    pub fn nobody() -> Self {
        Watch { cancelled: &|| false, seen: &|_| () }
    }
}

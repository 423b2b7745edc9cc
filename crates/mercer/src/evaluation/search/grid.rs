//! Every kernel with every cost, in every fold.

use std::ops::Range;

use super::parts::Parts;
use super::race::hopeless;
use super::{Answer, Candidate, Cell, HeldOut, Look, Table};
use crate::data::{Examples, Items, Split, TargetList, check_weights};
use crate::error::{Error, Result};
use crate::evaluation::Metric;
use crate::evaluation::trials::for_trials;
use crate::gram::{BulkKernel, Plan};
use crate::kernel::Definiteness;
use crate::solver::{Control, Stop};

/// Folds that are tried before cells are given up, and again.
const FOLDS_AT_A_TIME: usize = 2;

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
    /// Costs, in any order; of no concern to a machine without.
    pub costs: Vec<f64>,
}

/// How a grid is gone through.
///
/// 1. Cells are solved with a tolerance that is wider by the factor `screening`.
/// 2. Unless the search is `exhaustive`, two folds are tried at a time, and cells that are then far behind the best one are
///    given up: by more than three standard errors of the paired differences between folds (their deviation being the median
///    of all cells').
/// 3. Cells whose mean is within a standard error of the best one's are solved again with the tolerance of the machine.
///
/// The best cell is then the best of those that were looked at twice. Decisions are made when folds are complete, so that the
/// result does not depend on the number of threads.
///
/// ```
/// use mercer::evaluation::Metric;
/// use mercer::evaluation::search::Search;
/// let search = Search { exhaustive: true, ..Search::new(vec![Metric::BalancedAccuracy, Metric::Accuracy]) };
/// assert_eq!(search.screening, 100.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// What is measured; the first decides.
    pub metrics: Vec<Metric>,
    /// Try every cell in every fold.
    pub exhaustive: bool,
    /// By how much the tolerance of the first look is wider; 1 for no second look.
    pub screening: f64,
}

impl Search {
    /// A search that gives up hopeless cells, and has a second look at the best.
    pub fn new(metrics: Vec<Metric>) -> Self {
        Search { metrics, exhaustive: false, screening: 100.0 }
    }

    /// Every cell in every fold with the tolerance of the machine.
    pub fn exact(metrics: Vec<Metric>) -> Self {
        Search { metrics, exhaustive: true, screening: 1.0 }
    }

    /// Tries a machine with the kernels and costs of a grid on the rows that each split holds out.
    ///
    /// Kernel values are computed once per kernel, and shared by all folds and costs, while n² of them (4 bytes each, 8 in
    /// double precision) and the parts of as many folds as there are threads fit into the memory of the machine's options;
    /// beyond, every fold computes the rows it asks for. Within a fold costs are tried in ascending order, each from where the
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
    /// above 0, [`Error::Parameter`] for a `screening` below 1; those of kernels, fits and metrics.
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
        self.check(machine, grid, splits)?;
        examples.check()?;
        let n = examples.items.len();
        let weights = examples.weights.map_or_else(|| vec![1.0; n], <[f64]>::to_vec);
        check_weights(&weights, n)?;
        let resolve = |kernel: &M::Kernel| kernel.resolve(examples.items, examples.weights);
        let kernels = grid.kernels.iter().map(resolve).collect::<Result<Vec<_>>>()?;
        // Rows that are held out together stand together, so that what a fold takes of K is in long runs.
        let (order, splits) = together(splits, n);
        let (items, targets) = (examples.items.select(&order), examples.targets.select(&order));
        let weights = order.iter().map(|&row| weights[row]).collect();
        let mut costs = if machine.has_cost() { grid.costs.clone() } else { vec![1.0] };
        costs.sort_by(f64::total_cmp);
        let options = machine.fit_options();
        let trials = Trials {
            plan: options.plan(n)?,
            memory: options.memory,
            metrics: &self.metrics,
            kernels: &kernels,
            costs: &costs,
            items: &items,
            targets: &targets,
            weights,
            splits: &splits,
            watch,
        };
        let exact = machine.clone().with_options(for_trials(options));
        let loose = {
            let mut options = for_trials(options);
            options.solver.stop = match options.solver.stop {
                Stop::KktGap(tolerance) => Stop::KktGap(self.screening * tolerance),
                Stop::DualityGap(relative) => Stop::DualityGap(self.screening * relative),
            };
            machine.clone().with_options(options)
        };

        let cost_of = |cost: f64| machine.has_cost().then_some(cost);
        let cell = |kernel, cost: &f64| Cell::new(kernel, cost_of(*cost), self.metrics.len());
        let cells = (0..kernels.len()).flat_map(|kernel| costs.iter().map(move |cost| (kernel, cost)));
        let mut table = Table {
            metrics: self.metrics.clone(),
            kernels: kernels.clone(),
            cells: cells.map(|(kernel, cost)| cell(kernel, cost)).collect(),
        };
        let mut alive: Vec<usize> = (0..table.cells.len()).collect();
        let mut left: Vec<Vec<M::Left>> = vec![Vec::new(); table.cells.len()];
        let at_a_time = if self.exhaustive { splits.len() } else { FOLDS_AT_A_TIME };
        for begin in (0..splits.len()).step_by(at_a_time) {
            let folds = begin..splits.len().min(begin + at_a_time);
            if !trials.run(&loose, &mut table, &alive, folds, &mut left, false)? {
                return Ok(table);
            }
            if !self.exhaustive {
                let values: Vec<&[f64]> = alive.iter().map(|&at| &table.cells[at].values[0][..]).collect();
                let given_up = hopeless(&values, &self.metrics[0]);
                alive = alive.into_iter().zip(given_up).filter(|(_, up)| !up).map(|(at, _)| at).collect();
            }
        }
        let reached = if self.screening > 1.0 { Look::Screened } else { Look::Exact };
        alive.iter().for_each(|&at| table.cells[at].look = reached);
        if reached == Look::Screened {
            let near = table.near_best()?;
            let before: Vec<Cell> = near.iter().map(|&at| table.cells[at].clone()).collect();
            near.iter().for_each(|&at| table.cells[at].values.iter_mut().for_each(Vec::clear));
            if !trials.run(&exact, &mut table, &near, 0..splits.len(), &mut left, true)? {
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

/// Who is shown how a search goes, and may end it.
///
/// ```
/// use mercer::evaluation::search::Watch;
/// let watch: Watch<'_, &str> = Watch::nobody();
/// assert!(!(watch.cancelled)());
/// ```
#[derive(Clone, Copy)]
pub struct Watch<'a, K> {
    /// Whether to end it; asked often, from any thread.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
    /// Shown the table whenever kernels have been tried in some folds.
    pub seen: &'a (dyn Fn(&Table<K>) + Sync),
}

impl<K> Watch<'_, K> {
    /// Nobody.
    pub fn nobody() -> Self {
        Watch { cancelled: &|| false, seen: &|_| () }
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

/// Some cells in some folds, over shared kernel values.
struct Trials<'a, M: Candidate, I> {
    plan: Plan,
    memory: u64,
    metrics: &'a [Metric],
    kernels: &'a [M::Kernel],
    costs: &'a [f64],
    items: &'a I,
    targets: &'a M::Targets,
    weights: Vec<f64>,
    splits: &'a [Split],
    watch: Watch<'a, M::Kernel>,
}

/// What came of a cell in a fold: the value of each metric, the seconds that it took, and what it left.
struct Outcome<L> {
    values: Vec<f64>,
    seconds: f64,
    left: L,
}

impl<M, I> Trials<'_, M, I>
where
    M: Candidate,
    I: Items<Owned = I>,
    M::Kernel: BulkKernel<I>,
{
    /// Adds the values of these cells in these folds to the table, and says whether all are there. `left` has, for each cell,
    /// what its answers in the folds left; if they are tried `again`, they begin there.
    fn run(
        &self,
        machine: &M,
        table: &mut Table<M::Kernel>,
        cells: &[usize],
        folds: Range<usize>,
        left: &mut [Vec<M::Left>],
        again: bool,
    ) -> Result<bool> {
        let threads = self.plan.workers.threads();
        let by_kernel: Vec<&[usize]> =
            cells.chunk_by(|a, b| a / self.costs.len() == b / self.costs.len()).collect();
        // As many kernels side by side as there are threads, so that all threads have the same number of folds.
        for some in by_kernel.chunks(threads) {
            let parts = |of_kernel: &&[usize]| {
                let kernel = &self.kernels[of_kernel[0] / self.costs.len()];
                Parts::new(kernel, self.items, &self.plan, self.memory, threads + some.len() - 1)
            };
            let parts = some.iter().map(parts).collect::<Result<Vec<_>>>()?;
            let seen = &*left;
            let tried = self.plan.workers.map_one_by_one(some.len() * folds.len(), |task| {
                let (of_kernel, fold) = (task / folds.len(), folds.start + task % folds.len());
                let (parts, cells) = (&parts[of_kernel], some[of_kernel]);
                let begin = again.then(|| cells.iter().map(|&at| seen[at][fold].clone()).collect::<Vec<_>>());
                self.fold(machine, cells, parts, &self.splits[fold], begin.as_deref())
            });
            let tried = tried.into_iter().collect::<Result<Vec<_>>>()?;
            if (self.watch.cancelled)() {
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
            (self.watch.seen)(table);
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
        let kernel = &self.kernels[cells[0] / self.costs.len()];
        let machine = machine.clone().with_kernel(kernel.clone());
        let costs: Vec<f64> = cells.iter().map(|at| self.costs[at % self.costs.len()]).collect();
        let convex = kernel.definiteness() == Definiteness::Guaranteed;
        let control = |_: &_| if (self.watch.cancelled)() { Control::Cancel } else { Control::Continue };
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
                let values = self.metrics.iter().map(|metric| compared.value(metric));
                Ok(Outcome { values: values.collect::<Result<_>>()?, seconds, left })
            })
            .collect()
    }
}

//! Every kernel with every cost, trained once on all rows and judged by what these rows tell.

use std::sync::Arc;
use std::time::Instant;

use super::{Cell, Criterion, Grid, Look, Table, Watch};
use crate::data::{Examples, Items, Labels, TargetList};
use crate::error::{Error, Result};
use crate::evaluation::bounds::{Wishes, of_formulation};
use crate::evaluation::estimates::{
    Estimate, Parts, Solved, check_budget, estimates_of_parts, estimates_of_solved,
};
use crate::evaluation::trials::for_trials;
use crate::gram::{BulkKernel, Plan, Precision, Room, SymmetricGram, hold};
use crate::kernel::Definiteness;
use crate::machine::{FitOptions, PairMachines, PairReport, Slack, SvcFit, SvcParams};
use crate::resources::Workers;
use crate::solver::{Control, Status};

/// Bytes of a kernel value, and of all that a kernel may take for each pair of rows: K, and the inverse of the span rules.
const VALUE: u64 = 8;
const ALL: u64 = 32;

/// A search that holds no row out: every kernel with every cost is trained once on all rows, and the setting with the least
/// value of a criterion is best.
///
/// It is faster than cross-validation by about the number of folds, and all rows are learned from; how the criteria compare
/// with it, and with each other, is in `docs/criteria.md`. What a setting is worth on new rows it does not tell: an estimate that
/// was minimised is too good, and most criteria are bounds.
///
/// ```
/// use mercer::data::{Examples, Labels, Random, Vectors};
/// use mercer::evaluation::search::{ByCriterion, Grid, Watch};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let mut random = Random::new(3);
/// let points: Vec<[f64; 2]> = (0..80).map(|_| [random.normal(), random.normal()]).collect();
/// let inside = points.iter().map(|p| if p[0] * p[0] + p[1] * p[1] < 1.2 { "in" } else { "out" });
/// let (labels, rows) = (Labels::from_text(inside), Vectors::from_rows(&points)?);
/// let kernels = vec!["linear".parse::<Expression>()?, "gaussian(gamma=0.5)".parse()?];
/// let (grid, machine) = (Grid { kernels: kernels.clone(), costs: vec![1.0, 10.0] }, Svc::params(kernels[0].clone()));
/// let search = ByCriterion::new("span".parse()?);
/// let table = search.search(&machine, &grid, Examples::new(&rows, &labels), Watch::nobody())?;
/// // A circle is no half-plane.
/// assert_eq!((table.best().unwrap().kernel, table.cells.len()), (1, 4));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByCriterion {
    /// What decides; the least is best.
    pub criterion: Criterion,
    /// δ: how likely it may be that a bound fails; 0.05 unless said otherwise, and of no concern to estimates.
    pub delta: f64,
    /// From how many settings a bound is chosen; `None` for those of the grid.
    pub choices: Option<usize>,
    /// Whether each class is told from all others; otherwise, and by default, from each of them. Only estimates know of it.
    pub against_rest: bool,
}

/// What stands beside the kernel.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Beside {
    Cost,
    Nu,
    Nothing,
}

/// What came of a cell: no value if a bound says nothing for want of convergence.
pub(super) struct Outcome {
    pub value: Option<f64>,
    pub seconds: f64,
}

/// What is tried beside kernels, ascending.
pub(super) struct Tried {
    pub beside: Beside,
    pub values: Vec<f64>,
}

impl ByCriterion {
    /// By this criterion, a bound with δ = 0.05.
    pub fn new(criterion: Criterion) -> Self {
        ByCriterion { criterion, delta: 0.05, choices: None, against_rest: false }
    }

    /// Compares the kernels and costs of a grid. The table has one value for each setting, whose [`Look`] is `Exact`.
    ///
    /// - A machine with a share ν is tried with the costs of the grid as shares, by [`Criterion::Bound`]; with its own ν if there are
    ///   none. The estimates are about machines that have a cost.
    /// - The alignments know no cost: there is a setting for each kernel.
    /// - Of more than two classes the criterion is its mean over the pairs, each counted by its rows, or over the classes if each is
    ///   told from the rest.
    /// - A bound that says nothing since the training has not converged leaves its setting without a value.
    ///
    /// Kernel values are computed in double precision, once for all costs while 16n² bytes are within the memory of the machine's
    /// options (for leave-one-out 8n² always), else by the rows that are asked for. Along ascending costs every training begins where the one before
    /// ended: a value may differ from that of a single training by what the tolerance leaves open. Where 32n² bytes for each are there, kernels are tried side by side, as many as there are threads, each with one;
    /// the outcome does not depend on their number. If it is cancelled, what was done so far is returned.
    ///
    /// # Errors
    /// [`Error::Empty`] without kernels or costs, [`Error::Parameter`] for a cost, share or δ that makes no sense,
    /// [`Error::Unsupported`] for a criterion that does not know the machine; those of kernels, fits and
    /// [`estimates`](crate::evaluation::estimates::estimates).
    pub fn search<K, I>(
        &self,
        machine: &SvcParams<K>,
        grid: &Grid<K>,
        examples: Examples<'_, I, Labels>,
        watch: Watch<'_, K, Criterion>,
    ) -> Result<Table<K, Criterion>>
    where
        K: Clone + Sync + BulkKernel<I>,
        I: Items,
    {
        examples.check()?;
        let slack = machine.clone().check()?.slack();
        let beside = match slack {
            Slack::None => Beside::Nothing,
            _ if !self.criterion.knows_cost() => Beside::Nothing,
            Slack::Nu { .. } if grid.costs.is_empty() => Beside::Nothing,
            Slack::Nu { .. } => Beside::Nu,
            Slack::Linear | Slack::Quadratic => Beside::Cost,
        };
        if self.against_rest && self.criterion == Criterion::Bound {
            let what =
                "the bound is about two classes: of one class against the rest there are estimates only"
                    .into();
            return Err(Error::Unsupported { what });
        }
        let costs = if beside == Beside::Nothing { vec![1.0] } else { grid.costs.clone() };
        let tried = Tried::new(grid, beside, costs)?;
        let with = |value: f64| match beside {
            Beside::Cost => machine.clone().cost(value),
            Beside::Nu => machine.clone().slack(Slack::Nu { nu: value }),
            Beside::Nothing => machine.clone(),
        };
        let machines: Vec<SvcParams<K>> =
            tried.values.iter().map(|&value| with(value).probability(None)).collect();
        // Before any kernel value is computed.
        for machine in &machines {
            machine.clone().check()?.costs(examples.targets, examples.items.len(), examples.weights)?;
        }
        let choices = self.choices.unwrap_or(grid.kernels.len() * tried.values.len());
        let wishes = Wishes { delta: self.delta, choices, ..Wishes::default() };
        wishes.check()?;
        let trials = Trials { search: self, wishes, machines, examples, cancelled: watch.cancelled };
        let along = |options: &FitOptions, gram: &dyn SymmetricGram, convex: bool| match self.criterion {
            Criterion::Estimate(estimate) => trials.by_estimate(gram, estimate, options),
            Criterion::Bound => trials.by_bound(gram, convex, options),
        };
        self.compare((grid, &tried), machine.fit_options(), examples, watch, &along)
    }

    /// What comes of every kernel, each of them with all that is tried beside it: `along` is given its values.
    pub(super) fn compare<K, I, Y>(
        &self,
        (grid, tried): (&Grid<K>, &Tried),
        options: &FitOptions,
        examples: Examples<'_, I, Y>,
        watch: Watch<'_, K, Criterion>,
        along: &Along<'_>,
    ) -> Result<Table<K, Criterion>>
    where
        K: Clone + Sync + BulkKernel<I>,
        I: Items,
        Y: TargetList,
    {
        let plan = Plan { precision: Precision::F64, ..options.plan(examples.items.len())? };
        let resolve = |kernel: &K| kernel.resolve_by(examples.items, examples.weights, &plan);
        let kernels = grid.kernels.iter().map(resolve).collect::<Result<Vec<_>>>()?;
        let beside = tried.beside;
        let cell = |kernel: usize, value: f64| Cell {
            nu: (beside == Beside::Nu).then_some(value),
            ..Cell::new(kernel, (beside == Beside::Cost).then_some(value), 1)
        };
        let cells =
            (0..kernels.len()).flat_map(|kernel| tried.values.iter().map(move |&value| cell(kernel, value)));
        let mut table = Table { metrics: vec![self.criterion], cells: cells.collect(), kernels };

        let n = examples.items.len() as u64;
        let room = options.memory / n.saturating_mul(n).saturating_mul(ALL).max(1);
        let side_by_side = (plan.workers.threads() as u64).min(room).max(1) as usize;
        let workers = plan.workers.clone();
        let (options, plan) = match side_by_side {
            1 => (options.clone(), plan),
            _ => (for_trials(options), Plan { workers: Arc::new(Workers::serial()), ..plan }),
        };
        let of_kernel = |kernel: &K| self.of_kernel(kernel, examples.items, (&options, &plan), along);
        for first in (0..grid.kernels.len()).step_by(side_by_side) {
            let some = &table.kernels[first..grid.kernels.len().min(first + side_by_side)];
            let found = match some {
                [one] => vec![of_kernel(one)],
                _ => workers.map_one_by_one(some.len(), |at| of_kernel(&some[at])),
            };
            for (at, outcomes) in found.into_iter().enumerate() {
                for (place, Outcome { value, seconds }) in outcomes?.into_iter().enumerate() {
                    let cell = &mut table.cells[(first + at) * tried.values.len() + place];
                    cell.seconds = seconds;
                    if let Some(value) = value.filter(|value| value.is_finite()) {
                        cell.values[0].push(value);
                        cell.look = Look::Exact;
                    }
                }
            }
            if (watch.cancelled)() {
                break;
            }
            (watch.seen)(&table);
        }
        Ok(table)
    }

    /// What comes of everything that is tried with this kernel; fewer if it is cancelled.
    fn of_kernel<K: BulkKernel<I>, I: Items>(
        &self,
        kernel: &K,
        items: &I,
        (options, plan): (&FitOptions, &Plan),
        along: &Along<'_>,
    ) -> Result<Vec<Outcome>> {
        let n = items.len();
        let layout = kernel.layout(items, plan)?;
        let convex = kernel.definiteness() == Definiteness::Guaranteed;
        let bytes = VALUE.saturating_mul(n as u64).saturating_mul(n as u64);
        let is_exact = self.criterion == Criterion::Estimate(Estimate::LeaveOneOut);
        if is_exact {
            check_budget("leave-one-out", bytes, options.memory)?;
        }
        if is_exact || bytes <= options.memory / 2 {
            let uncached = Plan { cache_bytes: 0, ..plan.clone() };
            let gram = kernel.symmetric(items, &layout, &uncached)?;
            let mut room = Room::default();
            let held = hold(&*gram, &(0..n).collect::<Vec<_>>(), plan.level, &mut room)?;
            return along(options, &*held, convex);
        }
        along(options, &*kernel.symmetric(items, &layout, plan)?, convex)
    }
}

/// What comes of all that is tried beside a kernel, by its values and whether these are known to be positive semi-definite.
pub(super) type Along<'a> = dyn Fn(&FitOptions, &dyn SymmetricGram, bool) -> Result<Vec<Outcome>> + Sync + 'a;

impl Tried {
    /// Refuses a grid that leaves nothing to be tried.
    pub fn new<K>(grid: &Grid<K>, beside: Beside, mut values: Vec<f64>) -> Result<Self> {
        for (what, is_empty) in
            [("kernels to try", grid.kernels.is_empty()), ("costs to try", values.is_empty())]
        {
            if is_empty {
                return Err(Error::Empty { what });
            }
        }
        values.sort_by(f64::total_cmp);
        Ok(Tried { beside, values })
    }
}

/// All that is the same for all kernels.
struct Trials<'a, K, I> {
    search: &'a ByCriterion,
    wishes: Wishes,
    /// By ascending costs, or shares.
    machines: Vec<SvcParams<K>>,
    examples: Examples<'a, I, Labels>,
    cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<K: Clone, I> Trials<'_, K, I> {
    fn by_estimate(
        &self,
        gram: &dyn SymmetricGram,
        estimate: Estimate,
        options: &FitOptions,
    ) -> Result<Vec<Outcome>> {
        let Examples { targets, weights, .. } = self.examples;
        let parts = if self.search.against_rest { Parts::Rest } else { Parts::Pairs };
        let mut outcomes = Vec::new();
        let mut before: Vec<Solved<'_>> = Vec::new();
        for machine in &self.machines {
            let begun = Instant::now();
            let machine = machine.clone().options(options.clone()).check()?;
            let value = if estimate.is_alignment() {
                estimates_of_parts(&[estimate], &machine, gram, targets, weights, parts)?[0]
            } else {
                before = Solved::after(&machine, gram, (targets, weights, parts), &before, self.cancelled)?;
                if (self.cancelled)() {
                    break;
                }
                estimates_of_solved(&[estimate], &before)?[0]
            };
            outcomes.push(Outcome { value: Some(value), seconds: begun.elapsed().as_secs_f64() });
        }
        Ok(outcomes)
    }

    fn by_bound(&self, gram: &dyn SymmetricGram, convex: bool, options: &FitOptions) -> Result<Vec<Outcome>> {
        let Examples { targets, weights, .. } = self.examples;
        let control = |_: &_| if (self.cancelled)() { Control::Cancel } else { Control::Continue };
        let mut outcomes = Vec::new();
        let mut before: Option<PairMachines> = None;
        for machine in &self.machines {
            let begun = Instant::now();
            let machine = machine.clone().options(options.clone()).check()?;
            let SvcFit { pairs, .. } = match &before {
                None => machine.fit_gram(gram, targets, weights, convex, &control)?,
                Some(before) => machine.fit_gram_from(gram, targets, weights, convex, before, &control)?,
            };
            if (self.cancelled)() {
                break;
            }
            let is_solved = |report: &PairReport| report.status == Status::Converged;
            let value = match pairs.reports.iter().all(is_solved) {
                true => Some(self.bound_of(&pairs)?),
                false => None,
            };
            outcomes.push(Outcome { value, seconds: begun.elapsed().as_secs_f64() });
            before = Some(pairs);
        }
        Ok(outcomes)
    }

    /// The mean of the pairs' bounds, each counted by its rows.
    fn bound_of(&self, pairs: &PairMachines) -> Result<f64> {
        let (mut sum, mut all) = (0.0, 0.0);
        for report in &pairs.reports {
            let bound = of_formulation(report, &self.wishes)?;
            let rows = report.sample.as_ref().map_or(0.0, |sample| sample.rows as f64);
            sum += rows * bound.value;
            all += rows;
        }
        Ok(sum / all)
    }
}

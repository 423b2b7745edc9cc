//! Training in the precision that it takes: single where that is enough, which is measured, else double.

use std::time::Instant;

use super::FitOptions;
use super::rounding;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Gram, Plan, Precision, SymmetricGram};
use crate::resources::Workers;
use crate::solver::{Settings, Status, Stop};

/// How much of the accuracy that the user wants is left to the solver, at first, and at least.
const SINGLE_SHARE: f64 = 0.75;
const LEAST_SHARE: f64 = 0.05;
const DOUBLE_SHARE: f64 = 0.999;

/// Products of larger kernel values are no numbers.
const LARGEST_VALUE: f64 = 1e150;

/// Functions Σᵢ βᵢ k(xᵢ, ·) + b over some of the training items.
pub(super) trait Decides {
    /// The items, as positions in the training set.
    fn support(&self) -> &[usize];

    /// How many functions there are.
    fn outputs(&self) -> usize;

    /// For each column of `gram`, whose rows `rows[i]` are the support items, the values of all functions.
    fn decisions(&self, gram: &dyn Gram, rows: &[usize], workers: &Workers) -> Result<Vec<f64>>;
}

/// A training that can be tried in one precision and taken up in another.
pub(super) trait Attempt {
    /// What is learned.
    type Machine: Decides;
    /// What the solver gave.
    type Trained;
    /// What was learned, with reports.
    type Fit;

    /// Whether the kernel is known to be positive semi-definite, so that a duality gap means something.
    fn convex(&self) -> bool;

    /// Solves. `share` of the accuracy that the user wants is left to the solver, so that what is found afterwards to
    /// have been lost by rounding can be added. It begins with the coefficients of an earlier machine; products with the
    /// same matrix that are known from a training before need not be computed again.
    fn train(
        &self,
        gram: &dyn SymmetricGram,
        settings: &Settings,
        share: f64,
        earlier: Option<&Self::Machine>,
        before: Option<&Self::Trained>,
    ) -> Result<Self::Trained>;

    /// The functions that were found.
    fn join(&self, trained: &Self::Trained) -> Result<Self::Machine>;

    /// The value of a function at a training row that the solver saw; `None` if the row had no part in it.
    fn seen(&self, trained: &Self::Trained, row: usize, output: usize) -> Option<f64>;

    /// Adds reports; decision values may be wrong by `error`. What came before counts in the effort.
    fn report(
        &self,
        trained: &Self::Trained,
        machine: Self::Machine,
        error: f64,
        before: Option<&Self::Fit>,
    ) -> Self::Fit;

    /// What was learned.
    fn machine<'f>(&self, fit: &'f Self::Fit) -> &'f Self::Machine;

    /// How the problems ended, and the steps that the longest took.
    fn ends(&self, fit: &Self::Fit) -> (Vec<Status>, u64);
}

/// Where a training of the same items begins.
pub(super) struct Earlier<'a, A: Attempt> {
    /// The functions that were found earlier.
    pub machine: Option<&'a A::Machine>,
    /// What the solver gave with the same kernel, in this precision.
    pub trained: Option<(Precision, &'a A::Trained)>,
}

impl<'a, A: Attempt> Earlier<'a, A> {
    /// With functions, if there are any, and nothing else.
    pub fn machine(machine: Option<&'a A::Machine>) -> Self {
        Earlier { machine, trained: None }
    }

    /// What the solver gave, if it was in this precision.
    fn trained(&self, precision: Precision) -> Option<&'a A::Trained> {
        self.trained.filter(|(of, _)| *of == precision).map(|(_, trained)| trained)
    }
}

/// How a Gram matrix was laid out, in which precision, and what came of it.
pub(super) struct Attempted<L, A: Attempt> {
    pub layout: L,
    pub precision: Precision,
    pub trained: A::Trained,
    pub fit: A::Fit,
}

/// Trains on items with a kernel that is resolved on them; `cost` is the largest coefficient that is allowed.
pub(super) fn fit_items<K, I, A>(
    kernel: &K,
    items: &I,
    options: &FitOptions,
    cost: f64,
    earlier: Earlier<'_, A>,
    attempt: &A,
) -> Result<Attempted<K::Layout, A>>
where
    I: Items,
    K: BulkKernel<I> + BulkKernel<I::Owned>,
    A: Attempt,
{
    let plan = options.plan(items.len())?;
    let layout = BulkKernel::<I>::layout(kernel, items, &plan)?;
    let settings = &certified(options.settings(), attempt);
    let train = |layout: &K::Layout,
                 plan: &Plan,
                 settings: &Settings,
                 share,
                 start: Option<&A::Machine>,
                 last: Option<&A::Trained>| {
        let gram = BulkKernel::<I>::symmetric(kernel, items, layout, plan)?;
        check_size(&*gram)?;
        let last = last.or(earlier.trained(plan.precision));
        attempt.train(&*gram, settings, share, start.or(earlier.machine), last)
    };
    let in_double = |layout: K::Layout, plan: &Plan, settings: &Settings, before: Option<&A::Fit>| {
        let start = before.map(|fit| attempt.machine(fit));
        let trained = train(&layout, plan, settings, DOUBLE_SHARE, start, None)?;
        let fit = attempt.report(&trained, attempt.join(&trained)?, 0.0, before);
        Ok(Attempted { layout, precision: plan.precision, trained, fit })
    };
    if plan.precision != Precision::F32 {
        return in_double(layout, &plan, settings, None);
    }

    // Single precision: asked for, or tried because there are many rows.
    let automatic = options.precision == Precision::Auto;
    let double = Plan { precision: Precision::F64, ..plan.clone() };
    let double_layout = BulkKernel::<I>::layout(kernel, items, &double)?;
    let (single, precise) = ((&layout, &plan), (&double_layout, &double));
    let (Stop::KktGap(tolerance) | Stop::DualityGap(tolerance)) = settings.stop;
    if automatic && !rounding::single_suffices(kernel, items, single, precise, (cost, tolerance))? {
        return in_double(double_layout, &double, settings, None);
    }
    let begun = Instant::now();
    let mut before: Option<(A::Fit, A::Trained)> = None;
    let mut share = SINGLE_SHARE;
    let used = |before: &Option<(A::Fit, A::Trained)>| before.as_ref().map(|(fit, _)| attempt.ends(fit).1);
    loop {
        let left = left(settings, begun, used(&before));
        let (last_fit, last) = before.as_ref().map(|(fit, trained)| (fit, trained)).unzip();
        let start = last_fit.map(|fit| attempt.machine(fit));
        let trained = train(&layout, &plan, &left, share, start, last)?;
        let machine = attempt.join(&trained)?;
        let seen = |row, output| attempt.seen(&trained, row, output);
        let error = rounding::decision_error(kernel, items, &machine, &seen, precise)?;
        let fit = attempt.report(&trained, machine, error, last_fit);
        let ends = attempt.ends(&fit).0;
        // Where a limit has ended it, there is nothing left to try again with.
        let ended = ends.contains(&Status::TimeLimit) || ends.contains(&Status::Cancelled);
        if ended || is_short(settings, begun) || !ends.contains(&Status::NumericalLimit) {
            return Ok(Attempted { layout, precision: plan.precision, trained, fit });
        }
        before = Some((fit, trained));
        // Rounding took more than was set aside for it: set aside what it takes, if that leaves enough. Where
        // that is less than was set aside, it was not for rounding that the solver gave up.
        let left_by_rounding = match settings.stop {
            Stop::KktGap(tolerance) => 1.0 - 2.1 * error / tolerance,
            Stop::DualityGap(_) => 0.0,
        };
        if !(LEAST_SHARE..share).contains(&left_by_rounding) {
            break;
        }
        share = left_by_rounding.min(0.9 * share);
    }
    match before {
        Some((fit, trained)) if !automatic => {
            Ok(Attempted { layout, precision: plan.precision, trained, fit })
        }
        before => {
            let left = left(settings, begun, used(&before));
            in_double(double_layout, &double, &left, before.as_ref().map(|(fit, _)| fit))
        }
    }
}

/// Trains on a Gram matrix.
pub(super) fn fit_gram<A: Attempt>(
    gram: &dyn SymmetricGram,
    settings: &Settings,
    earlier: Option<&A::Machine>,
    attempt: &A,
) -> Result<A::Fit> {
    Ok(fit_gram_after(gram, settings, Earlier::machine(earlier), attempt)?.1)
}

/// The same, with what the solver gave: the start of a training on the same matrix with another cost.
pub(super) fn fit_gram_after<A: Attempt>(
    gram: &dyn SymmetricGram,
    settings: &Settings,
    earlier: Earlier<'_, A>,
    attempt: &A,
) -> Result<(A::Trained, A::Fit)> {
    check_size(gram)?;
    let settings = &certified(settings.clone(), attempt);
    let share = if gram.precision() == Precision::F32 { SINGLE_SHARE } else { DOUBLE_SHARE };
    let trained = attempt.train(gram, settings, share, earlier.machine, earlier.trained(gram.precision()))?;
    let fit = attempt.report(&trained, attempt.join(&trained)?, 0.0, None);
    Ok((trained, fit))
}

/// The settings with the largest duality gap that may stand beside a status, unless the machine has set it already.
fn certified<A: Attempt>(settings: Settings, attempt: &A) -> Settings {
    let largest_gap = match settings.largest_gap {
        f64::INFINITY if attempt.convex() => settings.stop.largest_gap(),
        largest_gap => largest_gap,
    };
    Settings { largest_gap, ..settings }
}

/// Whether so much of the time is used up that another attempt, which begins with all decision values, has little left.
fn is_short(settings: &Settings, begun: Instant) -> bool {
    settings.max_time.is_some_and(|limit| 2 * begun.elapsed() > limit)
}

/// The settings with what is left of the limits; `used` are the steps taken already.
fn left(settings: &Settings, begun: Instant, used: Option<u64>) -> Settings {
    let Some(used) = used else { return settings.clone() };
    Settings {
        max_time: settings.max_time.map(|limit| limit.saturating_sub(begun.elapsed())),
        max_iterations: settings.max_iterations.saturating_sub(used),
        ..settings.clone()
    }
}

/// Refuses kernel values whose products are beyond the largest number: no step could be told from another.
fn check_size(gram: &dyn SymmetricGram) -> Result<()> {
    match gram.largest() {
        value if value > LARGEST_VALUE => {
            let (name, expected) =
                ("largest k(x, x)", "at most 1e150: scale the features, or take a lower degree");
            Err(Error::Parameter { name, value, expected })
        }
        _ => Ok(()),
    }
}

/// Factors between neighbouring costs beyond which what the one before left is no help: its coefficients, stretched so far, are
/// mostly rounding.
const FAR_APART: f64 = 1e6;

/// Whether a training on a path of costs begins where the one before it ended.
pub(super) fn goes_on(costs: &[f64], at: usize) -> bool {
    at > 0 && {
        let (before, now) = (costs[at - 1], costs[at]);
        now.max(before) / now.min(before) <= FAR_APART
    }
}

/// Refuses a path with a cost that is none.
pub(super) fn check_path(costs: &[f64]) -> Result<()> {
    match costs.iter().position(|cost| !(*cost > 0.0 && cost.is_finite())) {
        Some(index) => {
            let (what, expected) = ("cost of the path", "a finite number above 0");
            Err(Error::Entry { what, index, value: costs[index], expected })
        }
        None => Ok(()),
    }
}

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

    /// The status of each problem.
    fn statuses<'f>(&self, fit: &'f mut Self::Fit) -> Vec<&'f mut Status>;
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
        let mut fit = attempt.report(&trained, machine, error, last_fit);
        let ends = attempt.ends(&fit).0;
        if !ends.contains(&Status::NumericalLimit) {
            return Ok(Attempted { layout, precision: plan.precision, trained, fit });
        }
        // Rounding took more than was set aside for it: set aside what it takes, if that leaves enough. Where
        // that is less than was set aside, it was not for rounding that the solver gave up.
        let left_by_rounding = match settings.stop {
            Stop::KktGap(tolerance) => 1.0 - 2.1 * error / tolerance,
            Stop::DualityGap(_) => 0.0,
        };
        let again = (LEAST_SHARE..share).contains(&left_by_rounding);
        // Another attempt would follow: where a limit leaves no room for it, the limit has ended the fit and not the precision.
        let limit = match ends.contains(&Status::Cancelled) {
            true => Some(Status::Cancelled),
            false => {
                (ends.contains(&Status::TimeLimit) || is_short(settings, begun)).then_some(Status::TimeLimit)
            }
        };
        if let Some(limit) = limit {
            let statuses = attempt.statuses(&mut fit).into_iter();
            if again || automatic {
                statuses
                    .filter(|status| **status == Status::NumericalLimit)
                    .for_each(|status| *status = limit);
            }
            return Ok(Attempted { layout, precision: plan.precision, trained, fit });
        }
        before = Some((fit, trained));
        if !again {
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::expansion::{Expansion, ExpansionFit, OneProblem, Solved};
    use super::*;
    use crate::data::Vectors;
    use crate::kernel::Expression;
    use crate::solver::{Control, DualProblem};

    /// What time is allowed, and that a training in single precision takes.
    const TIME: Duration = Duration::from_millis(5);
    /// What decision values in single precision are wrong by: twice the tolerance.
    const ERROR: f64 = 2e-3;

    /// A problem that single precision solves too roughly, and not before the time is over.
    struct Rounded<'a>(OneProblem<'a>);

    impl Attempt for Rounded<'_> {
        type Machine = Expansion;
        type Trained = Solved;
        type Fit = ExpansionFit;

        fn convex(&self) -> bool {
            self.0.convex()
        }

        fn train(
            &self,
            gram: &dyn SymmetricGram,
            settings: &Settings,
            share: f64,
            earlier: Option<&Expansion>,
            before: Option<&Solved>,
        ) -> Result<Solved> {
            if gram.precision() == Precision::F32 {
                std::thread::sleep(TIME);
                // The solver itself ends before any limit.
                let settings = Settings { max_time: None, ..settings.clone() };
                return self.0.train(gram, &settings, share, earlier, before);
            }
            self.0.train(gram, settings, share, earlier, before)
        }

        fn join(&self, solved: &Solved) -> Result<Expansion> {
            self.0.join(solved)
        }

        fn seen(&self, solved: &Solved, row: usize, output: usize) -> Option<f64> {
            self.0.seen(solved, row, output).map(|value| value + ERROR)
        }

        fn report(
            &self,
            solved: &Solved,
            expansion: Expansion,
            error: f64,
            before: Option<&ExpansionFit>,
        ) -> ExpansionFit {
            self.0.report(solved, expansion, error, before)
        }

        fn machine<'f>(&self, fit: &'f ExpansionFit) -> &'f Expansion {
            self.0.machine(fit)
        }

        fn ends(&self, fit: &ExpansionFit) -> (Vec<Status>, u64) {
            self.0.ends(fit)
        }

        fn statuses<'f>(&self, fit: &'f mut ExpansionFit) -> Vec<&'f mut Status> {
            self.0.statuses(fit)
        }
    }

    #[test]
    fn what_rounding_left_and_no_time_was_for_ended_at_the_time_limit() {
        let rows: Vec<[f64; 2]> =
            (0..2100).map(|i| [0.37, 0.73].map(|step| 3.0 * (f64::from(i) * step).sin())).collect();
        let positive: Vec<bool> = rows.iter().map(|[x, y]| x * y > 0.0).collect();
        let rows = Vectors::from_rows(&rows).unwrap();
        let side =
            |value: f64, of: bool| positive.iter().map(|&p| if p == of { value } else { 0.0 }).collect();
        let signs = positive.iter().map(|&p| if p { -1.0 } else { 1.0 }).collect::<Vec<f64>>();
        let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
        let ended = |precision: Precision, max_time: Option<Duration>| {
            let problem = Rounded(OneProblem {
                build: &|_| DualProblem::new(signs.clone(), side(-1.0, false), side(1.0, true)),
                offset: &|_| 0.0,
                shift: &|_| 0.0,
                rounding: 0.0,
                convex: true,
                observer: &|_| Control::Continue,
            });
            let solver = Settings { max_time, ..Settings::default() };
            let options = FitOptions { solver, precision, ..FitOptions::default() };
            let found = fit_items(&kernel, &rows, &options, 1.0, Earlier::machine(None), &problem).unwrap();
            (found.fit.report.status, found.precision)
        };
        // Double precision would have followed: it was for want of time that it did not.
        assert_eq!(ended(Precision::Auto, Some(TIME)), (Status::TimeLimit, Precision::F32));
        assert_eq!(ended(Precision::Auto, None), (Status::Converged, Precision::F64));
        // Where nothing would have followed, time makes no difference.
        assert_eq!(ended(Precision::F32, Some(TIME)), (Status::NumericalLimit, Precision::F32));
        assert_eq!(ended(Precision::F32, None), (Status::NumericalLimit, Precision::F32));
    }
}

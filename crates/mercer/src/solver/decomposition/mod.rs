//! The large-working-set method with lazy rows.
//!
//! ```text
//! repeat
//!   scan     the scores of all active variables; stop when no pair violates the conditions by more than the tolerance
//!   choose   a working set W: part of the old one, and the worst violators
//!   fill     the new rows of K[W, W]
//!   solve    the problem restricted to W by conjugate SMO, or by an interior-point method where that takes too long
//!   add      the rows of K of those members that really changed to the gradient
//!   shrink   variables that are settled at a bound
//! ```
//!
//! Rows of K are asked for only when a coefficient has changed (oneDAL and ThunderSVM ask for all rows of W
//! before they solve it), which is what makes a large W affordable. W grows with the number of free variables;
//! where it comes near to all active ones it takes them all. All decisions depend on the numbers alone, never on threads, clocks or caches.

mod best;
pub(super) mod block;
mod bounded;
pub(super) mod inner;
pub(super) mod patience;
mod restricted;
pub(super) mod scan;
mod shrinking;
pub(super) mod working_set;

use std::time::Instant;

use self::best::Best;
use self::block::{BlockValue, GramBlock, Square};
use self::bounded::check_bounded;
use self::inner::{Outcome, Summary};
use self::patience::{Stubborn, Undone};
use self::restricted::{Arrays, Restricted};
use self::scan::LANES;
use self::shrinking::ActiveSet;
use self::working_set::{WorkingSet, most_violating};
use super::stall::{Remedy, Stall};
use super::variables::{Extremes, Variables, largest_gap};
use super::{Control, DualProblem, DualSolution, Groups, Progress, Settings, Status};
use crate::error::Result;
use crate::gram::{Precision, SymmetricGram};

/// Members of the first working set of a problem with few or with many variables.
const FIRST_SIZE: (usize, usize) = (128, 1024);
/// Variables from which on they are many.
const LARGE: usize = 8192;
/// Most members of a working set where they are few.
const LARGEST_OF_FEW: usize = 2048;
/// The part of the gap that a working set is solved to: from nothing, and from a start, which has most of the variables that
/// count where they count, so that a set is worth solving well.
const INNER_GAP: (f64, f64) = (0.1, 0.01);
/// Where K is in memory, the working set is all of it if that is no more than so many times what it would have.
const NEAR_WHOLE: usize = 2;
/// Inner steps between two looks at the limits, per member of the working set.
const STEPS_PER_MEMBER: u64 = 100;
/// Rounds without progress, per round that it takes to have every variable in the working set once, after
/// which the gradient is computed anew, and then given up.
const PATIENCE: u32 = 20;
/// The same where a round has all variables in its working set.
const PATIENCE_WHOLE: u32 = 3;

/// Rounds in succession that rounding undoes, after which the endgame is tried, and after which it is given up.
const UNDONE_ROUNDS: (u32, u32) = (8, 20);

/// Iterates after an endgame that bring the gap no lower, where rounding is larger than the tolerance.
const AFTER_ENDGAME: u32 = 10;

/// Last digits by which a term of a score may be wrong.
const LAST_DIGITS: f64 = 4.0;

/// Solves a problem that has been checked.
pub(super) fn solve(
    gram: &dyn SymmetricGram,
    problem: &DualProblem,
    settings: &Settings,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<DualSolution> {
    match gram.precision() {
        Precision::F32 => Solver::<f32>::new(gram, problem, settings)?.run(observer),
        _ => Solver::<f64>::new(gram, problem, settings)?.run(observer),
    }
}

struct Solver<'a, T: BlockValue> {
    gram: &'a dyn SymmetricGram,
    settings: &'a Settings,
    variables: Variables<'a>,
    active: ActiveSet<'a>,
    set: WorkingSet,
    block: GramBlock<T>,
    /// All of K, if it is in memory and can be swept over as it is.
    held: Option<&'a [T]>,
    /// Whether the working set is all variables in order, so that its Gram block is K.
    whole: bool,
    arrays: Arrays,
    stubborn: Stubborn,
    undone: Undone,
    best: Best,
    /// Σ |change of β| k(x, x) since the gradient was computed from nothing: each term may have left its last digit in it.
    travelled: f64,
    /// Flags for the choice of the working set, all false between rounds.
    flags: Vec<bool>,
    /// Most members the working set may have now, and ever.
    size: usize,
    largest: usize,
    /// max |p|; infinite if all are 0, so that scores are compared with nothing but each other.
    largest_linear: f64,
    /// The KKT gap that is aimed at.
    tolerance: f64,
    /// ½ βᵀQβ + pᵀβ + Σε|β|, kept up to date by the decrease of each step.
    objective: f64,
    /// The sum of these decreases, which tells progress where the objective is too large to show it.
    decrease: f64,
    begun: Instant,
    /// Why the last round was cut short, if it was.
    ended: Option<Status>,
    iterations: u64,
    outer_iterations: u64,
}

impl<'a, T: BlockValue> Solver<'a, T> {
    fn new(gram: &'a dyn SymmetricGram, problem: &'a DualProblem, settings: &'a Settings) -> Result<Self> {
        let begun = Instant::now();
        let n = problem.len();
        let beta = problem.feasible_start()?;
        let mut variables = Variables { problem, f: problem.linear.clone(), beta };
        let mut active = ActiveSet::new(gram, &variables);
        active.begin(&mut variables)?;
        if let Some(known) = &problem.known {
            known.shorten(problem, &mut variables.beta, &mut variables.f);
        }
        let held = held(gram, problem);
        let largest = match held {
            Some(_) => n,
            None if n < LARGE => LARGEST_OF_FEW.min(settings.working_set).min(n),
            None => settings.working_set.min(n),
        };
        let first = if n < LARGE { FIRST_SIZE.0 } else { FIRST_SIZE.1 }.min(largest);
        let objective = variables.objective();
        let largest_linear = problem.linear.iter().fold(0.0f64, |most, p| most.max(p.abs()));
        Ok(Solver {
            largest_linear: if largest_linear > 0.0 { largest_linear } else { f64::INFINITY },
            gram,
            objective,
            decrease: 0.0,
            settings,
            variables,
            active,
            set: WorkingSet::default(),
            block: GramBlock::new(first),
            held,
            whole: false,
            arrays: Arrays::default(),
            stubborn: Stubborn::default(),
            undone: Undone::default(),
            best: Best::default(),
            travelled: 0.0,
            flags: vec![false; n],
            size: first,
            largest,
            tolerance: settings.first_tolerance(),
            begun,
            ended: None,
            iterations: 0,
            outer_iterations: 0,
        })
    }

    fn run(mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<DualSolution> {
        let mut stall = Stall::default();
        let status = loop {
            let extremes = self.variables.extremes(self.active.active.iter().copied());
            let gap = largest_gap(&extremes);
            if let Err(unbounded) = self.check_bounded() {
                if self.travelled == 0.0 {
                    return Err(unbounded);
                }
                // Only a gradient in which no rounding has gathered proves it.
                self.refresh()?;
                continue;
            }
            if self.active.is_complete() {
                self.best.notice(&self.variables, &extremes, self.is_adrift());
            }
            if gap <= self.tolerance {
                if !self.active.is_complete() {
                    self.take_back()?;
                    continue;
                }
                if self.is_adrift() {
                    self.refresh()?;
                    continue;
                }
                match self.accuracy_reached(&extremes, gap) {
                    true => break Status::Converged,
                    false if self.tolerance < self.settings.last_tolerance() => break Status::NumericalLimit,
                    false => {
                        self.tolerance *= 0.25;
                        continue;
                    }
                }
            }
            if let Some(status) = self.ended.or_else(|| self.limit_reached(gap, observer)) {
                break status;
            }
            let grain = self.grain();
            if grain > self.largest_linear {
                // Rounding alone moves scores by more than what they are compared with.
                break Status::NumericalLimit;
            }
            let is_over =
                self.stubborn.answers > 0 && grain > self.tolerance && self.best.since() >= AFTER_ENDGAME;
            if is_over || self.undone.notice(gap) >= UNDONE_ROUNDS.1 {
                break Status::NumericalLimit;
            }
            // Below the grain of the scores, what steps say that they gain is rounding.
            let visible = if gap <= grain { f64::INFINITY } else { T::EPSILON * self.objective.abs() };
            if let Some(step) = stall.notice(gap, self.decrease, visible, self.patience()) {
                match step {
                    Remedy::Refresh => {
                        self.take_back()?;
                        self.refresh()?;
                        continue;
                    }
                    Remedy::GiveUp => break Status::NumericalLimit,
                }
            }
            self.choose_working_set(&extremes);
            let items: Vec<usize> =
                self.set.members.iter().map(|&i| self.variables.problem.item(i)).collect();
            if !self.whole {
                self.block.refresh(self.gram, &items, &self.set.fresh)?;
            }
            let (changed, outcome) = self.solve_working_set(gap, &items, observer);
            if changed.is_empty() && outcome == Outcome::Stalled {
                stall.hasten();
            }
            if self.set.members.len() == self.active.active.len() && !self.whole {
                self.add_rows_of_block(&changed);
            } else {
                let changed: Vec<(usize, f64)> =
                    changed.iter().map(|&(slot, change)| (self.set.members[slot], change)).collect();
                self.active.add_rows(&mut self.variables, &changed)?;
            }
            self.outer_iterations += 1;
            self.shrink(gap);
        };
        self.finish(status)
    }

    fn check_bounded(&self) -> Result<()> {
        match self.active.is_complete() {
            true => check_bounded(&self.variables, self.gram, T::EPSILON),
            false => Ok(()),
        }
    }

    /// Which of the two accuracies was asked for, and is it there?
    fn accuracy_reached(&self, extremes: &[Extremes], gap: f64) -> bool {
        if !self.settings.asks_for_gap() {
            return true;
        }
        let multipliers = self.variables.multipliers(extremes);
        self.settings.accuracy().is_met(&self.variables.evidence(&multipliers, gap).certify())
    }

    fn limit_reached(&self, gap: f64, observer: &mut dyn FnMut(&Progress) -> Control) -> Option<Status> {
        let elapsed = self.begun.elapsed();
        let progress = Progress {
            outer_iterations: self.outer_iterations,
            iterations: self.iterations,
            kkt_gap: gap,
            objective: self.objective,
            support: self.variables.beta.iter().filter(|&&b| b != 0.0).count(),
            active: self.active.active.len(),
            elapsed,
        };
        self.settings.ended(&progress, observer)
    }

    /// How accurately a score Σ βK can be told at all: each term is known to its last digit.
    fn grain(&self) -> f64 {
        let problem = self.variables.problem;
        let terms = self.variables.beta.iter().enumerate().filter(|(_, beta)| **beta != 0.0);
        let size: f64 = terms.map(|(i, beta)| beta.abs() * self.gram.diagonal()[problem.item(i)].abs()).sum();
        LAST_DIGITS * f64::EPSILON * size
    }

    /// Whether rounding may have moved the gradient by more than the tolerance since it was computed from nothing.
    fn is_adrift(&self) -> bool {
        LAST_DIGITS * f64::EPSILON * self.travelled > self.tolerance
    }

    /// The gradient from nothing, where no variable is aside.
    fn refresh(&mut self) -> Result<()> {
        self.travelled = 0.0;
        self.active.recompute(&mut self.variables)
    }

    /// The smaller the working set, the more rounds it takes to see every variable.
    fn patience(&self) -> u32 {
        match self.active.active.len().div_ceil(self.set.members.len().max(1)) {
            1 => PATIENCE_WHOLE,
            rounds => PATIENCE * rounds.min(50) as u32,
        }
    }

    fn choose_working_set(&mut self, extremes: &[Extremes]) {
        let active = &self.active.active;
        let free = active.iter().filter(|&&i| self.variables.is_free(i)).count();
        let wanted = (free + 3 * free / 10 + 128).next_multiple_of(16);
        self.size = wanted.max(self.size).min(self.largest);
        let is_complete = self.active.is_complete();
        if self.held.is_some() && is_complete && active.len() <= NEAR_WHOLE * self.size {
            self.whole = true;
            self.set.take_in_order(active.len());
            return;
        }
        if std::mem::take(&mut self.whole) {
            // The block has been left behind.
            self.set = WorkingSet::default();
        }
        if active.len() <= (5 * self.size / 4).min(self.largest) {
            self.size = self.size.max(active.len());
            self.block.grow(self.size);
            self.set.take_all(active, &mut self.flags);
            return;
        }
        self.block.grow(self.size);
        let variables = &self.variables;
        self.set.choose(
            self.size,
            &mut self.flags,
            |i| variables.is_free(i),
            |wanted, is_member| most_violating(variables, active, extremes, wanted, is_member),
        );
    }

    /// Values of K of the working set.
    fn square(&self) -> Square<'_, T> {
        match self.held {
            Some(values) if self.whole => Square { values, stride: self.set.members.len() },
            _ => self.block.square(),
        }
    }

    /// The gradient's share of the changes when the block holds all active columns.
    fn add_rows_of_block(&mut self, changed: &[(usize, f64)]) {
        let members = &self.set.members;
        for &(slot, change) in changed {
            let row = &self.block.values()[slot * self.block.stride()..][..members.len()];
            for (&i, value) in members.iter().zip(row) {
                self.variables.f[i] += change * value.to_f64();
            }
            let i = members[slot];
            self.variables.f[i] += change * self.variables.problem.diagonal(i);
        }
    }

    /// Solves the problem restricted to the working set; returns the slots that changed and by how much.
    fn solve_working_set(
        &mut self,
        gap: f64,
        items: &[usize],
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> (Vec<(usize, f64)>, Outcome) {
        let members = &self.set.members;
        let mut restricted = Restricted::new(self.gram, &self.variables, members, items);
        let whole = members.len() == self.active.active.len();
        let part = if self.variables.problem.start.is_empty() { INNER_GAP.0 } else { INNER_GAP.1 };
        let tolerance = if whole { self.tolerance } else { (0.5 * self.tolerance).max(part * gap) };
        let mut decrease = 0.0;
        // Taken out for the time being: who looks at the limits looks at all of the solver.
        let mut arrays = std::mem::take(&mut self.arrays);
        let mut ended = None;
        let mut stop = || {
            ended = self.limit_reached(gap, observer);
            ended.is_some()
        };
        let endgame = self.stubborn.is_due(members.len()) || self.undone.rounds == UNDONE_ROUNDS.0;
        let gained = if endgame { restricted.endgame(self.square(), tolerance, &mut stop) } else { 0.0 };
        decrease += gained;
        let steps_left = self.settings.max_iterations - self.iterations;
        let limit = (STEPS_PER_MEMBER * members.len() as u64).max(10_000).min(steps_left);
        let summary = match gained > 0.0 {
            // Where it has led is looked at first: near the end steps by pairs may be nothing but rounding.
            true => Summary { steps: 0, outcome: Outcome::Limit, decrease: 0.0 },
            false => restricted.step_by_pairs(self.square(), &mut arrays, tolerance, limit, &mut stop),
        };
        self.undone.promised = (whole && summary.outcome != Outcome::Limit).then_some(tolerance);
        self.ended = ended;
        self.arrays = arrays;
        if endgame {
            self.stubborn.answered();
        }
        self.stubborn.saw(&summary);
        decrease += summary.decrease;
        self.iterations += summary.steps;
        self.objective -= decrease;
        self.decrease += decrease;

        let mut changed = Vec::new();
        for (slot, (&i, &b)) in members.iter().zip(restricted.beta()).enumerate() {
            let change = b - self.variables.beta[i];
            if change != 0.0 {
                self.variables.beta[i] = b;
                self.travelled += change.abs() * self.gram.diagonal()[items[slot]].abs();
                changed.push((slot, change));
            }
        }
        (changed, summary.outcome)
    }

    fn shrink(&mut self, gap: f64) {
        if !self.settings.shrinking || !self.active.is_worth_shrinking() {
            return;
        }
        let extremes = self.variables.extremes(self.active.active.iter().copied());
        let width = (10.0 * self.tolerance).max(0.5 * gap);
        if self.active.shrink(&self.variables, &extremes, width) {
            let active = &self.active;
            self.set.retain(|i| active.contains(i));
        }
    }

    fn take_back(&mut self) -> Result<()> {
        if self.active.is_complete() { Ok(()) } else { self.active.take_back(&mut self.variables) }
    }

    fn finish(mut self, status: Status) -> Result<DualSolution> {
        self.take_back()?;
        if status != Status::Converged {
            let is_adrift = self.is_adrift();
            std::mem::take(&mut self.best).restore(&mut self.active, &mut self.variables, is_adrift)?;
        }
        let extremes = self.variables.extremes(self.active.active.iter().copied());
        let multipliers = match status {
            Status::Converged => self.variables.multipliers(&extremes),
            _ => self.variables.surest_multipliers(&extremes),
        };
        let certificate = self.variables.evidence(&multipliers, largest_gap(&extremes)).certify();
        let Variables { beta, f, .. } = self.variables;
        Ok(DualSolution {
            coefficients: beta,
            multipliers,
            gradient: f,
            certificate,
            status,
            iterations: self.iterations,
            outer_iterations: self.outer_iterations,
            rows_computed: self.active.rows_computed,
            elapsed: self.begun.elapsed(),
        })
    }
}

/// All of K, where its rows can be swept over in vectors and every variable is its own item.
fn held<'a, T: BlockValue>(gram: &'a dyn SymmetricGram, problem: &DualProblem) -> Option<&'a [T]> {
    let (n, has_sum) = (problem.len(), !matches!(problem.groups, Groups::None));
    let swept = n.saturating_sub(1) * n + n.next_multiple_of(LANES);
    T::held(gram).filter(|values| problem.item.is_empty() && has_sum && n < LARGE && values.len() >= swept)
}

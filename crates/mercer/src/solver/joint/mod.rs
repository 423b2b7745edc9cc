//! Machines that learn one function per class, all of them at once.
//!
//! ```text
//! Weston & Watkins   min ½ Σ_k ‖w_k‖² + Σᵢ Cᵢ Σ_{k≠yᵢ} ξᵢₖ    f_yᵢ(xᵢ) ≥ f_k(xᵢ) + 2 − ξᵢₖ,  ξᵢₖ ≥ 0
//! Crammer & Singer   min ½ Σ_k ‖w_k‖² + Σᵢ Cᵢ ξᵢ             f_yᵢ(xᵢ) ≥ f_k(xᵢ) + 1 − ξᵢ,   ξᵢ ≥ 0
//! ```
//!
//! with f_k(x) = ⟨w_k, φ(x)⟩ + b_k, for Crammer & Singer without b. The multipliers αᵢₖ of the constraints give
//! w_k = Σᵢ τᵢₖ φ(xᵢ), where τᵢₖ = −αᵢₖ for k ≠ yᵢ and τᵢ,yᵢ = Σ_{k≠yᵢ} αᵢₖ. With the margin m = 2 or 1 both duals are
//!
//! ```text
//! min over τ   ½ Σ_k τ_kᵀKτ_k − m Σᵢ τᵢ,yᵢ    subject to   Σ_k τᵢₖ = 0   and
//!   Weston & Watkins   0 ≤ αᵢₖ ≤ Cᵢ, and with offsets   Σᵢ τᵢₖ = 0  for every k, whose multiplier is b_k
//!   Crammer & Singer   0 ≤ αᵢₖ, Σ_k αᵢₖ ≤ Cᵢ
//! ```
//!
//! The method is that of the [decomposition](super::decomposition) in examples instead of variables:
//!
//! ```text
//! repeat
//!   scan     the violations of all active examples; stop when the largest is within the tolerance
//!   choose   a working set of examples: part of the old one, and the worst violators
//!   solve    the problem restricted to it, one example (or with offsets one cycle of classes) at a time, or by an
//!            interior-point method where that takes too long
//!   add      the rows of K of the examples that changed to the values of all k functions, each computed once
//!   shrink   examples that are settled
//! ```
//!
//! The restricted problem of one example has an exact answer ([`crammer_singer`], [`weston_watkins`]); with offsets a step
//! moves along a cycle of classes, so that every iterate is feasible ([`circulation`]). Where C is large and K nearly singular
//! such steps do not end: the interior-point method of [`endgame`] finishes.
//!
//! J. Weston and C. Watkins, *Multi-class support vector machines*, 1998; K. Crammer and Y. Singer, *On the algorithmic
//! implementation of multiclass kernel-based vector machines*, JMLR 2, 2001.

mod active;
mod best;
mod circulation;
mod crammer_singer;
mod endgame;
mod example;
mod inner;
mod problem;
mod weston_watkins;

use std::time::{Duration, Instant};

pub(crate) use crammer_singer::solve as solve_example;
pub(crate) use example::Example;
pub use problem::{Joint, JointProblem};

use self::active::Examples;
use self::best::Best;
use self::circulation::Edges;
use self::inner::{Restricted, Summary};
use super::decomposition::block::{BlockValue, GramBlock};
use super::decomposition::patience::Stubborn;
use super::decomposition::working_set::WorkingSet;
use super::stall::{Remedy, Stall};
use super::{Certificate, Control, Progress, Settings, Status};
use crate::error::{Error, Result};
use crate::gram::{Precision, SymmetricGram};
use crate::resources::Workers;

/// Members of the first working set, and the most that there are.
const SIZES: (usize, usize) = (128, 2048);
/// Inner steps between two looks at the limits, per member of the working set.
const STEPS_PER_MEMBER: u64 = 50;
/// Rounds without progress, per round that it takes to see every example once, after which the values are computed anew,
/// and then given up.
const PATIENCE: u32 = 20;

/// A feasible τ with all that is known about its quality. Whatever the status, it can be used.
#[derive(Clone, Debug)]
pub struct JointSolution {
    /// τ: k numbers per item; f_k(x) = Σᵢ τᵢₖ k(xᵢ, x) + b_k.
    pub coefficients: Vec<f64>,
    /// b, one per class; they sum to 0, and all are 0 where there are none.
    pub offsets: Vec<f64>,
    /// Σⱼ τⱼₖ k(xⱼ, xᵢ), without offsets: k numbers per item.
    pub values: Vec<f64>,
    /// How far from optimal. With offsets the KKT gap is twice the mean violation along the worst cycle of classes,
    /// which for two classes is that of the worst pair.
    pub certificate: Certificate,
    /// Why the solver stopped.
    pub status: Status,
    /// Steps of the inner method.
    pub iterations: u64,
    /// Working sets solved.
    pub outer_iterations: u64,
    /// Rows of K that were asked for in full (over all columns not put aside).
    pub rows_computed: u64,
    /// Wall time.
    pub elapsed: Duration,
}

/// Solves a joint problem over this Gram matrix.
///
/// Memory: 3 n·k numbers and a block of K for the working set, of at most 2048 examples or what the settings say. A step of the inner method takes O(q·k) operations for q
/// members; every round asks for the rows of K of the examples that changed, once for all classes.
///
/// The observer is called at every outer iteration; what it returns decides whether to go on. Whatever ends the solve,
/// the solution is feasible and its certificate is true.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::resources::Workers;
/// use mercer::solver::{Control, Joint, JointProblem, Settings, solve_joint};
///
/// // Two points at ±1 on the line: w₁ = −w₀ = ½ has the margin f_y − f_k = 1 that Crammer and Singer ask for.
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let problem = JointProblem::new(Joint::CrammerSinger, 2, vec![0, 1], vec![10.0, 10.0]);
/// let (settings, workers) = (Settings::default(), Workers::serial());
/// let solution = solve_joint(&gram, &problem, &settings, &workers, &mut |_| Control::Continue)?;
/// assert!((solution.values[3] - 0.5).abs() < 1e-3);
/// assert!(solution.certificate.relative_gap() < 1e-2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// A malformed problem, or a kernel that fails. Reaching a limit is not an error but a [`Status`]; to be interrupted is [`Error::Interrupted`].
pub fn solve_joint(
    gram: &dyn SymmetricGram,
    problem: &JointProblem,
    settings: &Settings,
    workers: &Workers,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<JointSolution> {
    let (rows, columns) = gram.shape();
    if rows != columns {
        return Err(Error::Shape { what: "columns of a square Gram matrix", expected: rows, found: columns });
    }
    problem.check(rows)?;
    settings.check()?;
    let found = match gram.precision() {
        Precision::F32 => {
            Solver::<f32>::new(gram, problem, settings, workers).and_then(|solver| solver.run(observer))
        }
        _ => Solver::<f64>::new(gram, problem, settings, workers).and_then(|solver| solver.run(observer)),
    };
    settings.uninterrupted(found)
}

struct Solver<'a, T: BlockValue> {
    gram: &'a dyn SymmetricGram,
    problem: &'a JointProblem,
    settings: &'a Settings,
    examples: Examples<'a>,
    set: WorkingSet,
    block: GramBlock<T>,
    /// Flags for the choice of the working set, all false between rounds.
    flags: Vec<bool>,
    /// Most members the working set may have now, and ever.
    size: usize,
    largest: usize,
    /// max k(x, x)
    scale: f64,
    tolerance: f64,
    objective: f64,
    /// The sum of all decreases of the objective.
    decrease: f64,
    begun: Instant,
    best: Best,
    stubborn: Stubborn,
    /// Why the last round was cut short, if it was.
    ended: Option<Status>,
    iterations: u64,
    outer_iterations: u64,
}

/// What a look at all active examples shows.
struct View {
    /// The largest violation of the optimality conditions.
    gap: f64,
    offsets: Vec<f64>,
    /// Examples that must move for the gap to become smaller.
    critical: Vec<usize>,
}

impl<'a, T: BlockValue> Solver<'a, T> {
    fn new(
        gram: &'a dyn SymmetricGram,
        problem: &'a JointProblem,
        settings: &'a Settings,
        workers: &'a Workers,
    ) -> Result<Self> {
        let begun = Instant::now();
        let examples = Examples::new(gram, problem, workers)?;
        // Every class may have to take part at once.
        let least = 4 * problem.classes;
        let largest = SIZES.1.min(settings.working_set).max(least).min(problem.len());
        let first = SIZES.0.max(least).min(largest);
        Ok(Solver {
            gram,
            problem,
            settings,
            objective: objective(problem, &examples.tau, &examples.f),
            examples,
            set: WorkingSet::default(),
            block: GramBlock::new(first),
            flags: vec![false; problem.len()],
            size: first,
            largest,
            scale: gram.largest(),
            tolerance: settings.first_tolerance(),
            decrease: 0.0,
            begun,
            best: Best::default(),
            stubborn: Stubborn::default(),
            ended: None,
            iterations: 0,
            outer_iterations: 0,
        })
    }

    fn run(mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<JointSolution> {
        let mut stall = Stall::default();
        let mut answers = 0;
        let status = loop {
            let view = self.scan();
            if self.examples.is_complete() {
                self.best.notice(&self.certify(&view), &self.examples.tau);
            }
            if view.gap <= self.tolerance {
                if !self.examples.is_complete() {
                    self.examples.take_back()?;
                    continue;
                }
                match self.accuracy_reached(&view) {
                    true => break Status::Converged,
                    false if self.tolerance < self.settings.last_tolerance() => break Status::NumericalLimit,
                    false => {
                        self.tolerance *= 0.25;
                        continue;
                    }
                }
            }
            if let Some(status) = self.ended.or_else(|| self.limit_reached(view.gap, observer)) {
                break status;
            }
            if self.stubborn.answers > answers {
                answers = self.stubborn.answers;
                if !self.best.has_progressed() {
                    break Status::NumericalLimit;
                }
            }
            let visible = T::EPSILON * self.objective.abs();
            match stall.notice(view.gap, self.decrease, visible, self.patience()) {
                Some(Remedy::Refresh) => {
                    self.examples.recompute()?;
                    continue;
                }
                Some(Remedy::GiveUp) => break Status::NumericalLimit,
                None => {}
            }
            self.choose_working_set(&view);
            self.block.refresh(self.gram, &self.set.members, &self.set.fresh)?;
            if self.solve_working_set(view.gap, observer)? {
                stall.hasten();
            }
            self.outer_iterations += 1;
            self.shrink(&view);
        };
        self.finish(status)
    }

    /// Looks at all active examples.
    fn scan(&self) -> View {
        let (k, examples) = (self.problem.classes, &self.examples);
        let zero = vec![0.0; k];
        if !self.problem.offset {
            let violation = |i: usize| examples.example(i, &zero).violation();
            let gap = examples.active.iter().map(|&i| violation(i)).fold(0.0, worse);
            return View { gap, offsets: zero, critical: Vec::new() };
        }
        let mut edges = Edges::new(k);
        examples.active.iter().for_each(|&i| edges.see(i, examples.example(i, &zero)));
        let Some(cycle) = edges.cheapest_cycle() else {
            let gap = if examples.f.iter().any(|f| f.is_nan()) { f64::NAN } else { 0.0 };
            return View { gap, offsets: zero, critical: Vec::new() };
        };
        let slack = (-cycle.mean).max(0.0);
        let next = cycle.classes.iter().cycle().skip(1);
        let critical = cycle.classes.iter().zip(next).map(|(&p, &q)| edges.get(p, q).example).collect();
        View { gap: 2.0 * slack, offsets: edges.potentials(slack), critical }
    }

    /// Which of the two accuracies was asked for, and is it there?
    fn accuracy_reached(&self, view: &View) -> bool {
        !self.settings.asks_for_gap() || self.settings.accuracy().is_met(&self.certify(view))
    }

    fn certify(&self, view: &View) -> Certificate {
        let Examples { tau, f, .. } = &self.examples;
        certificate(self.problem, tau, f, &view.offsets, view.gap, 0.0)
    }

    fn look(&self) -> (View, Certificate) {
        let view = self.scan();
        let certificate = self.certify(&view);
        (view, certificate)
    }

    fn limit_reached(&self, gap: f64, observer: &mut dyn FnMut(&Progress) -> Control) -> Option<Status> {
        let elapsed = self.begun.elapsed();
        let own = |i: usize| self.examples.tau[i * self.problem.classes + self.problem.class[i]];
        let progress = Progress {
            outer_iterations: self.outer_iterations,
            iterations: self.iterations,
            kkt_gap: gap,
            objective: self.objective,
            support: (0..self.problem.len()).filter(|&i| own(i) != 0.0).count(),
            active: self.examples.active.len(),
            elapsed,
        };
        self.settings.ended(&progress, observer)
    }

    /// The smaller the working set, the more rounds it takes to see every example.
    fn patience(&self) -> u32 {
        PATIENCE * self.examples.active.len().div_ceil(self.set.members.len().max(1)).min(50) as u32
    }

    fn choose_working_set(&mut self, view: &View) {
        let examples = &self.examples;
        let is_free = |i: usize| examples.example(i, &view.offsets).is_free();
        let free = examples.active.iter().filter(|&&i| is_free(i)).count();
        let wanted = (free + 3 * free / 10 + 128).next_multiple_of(16);
        self.size = wanted.max(self.size).min(self.largest);
        let active = &examples.active;
        if active.len() <= (5 * self.size / 4).min(self.largest) {
            self.size = self.size.max(active.len());
            self.block.grow(self.size);
            self.set.take_all(active, &mut self.flags);
            return;
        }
        self.block.grow(self.size);
        self.set.choose(self.size, &mut self.flags, is_free, |wanted, is_member| {
            most_violating(examples, view, wanted, is_member)
        });
    }

    /// Solves the problem restricted to the working set; true if nothing moved.
    fn solve_working_set(
        &mut self,
        gap: f64,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<bool> {
        let (k, members) = (self.problem.classes, &self.set.members);
        let whole = members.len() == self.examples.active.len();
        let is_complete = self.examples.is_complete();
        let tolerance = if whole { self.tolerance } else { (0.5 * self.tolerance).max(0.1 * gap) };
        let limit = (STEPS_PER_MEMBER * members.len() as u64).max(5000);
        let values = (&self.examples.tau[..], &self.examples.f[..]);
        let diagonal = (self.gram.diagonal(), self.scale);
        let mut restricted = Restricted::new(self.problem, &self.block, members, diagonal, values);
        let mut ended = None;
        let mut stop = || {
            ended = self.limit_reached(gap, observer);
            ended.is_some()
        };
        let is_due = |&variables: &usize| self.stubborn.is_due(variables);
        let endgame = restricted.endgame_size(self.settings.memory).filter(is_due).is_some();
        let gained = if endgame { restricted.endgame(tolerance, &mut stop) } else { 0.0 };
        // Where it has led is looked at first: near the end further steps may be nothing but rounding.
        if gained <= 0.0 {
            let limit = limit.min(self.settings.max_iterations - self.iterations);
            if restricted.solve(tolerance, limit, &mut stop) {
                self.stubborn.unfinished(restricted.summary.steps);
            }
        }
        let Restricted { tau, summary: Summary { steps, decrease, stalled }, .. } = restricted;
        let decrease = decrease + gained;
        self.ended = ended;
        if endgame {
            self.stubborn.answered();
        }
        self.iterations += steps;
        self.objective -= decrease;
        self.decrease += decrease;

        let (mut changed, mut change) = (Vec::new(), Vec::new());
        for (slot, (tau, &i)) in tau.chunks_exact(k).zip(members).enumerate() {
            let old = &mut self.examples.tau[i * k..][..k];
            if tau != &*old {
                changed.push((slot, i));
                change.extend(tau.iter().zip(&*old).map(|(new, old)| new - old));
                old.copy_from_slice(tau);
            }
        }
        if gained > 0.0 && is_complete {
            // The change may be much larger than what it leads to: its rounding is not to stay in the values.
            self.examples.recompute()?;
        } else if whole {
            self.add_rows_of_block(&changed, &change);
        } else {
            let changed: Vec<usize> = changed.iter().map(|&(_, i)| i).collect();
            self.examples.add_rows(&changed, &change)?;
        }
        Ok(change.is_empty() && stalled)
    }

    /// The share of the changes in the values when the block holds all active columns.
    fn add_rows_of_block(&mut self, changed: &[(usize, usize)], change: &[f64]) {
        let (k, members) = (self.problem.classes, &self.set.members);
        for (&(slot, _), change) in changed.iter().zip(change.chunks_exact(k)) {
            let row = &self.block.values()[slot * self.block.stride()..][..members.len()];
            for (&i, value) in members.iter().zip(row) {
                let f = &mut self.examples.f[i * k..][..k];
                f.iter_mut().zip(change).for_each(|(f, change)| *f += change * value.to_f64());
            }
        }
    }

    fn shrink(&mut self, view: &View) {
        let width = (10.0 * self.tolerance).max(0.5 * view.gap);
        if self.settings.shrinking && self.examples.shrink(&view.offsets, width) {
            let examples = &self.examples;
            self.set.retain(|i| examples.contains(i));
        }
    }

    fn finish(mut self, status: Status) -> Result<JointSolution> {
        if !self.examples.is_complete() {
            self.examples.take_back()?;
        }
        let (mut view, mut certificate) = self.look();
        if status != Status::Converged
            && let Some(tau) = std::mem::take(&mut self.best).better_than(&certificate)
        {
            self.examples.tau = tau;
            self.examples.recompute()?;
            (view, certificate) = self.look();
        }
        Ok(JointSolution {
            coefficients: self.examples.tau,
            offsets: view.offsets,
            values: self.examples.f,
            certificate,
            status,
            iterations: self.iterations,
            outer_iterations: self.outer_iterations,
            rows_computed: self.examples.rows_computed,
            elapsed: self.begun.elapsed(),
        })
    }
}

/// The larger; a number that is none wins, so that it is not overlooked.
fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// The examples outside the set that violate most, after those that are critical.
fn most_violating(examples: &Examples<'_>, view: &View, wanted: usize, is_member: &[bool]) -> Vec<usize> {
    let mut chosen: Vec<usize> = view.critical.iter().copied().filter(|&i| !is_member[i]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.truncate(wanted);
    let violation = |i: usize| examples.example(i, &view.offsets).violation();
    let outside = |i: &usize| !is_member[*i] && chosen.binary_search(i).is_err();
    let mut others: Vec<(f64, usize)> = examples
        .active
        .iter()
        .copied()
        .filter(outside)
        .map(|i| (violation(i), i))
        .filter(|v| v.0 > 0.0)
        .collect();
    others.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let room = wanted - chosen.len();
    chosen.extend(others.into_iter().take(room).map(|(_, i)| i));
    chosen
}

/// ½ Σ_k τ_kᵀKτ_k − m Σᵢ τᵢ,yᵢ
fn objective(problem: &JointProblem, tau: &[f64], f: &[f64]) -> f64 {
    let quadratic: f64 = tau.iter().zip(f).map(|(tau, f)| tau * f).sum();
    let own = problem.class.iter().zip(tau.chunks_exact(problem.classes)).map(|(&y, tau)| tau[y]);
    0.5 * quadratic - problem.machine.margin() * own.sum::<f64>()
}

/// The primal objective at these functions and offsets against the dual one, widened by what an error of the values f
/// can do. Their difference is a sum over the examples of terms none of which is negative, and computed as that.
pub(crate) fn certificate(
    problem: &JointProblem,
    tau: &[f64],
    f: &[f64],
    offsets: &[f64],
    kkt_gap: f64,
    error: f64,
) -> Certificate {
    let k = problem.classes;
    let mut gap = 0.0;
    for (i, (tau, f)) in tau.chunks_exact(k).zip(f.chunks_exact(k)).enumerate() {
        let (machine, class, cost) = (problem.machine, problem.class[i], problem.costs[i]);
        gap += example::Example { machine, class, cost, tau, f, offsets }.gap(2.0 * error);
    }
    // |½ Σ τ·(error)| ≤ ½ Σ|τ| · error
    let size: f64 = tau.iter().map(|t| t.abs()).sum();
    let dual = -objective(problem, tau, f) - 0.5 * size * error;
    // A pair of examples has two slopes, each of them a difference of two values.
    let slopes = if problem.offset { 4.0 } else { 2.0 };
    Certificate { kkt_gap: kkt_gap + slopes * error, dual, primal: dual + gap + size * error, scale: 0.0 }
}

#[cfg(test)]
mod tests {
    /// Numbers between 0 and 1, always the same.
    pub(super) fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }
}

//! Chunking: the support vectors and the worst violators, solved as one.
//!
//! ```text
//! repeat
//!   chunk    all variables that are not 0, and of the others those that violate the optimality conditions most
//!   solve    the problem of the chunk, all others being 0, by the interior-point method
//!   scan     all variables; stop when none violates the conditions any more
//! ```
//!
//! A chunk holds every variable that is not 0, so its problem is a problem of the same kind over fewer items, and the
//! solver for it need know nothing of the rest. The objective falls with every chunk and each is solved to the end, so
//! that no set of support vectors comes twice: the method ends.
//!
//! The chunk grows to the number of support vectors at least, and that is its weakness: where most items are support
//! vectors it is all of K. Decomposition, which keeps some of the variables that are not 0 out of its working set, is the
//! answer.
//!
//! **Cost.** With s support vectors, some rounds of s³/3 operations for each of twenty or thirty factorisations, and
//! n·s values of K; 24s² bytes.
//!
//! # References
//! Campbell, *An Introduction to Kernel Methods*, section 3.1. Boser, Guyon and Vapnik, *A training algorithm for optimal
//! margin classifiers*, 1992. Vapnik, *Estimation of Dependences Based on Empirical Data*, 1982.

use super::{Run, interior_point};
use crate::error::Result;
use crate::gram::SymmetricGram;
use crate::solver::variables::Extremes;
use crate::solver::{Control, DualProblem, DualSolution, Groups, Progress, Settings, Status, Stop};

/// Violators that are added to the support vectors, at least; half as many as there are support vectors otherwise.
const ADDED: usize = 128;
/// The share of the tolerance that the problem of a chunk is solved to: what is left is for all others.
const SHARE: f64 = 0.5;

/// Solves the problem by chunking.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::solver::{Control, DualProblem, Groups, Settings, reference::chunking};
///
/// // Points at ±1 on the line, linear kernel, C = 10: α = ½ both.
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let mut problem = DualProblem::new(vec![-1.0, 1.0], vec![0.0, -10.0], vec![10.0, 0.0]);
/// problem.groups = Groups::One { sum: 0.0 };
/// let solution = chunking::solve(&gram, &problem, &Settings::default(), &mut |_| Control::Continue)?;
/// assert!((solution.coefficients[0] - 0.5).abs() < 1e-9);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Budget`](crate::Error::Budget) with the bytes that a chunk would need; a malformed or infeasible problem, or
/// a kernel that fails.
pub fn solve(
    gram: &dyn SymmetricGram,
    problem: &DualProblem,
    settings: &Settings,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<DualSolution> {
    let mut run = Run::new(gram, problem, settings)?;
    let status = loop {
        let extremes = run.extremes();
        if run.gap() <= run.tolerance {
            match run.verdict()? {
                Some(status) => break status,
                None => continue,
            }
        }
        if let Some(status) = run.limit(observer) {
            break status;
        }
        if let Some(status) = run.stalled()? {
            break status;
        }
        let chunk = choose(&run, &extremes);
        let part = restricted(&run, &chunk);
        let solution = solve_chunk(&run, &part, observer)?;
        run.iterations += solution.iterations;
        run.rows_computed += solution.rows_computed;
        run.rounds += 1;
        let before = run.variables.objective();
        let values: Vec<(usize, f64)> = chunk.into_iter().zip(solution.coefficients).collect();
        run.set(&values)?;
        run.decrease += before - run.variables.objective();
        match solution.status {
            status @ (Status::Cancelled | Status::TimeLimit | Status::IterationLimit) => break status,
            Status::Converged | Status::NumericalLimit => {}
        }
    };
    run.finish(status)
}

/// All variables that are not 0, and the worst violators among the others, from both ends of their groups.
fn choose(run: &Run<'_>, extremes: &[Extremes]) -> Vec<usize> {
    let v = &run.variables;
    let violation = |i: usize| {
        let Extremes { lowest_up, highest_low } = extremes[v.problem.groups.of(i)];
        let growing = if v.can_grow(i) { highest_low - v.up_score(i) } else { f64::NEG_INFINITY };
        let falling = if v.can_fall(i) { v.low_score(i) - lowest_up } else { f64::NEG_INFINITY };
        growing.max(falling)
    };
    let (mut chunk, others): (Vec<usize>, Vec<usize>) = (0..run.len()).partition(|&i| v.beta[i] != 0.0);
    // Of equal violators (at the beginning all are) the first of either side in turn: one side alone cannot move.
    let mut violators: Vec<(f64, usize, usize)> = Vec::new();
    let mut seen = [0, 0];
    for i in others.into_iter().filter(|&i| violation(i) > 0.0) {
        let side = usize::from(v.can_fall(i));
        violators.push((violation(i), seen[side], i));
        seen[side] += 1;
    }
    violators.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let added = ADDED.max(chunk.len() / 2);
    chunk.extend(violators.into_iter().take(added).map(|(_, _, i)| i));
    chunk.sort_unstable();
    chunk
}

/// The problem of the chunk, from where it stands; all other variables are 0.
fn restricted(run: &Run<'_>, chunk: &[usize]) -> DualProblem {
    let problem = run.variables.problem;
    let take = |f: &dyn Fn(usize) -> f64| chunk.iter().map(|&i| f(i)).collect::<Vec<f64>>();
    DualProblem {
        linear: take(&|i| problem.linear[i]),
        lower: take(&|i| problem.lower[i]),
        upper: take(&|i| problem.upper[i]),
        diagonal: take(&|i| problem.diagonal(i)),
        insensitivity: take(&|i| problem.insensitivity(i)),
        groups: match &problem.groups {
            Groups::Two { of, sums } => {
                Groups::Two { of: chunk.iter().map(|&i| of[i]).collect(), sums: *sums }
            }
            sums => sums.clone(),
        },
        item: chunk.iter().map(|&i| problem.item(i)).collect(),
        start: take(&|i| run.variables.beta[i]),
        known: None,
        scale: problem.scale,
    }
}

/// Solves it with what is left of the limits.
fn solve_chunk(
    run: &Run<'_>,
    part: &DualProblem,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<DualSolution> {
    let settings = Settings {
        stop: Stop::KktGap(SHARE * run.tolerance),
        largest_gap: f64::INFINITY,
        max_iterations: run.settings.max_iterations - run.iterations,
        max_time: run.settings.max_time.map(|limit| limit.saturating_sub(run.begun.elapsed())),
        ..run.settings.clone()
    };
    interior_point::solve(run.gram, part, &settings, &mut |progress| {
        observer(&Progress {
            outer_iterations: run.rounds,
            iterations: run.iterations + progress.iterations,
            active: run.len(),
            elapsed: run.begun.elapsed(),
            ..progress.clone()
        })
    })
}

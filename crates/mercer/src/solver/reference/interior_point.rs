//! A primal–dual interior-point method on all of K.
//!
//! The way of the general programs for quadratic programmes (LOQO, MINOS): K is stored as a whole, and Newton's method is
//! run on the optimality conditions with products of multipliers and slacks held at a common value that is driven to
//! 0 by Mehrotra's predictor and corrector. The iterates keep to the inside of the box, so that no question of which
//! variables are at a bound ever comes up; in the end those that press against a bound are put onto it.
//!
//! Here is the driver: it asks for the memory, fills K, and repeats the method from where it ended until the optimality
//! conditions are met, since working with differences from a point that is nearly right loses fewer digits. The
//! method itself, bounds that may be infinite, kinks and up to two sums included, is in `solver/interior.rs`, which is
//! also the endgame of the decomposition.
//!
//! **Cost.** n²/2 values of K once, then n³/3 operations for each of some twenty or thirty factorisations, whatever C and the
//! kernel are; 24n² bytes. For small sets there is nothing more dependable.
//!
//! # References
//! Campbell, *An Introduction to Kernel Methods*, section 3. Mehrotra, *On the implementation of a primal–dual interior
//! point method*, 1992. Vanderbei, *LOQO: an interior point code for quadratic programming*, 1999.

use super::Run;
use crate::error::Result;
use crate::gram::{Block, Columns, SymmetricGram};
use crate::linalg::Matrix;
use crate::solver::interior::{Equations, Improved, InteriorPoint};
use crate::solver::variables::Variables;
use crate::solver::{Control, DualProblem, DualSolution, Progress, Settings, Status};

/// K itself, the matrix of the Newton step, and its factor.
const COPIES: u64 = 3;
/// Multipliers below this share of the largest slope may be nothing but rounding: they put no variable onto its bound.
const LEAST_TOLERANCE: f64 = 1e-10;

/// Solves the problem by an interior-point method on all of K.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::solver::{Control, DualProblem, Groups, Settings, reference::interior_point};
///
/// // Points at ±1 on the line, linear kernel, C = 10: α = ½ both.
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let mut problem = DualProblem::new(vec![-1.0, 1.0], vec![0.0, -10.0], vec![10.0, 0.0]);
/// problem.groups = Groups::One { sum: 0.0 };
/// let solution = interior_point::solve(&gram, &problem, &Settings::default(), &mut |_| Control::Continue)?;
/// assert!((solution.coefficients[0] - 0.5).abs() < 1e-9);
///
/// let small = Settings { memory: 64, ..Settings::default() };
/// let error = interior_point::solve(&gram, &problem, &small, &mut |_| Control::Continue).unwrap_err();
/// assert!(error.to_string().contains("needs 96 bytes and the budget allows 64"));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Budget`](crate::Error::Budget) with the bytes that would be needed; a malformed or infeasible problem, or a
/// kernel that fails.
pub fn solve(
    gram: &dyn SymmetricGram,
    problem: &DualProblem,
    settings: &Settings,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<DualSolution> {
    let mut run = Run::new(gram, problem, settings)?;
    let mut quadratic: Option<Matrix> = None;
    let status = loop {
        if run.gap() <= run.tolerance {
            match run.verdict()? {
                Some(status) => break status,
                None => continue,
            }
        }
        if let Some(status) = run.limit(observer) {
            break status;
        }
        let quadratic = match &quadratic {
            Some(quadratic) => quadratic,
            None => quadratic.insert(whole_matrix(&mut run)?),
        };
        let (improved, limit) = newton_steps(&mut run, quadratic, observer);
        run.rounds += 1;
        if let Some(Improved { beta, gradient, decrease, .. }) = improved {
            run.variables.beta = beta;
            run.variables.f = gradient;
            run.decrease += decrease;
            run.has_moved = true;
            match limit {
                Some(status) => break status,
                None => continue,
            }
        }
        // No better point: by a limit, by rounding that a fresh gradient may mend, or for good.
        match limit {
            Some(status) => break status,
            None => {
                if let Some(status) = run.stuck()? {
                    break status;
                }
            }
        }
    };
    run.finish(status)
}

/// K + diag(d) over the variables.
fn whole_matrix(run: &mut Run<'_>) -> Result<Matrix> {
    let n = run.len();
    run.ask_memory("the interior-point method on all of K", n, COPIES)?;
    let problem = run.variables.problem;
    let items: Vec<usize> = (0..n).map(|i| problem.item(i)).collect();
    let mut quadratic = Matrix::zeros(n, n);
    let out = Block::F64 { values: quadratic.values_mut(), stride: n };
    run.gram.fill(&items, Columns::List(&items), out)?;
    run.rows_computed += n as u64;
    for i in 0..n {
        quadratic[(i, i)] += problem.diagonal(i);
    }
    Ok(quadratic)
}

/// The method from the present point; what it found, and the limit that ended it, if one did.
fn newton_steps(
    run: &mut Run<'_>,
    quadratic: &Matrix,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> (Option<Improved>, Option<Status>) {
    let n = run.len();
    let problem = run.variables.problem;
    let (beta, gradient) = (run.variables.beta.clone(), run.variables.f.clone());
    let insensitivity: Vec<f64> = (0..n).map(|i| problem.insensitivity(i)).collect();
    let diagonal: Vec<f64> = (0..n).map(|i| problem.diagonal(i)).collect();
    let group: Vec<u8> = (0..n).map(|i| problem.groups.of(i) as u8).collect();
    let steepest = gradient.iter().fold(0.0f64, |most, f| most.max(f.abs()));
    let method = InteriorPoint {
        quadratic,
        gradient: &gradient,
        beta: &beta,
        lower: &problem.lower,
        upper: &problem.upper,
        insensitivity: &insensitivity,
        diagonal: &diagonal,
        equations: &Equations::groups(problem.groups.count(), &group),
        tolerance: (0.5 * run.tolerance).max(LEAST_TOLERANCE * steepest),
    };
    let mut limit = None;
    let improved = method.solve(&mut |best| {
        limit = match best {
            Some(Improved { beta, gradient, .. }) => {
                let variables = Variables { problem, beta: beta.clone(), f: gradient.clone() };
                run.limit_at(variables, observer)
            }
            None => run.limit(observer),
        };
        run.iterations += u64::from(limit.is_none());
        limit.is_some()
    });
    (improved, limit)
}

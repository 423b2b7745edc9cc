//! The kernel adatron: one coefficient at a time, each by the best step there is.
//!
//! For a classifier without offset the adatron of Frieß, Cristianini and Campbell climbs the dual objective along
//! one coordinate after the other and clips what falls out of the box,
//!
//! ```text
//! αᵢ ← max(0, αᵢ + η (1 − yᵢ Σⱼ αⱼ yⱼ k(xᵢ, xⱼ))),   0 < η k(xᵢ, xᵢ) < 2
//! ```
//!
//! and η = 1/k(xᵢ, xᵢ) is the step that finds the maximum along that coordinate (the step 1 of some printed versions
//! diverges where k(x, x) > 2). In β = yα, with a diagonal d, a box and an insensitivity ε, that maximum is
//!
//! ```text
//! βᵢ ← clip(shrink(qβᵢ − fᵢ, ε)/q, Lᵢ, Uᵢ),   q = k(xᵢ, xᵢ) + dᵢ,   shrink(t, ε) = sign(t)·max(|t| − ε, 0)
//! ```
//!
//! with f = (K + diag(d))β + p. So the same line serves the hard margin (no upper bound), the 1-norm soft margin (a box),
//! the 2-norm soft margin (a diagonal) and, with ε, regression. Sweeps of exact coordinate steps reach the optimum of a
//! convex problem whose only constraints are bounds (Hildreth's method; Luo and Tseng, 1992).
//!
//! They do not where Σβ is prescribed: no single coefficient can move then. Such problems, machines with an offset among
//! them, are refused; pairs of coefficients are the answer, and lead to [`smo`](super::smo).
//!
//! **Cost.** A sweep looks at n coefficients and computes a row of K for each one that changes: O(n·(n + s)) values where s
//! change. The number of sweeps grows with the condition of K.
//!
//! # References
//! Shawe-Taylor and Cristianini, *Kernel Methods for Pattern Analysis*, Algorithms 7.59 and 7.61, Remark 7.60.
//! Campbell, *An Introduction to Kernel Methods*, equation (54).

use super::{LEAST_CURVATURE, Run};
use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::solver::{Control, DualProblem, DualSolution, Groups, Progress, Settings, Status};

/// Solves a problem without equality constraint by the kernel adatron.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::solver::{Control, DualProblem, Settings, reference::adatron};
///
/// // Points 1 and −2 on the line, linear kernel, no offset, hard margin: w = 1 by the first point alone.
/// let gram = PrecomputedGram::symmetric(vec![1.0, -2.0, -2.0, 4.0], 2)?;
/// let infinity = f64::INFINITY;
/// let problem = DualProblem::new(vec![-1.0, 1.0], vec![0.0, -infinity], vec![infinity, 0.0]);
/// let solution = adatron::solve(&gram, &problem, &Settings::default(), &mut |_| Control::Continue)?;
/// assert_eq!(solution.coefficients, [1.0, 0.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`] if the sum of the variables is prescribed; a malformed problem, or a kernel that fails.
pub fn solve(
    gram: &dyn SymmetricGram,
    problem: &DualProblem,
    settings: &Settings,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<DualSolution> {
    let mut run = Run::new(gram, problem, settings)?;
    if problem.groups != Groups::None {
        return Err(Error::Unsupported {
            what: "the adatron moves one coefficient at a time and so cannot keep their sum, which an offset, ν and \
                   novelty detection prescribe: train without offset, or use smo"
                .into(),
        });
    }
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
        if let Some(status) = run.stalled()? {
            break status;
        }
        let before = run.iterations;
        if let Some(status) = sweep(&mut run, observer)? {
            break status;
        }
        run.rounds += 1;
        if run.iterations == before
            && let Some(status) = run.stuck()?
        {
            break status;
        }
    };
    run.finish(status)
}

/// One step for each coefficient; returns the limit that was met on the way, if one was.
fn sweep(run: &mut Run<'_>, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<Option<Status>> {
    for i in 0..run.len() {
        let (old, new) = (run.variables.beta[i], best_value(run, i));
        if new == old || !new.is_finite() {
            continue;
        }
        let decrease = gain(run, i, new);
        run.set(&[(i, new)])?;
        if let Some(status) = run.stepped(decrease, observer) {
            return Ok(Some(status));
        }
    }
    Ok(None)
}

/// clip(shrink(qβᵢ − fᵢ, ε)/q, Lᵢ, Uᵢ)
fn best_value(run: &Run<'_>, i: usize) -> f64 {
    let v = &run.variables;
    let q = run.curvature(i).max(LEAST_CURVATURE);
    let toward = q * v.beta[i] - v.f[i];
    let shrunk = (toward.abs() - v.problem.insensitivity(i)).max(0.0).copysign(toward);
    (shrunk / q).clamp(v.problem.lower[i], v.problem.upper[i])
}

/// By how much the objective falls when βᵢ becomes `new`.
fn gain(run: &Run<'_>, i: usize, new: f64) -> f64 {
    let v = &run.variables;
    let (old, step) = (v.beta[i], new - v.beta[i]);
    let kink = v.problem.insensitivity(i) * (new.abs() - old.abs());
    -(step * (v.f[i] + 0.5 * run.curvature(i) * step) + kink)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gram::PrecomputedGram;
    use crate::solver::Stop;

    /// AND of two bits with a third that is always 1, linear kernel: only (1, 1) is true.
    #[test]
    fn and_by_hand() {
        // Rows (0,0,1) −, (1,0,1) −, (0,1,1) −, (1,1,1) +
        let kernel = vec![1., 1., 1., 1., 1., 2., 1., 2., 1., 1., 2., 2., 1., 2., 2., 3.];
        let gram = PrecomputedGram::symmetric(kernel, 4).unwrap();
        let infinity = f64::INFINITY;
        let problem = DualProblem::new(
            vec![1.0, 1.0, 1.0, -1.0],
            vec![-infinity, -infinity, -infinity, 0.0],
            vec![0.0, 0.0, 0.0, infinity],
        );
        let settings = Settings { stop: Stop::KktGap(1e-9), ..Settings::default() };
        let sweeps = |count: u64| {
            let mut seen = 0;
            let solution = solve(&gram, &problem, &settings, &mut |_| {
                seen += 1;
                if seen > count { Control::Cancel } else { Control::Continue }
            });
            solution.unwrap().coefficients
        };
        // From 0: β₁ = −1/1. Then f₂ = 1 − 1 = 0 and f₃ = 0: no step. f₄ = −1 − 1 = −2: β₄ = 2/3.
        assert_eq!(sweeps(1), [-1.0, 0.0, 0.0, 2.0 / 3.0]);
        // f₁ = 1 − 1 + 2/3: β₁ = min(0, −1 − 2/3). f₂ = 1 − 5/3 + 4/3 = 2/3: β₂ = −1/3.
        // f₃ = 1 − 5/3 − 1/3 + 4/3 = 1/3: β₃ = −1/6. f₄ = −1 − 5/3 − 2/3 − 1/3 + 2 = −5/3: β₄ = 2/3 + 5/9.
        let by_hand = [-5.0 / 3.0, -1.0 / 3.0, -1.0 / 6.0, 11.0 / 9.0];
        for (found, expected) in sweeps(2).iter().zip(by_hand) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        // The machine: 2x₁ + 2x₂ − 3 has margin 1 at (1,0), (0,1) and (1,1), and 3 at (0,0).
        let solution = solve(&gram, &problem, &settings, &mut |_| Control::Continue).unwrap();
        assert_eq!(solution.status, Status::Converged);
        for (beta, expected) in solution.coefficients.iter().zip([0.0, -5.0, -5.0, 7.0]) {
            assert!((beta - expected).abs() < 1e-7, "{:?}", solution.coefficients);
        }
    }
}

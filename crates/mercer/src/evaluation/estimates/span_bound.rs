//! The span bound: the span within what the bounds of α allow, and what follows from it without assumptions.

use super::Solved;
use crate::error::{Error, Result};
use crate::gram::{Block, Columns};
use crate::machine::Slack;
use crate::solver::{Control, DualProblem, Groups, Settings, Stop, solve};

/// How accurately spans are found; whatever is left makes the bound larger.
const ACCURACY: f64 = 1e-4;

/// An upper bound of the leave-one-out error: #{p : αₚ Sₚ max(Dₚ, 1/√Cₚ) ≥ 1} / ℓ over the support vectors on the margin,
/// and all that are at the bound.
///
/// Sₚ is the distance of φ(xₚ) from the combinations of the other support vectors on the margin that could take over αₚ:
///
/// ```text
/// Sₚ² = min ‖φ(xₚ) − Σ λᵢ φ(xᵢ)‖²   over Σλ = 1,   0 ≤ αᵢ + yᵢyₚαₚλᵢ ≤ Cᵢ
/// ```
///
/// ∞ if there are none. Without an offset the sum is free. Dₚ is the largest distance of φ(xₚ) from another row (from the
/// origin, without an offset). For a 2-norm machine the feature space is that of K + diag(1/C), no α has an upper bound, and
/// Dₚ alone is the maximum. The bound is true of all machines but those of the 1-norm with an offset, for which it takes that
/// without row p some support vectors of the other class are far enough from their bounds.
/// One small quadratic programme for each of m support vectors on the margin: O(m) problems of m variables.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Solved, span_bound};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::{Slack, Svc};
/// let x = [-4.1, -4.0, 4.0, 4.1];
/// let values: Vec<f64> = x.iter().flat_map(|a| x.map(|b| a * b)).collect();
/// let gram = PrecomputedGram::symmetric(values, 4)?;
/// let machine = Svc::params(()).slack(Slack::Quadratic).cost(0.1).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "no", "yes", "yes"]), None)?;
/// assert!(span_bound(&solved)? <= 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// What a kernel of the user may fail with.
///
/// # References
/// V. Vapnik, O. Chapelle: Bounds on error expectation for support vector machines. Neural Computation 12, 2000, Theorem 2.3.
pub fn span_bound(solved: &Solved<'_>) -> Result<f64> {
    let free: Vec<usize> = (0..solved.len()).filter(|&i| solved.is_free(i)).collect();
    let bounded = (0..solved.len()).filter(|&i| solved.is_support(i) && !solved.is_free(i)).count();
    let may_be_error = |slot: usize| -> Result<bool> {
        let p = free[slot];
        let span = squared_span(solved, &free, p)?;
        let reach = match solved.slack {
            Slack::Linear | Slack::Nu { .. } => solved.squared_reach(p)?.max(1.0 / solved.costs[p]),
            Slack::Quadratic | Slack::None => solved.squared_reach(p)?,
        };
        Ok(solved.alpha(p).powi(2) * span * reach >= 1.0)
    };
    let errors: Result<Vec<bool>> = solved.workers.map(free.len(), true, may_be_error).into_iter().collect();
    let errors = errors?.into_iter().filter(|is_error| *is_error).count();
    Ok((errors + bounded) as f64 / solved.len() as f64)
}

/// S² of a support vector on the margin, within what the bounds of the others allow.
fn squared_span(solved: &Solved<'_>, free: &[usize], p: usize) -> Result<f64> {
    let Solved { gram, problem, solution, settings, .. } = solved;
    let own = solved.own_value(p) + problem.diagonal(p);
    let others: Vec<usize> = free.iter().copied().filter(|&i| i != p).collect();
    if others.is_empty() {
        return Ok(if solved.has_offset() { f64::INFINITY } else { own });
    }
    let items: Vec<usize> = others.iter().map(|&i| problem.item(i)).collect();
    let mut values = vec![0.0; items.len()];
    let block = Block::F64 { values: &mut values, stride: items.len() };
    gram.fill(&[problem.item(p)], Columns::List(&items), block)?;
    // βᵢ + βₚλᵢ stays between the bounds of βᵢ.
    let beta = solution.coefficients[p];
    let room = |i: usize| {
        let ends = [problem.lower[i], problem.upper[i]].map(|end| (end - solution.coefficients[i]) / beta);
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    };
    let (lower, upper) = others.iter().map(|&i| room(i)).unzip();
    let mut hull = DualProblem::new(values.iter().map(|value| -value).collect(), lower, upper);
    hull.diagonal = others.iter().map(|&i| problem.diagonal(i)).collect();
    hull.groups = if solved.has_offset() { Groups::One { sum: 1.0 } } else { Groups::None };
    hull.item = items;
    let settings = Settings { stop: Stop::KktGap(ACCURACY * own), ..settings.clone() };
    match solve(*gram, &hull, &settings, &mut |_| Control::Continue) {
        Ok(nearest) => {
            let terms = nearest.coefficients.iter().zip(&nearest.gradient).zip(&hull.linear);
            Ok(own + terms.map(|((lambda, slope), linear)| lambda * (slope + linear)).sum::<f64>())
        }
        Err(Error::Infeasible { .. }) => Ok(f64::INFINITY),
        Err(error) => Err(error),
    }
}

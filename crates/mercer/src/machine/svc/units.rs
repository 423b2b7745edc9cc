//! The two scales of a hyperplane with a margin, and what is computed from a solution in either.

use super::pair::Pair;
use crate::machine::formulation::{Scale, Slack};
use crate::machine::sample::{PairSample, quantiles};
use crate::solver::{Certificate, DualProblem, DualSolution, Evidence, Groups};

/// b in units of the problem, 0 where there is none.
pub(super) fn offset(solution: &DualSolution) -> f64 {
    solution.multipliers.first().map_or(0.0, |multiplier| -multiplier)
}

/// The decision value of variable i without the offset: what the diagonal adds to K is no part of it.
pub(super) fn value(problem: &DualProblem, solution: &DualSolution, i: usize) -> f64 {
    solution.gradient[i] - problem.diagonal(i) * solution.coefficients[i] - problem.linear[i]
}

/// ‖w‖² = βᵀKβ
pub(super) fn squared_norm(problem: &DualProblem, solution: &DualSolution) -> f64 {
    (0..problem.len()).map(|i| solution.coefficients[i] * value(problem, solution, i)).sum()
}

/// Brings coefficients to the sums of a problem, each group by a factor of its own.
pub(super) fn onto_sums(problem: &DualProblem, mut start: Vec<f64>) -> Vec<f64> {
    for g in 0..problem.groups.count() {
        let members = || (0..problem.len()).filter(|&i| problem.groups.of(i) == g);
        let sum: f64 = members().filter_map(|i| start.get(i)).sum();
        let factor = problem.groups.sum(g) / sum;
        if !start.is_empty() && factor.is_finite() && factor > 0.0 {
            members().for_each(|i| start[i] *= factor);
        }
    }
    start
}

/// The margin of a solution of the largest one.
pub(super) fn margin(problem: &DualProblem, solution: &DualSolution) -> f64 {
    let [below, above] = solution.multipliers[..] else { unreachable!("one multiplier for each class") };
    let size: f64 = solution.coefficients.iter().map(|b| b.abs()).sum();
    match 0.5 * (above - below) {
        margin if margin > 0.0 => margin,
        // Far from the optimum: the mean margin Σα y(Kβ)/Σα.
        _ => (squared_norm(problem, solution) / size).max(f64::MIN_POSITIVE),
    }
}

/// Divides a solution of the largest margin by that margin: it becomes one of the problem that is returned, whose
/// functional margin is 1.
pub(super) fn to_functional(
    pair: &Pair,
    problem: &DualProblem,
    solution: &mut DualSolution,
    margin: f64,
) -> DualProblem {
    let [below, above] = solution.multipliers[..] else { unreachable!("one multiplier for each class") };
    let costs: Vec<f64> = match pair.slack {
        Slack::Linear | Slack::Nu { .. } => pair.costs.iter().map(|cost| cost / margin).collect(),
        Slack::Quadratic | Slack::None => pair.costs.clone(),
    };
    let mut units = pair.functional(&costs);
    // A share ν that is too large for a class leaves more coefficients to the other.
    let sum = problem.groups.sum(0) + problem.groups.sum(1);
    units.groups = Groups::One { sum: sum / margin };
    for i in 0..units.len() {
        // What was at a bound is at the bound.
        let beta = solution.coefficients[i];
        solution.coefficients[i] = match beta {
            _ if beta == problem.upper[i] => units.upper[i],
            _ if beta == problem.lower[i] => units.lower[i],
            _ => beta / margin,
        };
        solution.gradient[i] = solution.gradient[i] / margin + units.linear[i];
    }
    solution.multipliers = vec![0.5 * (above + below) / margin];
    solution.certificate.kkt_gap = kkt_gap(&units, solution);
    units
}

/// Largest violation of the optimality conditions of a problem with one sum.
fn kkt_gap(problem: &DualProblem, solution: &DualSolution) -> f64 {
    let (mut rise, mut fall) = (f64::INFINITY, f64::NEG_INFINITY);
    for (i, &beta) in solution.coefficients.iter().enumerate() {
        if beta < problem.upper[i] {
            rise = rise.min(solution.gradient[i]);
        }
        if beta > problem.lower[i] {
            fall = fall.max(solution.gradient[i]);
        }
    }
    (fall - rise).max(0.0)
}

/// The certificate of a solution whose decision values may be wrong by `error`.
pub(super) fn certify(
    problem: &DualProblem,
    solution: &DualSolution,
    slack: Slack,
    error: f64,
) -> Certificate {
    let evidence = Evidence {
        problem,
        beta: &solution.coefficients,
        gradient: &solution.gradient,
        multipliers: &solution.multipliers,
        kkt_gap: solution.certificate.kkt_gap,
        error,
    };
    let certificate = evidence.certify();
    if slack != Slack::None {
        return certificate;
    }
    // A w whose least margin is m > 0 allows w/m, which misses no margin.
    let margin = |i: usize| -problem.linear[i] * (value(problem, solution, i) + offset(solution)) - error;
    let least = (0..problem.len()).filter(|&i| problem.lower[i] < problem.upper[i]).map(margin);
    let least = least.fold(f64::INFINITY, f64::min);
    let size: f64 = solution.coefficients.iter().map(|b| b.abs()).sum();
    let primal = match least > 0.0 {
        true => 0.5 * (squared_norm(problem, solution) + size * error) / (least * least),
        false => f64::INFINITY,
    };
    Certificate { primal: primal.max(certificate.dual), ..certificate }
}

/// γ by the formula of the algorithm; at the optimum it is 1/‖w‖, but for the 2-norm of unit length, whose γ takes
/// the diagonal in.
pub(super) fn gamma(problem: &DualProblem, solution: &DualSolution, slack: Slack, scale: Scale) -> f64 {
    let squared = squared_norm(problem, solution).max(0.0);
    let size: f64 = solution.coefficients.iter().map(|b| b.abs()).sum();
    let on_diagonal: f64 =
        solution.coefficients.iter().enumerate().map(|(i, b)| problem.diagonal(i) * b * b).sum();
    match (scale, slack) {
        // (Σα)^-½ and (Σα − ‖α‖²/C)^-½
        (Scale::Functional, Slack::None) => 1.0 / size.sqrt(),
        (Scale::Functional, Slack::Quadratic) => 1.0 / (size - on_diagonal).max(0.0).sqrt(),
        // √−W with Σα = 1
        (Scale::Geometric, Slack::None | Slack::Quadratic) => (squared + on_diagonal).sqrt() / size,
        (_, Slack::Linear | Slack::Nu { .. }) => 1.0 / squared.sqrt(),
    }
}

/// What double precision does to a decision value: a sum of values of K up to `largest`, each wrong in its last digit.
pub(super) fn rounding(solution: &DualSolution, largest: f64) -> f64 {
    let size = solution.coefficients.iter().map(|b| b * b).sum::<f64>().sqrt();
    0.5 * f64::EPSILON * largest * size
}

/// Whether a coefficient is at its bound.
pub(super) fn at_bound(problem: &DualProblem, solution: &DualSolution, i: usize) -> bool {
    let beta = solution.coefficients[i];
    beta == problem.upper[i] || beta == problem.lower[i]
}

/// What a pair of the functional margin 1 says about new rows; none where w is 0, so that there are no distances.
pub(super) fn sample(
    problem: &DualProblem,
    solution: &DualSolution,
    slack: Slack,
    has_offset: bool,
    diagonal: &[f64],
) -> Option<PairSample> {
    let norm = squared_norm(problem, solution).max(0.0).sqrt();
    let margin = |i: usize| -problem.linear[i] * (value(problem, solution, i) + offset(solution));
    let margins: Vec<f64> = (0..problem.len()).map(margin).collect();
    let slacks = || margins.iter().map(|m| (1.0 - m).max(0.0));
    let own = |i: usize| diagonal[problem.item(i)];
    let alpha = || solution.coefficients.iter().map(|b| b.abs());
    let sample = PairSample {
        slack,
        rows: problem.len(),
        cost: common_cost(problem),
        offset: has_offset.then(|| offset(solution) / norm),
        trace: (0..problem.len()).map(own).sum(),
        largest_squared_norm: (0..problem.len()).map(own).fold(0.0, f64::max),
        slack_sum: slacks().sum(),
        slack_squares: slacks().map(|xi| xi * xi).sum(),
        coefficient_sum: alpha().sum(),
        coefficient_squares: alpha().map(|a| a * a).sum(),
        margins: quantiles(margins.iter().map(|m| m / norm).collect()),
    };
    let numbers = [sample.trace, sample.slack_squares, sample.coefficient_squares];
    let all = numbers.iter().chain(&sample.margins).chain(&sample.offset);
    all.into_iter().all(|number| number.is_finite()).then_some(sample)
}

/// C, if all variables have the same: their bound, or the inverse of what they have on the diagonal.
fn common_cost(problem: &DualProblem) -> Option<f64> {
    let cost = |i: usize| match problem.diagonal(i) {
        0.0 => problem.upper[i] - problem.lower[i],
        damping => 1.0 / damping,
    };
    let first = (!problem.is_empty()).then(|| cost(0)).filter(|cost| cost.is_finite())?;
    (0..problem.len()).all(|i| (cost(i) - first).abs() <= 1e-9 * first).then_some(first)
}

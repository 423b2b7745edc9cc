//! Certificates by definition: how far β is from optimal, without trusting whoever found it.
//!
//! Naive sums in f64 over a dense kernel matrix, for the problem of [`crate::qp`].

use crate::qp::QpProblem;

/// How well β satisfies the optimality conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct KktReport {
    /// The largest violation. In a group, with the derivatives ∂⁺ᵢ and ∂⁻ᵢ of the objective to the right and
    /// left, max { ∂⁻ᵢ : βᵢ > Lᵢ } − min { ∂⁺ᵢ : βᵢ < Uᵢ }, at least 0: what stopping rules of decomposition
    /// methods bound. Without groups, the largest derivative along which a variable could still move.
    pub gap: f64,
    /// λ of each group, the middle of the two extremes above (the one that exists, if only one does).
    pub multipliers: Vec<f64>,
    /// The largest distance of a βᵢ from [Lᵢ, Uᵢ].
    pub box_violation: f64,
    /// The largest distance of a group's sum from what it should be.
    pub sum_violation: f64,
}

/// Checks β against the optimality conditions.
///
/// A variable within `at_bound` of a bound (or of the kink at 0, where ε > 0) counts as lying on it: 0 for
/// methods that clip, about 1e-6 for interior points.
pub fn check(problem: &QpProblem, beta: &[f64], at_bound: f64) -> KktReport {
    let n = problem.len();
    assert_eq!(beta.len(), n, "one coefficient per variable");
    let product = problem.kernel_times(beta);
    let groups = problem.group_sum.len();
    let mut sums = vec![0.0; groups];
    // Without groups both extremes are measured against λ = 0.
    let (mut smallest_up, mut largest_down) =
        (vec![f64::INFINITY; groups.max(1)], vec![f64::NEG_INFINITY; groups.max(1)]);
    let mut box_violation = 0.0f64;
    for i in 0..n {
        box_violation = box_violation.max(problem.lower[i] - beta[i]).max(beta[i] - problem.upper[i]);
        let g = problem.group_at(i).unwrap_or(0);
        if let Some(sum) = sums.get_mut(g) {
            *sum += beta[i];
        }
        let slope = product[i] + problem.diagonal_at(i) * beta[i] + problem.linear[i];
        let epsilon = problem.insensitivity_at(i);
        if beta[i] < problem.upper[i] - at_bound {
            let right = slope + if beta[i] < -at_bound { -epsilon } else { epsilon };
            smallest_up[g] = smallest_up[g].min(right);
        }
        if beta[i] > problem.lower[i] + at_bound {
            let left = slope + if beta[i] > at_bound { epsilon } else { -epsilon };
            largest_down[g] = largest_down[g].max(left);
        }
    }
    let gap = if groups == 0 {
        (-smallest_up[0]).max(largest_down[0]).max(0.0)
    } else {
        (0..groups).map(|g| largest_down[g] - smallest_up[g]).fold(0.0, f64::max)
    };
    let multipliers = (0..groups)
        .map(|g| match (largest_down[g].is_finite(), smallest_up[g].is_finite()) {
            (true, true) => 0.5 * (largest_down[g] + smallest_up[g]),
            (true, false) => largest_down[g],
            (false, true) => smallest_up[g],
            (false, false) => 0.0,
        })
        .collect();
    let sum_violation = sums.iter().zip(problem.group_sum).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    KktReport { gap, multipliers, box_violation, sum_violation }
}

/// Objective of β minus a lower bound of the optimum that β and the multipliers λ prove.
///
/// The bound is −½ βᵀKβ + Σᵢ min { ½ dᵢt² + (Kβ + p − λ)ᵢt + εᵢ|t| : Lᵢ ≤ t ≤ Uᵢ } + Σ λ_g s_g, and holds for
/// any β and λ as long as K is positive semi-definite. It is −∞ (and the gap ∞) where a variable without a
/// bound could still gain.
pub fn duality_gap(problem: &QpProblem, beta: &[f64], multipliers: &[f64]) -> f64 {
    assert_eq!(multipliers.len(), problem.group_sum.len(), "one multiplier per group");
    let product = problem.kernel_times(beta);
    let mut bound: f64 = multipliers.iter().zip(problem.group_sum).map(|(l, s)| l * s).sum();
    for i in 0..problem.len() {
        let lambda = problem.group_at(i).map_or(0.0, |g| multipliers[g]);
        let (d, slope) = (problem.diagonal_at(i), product[i] + problem.linear[i] - lambda);
        let epsilon = problem.insensitivity_at(i);
        let term = |t: f64| if t == 0.0 { 0.0 } else { 0.5 * d * t * t + slope * t + epsilon * t.abs() };
        let stationary = [-(slope + epsilon) / d, -(slope - epsilon) / d, 0.0];
        let candidates = stationary.into_iter().filter(|t| t.is_finite());
        let best = candidates
            .map(|t| t.clamp(problem.lower[i], problem.upper[i]))
            .chain([problem.lower[i], problem.upper[i]])
            .map(|t| match (t.is_finite(), d > 0.0) {
                (true, _) => term(t),
                (false, true) => f64::INFINITY,
                (false, false) if slope * t.signum() + epsilon < 0.0 => f64::NEG_INFINITY,
                (false, false) => f64::INFINITY,
            })
            .fold(f64::INFINITY, f64::min);
        bound += best - 0.5 * beta[i] * product[i];
    }
    problem.objective(beta) - bound
}

/// Primal minus dual value of the soft-margin classifier f = Σ βᵢ k(xᵢ, ·) + b with hinge losses of cost Cᵢ:
///
/// P = ½ βᵀKβ + Σ Cᵢ max(0, 1 − yᵢ f(xᵢ)),  D = Σ yᵢβᵢ − ½ βᵀKβ.
///
/// `kernel` is n × n, `labels` are ±1. For the β of an optimum, any optimal offset gives 0.
pub fn soft_margin_duality_gap(
    kernel: &[f64],
    labels: &[f64],
    cost: &[f64],
    beta: &[f64],
    offset: f64,
) -> f64 {
    let n = labels.len();
    let (mut quadratic, mut losses, mut linear) = (0.0, 0.0, 0.0);
    for i in 0..n {
        let value: f64 = (0..n).map(|j| kernel[i * n + j] * beta[j]).sum();
        quadratic += beta[i] * value;
        losses += cost[i] * (1.0 - labels[i] * (value + offset)).max(0.0);
        linear += labels[i] * beta[i];
    }
    (0.5 * quadratic + losses) - (linear - 0.5 * quadratic)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: [f64; 4] = [1.0, -1.0, -1.0, 1.0];

    fn two_points() -> QpProblem<'static> {
        QpProblem { group_sum: &[0.0], ..QpProblem::new(&KERNEL, &[1.0, -1.0], &[-2.0, 0.0], &[0.0, 2.0]) }
    }

    #[test]
    fn an_optimum_has_no_gap() {
        let report = check(&two_points(), &[-0.5, 0.5], 0.0);
        assert_eq!(
            report,
            KktReport { gap: 0.0, multipliers: vec![0.0], box_violation: 0.0, sum_violation: 0.0 }
        );
        assert_eq!(duality_gap(&two_points(), &[-0.5, 0.5], &[0.0]), 0.0);
        assert_eq!(soft_margin_duality_gap(&KERNEL, &[-1.0, 1.0], &[2.0; 2], &[-0.5, 0.5], 0.0), 0.0);
    }

    #[test]
    fn the_start_of_a_classifier_has_a_gap_of_two() {
        // At β = 0 the slopes are −y.
        assert_eq!(check(&two_points(), &[0.0, 0.0], 0.0).gap, 2.0);
    }

    #[test]
    fn violations_are_measured() {
        let report = check(&two_points(), &[0.25, 0.5], 0.0);
        assert_eq!((report.box_violation, report.sum_violation), (0.25, 0.75));
    }

    #[test]
    fn the_two_gaps_agree_away_from_the_optimum() {
        // The general bound with λ = −b is the hinge-loss gap.
        let labels = [-1.0, 1.0];
        for (a, offset) in [(0.1, 0.3), (0.5, -0.2), (1.7, 0.0), (2.0, 1.0)] {
            let general = duality_gap(&two_points(), &[-a, a], &[-offset]);
            let hinge = soft_margin_duality_gap(&KERNEL, &labels, &[2.0; 2], &[-a, a], offset);
            assert!((general - hinge).abs() < 1e-12, "{general} {hinge}");
            assert!(general > 0.0);
        }
    }

    #[test]
    fn without_a_bound_only_the_optimum_proves_anything() {
        let (lower, upper) = ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
        let free = QpProblem::new(&[1.0, 0.0, 0.0, 1.0], &[-1.0, 1.0], &lower, &upper);
        assert_eq!(duality_gap(&free, &[1.0, -1.0], &[]), 0.0);
        assert_eq!(duality_gap(&free, &[0.5, -1.0], &[]), f64::INFINITY);
        assert_eq!(check(&free, &[0.5, -1.0], 0.0).gap, 0.5);
        // With d > 0 the bound is finite again: K = 0, d = 1 is the same problem, and its bound is exact.
        let ridge = QpProblem { kernel: &[0.0; 4], diagonal: &[1.0, 1.0], ..free };
        assert_eq!(duality_gap(&ridge, &[0.5, -1.0], &[]), 0.125);
    }

    #[test]
    fn the_kink_at_zero_is_a_place_to_rest() {
        // |slope| ≤ ε at β = 0.
        let (lower, upper) = ([-1.0], [1.0]);
        let tube = QpProblem { insensitivity: &[0.5], ..QpProblem::new(&[1.0], &[-0.4], &lower, &upper) };
        assert_eq!(check(&tube, &[0.0], 0.0).gap, 0.0);
        assert_eq!(duality_gap(&tube, &[0.0], &[]), 0.0);
        assert!((check(&tube, &[0.1], 0.0).gap - 0.2).abs() < 1e-15);
    }
}

//! A product Kβ that need not be computed again.

use super::{DualProblem, DualSolution};

/// Multiples that agree to so many last digits are the same one.
const SAME: f64 = 8.0 * f64::EPSILON;

/// Coefficients β⁰ and their product Kβ⁰, as an earlier solution over the same K left them.
///
/// A start β costs a row of K for each coefficient that is not 0. Where β = cβ⁰ but for a few coefficients, only these cost
/// one: along a path of costs C those at their bound grow by one factor, and Kβ with them.
///
/// ```
/// # use mercer::gram::PrecomputedGram;
/// use mercer::solver::{Control, DualProblem, Known, Settings, solve};
/// let gram = PrecomputedGram::symmetric(vec![1.0, 0.5, 0.5, 1.0], 2)?;
/// let problem = |cost: f64| DualProblem::new(vec![-9.0, -9.0], vec![0.0; 2], vec![cost; 2]);
/// let first = solve(&gram, &problem(1.0), &Settings::default(), &mut |_| Control::Continue)?;
/// assert_eq!(first.coefficients, [1.0, 1.0]);
///
/// let mut next = problem(2.0);
/// next.start = vec![2.0, 2.0];
/// next.known = Some(Known::of(&problem(1.0), &first));
/// let solution = solve(&gram, &next, &Settings::default(), &mut |_| Control::Continue)?;
/// assert_eq!((&solution.gradient[..], solution.rows_computed), (&[-6.0, -6.0][..], 0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// β⁰, one per variable.
    pub coefficients: Vec<f64>,
    /// Kβ⁰ at the item of each variable, without the diagonal d.
    pub product: Vec<f64>,
}

impl Known {
    /// What the solution of a problem tells. O(n)
    pub fn of(problem: &DualProblem, solution: &DualSolution) -> Self {
        let product = |i: usize| {
            solution.gradient[i] - problem.diagonal(i) * solution.coefficients[i] - problem.linear[i]
        };
        Known {
            coefficients: solution.coefficients.clone(),
            product: (0..problem.len()).map(product).collect(),
        }
    }

    /// The c for which the most coefficients are those of cβ⁰, and the others with what they are more: (i, βᵢ − cβᵢ⁰). O(n log n)
    pub(super) fn factor(&self, beta: &[f64]) -> (f64, Vec<(usize, f64)>) {
        let mut ratios: Vec<f64> = beta
            .iter()
            .zip(&self.coefficients)
            .filter(|(b, k)| **b != 0.0 && **k != 0.0)
            .map(|(b, k)| b / k)
            .collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let runs = ratios.chunk_by(|a, b| (b - a).abs() <= SAME * a.abs());
        // Of runs of one length the first: the choice must not depend on anything but the numbers.
        let longest = runs.reduce(|most, run| if run.len() > most.len() { run } else { most });
        let factor = longest.map_or(0.0, |run| run[run.len() / 2]);
        let more = |i: usize| (i, beta[i] - factor * self.coefficients[i]);
        let others =
            (0..beta.len()).map(more).filter(|&(i, more)| more.abs() > SAME * beta[i].abs()).collect();
        (factor, others)
    }
}

impl Known {
    /// Goes back from a start towards β⁰ where that is better: to the least objective on the way, if it is in the first half.
    ///
    /// Coefficients at their bound that all begin at a larger one may have wanted to grow a little only. Where they want to go most of
    /// the way, to stay at the new bound is worth more: who is inside has to be taken to the bound step by step. `f` is the
    /// gradient at the start. O(n); nothing is done if β⁰ is not feasible, or the objective has kinks.
    pub(super) fn shorten(&self, problem: &DualProblem, beta: &mut [f64], f: &mut [f64]) {
        let n = problem.len();
        let inside = |i: usize| {
            let b = self.coefficients[i];
            problem.lower[i] <= b && b <= problem.upper[i] && problem.insensitivity(i) == 0.0
        };
        if !(0..n).all(inside) {
            return;
        }
        let step: Vec<f64> = beta.iter().zip(&self.coefficients).map(|(b, k)| b - k).collect();
        for g in 0..problem.groups.count() {
            let members = || (0..n).filter(|&i| problem.groups.of(i) == g);
            let (sum, size) =
                members().fold((0.0, 0.0), |(sum, size), i| (sum + step[i], size + step[i].abs()));
            if f64::abs(sum) > 1e-12 * size {
                return;
            }
        }
        let before =
            |i: usize| problem.linear[i] + self.product[i] + problem.diagonal(i) * self.coefficients[i];
        let (mut slope, mut curvature) = (0.0, 0.0);
        for i in 0..n {
            slope += step[i] * before(i);
            curvature += step[i] * (f[i] - before(i));
        }
        let part = -slope / curvature;
        if !(curvature > 0.0 && part > 0.0 && part < 0.5) {
            return;
        }
        for i in 0..n {
            beta[i] = (self.coefficients[i] + part * step[i]).clamp(problem.lower[i], problem.upper[i]);
            f[i] = before(i) + part * (f[i] - before(i));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_common_factor_is_found_and_what_it_leaves() {
        let known = Known { coefficients: vec![0.1, 0.3, 0.0, -0.1, 0.2], product: vec![0.0; 5] };
        let (factor, others) = known.factor(&[0.1 * 3.0, 0.3 * 3.0, 1.0, -0.3, 0.2]);
        assert!((factor - 3.0).abs() < 1e-14);
        assert_eq!(others.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [2, 4]);
        assert!((others[1].1 + 0.4).abs() < 1e-15);
        // What was not zero and is now has to go.
        assert_eq!(known.factor(&[0.1, 0.3, 0.0, 0.0, 0.2]), (1.0, vec![(3, 0.1)]));
        assert_eq!(known.factor(&[0.0; 5]), (0.0, vec![]));
    }

    /// Two variables that sum to 0, each with its own curvature only, of which β⁰ = (1, −1) would like to grow a little.
    fn grown(wanted: f64) -> (DualProblem, Known) {
        let mut problem = DualProblem::new(vec![-wanted, wanted], vec![-9.0; 2], vec![9.0; 2]);
        problem.groups = crate::solver::Groups::One { sum: 0.0 };
        (problem, Known { coefficients: vec![1.0, -1.0], product: vec![1.0, -1.0] })
    }

    #[test]
    fn a_start_goes_back_to_the_least_objective_if_that_is_near() {
        let (problem, known) = grown(2.0);
        // K is the unit matrix: f = β + p, and the least objective is at β = (2, −2).
        let (mut beta, mut f) = (vec![9.0, -9.0], vec![7.0, -7.0]);
        known.shorten(&problem, &mut beta, &mut f);
        assert!((beta[0] - 2.0).abs() < 1e-15 && beta[1] == -beta[0] && f.iter().all(|f| f.abs() < 1e-15));
        // What wants to go most of the way goes all of it.
        let (problem, known) = grown(8.0);
        let (mut beta, mut f) = (vec![9.0, -9.0], vec![1.0, -1.0]);
        known.shorten(&problem, &mut beta, &mut f);
        assert_eq!((beta, f), (vec![9.0, -9.0], vec![1.0, -1.0]));
        // Coefficients that are not feasible are no way back.
        let (mut problem, known) = grown(2.0);
        problem.upper[0] = 0.5;
        let (mut beta, mut f) = (vec![0.5, -0.5], vec![-1.5, 1.5]);
        known.shorten(&problem, &mut beta, &mut f);
        assert_eq!((beta, f), (vec![0.5, -0.5], vec![-1.5, 1.5]));
    }
}

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
}

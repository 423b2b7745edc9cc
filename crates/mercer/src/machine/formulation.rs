//! Machines as dual problems: each formulation is a short constructor of a [`DualProblem`].

use crate::solver::{DualProblem, Groups};

/// The 1-norm soft margin: min ½‖w‖² + Σ Cᵢ ξᵢ with yᵢ(⟨w, φ(xᵢ)⟩ + b) ≥ 1 − ξᵢ, ξᵢ ≥ 0.
///
/// Its dual in β = yα is min ½ βᵀKβ − yᵀβ with 0 ≤ yᵢβᵢ ≤ Cᵢ and Σβ = 0. `positive[i]` says whether yᵢ = +1;
/// `items[i]` is the item of variable i.
///
/// ```
/// use mercer::machine::formulation::soft_margin;
/// let problem = soft_margin(&[true, false], &[1.0, 2.0], vec![0, 1]);
/// assert_eq!((problem.lower[1], problem.upper[0]), (-2.0, 1.0));
/// ```
pub fn soft_margin(positive: &[bool], costs: &[f64], items: Vec<usize>) -> DualProblem {
    let linear = positive.iter().map(|&p| if p { -1.0 } else { 1.0 }).collect();
    let (lower, upper) =
        positive.iter().zip(costs).map(|(&p, &c)| if p { (0.0, c) } else { (-c, 0.0) }).unzip();
    let mut problem = DualProblem::new(linear, lower, upper);
    problem.groups = Groups::One { sum: 0.0 };
    problem.item = items;
    problem
}

//! Classifiers as dual problems: each formulation is a short constructor of a [`DualProblem`].

use serde::{Deserialize, Serialize};

use crate::solver::{DualProblem, Groups};

/// What a unit of slack ξ costs a classifier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slack {
    /// C ξ, the 1-norm soft margin: its dual has the box 0 ≤ α ≤ C.
    #[default]
    Linear,
    /// C/2 ξ², the 2-norm soft margin: its dual has no upper bound and 1/C on the diagonal of K.
    ///
    /// LIBLINEAR and scikit-learn's `LinearSVC` write C ξ²: their C is half of this one.
    Quadratic,
}

/// A soft-margin problem for two classes.
///
/// ```text
/// linear     min ½‖w‖² + Σ Cᵢ ξᵢ        yᵢ(⟨w, φ(xᵢ)⟩ + b) ≥ 1 − ξᵢ,  ξᵢ ≥ 0
///            dual in β = yα:  ½ βᵀKβ − yᵀβ,               0 ≤ yᵢβᵢ ≤ Cᵢ,  Σβ = 0
/// quadratic  min ½‖w‖² + ½ Σ Cᵢ ξᵢ²     the same
///            dual in β = yα:  ½ βᵀ(K + diag(1/C))β − yᵀβ,  0 ≤ yᵢβᵢ,       Σβ = 0
/// ```
///
/// Without an offset b the sum is free. `positive[i]` says whether yᵢ = +1; `items[i]` is the item of variable i, and
/// none means that variable i is item i. A variable whose cost is 0 cannot move.
///
/// ```
/// use mercer::machine::formulation::{Slack, soft_margin};
/// let problem = soft_margin(&[true, false], &[1.0, 2.0], vec![0, 1], Slack::Linear, true);
/// assert_eq!((problem.lower[1], problem.upper[0]), (-2.0, 1.0));
/// let problem = soft_margin(&[true, false], &[1.0, 2.0], vec![0, 1], Slack::Quadratic, true);
/// assert_eq!((problem.upper[0], problem.diagonal[1]), (f64::INFINITY, 0.5));
/// ```
pub fn soft_margin(
    positive: &[bool],
    costs: &[f64],
    items: Vec<usize>,
    slack: Slack,
    offset: bool,
) -> DualProblem {
    let linear = positive.iter().map(|&p| if p { -1.0 } else { 1.0 }).collect();
    let bound = |cost: f64| match slack {
        Slack::Quadratic if cost > 0.0 => f64::INFINITY,
        _ => cost,
    };
    let (lower, upper) = positive
        .iter()
        .zip(costs)
        .map(|(&p, &c)| if p { (0.0, bound(c)) } else { (0.0 - bound(c), 0.0) })
        .unzip();
    let mut problem = DualProblem::new(linear, lower, upper);
    if slack == Slack::Quadratic {
        problem.diagonal = costs.iter().map(|&c| if c > 0.0 { 1.0 / c } else { 0.0 }).collect();
    }
    problem.groups = if offset { Groups::One { sum: 0.0 } } else { Groups::None };
    problem.item = items;
    problem
}

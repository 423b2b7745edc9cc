//! Classifiers as dual problems: each formulation is a short constructor of a [`DualProblem`].
//!
//! A hyperplane with a margin can be scaled in two ways, and each gives a problem of its own:
//!
//! - [`soft_margin`] fixes the functional margin to 1 and makes ‖w‖ small;
//! - [`maximal_margin`] fixes Σα, and with it the length of w, and makes the margin large.
//!
//! Both find the same hyperplane. In the second form the cost is a share ν of rows, or none is needed.

use serde::{Deserialize, Serialize};

use crate::solver::{DualProblem, Groups};

/// What slack ξ, by which a row misses the margin, costs a classifier.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Slack, Svc};
/// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
/// let labels = Labels::from_text((0..20).map(|i| if i < 9 || i == 12 { "low" } else { "high" }));
/// for nu in [0.4, 0.6, 0.8] {
///     let machine = Svc::params("linear".parse::<Expression>()?).slack(Slack::Nu { nu }).check()?;
///     let model = machine.fit(&rows, &labels)?;
///     let report = &model.pairs().reports[0];
///     // At most a share ν of the 20 rows misses the margin, and at least a share ν supports it.
///     assert!(report.margin_errors as f64 <= 20.0 * nu && report.support as f64 >= 20.0 * nu);
/// }
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slack {
    /// C ξ, the 1-norm soft margin: its dual has the box 0 ≤ α ≤ C.
    #[default]
    Linear,
    /// C/2 ξ², the 2-norm soft margin: its dual has no upper bound and 1/C on the diagonal of K.
    ///
    /// LIBLINEAR and scikit-learn's `LinearSVC` write C ξ²: their C is half of this one.
    Quadratic,
    /// There is none: the hard margin. Classes that cannot be separated are refused.
    None,
    /// C ξ with the C for which at most a share ν of the rows misses the margin, and at least a share ν supports it.
    Nu {
        /// ν above 0, at most twice the share of the smaller class.
        nu: f64,
    },
}

/// How a hyperplane is scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Rows on the margin have the decision values ±1.
    #[default]
    Functional,
    /// ‖w‖ = 1: a decision value is the distance from the hyperplane in feature space.
    ///
    /// C is then the bound of an α of which all sum to 1 (it is 1/(νℓ)), and 1/C the μ on the diagonal.
    Geometric,
}

/// A soft-margin problem for two classes.
///
/// ```text
/// linear     min ½‖w‖² + Σ Cᵢ ξᵢ        yᵢ(⟨w, φ(xᵢ)⟩ + b) ≥ 1 − ξᵢ,  ξᵢ ≥ 0
///            dual in β = yα:  ½ βᵀKβ − yᵀβ,               0 ≤ yᵢβᵢ ≤ Cᵢ,  Σβ = 0
/// quadratic  min ½‖w‖² + ½ Σ Cᵢ ξᵢ²     the same
///            dual in β = yα:  ½ βᵀ(K + diag(1/C))β − yᵀβ,  0 ≤ yᵢβᵢ,       Σβ = 0
/// none       min ½‖w‖²                  ξ = 0
///            dual in β = yα:  ½ βᵀKβ − yᵀβ,               0 ≤ yᵢβᵢ,       Σβ = 0
/// ```
///
/// (Cristianini & Shawe-Taylor, Propositions 5.5, 5.6 and 5.4; Shawe-Taylor & Cristianini, Algorithm 7.26.) Without an
/// offset b the sum is free. `positive[i]` says whether yᵢ = +1; `items[i]` is the item of variable i, and none means
/// that variable i is item i. A variable whose cost is 0 cannot move. Costs that differ by class are Campbell's C₊ and
/// C₋; with quadratic slack their inverses are his λ₊ and λ₋.
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
    let mut problem = boxed(linear, positive, costs, items, slack);
    problem.groups = if offset { Groups::One { sum: 0.0 } } else { Groups::None };
    problem
}

/// The problem of the largest margin for two classes: the points of two hulls that are nearest to each other.
///
/// ```text
/// none       max γ              yᵢ(⟨w, φ(xᵢ)⟩ + b) ≥ γ,       ‖w‖ = 1
///            dual in β = yα:  ½ βᵀKβ,   0 ≤ yᵢβᵢ,        Σ₊β = ½, Σ₋β = −½
/// linear     max γ − Σ Cᵢ ξᵢ    yᵢ(⟨w, φ(xᵢ)⟩ + b) ≥ γ − ξᵢ,  ‖w‖ = 1
///            the same with 0 ≤ yᵢβᵢ ≤ Cᵢ
/// quadratic  the first with K + diag(μ), μᵢ = 1/Cᵢ
/// ν          the second with bounds Cᵢ that stay as they are, and Σ₊β = ½ν ΣC = −Σ₋β, or all of a class that has less
/// ```
///
/// (Shawe-Taylor & Cristianini, Algorithms 7.21, 7.29, 7.37 and 7.32, the last one ν ΣC times as large, as LIBSVM has
/// it.) With the values S = Kβ of free rows of the two classes, b = −½(S₊ + S₋) and the margin ρ = ½(S₊ − S₋) belong to
/// a w of length √(βᵀKβ).
///
/// ```
/// use mercer::machine::formulation::{Slack, maximal_margin};
/// use mercer::solver::Groups;
/// let problem = maximal_margin(&[true, false, false], &[1.0; 3], vec![], Slack::Nu { nu: 0.4 });
/// let Groups::Two { sums, .. } = problem.groups else { unreachable!() };
/// assert!((sums[1] - 0.6).abs() < 1e-15 && sums[0] == -sums[1]);
/// ```
pub fn maximal_margin(positive: &[bool], costs: &[f64], items: Vec<usize>, slack: Slack) -> DualProblem {
    let mut problem = boxed(vec![0.0; positive.len()], positive, costs, items, slack);
    let half = |side: bool| match slack {
        Slack::Nu { nu } => {
            let mass = costs.iter().zip(positive).filter(|(_, positive)| **positive == side);
            (0.5 * nu * costs.iter().sum::<f64>()).min(mass.map(|(cost, _)| cost).sum())
        }
        _ => 0.5,
    };
    let sums = [-half(false), half(true)];
    problem.groups = Groups::Two { of: positive.iter().map(|&p| u8::from(p)).collect(), sums };
    problem
}

/// Box and diagonal, which both forms share.
fn boxed(linear: Vec<f64>, positive: &[bool], costs: &[f64], items: Vec<usize>, slack: Slack) -> DualProblem {
    let bound = |cost: f64| match slack {
        Slack::Quadratic | Slack::None if cost > 0.0 => f64::INFINITY,
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
    problem.item = items;
    problem
}

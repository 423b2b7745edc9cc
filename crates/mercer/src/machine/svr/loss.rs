//! What is lost by a target that is missed, and the dual problem that follows from it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::solver::{DualProblem, Groups};

/// The loss L(r) of a residual r = y − f(x), of which the cost is a multiple.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::{Loss, Svr};
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0]])?;
/// // The last target is far off the line.
/// let targets = [0.0, 1.0, 2.0, 3.0, 40.0];
/// let last = |loss| -> mercer::Result<f64> {
///     let machine = Svr::params("linear".parse::<Expression>()?).cost(1000.0).loss(loss).check()?;
///     Ok(machine.fit(&rows, &targets)?.predict(&rows)?[4])
/// };
/// // Least squares are drawn to it: 4 + 0.6 · 36. Huber's loss pulls by the width at most, which comes to 5.5.
/// assert!((last(Loss::Quadratic { tube: 0.0 })? - 25.6).abs() < 0.1);
/// assert!((last(Loss::Huber { width: 1.0 })? - 5.5).abs() < 0.1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// max(|r| − ε, 0): box |β| ≤ C.
    Linear {
        /// ε ≥ 0: residuals up to it cost nothing.
        tube: f64,
    },
    /// ½ max(|r| − ε, 0)²: diagonal 1/C, no box. With ε = 0 it is ridge regression with an offset, λ = 1/C.
    Quadratic {
        /// ε ≥ 0: residuals up to it cost nothing.
        tube: f64,
    },
    /// r²/2 up to a width δ and δ(|r| − δ/2) beyond: diagonal 1/C and box |β| ≤ Cδ.
    Huber {
        /// δ > 0: up to it the loss is quadratic.
        width: f64,
    },
    /// τ·max(r, 0) + (1 − τ)·max(−r, 0), the pinball: f becomes the τ-quantile; box −C(1 − τ) ≤ β ≤ Cτ.
    Quantile {
        /// τ between 0 and 1.
        level: f64,
    },
    /// The linear loss with a tube that is found: at most a share ν of the items is outside of it, and at least a share
    /// ν has coefficients. The cost of an item is C (Campbell's and LIBSVM's convention, not C/ℓ).
    Nu {
        /// ν between 0 and 1.
        nu: f64,
    },
}

impl Default for Loss {
    fn default() -> Self {
        Loss::Linear { tube: 0.1 }
    }
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Loss::Linear { tube } => write!(f, "linear outside a tube of {tube}"),
            Loss::Quadratic { tube } => write!(f, "quadratic outside a tube of {tube}"),
            Loss::Huber { width } => write!(f, "Huber, quadratic up to {width}"),
            Loss::Quantile { level } => write!(f, "pinball for the quantile {level}"),
            Loss::Nu { nu } => write!(f, "linear outside the tube that nu = {nu} finds"),
        }
    }
}

impl Loss {
    pub(crate) fn check(&self) -> Result<()> {
        let (name, value, fine, expected) = match *self {
            Loss::Linear { tube } | Loss::Quadratic { tube } => {
                ("tube", tube, tube >= 0.0 && tube.is_finite(), "a finite number of at least 0")
            }
            Loss::Huber { width } => {
                ("width", width, width > 0.0 && width.is_finite(), "a finite number above 0")
            }
            Loss::Quantile { level } => {
                ("level", level, level > 0.0 && level < 1.0, "a number between 0 and 1")
            }
            Loss::Nu { nu } => ("nu", nu, nu > 0.0 && nu <= 1.0, "a number above 0, at most 1"),
        };
        if fine { Ok(()) } else { Err(Error::Parameter { name, value, expected }) }
    }

    /// L(r); for ν the tube must be known.
    pub fn value(&self, residual: f64, found_tube: f64) -> f64 {
        let outside = |tube: f64| (residual.abs() - tube).max(0.0);
        match *self {
            Loss::Linear { tube } => outside(tube),
            Loss::Quadratic { tube } => 0.5 * outside(tube).powi(2),
            Loss::Huber { width } if residual.abs() <= width => 0.5 * residual * residual,
            Loss::Huber { width } => width * (residual.abs() - 0.5 * width),
            Loss::Quantile { level } => (level * residual).max((level - 1.0) * residual),
            Loss::Nu { .. } => outside(found_tube),
        }
    }

    /// The dual problem for these targets, with a cost for each.
    ///
    /// An item whose cost is 0 keeps a variable that cannot move. For ν there are two variables per item, one for each
    /// side of the tube, whose sums are fixed: Σβ⁺ = −Σβ⁻ = ν/2 · Σ Cᵢ.
    ///
    /// ```
    /// use mercer::machine::Loss;
    /// let problem = Loss::Quantile { level: 0.9 }.problem(&[3.0, 4.0], &[10.0, 10.0], true);
    /// assert_eq!((problem.lower[0].round(), problem.upper[0]), (-1.0, 9.0));
    /// ```
    pub fn problem(&self, targets: &[f64], costs: &[f64], offset: bool) -> DualProblem {
        let n = targets.len();
        let linear: Vec<f64> = targets.iter().map(|y| -y).collect();
        let boxed = |below: f64, above: f64| -> (Vec<f64>, Vec<f64>) {
            costs.iter().map(|&c| if c > 0.0 { (-c * below, c * above) } else { (0.0, 0.0) }).unzip()
        };
        if let Loss::Nu { nu } = *self {
            let mut problem = DualProblem::new(
                linear.repeat(2),
                [vec![0.0; n], costs.iter().map(|c| -c).collect()].concat(),
                [costs.to_vec(), vec![0.0; n]].concat(),
            );
            let half = 0.5 * nu * costs.iter().sum::<f64>();
            let of = [vec![0; n], vec![1; n]].concat();
            problem.groups = Groups::Two { of, sums: [half, -half] };
            problem.item = (0..n).chain(0..n).collect();
            return problem;
        }
        let (lower, upper) = match *self {
            Loss::Quadratic { .. } => boxed(f64::INFINITY, f64::INFINITY),
            Loss::Huber { width } => boxed(width, width),
            Loss::Quantile { level } => boxed(1.0 - level, level),
            Loss::Linear { .. } | Loss::Nu { .. } => boxed(1.0, 1.0),
        };
        let mut problem = DualProblem::new(linear, lower, upper);
        if let Loss::Linear { tube } | Loss::Quadratic { tube } = *self
            && tube > 0.0
        {
            problem.insensitivity = vec![tube; n];
        }
        if let Loss::Quadratic { .. } | Loss::Huber { .. } = self {
            problem.diagonal = costs.iter().map(|&c| if c > 0.0 { 1.0 / c } else { 0.0 }).collect();
        }
        problem.groups = if offset { Groups::One { sum: 0.0 } } else { Groups::None };
        problem
    }

    /// The offset and the tube, from the multipliers of the sums.
    pub(super) fn offset_and_tube(&self, multipliers: &[f64]) -> (f64, f64) {
        match (*self, multipliers) {
            // Above the tube Kβ − y = −b − ε, below it −b + ε.
            (Loss::Nu { .. }, [above, below]) => (-0.5 * (above + below), (0.5 * (below - above)).max(0.0)),
            (Loss::Linear { tube } | Loss::Quadratic { tube }, [one]) => (-one, tube),
            (Loss::Linear { tube } | Loss::Quadratic { tube }, _) => (0.0, tube),
            (_, [one, ..]) => (-one, 0.0),
            (_, []) => (0.0, 0.0),
        }
    }
}

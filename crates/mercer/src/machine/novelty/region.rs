//! Shapes of the region, and the dual problems that find it.
//!
//! A shape says how its dual problem is built and how a score follows from k(x, x) and Σ αᵢ k(xᵢ, x). A region that is cut by
//! another one (the sphere by a slab along the directions of least variance, Shawe-Taylor & Cristianini, Remark 7.15) needs
//! no more: items are outside if they are outside of either, so its score is the smaller of the two, and all that works on
//! scores (thresholds, contamination, comparisons with labels) works on it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::solver::{DualProblem, Groups};

/// The shape of the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Region {
    /// The sphere about the centre of mass of all items, as large as it takes; its softness has no meaning.
    Centre,
    /// The smallest sphere.
    Sphere,
    /// The half-space that is farthest from the origin.
    Hyperplane,
}

/// How items may lie outside.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::{Novelty, Region, Softness};
/// let sphere = |rows: &Vectors<'_>, softness| {
///     Novelty::params("linear".parse::<Expression>()?).region(Region::Sphere).softness(softness).check()?.fit(rows)
/// };
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0], [10.0]])?;
/// // The smallest interval that holds all, and one for which a unit of slack costs 0.4:
/// // c = 0.4 · 10 + 0.4 · 0 + 0.2 · 1, and the row at 1 is on its end.
/// assert!((sphere(&rows, Softness::Hard)?.radius().unwrap() - 5.0).abs() < 0.01);
/// let soft = sphere(&rows, Softness::Cost(0.4))?;
/// assert!((soft.radius().unwrap() - 3.2).abs() < 0.01);
/// assert_eq!(soft.is_novel(&rows)?, [true, false, false, false, false, true]);
/// // Where the square of slack costs C, the interval about −1 and 1 has r² = 1 − 1/(4C).
/// let rows = Vectors::from_rows(&[[-1.0], [1.0]])?;
/// assert!((sphere(&rows, Softness::Quadratic(1.0))?.found().threshold - 0.75).abs() < 0.01);
/// let none = sphere(&rows, Softness::Quadratic(0.1))?;
/// assert!((none.found().threshold + 1.5).abs() < 0.01);
/// assert_eq!(none.radius(), Some(0.0));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Softness {
    /// Not at all.
    Hard,
    /// A unit of slack costs C, which must be at least 1/ℓ (ℓ: items, or the sum of their weights).
    Cost(f64),
    /// At most a share ν of the items lies outside, and at least a share ν outside or on the surface: C = 1/(νℓ).
    Nu(f64),
    /// The square of the slack costs C, half of that for hyperplanes.
    ///
    /// Nothing keeps r² of the sphere from being negative: where C is so low that slack costs less than the radius, it is,
    /// and every item lies outside, the centre itself among them.
    Quadratic(f64),
}

impl Softness {
    pub(super) fn check(&self) -> Result<()> {
        let (name, value, fine, expected) = match *self {
            Softness::Hard => return Ok(()),
            Softness::Cost(c) | Softness::Quadratic(c) => {
                ("cost", c, c > 0.0 && c.is_finite(), "a finite number above 0")
            }
            Softness::Nu(nu) => ("nu", nu, nu > 0.0 && nu <= 1.0, "a number above 0, at most 1"),
        };
        if fine { Ok(()) } else { Err(Error::Parameter { name, value, expected }) }
    }

    /// The sum of the variables. They are s times the α of textbooks, so that they are of the size of the weights and
    /// a tolerance means the same as in other machines.
    pub(super) fn sum(&self, weights: &[f64]) -> Result<f64> {
        let all: f64 = weights.iter().sum();
        match *self {
            Softness::Cost(value) if value * all < 1.0 - 1e-12 => {
                Err(Error::Interval { name: "cost", value, low: 1.0 / all, high: f64::INFINITY })
            }
            _ => Ok(self.scale(all)),
        }
    }

    /// The sum for items that weigh so much in all. Of variables that sum to less than 1 a tolerance would say too little.
    pub(super) fn scale(&self, all: f64) -> f64 {
        self.sum_of_weights(all).max(1.0)
    }

    /// The sum for which the bounds of the variables are the weights.
    pub(super) fn sum_of_weights(&self, all: f64) -> f64 {
        match *self {
            Softness::Hard | Softness::Quadratic(_) => all,
            Softness::Nu(nu) => nu * all,
            Softness::Cost(cost) => 1.0 / cost,
        }
    }
}

/// Where variables have no bound but their sum: a bound makes the certificate finite, and one that none can reach leaves all of them free, so that
/// a single support item still says where the border is.
const OUT_OF_REACH: f64 = 2.0;
/// The largest bound that is told as it is, in sums of all variables. Beyond, slack is so dear that rounding would be all of the certificate.
const LARGEST_BOUND: f64 = 1e3;

/// The dual problem in s·α, for items with these weights and values k(x, x), of which those of different items differ by the unit.
///
/// A hyperplane has the objective 0 where the origin lies among the items. What a gap is compared with then is the objective of the same items if they had
/// nothing in common and counted alike, K = unit · I: where no value is negative and all k(x, x) are alike, no objective is below it.
pub(super) fn problem(
    region: Region,
    softness: Softness,
    weights: &[f64],
    diagonal: &[f64],
    (sum, unit): (f64, f64),
) -> DualProblem {
    let n = weights.len();
    let linear = match region {
        Region::Sphere => diagonal.iter().map(|k| -0.5 * sum * k).collect(),
        Region::Hyperplane | Region::Centre => vec![0.0; n],
    };
    let upper = match softness {
        Softness::Hard | Softness::Quadratic(_) => {
            weights.iter().map(|&w| if w > 0.0 { OUT_OF_REACH * sum } else { 0.0 }).collect()
        }
        Softness::Cost(_) | Softness::Nu(_) => {
            let natural = softness.sum_of_weights(weights.iter().sum());
            let bound = |&w: &f64| match natural < sum {
                true => (w * (sum / natural)).min(LARGEST_BOUND * sum),
                false => w,
            };
            weights.iter().map(bound).collect()
        }
    };
    let mut problem = DualProblem::new(linear, vec![0.0; n], upper);
    if let Softness::Quadratic(cost) = softness {
        let factor = if region == Region::Sphere { 4.0 } else { 1.0 };
        problem.diagonal =
            weights.iter().map(|&w| if w > 0.0 { 1.0 / (factor * cost * w) } else { 0.0 }).collect();
    }
    problem.groups = Groups::One { sum };
    problem.scale = 0.5 * unit * sum * sum / weights.iter().sum::<f64>();
    problem
}

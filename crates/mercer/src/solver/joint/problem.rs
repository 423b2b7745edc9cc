//! The joint problem as data.

use serde::{Deserialize, Serialize};

use super::circulation;
use crate::error::{Error, Result};

/// How a joint machine charges for an example that is too near to other classes.
///
/// ```
/// use mercer::solver::Joint;
/// assert_eq!((Joint::WestonWatkins.margin(), Joint::CrammerSinger.margin()), (2.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Joint {
    /// Σ_{k≠y} max(0, 2 − (f_y − f_k)): every other class that is too near counts (Weston & Watkins 1998).
    #[default]
    WestonWatkins,
    /// max_{k≠y} max(0, 1 − (f_y − f_k)): only the nearest other class counts (Crammer & Singer 2001).
    CrammerSinger,
}

impl Joint {
    /// By how much the score of an example's class should exceed the others: 2 or 1, as in the two papers.
    ///
    /// With another margin m in place of this one, m₀, and a cost of C·m₀/m, all scores are m/m₀ times as large.
    pub fn margin(self) -> f64 {
        match self {
            Joint::WestonWatkins => 2.0,
            Joint::CrammerSinger => 1.0,
        }
    }
}

/// min ½ Σ_k τ_kᵀKτ_k − m Σᵢ τᵢ,yᵢ  subject to  Σ_k τᵢₖ = 0, the bounds of the machine and, with offsets, Σᵢ τᵢₖ = 0.
///
/// See [`solve_joint`](super::solve_joint) for where it comes from.
///
/// ```
/// use mercer::solver::{Joint, JointProblem};
/// let problem = JointProblem::new(Joint::CrammerSinger, 2, vec![0, 1, 1], vec![1.0; 3]);
/// assert!(problem.check(3).is_ok());
/// assert!(problem.check(4).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct JointProblem {
    /// What is lost by examples that are too near to other classes.
    pub machine: Joint,
    /// Whether each class has an offset b_k; not for [`Joint::CrammerSinger`].
    pub offset: bool,
    /// k ≥ 2
    pub classes: usize,
    /// y: the class of each item.
    pub class: Vec<usize>,
    /// C ≥ 0 of each item; one whose cost is 0 has no part in the problem.
    pub costs: Vec<f64>,
    /// τ to begin with, k numbers per item; empty means 0. What is not feasible is moved until it is.
    pub start: Vec<f64>,
}

impl JointProblem {
    /// A problem without offsets, started at 0.
    pub fn new(machine: Joint, classes: usize, class: Vec<usize>, costs: Vec<f64>) -> Self {
        JointProblem { machine, offset: false, classes, class, costs, start: Vec::new() }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.class.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.class.is_empty()
    }

    /// Checks lengths, classes and numbers against a Gram matrix of `items` rows.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Shape`], [`Error::Entry`] or [`Error::Parameter`] naming the part.
    pub fn check(&self, items: usize) -> Result<()> {
        let (n, k) = (self.len(), self.classes);
        if n == 0 {
            return Err(Error::Empty { what: "items" });
        }
        let variables = n.saturating_mul(k);
        let start = if self.start.is_empty() { variables } else { self.start.len() };
        for (what, expected, found) in [
            ("classes (one per item)", items, n),
            ("costs (one per item)", n, self.costs.len()),
            ("start values (one per item and class)", variables, start),
        ] {
            if found != expected {
                return Err(Error::Shape { what, expected, found });
            }
        }
        if k < 2 {
            return Err(Error::Parameter { name: "classes", value: k as f64, expected: "at least 2" });
        }
        if self.offset && self.machine == Joint::CrammerSinger {
            let expected = "none for the machine of Crammer and Singer";
            return Err(Error::Parameter { name: "offset", value: 1.0, expected });
        }
        let entry = |what, index, value, expected| Err(Error::Entry { what, index, value, expected });
        for i in 0..n {
            if self.class[i] >= k {
                return entry("class", i, self.class[i] as f64, "the number of a class");
            }
            if !(self.costs[i] >= 0.0 && self.costs[i].is_finite()) {
                return entry("cost", i, self.costs[i], "a finite number of at least 0");
            }
        }
        match self.start.iter().position(|value| !value.is_finite()) {
            Some(at) => entry("start value", at, self.start[at], "a finite number"),
            None => Ok(()),
        }
    }

    /// The start, moved into the bounds and onto the sums; one that is feasible is returned as it is.
    pub(crate) fn feasible_start(&self) -> Vec<f64> {
        let k = self.classes;
        let mut tau = match self.start.is_empty() {
            true => return vec![0.0; self.len() * k],
            false => self.start.clone(),
        };
        for (i, tau) in tau.chunks_exact_mut(k).enumerate() {
            let (own, cost) = (self.class[i], self.costs[i]);
            tau[own] = 0.0;
            tau.iter_mut().for_each(|t| *t = t.clamp(-cost, 0.0));
            let sum: f64 = 0.0 - tau.iter().sum::<f64>();
            if self.machine == Joint::CrammerSinger && sum > cost {
                tau.iter_mut().for_each(|t| *t *= cost / sum);
            }
        }
        if self.offset {
            circulation::balance(self, &mut tau);
        }
        for (i, tau) in tau.chunks_exact_mut(k).enumerate() {
            let sum = 0.0 - tau.iter().sum::<f64>();
            tau[self.class[i]] = match self.machine {
                Joint::CrammerSinger => sum.min(self.costs[i]),
                Joint::WestonWatkins => sum,
            };
        }
        tau
    }
}

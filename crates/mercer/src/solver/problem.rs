//! The quadratic programme as data.

use super::Known;
use crate::error::{Error, Result};

/// Which variables share an equality constraint.
#[derive(Clone, Debug, PartialEq)]
pub enum Groups {
    /// No equality: a machine without offset.
    None,
    /// Σ βᵢ over all variables is this number: a machine with one offset.
    One {
        /// What the sum must be.
        sum: f64,
    },
    /// Two sums (the ν machines): `of[i]` is 0 or 1.
    Two {
        /// Group of each variable.
        of: Vec<u8>,
        /// What the two sums must be.
        sums: [f64; 2],
    },
}

impl Groups {
    /// Number of equality constraints.
    pub fn count(&self) -> usize {
        match self {
            Groups::None => 0,
            Groups::One { .. } => 1,
            Groups::Two { .. } => 2,
        }
    }

    /// The group of variable `i` (0 if there is but one, or none).
    ///
    /// # Panics
    /// If there are two groups and no such variable.
    pub fn of(&self, i: usize) -> usize {
        match self {
            Groups::Two { of, .. } => usize::from(of[i]),
            _ => 0,
        }
    }

    /// What the sum of group `g` must be.
    ///
    /// # Panics
    /// If there are two groups and `g` is neither 0 nor 1.
    pub fn sum(&self, g: usize) -> f64 {
        match self {
            Groups::None => 0.0,
            Groups::One { sum } => *sum,
            Groups::Two { sums, .. } => sums[g],
        }
    }
}

/// min ½ βᵀ(K + diag(d))β + pᵀβ + Σ εᵢ|βᵢ|  subject to  L ≤ β ≤ U and group sums.
///
/// Start from [`DualProblem::new`] and set what differs from its defaults.
///
/// ```
/// use mercer::solver::{DualProblem, Groups};
/// // The soft-margin machine on two points of opposite label with C = 1: p = −y, box by sign.
/// let mut problem = DualProblem::new(vec![-1.0, 1.0], vec![0.0, -1.0], vec![1.0, 0.0]);
/// problem.groups = Groups::One { sum: 0.0 };
/// problem.check(2)?;
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DualProblem {
    /// p
    pub linear: Vec<f64>,
    /// L, may be −∞
    pub lower: Vec<f64>,
    /// U, may be +∞
    pub upper: Vec<f64>,
    /// d ≥ 0; empty means 0
    pub diagonal: Vec<f64>,
    /// ε ≥ 0; empty means 0
    pub insensitivity: Vec<f64>,
    /// The equality constraints.
    pub groups: Groups,
    /// The item whose row of K belongs to each variable; empty means variable i is item i.
    pub item: Vec<usize>,
    /// Where to begin; empty means 0, or the nearest feasible point to it.
    pub start: Vec<f64>,
    /// A product with K that is known already, which may make the start cheaper; it must be one with the same K.
    pub known: Option<Known>,
    /// Objectives below this are small: relative gaps of a problem whose optimum may be 0 are measured by it. Default 0.
    pub scale: f64,
}

impl DualProblem {
    /// A problem with one variable per item, no diagonal, no ε, no equality, started at 0.
    pub fn new(linear: Vec<f64>, lower: Vec<f64>, upper: Vec<f64>) -> Self {
        DualProblem {
            linear,
            lower,
            upper,
            diagonal: Vec::new(),
            insensitivity: Vec::new(),
            groups: Groups::None,
            item: Vec::new(),
            start: Vec::new(),
            known: None,
            scale: 0.0,
        }
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.linear.len()
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.linear.is_empty()
    }

    /// d of variable `i`.
    pub fn diagonal(&self, i: usize) -> f64 {
        self.diagonal.get(i).copied().unwrap_or(0.0)
    }

    /// ε of variable `i`.
    pub fn insensitivity(&self, i: usize) -> f64 {
        self.insensitivity.get(i).copied().unwrap_or(0.0)
    }

    /// The item of variable `i`.
    pub fn item(&self, i: usize) -> usize {
        self.item.get(i).copied().unwrap_or(i)
    }

    /// Checks lengths, signs, orders and finiteness against a Gram matrix of `items` rows.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::Shape`] or [`Error::Entry`] naming the vector and the variable.
    pub fn check(&self, items: usize) -> Result<()> {
        let n = self.len();
        if n == 0 {
            return Err(Error::Empty { what: "variables" });
        }
        if self.item.is_empty() && items != n {
            return Err(Error::Shape { what: "variables (one per item)", expected: items, found: n });
        }
        let optional = |length: usize| if length == 0 { n } else { length };
        for (what, found) in [
            ("lower bounds", self.lower.len()),
            ("upper bounds", self.upper.len()),
            ("diagonal terms", optional(self.diagonal.len())),
            ("insensitivities", optional(self.insensitivity.len())),
            ("items of variables", optional(self.item.len())),
            ("start values", optional(self.start.len())),
            ("known coefficients", self.known.as_ref().map_or(n, |known| known.coefficients.len())),
            ("known products", self.known.as_ref().map_or(n, |known| known.product.len())),
            (
                "groups of variables",
                match &self.groups {
                    Groups::Two { of, .. } => of.len(),
                    _ => n,
                },
            ),
        ] {
            if found != n {
                return Err(Error::Shape { what, expected: n, found });
            }
        }
        let entry = |what, index, value, expected| Err(Error::Entry { what, index, value, expected });
        for i in 0..n {
            if !self.linear[i].is_finite() {
                return entry("linear term", i, self.linear[i], "a finite number");
            }
            if self.lower[i].is_nan() || self.lower[i] == f64::INFINITY {
                return entry("lower bound", i, self.lower[i], "a number or −∞");
            }
            if self.upper[i].is_nan() || self.upper[i] < self.lower[i] || self.upper[i] == f64::NEG_INFINITY {
                return entry("upper bound", i, self.upper[i], "a number not below the lower bound, or ∞");
            }
            for (what, value) in
                [("diagonal term", self.diagonal(i)), ("insensitivity", self.insensitivity(i))]
            {
                if !(value >= 0.0 && value.is_finite()) {
                    return entry(what, i, value, "a finite number of at least 0");
                }
            }
            if self.item(i) >= items {
                return entry("item of variable", i, self.item(i) as f64, "the position of an item");
            }
            if let Groups::Two { of, .. } = &self.groups
                && of[i] > 1
            {
                return entry("group of variable", i, f64::from(of[i]), "0 or 1");
            }
            if self.start.get(i).is_some_and(|v| !v.is_finite()) {
                return entry("start value", i, self.start[i], "a finite number");
            }
            if let Some(Known { coefficients, product }) = &self.known
                && let Some(&value) = [coefficients[i], product[i]].iter().find(|v| !v.is_finite())
            {
                return entry("known coefficient or product", i, value, "a finite number");
            }
        }
        for g in 0..self.groups.count() {
            if !self.groups.sum(g).is_finite() {
                return entry("group sum", g, self.groups.sum(g), "a finite number");
            }
        }
        Ok(())
    }

    /// The start, or 0, moved as little as a sweep over the variables can into the box and onto the sums.
    ///
    /// A feasible start is returned unchanged.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if no β satisfies box and sums.
    pub fn feasible_start(&self) -> Result<Vec<f64>> {
        let n = self.len();
        let mut beta: Vec<f64> = (0..n)
            .map(|i| self.start.get(i).copied().unwrap_or(0.0).clamp(self.lower[i], self.upper[i]))
            .collect();
        for g in 0..self.groups.count() {
            let members = || (0..n).filter(move |&i| self.groups.of(i) == g);
            let target = self.groups.sum(g);
            let (low, high) =
                (members().map(|i| self.lower[i]).sum(), members().map(|i| self.upper[i]).sum());
            let size: f64 = members().map(|i| beta[i].abs()).sum::<f64>() + target.abs();
            let slack = 1e-12 * size.max(f64::MIN_POSITIVE);
            let mut missing = target - members().map(|i| beta[i]).sum::<f64>();
            if missing.abs() > slack {
                if !self.start.is_empty() {
                    missing -= self.share(missing, members(), &mut beta);
                }
                for i in members() {
                    let step = missing.clamp(self.lower[i] - beta[i], self.upper[i] - beta[i]);
                    beta[i] += step;
                    missing -= step;
                    if missing == 0.0 {
                        break;
                    }
                }
            }
            if missing.abs() > 1e-9 * size.max(f64::MIN_POSITIVE) {
                return Err(Error::Infeasible { group: g, sum: target, low, high });
            }
        }
        Ok(beta)
    }

    /// Shares an amount among the members inside their box by the room that they have, and returns how much found room: a
    /// start is spoiled least where all free variables move a little.
    fn share(&self, amount: f64, members: impl Iterator<Item = usize>, beta: &mut [f64]) -> f64 {
        let free: Vec<usize> =
            members.filter(|&i| self.lower[i] < beta[i] && beta[i] < self.upper[i]).collect();
        let room =
            |i: usize, beta: f64| if amount > 0.0 { self.upper[i] - beta } else { beta - self.lower[i] };
        let all: f64 = free.iter().map(|&i| room(i, beta[i])).sum();
        if !(all > 0.0 && all.is_finite()) {
            return 0.0;
        }
        let part = amount / all.max(amount.abs());
        let mut shared = 0.0;
        for i in free {
            let before = beta[i];
            beta[i] = (before + part * room(i, before)).clamp(self.lower[i], self.upper[i]);
            shared += beta[i] - before;
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_moved_onto_the_sum_and_a_feasible_one_is_kept() {
        let mut problem = DualProblem::new(vec![0.0; 4], vec![0.0; 4], vec![1.0; 4]);
        problem.groups = Groups::One { sum: 2.5 };
        assert_eq!(problem.feasible_start().unwrap(), [1.0, 1.0, 0.5, 0.0]);
        problem.start = vec![0.25, 0.75, 0.5, 1.0];
        assert_eq!(problem.feasible_start().unwrap(), problem.start);
    }

    #[test]
    fn what_a_start_lacks_is_shared_among_the_free_by_their_room() {
        let mut problem = DualProblem::new(vec![0.0; 4], vec![0.0; 4], vec![1.0; 4]);
        problem.groups = Groups::One { sum: 2.0 };
        problem.start = vec![0.0, 0.25, 0.75, 0.5];
        assert_eq!(problem.feasible_start().unwrap(), [0.0, 0.5, 0.75 + 0.25 / 3.0, 0.5 + 0.5 / 3.0]);
        // Where the free have too little room, the others take the rest.
        problem.start = vec![0.0, 0.5, 1.0, 0.0];
        assert_eq!(problem.feasible_start().unwrap(), [0.0, 1.0, 1.0, 0.0]);
        problem.start = vec![0.0, 0.5, 0.5, 0.0];
        assert_eq!(problem.feasible_start().unwrap(), [0.0, 1.0, 1.0, 0.0]);
        problem.groups = Groups::One { sum: 2.5 };
        assert_eq!(problem.feasible_start().unwrap(), [0.5, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn sums_out_of_reach_are_refused_with_the_reachable_interval() {
        let mut problem = DualProblem::new(vec![0.0; 2], vec![0.0; 2], vec![1.0; 2]);
        problem.groups = Groups::One { sum: 3.0 };
        match problem.feasible_start() {
            Err(Error::Infeasible { group: 0, sum, low, high }) => {
                assert_eq!((sum, low, high), (3.0, 0.0, 2.0))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_malformed_vector_is_named() {
        let good = || {
            let mut p = DualProblem::new(vec![0.0; 2], vec![0.0; 2], vec![1.0; 2]);
            p.groups = Groups::One { sum: 0.0 };
            p
        };
        type Spoil = fn(&mut DualProblem);
        let cases: [(&str, Spoil); 8] = [
            ("linear term 1", |p| p.linear[1] = f64::NAN),
            ("lower bounds", |p| p.lower.push(0.0)),
            ("lower bound 0", |p| p.lower[0] = f64::INFINITY),
            ("upper bound 1", |p| p.upper[1] = -1.0),
            ("diagonal term 0", |p| p.diagonal = vec![-1.0, 0.0]),
            ("insensitivity 1", |p| p.insensitivity = vec![0.0, f64::NAN]),
            ("item of variable 1", |p| p.item = vec![0, 2]),
            ("start value 0", |p| p.start = vec![f64::NAN, 0.0]),
        ];
        assert!(good().check(2).is_ok());
        for (name, spoil) in cases {
            let mut problem = good();
            spoil(&mut problem);
            let message = problem.check(2).unwrap_err().to_string();
            assert!(message.contains(name), "{name}: {message}");
        }
    }
}

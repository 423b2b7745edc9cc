//! The state of the variables: β, the gradient f, and the scores that say which of them should move.

use super::certificate::least_at;
use crate::solver::{DualProblem, Evidence, Groups};

/// Halvings of the interval that a multiplier is searched in.
const HALVINGS: usize = 60;

/// β, f = (K + diag(d))β + p, and the problem they belong to.
pub(in crate::solver) struct Variables<'p> {
    pub problem: &'p DualProblem,
    pub beta: Vec<f64>,
    pub f: Vec<f64>,
}

/// The two extreme scores of a group among some variables.
///
/// At an optimum a multiplier μ separates them: `highest_low ≤ μ ≤ lowest_up`.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Extremes {
    /// min of the up-scores: the steepest gain by increasing a variable.
    pub lowest_up: f64,
    /// max of the low-scores: the steepest gain by decreasing one.
    pub highest_low: f64,
}

impl Extremes {
    /// By how much the optimality conditions are violated; −∞ if nothing can move.
    pub fn gap(&self) -> f64 {
        self.highest_low - self.lowest_up
    }
}

impl Variables<'_> {
    /// Slope of the objective when βᵢ grows (up-score), without the group's multiplier.
    #[inline]
    pub fn up_score(&self, i: usize) -> f64 {
        let e = self.problem.insensitivity(i);
        self.f[i] + if self.beta[i] < 0.0 { -e } else { e }
    }

    /// Slope of the objective in βᵢ when it falls (low-score).
    #[inline]
    pub fn low_score(&self, i: usize) -> f64 {
        let e = self.problem.insensitivity(i);
        self.f[i] + if self.beta[i] > 0.0 { e } else { -e }
    }

    /// Whether βᵢ may grow.
    #[inline]
    pub fn can_grow(&self, i: usize) -> bool {
        self.beta[i] < self.problem.upper[i]
    }

    /// Whether βᵢ may fall.
    #[inline]
    pub fn can_fall(&self, i: usize) -> bool {
        self.beta[i] > self.problem.lower[i]
    }

    /// Strictly inside its bounds and not at the kink of ε|β|: the objective is smooth here.
    #[inline]
    pub fn is_free(&self, i: usize) -> bool {
        self.can_grow(i) && self.can_fall(i) && (self.beta[i] != 0.0 || self.problem.insensitivity(i) == 0.0)
    }

    /// The extreme scores per group over `some` variables. Without groups a variable of slope 0 that can
    /// always move stands for the missing constraint.
    pub fn extremes(&self, some: impl IntoIterator<Item = usize>) -> Vec<Extremes> {
        let groups = self.problem.groups.count().max(1);
        let start = match self.problem.groups {
            Groups::None => Extremes { lowest_up: 0.0, highest_low: 0.0 },
            _ => Extremes { lowest_up: f64::INFINITY, highest_low: f64::NEG_INFINITY },
        };
        let mut extremes = vec![start; groups];
        for i in some {
            let of_group = &mut extremes[self.problem.groups.of(i)];
            if self.can_grow(i) {
                of_group.lowest_up = of_group.lowest_up.min(self.up_score(i));
            }
            if self.can_fall(i) {
                of_group.highest_low = of_group.highest_low.max(self.low_score(i));
            }
        }
        extremes
    }

    /// The multiplier of each group: the mean slope of its free variables, or the middle of the interval
    /// that the others leave open.
    ///
    /// A variable that rounding has left beside its bound is at it: its slope is anything in that interval, and
    /// would decide alone where no other variable is free.
    pub fn multipliers(&self, extremes: &[Extremes]) -> Vec<f64> {
        let groups = self.problem.groups.count();
        let (mut sum, mut count, mut besides) =
            (vec![0.0; groups], vec![0usize; groups], vec![false; groups]);
        // Of several sums that are fixed the solver of margins looks at the bounds themselves, and must see the same here.
        let rounding = if groups == 1 { self.rounding() } else { 0.0 };
        if groups > 0 {
            for i in (0..self.problem.len()).filter(|&i| self.is_free(i)) {
                let g = self.problem.groups.of(i);
                if self.has_room(i, rounding) {
                    sum[g] += self.up_score(i);
                    count[g] += 1;
                } else {
                    besides[g] = true;
                }
            }
        }
        (0..groups)
            .map(|g| {
                let Extremes { lowest_up, highest_low } =
                    if besides[g] && count[g] == 0 { self.interval(g, rounding) } else { extremes[g] };
                match (count[g], lowest_up.is_finite(), highest_low.is_finite()) {
                    (0, true, true) => 0.5 * (lowest_up + highest_low),
                    (0, true, false) => lowest_up,
                    (0, false, true) => highest_low,
                    (0, false, false) => 0.0,
                    (n, _, _) => sum[g] / n as f64,
                }
            })
            .collect()
    }

    /// The multipliers that prove the most where β is not optimal: of a single group the one with the least duality gap, which for a
    /// classifier is the offset of the least sum of slacks. O(n)
    ///
    /// The gap is convex in μ, and its slope Σ vᵢ(μ) − Σ βᵢ, where vᵢ(μ) is the least point of the i-th term, is searched for its change
    /// of sign.
    pub fn surest_multipliers(&self, extremes: &[Extremes]) -> Vec<f64> {
        let usual = self.multipliers(extremes);
        let problem = self.problem;
        if problem.groups.count() != 1 {
            return usual;
        }
        let n = problem.len();
        let slope = |mu: f64| -> f64 {
            let at = |i: usize| {
                let d = problem.diagonal(i);
                let h = self.f[i] - d * self.beta[i] - mu;
                least_at(h, d, problem.insensitivity(i), problem.lower[i], problem.upper[i]) - self.beta[i]
            };
            (0..n).map(at).sum()
        };
        let linear = |i: usize| self.f[i] - problem.diagonal(i) * self.beta[i];
        let (mut low, mut high) = (0..n).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), i| {
            let e = problem.insensitivity(i);
            (low.min(linear(i) - e), high.max(linear(i) + e))
        });
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            match slope(middle) {
                slope if slope.is_nan() => return usual,
                slope if slope < 0.0 => low = middle,
                _ => high = middle,
            }
        }
        let gap = |multipliers: &[f64]| self.evidence(multipliers, 0.0).certify().duality_gap();
        let found = vec![0.5 * (low + high)];
        if gap(&found) < gap(&usual) { found } else { usual }
    }

    /// What sums of the coefficients may be off by.
    fn rounding(&self) -> f64 {
        1e-13 * self.beta.iter().fold(0.0, |largest: f64, b| largest.max(b.abs()))
    }

    /// Whether βᵢ is farther from both its bounds.
    fn has_room(&self, i: usize, rounding: f64) -> bool {
        self.problem.upper[i] - self.beta[i] > rounding && self.beta[i] - self.problem.lower[i] > rounding
    }

    /// The extreme scores of a group whose variables can move by more than rounding.
    fn interval(&self, g: usize, rounding: f64) -> Extremes {
        let mut found = Extremes { lowest_up: f64::INFINITY, highest_low: f64::NEG_INFINITY };
        for i in (0..self.problem.len()).filter(|&i| self.problem.groups.of(i) == g) {
            if self.problem.upper[i] - self.beta[i] > rounding {
                found.lowest_up = found.lowest_up.min(self.up_score(i));
            }
            if self.beta[i] - self.problem.lower[i] > rounding {
                found.highest_low = found.highest_low.max(self.low_score(i));
            }
        }
        found
    }

    /// What bounds the distance from the optimum, as far as the values of K are true.
    pub fn evidence<'a>(&'a self, multipliers: &'a [f64], kkt_gap: f64) -> Evidence<'a> {
        let Variables { problem, beta, f } = self;
        Evidence { problem, beta, gradient: f, multipliers, kkt_gap, error: 0.0 }
    }

    /// ½ βᵀQβ + pᵀβ + Σε|β|, true when f is up to date for all variables that are not zero.
    pub fn objective(&self) -> f64 {
        (0..self.problem.len())
            .map(|i| {
                let b = self.beta[i];
                0.5 * b * (self.f[i] + self.problem.linear[i]) + self.problem.insensitivity(i) * b.abs()
            })
            .sum()
    }
}

/// The largest gap over the groups, at least 0.
pub(in crate::solver) fn largest_gap(extremes: &[Extremes]) -> f64 {
    extremes.iter().map(Extremes::gap).fold(0.0, f64::max)
}

//! Platt's sequential minimal optimization, with its two loops.
//!
//! The smallest step that keeps Σβ moves two variables: β₁ by t and β₂ by −t. Its best length is known in closed form.
//! With Eᵢ = fᵢ − μ, f = (K + diag(d))β + p (for a classifier Eᵢ = f(xᵢ) − yᵢ, the error on example i), and without ε,
//!
//! ```text
//! t = −(E₁ − E₂)/η,   η = K₁₁ + K₂₂ − 2K₁₂ + d₁ + d₂,   clipped to the ends of the segment in the box.
//! ```
//!
//! **The outer loop** finds the first variable: it passes once over all examples, then again and again over the
//! non-bound ones until these obey the optimality conditions, then over all again, and so on until all obey.
//! **The inner loop** finds the second: the non-bound example with the largest |E₁ − E₂|; if that gives no step, the
//! non-bound examples from some place on; if none of them does, all examples from some place on.
//!
//! In place of a single threshold b, which need not tell violators from others, stand the two of Keerthi and others:
//! b_up, the least fᵢ of those that can grow, and b_low, the greatest of those that can fall. All is well
//! when b_low − b_up is at most the tolerance. Every step is along a pair that violates this, so that the method
//! ends after finitely many (Keerthi and Gilbert, 2002).
//!
//! **Other machines.** With labels folded into signs there is one kind of pair, not two, and one-class machines are
//! served as they are. For regression ε|βᵢ| makes the objective along the pair a parabola with two kinks: its least
//! point is found by walking over them. Without an equality the second variable is one that nothing touches. With
//! two sums both variables are of one group.
//!
//! **Where this is not to the letter.** E is kept for all examples, not for the non-bound alone, since rows of K come
//! whole; and the places to start from are not random but turn round by the golden ratio, so that two runs agree.
//!
//! **Cost.** O(n) per step and two rows of K: O(n·d) for rows of d columns. The number of steps is some multiple of n
//! and grows with C; without an equality, where single variables move, it is many times larger.
//!
//! # References
//! Campbell, *An Introduction to Kernel Methods*, section 3.2, equations (55) to (63). Platt, *Fast training of support
//! vector machines using sequential minimal optimization*, 1999. Keerthi, Shevade, Bhattacharyya and Murthy,
//! *Improvements to Platt's SMO algorithm for SVM classifier design*, 2001.

use super::{LEAST_CURVATURE, Run};
use crate::error::Result;
use crate::gram::SymmetricGram;
use crate::solver::variables::Extremes;
use crate::solver::{Control, DualProblem, DualSolution, Groups, Progress, Settings, Status};

/// Solves the problem by Platt's sequential minimal optimization.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::solver::{Control, DualProblem, Groups, Settings, reference::smo};
///
/// // Points at ±1 on the line, linear kernel, C = 10: one step solves it.
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let mut problem = DualProblem::new(vec![-1.0, 1.0], vec![0.0, -10.0], vec![10.0, 0.0]);
/// problem.groups = Groups::One { sum: 0.0 };
/// let solution = smo::solve(&gram, &problem, &Settings::default(), &mut |_| Control::Continue)?;
/// assert_eq!((solution.iterations, solution.coefficients), (1, vec![0.5, -0.5]));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// A malformed or infeasible problem, or a kernel that fails.
pub fn solve(
    gram: &dyn SymmetricGram,
    problem: &DualProblem,
    settings: &Settings,
    observer: &mut dyn FnMut(&Progress) -> Control,
) -> Result<DualSolution> {
    let mut smo =
        Smo { run: Run::new(gram, problem, settings)?, scope: Scope::All, thresholds: vec![], turn: 0 };
    let status = smo.outer_loop(observer)?;
    smo.run.finish(status)
}

struct Smo<'a> {
    run: Run<'a>,
    /// What the present pass is over.
    scope: Scope,
    /// b_up and b_low of each group, over the examples of the scope.
    thresholds: Vec<Extremes>,
    /// Searches begun so far.
    turn: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    NonBound,
}

impl Smo<'_> {
    fn outer_loop(&mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<Status> {
        loop {
            if self.run.gap() <= self.run.tolerance {
                match self.run.verdict()? {
                    Some(status) => return Ok(status),
                    None => continue,
                }
            }
            if let Some(status) = self.run.limit(observer) {
                return Ok(status);
            }
            if let Some(status) = self.run.stalled()? {
                return Ok(status);
            }
            let before = self.run.decrease;
            if let Some(status) = self.pass(observer)? {
                return Ok(status);
            }
            self.run.rounds += 1;
            // Steps that only push the last digits about do not count.
            let visible = f64::EPSILON * self.run.variables.objective().abs();
            self.scope = match (self.scope, self.run.decrease - before > visible) {
                (_, true) => Scope::NonBound,
                (Scope::NonBound, false) => Scope::All,
                (Scope::All, false) => match self.run.stuck()? {
                    Some(status) => return Ok(status),
                    None => Scope::All,
                },
            };
        }
    }

    /// Examines every example of the scope once; returns the limit that was met on the way, if one was.
    fn pass(&mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Result<Option<Status>> {
        self.update_thresholds();
        for i in 0..self.run.len() {
            if !self.is_in_scope(i) {
                continue;
            }
            if let Some(decrease) = self.examine(i)? {
                self.update_thresholds();
                if let Some(status) = self.run.stepped(decrease, observer) {
                    return Ok(Some(status));
                }
            }
        }
        Ok(None)
    }

    fn is_in_scope(&self, i: usize) -> bool {
        self.scope == Scope::All || self.run.variables.is_free(i)
    }

    fn update_thresholds(&mut self) {
        let scope = (0..self.run.len()).filter(|&i| self.is_in_scope(i));
        self.thresholds = self.run.variables.extremes(scope);
    }

    /// The inner loop: a step with the first partner that allows one, if the example violates the conditions.
    /// Returns by how much the objective fell.
    fn examine(&mut self, i: usize) -> Result<Option<f64>> {
        if !self.violates(i) {
            return Ok(None);
        }
        if let Groups::None = self.run.variables.problem.groups {
            return self.take_step(i, None);
        }
        if let Some(j) = self.farthest(i)
            && let Some(decrease) = self.take_step(i, Some(j))?
        {
            return Ok(Some(decrease));
        }
        for among in [Scope::NonBound, Scope::All] {
            for j in self.turned() {
                if (among == Scope::All || self.run.variables.is_free(j))
                    && let Some(decrease) = self.take_step(i, Some(j))?
                {
                    return Ok(Some(decrease));
                }
            }
        }
        Ok(None)
    }

    /// Whether example i could move with another of the scope.
    fn violates(&self, i: usize) -> bool {
        let v = &self.run.variables;
        let Extremes { lowest_up, highest_low } = self.thresholds[v.problem.groups.of(i)];
        let (up, low, tolerance) = (v.up_score(i), v.low_score(i), self.run.tolerance);
        match v.problem.groups {
            // The multiplier is 0, and each of the two sides has half of the tolerance.
            Groups::None => {
                (v.can_grow(i) && up < -0.5 * tolerance) || (v.can_fall(i) && low > 0.5 * tolerance)
            }
            _ => {
                (v.can_grow(i) && up < highest_low - tolerance)
                    || (v.can_fall(i) && low > lowest_up + tolerance)
            }
        }
    }

    /// The non-bound example of the same group with the largest |E₁ − E₂|: where E₁ is negative and β₁ should grow, the
    /// one with the largest E₂, else the one with the least.
    fn farthest(&self, i: usize) -> Option<usize> {
        let v = &self.run.variables;
        let group = v.problem.groups.of(i);
        let Extremes { lowest_up, highest_low } = self.thresholds[group];
        // Of the two ends the one that is farther; a bound that bars the way has none.
        let growing = if v.can_grow(i) { highest_low - v.up_score(i) } else { f64::NEG_INFINITY };
        let falling = if v.can_fall(i) { v.low_score(i) - lowest_up } else { f64::NEG_INFINITY };
        let others =
            (0..self.run.len()).filter(|&j| j != i && v.problem.groups.of(j) == group && v.is_free(j));
        match growing > falling {
            true => others.max_by(|&a, &b| v.low_score(a).total_cmp(&v.low_score(b))),
            false => others.min_by(|&a, &b| v.up_score(a).total_cmp(&v.up_score(b))),
        }
    }

    /// All examples, from another place each time.
    fn turned(&mut self) -> impl Iterator<Item = usize> + use<> {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        self.turn += 1;
        let n = self.run.len();
        let begin = (((self.turn as f64 * GOLDEN).fract()) * n as f64) as usize;
        (begin..n).chain(0..begin)
    }

    /// Moves βᵢ by t and βⱼ by −t to the least value of the objective between the bounds, if the pair violates the
    /// conditions. Returns by how much the objective fell.
    fn take_step(&mut self, i: usize, j: Option<usize>) -> Result<Option<f64>> {
        let v = &self.run.variables;
        let problem = v.problem;
        if j.is_some_and(|j| j == i || problem.groups.of(j) != problem.groups.of(i)) {
            return Ok(None);
        }
        // (58), (59): the ends of the segment.
        let (mut low, mut high) = (problem.lower[i] - v.beta[i], problem.upper[i] - v.beta[i]);
        let mut along =
            Along { slope: v.f[i], curvature: 0.0, kinks: [(-v.beta[i], problem.insensitivity(i)); 2] };
        along.kinks[1].1 = 0.0;
        if let Some(j) = j {
            low = low.max(v.beta[j] - problem.upper[j]);
            high = high.min(v.beta[j] - problem.lower[j]);
            along.slope -= v.f[j];
            along.kinks[1] = (v.beta[j], problem.insensitivity(j));
        }
        let least = if j.is_some() { self.run.tolerance } else { 0.5 * self.run.tolerance };
        let (falls, rises) =
            (along.slope_from(1.0) < -least && high > 0.0, along.slope_from(-1.0) > least && low < 0.0);
        if !falls && !rises {
            return Ok(None);
        }
        // (57), with the sign that makes it a curvature.
        along.curvature = self.run.curvature(i);
        if let Some(j) = j {
            along.curvature += self.run.curvature(j) - 2.0 * self.run.kernel(i, j)?;
        }
        along.curvature = along.curvature.max(LEAST_CURVATURE);
        // (60), (61)
        let t = along.least().clamp(low, high);
        let decrease = along.value(0.0) - along.value(t);
        let mut values = vec![(i, self.landed(i, t))];
        values.extend(j.map(|j| (j, self.landed(j, -t))));
        if !t.is_finite() || values.iter().all(|&(k, value)| value == self.run.variables.beta[k]) {
            return Ok(None);
        }
        self.run.set(&values)?;
        Ok(Some(decrease))
    }

    /// βₖ + t, exactly on a bound where the step ends there.
    fn landed(&self, k: usize, t: f64) -> f64 {
        let v = &self.run.variables;
        let (beta, low, high) = (v.beta[k], v.problem.lower[k], v.problem.upper[k]);
        if t == high - beta {
            high
        } else if t == low - beta {
            low
        } else {
            (beta + t).clamp(low, high)
        }
    }
}

/// The objective along a step t: slope·t + ½ curvature·t² + Σ weight·|t − place| over the kinks.
struct Along {
    slope: f64,
    curvature: f64,
    /// Place and weight.
    kinks: [(f64, f64); 2],
}

impl Along {
    fn value(&self, t: f64) -> f64 {
        let kinks: f64 = self.kinks.iter().map(|&(at, weight)| weight * (t - at).abs()).sum();
        t * (self.slope + 0.5 * self.curvature * t) + kinks
    }

    /// The derivative at 0 to the side of this sign.
    fn slope_from(&self, sign: f64) -> f64 {
        let kink = |&(at, weight): &(f64, f64)| weight * if at == 0.0 { sign } else { -at.signum() };
        self.slope + self.kinks.iter().map(kink).sum::<f64>()
    }

    /// Where it is least: the derivative grows, by a leap at every kink, and is followed from the left until it is
    /// no longer negative.
    fn least(&self) -> f64 {
        let [mut first, mut second] = self.kinks;
        if first.0 > second.0 {
            (first, second) = (second, first);
        }
        let mut slope = self.slope - first.1 - second.1;
        for (at, weight) in [first, second] {
            if slope + self.curvature * at >= 0.0 {
                break;
            }
            slope += 2.0 * weight;
            if slope + self.curvature * at >= 0.0 {
                return at;
            }
        }
        -slope / self.curvature
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gram::PrecomputedGram;
    use crate::solver::Stop;

    /// XOR with the polynomial kernel (1 + ⟨x, z⟩)² on (±1, ±1): all α = 1/8, f(x) = ∓x₁x₂, b = 0.
    #[test]
    fn xor_by_hand() {
        // Rows (−1,−1) −, (−1,1) +, (1,−1) +, (1,1) −; the diagonal is 9, all else 1.
        let kernel = (0..16).map(|k| if k % 5 == 0 { 9.0 } else { 1.0 }).collect::<Vec<f64>>();
        let gram = PrecomputedGram::symmetric(kernel, 4).unwrap();
        let mut problem = DualProblem::new(
            vec![1.0, -1.0, -1.0, 1.0],
            vec![-10.0, 0.0, 0.0, -10.0],
            vec![0.0, 10.0, 10.0, 0.0],
        );
        problem.groups = Groups::One { sum: 0.0 };
        let after = |steps: u64| {
            let settings =
                Settings { max_iterations: steps, stop: Stop::KktGap(1e-12), ..Settings::default() };
            solve(&gram, &problem, &settings, &mut |_| Control::Continue).unwrap()
        };
        // Example 1 has f = 1. No example is non-bound, so all are searched, from the first one on this time: example 2 has
        // f = −1. η = 9 + 9 − 2 = 16: t = −2/16, and f = p − K₁/8 + K₂/8.
        assert_eq!(after(1).coefficients, [-0.125, 0.125, 0.0, 0.0]);
        assert_eq!(after(1).gradient, [0.0, 0.0, -1.0, 1.0]);
        // Example 2 is next: b_up = −1 and b_low = 1, it violates both. The only other non-bound example has the same f and
        // gives no step; of all, from the second one on, example 3 with f = −1 does: t = −1/16.
        assert_eq!(after(2).status, Status::IterationLimit);
        assert_eq!(after(2).coefficients, [-0.125, 0.0625, 0.0625, 0.0]);
        assert_eq!(after(2).gradient, [0.0, -0.5, -0.5, 1.0]);
        let solution = after(u64::MAX);
        assert_eq!(solution.status, Status::Converged);
        for (beta, expected) in solution.coefficients.iter().zip([-0.125, 0.125, 0.125, -0.125]) {
            assert!((beta - expected).abs() < 1e-12, "{:?}", solution.coefficients);
        }
        assert!(solution.multipliers[0].abs() < 1e-12);
        // γ = (Σα)^−½ = √2, and the objective is ½/γ².
        assert!((solution.certificate.dual - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_parabola_with_kinks_is_least_where_a_search_finds_it() {
        for (slope, curvature, kinks) in [
            (-1.0, 1.0, [(0.5, 0.3), (-0.2, 0.1)]),
            (-1.0, 1.0, [(0.5, 2.0), (0.7, 0.1)]),
            (0.4, 2.0, [(0.0, 0.5), (-0.3, 0.0)]),
            (1.5, 0.5, [(-1.0, 0.2), (-2.0, 0.4)]),
            (0.1, 3.0, [(0.0, 0.0), (0.0, 0.0)]),
        ] {
            let along = Along { slope, curvature, kinks };
            let search = (-50_000..=50_000).map(|k| f64::from(k) * 1e-4);
            let least = search.min_by(|&a, &b| along.value(a).total_cmp(&along.value(b))).unwrap();
            assert!((along.least() - least).abs() < 1e-3, "{} {least}", along.least());
        }
    }
}

//! Dual coordinate descent.
//!
//! With labels folded into the signs of the bounds, β = yα, both machines are
//!
//! ```text
//! min over β   ½‖w‖² + ½ Σ dᵢβᵢ² + pᵀβ + Σ εᵢ|βᵢ|,   w = Σ βᵢx̃ᵢ    subject to   L ≤ β ≤ U
//! ```
//!
//! the [`DualProblem`] of all support-vector machines with K = X̃X̃ᵀ, of which no entry is ever computed: a pass goes over the
//! rows in random order, and takes each β to its best value while w is kept up to date.
//!
//! ```text
//! repeat
//!   shuffle the active rows
//!   for each of them
//!     g ← ⟨w, x̃ᵢ⟩ + dᵢβᵢ + pᵢ
//!     put i aside if it is settled
//!     β ← the best value of βᵢ;   w ← w + (β − βᵢ)x̃ᵢ
//!   if the slopes met on the way are small, look at those of all rows and, if they are small too, stop
//! ```
//!
//! The duality gap of w and β is Σ of one term per row, none of which is negative, plus ½‖w − X̃ᵀβ‖², which is far below the
//! last digit: that w is the sum of the rows but for rounding takes nothing from the certificate.
//!
//! O(stored values) per pass. Where it crawls, Newton's method takes over ([`super::newton`]).
//!
//! C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi, S. Sundararajan: *A dual coordinate descent method for large-scale
//! linear SVM*, ICML 2008; C.-H. Ho, C.-J. Lin: *Large-scale linear support vector regression*, JMLR 13 (2012).

use std::time::Duration;

use super::LinearOptions;
use super::newton::{self, Newton};
use super::rows::Rows;
use super::variable::Variable;
use super::watch::Watch;
use crate::data::Random;
use crate::machine::Report;
use crate::solver::{Certificate, DualProblem, Evidence, Progress, Status, Stop};

/// Unsuccessful endgames after which no more is hoped for.
pub(super) const PATIENCE: u32 = 3;

/// A feasible β, the w that it gives, and how far from optimal they are.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    pub beta: Vec<f64>,
    pub w: Vec<f64>,
    pub report: Report,
}

/// β with its w and all slopes, and what they prove.
#[derive(Clone, Debug)]
pub(super) struct Looked {
    pub beta: Vec<f64>,
    pub w: Vec<f64>,
    /// g of all rows.
    pub slopes: Vec<f64>,
    pub certificate: Certificate,
    /// The KKT gap as it was computed, and by how much rounding may have changed a slope.
    pub kkt_gap: f64,
    pub error: f64,
}

impl Looked {
    /// Whether no more can be known about the slopes than that they are small.
    fn is_at_rounding(&self) -> bool {
        self.kkt_gap <= 2.0 * self.error
    }
}

/// A problem over rows.
pub(super) struct Linear<'a> {
    pub rows: Rows<'a>,
    pub problem: &'a DualProblem,
    /// ‖x̃ᵢ‖²
    pub norms: &'a [f64],
}

impl Linear<'_> {
    pub fn variable(&self, i: usize) -> Variable {
        Variable::of(self.problem, i)
    }

    /// The rows whose variable can move at all.
    pub fn movable(&self) -> Vec<usize> {
        (0..self.problem.len()).filter(|&i| self.problem.lower[i] < self.problem.upper[i]).collect()
    }

    /// w and all slopes anew from β, with the certificate that they give. One pass.
    pub fn look(&self, beta: Vec<f64>) -> Looked {
        let problem = self.problem;
        let w = self.rows.combine(&beta);
        let slope = |i: usize| self.rows.dot(i, &w) + problem.diagonal(i) * beta[i] + problem.linear[i];
        let slopes: Vec<f64> = (0..beta.len()).map(slope).collect();
        let (mut most, mut least) = (0.0f64, 0.0f64);
        for i in self.movable() {
            let projected = self.variable(i).projected_slope(beta[i], slopes[i]);
            (most, least) = (most.max(projected), least.min(projected));
        }
        // Numbers that have left their range prove nothing.
        let finite = slopes.iter().chain(&beta).all(|value| value.is_finite());
        let kkt_gap = if finite { most - least } else { f64::INFINITY };
        // w is what is learned and certified, rounded as it is: only ⟨w, x̃ᵢ⟩ and its sum with pᵢ are rounded once more.
        let longest = self.norms.iter().copied().fold(0.0, f64::max).sqrt();
        let length = w.iter().map(|w| w * w).sum::<f64>().sqrt();
        let linear = problem.linear.iter().fold(0.0f64, |most, p| most.max(p.abs()));
        let error = f64::EPSILON * (length * longest + linear);
        let evidence = Evidence { problem, beta: &beta, gradient: &slopes, multipliers: &[], kkt_gap, error };
        let certificate = evidence.certify();
        Looked { beta, w, slopes, certificate, kkt_gap, error }
    }

    /// ½‖w‖² + ½ Σ dᵢβᵢ² + pᵀβ + Σ εᵢ|βᵢ|
    fn objective(&self, beta: &[f64], w: &[f64]) -> f64 {
        let own = |(i, b): (usize, &f64)| {
            (0.5 * self.problem.diagonal(i) * b + self.problem.linear[i]) * b
                + self.problem.insensitivity(i) * b.abs()
        };
        0.5 * w.iter().map(|w| w * w).sum::<f64>() + beta.iter().enumerate().map(own).sum::<f64>()
    }

    /// Solves the problem.
    pub fn solve(&self, options: &LinearOptions, watch: &Watch<'_>) -> Solved {
        let mut random = Random::new(options.seed);
        let mut pass = Pass::new(self, options.shrinking);
        let mut endgame = newton::first_turn(self);
        let (mut epochs, mut failures) = (0, 0);
        // What is met on the way must be as small as this before all slopes are looked at.
        let mut goal = match options.stop {
            Stop::KktGap(tolerance) => tolerance,
            Stop::DualityGap(_) => 0.1,
        };
        let (looked, status) = loop {
            let met = pass.run(&mut random);
            epochs += 1;
            if met <= goal || pass.is_still {
                let looked = self.look(pass.beta.clone());
                if options.stop.is_met(&looked.certificate) {
                    break (looked, Status::Converged);
                }
                if looked.is_at_rounding() || pass.is_still && pass.is_whole {
                    break (looked, Status::NumericalLimit);
                }
                if looked.kkt_gap <= goal {
                    goal *= 0.5;
                }
                pass.resume(looked);
            }
            if let Some(status) = watch.ended(pass.progress(epochs, met)) {
                break (self.look(pass.beta), status);
            }
            if endgame.is_some_and(|turn| epochs >= turn) {
                let before = self.look(std::mem::take(&mut pass.beta));
                let gap = before.kkt_gap;
                let reached = (gap, -before.certificate.dual);
                let mut newton = Newton { linear: self, stop: options.stop, watch, epochs, reached };
                let (after, ended) = newton.run(before);
                epochs = newton.epochs;
                if let Some(status) = ended {
                    break (after, status);
                }
                failures = if after.kkt_gap < 0.5 * gap { 0 } else { failures + 1 };
                if failures == PATIENCE || after.is_at_rounding() {
                    break (after, Status::NumericalLimit);
                }
                pass.resume(after);
                endgame = Some(2 * epochs);
            }
        };
        self.solved(looked, status, epochs, watch)
    }

    fn solved(&self, looked: Looked, status: Status, epochs: u64, watch: &Watch<'_>) -> Solved {
        let Looked { beta, w, certificate, .. } = looked;
        let support = || beta.iter().enumerate().filter(|(_, b)| **b != 0.0);
        let at_bound =
            |(i, b): &(usize, &f64)| **b == self.problem.lower[*i] || **b == self.problem.upper[*i];
        let report = Report {
            status,
            certificate,
            convex: true,
            support: support().count(),
            bounded: support().filter(at_bound).count(),
            norm: w.iter().map(|w| w * w).sum::<f64>().sqrt(),
            iterations: epochs,
            rows_computed: 0,
            seconds: watch.seconds(),
        };
        Solved { beta, w, report }
    }
}

/// Passes over the rows.
struct Pass<'a> {
    linear: &'a Linear<'a>,
    movable: Vec<usize>,
    active: Vec<usize>,
    beta: Vec<f64>,
    w: Vec<f64>,
    /// The largest slope met in the pass before; rows beyond it are put aside.
    width: f64,
    shrinking: bool,
    /// Whether the last pass changed nothing.
    is_still: bool,
    /// Whether it looked at all rows.
    is_whole: bool,
    steps: u64,
}

impl<'a> Pass<'a> {
    fn new(linear: &'a Linear<'a>, shrinking: bool) -> Self {
        let problem = linear.problem;
        let start = |i: usize| problem.start.get(i).copied().unwrap_or(0.0);
        let beta: Vec<f64> =
            (0..problem.len()).map(|i| start(i).clamp(problem.lower[i], problem.upper[i])).collect();
        let movable = linear.movable();
        let (active, w) = (movable.clone(), linear.rows.combine(&beta));
        let (width, is_still, is_whole, steps) = (f64::INFINITY, false, false, 0);
        Pass { linear, movable, active, beta, w, width, shrinking, is_still, is_whole, steps }
    }

    /// Goes on from here with all rows.
    fn resume(&mut self, looked: Looked) {
        (self.beta, self.w) = (looked.beta, looked.w);
        self.active.clone_from(&self.movable);
        self.width = f64::INFINITY;
    }

    /// One pass over the active rows; returns the greatest minus the least projected slope met on the way.
    fn run(&mut self, random: &mut Random) -> f64 {
        let Linear { rows, problem, norms } = *self.linear;
        random.shuffle(&mut self.active);
        self.is_still = true;
        self.is_whole = self.active.len() == self.movable.len() && self.width.is_infinite();
        let (mut most, mut least) = (0.0f64, 0.0f64);
        let mut kept = 0;
        for at in 0..self.active.len() {
            let i = self.active[at];
            let (variable, beta, d) = (Variable::of(problem, i), self.beta[i], problem.diagonal(i));
            let g = rows.dot(i, &self.w) + d * beta + problem.linear[i];
            if self.shrinking && variable.is_settled(beta, g, self.width) {
                continue;
            }
            self.active[kept] = i;
            kept += 1;
            let slope = variable.projected_slope(beta, g);
            if slope == 0.0 {
                continue;
            }
            (most, least) = (most.max(slope), least.min(slope));
            let best = variable.best(beta, g, norms[i] + d);
            if best != beta {
                rows.add(i, best - beta, &mut self.w);
                self.beta[i] = best;
                self.is_still = false;
            }
        }
        self.steps += self.active.len() as u64;
        self.active.truncate(kept);
        self.width = most.max(-least);
        if self.width == 0.0 {
            self.width = f64::INFINITY;
        }
        most - least
    }

    fn progress(&self, epochs: u64, met: f64) -> Progress {
        Progress {
            outer_iterations: epochs,
            iterations: self.steps,
            kkt_gap: met,
            objective: self.linear.objective(&self.beta, &self.w),
            support: self.beta.iter().filter(|b| **b != 0.0).count(),
            active: self.active.len(),
            elapsed: Duration::ZERO,
        }
    }
}

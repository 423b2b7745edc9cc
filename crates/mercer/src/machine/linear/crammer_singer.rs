//! Crammer and Singer's machine by the sequential dual method.
//!
//! ```text
//! min over τ   ½ Σ_k ‖w_k‖² − Σᵢ τᵢ,yᵢ,   w_k = Σᵢ τᵢₖx̃ᵢ    subject to   Σ_k τᵢₖ = 0,  τᵢₖ ≤ Cᵢ δ_k,yᵢ
//! ```
//!
//! A pass goes over the rows in random order and solves the problem of each row's k variables exactly, while all w are kept up
//! to date. O(k · stored values) per pass. Where it crawls, Newton's method takes over ([`super::joint_newton`]).
//!
//! S. S. Keerthi, S. Sundararajan, K.-W. Chang, C.-J. Hsieh, C.-J. Lin: *A sequential dual method for large scale multi-class
//! linear SVMs*, KDD 2008.

use std::time::Duration;

use super::LinearOptions;
use super::descent::{PATIENCE, Solved};
use super::joint_newton;
use super::rows::Rows;
use super::watch::Watch;
use crate::data::Random;
use crate::machine::Report;
use crate::solver::{Joint, JointExample, JointProblem, Progress, Status, Stop};
use crate::solver::{joint_certificate, solve_joint_example};

/// Solves the problem; `beta` of the answer is τ, k numbers per row, and `w` holds those of all classes, one after the other.
pub(super) fn solve(
    rows: Rows<'_>,
    (classes, class_of_row): (usize, &[usize]),
    costs: &[f64],
    start: &[f64],
    options: &LinearOptions,
    watch: &Watch<'_>,
) -> Solved {
    let mut problem = JointProblem::new(Joint::CrammerSinger, classes, class_of_row.to_vec(), costs.to_vec());
    if !start.is_empty() {
        problem.start = start.to_vec();
        problem.start.resize(classes * rows.len(), 0.0);
    }
    let mut pass = Pass::new(rows, &problem);
    let mut random = Random::new(options.seed);
    let mut endgame = joint_newton::first_turn(&pass);
    let (mut epochs, mut failures) = (0, 0);
    let mut goal = match options.stop {
        Stop::KktGap(tolerance) => tolerance,
        Stop::DualityGap(_) => 0.1,
    };
    let mut width = f64::INFINITY;
    let status = loop {
        let met = pass.run(&mut random, if options.shrinking { width } else { f64::INFINITY });
        width = if met > 0.0 { met } else { f64::INFINITY };
        epochs += 1;
        if met <= goal || pass.is_still {
            let (certificate, kkt_gap, error) = pass.look();
            if options.stop.is_met(&certificate) {
                break Status::Converged;
            }
            if kkt_gap <= 2.0 * error || pass.is_still && pass.is_whole {
                break Status::NumericalLimit;
            }
            if kkt_gap <= goal {
                goal *= 0.5;
            }
            pass.active.clone_from(&pass.movable);
            width = f64::INFINITY;
        }
        if let Some(status) = watch.ended(pass.progress(epochs, met)) {
            break status;
        }
        if endgame.is_some_and(|turn| epochs >= turn) {
            let (_, before, _) = pass.look();
            if let Some(status) = joint_newton::finish(&mut pass, options.stop, watch, &mut epochs) {
                break status;
            }
            let (_, after, error) = pass.look();
            failures = if after < 0.5 * before { 0 } else { failures + 1 };
            if failures == PATIENCE || after <= 2.0 * error {
                break Status::NumericalLimit;
            }
            pass.active.clone_from(&pass.movable);
            width = f64::INFINITY;
            endgame = Some(2 * epochs);
        }
    };
    let (certificate, ..) = pass.look();
    let of_row = || pass.tau.chunks_exact(classes).zip(&problem.class).zip(costs);
    let report = Report {
        status,
        certificate,
        convex: true,
        support: of_row().filter(|((tau, _), _)| tau.iter().any(|t| *t != 0.0)).count(),
        bounded: of_row().filter(|((tau, class), cost)| **cost > 0.0 && tau[**class] == **cost).count(),
        norm: pass.w.iter().map(|w| w * w).sum::<f64>().sqrt(),
        iterations: epochs,
        rows_computed: 0,
        seconds: watch.seconds(),
    };
    Solved { beta: pass.tau, w: pass.w, report }
}

pub(super) struct Pass<'a> {
    pub rows: Rows<'a>,
    pub problem: &'a JointProblem,
    /// ‖x̃ᵢ‖²
    pub norms: Vec<f64>,
    /// Rows that cost something.
    pub movable: Vec<usize>,
    active: Vec<usize>,
    pub tau: Vec<f64>,
    /// w of all classes, one after the other.
    pub w: Vec<f64>,
    /// The KKT gap that was seen last, for the observer.
    pub seen: f64,
    /// Whether the last pass changed nothing, and whether it looked at all rows.
    is_still: bool,
    is_whole: bool,
    steps: u64,
}

impl<'a> Pass<'a> {
    fn new(rows: Rows<'a>, problem: &'a JointProblem) -> Self {
        let norms = (0..rows.len()).map(|i| rows.squared_norm(i)).collect();
        let movable: Vec<usize> = (0..rows.len()).filter(|&i| problem.costs[i] > 0.0).collect();
        let tau = problem.feasible_start();
        let (active, w) = (movable.clone(), combine(rows, problem, &tau));
        Pass {
            rows,
            problem,
            norms,
            movable,
            active,
            tau,
            w,
            seen: f64::INFINITY,
            is_still: false,
            is_whole: false,
            steps: 0,
        }
    }

    /// One pass over the active rows; returns the largest violation met on the way.
    fn run(&mut self, random: &mut Random, settled: f64) -> f64 {
        let k = self.problem.classes;
        random.shuffle(&mut self.active);
        self.is_still = true;
        self.is_whole = self.active.len() == self.movable.len() && settled.is_infinite();
        let offsets = vec![0.0; k];
        let (mut f, mut old, mut slopes, mut scratch) =
            (vec![0.0; k], vec![0.0; k], vec![0.0; k], Vec::new());
        let (mut worst, mut kept) = (0.0f64, 0);
        for at in 0..self.active.len() {
            let i = self.active[at];
            let (class, cost) = (self.problem.class[i], self.problem.costs[i]);
            values(self.rows, i, &self.w, &mut f);
            let tau = &mut self.tau[i * k..][..k];
            let example =
                JointExample { machine: Joint::CrammerSinger, class, cost, tau, f: &f, offsets: &offsets };
            if settled.is_finite() && example.is_settled(settled) {
                continue;
            }
            self.active[kept] = i;
            kept += 1;
            let violation = example.violation();
            if violation == 0.0 {
                continue;
            }
            worst = worst.max(violation);
            old.copy_from_slice(tau);
            slopes.copy_from_slice(&f);
            slopes[class] -= 1.0;
            // A row of zeros has no curvature, but its variables have bounds.
            solve_joint_example(self.norms[i].max(1e-12), class, cost, &slopes, tau, &mut scratch);
            let width = self.rows.width();
            for c in 0..k {
                if tau[c] != old[c] {
                    self.rows.add(i, tau[c] - old[c], &mut self.w[c * width..][..width]);
                    self.is_still = false;
                }
            }
        }
        self.steps += self.active.len() as u64;
        self.active.truncate(kept);
        worst
    }

    /// All w anew, what they prove, the largest violation, and by how much rounding may have changed a value.
    pub fn look(&mut self) -> (crate::solver::Certificate, f64, f64) {
        let k = self.problem.classes;
        self.w = combine(self.rows, self.problem, &self.tau);
        let mut f = vec![0.0; self.tau.len()];
        f.chunks_exact_mut(k).enumerate().for_each(|(i, f)| values(self.rows, i, &self.w, f));
        let offsets = vec![0.0; k];
        let mut kkt_gap = 0.0f64;
        for &i in &self.movable {
            let (class, cost) = (self.problem.class[i], self.problem.costs[i]);
            let (tau, f) = (&self.tau[i * k..][..k], &f[i * k..][..k]);
            let example =
                JointExample { machine: Joint::CrammerSinger, class, cost, tau, f, offsets: &offsets };
            kkt_gap = kkt_gap.max(example.violation());
        }
        // Numbers that have left their range prove nothing.
        if !f.iter().chain(&self.tau).all(|value| value.is_finite()) {
            kkt_gap = f64::INFINITY;
        }
        // As for one function: w is certified, rounded as it is.
        let longest = self.norms.iter().copied().fold(0.0, f64::max).sqrt();
        let length = self.w.iter().map(|w| w * w).sum::<f64>().sqrt();
        let error = f64::EPSILON * (length * longest + 1.0);
        self.seen = kkt_gap;
        let certificate = joint_certificate(self.problem, &self.tau, &f, &offsets, kkt_gap, error);
        (certificate, kkt_gap, error)
    }

    /// f_k(xᵢ) of all classes, for these w.
    pub fn values(&self, i: usize, w: &[f64], f: &mut [f64]) {
        values(self.rows, i, w, f);
    }

    /// τ, moved into its bounds and onto its sums where it is not there.
    pub fn feasible(&self, tau: &[f64]) -> Vec<f64> {
        JointProblem { start: tau.to_vec(), ..self.problem.clone() }.feasible_start()
    }

    pub fn progress(&self, epochs: u64, met: f64) -> Progress {
        let k = self.problem.classes;
        let own: f64 =
            self.tau.chunks_exact(k).zip(&self.problem.class).map(|(tau, &class)| tau[class]).sum();
        Progress {
            outer_iterations: epochs,
            iterations: self.steps,
            kkt_gap: met,
            objective: 0.5 * self.w.iter().map(|w| w * w).sum::<f64>() - own,
            support: self.tau.chunks_exact(k).filter(|tau| tau.iter().any(|t| *t != 0.0)).count(),
            active: self.active.len(),
            elapsed: Duration::ZERO,
        }
    }
}

/// f_k(xᵢ) of all classes.
fn values(rows: Rows<'_>, i: usize, w: &[f64], f: &mut [f64]) {
    f.iter_mut().zip(w.chunks_exact(rows.width())).for_each(|(f, w)| *f = rows.dot(i, w));
}

/// w_k = Σᵢ τᵢₖx̃ᵢ of all classes.
fn combine(rows: Rows<'_>, problem: &JointProblem, tau: &[f64]) -> Vec<f64> {
    let (k, width) = (problem.classes, rows.width());
    let mut w = vec![0.0; k * width];
    for (i, tau) in tau.chunks_exact(k).enumerate() {
        for (c, &t) in tau.iter().enumerate().filter(|(_, t)| **t != 0.0) {
            rows.add(i, t, &mut w[c * width..][..width]);
        }
    }
    w
}

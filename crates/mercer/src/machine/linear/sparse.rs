//! The ℓ1 penalty, which leaves most weights at exactly 0, by coordinate descent in w.
//!
//! ```text
//! min over w   ‖w‖₁ + L(w),   L(w) = Σ Cᵢ max(0, bᵢ)²,   bᵢ = 1 − yᵢ⟨w, x̃ᵢ⟩
//! ```
//!
//! ```text
//! repeat
//!   shuffle the active columns
//!   for each of them
//!     L' , L'' ← slope and curvature of L along wⱼ
//!     put j aside if wⱼ = 0 is settled
//!     d ← Newton's direction for |wⱼ + d| + L'd + ½L''d²
//!     λ ← 1, ½, ¼, … until the objective falls enough;   wⱼ ← wⱼ + λd;   b ← b − λd·y·xⱼ
//! ```
//!
//! O(stored values) per pass over a copy of the rows by columns. Where it crawls, a Newton step for all weights that are not 0 is
//! put between two passes; those that would change their sign become 0.
//!
//! The dual is max Σαᵢ − Σαᵢ²/4Cᵢ over α ≥ 0 with |Σ αᵢyᵢx̃ᵢⱼ| ≤ 1 for all j. With αᵢ = 2Cᵢ max(0, bᵢ), which is optimal for the
//! best w, shortened until it is feasible, it bounds the optimum from below.
//!
//! G.-X. Yuan, K.-W. Chang, C.-J. Hsieh, C.-J. Lin: *A comparison of optimization methods and software for large-scale
//! L1-regularized linear classification*, JMLR 11 (2010).

use std::time::Duration;

use super::LinearOptions;
use super::descent::Solved;
use super::rows::Rows;
use super::watch::Watch;
use crate::data::Random;
use crate::linalg::{Cholesky, Matrix};
use crate::machine::Report;
use crate::solver::{Certificate, Progress, Status, Stop};

/// The share of the promised decrease that a step must bring, and how often it is halved at most.
const DECREASE: f64 = 0.01;
const HALVINGS: u32 = 30;
/// Passes before Newton steps are tried, and the most weights that they are tried for.
const PATIENCE: u64 = 20;
const LARGEST: usize = 512;

/// The rows by columns.
pub(super) struct Columns {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Columns {
    pub fn new(rows: Rows<'_>) -> Self {
        let mut starts = vec![0; rows.width() + 1];
        (0..rows.len()).for_each(|i| rows.for_each(i, |j, x| starts[j + 1] += usize::from(x != 0.0)));
        (0..rows.width()).for_each(|j| starts[j + 1] += starts[j]);
        let mut next = starts.clone();
        let stored = starts[rows.width()];
        let mut columns = Columns { starts, rows: vec![0; stored], values: vec![0.0; stored] };
        for i in 0..rows.len() {
            rows.for_each(i, |j, x| {
                if x != 0.0 {
                    (columns.rows[next[j]], columns.values[next[j]]) = (i as u32, x);
                    next[j] += 1;
                }
            });
        }
        columns
    }

    /// Σ Cᵢx̃ᵢⱼ² of each column.
    pub fn squares(&self, costs: &[f64]) -> Vec<f64> {
        (0..self.count()).map(|j| self.column(j).map(|(i, x)| costs[i] * x * x).sum()).collect()
    }

    /// How many columns there are.
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[j]..self.starts[j + 1];
        self.rows[range.clone()].iter().map(|&i| i as usize).zip(self.values[range].iter().copied())
    }
}

/// One class against the rest.
pub(super) struct Sparse<'a> {
    pub columns: &'a Columns,
    /// y
    pub signs: Vec<f64>,
    /// C
    pub costs: &'a [f64],
    /// Σ Cᵢx̃ᵢⱼ² of each column: half of the largest curvature that L can have along wⱼ.
    pub squares: &'a [f64],
}

impl Sparse<'_> {
    /// Solves the problem from a w, or from 0. There are no dual variables in the answer.
    pub fn solve(&self, start: Option<Vec<f64>>, options: &LinearOptions, watch: &Watch<'_>) -> Solved {
        let mut random = Random::new(options.seed);
        let mut pass = Pass::new(self, start);
        let mut goal = match options.stop {
            Stop::KktGap(tolerance) => tolerance,
            Stop::DualityGap(_) => 0.1,
        };
        let mut width = f64::INFINITY;
        let (mut epochs, mut turn) = (0, PATIENCE);
        let status = loop {
            let whole = pass.active.len() == self.columns.count() && width.is_infinite();
            let met = pass.run(&mut random, if options.shrinking { width } else { f64::INFINITY });
            width = if met > 0.0 { met } else { f64::INFINITY };
            epochs += 1;
            if met <= goal || pass.is_still {
                pass.refresh();
                let certificate = self.look(&pass.w, &pass.b);
                if options.stop.is_met(&certificate) {
                    break Status::Converged;
                }
                if whole && pass.is_still {
                    break Status::NumericalLimit;
                }
                if certificate.kkt_gap <= goal {
                    goal *= 0.5;
                }
                pass.active = (0..self.columns.count()).collect();
                width = f64::INFINITY;
            }
            if let Some(status) = watch.ended(pass.progress(epochs, met)) {
                break status;
            }
            if epochs >= turn {
                // As many passes between two Newton steps as take about as long.
                turn = epochs + (pass.newton() / 4).max(1) as u64;
            }
        };
        pass.refresh();
        let report = Report {
            status,
            certificate: self.look(&pass.w, &pass.b),
            convex: true,
            support: (0..pass.b.len()).filter(|&i| self.costs[i] > 0.0 && pass.b[i] > 0.0).count(),
            bounded: 0,
            norm: pass.w.iter().map(|w| w * w).sum::<f64>().sqrt(),
            iterations: epochs,
            rows_computed: 0,
            seconds: watch.seconds(),
        };
        Solved { beta: Vec::new(), w: pass.w, report }
    }

    /// Slope and curvature of L along wⱼ.
    fn derivatives(&self, j: usize, b: &[f64]) -> (f64, f64) {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (i, x) in self.columns.column(j) {
            if b[i] > 0.0 {
                slope -= 2.0 * self.costs[i] * self.signs[i] * x * b[i];
                curvature += 2.0 * self.costs[i] * x * x;
            }
        }
        (slope, curvature)
    }

    fn loss(&self, b: &[f64]) -> f64 {
        b.iter().zip(self.costs).map(|(b, c)| c * b.max(0.0).powi(2)).sum()
    }

    /// What w proves.
    fn look(&self, w: &[f64], b: &[f64]) -> Certificate {
        let (mut most, mut least, mut steepest) = (0.0f64, 0.0f64, 0.0f64);
        for (j, w) in w.iter().enumerate() {
            let slope = self.derivatives(j, b).0;
            let violation = projected(*w, slope);
            (most, least) = (most.max(violation), least.min(violation));
            steepest = steepest.max(slope.abs());
        }
        let primal = w.iter().map(|w| w.abs()).sum::<f64>() + self.loss(b);
        // Σα and Σα²/4C for α = 2C max(0, b)
        let sum: f64 = b.iter().zip(self.costs).map(|(b, c)| 2.0 * c * b.max(0.0)).sum();
        let square = self.loss(b);
        let best = if square > 0.0 { 0.5 * sum / square } else { 0.0 };
        let factor = best.min(if steepest > 0.0 { 1.0 / steepest } else { f64::INFINITY });
        let dual = (factor * sum - factor * factor * square).min(primal);
        Certificate { kkt_gap: most - least, dual, primal, scale: 0.0 }
    }
}

/// slope·d + |w + d| − |w|, to the last digit even where the two nearly cancel each other.
fn linear_change(w: f64, slope: f64, d: f64) -> f64 {
    if w > 0.0 && w + d >= 0.0 || w == 0.0 && d > 0.0 {
        (slope + 1.0) * d
    } else if w < 0.0 && w + d <= 0.0 || w == 0.0 {
        (slope - 1.0) * d
    } else {
        slope * d + (w + d).abs() - w.abs()
    }
}

/// The slope of |w| + L that goes down, or 0.
fn projected(w: f64, slope: f64) -> f64 {
    if w > 0.0 {
        slope + 1.0
    } else if w < 0.0 {
        slope - 1.0
    } else if slope < -1.0 {
        slope + 1.0
    } else if slope > 1.0 {
        slope - 1.0
    } else {
        0.0
    }
}

struct Pass<'a> {
    sparse: &'a Sparse<'a>,
    active: Vec<usize>,
    w: Vec<f64>,
    b: Vec<f64>,
    is_still: bool,
    steps: u64,
}

impl<'a> Pass<'a> {
    fn new(sparse: &'a Sparse<'a>, start: Option<Vec<f64>>) -> Self {
        let count = sparse.columns.count();
        let w = start.unwrap_or_else(|| vec![0.0; count]);
        let mut pass =
            Pass { sparse, active: (0..count).collect(), w, b: Vec::new(), is_still: false, steps: 0 };
        pass.refresh();
        pass
    }

    /// b anew from w.
    fn refresh(&mut self) {
        self.b = vec![1.0; self.sparse.signs.len()];
        for j in (0..self.w.len()).filter(|&j| self.w[j] != 0.0) {
            for (i, x) in self.sparse.columns.column(j) {
                self.b[i] -= self.w[j] * self.sparse.signs[i] * x;
            }
        }
    }

    /// One pass over the active columns; returns the greatest minus the least violation met on the way.
    fn run(&mut self, random: &mut Random, settled: f64) -> f64 {
        random.shuffle(&mut self.active);
        self.is_still = true;
        let (mut most, mut least) = (0.0f64, 0.0f64);
        let mut kept = 0;
        for at in 0..self.active.len() {
            let j = self.active[at];
            let (slope, curvature) = self.sparse.derivatives(j, &self.b);
            let w = self.w[j];
            if settled.is_finite() && w == 0.0 && slope.abs() + settled / (self.b.len() as f64) < 1.0 {
                continue;
            }
            self.active[kept] = j;
            kept += 1;
            let violation = projected(w, slope);
            if violation == 0.0 {
                continue;
            }
            (most, least) = (most.max(violation), least.min(violation));
            let curvature = curvature.max(1e-12);
            let direction = if slope + 1.0 <= curvature * w {
                -(slope + 1.0) / curvature
            } else if slope - 1.0 >= curvature * w {
                -(slope - 1.0) / curvature
            } else {
                -w
            };
            self.step(j, slope, direction);
        }
        self.steps += self.active.len() as u64;
        self.active.truncate(kept);
        most - least
    }

    /// Goes along a direction of one weight as far as the objective falls enough.
    fn step(&mut self, j: usize, slope: f64, direction: f64) {
        let Sparse { columns, signs, squares, .. } = self.sparse;
        let w = self.w[j];
        let promised = linear_change(w, slope, direction);
        if promised >= 0.0 {
            return;
        }
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let moved = length * direction;
            let enough = DECREASE * length * promised;
            // The loss grows no more than with its largest curvature; often that is proof enough.
            let proven = linear_change(w, slope, moved) + squares[j] * moved * moved <= enough;
            if proven || self.change(j, moved) <= enough {
                self.is_still &= w + moved == w;
                // A weight that is to be 0 is 0.
                self.w[j] = if length == 1.0 && direction == -w { 0.0 } else { w + moved };
                columns.column(j).for_each(|(i, x)| self.b[i] -= moved * signs[i] * x);
                return;
            }
            length *= 0.5;
        }
    }

    /// By how much the objective changes with wⱼ.
    fn change(&self, j: usize, moved: f64) -> f64 {
        let mut change = (self.w[j] + moved).abs() - self.w[j].abs();
        for (i, x) in self.sparse.columns.column(j) {
            let after = (self.b[i] - moved * self.sparse.signs[i] * x).max(0.0);
            let before = self.b[i].max(0.0);
            change += self.sparse.costs[i] * (after - before) * (after + before);
        }
        change
    }

    /// A Newton step for all weights that are not 0; those that would change their sign become 0. Returns how many weights
    /// it was about.
    fn newton(&mut self) -> usize {
        let Sparse { columns, signs, .. } = self.sparse;
        let support: Vec<usize> = (0..self.w.len()).filter(|&j| self.w[j] != 0.0).collect();
        if support.is_empty() || support.len() > LARGEST {
            return self.w.len();
        }
        let slopes: Vec<f64> =
            support.iter().map(|&j| projected(self.w[j], self.sparse.derivatives(j, &self.b).0)).collect();
        let mut step: Vec<f64> = slopes.iter().map(|slope| -slope).collect();
        let hessian = self.hessian(&support);
        if Cholesky::new(&hessian).and_then(|factor| factor.solve(&mut step)).is_err() {
            return support.len();
        }
        let objective = self.objective();
        let begin = (self.w.clone(), self.b.clone());
        let mut length = 1.0;
        for _ in 0..HALVINGS {
            let mut promised = 0.0;
            for (a, &j) in support.iter().enumerate() {
                let (old, new) = (begin.0[j], begin.0[j] + length * step[a]);
                let new = if new * old > 0.0 { new } else { 0.0 };
                promised += slopes[a] * (new - old);
                columns.column(j).for_each(|(i, x)| self.b[i] -= (new - old) * signs[i] * x);
                self.w[j] = new;
            }
            // Below the last digits of the objective nothing can be seen to fall.
            let rounding = 1e-14 * objective;
            if promised <= 0.0 && self.objective() - objective <= (DECREASE * promised).max(-rounding) {
                return support.len();
            }
            self.w.clone_from(&begin.0);
            self.b.clone_from(&begin.1);
            length *= 0.5;
        }
        support.len()
    }

    /// The second derivatives of L by these weights.
    fn hessian(&self, support: &[usize]) -> Matrix {
        let Sparse { columns, costs, .. } = self.sparse;
        let n = support.len();
        let mut hessian = Matrix::zeros(n, n);
        let mut scattered = vec![0.0; self.b.len()];
        for (a, &j) in support.iter().enumerate() {
            let active = |i: usize| if self.b[i] > 0.0 { 2.0 * costs[i] } else { 0.0 };
            columns.column(j).for_each(|(i, x)| scattered[i] = active(i) * x);
            for (b, &k) in support[..=a].iter().enumerate() {
                let product: f64 = columns.column(k).map(|(i, x)| scattered[i] * x).sum();
                (hessian[(a, b)], hessian[(b, a)]) = (product, product);
            }
            columns.column(j).for_each(|(i, _)| scattered[i] = 0.0);
        }
        let trace: f64 = (0..n).map(|a| hessian[(a, a)]).sum();
        (0..n).for_each(|a| hessian[(a, a)] += 1e-13 * trace);
        hessian
    }

    fn objective(&self) -> f64 {
        self.w.iter().map(|w| w.abs()).sum::<f64>() + self.sparse.loss(&self.b)
    }

    fn progress(&self, epochs: u64, met: f64) -> Progress {
        Progress {
            outer_iterations: epochs,
            iterations: self.steps,
            kkt_gap: met,
            objective: self.objective(),
            support: self.w.iter().filter(|w| **w != 0.0).count(),
            active: self.active.len(),
            elapsed: Duration::ZERO,
        }
    }
}

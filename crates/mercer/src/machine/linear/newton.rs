//! The endgame: Newton's method for problems in which coordinate descent crawls (a large cost, features that nearly depend
//! on each other).
//!
//! Where every β has curvature of its own (dᵢ > 0, the squared losses), w is the minimum of
//!
//! ```text
//! Φ(w) = ½‖w‖² + Σ ψᵢ(⟨w, x̃ᵢ⟩),   −ψᵢ(f) = min over L ≤ v ≤ U of  (f + pᵢ)v + ½dᵢv² + εᵢ|v|
//! ```
//!
//! which is quadratic in pieces: Newton's method finds the minimum after finitely many steps. Its Hessian is
//! I + Σ x̃ᵢx̃ᵢᵀ/dᵢ over the rows F whose v is between its bounds. Where β has none (the linear losses), ρ/2(v − bᵢ)² is added
//! about the b that has been reached; b moves to the minimum that is found, and ρ falls (the proximal-point method, which on
//! such problems ends after finitely many steps too).
//!
//! What rounding leaves is removed by the equations of the free variables alone: (K_FF + D)δ = −g_F.
//!
//! O(|F|·q² + q³) per step where q is the smaller of the number of features and |F|; q × q numbers are held.
//!
//! O. L. Mangasarian: *A finite Newton method for classification*, 2002; S. S. Keerthi, D. DeCoste: *A modified finite Newton
//! method for fast solution of large scale linear SVMs*, JMLR 6 (2005); X. Li, D. Sun, K.-C. Toh: *A highly efficient semismooth
//! Newton augmented Lagrangian method*, 2018.

use std::time::Duration;

use super::descent::{Linear, Looked};
use super::watch::Watch;
use crate::error::Result;
use crate::linalg::{Cholesky, Matrix};
use crate::solver::{Progress, Status, Stop};

/// More features than this, and as many free rows, are too many for a factorisation.
const LARGEST: usize = 512;
/// ρ as a share of the mean ‖x̃‖²: the first, the last, and by what it falls.
const PROXIMITY: (f64, f64, f64) = (1e-3, 1e-10, 0.1);
/// Steps for one ρ.
const STEPS: usize = 50;
/// Corrections of the free variables.
const CORRECTIONS: usize = 4;

/// After how many passes Newton's method is worth a try: about as many as take as long as it does. None where it cannot be
/// had.
pub(super) fn first_turn(linear: &Linear<'_>) -> Option<u64> {
    let movable = linear.movable();
    let size = linear.rows.width().min(movable.len());
    let curved = movable.iter().all(|&i| linear.problem.diagonal(i) > 0.0);
    // Without curvature of their own there are several ρ to go through.
    (size <= LARGEST).then_some(20 + if curved { size as u64 / 2 } else { 2 * size as u64 })
}

/// The endgame of a problem.
pub(super) struct Newton<'a> {
    pub linear: &'a Linear<'a>,
    pub stop: Stop,
    pub watch: &'a Watch<'a>,
    /// Passes so far; a step counts as one.
    pub epochs: u64,
    /// KKT gap and objective of the best β so far, for the observer.
    pub reached: (f64, f64),
}

impl Newton<'_> {
    /// The best β that is found from this one, and what ended the search if it was not its own end.
    pub fn run(&mut self, begin: Looked) -> (Looked, Option<Status>) {
        let movable = self.linear.movable();
        let mean = movable.iter().map(|&i| self.linear.norms[i]).sum::<f64>() / movable.len() as f64;
        let curved = movable.iter().all(|&i| self.linear.problem.diagonal(i) > 0.0);
        let (first, last, factor) = PROXIMITY;
        let mut rho = if curved { 0.0 } else { first * mean };
        let mut best = begin.clone();
        let mut centre = begin.beta;
        let mut w = begin.w;
        loop {
            let ended = match self.minimise(&movable, &centre, rho, &mut w) {
                Ok(ended) => ended,
                // The factorisation failed: what has been found so far is what there is.
                Err(_) => return (best, None),
            };
            centre = self.beta_at(&movable, &centre, rho, &w);
            let found = self.correct(self.linear.look(centre.clone()), last * mean);
            if found.kkt_gap < best.kkt_gap {
                best = found;
                self.reached = (best.kkt_gap, -best.certificate.dual);
            }
            if self.stop.is_met(&best.certificate) {
                return (best, Some(Status::Converged));
            }
            if ended.is_some() {
                return (best, ended);
            }
            if curved || rho <= last * mean {
                return (best, None);
            }
            rho *= factor;
        }
    }

    /// Moves w to the minimum of Φ about the centre.
    fn minimise(
        &mut self,
        movable: &[usize],
        centre: &[f64],
        rho: f64,
        w: &mut [f64],
    ) -> Result<Option<Status>> {
        let linear = self.linear;
        let mut free_before = Vec::new();
        for _ in 0..STEPS {
            let f: Vec<f64> = movable.iter().map(|&i| linear.rows.dot(i, w)).collect();
            let beta: Vec<f64> =
                movable.iter().zip(&f).map(|(&i, &f)| self.value(i, centre[i], rho, f)).collect();
            let mut gradient = w.to_vec();
            for (&i, &b) in movable.iter().zip(&beta).filter(|(_, b)| **b != 0.0) {
                linear.rows.add(i, -b, &mut gradient);
            }
            let free: Vec<usize> = movable
                .iter()
                .zip(&beta)
                .filter(|(i, b)| linear.variable(**i).is_free(**b))
                .map(|(&i, _)| i)
                .collect();
            let system = System::new(linear, free, rho)?;
            let step = system.step(&gradient)?;
            let length = self.search(movable, centre, rho, (w, &f), &step);
            w.iter_mut().zip(&step).for_each(|(w, s)| *w += length * s);
            self.epochs += 1;
            if let Some(status) = self.watch.ended(self.progress(&beta, system.free.len())) {
                return Ok(Some(status));
            }
            let settled = length == 1.0 && system.free == free_before;
            free_before = system.free;
            if settled {
                break;
            }
        }
        Ok(None)
    }

    /// How far to go along the step: where the slope of Φ, which only grows on the way, is about 0; at most 1.
    fn search(
        &self,
        movable: &[usize],
        centre: &[f64],
        rho: f64,
        (w, f): (&[f64], &[f64]),
        step: &[f64],
    ) -> f64 {
        let along: Vec<f64> = movable.iter().map(|&i| self.linear.rows.dot(i, step)).collect();
        let inner: f64 = w.iter().zip(step).map(|(w, s)| w * s).sum();
        let square: f64 = step.iter().map(|s| s * s).sum();
        let slope = |t: f64| {
            let loss: f64 = (0..movable.len())
                .map(|at| {
                    self.value(movable[at], centre[movable[at]], rho, f[at] + t * along[at]) * along[at]
                })
                .sum();
            inner + t * square - loss
        };
        let (begin, end) = (slope(0.0), slope(1.0));
        // A step of rounding errors, or one after which Φ still falls.
        if begin >= 0.0 || end <= 0.1 * begin.abs() {
            return 1.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let there = slope(middle);
            if there.abs() <= 0.1 * begin.abs() {
                return middle;
            }
            if there < 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }

    /// v at the value f of the function.
    fn value(&self, i: usize, centre: f64, rho: f64, f: f64) -> f64 {
        let problem = self.linear.problem;
        // The slope at v = centre, and the curvature.
        let g = f + problem.linear[i] + problem.diagonal(i) * centre;
        self.linear.variable(i).best(centre, g, problem.diagonal(i) + rho)
    }

    fn beta_at(&self, movable: &[usize], centre: &[f64], rho: f64, w: &[f64]) -> Vec<f64> {
        let mut beta = centre.to_vec();
        for &i in movable {
            beta[i] = self.value(i, centre[i], rho, self.linear.rows.dot(i, w));
        }
        beta
    }

    /// Removes the slopes that rounding has left at the free variables.
    fn correct(&self, mut best: Looked, ridge: f64) -> Looked {
        let free: Vec<usize> =
            (0..best.beta.len()).filter(|&i| self.linear.variable(i).is_free(best.beta[i])).collect();
        if free.is_empty() {
            return best;
        }
        // Without curvature of their own the equations of few rows are best left as they are.
        let ridge = match self.linear.problem.diagonal.is_empty() {
            true if free.len() <= self.linear.rows.width() => 1e-4 * ridge,
            true => ridge,
            false => 0.0,
        };
        let Ok(system) = System::new(self.linear, free, ridge) else { return best };
        for _ in 0..CORRECTIONS {
            let slopes: Vec<f64> = system
                .free
                .iter()
                .map(|&i| {
                    let tube = self.linear.problem.insensitivity(i);
                    best.slopes[i] + if best.beta[i] > 0.0 { tube } else { -tube }
                })
                .collect();
            let Ok(change) = system.correction(&slopes) else { return best };
            let mut beta = best.beta.clone();
            for (&i, change) in system.free.iter().zip(change) {
                beta[i] = self.linear.variable(i).keep(beta[i], beta[i] + change);
            }
            let next = self.linear.look(beta);
            if next.kkt_gap >= best.kkt_gap {
                break;
            }
            best = next;
            if self.stop.is_met(&best.certificate) {
                break;
            }
        }
        best
    }

    fn progress(&self, beta: &[f64], free: usize) -> Progress {
        Progress {
            outer_iterations: self.epochs,
            iterations: 0,
            kkt_gap: self.reached.0,
            objective: self.reached.1,
            support: beta.iter().filter(|b| **b != 0.0).count(),
            active: free,
            elapsed: Duration::ZERO,
        }
    }
}

/// The equations of the free rows F, with E = 1/(d + ρ): M = I + X_FᵀEX_F of the features, or N = E⁻¹ + X_FX_Fᵀ of the rows,
/// whichever is smaller.
struct System<'a> {
    linear: &'a Linear<'a>,
    free: Vec<usize>,
    /// d + ρ of the free rows.
    curvature: Vec<f64>,
    factor: Factor,
}

enum Factor {
    Features(Cholesky),
    Rows(Cholesky),
}

impl<'a> System<'a> {
    fn new(linear: &'a Linear<'a>, free: Vec<usize>, rho: f64) -> Result<Self> {
        let curvature: Vec<f64> = free.iter().map(|&i| linear.problem.diagonal(i) + rho).collect();
        let width = linear.rows.width();
        let factor = if free.len() < width {
            Factor::Rows(Cholesky::new(&of_rows(linear, &free, &curvature))?)
        } else {
            Factor::Features(Cholesky::new(&of_features(linear, &free, &curvature))?)
        };
        Ok(System { linear, free, curvature, factor })
    }

    /// Newton's step −M⁻¹r.
    fn step(&self, r: &[f64]) -> Result<Vec<f64>> {
        let rows = self.linear.rows;
        let mut step: Vec<f64> = r.iter().map(|r| -r).collect();
        match &self.factor {
            Factor::Features(factor) => factor.solve(&mut step)?,
            Factor::Rows(factor) => {
                let mut u: Vec<f64> = self.free.iter().map(|&i| rows.dot(i, r)).collect();
                factor.solve(&mut u)?;
                self.free.iter().zip(&u).for_each(|(&i, &u)| rows.add(i, u, &mut step));
            }
        }
        Ok(step)
    }

    /// δ = −N⁻¹g
    fn correction(&self, g: &[f64]) -> Result<Vec<f64>> {
        let rows = self.linear.rows;
        match &self.factor {
            Factor::Rows(factor) => {
                let mut change: Vec<f64> = g.iter().map(|g| -g).collect();
                factor.solve(&mut change)?;
                Ok(change)
            }
            Factor::Features(factor) => {
                let mut u = vec![0.0; rows.width()];
                for ((&i, g), c) in self.free.iter().zip(g).zip(&self.curvature) {
                    rows.add(i, g / c, &mut u);
                }
                factor.solve(&mut u)?;
                let of_row = |((&i, g), c): ((&usize, &f64), &f64)| (rows.dot(i, &u) - g) / c;
                Ok(self.free.iter().zip(g).zip(&self.curvature).map(of_row).collect())
            }
        }
    }
}

/// I + Σ x̃x̃ᵀ/(d + ρ)
fn of_features(linear: &Linear<'_>, free: &[usize], curvature: &[f64]) -> Matrix {
    let width = linear.rows.width();
    let mut matrix = Matrix::zeros(width, width);
    let values = matrix.values_mut();
    let mut entries = Vec::new();
    for (&i, c) in free.iter().zip(curvature) {
        entries.clear();
        linear.rows.for_each(i, |column, x| entries.push((column, x)));
        if entries.len() == width {
            // A full row: no positions to look up.
            for (j, &(_, x)) in entries.iter().enumerate() {
                let s = x / c;
                let of_row = &mut values[j * width..][..=j];
                of_row.iter_mut().zip(&entries).for_each(|(m, (_, x))| *m += s * x);
            }
        } else {
            for (at, &(j, x)) in entries.iter().enumerate() {
                let s = x / c;
                entries[..=at].iter().for_each(|&(k, x)| values[j * width + k] += s * x);
            }
        }
    }
    for j in 0..width {
        values[j * width + j] += 1.0;
        for k in 0..j {
            values[k * width + j] = values[j * width + k];
        }
    }
    matrix
}

/// diag(d + ρ) + X_FX_Fᵀ
fn of_rows(linear: &Linear<'_>, free: &[usize], curvature: &[f64]) -> Matrix {
    let n = free.len();
    let mut matrix = Matrix::zeros(n, n);
    let values = matrix.values_mut();
    let mut scattered = vec![0.0; linear.rows.width()];
    for (a, &i) in free.iter().enumerate() {
        linear.rows.for_each(i, |column, x| scattered[column] = x);
        for (b, &j) in free[..=a].iter().enumerate() {
            let product = linear.rows.dot(j, &scattered);
            values[a * n + b] = product;
            values[b * n + a] = product;
        }
        values[a * n + a] += curvature[a];
        linear.rows.for_each(i, |column, _| scattered[column] = 0.0);
    }
    matrix
}

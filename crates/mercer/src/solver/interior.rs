//! A primal–dual interior-point method for a problem whose matrix is in memory.
//!
//! Where the box is wide and K nearly singular (a large C, a linear kernel on few columns), SMO needs a number
//! of steps that grows with C. The interior-point method needs some twenty factorisations whatever C is. It is the
//! endgame of the decomposition, for a working set that SMO cannot finish, and a reference method of its own.
//!
//! A variable with a kink at 0 is the sum of two parts, one on either side of it; every other variable is one
//! part. A part x with bounds l ≤ x ≤ u, slope c and multipliers z, w ≥ 0 satisfies at the optimum
//!
//! ```text
//! (Qv + p − Aᵀμ)ᵢ + c − z + w = 0,    z (x − l) = 0,    w (u − x) = 0,    Av = s
//! ```
//!
//! Newton's method on these equations, with σm in place of the two zeros, is one solve with the matrix
//! Q + diag(1/Sᵢ), where Sᵢ sums 1/Θ over the parts of variable i and Θ = z/(x − l) + w/(u − x). The step is
//! Mehrotra's: a predictor with σ = 0 tells how small σ may be.

mod equations;
mod parts;

pub(super) use self::equations::Equations;

use self::equations::semidefinite;
use self::parts::{Part, Step, longest};
use super::certificate::shortfall;
use crate::linalg::{Cholesky, Matrix};

/// Most factorisations.
const MOST_ROUNDS: usize = 80;
/// Complementarity, relative to the objective, at which nothing is left to gain.
const ENOUGH: f64 = 1e-13;
/// The part of the gap of the point with the least objective that another one must have to be taken in its place.
const SURER: f64 = 0.5;
/// A gap of so many times that of the tolerance is the work of rounding.
const SPOILED: f64 = 10.0;
/// The part of the way to the nearest bound that a step may go.
const KEEP_INSIDE: f64 = 0.995;

/// min over changes δ of ½δᵀQδ + gᵀδ + Σε|β + δ|, L ≤ β + δ ≤ U, Aδ = 0.
pub(in crate::solver) struct InteriorPoint<'a> {
    /// Q, the diagonal included.
    pub quadratic: &'a Matrix,
    /// Qβ + p.
    pub gradient: &'a [f64],
    pub beta: &'a [f64],
    pub lower: &'a [f64],
    pub upper: &'a [f64],
    pub insensitivity: &'a [f64],
    /// d: what is no part of K in the diagonal of Q.
    pub diagonal: &'a [f64],
    /// A
    pub equations: &'a Equations,
    /// Optimality conditions within this are met.
    pub tolerance: f64,
}

/// A better point than the one given.
#[derive(Clone)]
pub(in crate::solver) struct Improved {
    pub beta: Vec<f64>,
    /// Qβ + p there.
    pub gradient: Vec<f64>,
    /// By how much the objective fell.
    pub decrease: f64,
    /// By how much it is above its least value, at most.
    pub gap: f64,
}

impl InteriorPoint<'_> {
    /// The best point found until `stop`, which is shown the best so far before every factorisation, says so; `None` if
    /// there is none that is better than β.
    pub fn solve(&self, stop: &mut dyn FnMut(Option<&Improved>) -> bool) -> Option<Improved> {
        let scale = self.scale();
        let mut multipliers = vec![0.0; self.equations.count()];
        let mut parts = self.start(scale);
        let sides: usize = parts.iter().map(Part::sides).sum();
        if parts.is_empty() {
            return None;
        }
        let mut ridge = 0.0;
        let mut best: Option<Improved> = None;
        let mut inside: Option<Improved> = None;
        // Where rounding hides what is gained, the point that is proved to be the best.
        let mut surest: Option<Improved> = None;
        for round in 0..MOST_ROUNDS {
            if !parts.iter().all(|part| part.x.is_finite()) {
                break;
            }
            let slopes = self.slopes(&self.values(&parts));
            let steepness = slopes.iter().map(|s| s.abs()).sum::<f64>();
            if round > 0
                && let Some(found) =
                    self.rounded(&parts, scale, steepness / slopes.len() as f64, &multipliers)
            {
                surest = more_sure(surest, &found);
                // Of two that are equal but for rounding, the later is the more accurate.
                if found.decrease > best.as_ref().map_or(0.0, |best| (1.0 - 1e-9) * best.decrease) {
                    best = Some(found);
                }
            }
            let mean = parts.iter().map(Part::complementarity).sum::<f64>() / sides.max(1) as f64;
            let size = scale * steepness;
            if mean.is_nan() || (sides > 0 && mean * sides as f64 <= ENOUGH * size) {
                break;
            }
            // Without bounds the equations are linear: the first step solves them, the second mends its rounding.
            if sides == 0 && round == 2 {
                break;
            }
            // Long before the bounds can be told, the point inside them may be better than β.
            if round > 0
                && let Some(found) = self.restored(self.values(&parts), &multipliers)
            {
                surest = more_sure(surest, &found);
                if found.decrease > inside.as_ref().map_or(0.0, |inside| inside.decrease) {
                    inside = Some(found);
                }
            }
            let so_far = better(&best, &inside);
            if stop(so_far.as_ref()) {
                // What was reported is what is returned.
                return so_far.clone();
            }
            // A step may end on a bound by rounding, where there is no next one.
            if !parts.iter().all(Part::is_inside) {
                break;
            }
            let Some(system) = self.factorise(&parts, &mut ridge) else { break };
            let residuals: Vec<f64> = parts
                .iter()
                .map(|p| {
                    let mu = self.equations.pull(&multipliers, p.variable);
                    slopes[p.variable] + p.slope - mu - p.z + p.w
                })
                .collect();
            let (predictor, _) = self.newton(&system, &parts, &residuals, 0.0, &[]);
            let reach = longest(&parts, &predictor).min(1.0);
            let ahead: f64 =
                parts.iter().zip(&predictor).map(|(p, s)| p.moved(s, reach).complementarity()).sum::<f64>()
                    / sides.max(1) as f64;
            let sigma = if mean > 0.0 { (ahead / mean).clamp(0.0, 1.0).powi(3) } else { 0.0 };
            let (step, toward) = self.newton(&system, &parts, &residuals, sigma * mean, &predictor);
            let length = (KEEP_INSIDE * longest(&parts, &step)).min(1.0);
            if length.is_nan() || length <= 1e-10 {
                break;
            }
            for (part, step) in parts.iter_mut().zip(&step) {
                *part = part.moved(step, length);
            }
            for (mu, change) in multipliers.iter_mut().zip(&toward) {
                *mu += length * change;
            }
        }
        self.chosen(best, surest)
    }

    /// The point with the least objective, unless rounding has spoiled it and another one is proved to be better.
    fn chosen(&self, best: Option<Improved>, surest: Option<Improved>) -> Option<Improved> {
        match (best, surest) {
            (Some(best), Some(surest)) if self.is_spoiled(&best) && surest.gap < SURER * best.gap => {
                Some(surest)
            }
            (None, surest) => surest,
            (best, _) => best,
        }
    }

    /// Whether a point is farther from optimal than one that meets the tolerance can be.
    fn is_spoiled(&self, found: &Improved) -> bool {
        let size: f64 = found.beta.iter().map(|b| b.abs()).sum();
        found.gap > SPOILED * self.tolerance * size
    }

    /// A typical size of the variables.
    fn scale(&self) -> f64 {
        let largest = self.beta.iter().fold(0.0f64, |most, b| most.max(b.abs()));
        if largest > 0.0 { largest } else { 1.0 }
    }

    /// β, moved off its bounds.
    fn start(&self, scale: f64) -> Vec<Part> {
        let mean_slope =
            self.gradient.iter().map(|g| g.abs()).sum::<f64>() / self.gradient.len().max(1) as f64;
        let mut parts = Vec::new();
        for (i, &b) in self.beta.iter().enumerate() {
            let (low, high, e) = (self.lower[i], self.upper[i], self.insensitivity[i]);
            if low == high {
                continue;
            }
            let sides: &[(f64, f64, f64)] = match e > 0.0 {
                true if low < 0.0 && high > 0.0 => &[(low, 0.0, -e), (0.0, high, e)],
                true if high <= 0.0 => &[(low, high, -e)],
                _ => &[(low, high, e)],
            };
            for &(low, high, slope) in sides {
                let off = (0.1 * scale).min(0.5 * (high - low));
                let multiplier = |bound: f64| if bound.is_finite() { mean_slope.max(1e-3) } else { 0.0 };
                parts.push(Part {
                    variable: i,
                    low,
                    high,
                    slope,
                    x: b.clamp(low, high).clamp(low + off, high - off),
                    z: multiplier(low),
                    w: multiplier(high),
                });
            }
        }
        parts
    }

    /// v: every variable as the sum of its parts.
    fn values(&self, parts: &[Part]) -> Vec<f64> {
        let mut values = self.beta.to_vec();
        for part in parts {
            values[part.variable] = 0.0;
        }
        for part in parts {
            values[part.variable] += part.x;
        }
        values
    }

    /// Q(v − β) + g, each sum in the order of the variables.
    fn slopes(&self, values: &[f64]) -> Vec<f64> {
        let change: Vec<f64> = values.iter().zip(self.beta).map(|(v, b)| v - b).collect();
        (0..values.len())
            .map(|i| {
                self.gradient[i] + self.quadratic.row(i).iter().zip(&change).map(|(q, c)| q * c).sum::<f64>()
            })
            .collect()
    }

    /// Q + diag(1/S) factorised, with the least ridge that makes it positive definite.
    fn factorise(&self, parts: &[Part], ridge: &mut f64) -> Option<System> {
        let n = self.beta.len();
        let mut spread = vec![0.0; n];
        let mut count = vec![0u8; n];
        for part in parts {
            spread[part.variable] += 1.0 / part.theta();
            count[part.variable] += 1;
        }
        let largest = (0..n).map(|i| self.quadratic[(i, i)].abs()).fold(f64::MIN_POSITIVE, f64::max);
        for _ in 0..12 {
            let mut matrix = self.quadratic.clone();
            for i in 0..n {
                if count[i] == 0 {
                    // A variable that cannot move: its equation is δ = 0.
                    for j in 0..n {
                        matrix[(i, j)] = 0.0;
                        matrix[(j, i)] = 0.0;
                    }
                    matrix[(i, i)] = 1.0;
                } else {
                    matrix[(i, i)] += 1.0 / spread[i] + *ridge;
                }
            }
            if let Ok(factor) = Cholesky::new(&matrix) {
                let mut columns = vec![vec![0.0; n]; self.equations.count()];
                for i in (0..n).filter(|&i| count[i] > 0) {
                    self.equations.of(i).iter().for_each(|&(e, a)| columns[e][i] = a);
                }
                for column in &mut columns {
                    factor.solve(column).ok()?;
                }
                let cross = semidefinite(&self.cross(&columns))?;
                return Some(System { factor, spread, count, columns, cross });
            }
            *ridge = if *ridge == 0.0 { 1e-15 * largest } else { 10.0 * *ridge };
        }
        None
    }

    /// The step of all parts and of the multipliers, aiming at complementarity `target` each.
    fn newton(
        &self,
        system: &System,
        parts: &[Part],
        residuals: &[f64],
        target: f64,
        predictor: &[Step],
    ) -> (Vec<Step>, Vec<f64>) {
        let n = self.beta.len();
        // What (x − l)Δz + zΔx and (u − x)Δw − wΔx must be.
        let wanted = |k: usize| {
            let part = &parts[k];
            let second = predictor.get(k).copied().unwrap_or_default();
            let lower =
                if part.low.is_finite() { target - second.x * second.z - part.z * part.below() } else { 0.0 };
            let upper = if part.high.is_finite() {
                target + second.x * second.w - part.w * part.above()
            } else {
                0.0
            };
            (lower, upper)
        };
        let force: Vec<f64> = (0..parts.len())
            .map(|k| {
                let (lower, upper) = wanted(k);
                -residuals[k] + lower / parts[k].below() - upper / parts[k].above()
            })
            .collect();
        let mut pull = vec![0.0; n];
        for (part, f) in parts.iter().zip(&force) {
            // One part: its own force; several: their mean, weighted by 1/Θ.
            pull[part.variable] += match system.count[part.variable] {
                1 => *f,
                _ => f / part.theta() / system.spread[part.variable],
            };
        }
        let mut change = pull.clone();
        // The length is right by construction.
        let _ = system.factor.solve(&mut change);
        let toward = self.keep_sums(system, parts, &mut change);
        let steps = (0..parts.len())
            .map(|k| {
                let part = &parts[k];
                let i = part.variable;
                let x = match system.count[i] {
                    1 => change[i],
                    _ => (force[k] - pull[i] + change[i] / system.spread[i]) / part.theta(),
                };
                let (lower, upper) = wanted(k);
                Step {
                    x,
                    z: if part.low.is_finite() { (lower - part.z * x) / part.below() } else { 0.0 },
                    w: if part.high.is_finite() { (upper + part.w * x) / part.above() } else { 0.0 },
                }
            })
            .collect();
        (steps, toward)
    }

    /// A times these columns.
    fn cross(&self, columns: &[Vec<f64>]) -> Matrix {
        let sums: Vec<Vec<f64>> = columns.iter().map(|column| self.equations.sums(|i| column[i])).collect();
        Matrix::from_fn(columns.len(), columns.len(), |e, other| {
            let (low, high) = (e.min(other), e.max(other));
            sums[low][high]
        })
    }

    /// Adds the multiples of the equations' columns that lead back to the values at β; returns the multiples.
    fn keep_sums(&self, system: &System, parts: &[Part], change: &mut [f64]) -> Vec<f64> {
        let values = self.values(parts);
        let mut toward = self.equations.sums(|i| self.beta[i] - values[i] - change[i]);
        // The length is right by construction.
        let _ = system.cross.solve(&mut toward);
        for (column, t) in system.columns.iter().zip(&toward) {
            for (change, y) in change.iter_mut().zip(column) {
                *change += t * y;
            }
        }
        toward
    }

    /// The point with parts that press against a bound put onto it: harder, for the steepness of the slopes, than they are
    /// away from it for the scale of the variables.
    fn rounded(&self, parts: &[Part], scale: f64, steepness: f64, multipliers: &[f64]) -> Option<Improved> {
        let near = 1e-10 * scale;
        let presses = |multiplier: f64, distance: f64| {
            multiplier > 0.05 * self.tolerance && multiplier * scale > distance * steepness
        };
        let on_bounds = parts.iter().map(|part| {
            let x = if part.below() <= near || (part.z > part.w && presses(part.z, part.below())) {
                part.low
            } else if part.above() <= near || presses(part.w, part.above()) {
                part.high
            } else {
                part.x
            };
            Part { x, ..*part }
        });
        self.restored(self.values(&on_bounds.collect::<Vec<_>>()), multipliers)
    }

    /// The point with the sums of β, and what it gains on β; `None` if free variables alone cannot mend the sums.
    fn restored(&self, mut values: Vec<f64>, multipliers: &[f64]) -> Option<Improved> {
        let restored = match self.equations.are_groups() {
            true => self.mend_groups(&mut values),
            false => self.equations.restore(self.beta, &mut values, self.lower, self.upper),
        };
        if !restored {
            return None;
        }
        let gradient = self.slopes(&values);
        let gain = |i: usize| {
            let kink = self.insensitivity[i] * (values[i].abs() - self.beta[i].abs());
            -0.5 * (values[i] - self.beta[i]) * (self.gradient[i] + gradient[i]) - kink
        };
        let decrease = (0..values.len()).map(gain).sum();
        let term = |i: usize| {
            let mu = self.equations.pull(multipliers, i);
            let (b, d) = (values[i], self.diagonal[i]);
            let kind = (b, d, self.insensitivity[i]);
            shortfall(gradient[i] - d * b - mu, kind, (self.lower[i], self.upper[i]))
        };
        let gap = (0..values.len()).map(term).sum();
        Some(Improved { beta: values, gradient, decrease, gap })
    }

    /// Gives every group its sum at β back, by the variables with the most room.
    fn mend_groups(&self, values: &mut [f64]) -> bool {
        let mut members = vec![Vec::new(); self.equations.count()];
        for i in 0..values.len() {
            self.equations.of(i).iter().for_each(|&(group, _)| members[group].push(i));
        }
        for members in members {
            let mut missing = members.iter().map(|&i| self.beta[i] - values[i]).sum::<f64>();
            // Only variables that are free take a share: to move another is to violate its conditions.
            let room = |i: usize| {
                let kink = if self.insensitivity[i] > 0.0 { values[i].abs() } else { f64::INFINITY };
                (self.upper[i] - values[i]).min(values[i] - self.lower[i]).min(kink)
            };
            let mut roomiest: Vec<usize> = members.iter().copied().filter(|&i| room(i) > 0.0).collect();
            roomiest.sort_by(|&a, &b| room(b).total_cmp(&room(a)));
            let size: f64 = members.iter().map(|&i| values[i].abs()).sum();
            for i in roomiest {
                let step = missing.clamp(self.lower[i] - values[i], self.upper[i] - values[i]);
                values[i] += step;
                missing -= step;
            }
            if missing.abs() > 1e-12 * size {
                return false;
            }
        }
        true
    }
}

/// Of points that are better than β the one with the smaller gap.
fn more_sure(surest: Option<Improved>, found: &Improved) -> Option<Improved> {
    match surest {
        Some(surest) if surest.gap <= found.gap => Some(surest),
        surest if !(found.decrease > 0.0 && found.gap.is_finite()) => surest,
        _ => Some(found.clone()),
    }
}

/// The one that gains more.
fn better<'a>(a: &'a Option<Improved>, b: &'a Option<Improved>) -> &'a Option<Improved> {
    let gain = |found: &Option<Improved>| found.as_ref().map_or(0.0, |found| found.decrease);
    if gain(b) > gain(a) { b } else { a }
}

/// The factorised matrix of a Newton step.
struct System {
    factor: Cholesky,
    /// S of every variable.
    spread: Vec<f64>,
    /// Its number of parts.
    count: Vec<u8>,
    /// The solutions for the rows of A.
    columns: Vec<Vec<f64>>,
    /// A times them, factorized.
    cross: Cholesky,
}

#[cfg(test)]
mod tests;

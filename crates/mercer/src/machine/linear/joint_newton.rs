//! The endgame of Crammer and Singer's machine: what [`newton`](super::newton) is for machines of one function.
//!
//! About a centre t, with ρ/2‖τ − t‖² added, all w together are the minimum of
//!
//! ```text
//! Φ(w) = ½ Σ_k ‖w_k‖² + Σ ψᵢ(f(xᵢ)),   −ψᵢ(f) = min over feasible τ of  Σ_k (f_k − δ_k,yᵢ)τ_k + ρ/2‖τ − tᵢ‖²
//! ```
//!
//! quadratic in pieces, with the Hessian I + 1/ρ Σ Pᵢ ⊗ x̃ᵢx̃ᵢᵀ, where Pᵢ takes the mean from the classes Sᵢ whose τ is not at its
//! bound. The centre moves to the minimum, and ρ falls. What rounding leaves is removed by the equations that the slopes of the
//! classes Sᵢ are equal, row by row.
//!
//! O(Σ|Sᵢ|²·d² + (k·d)³) per step for d features; (k·d)² numbers are held.

use super::crammer_singer::Pass;
use super::watch::Watch;
use crate::error::Result;
use crate::linalg::{Cholesky, Matrix};
use crate::solver::{Status, Stop, solve_joint_example};

/// More weights than this are too many for a factorisation.
const LARGEST: usize = 512;
/// ρ as a share of the mean ‖x̃‖²: the first, the last, and by what it falls.
const PROXIMITY: (f64, f64, f64) = (1e-3, 1e-9, 0.1);
/// Steps for one ρ.
const STEPS: usize = 50;
/// Corrections of the free variables.
const CORRECTIONS: usize = 4;

/// After how many passes it is worth a try; none where it cannot be had.
pub(super) fn first_turn(pass: &Pass<'_>) -> Option<u64> {
    (pass.w.len() <= LARGEST).then_some(20 + 2 * pass.w.len() as u64)
}

/// Moves τ of the pass to the best that is found; what ended the search if it was not its own end.
pub(super) fn finish(pass: &mut Pass<'_>, stop: Stop, watch: &Watch<'_>, epochs: &mut u64) -> Option<Status> {
    let mean = pass.movable.iter().map(|&i| pass.norms[i]).sum::<f64>() / pass.movable.len() as f64;
    let (first, last, factor) = PROXIMITY;
    let (_, mut gap, _) = pass.look();
    let (mut best, mut w) = (pass.tau.clone(), pass.w.clone());
    let mut centre = Centre { tau: best.clone(), rho: first * mean };
    loop {
        let ended = minimise(pass, &centre, &mut w, watch, epochs);
        centre.tau = centre.tau_at(pass, &w);
        pass.tau.clone_from(&centre.tau);
        let found = correct(pass, 1e-4 * last * mean);
        if found < gap {
            (gap, best) = (found, pass.tau.clone());
        } else {
            pass.tau.clone_from(&best);
        }
        let (certificate, ..) = pass.look();
        if stop.is_met(&certificate) {
            return Some(Status::Converged);
        }
        match ended {
            Ok(None) if centre.rho > last * mean => centre.rho *= factor,
            Ok(ended) => return ended,
            // The factorisation failed: what has been found so far is what there is.
            Err(_) => return None,
        }
    }
}

/// t and ρ.
struct Centre {
    tau: Vec<f64>,
    rho: f64,
}

impl Centre {
    /// τ of a row at these values of the functions.
    fn value(&self, pass: &Pass<'_>, i: usize, f: &[f64], scratch: &mut Vec<f64>) -> Vec<f64> {
        let (k, class) = (f.len(), pass.problem.class[i]);
        let mut slopes = f.to_vec();
        slopes[class] -= 1.0;
        let mut tau = self.tau[i * k..][..k].to_vec();
        solve_joint_example(self.rho, class, pass.problem.costs[i], &slopes, &mut tau, scratch);
        tau
    }

    fn tau_at(&self, pass: &Pass<'_>, w: &[f64]) -> Vec<f64> {
        let k = pass.problem.classes;
        let (mut tau, mut scratch, mut f) = (self.tau.clone(), Vec::new(), vec![0.0; k]);
        for &i in &pass.movable {
            pass.values(i, w, &mut f);
            tau[i * k..][..k].copy_from_slice(&self.value(pass, i, &f, &mut scratch));
        }
        tau
    }
}

/// The classes of a row whose τ is not at its bound, where there are two or more.
fn free(pass: &Pass<'_>, i: usize, tau: &[f64]) -> Vec<usize> {
    let (class, cost) = (pass.problem.class[i], pass.problem.costs[i]);
    let free: Vec<usize> =
        (0..tau.len()).filter(|&c| if c == class { tau[c] < cost } else { tau[c] < 0.0 }).collect();
    if free.len() < 2 { Vec::new() } else { free }
}

/// Moves w to the minimum of Φ.
fn minimise(
    pass: &Pass<'_>,
    centre: &Centre,
    w: &mut [f64],
    watch: &Watch<'_>,
    epochs: &mut u64,
) -> Result<Option<Status>> {
    let (k, width) = (pass.problem.classes, pass.rows.width());
    let mut scratch = Vec::new();
    let mut free_before = Vec::new();
    for _ in 0..STEPS {
        let mut f = vec![0.0; k * pass.movable.len()];
        let mut gradient = w.to_vec();
        let mut all_free = Vec::with_capacity(pass.movable.len());
        for (&i, f) in pass.movable.iter().zip(f.chunks_exact_mut(k)) {
            pass.values(i, w, f);
            let tau = centre.value(pass, i, f, &mut scratch);
            for (c, &t) in tau.iter().enumerate().filter(|(_, t)| **t != 0.0) {
                pass.rows.add(i, -t, &mut gradient[c * width..][..width]);
            }
            all_free.push(free(pass, i, &tau));
        }
        let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
        Cholesky::new(&hessian(pass, &all_free, centre.rho))?.solve(&mut step)?;
        let length = search(pass, centre, (w, &f), &step);
        w.iter_mut().zip(&step).for_each(|(w, s)| *w += length * s);
        *epochs += 1;
        if let Some(status) = watch.ended(pass.progress(*epochs, pass.seen)) {
            return Ok(Some(status));
        }
        if length == 1.0 && all_free == free_before {
            break;
        }
        free_before = all_free;
    }
    Ok(None)
}

/// How far to go along the step: where the slope of Φ, which only grows on the way, is about 0; at most 1.
fn search(pass: &Pass<'_>, centre: &Centre, (w, f): (&[f64], &[f64]), step: &[f64]) -> f64 {
    let k = pass.problem.classes;
    let mut along = vec![0.0; f.len()];
    pass.movable.iter().zip(along.chunks_exact_mut(k)).for_each(|(&i, along)| pass.values(i, step, along));
    let inner: f64 = w.iter().zip(step).map(|(w, s)| w * s).sum();
    let square: f64 = step.iter().map(|s| s * s).sum();
    let mut scratch = Vec::new();
    let mut slope = |t: f64| {
        let mut loss = 0.0;
        for ((&i, f), along) in pass.movable.iter().zip(f.chunks_exact(k)).zip(along.chunks_exact(k)) {
            let there: Vec<f64> = f.iter().zip(along).map(|(f, a)| f + t * a).collect();
            let tau = centre.value(pass, i, &there, &mut scratch);
            loss += tau.iter().zip(along).map(|(t, a)| t * a).sum::<f64>();
        }
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

/// I + 1/ρ Σ Pᵢ ⊗ x̃ᵢx̃ᵢᵀ
fn hessian(pass: &Pass<'_>, all_free: &[Vec<usize>], rho: f64) -> Matrix {
    let (size, width) = (pass.w.len(), pass.rows.width());
    let mut matrix = Matrix::zeros(size, size);
    let values = matrix.values_mut();
    let mut entries = Vec::new();
    for (&i, free) in pass.movable.iter().zip(all_free).filter(|(_, free)| !free.is_empty()) {
        entries.clear();
        pass.rows.for_each(i, |column, x| entries.push((column, x)));
        let share = 1.0 / free.len() as f64;
        for (at, &c) in free.iter().enumerate() {
            for &other in &free[..=at] {
                let factor = (if c == other { 1.0 - share } else { -share }) / rho;
                for &(j, x) in &entries {
                    let of_row = &mut values[(c * width + j) * size + other * width..][..width];
                    entries.iter().for_each(|&(l, z)| of_row[l] += factor * x * z);
                }
            }
        }
    }
    for j in 0..size {
        values[j * size + j] += 1.0;
        for l in 0..j {
            values[l * size + j] = values[j * size + l];
        }
    }
    matrix
}

/// Removes the differences of slopes that rounding has left between free classes; returns the KKT gap.
///
/// The variables are the τ of all free classes of a row but the first, which takes what the others give.
fn correct(pass: &mut Pass<'_>, ridge: f64) -> f64 {
    let (k, width) = (pass.problem.classes, pass.rows.width());
    let (_, mut gap, _) = pass.look();
    // Row, first free class, other free class.
    let mut variables = Vec::new();
    for &i in &pass.movable {
        if let [first, others @ ..] = &free(pass, i, &pass.tau[i * k..][..k])[..] {
            variables.extend(others.iter().map(|&other| (i, *first, other)));
        }
    }
    let n = variables.len();
    if n == 0 || n > LARGEST {
        return gap;
    }
    let mut matrix = Matrix::zeros(n, n);
    let mut scattered = vec![0.0; width];
    for (a, &(i, first, other)) in variables.iter().enumerate() {
        pass.rows.for_each(i, |column, x| scattered[column] = x);
        for (b, &(j, base, class)) in variables[..=a].iter().enumerate() {
            let same = |x: usize, y: usize| f64::from(u8::from(x == y));
            let factor = same(other, class) + same(first, base) - same(other, base) - same(first, class);
            if factor != 0.0 {
                let product = factor * pass.rows.dot(j, &scattered);
                (matrix[(a, b)], matrix[(b, a)]) = (product, product);
            }
        }
        matrix[(a, a)] += ridge;
        pass.rows.for_each(i, |column, _| scattered[column] = 0.0);
    }
    let Ok(factor) = Cholesky::new(&matrix) else { return gap };
    let mut f = vec![0.0; k];
    for _ in 0..CORRECTIONS {
        let before = pass.tau.clone();
        let mut change = Vec::with_capacity(n);
        for &(i, first, other) in &variables {
            pass.values(i, &pass.w, &mut f);
            f[pass.problem.class[i]] -= 1.0;
            change.push(f[first] - f[other]);
        }
        if factor.solve(&mut change).is_err() {
            return gap;
        }
        for (&(i, first, other), change) in variables.iter().zip(change) {
            pass.tau[i * k + other] += change;
            pass.tau[i * k + first] -= change;
        }
        // What has left its bounds is moved back.
        pass.tau = pass.feasible(&pass.tau);
        let (_, after, _) = pass.look();
        if after >= gap {
            pass.tau = before;
            break;
        }
        gap = after;
    }
    gap
}

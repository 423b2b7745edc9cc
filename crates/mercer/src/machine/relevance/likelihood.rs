//! What is known about the weights of some basis functions with given priors.

use super::search::Basis;
use crate::error::{Error, Result};
use crate::linalg::{Cholesky, Matrix};
use crate::resources::Workers;

/// Newton's method for the mode ends when the objective grows by less than this, or after so many steps.
const GAIN: f64 = 1e-10;
const MOST_STEPS: usize = 100;

/// What was seen of the items.
pub(super) enum Observed<'a> {
    /// Times √w, where items have weights.
    Numbers(&'a [f64]),
    /// Whether each is of the class, and the weights.
    Signs(&'a [bool], Option<&'a [f64]>),
}

/// The distribution of the weights, and what other basis functions would add to it.
pub(super) struct Posterior {
    /// The mean of the weights of a regression, their mode for classes.
    pub weights: Vec<f64>,
    /// A + ΦᵀBΦ = LLᵀ: the inverse of the covariance.
    pub factor: Cholesky,
    /// S and Q of every basis function.
    pub s: Vec<f64>,
    pub q: Vec<f64>,
    /// Σ (y − f)²; 0 for classes.
    pub residual: f64,
    pub likelihood: f64,
}

impl Observed<'_> {
    /// For the active functions with precisions `alpha`, and noise of variance 1/beta if numbers were seen. `products` has a row for
    /// each active function: its inner products with all functions.
    pub fn posterior(
        &self,
        basis: &Basis,
        active: &[usize],
        alpha: &[f64],
        beta: f64,
        products: &[Vec<f64>],
        workers: &Workers,
    ) -> Result<Posterior> {
        match self {
            Observed::Numbers(targets) => numbers(basis, targets, active, alpha, beta, products, workers),
            Observed::Signs(positive, counts) => signs(basis, (positive, *counts), active, alpha, workers),
        }
    }
}

fn numbers(
    basis: &Basis,
    targets: &[f64],
    active: &[usize],
    alpha: &[f64],
    beta: f64,
    products: &[Vec<f64>],
    workers: &Workers,
) -> Result<Posterior> {
    let (n, m) = (basis.total(), active.len());
    let inner =
        Matrix::from_fn(m, m, |i, j| beta * products[i][active[j]] + if i == j { alpha[i] } else { 0.0 });
    let (factor, _) = Cholesky::with_jitter(inner, workers)?;
    let mut weights: Vec<f64> = active.iter().map(|&a| beta * dot(basis.row(a), targets)).collect();
    factor.solve(&mut weights)?;
    let mut left = targets.to_vec();
    for (&a, w) in active.iter().zip(&weights) {
        left.iter_mut().zip(basis.row(a)).for_each(|(t, v)| *t -= w * v);
    }
    let mut forward = Matrix::from_fn(basis.count(), m, |c, i| products[i][c]);
    if m > 0 {
        factor.forward_rows(&mut forward, workers)?;
    }
    let mut s: Vec<f64> = (0..basis.count())
        .map(|c| {
            let known: f64 = forward.row(c).iter().map(|v| v * v).sum();
            beta * basis.square(c) - beta * beta * known
        })
        .collect();
    let mut q: Vec<f64> = basis.times(&left, workers)?.iter().map(|v| beta * v).collect();
    if m > 0 {
        // Those of active functions are αᵢ − αᵢ²Σᵢᵢ and αᵢwᵢ: nothing is lost there where there is hardly any noise.
        let variances = factor.inverse_diagonal(workers)?;
        for (i, &a) in active.iter().enumerate() {
            (s[a], q[a]) = (alpha[i] - alpha[i] * alpha[i] * variances[i], alpha[i] * weights[i]);
        }
    }
    let residual = dot(&left, &left);
    let size: f64 = weights.iter().zip(alpha).map(|(w, a)| a * w * w).sum();
    // ln det C = ln det(A + βΦᵀΦ) − ln det A − n ln β
    let determinant = factor.log_determinant() - alpha.iter().map(|a| a.ln()).sum::<f64>() - n * beta.ln();
    let likelihood = -0.5 * (beta * residual + size + determinant + n * std::f64::consts::TAU.ln());
    Ok(Posterior { weights, factor, s, q, residual, likelihood })
}

fn signs(
    basis: &Basis,
    (positive, counts): (&[bool], Option<&[f64]>),
    active: &[usize],
    alpha: &[f64],
    workers: &Workers,
) -> Result<Posterior> {
    let (n, m) = (positive.len(), active.len());
    let count = |i: usize| counts.map_or(1.0, |counts| counts[i]);
    let mut weights = vec![0.0; m];
    let values = |weights: &[f64]| {
        let mut f = vec![0.0; n];
        for (&a, w) in active.iter().zip(weights) {
            f.iter_mut().zip(basis.row(a)).for_each(|(f, v)| *f += w * v);
        }
        f
    };
    let objective = |weights: &[f64], f: &[f64]| {
        let margins = f.iter().zip(positive).map(|(f, p)| if *p { *f } else { -f });
        let size: f64 = weights.iter().zip(alpha).map(|(w, a)| a * w * w).sum();
        let fit = |(i, z): (usize, f64)| count(i) * (z.min(0.0) - (-z.abs()).exp().ln_1p());
        margins.enumerate().map(fit).sum::<f64>() - 0.5 * size
    };
    let mut f = values(&weights);
    let mut best = objective(&weights, &f);
    for step in 0.. {
        let State { slope, curvature } = State::at(&f, positive, counts);
        let factor = curved(basis, active, alpha, &curvature, workers)?;
        let mut change: Vec<f64> = active.iter().map(|&a| dot(basis.row(a), &slope)).collect();
        change.iter_mut().zip(weights.iter().zip(alpha)).for_each(|(c, (w, a))| *c -= a * w);
        factor.solve(&mut change)?;
        let mut share = 1.0;
        let mut gain = 0.0;
        while share > 1e-6 && m > 0 {
            let next: Vec<f64> = weights.iter().zip(&change).map(|(w, c)| w + share * c).collect();
            let at = values(&next);
            let found = objective(&next, &at);
            if found >= best {
                gain = found - best;
                (weights, f, best) = (next, at, found);
                break;
            }
            share *= 0.5;
        }
        if gain.is_nan() {
            return Err(Error::NoConvergence { what: "the mode of the weights" });
        }
        if gain < GAIN || step >= MOST_STEPS {
            break;
        }
    }
    let State { slope, curvature } = State::at(&f, positive, counts);
    let factor = curved(basis, active, alpha, &curvature, workers)?;
    // ΦᵀBφ of every function, one row each.
    let scaled = Matrix::from_fn(m, n, |i, r| curvature[r] * basis.row(active[i])[r]);
    let mut forward = basis.times_rows(&scaled, workers)?;
    if m > 0 {
        factor.forward_rows(&mut forward, workers)?;
    }
    let s = (0..basis.count())
        .map(|c| {
            let own: f64 = basis.row(c).iter().zip(&curvature).map(|(v, b)| b * v * v).sum();
            own - forward.row(c).iter().map(|v| v * v).sum::<f64>()
        })
        .collect();
    let q = basis.times(&slope, workers)?;
    let determinant = factor.log_determinant() - alpha.iter().map(|a| a.ln()).sum::<f64>();
    Ok(Posterior { weights, factor, s, q, residual: 0.0, likelihood: best - 0.5 * determinant })
}

/// w(y − σ(f)) and wσ(f)(1 − σ(f)).
struct State {
    slope: Vec<f64>,
    curvature: Vec<f64>,
}

impl State {
    fn at(f: &[f64], positive: &[bool], counts: Option<&[f64]>) -> Self {
        let count = |i: usize| counts.map_or(1.0, |counts| counts[i]);
        let p: Vec<f64> = f.iter().map(|f| 1.0 / (1.0 + (-f).exp())).collect();
        let slope = p.iter().zip(positive).enumerate();
        let slope = slope.map(|(i, (p, t))| count(i) * (f64::from(u8::from(*t)) - p)).collect();
        State { slope, curvature: p.iter().enumerate().map(|(i, p)| count(i) * p * (1.0 - p)).collect() }
    }
}

/// A + ΦᵀBΦ = LLᵀ
fn curved(
    basis: &Basis,
    active: &[usize],
    alpha: &[f64],
    curvature: &[f64],
    workers: &Workers,
) -> Result<Cholesky> {
    let m = active.len();
    let inner = Matrix::from_fn(m, m, |i, j| {
        let (a, b) = (basis.row(active[i]), basis.row(active[j]));
        let sum: f64 = a.iter().zip(b).zip(curvature).map(|((a, b), c)| a * b * c).sum();
        sum + if i == j { alpha[i] } else { 0.0 }
    });
    Ok(Cholesky::with_jitter(inner, workers)?.0)
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

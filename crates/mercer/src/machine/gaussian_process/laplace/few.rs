//! The mode of f = Gᵀw, for a classifier that is made of a few items.
//!
//! w ~ N(0, I) has as many numbers as there are pivots; the curvature at its mode ŵ is M = I + GWGᵀ. At a new item f has mean zᵀŵ and
//! variance k(x, x) − ‖z‖² + zᵀM⁻¹z with z = L⁻¹k_P(x). With all items as pivots it is the exact mode.

use super::super::low_rank::{LowRank, LowRankReport, Pivots};
use crate::error::{Error, Result};
use crate::linalg::{Cholesky, Matrix};
use crate::resources::Workers;

/// Newton's method ends when the objective grows by less than this, or after so many steps.
const GAIN: f64 = 1e-10;
const MOST_STEPS: usize = 100;

/// The normal distribution that takes the place of that of w given the labels.
#[derive(Clone, Debug)]
pub(super) struct FewMode {
    /// β = L⁻ᵀŵ: the coefficients of the mean of f.
    pub slope: Vec<f64>,
    pub known: LowRank,
    pub likelihood: f64,
    pub report: LowRankReport,
}

impl FewMode {
    /// By Newton's method, with a step that is halved where it would not climb. O(n · rank²) per step.
    pub fn new(
        pivots: &Pivots,
        positive: &[bool],
        counts: Option<&[f64]>,
        workers: &Workers,
    ) -> Result<Self> {
        let (n, rank) = (positive.len(), pivots.positions.len());
        let g = &pivots.factor;
        let count = |i: usize| counts.map_or(1.0, |counts| counts[i]);
        let values = |w: &[f64]| -> Result<Vec<f64>> {
            Ok(Matrix::new(w.to_vec(), 1, rank)?.times(g, workers)?.into_values())
        };
        let objective = |w: &[f64], f: &[f64]| {
            let margins = f.iter().zip(positive).map(|(f, positive)| if *positive { *f } else { -f });
            // ln σ(m) = −ln(1 + e⁻ᵐ), without overflow.
            let of = |(i, m): (usize, f64)| count(i) * (m.min(0.0) - (-m.abs()).exp().ln_1p());
            let fit: f64 = margins.enumerate().map(of).sum();
            fit - 0.5 * w.iter().map(|w| w * w).sum::<f64>()
        };
        let curved = |f: &[f64]| -> Result<(Vec<f64>, Vec<f64>, Cholesky)> {
            let p: Vec<f64> = f.iter().map(|f| 1.0 / (1.0 + (-f).exp())).collect();
            let slope = (0..n).map(|i| count(i) * (f64::from(u8::from(positive[i])) - p[i])).collect();
            let weights: Vec<f64> = p.iter().enumerate().map(|(i, p)| count(i) * p * (1.0 - p)).collect();
            let gain = pivots.gain(&weights, workers)?;
            Ok((slope, weights, gain))
        };
        let (mut w, mut f) = (vec![0.0; rank], vec![0.0; n]);
        let mut best = objective(&w, &f);
        for _ in 0..MOST_STEPS {
            workers.check()?;
            let (slope, weights, gain) = curved(&f)?;
            let right: Vec<f64> = (0..n).map(|i| weights[i] * f[i] + slope[i]).collect();
            let mut full = g.times(&Matrix::new(right, n, 1)?, workers)?.into_values();
            gain.solve(&mut full)?;
            let mut share = 1.0;
            let (next, at, reached) = loop {
                let next: Vec<f64> = w.iter().zip(&full).map(|(w, b)| w + share * (b - w)).collect();
                let at = values(&next)?;
                let reached = objective(&next, &at);
                if reached >= best || share < 1e-6 {
                    break (next, at, reached);
                }
                share *= 0.5;
            };
            let gained = reached - best;
            if gained.is_nan() {
                return Err(Error::NoConvergence { what: "the mode of the Gaussian process" });
            }
            if gained > 0.0 {
                (w, f, best) = (next, at, reached);
            }
            if gained < GAIN {
                break;
            }
        }
        let (_, _, gain) = curved(&f)?;
        let root = pivots.root()?;
        let likelihood = best - 0.5 * gain.log_determinant();
        let mut slope = Matrix::new(w, 1, rank)?;
        root.backward_rows(&mut slope, workers)?;
        let known = LowRank { root, gain };
        Ok(FewMode { slope: slope.into_values(), known, likelihood, report: pivots.report })
    }
}

//! Gaussian processes beyond the memory: K as the inner products of a few items.
//!
//! ```text
//! K ≈ GᵀG + Λ',   G = L⁻¹K_P·,   LLᵀ = K_PP,   Λ' = diag(K − GᵀG),   Λ = Λ' + σ²I
//! M = I + GΛ⁻¹Gᵀ
//! mean at x:      k_P(x)ᵀβ,   β = L⁻ᵀM⁻¹GΛ⁻¹y
//! variance at x:  k(x, x) − ‖z‖² + zᵀM⁻¹z,   z = L⁻¹k_P(x)
//! log p(y):       −½ (yᵀΛ⁻¹y − ‖chol(M)⁻¹GΛ⁻¹y‖² + ln det M + Σ ln Λᵢ + n ln 2π)
//! ```
//!
//! The items P are the pivots of a pivoted Cholesky factorisation. What they leave out of the diagonal counts as noise of each item, as
//! does `white`. With all items as pivots it is the exact process. (E. Snelson, Z. Ghahramani: Sparse Gaussian processes using
//! pseudo-inputs, NIPS 2005; J. Quiñonero-Candela, C. E. Rasmussen: A unifying view of sparse approximate Gaussian process regression,
//! JMLR 6 (2005), "FITC".)

use serde::{Deserialize, Serialize};

use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, Plan};
use crate::linalg::{Cholesky, Matrix, PivotedCholesky};
use crate::machine::whole::{MatrixOptions, bytes};
use crate::resources::Workers;

/// The share of the trace that pivots may leave out, if there are so few of them.
const NOTHING: f64 = 1e-12;
/// Noise below this share of the mean of the diagonal is taken for it: an exact factorisation needs as much of a jitter.
const LEAST: f64 = 1e-10;
/// Entries of diagonal blocks of K that are computed together.
const TILE: usize = 64;
/// Numbers that a pivot needs for each item, at most: G, G scaled, the rows of the factorisation, and matrices of pivots.
const NUMBERS: u64 = 7;

/// A model that is written to a file is there, as arrays and as bytes.
const COPIES: u64 = 3;

/// What was left out of K.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LowRankReport {
    /// Number of pivots.
    pub rank: usize,
    /// tr(K − GᵀG)/tr K, without the noise of a `white`: 0 if nothing is left out.
    pub left_out: f64,
}

/// L and the factor of M.
#[derive(Clone, Debug)]
pub(super) struct LowRank {
    pub root: Cholesky,
    pub gain: Cholesky,
}

impl LowRank {
    /// z = L⁻¹k and chol(M)⁻¹z of each row k.
    pub fn forward(&self, mut rows: Matrix, workers: &Workers) -> Result<(Matrix, Matrix)> {
        self.root.forward_rows(&mut rows, workers)?;
        let mut left = rows.clone();
        self.gain.forward_rows(&mut left, workers)?;
        Ok((rows, left))
    }
}

/// How many pivots there are to be, of n items: none for the exact machine, which needs so many matrices, and keeps one for each of
/// several classes beyond the first.
pub(super) fn chosen(
    options: &MatrixOptions,
    rank: Option<usize>,
    matrices: u64,
    n: usize,
    parts: usize,
) -> Result<Option<usize>> {
    let small = rank.is_some_and(|rank| rank < n);
    let others = parts.saturating_sub(1) as u64;
    if !small && bytes(matrices.saturating_add(others), n) <= options.memory {
        return Ok(None);
    }
    let of_items = NUMBERS * 8 * n.max(1) as u64;
    let bytes_of = |rank: usize| {
        let rank = rank as u64;
        // Of a part two matrices of r² numbers are kept.
        let kept = |parts: u64| parts.saturating_mul(2 * 8).saturating_mul(rank).saturating_mul(rank);
        let training = rank.saturating_mul(of_items).saturating_add(kept(others));
        training.max(COPIES.saturating_mul(kept(parts as u64)))
    };
    let (mut most, mut beyond) = (0, n + 1);
    while beyond - most > 1 {
        let rank = most.midpoint(beyond);
        if bytes_of(rank) <= options.memory { most = rank } else { beyond = rank }
    }
    let wanted = rank.unwrap_or(most).min(n);
    if most == 0 || most < wanted {
        let (what, instead) = ("a Gaussian process", "allow more memory, or a smaller rank");
        let needed = bytes_of(wanted.max(1));
        return Err(Error::Budget { what, needed, allowed: options.memory, instead });
    }
    Ok(Some(wanted))
}

/// The pivots and G of some items, and what they leave out of the diagonal.
pub(super) struct Pivots {
    pub positions: Vec<usize>,
    pub factor: Matrix,
    /// k(x, x) − ‖g‖² of every item, with the noise of a `white`.
    pub left: Vec<f64>,
    pub report: LowRankReport,
    /// The mean of the diagonal.
    pub mean: f64,
}

impl Pivots {
    /// At most `rank` of them, none of weight 0, for a kernel that is resolved. O(n · rank²) time.
    pub fn new<K, I>(
        kernel: &K,
        (items, weights): (&I, Option<&[f64]>),
        layout: &K::Layout,
        rank: usize,
        plan: &Plan,
    ) -> Result<Self>
    where
        K: BulkKernel<I>,
        I: Items,
    {
        let n = items.len();
        let mut diagonal = without_white(kernel, items, layout, plan)?;
        for (own, weight) in diagonal.iter_mut().zip(weights.unwrap_or_default()) {
            *own = if *weight > 0.0 { *own } else { 0.0 };
        }
        let gram = kernel.symmetric(items, layout, plan)?;
        // The entry of a pivot with itself, in which a `white` would be, is not looked at.
        let found = PivotedCholesky::new(&diagonal, rank, NOTHING, |j, column| {
            plan.workers.check()?;
            gram.accumulate(&[j], &[1.0], Columns::Range(0..n), column)
        })?;
        let positions = found.pivots().to_vec();
        if positions.is_empty() {
            return Err(Error::Undefined {
                what: "a Gaussian process of low rank".into(),
                why: "the kernel is 0 on all items".into(),
            });
        }
        let mut left = gram.diagonal().to_vec();
        for row in found.factor().values().chunks(n) {
            left.iter_mut().zip(row).for_each(|(left, g)| *left -= g * g);
        }
        left.iter_mut().for_each(|left| *left = left.max(0.0));
        let trace: f64 = diagonal.iter().sum();
        let report = LowRankReport { rank: positions.len(), left_out: found.left() / trace };
        let mean = trace / weights.map_or(n, |weights| weights.iter().filter(|w| **w > 0.0).count()) as f64;
        Ok(Pivots { positions, factor: found.factor().clone(), left, report, mean })
    }

    /// L.
    pub fn root(&self) -> Result<Cholesky> {
        let rank = self.positions.len();
        Cholesky::of_upper(Matrix::from_fn(rank, rank, |i, j| {
            if j < i { 0.0 } else { self.factor[(i, self.positions[j])] }
        }))
    }

    /// chol(I + G diag(weights) Gᵀ).
    pub fn gain(&self, weights: &[f64], workers: &Workers) -> Result<Cholesky> {
        let mut scaled = self.factor.clone();
        for row in scaled.values_mut().chunks_mut(weights.len()) {
            row.iter_mut().zip(weights).for_each(|(g, w)| *g *= w.sqrt());
        }
        let mut gain = scaled.times_transposed(&scaled, workers)?;
        (0..gain.rows()).for_each(|i| gain[(i, i)] += 1.0);
        Cholesky::in_place(gain, workers)
    }
}

/// A regression with these pivots.
pub(super) struct Regression {
    pub known: LowRank,
    /// β: one row per output.
    pub coefficients: Matrix,
    pub likelihood: f64,
    /// What was added to noise that is too small.
    pub jitter: f64,
}

impl Regression {
    /// `targets` has one row per output; weights are above 0. O(n · rank²) time.
    pub fn new(
        pivots: &Pivots,
        (targets, counts): (&Matrix, Option<&[f64]>),
        noise: f64,
        workers: &Workers,
    ) -> Result<Self> {
        let (m, n) = (targets.rows(), targets.columns());
        let least = LEAST * pivots.mean;
        let variance = |left: &f64| (left + noise).max(least);
        let jitter = if pivots.left.iter().any(|left| left + noise < least) { least - noise } else { 0.0 };
        let count = |i: usize| counts.map_or(1.0, |counts| counts[i]);
        let total = counts.map_or(n as f64, |counts| counts.iter().sum());
        // What is left out is noise of its own for each copy of an item.
        let weights: Vec<f64> =
            pivots.left.iter().enumerate().map(|(i, left)| count(i) / variance(left)).collect();
        let known = LowRank { root: pivots.root()?, gain: pivots.gain(&weights, workers)? };
        let scaled = Matrix::from_fn(m, n, |o, i| targets[(o, i)] * weights[i]);
        let mut along = scaled.times_transposed(&pivots.factor, workers)?;
        known.gain.forward_rows(&mut along, workers)?;
        let explained: f64 = along.values().iter().map(|v| v * v).sum();
        let size: f64 = targets.values().iter().zip(scaled.values()).map(|(y, s)| y * s).sum();
        let noises: f64 =
            pivots.left.iter().enumerate().map(|(i, left)| count(i) * variance(left).ln()).sum();
        let constant = known.gain.log_determinant() + noises + total * std::f64::consts::TAU.ln();
        let likelihood = -0.5 * (size - explained + m as f64 * constant);
        known.gain.backward_rows(&mut along, workers)?;
        known.root.backward_rows(&mut along, workers)?;
        Ok(Regression { known, coefficients: along, likelihood, jitter })
    }
}

/// k(x, x) of items that are compared with a copy of themselves: without the noise of a `white`.
pub(super) fn without_white<K, I>(kernel: &K, items: &I, layout: &K::Layout, plan: &Plan) -> Result<Vec<f64>>
where
    K: BulkKernel<I>,
    I: Items,
{
    let n = items.len();
    let all: Vec<usize> = (0..n).collect();
    let copy = items.select(&all);
    let gram = kernel.cross(&copy, items, layout, plan)?;
    let (mut diagonal, mut block) = (Vec::with_capacity(n), vec![0.0; TILE * TILE]);
    for first in (0..n).step_by(TILE) {
        let last = n.min(first + TILE);
        let values = Block::F64 { values: &mut block, stride: TILE };
        gram.fill(&all[first..last], Columns::Range(first..last), values)?;
        diagonal.extend((0..last - first).map(|at| block[at * TILE + at].max(0.0)));
    }
    Ok(diagonal)
}

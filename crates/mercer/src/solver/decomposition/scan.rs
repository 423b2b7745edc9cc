//! The passes over a working set that take the time of the inner method, written so that the compiler can
//! use vector instructions: fixed-width lanes, no branches, reductions in a fixed order. The lengths of all arrays
//! are multiples of [`LANES`].

use crate::gram::simd::{Plain, widest};

/// Numbers a Gram block is kept in.
pub(in crate::solver) trait Value: Copy + Default + Send + Sync {
    /// Distance from 1 to the next number.
    const EPSILON: f64;

    fn to_f64(self) -> f64;
}

impl Value for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Value for f64 {
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

/// Lanes of the reductions: their order, and so the result, does not depend on the instruction set.
pub(super) const LANES: usize = 8;

/// Who should grow, and by how much the conditions are violated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extremes {
    /// The smallest up-score; ∞ if nothing can grow.
    pub lowest_up: f64,
    /// Where it is; ties go to the first.
    pub at: usize,
    /// The largest low-score; −∞ if nothing can fall.
    pub highest_low: f64,
}

/// Lane by lane the smallest up-score so far with its place, and the largest low-score.
struct Lanes {
    lowest: [f64; LANES],
    at: [u64; LANES],
    highest: [f64; LANES],
}

impl Lanes {
    #[inline(always)]
    fn new() -> Self {
        Lanes { lowest: [f64::INFINITY; LANES], at: [0; LANES], highest: [f64::NEG_INFINITY; LANES] }
    }

    #[inline(always)]
    fn see(&mut self, l: usize, base: u64, up: f64, low: f64) {
        let lower = up < self.lowest[l];
        self.lowest[l] = if lower { up } else { self.lowest[l] };
        self.at[l] = if lower { base } else { self.at[l] };
        self.highest[l] = if low > self.highest[l] { low } else { self.highest[l] };
    }

    #[inline(always)]
    fn join(self) -> Extremes {
        let mut all = Extremes { lowest_up: f64::INFINITY, at: 0, highest_low: f64::NEG_INFINITY };
        for l in 0..LANES {
            let (up, at) = (self.lowest[l], self.at[l] as usize + l);
            if up < all.lowest_up || (up == all.lowest_up && at < all.at) {
                (all.lowest_up, all.at) = (up, at);
            }
            all.highest_low = all.highest_low.max(self.highest[l]);
        }
        all
    }
}

/// The extremes of gradient + shift.
pub(super) fn extremes(gradient: &[f64], up_shift: &[f64], low_shift: &[f64]) -> Extremes {
    let (mut lanes, n) = (Lanes::new(), gradient.len());
    let (up_shift, low_shift) = (&up_shift[..n], &low_shift[..n]);
    for base in (0..n - n % LANES).step_by(LANES) {
        for l in 0..LANES {
            let g = gradient[base + l];
            lanes.see(l, base as u64, g + up_shift[base + l], g + low_shift[base + l]);
        }
    }
    lanes.join()
}

/// The search for the second member of a pair.
pub(super) struct Partner<'a, T> {
    pub row: &'a [T],
    pub gradient: &'a [f64],
    pub low_shift: &'a [f64],
    pub curvature: &'a [f64],
    pub image: &'a [f64],
    pub own_curvature: f64,
    pub own_image: f64,
    pub inverse_delta: f64,
    pub up: f64,
    pub least_curvature: f64,
}

impl<T: Value> Partner<'_, T> {
    /// The gain (lowⱼ − upᵢ)²/curvature, negative where there is none.
    #[inline(always)]
    fn gain(&self, gradient: f64, shift: f64, curvature: f64, image: f64, value: T) -> f64 {
        let violation = gradient + shift - self.up;
        let overlap = self.own_image - image;
        let plain = self.own_curvature + curvature - 2.0 * value.to_f64();
        let curvature = plain - overlap * overlap * self.inverse_delta;
        let curvature = if curvature > self.least_curvature { curvature } else { self.least_curvature };
        let gain = violation * violation / curvature;
        if violation > 0.0 { gain } else { -1.0 }
    }

    /// The best partner of all; ties go to the first.
    pub fn best(self) -> Option<(usize, f64)> {
        widest(self)
    }

    /// The best partner among some.
    pub fn best_among(&self, among: impl Fn(usize) -> bool) -> Option<(usize, f64)> {
        let mut most: Option<(usize, f64)> = None;
        for k in (0..self.gradient.len()).filter(|&k| among(k)) {
            let gain =
                self.gain(self.gradient[k], self.low_shift[k], self.curvature[k], self.image[k], self.row[k]);
            if gain > 0.0 && most.is_none_or(|(_, g)| gain > g) {
                most = Some((k, gain));
            }
        }
        most
    }
}

impl<T: Value> Plain for Partner<'_, T> {
    type Output = Option<(usize, f64)>;

    #[inline(always)]
    fn run(self) -> Option<(usize, f64)> {
        let mut best = [-1.0f64; LANES];
        let mut at = [0u64; LANES];
        let n = self.gradient.len() / LANES;
        let (gradient, shift) = (self.gradient.as_chunks::<LANES>().0, self.low_shift.as_chunks::<LANES>().0);
        let (curvature, image) = (self.curvature.as_chunks::<LANES>().0, self.image.as_chunks::<LANES>().0);
        let row = self.row.as_chunks::<LANES>().0;
        let (shift, curvature, image, row) = (&shift[..n], &curvature[..n], &image[..n], &row[..n]);
        for c in 0..n {
            for l in 0..LANES {
                let gain = self.gain(gradient[c][l], shift[c][l], curvature[c][l], image[c][l], row[c][l]);
                let better = gain > best[l];
                best[l] = if better { gain } else { best[l] };
                at[l] = if better { c as u64 } else { at[l] };
            }
        }
        let mut most: Option<(usize, f64)> = None;
        for l in 0..LANES {
            let k = at[l] as usize * LANES + l;
            let wins =
                best[l] > 0.0 && most.is_none_or(|(m, gain)| best[l] > gain || (best[l] == gain && k < m));
            if wins {
                most = Some((k, best[l]));
            }
        }
        most
    }
}

/// r ← Kᵢ − Kⱼ + γr, g ← g + λr, and the new extremes, in one sweep.
pub(super) struct Pass<'a, T> {
    pub row_i: &'a [T],
    pub row_j: &'a [T],
    pub gamma: f64,
    pub length: f64,
    pub image: &'a mut [f64],
    pub gradient: &'a mut [f64],
    pub up_shift: &'a [f64],
    pub low_shift: &'a [f64],
}

impl<T: Value> Plain for Pass<'_, T> {
    type Output = Extremes;

    #[inline(always)]
    fn run(self) -> Extremes {
        let mut lanes = Lanes::new();
        let n = self.gradient.len() / LANES;
        let (row_i, row_j) =
            (&self.row_i.as_chunks::<LANES>().0[..n], &self.row_j.as_chunks::<LANES>().0[..n]);
        let image = &mut self.image.as_chunks_mut::<LANES>().0[..n];
        let gradient = &mut self.gradient.as_chunks_mut::<LANES>().0[..n];
        let up_shift = &self.up_shift.as_chunks::<LANES>().0[..n];
        let low_shift = &self.low_shift.as_chunks::<LANES>().0[..n];
        for c in 0..n {
            for l in 0..LANES {
                let r = (row_i[c][l].to_f64() - row_j[c][l].to_f64()) + self.gamma * image[c][l];
                let g = gradient[c][l] + self.length * r;
                image[c][l] = r;
                gradient[c][l] = g;
                lanes.see(l, (c * LANES) as u64, g + up_shift[c][l], g + low_shift[c][l]);
            }
        }
        lanes.join()
    }
}

//! The passes over a working set that take the time of the inner method, written so that the compiler can
//! use vector instructions: fixed-width lanes, no branches, reductions in a fixed order. The lengths of all arrays
//! are multiples of [`LANES`].

use std::ops::{Add, Div, Mul, Sub};

use crate::gram::simd::{Plain, widest};

/// Numbers a Gram block is kept in.
pub(in crate::solver) trait Value: Copy + Default + Send + Sync {
    /// Distance from 1 to the next number.
    const EPSILON: f64;

    fn to_f64(self) -> f64;
    fn to_f32(self) -> f32;
}

impl Value for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self
    }
}

impl Value for f64 {
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self as f32
    }
}

/// Numbers that gradients are kept in while a working set is solved: they begin anew, in double precision, with every set.
pub(super) trait Work:
    Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Places of the same width, so that they go through the same lanes.
    type Place: Copy + Default;
    const INFINITY: Self;
    const NEG_INFINITY: Self;

    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn from_value<T: Value>(value: T) -> Self;
    fn place(at: usize) -> Self::Place;
    fn at(place: Self::Place) -> usize;

    // An `if` whose result goes where one of its values came from is compiled to a masked store, which takes longer than all
    // the rest on some processors. So these are without.

    /// The smaller one.
    fn least(self, other: Self) -> Self;

    /// The larger one.
    fn most(self, other: Self) -> Self;

    /// `a` if that is said to be it, else `b`.
    fn either(first: bool, a: Self::Place, b: Self::Place) -> Self::Place;
}

impl Work for f64 {
    type Place = u64;
    const INFINITY: f64 = f64::INFINITY;
    const NEG_INFINITY: f64 = f64::NEG_INFINITY;

    #[inline(always)]
    fn from_f64(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn from_value<T: Value>(value: T) -> f64 {
        value.to_f64()
    }

    #[inline(always)]
    fn place(at: usize) -> u64 {
        at as u64
    }

    #[inline(always)]
    fn at(place: u64) -> usize {
        place as usize
    }

    #[inline(always)]
    fn least(self, other: f64) -> f64 {
        self.min(other)
    }

    #[inline(always)]
    fn most(self, other: f64) -> f64 {
        self.max(other)
    }

    #[inline(always)]
    fn either(first: bool, a: u64, b: u64) -> u64 {
        b ^ ((a ^ b) & 0u64.wrapping_sub(u64::from(first)))
    }
}

impl Work for f32 {
    type Place = u32;
    const INFINITY: f32 = f32::INFINITY;
    const NEG_INFINITY: f32 = f32::NEG_INFINITY;

    #[inline(always)]
    fn from_f64(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn from_value<T: Value>(value: T) -> f32 {
        value.to_f32()
    }

    #[inline(always)]
    fn place(at: usize) -> u32 {
        at as u32
    }

    #[inline(always)]
    fn at(place: u32) -> usize {
        place as usize
    }

    #[inline(always)]
    fn least(self, other: f32) -> f32 {
        self.min(other)
    }

    #[inline(always)]
    fn most(self, other: f32) -> f32 {
        self.max(other)
    }

    #[inline(always)]
    fn either(first: bool, a: u32, b: u32) -> u32 {
        b ^ ((a ^ b) & 0u32.wrapping_sub(u32::from(first)))
    }
}

/// Lanes of the reductions: their order, and so the result, does not depend on the instruction set.
pub(super) const LANES: usize = 16;

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

/// Lane by lane the smallest up-score and the largest low-score so far.
struct Lanes<R> {
    lowest: [R; LANES],
    highest: [R; LANES],
}

impl<R: Work> Lanes<R> {
    #[inline(always)]
    fn new() -> Self {
        Lanes { lowest: [R::INFINITY; LANES], highest: [R::NEG_INFINITY; LANES] }
    }

    #[inline(always)]
    fn see(&mut self, l: usize, up: R, low: R) {
        self.lowest[l] = up.least(self.lowest[l]);
        self.highest[l] = low.most(self.highest[l]);
    }

    /// The extremes of all lanes. Where the smallest one is is looked up only now: to remember it lane by lane takes longer.
    #[inline(always)]
    fn join(self, gradient: &[R], up_shift: &[R]) -> Extremes {
        let lowest = self.lowest.into_iter().fold(R::INFINITY, R::least);
        let highest = self.highest.into_iter().fold(R::NEG_INFINITY, R::most);
        let (gradient, up_shift) = (gradient.as_chunks::<LANES>().0, up_shift.as_chunks::<LANES>().0);
        let mut at = 0;
        for (c, (gradient, shift)) in gradient.iter().zip(up_shift).enumerate() {
            let mut is_here = false;
            for l in 0..LANES {
                is_here |= gradient[l] + shift[l] == lowest;
            }
            if is_here {
                let lane = (0..LANES).find(|&l| gradient[l] + shift[l] == lowest).unwrap_or(0);
                at = c * LANES + lane;
                break;
            }
        }
        Extremes { lowest_up: lowest.to_f64(), at, highest_low: highest.to_f64() }
    }
}

/// The extremes of gradient + shift.
pub(super) fn extremes<R: Work>(gradient: &[R], up_shift: &[R], low_shift: &[R]) -> Extremes {
    let (mut lanes, n) = (Lanes::new(), gradient.len());
    let (up_shift, low_shift) = (&up_shift[..n], &low_shift[..n]);
    for base in (0..n - n % LANES).step_by(LANES) {
        for l in 0..LANES {
            let g = gradient[base + l];
            lanes.see(l, g + up_shift[base + l], g + low_shift[base + l]);
        }
    }
    lanes.join(gradient, up_shift)
}

/// The search for the second member of a pair.
pub(super) struct Partner<'a, T, R> {
    pub row: &'a [T],
    pub gradient: &'a [R],
    pub low_shift: &'a [R],
    pub curvature: &'a [R],
    pub image: &'a [R],
    pub own_curvature: R,
    pub own_image: R,
    pub inverse_delta: R,
    pub up: R,
    pub least_curvature: R,
}

impl<T: Value, R: Work> Partner<'_, T, R> {
    /// The gain (lowⱼ − upᵢ)²/curvature, negative where there is none.
    #[inline(always)]
    fn gain(&self, gradient: R, shift: R, curvature: R, image: R, value: T) -> R {
        let (none, two) = (R::from_f64(-1.0), R::from_f64(2.0));
        let violation = gradient + shift - self.up;
        let overlap = self.own_image - image;
        let plain = self.own_curvature + curvature - two * R::from_value(value);
        let curvature = plain - overlap * overlap * self.inverse_delta;
        let curvature = if curvature > self.least_curvature { curvature } else { self.least_curvature };
        let gain = violation * violation / curvature;
        if violation > R::from_f64(0.0) { gain } else { none }
    }

    /// The best partner of all; ties go to the first.
    pub fn best(self) -> Option<(usize, f64)> {
        widest(self)
    }

    /// The best partner among some.
    pub fn best_among(&self, among: impl Fn(usize) -> bool) -> Option<(usize, f64)> {
        let mut most: Option<(usize, f64)> = None;
        for k in (0..self.gradient.len()).filter(|&k| among(k)) {
            let gain = self
                .gain(self.gradient[k], self.low_shift[k], self.curvature[k], self.image[k], self.row[k])
                .to_f64();
            if gain > 0.0 && most.is_none_or(|(_, g)| gain > g) {
                most = Some((k, gain));
            }
        }
        most
    }
}

impl<T: Value, R: Work> Plain for Partner<'_, T, R> {
    type Output = Option<(usize, f64)>;

    #[inline(always)]
    fn run(self) -> Option<(usize, f64)> {
        let mut best = [R::from_f64(-1.0); LANES];
        let mut at = [R::Place::default(); LANES];
        let n = self.gradient.len() / LANES;
        let (gradient, shift) = (self.gradient.as_chunks::<LANES>().0, self.low_shift.as_chunks::<LANES>().0);
        let (curvature, image) = (self.curvature.as_chunks::<LANES>().0, self.image.as_chunks::<LANES>().0);
        let row = self.row.as_chunks::<LANES>().0;
        let (shift, curvature, image, row) = (&shift[..n], &curvature[..n], &image[..n], &row[..n]);
        for c in 0..n {
            let place = R::place(c);
            for l in 0..LANES {
                let gain = self.gain(gradient[c][l], shift[c][l], curvature[c][l], image[c][l], row[c][l]);
                let better = gain > best[l];
                best[l] = gain.most(best[l]);
                at[l] = R::either(better, place, at[l]);
            }
        }
        let mut most: Option<(usize, f64)> = None;
        for l in 0..LANES {
            let (k, best) = (R::at(at[l]) * LANES + l, best[l].to_f64());
            let wins = best > 0.0 && most.is_none_or(|(m, gain)| best > gain || (best == gain && k < m));
            if wins {
                most = Some((k, best));
            }
        }
        most
    }
}

/// r ← Kᵢ − Kⱼ + γr, g ← g + λr, and the new extremes, in one sweep.
pub(super) struct Pass<'a, T, R> {
    pub row_i: &'a [T],
    pub row_j: &'a [T],
    pub gamma: R,
    pub length: R,
    pub image: &'a mut [R],
    pub gradient: &'a mut [R],
    pub up_shift: &'a [R],
    pub low_shift: &'a [R],
}

impl<T: Value, R: Work> Plain for Pass<'_, T, R> {
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
                let r = (R::from_value(row_i[c][l]) - R::from_value(row_j[c][l])) + self.gamma * image[c][l];
                let g = gradient[c][l] + self.length * r;
                image[c][l] = r;
                gradient[c][l] = g;
                lanes.see(l, g + up_shift[c][l], g + low_shift[c][l]);
            }
        }
        lanes.join(self.gradient, self.up_shift)
    }
}

//! The passes over a working set that take the time of the inner method, written so that the compiler can
//! use vector instructions: fixed-width lanes, no branches, reductions in a fixed order.

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

    // One instruction each, where the methods of numbers ask for NaN too. Their result must not go where one of the values came from,
    // or the compiler makes a masked store of it, which takes longer than all the rest on some processors.

    /// The smaller one of two numbers.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The larger one of two numbers.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// `a` if that is said to be it, else `b`; without an `if`, and so without a masked store.
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
    fn either(first: bool, a: u32, b: u32) -> u32 {
        b ^ ((a ^ b) & 0u32.wrapping_sub(u32::from(first)))
    }
}

/// Lanes of the reductions: their order, and so the result, does not depend on the instruction set.
pub(super) const LANES: usize = 16;

/// What is known about [`LANES`] slots of a working set, each number at the place of its slot. All of it stands together, so that a pass
/// goes through one stretch of memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Slots<R> {
    pub gradient: [R; LANES],
    /// r = Qp
    pub image: [R; LANES],
    pub curvature: [R; LANES],
    /// What is added to the gradient to make the two scores: ±ε, or ±∞ where a move is barred.
    pub up_shift: [R; LANES],
    pub low_shift: [R; LANES],
}

impl<R: Work> Slots<R> {
    /// Slots that cannot move.
    pub fn idle() -> Self {
        let zero = [R::from_f64(0.0); LANES];
        let (up_shift, low_shift) = ([R::INFINITY; LANES], [R::NEG_INFINITY; LANES]);
        Slots { gradient: zero, image: zero, curvature: zero, up_shift, low_shift }
    }

    #[inline(always)]
    pub fn up(&self, l: usize) -> R {
        self.gradient[l] + self.up_shift[l]
    }

    #[inline(always)]
    pub fn low(&self, l: usize) -> R {
        self.gradient[l] + self.low_shift[l]
    }
}

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

    /// With the two scores of so many slots more.
    #[inline(always)]
    fn and(&self, mut scores: impl FnMut(usize) -> (R, R)) -> Self {
        let mut next = Lanes::new();
        for l in 0..LANES {
            let (up, low) = scores(l);
            next.lowest[l] = up.least(self.lowest[l]);
            next.highest[l] = low.most(self.highest[l]);
        }
        next
    }

    /// The extremes of all lanes. Where the smallest one is is looked up only now: to remember it lane by lane takes longer.
    #[inline(always)]
    fn join(self, slots: &[Slots<R>]) -> Extremes {
        let lowest = self.lowest.into_iter().fold(R::INFINITY, R::least);
        let highest = self.highest.into_iter().fold(R::NEG_INFINITY, R::most);
        let mut at = 0;
        for (c, slots) in slots.iter().enumerate() {
            let mut is_here = false;
            for l in 0..LANES {
                is_here |= slots.up(l) == lowest;
            }
            if is_here {
                at = c * LANES + (0..LANES).find(|&l| slots.up(l) == lowest).unwrap_or(0);
                break;
            }
        }
        Extremes { lowest_up: lowest.to_f64(), at, highest_low: highest.to_f64() }
    }
}

/// The extremes of gradient + shift.
pub(super) fn extremes<R: Work>(slots: &[Slots<R>]) -> Extremes {
    let mut lanes = Lanes::new();
    for slots in slots {
        lanes = lanes.and(|l| (slots.up(l), slots.low(l)));
    }
    lanes.join(slots)
}

/// The search for the second member of a pair.
pub(super) struct Partner<'a, T, R> {
    pub row: &'a [T],
    pub slots: &'a [Slots<R>],
    pub own_curvature: R,
    pub own_image: R,
    pub inverse_delta: R,
    pub up: R,
    pub least_curvature: R,
}

impl<T: Value, R: Work> Partner<'_, T, R> {
    /// The gain (lowⱼ − upᵢ)²/curvature, negative where there is none.
    #[inline(always)]
    fn gain(&self, slots: &Slots<R>, l: usize, value: T) -> R {
        let (none, two) = (R::from_f64(-1.0), R::from_f64(2.0));
        let violation = slots.low(l) - self.up;
        let overlap = self.own_image - slots.image[l];
        let plain = self.own_curvature + slots.curvature[l] - two * R::from_value(value);
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
        for k in (0..self.slots.len() * LANES).filter(|&k| among(k)) {
            let gain = self.gain(&self.slots[k / LANES], k % LANES, self.row[k]).to_f64();
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
        for (c, (slots, row)) in self.slots.iter().zip(self.row.as_chunks::<LANES>().0).enumerate() {
            let place = R::place(c);
            let mut next = best;
            for l in 0..LANES {
                let gain = self.gain(slots, l, row[l]);
                next[l] = gain.most(best[l]);
                at[l] = R::either(gain > best[l], place, at[l]);
            }
            best = next;
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
    pub slots: &'a mut [Slots<R>],
}

impl<T: Value, R: Work> Plain for Pass<'_, T, R> {
    type Output = Extremes;

    #[inline(always)]
    fn run(self) -> Extremes {
        let mut lanes = Lanes::new();
        let rows = self.row_i.as_chunks::<LANES>().0.iter().zip(self.row_j.as_chunks::<LANES>().0);
        for (slots, (row_i, row_j)) in self.slots.iter_mut().zip(rows) {
            lanes = lanes.and(|l| {
                let r = (R::from_value(row_i[l]) - R::from_value(row_j[l])) + self.gamma * slots.image[l];
                let g = slots.gradient[l] + self.length * r;
                slots.image[l] = r;
                slots.gradient[l] = g;
                (g + slots.up_shift[l], g + slots.low_shift[l])
            });
        }
        lanes.join(self.slots)
    }
}

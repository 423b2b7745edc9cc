//! Conjugate SMO on a working set whose Gram block is in memory.
//!
//! SMO moves a pair (i grows, j falls by the same amount) that promises the largest gain to second order;
//! the conjugate variant (Torres-Barrán, Alaíz, Dorronsoro, 2021) moves along d + γp instead, where p is the
//! previous direction and γ makes the two conjugate, and so needs fewer steps where many variables are free:
//!
//! ```text
//! d = eᵢ − eⱼ,  r = Qp,  δ = pᵀQp,  γ = −(rᵢ − rⱼ)/δ
//! p ← d + γp,   r ← Q(eᵢ − eⱼ) + γr,   δ ← Qᵢᵢ + Qⱼⱼ − 2Qᵢⱼ − (rᵢ − rⱼ)²/δ
//! β ← β + λp,   g ← g + λr,   λ = −slope/δ, clipped by the box and by the kinks of ε|β|
//! ```
//!
//! After a clipped step, or when p has grown long, the next step is a plain one.
//!
//! Where K is in single precision and the tolerance allows for it, the arrays that every step sweeps over are too: they
//! begin anew from double precision with every working set, so that what rounding does to them cannot add up.

use super::scan::{self, Extremes, LANES, Slots, Value, Work};
use crate::gram::simd::widest;

/// More variables than this in a direction, and it is begun anew.
const LONGEST_DIRECTION: usize = 64;
/// Slots that are updated between two looks at whether to stop.
pub(in crate::solver) const WORK_BETWEEN_LOOKS: u64 = 1 << 21;
/// Least curvature of a pair: what LIBSVM uses for duplicates and indefinite kernels. Where all values are small, it is so small a
/// part of the largest.
pub(super) const LEAST_CURVATURE: f64 = 1e-12;

/// The sub-problem of a working set; slot k of each array belongs to the k-th member.
pub(super) struct Inner<'a, T: Value, R: Work> {
    /// Values of K, row k at `k * stride`.
    pub kernel: &'a [T],
    pub stride: usize,
    /// Kₖₖ + dₖ
    pub curvature: &'a [f64],
    /// Kₖₖ
    pub self_values: &'a [f64],
    /// A pair is taken to have no less than this.
    pub least_curvature: f64,
    /// dₖ
    pub diagonal: &'a [f64],
    pub lower: &'a [f64],
    pub upper: &'a [f64],
    pub insensitivity: &'a [f64],
    pub group: &'a [u8],
    pub groups: usize,
    pub beta: &'a mut [f64],
    /// At the beginning.
    pub gradient: &'a [f64],
    pub scratch: &'a mut Scratch<R>,
}

/// Memory that is reused from one working set to the next.
#[derive(Default)]
pub(super) struct Scratch<R> {
    /// Those behind the last member cannot move.
    slots: Vec<Slots<R>>,
    /// p as (slot, value).
    direction: Vec<(usize, f64)>,
    /// Position of each slot in `direction`, or `usize::MAX`.
    place: Vec<usize>,
}

impl<R: Work> Scratch<R> {
    fn up(&self, k: usize) -> f64 {
        self.slots[k / LANES].up(k % LANES).to_f64()
    }

    fn low(&self, k: usize) -> f64 {
        self.slots[k / LANES].low(k % LANES).to_f64()
    }

    fn image(&self, k: usize) -> R {
        self.slots[k / LANES].image[k % LANES]
    }

    /// Slots, with those behind the last member.
    fn padded(&self) -> usize {
        self.slots.len() * LANES
    }
}

/// What an inner solve did.
pub(super) struct Summary {
    pub steps: u64,
    pub outcome: Outcome,
    /// By how much the objective fell.
    pub decrease: f64,
}

/// How an inner solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The gap is within the tolerance.
    Solved,
    /// The limit of steps was reached, or someone stopped it.
    Limit,
    /// No step changes a variable any more.
    Stalled,
}

impl<T: Value, R: Work> Inner<'_, T, R> {
    /// Runs until the gap is at most `tolerance`, `limit` steps are done, or `stop` says so, which is asked every few
    /// milliseconds.
    pub fn solve(&mut self, tolerance: f64, limit: u64, stop: &mut dyn FnMut() -> bool) -> Summary {
        let mut extremes = self.prepare();
        let between_looks = (WORK_BETWEEN_LOOKS / self.scratch.padded().max(1) as u64).max(1);
        // δ of the current direction; 0 means there is none.
        let mut delta = 0.0;
        let mut decrease = 0.0;
        for steps in 0..limit {
            if (steps + 1).is_multiple_of(between_looks) && stop() {
                return Summary { steps, outcome: Outcome::Limit, decrease };
            }
            let Some((i, j)) = self.select_pair(&extremes, delta, tolerance) else {
                return Summary { steps, outcome: Outcome::Solved, decrease };
            };
            let mut conjugate = delta > 0.0;
            let mut moved = self.step(i, j, if conjugate { delta } else { 0.0 });
            if conjugate && !moved.is_progress() {
                conjugate = false;
                moved = self.step(i, j, 0.0);
            }
            if !moved.is_progress() {
                return Summary { steps, outcome: Outcome::Stalled, decrease };
            }
            decrease += moved.decrease;
            extremes = self.update(i, j, &moved, conjugate);
            delta = moved.next_delta;
            if delta == 0.0 || self.scratch.direction.len() > LONGEST_DIRECTION {
                delta = 0.0;
                self.forget_direction();
            }
        }
        Summary { steps: limit, outcome: Outcome::Limit, decrease }
    }

    fn prepare(&mut self) -> Extremes {
        let q = self.beta.len();
        let s = &mut *self.scratch;
        s.slots.clear();
        s.slots.resize(q.div_ceil(LANES), Slots::idle());
        for k in 0..q {
            let (slots, l) = (&mut s.slots[k / LANES], k % LANES);
            slots.gradient[l] = R::from_f64(self.gradient[k]);
            slots.curvature[l] = R::from_f64(self.curvature[k]);
        }
        s.direction.clear();
        s.place.clear();
        s.place.resize(q, usize::MAX);
        for k in 0..q {
            self.set_shifts(k);
        }
        scan::extremes(&self.scratch.slots)
    }

    fn set_shifts(&mut self, k: usize) {
        let (b, e) = (self.beta[k], self.insensitivity[k]);
        let (slots, l) = (&mut self.scratch.slots[k / LANES], k % LANES);
        slots.up_shift[l] = match b < self.upper[k] {
            true if b < 0.0 => R::from_f64(-e),
            true => R::from_f64(e),
            false => R::INFINITY,
        };
        slots.low_shift[l] = match b > self.lower[k] {
            true if b > 0.0 => R::from_f64(e),
            true => R::from_f64(-e),
            false => R::NEG_INFINITY,
        };
    }

    /// Row k of K, as long as the arrays of the scratch.
    fn row(&self, k: usize) -> &[T] {
        &self.kernel[k * self.stride..][..self.scratch.padded()]
    }

    /// The pair with the largest gain to second order, or `None` if no group's gap exceeds the tolerance.
    fn select_pair(&self, extremes: &Extremes, delta: f64, tolerance: f64) -> Option<(usize, usize)> {
        if self.groups <= 1 {
            let Extremes { lowest_up, at, highest_low } = *extremes;
            if lowest_up == f64::INFINITY || highest_low - lowest_up <= tolerance {
                return None;
            }
            let (j, _) = self.best_partner(at, lowest_up, delta, None)?;
            return Some((at, j));
        }
        let (s, q) = (&*self.scratch, self.beta.len());
        let mut best: Option<(usize, usize, f64)> = None;
        for g in 0..self.groups as u8 {
            let of_group = |k: &usize| self.group[*k] == g;
            let Some(i) = (0..q).filter(of_group).min_by(|&a, &b| s.up(a).total_cmp(&s.up(b))) else {
                continue;
            };
            let highest = (0..q).filter(of_group).map(|k| s.low(k)).fold(f64::NEG_INFINITY, f64::max);
            if highest - s.up(i) <= tolerance {
                continue;
            }
            if let Some((j, gain)) = self.best_partner(i, s.up(i), delta, Some(g))
                && best.is_none_or(|(_, _, most)| gain > most)
            {
                best = Some((i, j, gain));
            }
        }
        best.map(|(i, j, _)| (i, j))
    }

    /// The member that should fall while `i` grows, and the gain (lowⱼ − upᵢ)²/curvature.
    fn best_partner(&self, i: usize, up: f64, delta: f64, group: Option<u8>) -> Option<(usize, f64)> {
        let s = &*self.scratch;
        let query = scan::Partner {
            row: self.row(i),
            slots: &s.slots,
            own_curvature: s.slots[i / LANES].curvature[i % LANES],
            own_image: s.image(i),
            inverse_delta: R::from_f64(if delta > 0.0 { 1.0 / delta } else { 0.0 }),
            up: R::from_f64(up),
            least_curvature: R::from_f64(self.least_curvature),
        };
        match group {
            None => query.best(),
            Some(g) => query.best_among(|k| self.group.get(k) == Some(&g)),
        }
    }

    /// How far to go along d + γp (plain SMO when `delta` is 0).
    fn step(&self, i: usize, j: usize, delta: f64) -> Move {
        let s = &*self.scratch;
        let k_ij = self.row(i)[j].to_f64();
        // The kernel's part first: beside large values of K that cancel, what the diagonal adds would be lost.
        let of_kernel = self.self_values[i] + self.self_values[j] - 2.0 * k_ij;
        let plain = of_kernel + (self.diagonal[i] + self.diagonal[j]);
        let slope = s.up(i) - s.low(j);
        let (gamma, curvature) = if delta > 0.0 {
            let overlap = (s.image(i) - s.image(j)).to_f64();
            (-overlap / delta, plain - overlap * overlap / delta)
        } else {
            (0.0, plain)
        };
        let flat = curvature <= self.least_curvature;
        if flat && delta > 0.0 {
            return Move::none();
        }
        let wanted = -slope / if flat { self.least_curvature } else { curvature };
        let component = |k: usize| {
            let old = match s.place[k] {
                usize::MAX => 0.0,
                at if gamma != 0.0 => gamma * s.direction[at].1,
                _ => 0.0,
            };
            old + f64::from(u8::from(k == i)) - f64::from(u8::from(k == j))
        };
        let mut room = f64::INFINITY;
        let mut blocking = usize::MAX;
        let mut consider = |k: usize, p: f64| {
            let space = self.room(k, p);
            if space < room {
                (room, blocking) = (space, k);
            }
        };
        if gamma != 0.0 {
            for &(k, old) in &s.direction {
                if k != i && k != j {
                    consider(k, gamma * old);
                }
            }
        }
        let (p_i, p_j) = (component(i), component(j));
        // i must grow and j must fall, or the scores that chose them do not describe the step.
        if !(p_i > 0.0 && p_j < 0.0) {
            return Move::none();
        }
        consider(i, p_i);
        consider(j, p_j);
        let clipped = wanted >= room;
        let length = if clipped { room } else { wanted };
        if !length.is_finite() {
            return Move::none();
        }
        Move {
            gamma,
            length,
            blocking: if clipped { blocking } else { usize::MAX },
            decrease: -length * (slope + 0.5 * curvature * length),
            next_delta: if clipped || flat { 0.0 } else { curvature },
            changes: self.beta[i] + length * p_i != self.beta[i]
                || self.beta[j] + length * p_j != self.beta[j],
        }
    }

    /// How far slot `k` can go in direction `p` before it meets a bound or the kink at 0.
    fn room(&self, k: usize, p: f64) -> f64 {
        let b = self.beta[k];
        if p > 0.0 {
            let end =
                if b < 0.0 && self.insensitivity[k] > 0.0 { self.upper[k].min(0.0) } else { self.upper[k] };
            (end - b) / p
        } else if p < 0.0 {
            let end =
                if b > 0.0 && self.insensitivity[k] > 0.0 { self.lower[k].max(0.0) } else { self.lower[k] };
            (b - end) / -p
        } else {
            f64::INFINITY
        }
    }

    /// p ← d + γp, r ← Qd + γr, β ← β + λp, g ← g + λr, and the scores.
    fn update(&mut self, i: usize, j: usize, step: &Move, conjugate: bool) -> Extremes {
        if !conjugate {
            self.forget_direction();
        }
        self.scale_direction(step.gamma);
        self.add_to_direction(i, 1.0);
        self.add_to_direction(j, -1.0);

        for at in 0..self.scratch.direction.len() {
            let (k, p) = self.scratch.direction[at];
            let before = self.beta[k];
            let after = if k == step.blocking {
                self.end_of_room(k, p)
            } else {
                (before + step.length * p).clamp(self.lower[k], self.upper[k])
            };
            self.beta[k] = after;
            if (before < 0.0) != (after < 0.0)
                || (before > 0.0) != (after > 0.0)
                || (before < self.upper[k]) != (after < self.upper[k])
                || (before > self.lower[k]) != (after > self.lower[k])
            {
                self.set_shifts(k);
            }
        }

        let s = &mut *self.scratch;
        let q = s.padded();
        let extremes = widest(scan::Pass {
            row_i: &self.kernel[i * self.stride..][..q],
            row_j: &self.kernel[j * self.stride..][..q],
            gamma: R::from_f64(step.gamma),
            length: R::from_f64(step.length),
            slots: &mut s.slots,
        });
        // The diagonal belongs to Q but not to K: it enters at the two moved slots.
        let (d_i, d_j) = (self.diagonal[i], self.diagonal[j]);
        if d_i == 0.0 && d_j == 0.0 {
            return extremes;
        }
        for (k, d) in [(i, d_i), (j, -d_j)] {
            let (slots, l) = (&mut s.slots[k / LANES], k % LANES);
            slots.image[l] = slots.image[l] + R::from_f64(d);
            slots.gradient[l] = slots.gradient[l] + R::from_f64(step.length * d);
        }
        scan::extremes(&s.slots)
    }

    /// Where slot `k` ends when it blocks the step: exactly on the bound or the kink.
    fn end_of_room(&self, k: usize, p: f64) -> f64 {
        let kinked = self.insensitivity[k] > 0.0;
        if p > 0.0 {
            if self.beta[k] < 0.0 && kinked { self.upper[k].min(0.0) } else { self.upper[k] }
        } else if self.beta[k] > 0.0 && kinked {
            self.lower[k].max(0.0)
        } else {
            self.lower[k]
        }
    }

    fn forget_direction(&mut self) {
        let s = &mut *self.scratch;
        for &(k, _) in &s.direction {
            s.place[k] = usize::MAX;
        }
        s.direction.clear();
    }

    fn scale_direction(&mut self, gamma: f64) {
        for (_, value) in &mut self.scratch.direction {
            *value *= gamma;
        }
    }

    fn add_to_direction(&mut self, k: usize, value: f64) {
        let s = &mut *self.scratch;
        match s.place[k] {
            usize::MAX => {
                s.place[k] = s.direction.len();
                s.direction.push((k, value));
            }
            at => s.direction[at].1 += value,
        }
    }
}

/// A step: λ, γ, who stopped it, and the δ of its direction if that can be used again.
struct Move {
    gamma: f64,
    length: f64,
    blocking: usize,
    next_delta: f64,
    decrease: f64,
    changes: bool,
}

impl Move {
    fn none() -> Self {
        Move { gamma: 0.0, length: 0.0, blocking: usize::MAX, next_delta: 0.0, decrease: 0.0, changes: false }
    }

    fn is_progress(&self) -> bool {
        self.length > 0.0 && self.changes
    }
}

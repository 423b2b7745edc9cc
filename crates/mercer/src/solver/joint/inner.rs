//! The joint problem restricted to a working set, whose Gram block is at hand.
//!
//! Without offsets examples are independent of each other but for K: the example that promises most is solved exactly.
//! With offsets the change of one example has to be made up for by others, so a cycle of classes moves at a time,
//! nearly always one of two (see [`circulation`](super::circulation)).

use super::circulation::Edges;
use super::example::Example;
use super::{Joint, JointProblem, crammer_singer, weston_watkins};
use crate::solver::decomposition::block::{BlockValue, GramBlock};
use crate::solver::decomposition::inner::WORK_BETWEEN_LOOKS;

/// A curvature below this share of the largest k(x, x) counts as this: steps stay finite.
const LEAST_CURVATURE: f64 = 1e-12;

/// The members' share of the problem.
pub(super) struct Restricted<'a, T> {
    pub problem: &'a JointProblem,
    block: &'a GramBlock<T>,
    pub class: Vec<usize>,
    pub cost: Vec<f64>,
    /// max(k(x, x), tiny) of each member.
    curvature: Vec<f64>,
    tiny: f64,
    /// τ and f, k numbers per member.
    pub tau: Vec<f64>,
    pub f: Vec<f64>,
    zero: Vec<f64>,
    pub summary: Summary,
}

/// What was done.
#[derive(Default)]
pub(super) struct Summary {
    pub steps: u64,
    /// By how much the objective fell.
    pub decrease: f64,
    /// Whether steps came to have no effect.
    pub stalled: bool,
}

impl<'a, T: BlockValue> Restricted<'a, T> {
    /// `tau` and `f` are those of all items.
    pub fn new(
        problem: &'a JointProblem,
        block: &'a GramBlock<T>,
        members: &[usize],
        (diagonal, largest): (&[f64], f64),
        (tau, f): (&[f64], &[f64]),
    ) -> Self {
        let k = problem.classes;
        let tiny = (LEAST_CURVATURE * largest).max(f64::MIN_POSITIVE);
        let rows = |values: &[f64]| members.iter().flat_map(|&i| values[i * k..][..k].to_vec()).collect();
        Restricted {
            problem,
            block,
            class: members.iter().map(|&i| problem.class[i]).collect(),
            cost: members.iter().map(|&i| problem.costs[i]).collect(),
            curvature: members.iter().map(|&i| diagonal[i].max(tiny)).collect(),
            tiny,
            tau: rows(tau),
            f: rows(f),
            zero: vec![0.0; k],
            summary: Summary::default(),
        }
    }

    /// Goes on until no condition is violated by more than the tolerance, for so many steps, or until `stop` says so, which is
    /// asked every few milliseconds; whether the limit or `stop` ended it.
    pub fn solve(&mut self, tolerance: f64, limit: u64, stop: &mut dyn FnMut() -> bool) -> bool {
        let between_looks = (WORK_BETWEEN_LOOKS / self.f.len().max(1) as u64).max(1);
        let mut was_cut = false;
        let mut goes_on = |steps: u64| {
            was_cut = steps >= limit || ((steps + 1).is_multiple_of(between_looks) && stop());
            !was_cut
        };
        if self.problem.offset {
            self.by_cycles(tolerance, &mut goes_on)
        } else {
            self.by_examples(tolerance, &mut goes_on)
        }
        was_cut
    }

    pub fn example(&self, slot: usize) -> Example<'_> {
        let k = self.problem.classes;
        Example {
            machine: self.problem.machine,
            class: self.class[slot],
            cost: self.cost[slot],
            tau: &self.tau[slot * k..][..k],
            f: &self.f[slot * k..][..k],
            offsets: &self.zero,
        }
    }

    /// K[slot, ·]
    pub fn row(&self, slot: usize) -> &'a [T] {
        &self.block.values()[slot * self.block.stride()..][..self.class.len()]
    }

    fn by_examples(&mut self, tolerance: f64, goes_on: &mut dyn FnMut(u64) -> bool) {
        let (q, k) = (self.class.len(), self.problem.classes);
        let mut violation: Vec<f64> = (0..q).map(|slot| self.example(slot).violation()).collect();
        let (mut slopes, mut best, mut change) = (vec![0.0; k], vec![0.0; k], vec![0.0; k]);
        let mut scratch = Vec::new();
        while goes_on(self.summary.steps) {
            // A step of the length violation / k(x, x) gains about violation² / k(x, x).
            let (mut chosen, mut most) = (usize::MAX, 0.0);
            for (slot, &v) in violation.iter().enumerate() {
                let gain = v * v / self.curvature[slot];
                if v > tolerance && gain > most {
                    (chosen, most) = (slot, gain);
                }
            }
            if chosen == usize::MAX {
                return;
            }
            let example = self.example(chosen);
            let (own, a) = (self.class[chosen], self.curvature[chosen]);
            best.copy_from_slice(example.tau);
            slopes[own] = 0.0;
            match self.problem.machine {
                Joint::CrammerSinger => {
                    example.others().for_each(|c| slopes[c] = -example.slope(c));
                    crammer_singer::solve(a, own, self.cost[chosen], &slopes, &mut best, &mut scratch);
                }
                Joint::WestonWatkins => {
                    example.others().for_each(|c| slopes[c] = example.slope(c));
                    weston_watkins::solve(a, own, self.cost[chosen], &slopes, &mut best, &mut scratch);
                    slopes.iter_mut().for_each(|s| *s = -*s);
                }
            }
            change
                .iter_mut()
                .zip(&best)
                .zip(example.tau)
                .for_each(|((change, best), old)| *change = best - old);
            self.summary.steps += 1;
            let linear: f64 = change.iter().zip(&slopes).map(|(change, slope)| change * slope).sum();
            let decrease = -linear - 0.5 * a * change.iter().map(|change| change * change).sum::<f64>();
            if decrease <= 0.0 || decrease.is_nan() {
                // What it could gain is lost in rounding; it waits until others have moved.
                violation[chosen] = 0.0;
                self.summary.stalled = true;
                continue;
            }
            self.summary.stalled = false;
            self.summary.decrease += decrease;
            self.tau[chosen * k..][..k].copy_from_slice(&best);
            let row = self.row(chosen);
            for (slot, value) in row.iter().enumerate() {
                let value = value.to_f64();
                self.f[slot * k..][..k].iter_mut().zip(&change).for_each(|(f, change)| *f += value * change);
                violation[slot] = self.example(slot).violation();
            }
        }
    }

    fn by_cycles(&mut self, tolerance: f64, goes_on: &mut dyn FnMut(u64) -> bool) {
        let mut edges = Edges::new(self.problem.classes);
        // Pairs are not solved far beyond what longer cycles still ask for, or every step of these would undo it.
        let mut level = f64::INFINITY;
        while goes_on(self.summary.steps) {
            edges.clear();
            (0..self.class.len()).for_each(|slot| edges.see(slot, self.example(slot)));
            let (cost, p, q) = edges.cheapest_pair();
            let decrease = if cost < -level {
                let first = (p, q, edges.get(p, q).example);
                let partner = self.best_partner(first, edges.get(p, q).cost);
                self.advance(&[first, (q, p, partner)])
            } else {
                let Some(cycle) = edges.cheapest_cycle().filter(|cycle| 2.0 * cycle.mean < -tolerance) else {
                    return;
                };
                if 2.0 * cycle.mean >= -level {
                    level = (-0.5 * cycle.mean).max(tolerance);
                    continue;
                }
                let classes = &cycle.classes;
                let edge = |e: usize| {
                    let (p, q) = (classes[e], classes[(e + 1) % classes.len()]);
                    (p, q, edges.get(p, q).example)
                };
                self.advance(&(0..classes.len()).map(edge).collect::<Vec<_>>())
            };
            self.summary.steps += 1;
            if decrease <= 0.0 || decrease.is_nan() {
                self.summary.stalled = true;
                return;
            }
            self.summary.decrease += decrease;
        }
    }

    /// Who should send from q to p what `first` sends from p to q: the one with which the objective falls most.
    fn best_partner(&self, (p, q, first): (usize, usize, usize), cost: f64) -> usize {
        let row = self.row(first);
        let (mut best, mut most) = (first, 0.0);
        for slot in 0..self.class.len() {
            let Some((other, _)) = self.sending(q, p, slot) else { continue };
            let slope = cost + other;
            if slope < 0.0 {
                let distance = self.curvature[first] + self.curvature[slot] - 2.0 * row[slot].to_f64();
                let gain = slope * slope / distance.max(self.tiny);
                if gain > most {
                    (best, most) = (slot, gain);
                }
            }
        }
        best
    }

    /// The slope of sending a little more from p to q by this member, and how much it can send; none if it cannot.
    fn sending(&self, p: usize, q: usize, slot: usize) -> Option<(f64, f64)> {
        let example = self.example(slot);
        if example.class == p {
            let room = example.cost + example.tau[q];
            (room > 0.0).then(|| (example.slope(q), room))
        } else if example.class == q {
            let room = -example.tau[p];
            (room > 0.0).then(|| (-example.slope(p), room))
        } else {
            None
        }
    }

    /// Moves along a cycle of (from, to, member) as far as it pays; by how much the objective fell.
    fn advance(&mut self, cycle: &[(usize, usize, usize)]) -> f64 {
        let k = self.problem.classes;
        let (mut slope, mut curvature, mut room) = (0.0, 0.0, f64::INFINITY);
        for (e, &(p, q, slot)) in cycle.iter().enumerate() {
            let Some((cost, most)) = self.sending(p, q, slot) else { return 0.0 };
            let before = cycle[(e + cycle.len() - 1) % cycle.len()].2;
            slope += cost;
            room = room.min(most);
            if before != slot {
                let inner = self.row(slot)[before].to_f64();
                curvature += self.curvature[slot] + self.curvature[before] - 2.0 * inner;
            }
        }
        let length = (-slope / curvature.max(self.tiny)).min(room);
        let decrease = -length * (slope + 0.5 * curvature * length);
        if decrease <= 0.0 || decrease.is_nan() {
            return 0.0;
        }
        for &(p, q, slot) in cycle {
            let most = self.sending(p, q, slot).map_or(0.0, |(_, most)| most);
            // Of the two, one is the example's own class, whose τ is what the others sum to.
            let own = self.class[slot];
            let tau = &mut self.tau[slot * k..][..k];
            let (c, after, bound) = match own == p {
                true => (q, tau[q] - length, -self.cost[slot]),
                false => (p, tau[p] + length, 0.0),
            };
            // What reaches its bound is at its bound, whatever rounding says.
            tau[c] = if length >= most { bound } else { after };
            tau[own] = 0.0;
            tau[own] = 0.0 - tau.iter().sum::<f64>();
        }
        for &(p, q, slot) in cycle {
            let row = self.row(slot);
            for (f, value) in self.f.chunks_exact_mut(k).zip(row) {
                let change = length * value.to_f64();
                f[p] += change;
                f[q] -= change;
            }
        }
        decrease
    }
}

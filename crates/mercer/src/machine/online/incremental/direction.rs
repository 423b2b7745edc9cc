//! The direction in which one coefficient moves while those on the margin and the offset keep theirs optimal.

use super::IncrementalSvc;
use crate::machine::online::Memory;

/// What changes per unit of the way.
pub(super) struct Direction {
    /// Of the coefficient that moves: ±1, or 0 if only the margin does.
    pub moving: f64,
    pub offset: f64,
    /// Of the coefficients on the margin.
    pub margin: Vec<f64>,
    /// Of Kβ, of all slots.
    pub scores: Vec<f64>,
    /// Of all coefficients together, in absolute value.
    pub size: f64,
}

/// Corrections of a solution by what it leaves.
const CORRECTIONS: usize = 4;

/// What a solution leaves is rounding up to this multiple of the numbers that it is made of.
const ROUNDING: f64 = 1e-14;

/// More than this is no solution.
const USELESS: f64 = 1e-10;

impl<M: Memory> IncrementalSvc<M> {
    /// The direction in which the coefficient of slot c goes up or down (`moving` = ±1). `row` are its kernel values with all slots.
    /// `None` if the inverse has lost its digits. O(n·s + s²).
    pub(super) fn direction_of(&self, c: usize, row: &[f64], moving: f64) -> Option<Direction> {
        let target: Vec<f64> =
            std::iter::once(-moving).chain(self.margin.iter().map(|&i| -moving * row[i])).collect();
        let mut found = self.direction_to(&target)?;
        debug_assert!(!self.is_on_margin[c]);
        found.scores.iter_mut().zip(row).for_each(|(score, k)| *score += moving * k);
        (found.moving, found.size) = (moving, found.size + 1.0);
        Some(found)
    }

    /// The direction in which the sum of the coefficients and the values on the margin change by this target.
    pub(super) fn direction_to(&self, target: &[f64]) -> Option<Direction> {
        let solution = self.solve(target)?;
        let margin = solution[1..].to_vec();
        let mut scores = vec![0.0; self.len()];
        for (row, rate) in self.rows.iter().zip(&margin) {
            scores.iter_mut().zip(row).for_each(|(score, k)| *score += rate * k);
        }
        let size = margin.iter().map(|rate| rate.abs()).sum();
        Some(Direction { moving: 0.0, offset: solution[0], margin, scores, size })
    }

    /// x with [0 1ᵀ; 1 K] x = target, corrected until it leaves rounding.
    fn solve(&self, target: &[f64]) -> Option<Vec<f64>> {
        let mut x = self.inverse.times(target);
        let mut left = self.left_by(&x, target);
        for _ in 0..CORRECTIONS {
            if self.relative(&left, &x, target) <= ROUNDING {
                return Some(x);
            }
            let better: Vec<f64> =
                x.iter().zip(self.inverse.times(&left)).map(|(x, step)| x + step).collect();
            let still = self.left_by(&better, target);
            // Where a correction makes nothing better, rounding is all there is.
            if self.relative(&still, &better, target) >= self.relative(&left, &x, target) {
                break;
            }
            (x, left) = (better, still);
        }
        let relative = self.relative(&left, &x, target);
        (relative <= USELESS).then_some(x)
    }

    /// target − [0 1ᵀ; 1 K] x
    fn left_by(&self, x: &[f64], target: &[f64]) -> Vec<f64> {
        let mut left = target.to_vec();
        left[0] -= x[1..].iter().sum::<f64>();
        left[1..].iter_mut().for_each(|value| *value -= x[0]);
        for (row, rate) in self.rows.iter().zip(&x[1..]) {
            for (value, &slot) in left[1..].iter_mut().zip(&self.margin) {
                *value -= rate * row[slot];
            }
        }
        left
    }

    /// What is left, as a share of the numbers that it was computed from.
    fn relative(&self, left: &[f64], x: &[f64], target: &[f64]) -> f64 {
        let size: f64 = x[1..].iter().map(|rate| rate.abs()).sum();
        let most = |values: &[f64]| values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let of_sum = left[0].abs() / (size + target[0].abs()).max(f64::MIN_POSITIVE);
        let values = self.largest * size + x[0].abs() + most(&target[1..]);
        let of_values = most(&left[1..]) / values.max(f64::MIN_POSITIVE);
        let worst = of_sum.max(of_values);
        if worst.is_finite() { worst } else { f64::INFINITY }
    }
}

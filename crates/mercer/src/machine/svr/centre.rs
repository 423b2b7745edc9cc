//! Targets about their median.
//!
//! Where there is an offset, Σβ = 0, so a constant that is taken from all targets changes nothing but the offset, to which it is
//! added. What it changes is rounding: of targets far from 0 little more than the constant would be left in sums with them.

use super::Loss;
use crate::machine::expansion::Threshold;
use crate::machine::median::median;
use crate::solver::DualProblem;

/// The problem of a regression for targets less a constant.
pub(super) struct Centred<'a> {
    /// The constant; 0 where there is no offset to take it up.
    pub centre: f64,
    /// yᵢ − centre
    pub targets: Vec<f64>,
    /// max |yᵢ|
    largest: f64,
    costs: &'a [f64],
    loss: Loss,
    has_offset: bool,
}

impl<'a> Centred<'a> {
    /// The targets less the median of those that cost something. It is one of them, so that the differences to those near it are
    /// exact. O(n)
    pub fn new(targets: &[f64], costs: &'a [f64], loss: Loss, has_offset: bool) -> Self {
        let largest = targets.iter().fold(0.0f64, |most, y| most.max(y.abs()));
        let counts = |(_, cost): &(&f64, &f64)| **cost > 0.0;
        let counted = || targets.iter().zip(costs).filter(counts).map(|(y, _)| *y).collect();
        let median = has_offset.then(counted).and_then(median).unwrap_or(0.0);
        let less = |centre: f64| targets.iter().map(|y| y - centre).collect::<Vec<f64>>();
        let (centre, targets) = match less(median) {
            centred if centred.iter().all(|y| y.is_finite()) => (median, centred),
            _ => (0.0, targets.to_vec()),
        };
        Centred { centre, targets, largest, costs, loss, has_offset }
    }

    /// The dual problem.
    pub fn problem(&self) -> DualProblem {
        self.loss.problem(&self.targets, self.costs, self.has_offset)
    }

    /// What rounding does to a decision value near the targets: once in the difference to the centre, once where the offset is
    /// added.
    pub fn rounding(&self) -> f64 {
        f64::EPSILON * self.largest
    }

    /// The offset for the targets as they are.
    pub fn offset(&self, multipliers: &[f64]) -> f64 {
        self.centre + self.loss.offset_and_tube(multipliers).0
    }

    /// By how much the multipliers of the machine differ from those of the solver, since its offset is rounded.
    pub fn shift(&self, found: &Threshold<'_>) -> f64 {
        let exact = self.loss.offset_and_tube(found.multipliers).0;
        exact - (self.offset(found.multipliers) - self.centre)
    }
}

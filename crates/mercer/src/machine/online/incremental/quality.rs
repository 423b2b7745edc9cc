//! How near a machine is to its optimum.

use super::IncrementalSvc;
use crate::error::Result;
use crate::machine::online::Memory;
use crate::solver::{Certificate, Status, Stop};

/// What counts as solved: the accuracy that the batch machine has by default.
const SOLVED: Stop = Stop::KktGap(1e-3);

impl<M: Memory> IncrementalSvc<M> {
    /// How many changes the batch solver made, because rounding defeated the exact update.
    ///
    /// ```
    /// use mercer::machine::online::{IncrementalSvc, Remembered};
    /// let mut machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 1.0)?;
    /// machine.add(&1.0, 1.0)?;
    /// machine.add(&-1.0, -1.0)?;
    /// assert_eq!(machine.refits(), 0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn refits(&self) -> u64 {
        self.refits
    }

    /// Whether the conditions of optimality hold as closely as those of [`Svc`](crate::machine::Svc) do by default: within 1e-3, with a duality gap of
    /// a hundredth of the objective at most. [`Status::NumericalLimit`] if rounding does not let them: features that are not scaled, beside a large cost,
    /// have sums of which no digits are left.
    ///
    /// ```
    /// use mercer::machine::online::{IncrementalSvc, Remembered};
    /// use mercer::solver::Status;
    /// let mut machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 1.0)?;
    /// machine.add(&1.0, 1.0)?;
    /// machine.add(&-1.0, -1.0)?;
    /// assert_eq!(machine.status(), Status::Converged);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn status(&self) -> Status {
        match SOLVED.is_met(&self.certificate()) {
            true => Status::Converged,
            false => Status::NumericalLimit,
        }
    }

    /// How far from optimal the machine is, at most: the violation of its conditions, and the objectives between which the optimum lies. O(examples),
    /// from the values that the updates go by; [`IncrementalSvc::violation`] computes them again.
    ///
    /// ```
    /// use mercer::machine::online::{IncrementalSvc, Remembered};
    /// let mut machine = IncrementalSvc::new(Remembered::new(|x: &f64, z: &f64| x * z), 1.0)?;
    /// machine.add(&1.0, 1.0)?;
    /// machine.add(&-1.0, -1.0)?;
    /// // w = 1: half of its square, and no slack.
    /// let found = machine.certificate();
    /// assert!((found.dual - 0.5).abs() < 1e-12 && found.relative_gap() < 1e-9);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn certificate(&self) -> Certificate {
        // By how much a value may be wrong.
        let error = self.drift;
        let (mut gap, mut worst) = (0.0, 0.0f64);
        for (slot, score) in self.scores.iter().enumerate() {
            let (residual, beta) = (score + self.offset, self.beta.rounded[slot]);
            // Above 0 the coefficient should fall, below it should rise: what it could fall or rise is what it adds to the gap.
            let above = (residual + error).max(0.0) * (beta - self.lower(slot));
            let below = (error - residual).max(0.0) * (self.upper(slot) - beta);
            gap += above.max(below);
            worst = worst.max(self.violation_of(slot, residual));
        }
        gap += (self.beta.sum() * self.offset).abs();
        let dual = self.objective() - 0.5 * self.size() * error;
        Certificate { kkt_gap: worst + error, dual, primal: dual + gap + self.size() * error, scale: 0.0 }
    }

    /// The dual objective Σ α − ½ αᵀQα.
    pub fn objective(&self) -> f64 {
        let half = |((beta, y), score): ((&f64, &f64), &f64)| 0.5 * beta * (y - score);
        self.beta.rounded.iter().zip(&self.labels).zip(&self.scores).map(half).sum()
    }

    /// By how much the conditions of optimality are violated, at most, with all values computed from the coefficients. O(examples · support
    /// vectors) kernel values.
    ///
    /// # Errors
    /// A kernel that fails.
    pub fn violation(&self) -> Result<f64> {
        let mut worst = self.beta.sum().abs();
        for (slot, score) in self.fresh_scores()?.into_iter().enumerate() {
            worst = worst.max(self.violation_of(slot, score + self.offset));
        }
        Ok(worst)
    }

    /// By how much one condition of optimality is violated where the value is by so much above the label.
    fn violation_of(&self, slot: usize, residual: f64) -> f64 {
        let (beta, lower, upper) = (self.beta.rounded[slot], self.lower(slot), self.upper(slot));
        let mut worst = (lower - beta).max(beta - upper).max(0.0);
        if beta < upper {
            worst = worst.max(-residual);
        }
        if beta > lower {
            worst = worst.max(residual);
        }
        worst
    }
}

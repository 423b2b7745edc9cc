//! The batch solver, for changes that rounding does not let the exact update make.

use super::exact::Coefficients;
use super::{Accuracy, IncrementalSvc, Stuck};
use crate::error::{Error, Result};
use crate::gram::PrecomputedGram;
use crate::machine::online::Memory;
use crate::resources::Interrupt;
use crate::solver::{Control, DualProblem, Groups, Settings, Stop, solve};

/// What the batch solver may leave of the conditions, in tolerances of the exact update, if rounding lets nobody do more.
const LEFT: f64 = 1e3;

impl<M: Memory> IncrementalSvc<M> {
    /// Trains the machine by the batch solver, and puts the inverse up again. O(n²) kernel values and as many numbers of memory.
    pub(super) fn refit(&mut self) -> Result<()> {
        self.refits += 1;
        let n = self.len();
        if n == 0 {
            return Ok(());
        }
        let needed = 8 * (n as u64).saturating_mul(n as u64);
        if needed > self.memory_limit {
            return Err(Error::Budget {
                what: "the kernel matrix of a machine that rounding does not let be updated exactly",
                needed,
                allowed: self.memory_limit,
                instead: "train a machine of all examples at once",
            });
        }
        let mut values = Vec::with_capacity(n * n);
        for slot in 0..n {
            self.check_interrupt()?;
            values.extend(self.row(slot)?);
        }
        let gram = PrecomputedGram::symmetric(values, n)?;
        let linear = self.labels.iter().map(|y| -y).collect();
        let (lower, upper) = (0..n).map(|slot| (self.lower(slot), self.upper(slot))).unzip();
        let mut problem = DualProblem::new(linear, lower, upper);
        problem.groups = Groups::One { sum: 0.0 };
        let settings = Settings {
            stop: Stop::KktGap(self.tolerance(Accuracy::Plain)),
            max_iterations: 1_000_000 + 10_000 * n as u64,
            interrupt: self.interrupt.clone().or_else(Interrupt::current),
            ..Settings::default()
        };
        let solution = solve(&gram, &problem, &settings, &mut |_| Control::Continue)?;
        self.take(solution.coefficients, -solution.multipliers[0])?;
        // What the solver has left, the exact update takes out, if it can.
        if let Err(Stuck) = self.optimize_as_far_as_possible()? {
            self.refresh()?;
            let tolerance = LEFT * self.tolerance(Accuracy::Plain);
            let wrong = |slot: usize| {
                let residual = self.scores[slot] + self.offset;
                residual.abs() > tolerance && self.can_move(slot, -residual.signum())
            };
            if (0..n).any(wrong) {
                return Err(Error::NoConvergence { what: "the exact update of the machine" });
            }
        }
        Ok(())
    }

    /// All coefficients are 0.
    pub(super) fn forget_coefficients(&mut self) {
        self.beta = Coefficients::of(vec![0.0; self.len()]);
        self.scores.iter_mut().zip(&self.labels).for_each(|(score, y)| *score = -y);
        self.clear_margin();
    }

    /// These coefficients, with those inside of their bounds on the margin.
    fn take(&mut self, beta: Vec<f64>, offset: f64) -> Result<()> {
        self.clear_margin();
        self.beta = Coefficients::of(beta);
        self.largest_beta = self.beta.rounded.iter().fold(0.0, |most, beta| most.max(beta.abs()));
        self.offset = offset;
        self.refresh()?;
        for slot in 0..self.len() {
            if self.can_move(slot, 1.0) && self.can_move(slot, -1.0) {
                let row = self.row(slot)?;
                self.join_if_independent(slot, row);
            }
        }
        Ok(())
    }

    fn clear_margin(&mut self) {
        self.margin.clear();
        self.rows.clear();
        self.inverse = Default::default();
        self.is_on_margin.iter_mut().for_each(|is| *is = false);
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Random;
    use crate::machine::online::Remembered;
    use crate::solver::Status;

    type Point = [f64; 3];

    /// The batch solver ends where the exact updates have ended, with the inverse put up again: examples come and go after it as before.
    #[test]
    fn the_batch_solver_finds_the_machine_of_the_exact_updates() {
        for scale in [1.0, 1e3] {
            for (cost, seed) in
                [1.0, 100.0, 1e4, 1e6].into_iter().flat_map(|cost| (0..50).map(move |seed| (cost, seed)))
            {
                let case = format!("scale {scale}, C {cost}, seed {seed}");
                let mut random = Random::new(seed);
                let mut whole = |bound: usize| (0..bound).map(|_| random.below(6)).collect::<Vec<usize>>();
                let points: Vec<Point> = (0..30)
                    .map(|_| {
                        let x = whole(2);
                        [scale * x[0] as f64, scale * x[1] as f64, 0.0]
                    })
                    .collect();
                let kernel = |x: &Point, z: &Point| x.iter().zip(z).map(|(a, b)| a * b).sum::<f64>();
                let mut machine = IncrementalSvc::new(Remembered::new(kernel), cost).unwrap();
                for (at, point) in points.iter().enumerate() {
                    let label = if whole(1)[0] < 3 { 1.0 } else { -1.0 };
                    machine.add_weighted(point, label, if at % 7 == 0 { 2.5 } else { 1.0 }).unwrap();
                }
                let mut again = machine.clone();
                again.forget_coefficients();
                again.settle(Err(Stuck)).unwrap();
                assert_eq!((machine.refits(), again.refits()), (0, 1), "{case}");
                for machine in [&machine, &again] {
                    assert_eq!(machine.status(), Status::Converged, "{case}");
                    let violation = machine.violation().unwrap();
                    assert!(violation < 1e-8, "{case}: {violation}");
                }
                let (expected, found) = (machine.objective(), again.objective());
                assert!((found - expected).abs() <= 1e-7 * expected.abs(), "{case}: {found} {expected}");
                assert!(again.certificate().relative_gap() < 1e-6, "{case}");
                again.remove(again.ids()[3]).unwrap();
                again.add(&points[3], 1.0).unwrap();
                assert!(again.violation().unwrap() < 1e-8, "{case}");
            }
        }
    }
}

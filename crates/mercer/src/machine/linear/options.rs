//! How linear machines are trained: accuracy, limits, the order of rows, threads.

use std::time::Duration;

use crate::error::{Error, Result};
use crate::resources::{Interrupt, Workers, default_budget};
use crate::solver::Stop;

/// Vectors with a number for each column that are held for each function: its weights, those of the model and those of a step.
const COPIES: u64 = 4;

/// How a linear machine is trained; the defaults stand beside the fields.
///
/// ```
/// use mercer::machine::LinearOptions;
/// let options = LinearOptions { seed: 7, ..LinearOptions::default() };
/// assert!(options.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LinearOptions {
    /// What counts as solved; default `KktGap(1e-3)`: the greatest projected slope of the dual minus the least, over all
    /// variables, as LIBLINEAR has it. For Crammer and Singer's machine it is the largest violation of a row, and for the ℓ1
    /// penalty the slopes are those of ‖w‖₁ + L by the weights, which grow with the cost and the number of rows.
    pub stop: Stop,
    /// Most passes over the rows, steps of Newton's method among them; default 10 000.
    pub max_epochs: u64,
    /// Most wall time for the whole fit; default unlimited. It is looked at between passes.
    pub max_time: Option<Duration>,
    /// Whether rows that are settled are put aside until the end; default true.
    pub shrinking: bool,
    /// What the random order of rows begins with; default 0. The same seed gives the same bits.
    pub seed: u64,
    /// Threads; 0, the default, means as many as the process may use. The result does not depend on it.
    pub threads: usize,
    /// Most bytes for weights of all columns; default [`default_budget`].
    pub memory: u64,
    /// Who may end the fit at once, without a model; by default [`Interrupt::current`].
    pub interrupt: Option<Interrupt>,
}

impl Default for LinearOptions {
    fn default() -> Self {
        LinearOptions {
            stop: Stop::KktGap(1e-3),
            max_epochs: 10_000,
            max_time: None,
            shrinking: true,
            seed: 0,
            threads: 0,
            memory: default_budget(),
            interrupt: Interrupt::current(),
        }
    }
}

impl LinearOptions {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self) -> Result<()> {
        let (name, value) = match self.stop {
            Stop::KktGap(tolerance) => ("tolerance", tolerance),
            Stop::DualityGap(relative) => ("duality gap", relative),
        };
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::Parameter { name, value, expected: "a finite number above 0" });
        }
        if self.max_epochs == 0 {
            return Err(Error::Parameter { name: "max_epochs", value: 0.0, expected: "at least 1" });
        }
        Workers::checked(self.threads)?;
        Ok(())
    }

    /// Refuses the weights of so many columns for so many functions if there is not the memory for them.
    pub(super) fn check_weights(&self, columns: usize, functions: usize) -> Result<()> {
        let needed = (8 * COPIES).saturating_mul(columns as u64).saturating_mul(functions as u64);
        if needed <= self.memory {
            return Ok(());
        }
        let instead = "allow more memory, or leave columns out";
        Err(Error::Budget { what: "the weights of all columns", needed, allowed: self.memory, instead })
    }
}

/// Checks what both linear machines have: the cost and the constant feature.
pub(super) fn check_cost(cost: f64, constant: Option<f64>) -> Result<()> {
    let expected = "a finite number above 0";
    for (name, value) in [("cost", Some(cost)), ("intercept_scaling", constant)] {
        match value {
            Some(value) if !(value > 0.0 && value.is_finite()) => {
                return Err(Error::Parameter { name, value, expected });
            }
            _ => {}
        }
    }
    Ok(())
}

/// The setters that the parameters of both linear machines share.
macro_rules! linear_options {
    () => {
        /// C: what a unit of loss costs; default 1.
        pub fn cost(mut self, cost: f64) -> Self {
            self.cost = cost;
            self
        }

        /// Whether f has an intercept; default true. It is the weight of a constant feature and penalised as the others are.
        pub fn intercept(mut self, intercept: bool) -> Self {
            self.constant = intercept.then(|| self.constant.unwrap_or(1.0));
            self
        }

        /// The size of the constant feature; default 1. The larger it is, the less the penalty weighs on the intercept.
        pub fn intercept_scaling(mut self, size: f64) -> Self {
            self.constant = Some(size);
            self
        }

        /// Greatest minus least projected slope of the dual that counts as solved; default 1e-3.
        pub fn tolerance(mut self, tolerance: f64) -> Self {
            self.options.stop = Stop::KktGap(tolerance);
            self
        }

        /// Stops on the relative duality gap (P − D)/max(|P|, |D|) instead.
        pub fn duality_gap(mut self, relative: f64) -> Self {
            self.options.stop = Stop::DualityGap(relative);
            self
        }

        /// Most bytes for weights of all columns; default [`default_budget`](crate::resources::default_budget).
        pub fn memory(mut self, bytes: u64) -> Self {
            self.options.memory = bytes;
            self
        }

        /// Most passes over the rows, for each class.
        pub fn max_epochs(mut self, epochs: u64) -> Self {
            self.options.max_epochs = epochs;
            self
        }

        /// Most wall time for the whole fit.
        pub fn max_time(mut self, time: Duration) -> Self {
            self.options.max_time = Some(time);
            self
        }

        /// Whether rows that are settled are put aside until the end; default true.
        pub fn shrinking(mut self, shrinking: bool) -> Self {
            self.options.shrinking = shrinking;
            self
        }

        /// What the random order of rows begins with; default 0.
        pub fn seed(mut self, seed: u64) -> Self {
            self.options.seed = seed;
            self
        }

        /// Threads; 0 means as many as there are. Classes are trained side by side.
        pub fn threads(mut self, threads: usize) -> Self {
            self.options.threads = threads;
            self
        }

        /// Who may end the fit at once, without a model.
        pub fn interrupt(mut self, interrupt: &Interrupt) -> Self {
            self.options.interrupt = Some(interrupt.clone());
            self
        }

        /// All of the above but cost and intercept at once.
        pub fn options(mut self, options: LinearOptions) -> Self {
            self.options = options;
            self
        }
    };
}
pub(super) use linear_options;

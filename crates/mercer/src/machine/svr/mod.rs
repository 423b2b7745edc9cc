//! Support vector regression: a function that stays within a tube of the targets where it can.
//!
//! ```text
//! min over w, b   ½‖w‖² + Σ Cᵢ L(yᵢ − f(xᵢ)),   f(x) = ⟨w, φ(x)⟩ + b
//! ```
//!
//! The losses L are those of [`Loss`]. Every one of them has a dual in one signed variable per item (the difference
//! of the two multipliers of textbooks), so that f(x) = Σ βᵢ k(xᵢ, x) + b:
//!
//! ```text
//! min over β   ½ βᵀ(K + D)β − yᵀβ + ε Σ|βᵢ|    subject to   Lᵢ ≤ βᵢ ≤ Uᵢ,  Σβ = 0
//! ```
//!
//! (Vapnik 1995; Shawe-Taylor & Cristianini, Algorithms 7.45, 7.47 and 7.51.)

mod centre;
mod fit;
mod loss;
mod model;

pub use fit::SvrFit;
pub use loss::Loss;
pub use model::SvrModel;

use std::time::Duration;

use super::FitOptions;
use super::options::fit_options;
use crate::error::{Error, Result};
use crate::gram::Precision;
use crate::resources::{InstructionSet, Interrupt, Workers};
use crate::solver::{Method, Stop};

/// Parameters of the regression, not yet checked.
#[derive(Clone, Debug)]
pub struct SvrParams<K> {
    kernel: K,
    cost: f64,
    loss: Loss,
    offset: bool,
    options: FitOptions,
}

/// The regression with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::{Loss, Svr};
/// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i) / 3.0]).collect::<Vec<_>>())?;
/// let targets: Vec<f64> = (0..20).map(|i| (f64::from(i) / 3.0).sin()).collect();
/// let kernel: Expression = "gaussian(gamma=0.5)".parse()?;
/// let loss = Loss::Linear { tube: 0.05 };
/// let model = Svr::params(kernel).cost(100.0).loss(loss).check()?.fit(&rows, &targets)?;
/// // No target is farther from the function than the tube is wide, but for the tolerance.
/// for (f, y) in model.predict(&rows)?.iter().zip(&targets) {
///     assert!((f - y).abs() < 0.051);
/// }
/// assert!(model.report().unwrap().relative_gap().unwrap() < 0.05);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Svr<K> {
    kernel: K,
    cost: f64,
    loss: Loss,
    offset: bool,
    options: FitOptions,
}

impl<K> Svr<K> {
    /// Parameters with their defaults: C = 1, a linear loss outside a tube of 0.1, with an offset.
    pub fn params(kernel: K) -> SvrParams<K> {
        SvrParams { kernel, cost: 1.0, loss: Loss::default(), offset: true, options: FitOptions::default() }
    }

    /// The kernel, as it was given.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// What is lost by a target that is missed.
    pub fn loss(&self) -> Loss {
        self.loss
    }

    /// How it is trained.
    pub fn options(&self) -> &FitOptions {
        &self.options
    }

    /// The same machine with another kernel, or none for training on a Gram matrix.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svr;
    /// let machine = Svr::params("linear".parse::<Expression>()?).cost(3.0).check()?;
    /// assert_eq!(machine.with_kernel(()).kernel(), &());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn with_kernel<L>(self, kernel: L) -> Svr<L> {
        let Svr { cost, loss, offset, options, .. } = self;
        Svr { kernel, cost, loss, offset, options }
    }
}

impl<K> SvrParams<K> {
    /// Another kernel.
    pub fn kernel(mut self, kernel: K) -> Self {
        self.kernel = kernel;
        self
    }

    /// C: what a unit of loss costs; default 1.
    pub fn cost(mut self, cost: f64) -> Self {
        self.cost = cost;
        self
    }

    /// What is lost by a target that is missed.
    pub fn loss(mut self, loss: Loss) -> Self {
        self.loss = loss;
        self
    }

    /// Whether f has an offset b; default true.
    pub fn offset(mut self, offset: bool) -> Self {
        self.offset = offset;
        self
    }

    fit_options!(options);

    /// How it is to be trained.
    pub fn fit_options(&self) -> &FitOptions {
        &self.options
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<Svr<K>> {
        let SvrParams { kernel, cost, loss, offset, options } = self;
        if !(cost > 0.0 && cost.is_finite()) {
            return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
        }
        loss.check()?;
        if let (Loss::Nu { nu }, false) = (loss, offset) {
            let expected = "an offset, without which the tube is not determined by it";
            return Err(Error::Parameter { name: "nu", value: nu, expected });
        }
        options.solver.check()?;
        Workers::checked(options.threads)?;
        Ok(Svr { kernel, cost, loss, offset, options })
    }
}

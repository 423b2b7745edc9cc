//! Support vector machines that learn all classes at once: one function f_k per class, and the class of the greatest wins.
//!
//! ```text
//! Weston & Watkins   min ½ Σ_k ‖w_k‖² + Σᵢ Cᵢ Σ_{k≠yᵢ} ξᵢₖ    f_yᵢ(xᵢ) ≥ f_k(xᵢ) + 2 − ξᵢₖ,  ξᵢₖ ≥ 0
//! Crammer & Singer   min ½ Σ_k ‖w_k‖² + Σᵢ Cᵢ ξᵢ             f_yᵢ(xᵢ) ≥ f_k(xᵢ) + 1 − ξᵢ,   ξᵢ ≥ 0
//! ```
//!
//! with f_k(x) = ⟨w_k, φ(x)⟩ + b_k (Weston & Watkins 1998, with the margin 2 of their paper; Crammer & Singer 2001, who have
//! no offsets b). The scores scale with the margin, and with the margin the cost at which the same classes are predicted.
//!
//! Two classes of Weston & Watkins are the ordinary machine at the same cost: f₁ − f₀ is twice its decision value, and the
//! objective twice its objective.

mod fit;
mod training;

pub use crate::solver::Joint;
pub use fit::JointFit;
pub(super) use training::classes_with_rows;

use std::time::Duration;

use super::options::fit_options;
use super::{ClassWeights, FitOptions};
use crate::error::{Error, Result};
use crate::gram::Precision;
use crate::resources::{InstructionSet, Interrupt, Workers};
use crate::solver::{Method, Stop};

/// Parameters of the joint machine, not yet checked.
#[derive(Clone, Debug)]
pub struct JointSvcParams<K> {
    kernel: K,
    cost: f64,
    machine: Joint,
    class_weights: ClassWeights,
    /// `None` means where the machine has one.
    offset: Option<bool>,
    options: FitOptions,
}

/// The joint machine with checked parameters, ready to be trained.
///
/// Every round of the solver takes O(n·k) operations beside the rows of K that it asks for; n·k coefficients and values
/// are held, never n × n.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Joint, JointSvc};
///
/// // Three classes around the origin, none of which a line separates from the two others.
/// let rows = Vectors::from_rows(&[[0.0, 2.0], [0.2, 1.8], [-2.0, -1.0], [-1.8, -1.2], [2.0, -1.0], [1.9, -0.8]])?;
/// let labels = Labels::from_text(["up", "up", "left", "left", "right", "right"]);
/// for machine in [Joint::WestonWatkins, Joint::CrammerSinger] {
///     let kernel: Expression = "linear".parse()?;
///     let params = JointSvc::params(kernel).cost(10.0).machine(machine).duality_gap(1e-4);
///     let model = params.check()?.fit(&rows, &labels)?;
///     assert_eq!(model.predict_labels(&rows)?, ["up", "up", "left", "left", "right", "right"]);
///     assert!(model.reports()[0].relative_gap().unwrap() <= 1e-4);
/// }
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct JointSvc<K> {
    kernel: K,
    cost: f64,
    machine: Joint,
    class_weights: ClassWeights,
    offset: bool,
    options: FitOptions,
}

impl<K> JointSvc<K> {
    /// Parameters with their defaults: Weston & Watkins with offsets, C = 1, classes weighted equally.
    pub fn params(kernel: K) -> JointSvcParams<K> {
        JointSvcParams {
            kernel,
            cost: 1.0,
            machine: Joint::default(),
            class_weights: ClassWeights::Equal,
            offset: None,
            options: FitOptions::default(),
        }
    }

    /// The kernel, as it was given.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// How it is trained.
    pub fn options(&self) -> &FitOptions {
        &self.options
    }
}

impl<K> JointSvcParams<K> {
    /// Another kernel.
    pub fn kernel(mut self, kernel: K) -> Self {
        self.kernel = kernel;
        self
    }

    /// C: what a unit of slack costs; default 1.
    pub fn cost(mut self, cost: f64) -> Self {
        self.cost = cost;
        self
    }

    /// Whose machine; default [`Joint::WestonWatkins`].
    pub fn machine(mut self, machine: Joint) -> Self {
        self.machine = machine;
        self
    }

    /// Factors of the cost by class.
    pub fn class_weights(mut self, weights: ClassWeights) -> Self {
        self.class_weights = weights;
        self
    }

    /// Whether the functions have offsets b; default true for Weston & Watkins, and never for Crammer & Singer.
    pub fn offset(mut self, offset: bool) -> Self {
        self.offset = Some(offset);
        self
    }

    fit_options!(options);

    /// How it is to be trained.
    pub fn fit_options(&self) -> &FitOptions {
        &self.options
    }

    /// Checks the parameters.
    ///
    /// ```
    /// use mercer::machine::{Joint, JointSvc};
    /// let params = JointSvc::params(()).machine(Joint::CrammerSinger);
    /// assert!(params.clone().check().is_ok());
    /// assert!(params.offset(true).check().is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<JointSvc<K>> {
        let JointSvcParams { kernel, cost, machine, class_weights, offset, options } = self;
        if !(cost > 0.0 && cost.is_finite()) {
            return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
        }
        if machine == Joint::CrammerSinger && offset == Some(true) {
            let expected = "none for the machine of Crammer and Singer";
            return Err(Error::Parameter { name: "offset", value: 1.0, expected });
        }
        if options.solver.method != Method::Decomposition {
            let what =
                format!("joint machines have a solver of their own, which is not {}", options.solver.method);
            return Err(Error::Unsupported { what });
        }
        options.solver.check()?;
        Workers::checked(options.threads)?;
        let offset = offset.unwrap_or(machine == Joint::WestonWatkins);
        Ok(JointSvc { kernel, cost, machine, class_weights, offset, options })
    }
}

//! The soft-margin support vector classifier (1-norm or 2-norm), binary and one against one.
//!
//! For two classes, y = −1 for the first and +1 for the second:
//!
//! ```text
//! min over w, b, ξ   ½‖w‖² + Σ Cᵢ ξᵢ    subject to   yᵢ(⟨w, φ(xᵢ)⟩ + b) ≥ 1 − ξᵢ,  ξᵢ ≥ 0
//! ```
//!
//! (Cortes & Vapnik 1995; Cristianini & Shawe-Taylor, Proposition 5.5 with the factor ½ that makes the box C.)
//! [`Slack`] says how slack costs. More classes are taken in pairs, see [`one_against_one`](super::one_against_one).

mod clock;
mod fit;
mod model;
mod training;

pub use fit::{FitProgress, SvcFit};
pub use model::SvcModel;

use std::time::Duration;

use super::formulation::Slack;
use super::options::fit_options;
use super::{ClassWeights, FitOptions};
use crate::error::{Error, Result};
use crate::gram::Precision;
use crate::resources::{InstructionSet, Workers};
use crate::solver::{Method, Stop};

/// Parameters of the classifier, not yet checked.
#[derive(Clone, Debug)]
pub struct SvcParams<K> {
    kernel: K,
    cost: f64,
    class_weights: ClassWeights,
    slack: Slack,
    offset: bool,
    options: FitOptions,
}

/// The classifier with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
///
/// // XOR: no line separates it, the Gaussian kernel does.
/// let rows = Vectors::from_rows(&[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])?;
/// let labels = Labels::from_text(["same", "same", "different", "different"]);
/// let kernel: Expression = "gaussian(gamma=1)".parse()?;
/// let model = Svc::params(kernel).cost(100.0).check()?.fit(&rows, &labels)?;
/// assert_eq!(model.predict_labels(&rows)?, ["same", "same", "different", "different"]);
/// assert!(model.pairs().reports[0].relative_gap().unwrap() < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Svc<K> {
    kernel: K,
    cost: f64,
    class_weights: ClassWeights,
    slack: Slack,
    offset: bool,
    options: FitOptions,
}

impl<K> Svc<K> {
    /// Parameters with their defaults: C = 1, classes weighted equally.
    pub fn params(kernel: K) -> SvcParams<K> {
        SvcParams {
            kernel,
            cost: 1.0,
            class_weights: ClassWeights::Equal,
            slack: Slack::Linear,
            offset: true,
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

    /// The same machine with another kernel, or none for training on a Gram matrix.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// let machine = Svc::params("linear".parse::<Expression>()?).cost(3.0).check()?;
    /// assert_eq!(machine.with_kernel(()).kernel(), &());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn with_kernel<L>(self, kernel: L) -> Svc<L> {
        let Svc { cost, class_weights, slack, offset, options, .. } = self;
        Svc { kernel, cost, class_weights, slack, offset, options }
    }
}

impl<K> SvcParams<K> {
    /// C: what a unit of slack costs; default 1.
    pub fn cost(mut self, cost: f64) -> Self {
        self.cost = cost;
        self
    }

    /// Factors of C by class.
    pub fn class_weights(mut self, class_weights: ClassWeights) -> Self {
        self.class_weights = class_weights;
        self
    }

    /// Whether slack costs in proportion (the 1-norm soft margin, the default) or by its square (the 2-norm).
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::{Slack, Svc};
    /// let rows = Vectors::from_rows(&[[-1.0], [1.0]])?;
    /// let labels = Labels::from_text(["no", "yes"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).cost(2.0).slack(Slack::Quadratic);
    /// let model = machine.check()?.fit(&rows, &labels)?;
    /// // The dual 2α² + α²/2 − 2α is least at α = 0.4, and f(x) = 2αx.
    /// assert!((model.decision_values(&rows)?[1] - 0.8).abs() < 1e-3);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn slack(mut self, slack: Slack) -> Self {
        self.slack = slack;
        self
    }

    /// Whether decision functions have an offset b; default true.
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
    pub fn check(self) -> Result<Svc<K>> {
        let SvcParams { kernel, cost, class_weights, slack, offset, options } = self;
        if !(cost > 0.0 && cost.is_finite()) {
            return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
        }
        options.solver.check()?;
        Workers::checked(options.threads)?;
        Ok(Svc { kernel, cost, class_weights, slack, offset, options })
    }
}

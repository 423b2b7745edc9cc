//! The support vector classifier: with a soft margin (1-norm, 2-norm, or a share ν) or a hard one, for two classes, for
//! pairs of many, and for each against the rest.
//!
//! For two classes, y = −1 for the first and +1 for the second:
//!
//! ```text
//! min over w, b, ξ   ½‖w‖² + Σ Cᵢ ξᵢ    subject to   yᵢ(⟨w, φ(xᵢ)⟩ + b) ≥ 1 − ξᵢ,  ξᵢ ≥ 0
//! ```
//!
//! (Cortes & Vapnik 1995; Cristianini & Shawe-Taylor, Proposition 5.5 with the factor ½ that makes the box C.)
//! [`Slack`] says how slack costs. More classes are taken in pairs, see [`one_against_one`](super::one_against_one), or each
//! against the rest, see [`Svc::fit_one_against_rest`].

mod calibration;
mod clock;
mod fit;
mod model;
mod pair;
mod rest;
mod side_by_side;
mod training;
mod units;

pub(super) use clock::Clock;
pub use fit::{FitProgress, SvcFit};
pub use model::SvcModel;
pub use rest::RestFit;

use std::time::Duration;

use super::class_weights::costs;
use super::formulation::{Scale, Slack};
use super::options::fit_options;
use super::{ClassWeights, Decision, FitOptions, Probability};
use crate::data::Labels;
use crate::error::{Error, Result};
use crate::gram::Precision;
use crate::resources::{InstructionSet, Interrupt, Workers};
use crate::solver::{Method, Stop};

/// Parameters of the classifier, not yet checked.
#[derive(Clone, Debug)]
pub struct SvcParams<K> {
    kernel: K,
    cost: f64,
    class_weights: ClassWeights,
    slack: Slack,
    scale: Scale,
    offset: bool,
    decision: Decision,
    probability: Option<Probability>,
    accepts_no_margin: bool,
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
    scale: Scale,
    offset: bool,
    decision: Decision,
    probability: Option<Probability>,
    accepts_no_margin: bool,
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
            scale: Scale::Functional,
            offset: true,
            decision: Decision::Votes,
            probability: None,
            accepts_no_margin: false,
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

    /// C; 1 where slack has no cost of its own ([`Slack::Nu`], [`Slack::None`]).
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// What slack costs.
    pub fn slack(&self) -> Slack {
        self.slack
    }

    /// How the hyperplane is scaled.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Whether decision functions have an offset.
    pub fn has_offset(&self) -> bool {
        self.offset
    }

    /// The cost of each row: C times the factor of its class times its weight.
    ///
    /// ```
    /// use mercer::data::Labels;
    /// use mercer::machine::{ClassWeights, Svc};
    /// let machine = Svc::params(()).cost(3.0).class_weights(ClassWeights::Balanced).check()?;
    /// let labels = Labels::from_text(["a", "b", "b", "b"]);
    /// assert_eq!(machine.costs(&labels, 4, None)?, [6.0, 2.0, 2.0, 2.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Labels and weights of wrong length or value, fewer than two classes, or a class whose costs are all 0.
    pub fn costs(&self, labels: &Labels, rows: usize, weights: Option<&[f64]>) -> Result<Vec<f64>> {
        costs(labels, rows, self.cost, &self.class_weights, weights)
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
        let Svc {
            cost,
            class_weights,
            slack,
            scale,
            offset,
            decision,
            probability,
            accepts_no_margin,
            options,
            ..
        } = self;
        Svc {
            kernel,
            cost,
            class_weights,
            slack,
            scale,
            offset,
            decision,
            probability,
            accepts_no_margin,
            options,
        }
    }
}

impl<K> SvcParams<K> {
    /// Another kernel.
    pub fn kernel(mut self, kernel: K) -> Self {
        self.kernel = kernel;
        self
    }

    /// C: what a unit of slack costs; default 1.
    ///
    /// Where C is above 10¹⁵, rounding of the slack would outweigh all the rest of the objective in double precision. Such a linear
    /// slack is solved as the hard margin, which has the same solution where no coefficient reaches C; otherwise the fit is refused.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [3.0], [4.0]])?;
    /// let machine = Svc::params("linear".parse::<Expression>()?).cost(1e20).check()?;
    /// let model = machine.fit(&rows, &Labels::from_text(["a", "a", "b", "b"]))?;
    /// assert!((model.decision_values(&rows)?[2] - 1.0).abs() < 1e-2);
    /// assert!(machine.fit(&rows, &Labels::from_text(["a", "b", "a", "b"])).is_err());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn cost(mut self, cost: f64) -> Self {
        self.cost = cost;
        self
    }

    /// Factors of C by class.
    pub fn class_weights(mut self, class_weights: ClassWeights) -> Self {
        self.class_weights = class_weights;
        self
    }

    /// What slack costs: in proportion (the 1-norm soft margin, the default), by its square (the 2-norm), so much that a
    /// share ν of rows has any, or there is none (the hard margin).
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

    /// Whether the functional margin is 1 (the default) or ‖w‖.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::{Scale, Slack, Svc};
    /// let rows = Vectors::from_rows(&[[0.0, 0.0], [0.0, 5.0], [3.0, 1.0], [4.0, 2.0]])?;
    /// let labels = Labels::from_text(["left", "left", "right", "right"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).slack(Slack::None);
    /// let model = machine.scale(Scale::Geometric).check()?.fit(&rows, &labels)?;
    /// // Decision values are distances from the line x = 1.5, and the margin is the smallest.
    /// assert!((model.decision_values(&rows)?[3] - 2.5).abs() < 1e-2);
    /// assert!((model.pairs().reports[0].gamma.unwrap() - 1.5).abs() < 1e-2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Whether decision functions have an offset b; default true.
    pub fn offset(mut self, offset: bool) -> Self {
        self.offset = offset;
        self
    }

    /// How the pairs of more than two classes decide; by their votes, unless told otherwise.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::{Decision, Svc};
    /// let rows = Vectors::from_rows(&[[0.0], [5.0], [9.0]])?;
    /// let labels = Labels::from_text(["low", "middle", "top"]);
    /// let machine = Svc::params("gaussian(gamma=0.1)".parse::<Expression>()?).decision(Decision::Graph);
    /// assert_eq!(machine.check()?.fit(&rows, &labels)?.predict_labels(&rows)?, ["low", "middle", "top"]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn decision(mut self, decision: Decision) -> Self {
        self.decision = decision;
        self
    }

    /// Trains probabilities too, which takes five more fits without a fifth of the rows each; see
    /// [`probability`](super::probability). Half of a limit of time is then for them.
    pub fn probability(mut self, kind: impl Into<Option<Probability>>) -> Self {
        self.probability = kind.into();
        self
    }

    /// Whether a pair of classes whose share ν leaves no margin, or is too large for the smaller of them, is accepted; default false, which
    /// refuses it. For models of a part of the rows whose share was chosen for all of them.
    ///
    /// Such a pair says next to nothing: where the reduced convex hulls meet, all its decision values are 0 but for the tolerance; where
    /// ν is too large, all rows of the smaller class have the largest coefficient there is. Folds of [`SvcParams::probability`] always
    /// accept it.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// use mercer::machine::formulation::Slack;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0]])?;
    /// let labels = Labels::from_text(["a", "b", "a", "b"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).slack(Slack::Nu { nu: 0.1 });
    /// assert!(machine.clone().check()?.fit(&rows, &labels).is_err());
    /// let model = machine.accept_no_margin(true).check()?.fit(&rows, &labels)?;
    /// assert!(model.decision_values(&rows)?.iter().all(|value| value.abs() < 1e-2));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn accept_no_margin(mut self, accept: bool) -> Self {
        self.accepts_no_margin = accept;
        self
    }

    fit_options!(options);

    /// Whether there is a cost C: a share ν, or no slack at all, leaves none to choose.
    pub fn has_cost(&self) -> bool {
        !matches!(self.slack, Slack::Nu { .. } | Slack::None)
    }

    /// How it is to be trained.
    pub fn fit_options(&self) -> &FitOptions {
        &self.options
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<Svc<K>> {
        let SvcParams {
            kernel,
            cost,
            class_weights,
            slack,
            scale,
            offset,
            decision,
            probability,
            accepts_no_margin,
            options,
        } = self;
        if let Slack::Nu { nu: value } = slack
            && !(value > 0.0 && value <= 1.0)
        {
            return Err(Error::Parameter { name: "nu", value, expected: "a number above 0, at most 1" });
        }
        if !offset && (scale == Scale::Geometric || matches!(slack, Slack::Nu { .. })) {
            let what =
                "a machine of unit length, or with a share nu, has an offset: one without it can have a cost";
            return Err(Error::Unsupported { what: what.into() });
        }
        if !(cost > 0.0 && cost.is_finite()) {
            return Err(Error::Parameter { name: "cost", value: cost, expected: "a finite number above 0" });
        }
        options.solver.check()?;
        Workers::checked(options.threads)?;
        // A share or no slack at all has no cost, only relations of costs.
        let cost = if matches!(slack, Slack::Nu { .. } | Slack::None) { 1.0 } else { cost };
        Ok(Svc {
            kernel,
            cost,
            class_weights,
            slack,
            scale,
            offset,
            decision,
            probability,
            accepts_no_margin,
            options,
        })
    }
}

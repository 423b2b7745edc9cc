//! Novelty detection: a region of feature space that holds the training items, or all but a share of them.
//!
//! The sphere (Shawe-Taylor & Cristianini, Algorithms 7.2, 7.8 and 7.11; also known as SVDD) and the hyperplane that
//! keeps farthest from the origin (Remark 7.16; the one-class machine of Schölkopf et al.) are one dual problem each:
//!
//! ```text
//! sphere      min over c, r, ξ   r² + Σ Cᵢ ξᵢ       ‖φ(xᵢ) − c‖² ≤ r² + ξᵢ
//!             dual in α          αᵀKα − Σ αᵢ k(xᵢ, xᵢ),       Σα = 1, 0 ≤ αᵢ ≤ Cᵢ,   c = Σ αᵢ φ(xᵢ)
//! hyperplane  min over w, ρ, ξ   ½‖w‖² − ρ + Σ Cᵢ ξᵢ   ⟨w, φ(xᵢ)⟩ ≥ ρ − ξᵢ
//!             dual in α          ½ αᵀKα,                      Σα = 1, 0 ≤ αᵢ ≤ Cᵢ,   w = Σ αᵢ φ(xᵢ)
//! ```
//!
//! Where all k(x, x) are the same, both find the same items novel. The 2-norm variants add a diagonal to K: 1/(4C) for
//! r² + C Σ ξᵢ², 1/C for ½‖w‖² − ρ + C/2 Σ ξᵢ²; it is no part of radius, threshold or scores.
//!
//! The tolerance of the solver is relative to half the squared distance of two items in feature space, as it is between most of
//! them: multiplied kernel values, or linear kernels on other units, give the same region. The certificate is that of the
//! threshold that the model uses, which is larger than the solver's by [`NoveltyModel::edge`].

mod bound;
mod fit;
mod model;
mod region;
mod scale;

pub use bound::FalsePositiveBound;
pub use fit::NoveltyFit;
pub use model::{Found, NoveltyModel};
pub use region::{Region, Softness};

use std::time::Duration;

use super::FitOptions;
use super::options::fit_options;
use crate::error::Result;
use crate::gram::Precision;
use crate::resources::{InstructionSet, Interrupt, Workers};
use crate::solver::{Method, Stop};

/// Parameters of a novelty detector, not yet checked.
#[derive(Clone, Debug)]
pub struct NoveltyParams<K> {
    kernel: K,
    region: Region,
    softness: Softness,
    options: FitOptions,
}

/// A novelty detector with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::{Novelty, Region, Softness};
/// let rows = Vectors::from_rows(&[[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.2, -0.3]])?;
/// let kernel: Expression = "linear".parse()?;
/// let detector = Novelty::params(kernel).region(Region::Sphere).softness(Softness::Hard).check()?;
/// let model = detector.fit(&rows)?;
/// // The smallest circle about these points has its centre at the origin and radius 1.
/// assert!((model.radius().unwrap() - 1.0).abs() < 1e-3);
/// let new = Vectors::from_rows(&[[0.0, 0.9], [2.0, 0.0]])?;
/// assert_eq!(model.is_novel(&new)?, [false, true]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Novelty<K> {
    kernel: K,
    region: Region,
    softness: Softness,
    options: FitOptions,
}

impl<K> Novelty<K> {
    /// Parameters with their defaults: a hyperplane, ν = 0.1.
    pub fn params(kernel: K) -> NoveltyParams<K> {
        let (region, softness) = (Region::Hyperplane, Softness::Nu(0.1));
        NoveltyParams { kernel, region, softness, options: FitOptions::default() }
    }

    /// The kernel, as it was given.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

impl<K> NoveltyParams<K> {
    /// What shape the region has.
    pub fn region(mut self, region: Region) -> Self {
        self.region = region;
        self
    }

    /// How items may lie outside of it.
    pub fn softness(mut self, softness: Softness) -> Self {
        self.softness = softness;
        self
    }

    fit_options!(options);

    /// The same detector with another kernel.
    pub fn with_kernel<L>(self, kernel: L) -> NoveltyParams<L> {
        let NoveltyParams { region, softness, options, .. } = self;
        NoveltyParams { kernel, region, softness, options }
    }

    /// How items may lie outside, as it was said.
    pub fn softness_of(&self) -> Softness {
        self.softness
    }

    /// How it is to be trained.
    pub fn fit_options(&self) -> &FitOptions {
        &self.options
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<Novelty<K>> {
        let NoveltyParams { kernel, region, softness, options } = self;
        softness.check()?;
        options.solver.check()?;
        Workers::checked(options.threads)?;
        Ok(Novelty { kernel, region, softness, options })
    }
}

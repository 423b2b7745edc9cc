//! Kernel canonical correlations: directions in the feature spaces of several views along which they say the same.
//!
//! ```text
//! max over w₁, w₂   cov(⟨w₁, φ₁(x)⟩, ⟨w₂, φ₂(y)⟩)   subject to   (1 − τ) var⟨wᵥ, φᵥ⟩ + τ‖wᵥ‖² = 1
//! ```
//!
//! Where a feature space has as many dimensions as there are items, τ = 0 would find correlations of 1 in anything: τ is what makes them
//! mean something. Of each view a pivoted Cholesky factorisation K ≈ GᵀG gives coordinates, as many as it has rank, and the problem
//! is one of their covariances: O(n · rank²) instead of O(n³), and singular matrices need no care. Of more than two views the
//! sum of all covariances of two is made largest. (F. Bach, M. Jordan: Kernel independent component analysis, JMLR 3 (2002), section 4;
//! D. Hardoon, S. Szedmak, J. Shawe-Taylor: Canonical correlation analysis, Neural Computation 16 (2004).)

mod fit;
mod view;

pub use fit::KernelCcaFit;
pub(super) use view::Coordinates;
pub use view::{CcaView, View};

use super::whole::{MatrixOptions, matrix_options};
use crate::error::{Error, Result};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Parameters of kernel CCA, not yet checked.
#[derive(Clone, Debug)]
pub struct KernelCcaParams {
    components: usize,
    regularisation: f64,
    rank: usize,
    precision: f64,
    options: MatrixOptions,
}

/// Kernel CCA with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::KernelCca;
/// // The second view is the square of the first.
/// let line: Vec<[f64; 1]> = (-10..=10).map(|i| [f64::from(i) / 10.0]).collect();
/// let squares: Vec<[f64; 1]> = line.iter().map(|x| [x[0] * x[0]]).collect();
/// let (x, y) = (Vectors::from_rows(&line)?, Vectors::from_rows(&squares)?);
/// let machine = KernelCca::params().components(1).regularisation(1e-6).check()?;
/// let linear: Expression = "linear".parse()?;
/// let (fit, _) = machine.fit_two((&linear, &x), (&linear, &y))?;
/// // No line tells anything about it; a parabola does.
/// assert!(fit.correlations[0].abs() < 0.01);
/// let square: Expression = "polynomial(degree=2, gamma=1, constant=1)".parse()?;
/// let (fit, (first, second)) = machine.fit_two((&square, &x), (&linear, &y))?;
/// assert!(fit.correlations[0] > 0.999);
/// // What the views say about the same thing goes together, in new items too.
/// let (a, b) = (first.transform(&x)?, second.transform(&y)?);
/// assert!((a[(0, 0)] - b[(0, 0)]).abs() < 0.01);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KernelCca {
    components: usize,
    regularisation: f64,
    rank: usize,
    precision: f64,
    options: MatrixOptions,
}

impl KernelCca {
    /// Parameters with their defaults: two components, τ = 0.1, coordinates of at most 500 dimensions.
    pub fn params() -> KernelCcaParams {
        KernelCcaParams {
            components: 2,
            regularisation: 0.1,
            rank: 500,
            precision: 1e-10,
            options: MatrixOptions::default(),
        }
    }
}

impl KernelCcaParams {
    /// Number of pairs of directions; default 2.
    pub fn components(mut self, count: usize) -> Self {
        self.components = count;
        self
    }

    /// τ between 0 and 1; default 0.1.
    pub fn regularisation(mut self, share: f64) -> Self {
        self.regularisation = share;
        self
    }

    /// Most dimensions of the coordinates of a view; default 500.
    pub fn rank(mut self, most: usize) -> Self {
        self.rank = most;
        self
    }

    /// The share of tr K that coordinates may leave out; default 1e-10.
    pub fn precision(mut self, share: f64) -> Self {
        self.precision = share;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<KernelCca> {
        let KernelCcaParams { components, regularisation, rank, precision, options } = self;
        for (name, value) in [("components", components), ("rank", rank)] {
            if value == 0 {
                return Err(Error::Parameter { name, value: 0.0, expected: "at least 1" });
            }
        }
        for (name, value) in [("regularisation", regularisation), ("precision", precision)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::Parameter { name, value, expected: "a number between 0 and 1" });
            }
        }
        Workers::checked(options.threads)?;
        Ok(KernelCca { components, regularisation, rank, precision, options })
    }
}

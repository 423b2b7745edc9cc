//! Gaussian process regression: ridge regression that knows how sure it is, and that can learn its kernel.
//!
//! ```text
//! f ~ N(0, k),   y = f(x) + noise of variance σ²,   A = K + σ²I,   α = A⁻¹y
//! mean at x:      Σ αᵢ k(xᵢ, x)
//! variance at x:  k(x, x) − k(x)ᵀA⁻¹k(x)
//! log p(y):       −½ yᵀα − ½ ln det A − (n/2) ln 2π
//! ```
//!
//! An item of weight w is w items with the same target: its noise, and that of a `white`, has the variance σ²/w, and log p(y) is that
//! of all of them.
//!
//! (C. E. Rasmussen, C. K. I. Williams: Gaussian processes for machine learning, algorithm 2.1 and equation 5.9; the mean is
//! Shawe-Taylor & Cristianini's Algorithm 7.41 with λ = σ².)

mod box_descent;
mod fit;
mod gradient;
mod laplace;
mod learning;
mod likelihood;
mod low_rank;
mod model;
mod samples;
mod scale;
mod standardize;

pub use gradient::Differentiable;
pub use laplace::{LaplaceClassifier, LaplaceModel, LaplaceParams, LaplacePart};
pub use learning::{LearnedKernel, Learning};
pub use likelihood::LogLikelihood;
pub use low_rank::LowRankReport;
pub use model::{GaussianProcessModel, GaussianProcessReport, UncertainValues};

use super::whole::{MatrixOptions, matrix_options};
use crate::error::{Error, Result};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Parameters of the Gaussian process, not yet checked.
#[derive(Clone, Debug)]
pub struct GaussianProcessParams<K> {
    kernel: K,
    noise: f64,
    normalise: bool,
    learning: Learning,
    rank: Option<usize>,
    options: MatrixOptions,
}

/// The Gaussian process with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::GaussianProcess;
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
/// let machine = GaussianProcess::params("gaussian(gamma=0.5)".parse::<Expression>()?).noise(1e-8).check()?;
/// let model = machine.fit(&rows, &[0.0, 1.0, 0.0])?;
/// let said = model.predict_with_variance(&Vectors::from_rows(&[[1.0], [50.0]])?)?;
/// // It is sure where it has seen something, and knows nothing far away.
/// assert!((said.mean[(0, 0)] - 1.0).abs() < 1e-6 && said.variance[(0, 0)] < 1e-6);
/// assert!(said.mean[(1, 0)].abs() < 1e-6 && (said.variance[(1, 0)] - 1.0).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GaussianProcess<K> {
    kernel: K,
    noise: f64,
    normalise: bool,
    learning: Learning,
    rank: Option<usize>,
    options: MatrixOptions,
}

impl<K> GaussianProcess<K> {
    /// Parameters with their defaults: noise of variance 1e-10, targets as they are.
    pub fn params(kernel: K) -> GaussianProcessParams<K> {
        GaussianProcessParams {
            kernel,
            noise: 1e-10,
            normalise: false,
            learning: Learning::default(),
            rank: None,
            options: MatrixOptions::default(),
        }
    }

    /// The kernel, as it was given.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

impl<K> GaussianProcessParams<K> {
    /// σ²: the variance of the noise, added to the diagonal of K; default 1e-10. To learn it, add `white` to the kernel.
    pub fn noise(mut self, variance: f64) -> Self {
        self.noise = variance;
        self
    }

    /// Whether each output is brought to mean 0 and variance 1 for the training; default false.
    pub fn normalise_targets(mut self, wanted: bool) -> Self {
        self.normalise = wanted;
        self
    }

    /// How the parameters of the kernel are learned by [`GaussianProcess::fit_learned`].
    pub fn learning(mut self, learning: Learning) -> Self {
        self.learning = learning;
        self
    }

    /// Most items that the process is made of, the pivots of a pivoted Cholesky factorisation of K; by default all items while the memory
    /// allows it, and beyond as many as it allows. What is left out counts as noise ("FITC"), and parameters of the kernel are learned
    /// from as many random rows; the report says so.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::GaussianProcess;
    /// let rows = Vectors::from_rows(&(0..100).map(|i| [f64::from(i) / 10.0]).collect::<Vec<_>>())?;
    /// let targets: Vec<f64> = (0..100).map(|i| (f64::from(i) / 10.0).sin()).collect();
    /// let machine = GaussianProcess::params("gaussian(gamma=0.5)".parse::<Expression>()?).noise(1e-4).rank(15).check()?;
    /// let model = machine.fit(&rows, &targets)?;
    /// let found = model.report().low_rank.unwrap();
    /// assert!(found.rank == 15 && found.left_out < 1e-3, "{found:?}");
    /// assert!((model.predict(&Vectors::from_rows(&[[4.05]])?)?[0] - 4.05f64.sin()).abs() < 1e-2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn rank(mut self, most: usize) -> Self {
        self.rank = Some(most);
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<GaussianProcess<K>> {
        let GaussianProcessParams { kernel, noise, normalise, learning, rank, options } = self;
        if !(noise >= 0.0 && noise.is_finite()) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "noise", value: noise, expected });
        }
        if rank == Some(0) {
            return Err(Error::Parameter { name: "rank", value: 0.0, expected: "at least 1" });
        }
        Workers::checked(options.threads)?;
        Ok(GaussianProcess { kernel, noise, normalise, learning, rank, options })
    }
}

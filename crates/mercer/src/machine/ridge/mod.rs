//! Kernel ridge regression: least squares with a penalty for large functions.
//!
//! ```text
//! min over f   Σ wᵢ (yᵢ − f(xᵢ))² + λ‖f‖²,   f(x) = Σ βᵢ k(xᵢ, x) [+ b]
//! ```
//!
//! The solution is that of a linear system (W = diag(w); items of weight 0 have β = 0):
//!
//! ```text
//! (K + λW⁻¹)β + b1 = y,   1ᵀβ = 0        with an offset
//! (K + λW⁻¹)β = y                         without
//! ```
//!
//! (Shawe-Taylor & Cristianini, Algorithm 7.41. It is the mean of a Gaussian process with noise of variance λ.)

mod fit;
mod model;
mod path;
mod system;

pub use fit::RidgeFit;
pub use model::RidgeModel;
pub use path::{PathPoint, RidgePath};
pub use system::{RidgeMethod, RidgeReport};

use super::whole::{MatrixOptions, matrix_options};
use crate::error::{Error, Result};
use crate::linalg::ConjugateSettings;
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Parameters of the ridge regression, not yet checked.
#[derive(Clone, Debug)]
pub struct RidgeParams<K> {
    kernel: K,
    lambdas: Vec<f64>,
    offset: bool,
    left_out: bool,
    method: RidgeMethod,
    conjugate: ConjugateSettings,
    options: MatrixOptions,
}

/// The ridge regression with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::Ridge;
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
/// let machine = Ridge::params("linear".parse::<Expression>()?).lambda(1.0).check()?;
/// let model = machine.fit(&rows, &[0.0, 1.0, 2.0])?;
/// // w = Σxy / (Σx² + λ) = 5/6
/// assert!((model.predict(&rows)?[2] - 2.0 * 5.0 / 6.0).abs() < 1e-14);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ridge<K> {
    kernel: K,
    lambdas: Vec<f64>,
    offset: bool,
    left_out: bool,
    method: RidgeMethod,
    conjugate: ConjugateSettings,
    options: MatrixOptions,
}

impl<K> Ridge<K> {
    /// Parameters with their defaults: λ = 1, no offset.
    pub fn params(kernel: K) -> RidgeParams<K> {
        RidgeParams {
            kernel,
            lambdas: vec![1.0],
            offset: false,
            left_out: false,
            method: RidgeMethod::Automatic,
            conjugate: ConjugateSettings::default(),
            options: MatrixOptions::default(),
        }
    }

    /// The kernel, as it was given.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }

    /// How it is trained.
    pub fn options(&self) -> &MatrixOptions {
        &self.options
    }

    /// The same machine with another kernel, or none for training on a Gram matrix.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Ridge;
    /// let machine = Ridge::params("linear".parse::<Expression>()?).check()?;
    /// assert_eq!(machine.with_kernel(()).kernel(), &());
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn with_kernel<L>(self, kernel: L) -> Ridge<L> {
        let Ridge { lambdas, offset, left_out, method, conjugate, options, .. } = self;
        Ridge { kernel, lambdas, offset, left_out, method, conjugate, options }
    }
}

impl<K> RidgeParams<K> {
    /// Another kernel.
    pub fn kernel(mut self, kernel: K) -> Self {
        self.kernel = kernel;
        self
    }

    /// λ: what a unit of ‖f‖² costs, for all outputs; default 1. With 0 the function passes through all targets if it can.
    pub fn lambda(mut self, lambda: f64) -> Self {
        self.lambdas = vec![lambda];
        self
    }

    /// A λ for each output.
    pub fn lambdas(mut self, lambdas: Vec<f64>) -> Self {
        self.lambdas = lambdas;
        self
    }

    /// Whether f has an offset b, which costs nothing; default false.
    pub fn offset(mut self, offset: bool) -> Self {
        self.offset = offset;
        self
    }

    /// Whether what is predicted for each item without it is computed too, in closed form; default false.
    pub fn leave_one_out(mut self, wanted: bool) -> Self {
        self.left_out = wanted;
        self
    }

    /// How the system is solved; by default by factorisation while the memory allows it, and by conjugate gradients beyond.
    pub fn method(mut self, method: RidgeMethod) -> Self {
        self.method = method;
        self
    }

    /// When conjugate gradients are done.
    pub fn conjugate(mut self, settings: ConjugateSettings) -> Self {
        self.conjugate = settings;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<Ridge<K>> {
        let RidgeParams { kernel, lambdas, offset, left_out, method, conjugate, options } = self;
        if lambdas.is_empty() {
            return Err(Error::Empty { what: "values of lambda" });
        }
        if let Some(&value) = lambdas.iter().find(|lambda| !(**lambda >= 0.0 && lambda.is_finite())) {
            return Err(Error::Parameter {
                name: "lambda",
                value,
                expected: "a finite number of at least 0",
            });
        }
        let tolerance = conjugate.tolerance;
        if !(tolerance > 0.0 && tolerance < 1.0) {
            let expected = "a number between 0 and 1";
            return Err(Error::Parameter { name: "tolerance", value: tolerance, expected });
        }
        Workers::checked(options.threads)?;
        Ok(Ridge { kernel, lambdas, offset, left_out, method, conjugate, options })
    }
}

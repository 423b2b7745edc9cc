//! Kernel principal components: the directions of feature space along which the items vary most.
//!
//! ```text
//! K̃ = HKH,  H = I − 11ᵀ/n,   K̃v = λv,   α = v/√λ
//! component of x:  Σ αᵢ k̃(xᵢ, x),   k̃(x, z) = ⟨φ(x) − mean, φ(z) − mean⟩
//! ```
//!
//! As 1ᵀα = 0, the component of x is Σ αᵢ k(xᵢ, x) − Σ αᵢ mᵢ with the row means m of K: centring costs an offset and no more.
//! (B. Schölkopf, A. Smola, K.-R. Müller: Nonlinear component analysis as a kernel eigenvalue problem, Neural Computation 10 (1998);
//! Cristianini & Shawe-Taylor, section 5.4.)

mod fit;
mod model;
mod pre_image;

pub use fit::KernelPcaFit;
pub use model::KernelPcaModel;
pub use pre_image::PreImages;

use super::whole::{MatrixOptions, matrix_options};
use crate::error::{Error, Result};
use crate::linalg::LeadingSettings;
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Parameters of kernel PCA, not yet checked.
#[derive(Clone, Debug)]
pub struct KernelPcaParams<K> {
    kernel: K,
    components: Option<usize>,
    leading: LeadingSettings,
    seed: u64,
    options: MatrixOptions,
}

/// Kernel PCA with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::KernelPca;
/// let rows = Vectors::from_rows(&[[0.0, 0.1], [1.0, 0.9], [2.0, 2.1], [3.0, 2.9]])?;
/// let model = KernelPca::params("linear".parse::<Expression>()?).components(1).check()?.fit(&rows)?;
/// // Nearly all of the variance is along the diagonal.
/// assert!(model.explained_ratios()[0] > 0.99);
/// let along = model.transform(&rows)?;
/// assert!((along[(3, 0)] - along[(0, 0)]).abs() > 4.0);
/// // What the component leaves of a row that is far off the diagonal is its score as a novelty.
/// let new = Vectors::from_rows(&[[1.5, 1.5], [3.0, 0.0]])?;
/// let errors = model.reconstruction_errors(&new)?;
/// assert!(errors[0] < 0.01 && (errors[1] - 4.5).abs() < 0.1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KernelPca<K> {
    kernel: K,
    components: Option<usize>,
    leading: LeadingSettings,
    seed: u64,
    options: MatrixOptions,
}

impl<K> KernelPca<K> {
    /// Parameters with their defaults: as many components as the matrix has rank.
    pub fn params(kernel: K) -> KernelPcaParams<K> {
        KernelPcaParams {
            kernel,
            components: None,
            leading: LeadingSettings::default(),
            seed: 0,
            options: MatrixOptions::default(),
        }
    }

    /// The kernel, as it was given.
    pub fn kernel(&self) -> &K {
        &self.kernel
    }
}

impl<K> KernelPcaParams<K> {
    /// Number of components; where the rank is less, there are no more than it.
    pub fn components(mut self, count: usize) -> Self {
        self.components = Some(count);
        self
    }

    /// When an eigenvalue counts as found, where not all of them are looked for.
    pub fn leading(mut self, settings: LeadingSettings) -> Self {
        self.leading = settings;
        self
    }

    /// Seed of the vectors that the search for eigenvalues begins with.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<KernelPca<K>> {
        let KernelPcaParams { kernel, components, leading, seed, options } = self;
        if components == Some(0) {
            return Err(Error::Parameter { name: "components", value: 0.0, expected: "at least 1" });
        }
        if !(leading.tolerance > 0.0 && leading.tolerance < 1.0) {
            let expected = "a number between 0 and 1";
            return Err(Error::Parameter { name: "tolerance", value: leading.tolerance, expected });
        }
        Workers::checked(options.threads)?;
        Ok(KernelPca { kernel, components, leading, seed, options })
    }
}

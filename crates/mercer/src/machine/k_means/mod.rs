//! Kernel k-means: clusters about means in feature space.
//!
//! ```text
//! min over clusters   Σ ‖φ(xᵢ) − m(cluster of i)‖²,   m(c) = mean of φ(x) over c
//! ‖φ(x) − m(c)‖² = k(x, x) − 2 mean k(x, c) + mean k(c, c)
//! ```
//!
//! Items go to the nearest mean and means follow, until nothing moves (Lloyd). Every round lowers the sum of squares, but the end depends on
//! the start: k-means++ draws one, and the best of several restarts counts. (I. Dhillon, Y. Guan, B. Kulis: Kernel k-means, spectral
//! clustering and normalized cuts, KDD 2004; D. Arthur, S. Vassilvitskii: k-means++, SODA 2007.)

mod fit;
mod lloyd;
mod start;

pub use fit::{KMeansFit, KernelKMeansModel};
pub use lloyd::{RowClusters, RowKMeans};

use super::whole::{MatrixOptions, matrix_options};
use crate::error::{Error, Result};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// Parameters of kernel k-means, not yet checked.
#[derive(Clone, Debug)]
pub struct KernelKMeansParams<K> {
    kernel: K,
    clusters: usize,
    restarts: usize,
    max_rounds: usize,
    seed: u64,
    options: MatrixOptions,
}

/// Kernel k-means with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::machine::KernelKMeans;
/// let rows = Vectors::from_rows(&[[0.0], [0.2], [5.0], [5.1], [9.0], [9.3]])?;
/// let machine = KernelKMeans::params("linear".parse::<Expression>()?, 3).check()?;
/// let model = machine.fit(&rows)?;
/// let found = model.fit().clusters.clone();
/// assert!(found[0] == found[1] && found[2] == found[3] && found[4] == found[5]);
/// // Half the squared distance within each pair.
/// assert!((model.fit().inertia - (0.02 + 0.005 + 0.045)).abs() < 1e-12);
/// assert_eq!(model.predict(&Vectors::from_rows(&[[4.0]])?)?, [found[2]]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KernelKMeans<K> {
    kernel: K,
    clusters: usize,
    restarts: usize,
    max_rounds: usize,
    seed: u64,
    options: MatrixOptions,
}

impl<K> KernelKMeans<K> {
    /// Parameters with their defaults: the best of ten starts, at most 300 rounds each.
    pub fn params(kernel: K, clusters: usize) -> KernelKMeansParams<K> {
        let options = MatrixOptions::default();
        KernelKMeansParams { kernel, clusters, restarts: 9, max_rounds: 300, seed: 0, options }
    }
}

impl<K> KernelKMeansParams<K> {
    /// Starts beyond the first, the best of which counts; default 9.
    pub fn restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts;
        self
    }

    /// Most rounds of each start; default 300.
    pub fn max_rounds(mut self, rounds: usize) -> Self {
        self.max_rounds = rounds;
        self
    }

    /// Seed of the starts.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<KernelKMeans<K>> {
        let KernelKMeansParams { kernel, clusters, restarts, max_rounds, seed, options } = self;
        for (name, value) in [("clusters", clusters), ("max_rounds", max_rounds)] {
            if value == 0 {
                return Err(Error::Parameter { name, value: 0.0, expected: "at least 1" });
            }
        }
        Workers::checked(options.threads)?;
        Ok(KernelKMeans { kernel, clusters, restarts, max_rounds, seed, options })
    }
}

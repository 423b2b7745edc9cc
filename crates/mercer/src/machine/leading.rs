//! The largest eigenvalues of a kernel matrix: by a search, or all of them where the search does not converge.

use super::whole::bytes;
use crate::data::Random;
use crate::error::{Error, Result};
use crate::linalg::{LeadingEigen, LeadingSettings, Matrix};
use crate::resources::Workers;

/// Vectors beyond those that are looked for: with them the others are found sooner.
pub(super) const MORE: usize = 10;

/// A search for the `count` largest eigenvalues of a matrix that is known by its products.
pub(super) struct Search {
    pub count: usize,
    pub seed: u64,
    pub settings: LeadingSettings,
    /// Most products where all eigenvalues could be computed instead.
    pub worth_searching: usize,
    /// Bytes that it takes to compute all of them, and bytes there are.
    pub needed: u64,
    pub allowed: u64,
    /// What to do where there is not the memory.
    pub instead: &'static str,
}

impl Search {
    /// For a matrix of `n` rows, `copies` of which are held where all eigenvalues are computed.
    pub fn new(count: usize, n: usize, copies: u64, allowed: u64) -> Self {
        Search {
            count,
            seed: 0,
            settings: LeadingSettings::default(),
            worth_searching: usize::MAX,
            needed: bytes(copies, n),
            allowed,
            instead: "allow more memory, or ask for fewer components",
        }
    }

    /// What the search finds; `None` where it does not converge and there is the memory for all eigenvalues. Those of a narrow
    /// kernel are so near to each other that a search takes longer than to compute them all.
    ///
    /// # Errors
    /// [`Error::Budget`] where there is not the memory, and those of `multiply`.
    pub fn run(
        &self,
        n: usize,
        multiply: &dyn Fn(&Matrix) -> Result<Matrix>,
        workers: &Workers,
    ) -> Result<Option<LeadingEigen>> {
        let has_room = self.needed <= self.allowed;
        let mut random = Random::new(self.seed);
        let start = Matrix::from_fn((self.count + MORE).min(n), n, |_, _| random.normal());
        let most = if has_room { self.worth_searching } else { usize::MAX };
        let max_iterations = self.settings.max_iterations.min(most);
        let settings = LeadingSettings { max_iterations, ..self.settings };
        match LeadingEigen::new(start, self.count, &settings, multiply, workers) {
            Err(Error::NoConvergence { .. }) if has_room => Ok(None),
            Err(Error::NoConvergence { .. }) => Err(Error::Budget {
                what: "all eigenvalues of K, since the search for the largest did not converge",
                needed: self.needed,
                allowed: self.allowed,
                instead: self.instead,
            }),
            found => found.map(Some),
        }
    }
}

//! Complete subtrees in common.

use serde::{Deserialize, Serialize};

use crate::data::{Tree, bracketed};
use crate::error::{Error, Result};
use crate::kernel::{FeatureMap, check, kernel_by_features};

/// The subtree kernel: nodes with all that is below them.
///
/// k(x, z) = Σ_t decay^|t| c_t(x) c_t(z), where t goes over all ordered trees, c_t(x) is the number of nodes of x whose
/// complete subtree is t, and |t| the number of its nodes. With [`at_least`](Subtree::at_least) only subtrees of so many nodes
/// count; of 2, for example, words alone do not. A tree with fewer nodes has length 0.
///
/// The features are the subtrees in brackets. O(Σ |t| over the nodes) per tree, which is nodes × depth at most, then
/// the inner product of sparse rows.
///
/// ```
/// use mercer::data::Tree;
/// use mercer::kernel::{Kernel, tree::Subtree};
/// let (x, z): (Tree, Tree) = ("(NP (D the) (N dog))".parse()?, "(NP (D the) (N cat))".parse()?);
/// // `the` and `(D the)`
/// assert_eq!(Subtree::new(1.0)?.eval(&x, &z), 2.0);
/// assert_eq!(Subtree::new(0.25)?.eval(&x, &z), 0.25 + 0.0625);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// S. V. N. Vishwanathan & A. J. Smola, *Fast kernels for string and tree matching*, NIPS 2002.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subtree {
    #[serde(deserialize_with = "check::serde_with::decay")]
    decay: f64,
    least: usize,
}

/// Letters of all features of one tree; deeper trees are refused.
const MOST_LETTERS: u64 = 1 << 28;

impl Subtree {
    /// A subtree of n nodes counts decayⁿ; above 0, at most 1.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn new(decay: f64) -> Result<Self> {
        Ok(Subtree { decay: check::decay("decay", decay)?, least: 1 })
    }

    /// The same, of subtrees with so many nodes at least.
    pub fn at_least(self, nodes: usize) -> Self {
        Subtree { least: nodes, ..self }
    }

    /// What a node counts.
    pub fn decay(&self) -> f64 {
        self.decay
    }

    /// The number of nodes from which subtrees count.
    pub fn least(&self) -> usize {
        self.least
    }
}

impl FeatureMap<Tree> for Subtree {
    /// The subtree in brackets.
    type Feature = String;

    fn features(&self, tree: &Tree) -> Result<Vec<(String, f64)>> {
        let (text, places) = bracketed(tree);
        let counted = |&node: &usize| tree.size(node) >= self.least;
        let needed: u64 = (0..tree.nodes()).filter(counted).map(|node| places[node].len() as u64).sum();
        if needed > MOST_LETTERS {
            return Err(Error::Budget {
                what: "the list of the subtrees of a deep tree",
                needed,
                allowed: MOST_LETTERS,
                instead: "use a kernel that compares nodes, such as SubsetTree",
            });
        }
        let feature = |node: usize| {
            let part = &text[places[node].clone()];
            // A leaf has brackets or none, depending on where it stands.
            let name = if part.starts_with('(') { part.into() } else { format!("({part})") };
            (name, self.decay.powf(tree.size(node) as f64 / 2.0))
        };
        Ok((0..tree.nodes()).filter(counted).map(feature).collect())
    }
}

kernel_by_features!(Subtree, Tree);

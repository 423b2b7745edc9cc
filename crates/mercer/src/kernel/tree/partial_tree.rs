//! Fragments in common that may leave children out.

use serde::{Deserialize, Serialize};

use crate::data::Tree;
use crate::error::Result;
use crate::kernel::tree::NodeClasses;
use crate::kernel::tree::node_pairs::NodePairs;
use crate::kernel::{DigestKernel, check, kernel_by_digests};

/// The partial tree kernel: fragments in which a node has any of its children.
///
/// k(x, z) = Σ Δ(i, j) over all pairs of nodes, leaves included. Δ(i, j) = 0 if their labels differ, otherwise
///
/// Δ(i, j) = μ (λ² + Σ λ^(d(I) + d(J)) Π Δ(i_{Iₖ}, j_{Jₖ}))
///
/// over all pairs of subsequences I, J of their children of equal length, where d(I) is the distance from the first to the last
/// child of I, both counted. So λ, `decay`, is for the width of fragments and gaps in them, and μ, `depth_decay`, for their
/// nodes. Both are above 0 and at most 1; 0.4 is usual for both. It fits dependency trees and others
/// whose nodes have no fixed number of children.
///
/// O(Σ children of i × children of j over the pairs of nodes with the same label) per pair.
///
/// ```
/// use mercer::data::Tree;
/// use mercer::kernel::{Kernel, tree::PartialTree};
/// let (x, z): (Tree, Tree) = ("(NP the old dog)".parse()?, "(NP the dog)".parse()?);
/// // the, dog, NP, (NP the), (NP dog), (NP the dog)
/// assert_eq!(PartialTree::new(1.0, 1.0)?.eval(&x, &z), 6.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// A. Moschitti, *Efficient convolution kernels for dependency and constituent syntactic trees*, ECML 2006.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartialTree {
    #[serde(deserialize_with = "check::serde_with::decay")]
    decay: f64,
    #[serde(deserialize_with = "check::serde_with::decay")]
    depth_decay: f64,
}

impl PartialTree {
    /// With λ for widths and gaps and μ for nodes.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) unless both are above 0 and at most 1.
    pub fn new(decay: f64, depth_decay: f64) -> Result<Self> {
        Ok(PartialTree {
            decay: check::decay("decay", decay)?,
            depth_decay: check::decay("depth_decay", depth_decay)?,
        })
    }

    /// λ
    pub fn decay(&self) -> f64 {
        self.decay
    }

    /// μ
    pub fn depth_decay(&self) -> f64 {
        self.depth_decay
    }

    /// Σ λ^(d(I) + d(J)) Π Δ over all pairs of subsequences.
    ///
    /// With T(a, b) for those that end with children a and b, T(a, b) = λ² Δ(a, b) (1 + R(a − 1, b − 1)), where
    /// R(a, b) = Σ λ^((a − a′) + (b − b′)) T(a′, b′) over a′ ≤ a, b′ ≤ b is made of sums Q along a row:
    /// Q(a, b) = T(a, b) + λ Q(a, b − 1) and R(a, b) = Q(a, b) + λ R(a − 1, b).
    fn subsequences(&self, pairs: &NodePairs<'_>, x: &[u32], z: &[u32]) -> f64 {
        let mut above = vec![0.0; z.len()];
        let mut total = 0.0;
        for &i in x {
            // R(a − 1, b − 1) and Q(a, b − 1)
            let (mut corner, mut along) = (0.0, 0.0);
            for (&j, above) in z.iter().zip(&mut above) {
                let ending = self.decay * self.decay * pairs.value(i, j) * (1.0 + corner);
                total += ending;
                along = ending + self.decay * along;
                corner = *above;
                *above = along + self.decay * *above;
            }
        }
        total
    }
}

impl DigestKernel<Tree> for PartialTree {
    /// Nodes by their labels.
    type Digest = NodeClasses;

    fn digest(&self, tree: &Tree) -> Result<NodeClasses> {
        NodeClasses::new(tree, |node| Some(tree.label(node).into()))
    }

    fn compare(&self, x: &NodeClasses, z: &NodeClasses) -> f64 {
        NodePairs::sum(x, z, |pairs, i, j| {
            let below = self.subsequences(pairs, pairs.x.children(i), pairs.z.children(j));
            self.depth_decay * (self.decay * self.decay + below)
        })
    }
}

kernel_by_digests!(PartialTree, Tree);

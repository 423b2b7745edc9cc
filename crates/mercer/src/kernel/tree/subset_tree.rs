//! Fragments in common that keep productions whole.

use serde::{Deserialize, Serialize};

use crate::data::Tree;
use crate::error::Result;
use crate::kernel::tree::NodeClasses;
use crate::kernel::tree::node_pairs::NodePairs;
use crate::kernel::{DigestKernel, check, kernel_by_digests};

/// The subset tree kernel: fragments in which a node has all of its children or none of them.
///
/// k(x, z) = Σ_f decay^|f| c_f(x) c_f(z), where f goes over all trees with two nodes at least, c_f(x) is the number of
/// ways in which f is a fragment of x, and |f| the number of nodes of f that have children. It is Σ Δ(i, j) over all pairs
/// of nodes, with Δ(i, j) = decay · Π (1 + Δ(iₖ, jₖ)) over their children iₖ, jₖ if i and j have children, the same label and
/// children of the same labels in the same order (the same *production*), and 0 otherwise. Without a decay, 1, the kernel
/// is dominated by the largest fragments; 0.4 is usual for parse trees. A tree of one node has length 0.
///
/// O(pairs of nodes with the same production) per pair, O(nodes log nodes) per tree.
///
/// ```
/// use mercer::data::Tree;
/// use mercer::kernel::{Kernel, tree::SubsetTree};
/// let (x, z): (Tree, Tree) = ("(NP (D the) (N dog))".parse()?, "(NP (D the) (N cat))".parse()?);
/// // (NP D N), (D the) and (NP (D the) N), which has two productions
/// assert_eq!(SubsetTree::new(0.5)?.eval(&x, &z), 0.5 + 0.5 + 0.25);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// M. Collins & N. Duffy, *Convolution kernels for natural language*, NIPS 2001. A. Moschitti, *Making tree kernels practical
/// for natural language learning*, EACL 2006.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubsetTree {
    #[serde(deserialize_with = "check::serde_with::decay")]
    decay: f64,
}

impl SubsetTree {
    /// A fragment of n productions counts decayⁿ; above 0, at most 1.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter).
    pub fn new(decay: f64) -> Result<Self> {
        Ok(SubsetTree { decay: check::decay("decay", decay)? })
    }

    /// What a production counts.
    pub fn decay(&self) -> f64 {
        self.decay
    }
}

impl DigestKernel<Tree> for SubsetTree {
    /// Nodes by their productions.
    type Digest = NodeClasses;

    fn digest(&self, tree: &Tree) -> Result<NodeClasses> {
        NodeClasses::new(tree, |node| (!tree.is_leaf(node)).then(|| production(tree, node)))
    }

    fn compare(&self, x: &NodeClasses, z: &NodeClasses) -> f64 {
        NodePairs::sum(x, z, |pairs, i, j| {
            let children = pairs.x.children(i).iter().zip(pairs.z.children(j));
            children.fold(self.decay, |product, (&a, &b)| product * (1.0 + pairs.value(a, b)))
        })
    }
}

/// The labels of a node and of its children, each with its length in front, so that different ones differ.
fn production(tree: &Tree, node: usize) -> String {
    let mut text = String::new();
    for member in std::iter::once(node).chain(tree.children(node)) {
        let label = tree.label(member);
        text.push_str(&label.len().to_string());
        text.push(':');
        text.push_str(label);
    }
    text
}

kernel_by_digests!(SubsetTree, Tree);

//! Kernels on ordered labelled trees, one per file: how many pieces do two trees have in common?
//!
//! They differ in what a piece is. [`Subtree`]: a node with all that is below it. [`SubsetTree`]: a node with all of its
//! children or none of them, and so on downwards. [`PartialTree`]: a node with some of its children, and so on. Each has more
//! pieces than the one before. [`Normalised`](crate::kernel::Normalised) takes the size of the trees out.

mod node_pairs;
mod partial_tree;
mod subset_tree;
mod subtree;

pub use node_pairs::NodeClasses;
pub use partial_tree::PartialTree;
pub use subset_tree::SubsetTree;
pub use subtree::Subtree;

//! Kernels on graphs: two graphs are alike if they have many parts in common.
//!
//! | kernel | parts |
//! |---|---|
//! | [`VertexHistogram`] | labels of nodes |
//! | [`EdgeHistogram`] | labels of edges, or of edges and their ends |
//! | [`WeisfeilerLehman`] | subtrees: labels refined by those of the neighbours |
//! | [`OptimalAssignment`] | the same, each part of one graph matched with one of the other |
//! | [`ShortestPath`] | pairs of nodes and their distance |
//! | [`RandomWalk`], [`LabelledRandomWalk`] | walks |
//! | [`Graphlets`] | induced subgraphs of three to five nodes |
//! | [`Propagation`] | distributions of labels that spread along the edges |
//!
//! Values do not depend on the order of nodes and edges (except by rounding, and where parts are drawn at random). Nodes
//! without labels are all alike, and so are edges without; no label is equal to none. A graph without nodes has the value 0
//! with every graph. A value that cannot be computed is an error in bulk and NaN by [`Kernel::eval`](crate::kernel::Kernel::eval).
//!
//! ```
//! use mercer::data::Graph;
//! use mercer::kernel::{Kernel, graph::WeisfeilerLehman};
//! let path = Graph::undirected(3, &[(0, 1), (1, 2)])?;
//! let triangle = Graph::undirected(3, &[(0, 1), (1, 2), (2, 0)])?;
//! // Nine pairs of nodes are alike before refinement, three (those with two neighbours) after it.
//! assert_eq!(WeisfeilerLehman::new(1)?.eval(&path, &triangle), 9.0 + 3.0);
//! # Ok::<(), mercer::Error>(())
//! ```

mod edge_histogram;
mod graphlets;
mod hash;
mod labelled_random_walk;
mod optimal_assignment;
mod propagation;
mod random_walk;
mod refinement;
mod series;
mod shortest_path;
mod spectral_radius;
mod vertex_histogram;
mod weisfeiler_lehman;

pub use edge_histogram::{EdgeHistogram, EdgeKind};
pub use graphlets::{Counting, Graphlets};
pub use labelled_random_walk::{LabelledRandomWalk, Walkable};
pub use optimal_assignment::OptimalAssignment;
pub use propagation::{Preserved, Propagation};
pub use random_walk::RandomWalk;
pub use shortest_path::{Distance, ShortestPath};
pub use vertex_histogram::VertexHistogram;
pub use weisfeiler_lehman::WeisfeilerLehman;

/// [`Kernel`](crate::kernel::Kernel) on graphs by the features or by the digests of a kernel.
macro_rules! graph_kernel {
    ($kernel:ty, $by:path) => {
        impl crate::kernel::Kernel<crate::data::Graph> for $kernel {
            fn eval(&self, x: &crate::data::Graph, z: &crate::data::Graph) -> f64 {
                $by(self, x, z).unwrap_or(f64::NAN)
            }

            fn try_eval(&self, x: &crate::data::Graph, z: &crate::data::Graph) -> crate::error::Result<f64> {
                $by(self, x, z)
            }

            fn try_eval_diagonal(&self, x: &crate::data::Graph) -> crate::error::Result<f64> {
                $by(self, x, x)
            }
        }
    };
}
use graph_kernel;

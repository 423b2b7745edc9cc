//! How many edges have which label.

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use crate::data::{Graph, GraphLabel};
use crate::error::Result;
use crate::kernel::{FeatureMap, eval_features};

/// The inner product of the histograms of edge labels.
///
/// k(G, H) = Σ_ℓ m_ℓ(G) m_ℓ(H), where m_ℓ is the number of edges of kind ℓ: their label, or with
/// [`EdgeHistogram::with_ends`] also the labels of the two nodes (in either order if the graph is not directed). Every edge
/// counts once, parallel ones and loops as others. O(edges of both graphs) per pair.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::EdgeHistogram};
/// let ethanol = Graph::undirected(3, &[(0, 1), (1, 2)])?.with_node_labels(["C", "C", "O"])?;
/// let methanol = Graph::undirected(2, &[(0, 1)])?.with_node_labels(["O", "C"])?;
/// assert_eq!(EdgeHistogram::new().eval(&ethanol, &methanol), 2.0);
/// assert_eq!(EdgeHistogram::new().with_ends(true).eval(&ethanol, &methanol), 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// M. Sugiyama, K. Borgwardt: Halting in random walk kernels, NIPS 2015.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeHistogram {
    ends: bool,
}

/// What edges must have in common to be counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeKind {
    /// The label of the edge.
    pub label: Option<GraphLabel>,
    /// The labels of its nodes, where they count: in ascending order if the graph is not directed.
    pub ends: Option<[Option<GraphLabel>; 2]>,
}

impl EdgeHistogram {
    /// Edges are alike if their labels are.
    pub fn new() -> Self {
        EdgeHistogram { ends: false }
    }

    /// Whether the labels of both nodes must be alike too.
    pub fn with_ends(self, ends: bool) -> Self {
        EdgeHistogram { ends }
    }

    /// Whether the labels of both nodes must be alike too.
    pub fn ends(&self) -> bool {
        self.ends
    }

    fn kind(&self, graph: &Graph, edge: usize) -> EdgeKind {
        let ends = self.ends.then(|| {
            let (from, to) = graph.ends(edge);
            let mut ends = [graph.node_label(from).cloned(), graph.node_label(to).cloned()];
            if !graph.is_directed() {
                ends.sort();
            }
            ends
        });
        EdgeKind { label: graph.edge_label(edge).cloned(), ends }
    }
}

impl FeatureMap<Graph> for EdgeHistogram {
    type Feature = EdgeKind;

    fn features(&self, graph: &Graph) -> Result<Vec<(EdgeKind, f64)>> {
        Ok((0..graph.edges()).map(|edge| (self.kind(graph, edge), 1.0)).collect())
    }
}

graph_kernel!(EdgeHistogram, eval_features);

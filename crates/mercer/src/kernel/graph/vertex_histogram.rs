//! How many nodes have which label.

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use crate::data::{Graph, GraphLabel};
use crate::error::Result;
use crate::kernel::{FeatureMap, eval_features};

/// The inner product of the histograms of node labels.
///
/// k(G, H) = Σ_ℓ n_ℓ(G) n_ℓ(H), where n_ℓ is the number of nodes with label ℓ: the number of pairs of nodes with the same
/// label. O(nodes of both graphs) per pair.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::VertexHistogram};
/// let ethanol = Graph::undirected(3, &[(0, 1), (1, 2)])?.with_node_labels(["C", "C", "O"])?;
/// let methanol = Graph::undirected(2, &[(0, 1)])?.with_node_labels(["C", "O"])?;
/// assert_eq!(VertexHistogram.eval(&ethanol, &methanol), 3.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// M. Sugiyama, K. Borgwardt: Halting in random walk kernels, NIPS 2015.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VertexHistogram;

impl FeatureMap<Graph> for VertexHistogram {
    type Feature = Option<GraphLabel>;

    fn features(&self, graph: &Graph) -> Result<Vec<(Self::Feature, f64)>> {
        Ok(match graph.node_labels() {
            Some(labels) => labels.iter().map(|label| (Some(label.clone()), 1.0)).collect(),
            None => vec![(None, graph.nodes() as f64)],
        })
    }
}

graph_kernel!(VertexHistogram, eval_features);

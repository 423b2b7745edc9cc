//! Subtrees in common.

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use super::refinement::Refinement;
use crate::data::Graph;
use crate::error::{Error, Result};
use crate::kernel::{FeatureMap, check, eval_features};

/// The Weisfeiler–Lehman subtree kernel.
///
/// k(G, H) = Σᵢ wᵢ Σ_ℓ nᵢ,ℓ(G) nᵢ,ℓ(H) over the levels i = 0, …, h, where nᵢ,ℓ is the number of nodes whose label after i rounds
/// of refinement is ℓ. A round gives each node a new label, which stands for its own and the multiset of those of its
/// neighbours (along outgoing edges, if the graph is directed): after i rounds two nodes have the same label if the trees of
/// walks of length i from them are the same. All wᵢ are 1 unless [`WeisfeilerLehman::with_level_weights`] says otherwise.
///
/// A parallel edge counts its neighbour once more, a loop makes a node its own neighbour; weights of edges are not looked
/// at, labels of edges if asked for. Labels are refined to 128-bit names: among n of them, two different ones are the
/// same by chance with a probability of about n²/2¹²⁹. O(h · edges) per graph, O(different labels) per pair.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::WeisfeilerLehman};
/// let ethanol = Graph::undirected(3, &[(0, 1), (1, 2)])?.with_node_labels(["C", "C", "O"])?;
/// let methanol = Graph::undirected(2, &[(0, 1)])?.with_node_labels(["C", "O"])?;
/// // Level 0: two pairs of C, one of O. Level 1: the O next to a C.
/// assert_eq!(WeisfeilerLehman::new(0)?.eval(&ethanol, &methanol), 3.0);
/// assert_eq!(WeisfeilerLehman::new(1)?.eval(&ethanol, &methanol), 4.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// N. Shervashidze, P. Schweitzer, E. J. van Leeuwen, K. Mehlhorn, K. Borgwardt: Weisfeiler–Lehman graph kernels, Journal of
/// Machine Learning Research 12 (2011).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct WeisfeilerLehman {
    refinement: Refinement,
    level_weights: Option<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
struct Plain {
    refinement: Refinement,
    level_weights: Option<Vec<f64>>,
}

impl WeisfeilerLehman {
    /// With h rounds of refinement.
    ///
    /// # Errors
    /// [`Error::Parameter`] for more than 1000.
    pub fn new(iterations: u32) -> Result<Self> {
        Ok(WeisfeilerLehman { refinement: Refinement::new(iterations)?, level_weights: None })
    }

    /// The same with the weights w₀, …, w_h of the levels.
    ///
    /// ```
    /// use mercer::data::Graph;
    /// use mercer::kernel::{Kernel, graph::WeisfeilerLehman};
    /// let edge = Graph::undirected(2, &[(0, 1)])?;
    /// let kernel = WeisfeilerLehman::new(1)?.with_level_weights(vec![1.0, 0.25])?;
    /// assert_eq!(kernel.eval(&edge, &edge), 4.0 + 0.25 * 4.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one per level, [`Error::Parameter`] for one that is negative or not finite.
    pub fn with_level_weights(mut self, weights: Vec<f64>) -> Result<Self> {
        let expected = self.iterations() as usize + 1;
        if weights.len() != expected {
            return Err(Error::Shape { what: "weights of levels", expected, found: weights.len() });
        }
        for &weight in &weights {
            check::non_negative("weight of a level", weight)?;
        }
        self.level_weights = Some(weights);
        Ok(self)
    }

    /// Whether the label of the edge to a neighbour counts with the neighbour's.
    pub fn with_edge_labels(mut self, edge_labels: bool) -> Self {
        self.refinement.edge_labels = edge_labels;
        self
    }

    /// Rounds of refinement.
    pub fn iterations(&self) -> u32 {
        self.refinement.iterations
    }

    /// The weights of the levels, if they are not all 1.
    pub fn level_weights(&self) -> Option<&[f64]> {
        self.level_weights.as_deref()
    }

    /// Whether labels of edges count.
    pub fn edge_labels(&self) -> bool {
        self.refinement.edge_labels
    }
}

impl FeatureMap<Graph> for WeisfeilerLehman {
    /// The 128-bit name of a refined label.
    type Feature = u128;

    fn features(&self, graph: &Graph) -> Result<Vec<(u128, f64)>> {
        let mut features = Vec::with_capacity(graph.nodes() * (self.iterations() as usize + 1).min(8));
        self.refinement.for_each_name(graph, |level, name, nodes| {
            let weight = self.level_weights.as_ref().map_or(1.0, |weights| weights[level as usize]);
            features.push((name, f64::from(nodes) * weight.sqrt()));
        });
        Ok(features)
    }
}

graph_kernel!(WeisfeilerLehman, eval_features);

impl TryFrom<Plain> for WeisfeilerLehman {
    type Error = Error;

    fn try_from(plain: Plain) -> Result<Self> {
        let kernel = WeisfeilerLehman { refinement: plain.refinement, level_weights: None };
        match plain.level_weights {
            Some(weights) => kernel.with_level_weights(weights),
            None => Ok(kernel),
        }
    }
}

impl From<WeisfeilerLehman> for Plain {
    fn from(kernel: WeisfeilerLehman) -> Self {
        Plain { refinement: kernel.refinement, level_weights: kernel.level_weights }
    }
}

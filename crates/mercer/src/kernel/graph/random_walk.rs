//! Walks in common, whatever the labels.

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use super::series::terms;
use super::spectral_radius::check_decay;
use crate::data::Graph;
use crate::error::Result;
use crate::kernel::{FeatureMap, check, eval_features};

/// The geometric random walk kernel on graphs without labels.
///
/// k(G, H) = Σₖ λᵏ (1ᵀAᵏ1)(1ᵀBᵏ1) = 1ᵀ(I − λ A ⊗ B)⁻¹ 1, where A and B are the adjacency matrices (of weights, where edges have
/// some): the pairs of walks of the same length, each counted with the decay λ to the power of that length. The sum is finite
/// if λ is below 1/ρ² for the largest eigenvalue ρ of the adjacency matrices; a graph for which λ is above 0.999/ρ² is
/// refused. Parallel edges add up and a loop is a way to stay.
///
/// The features are λ^(k/2) times the number of walks of length k, up to where the rest of the sum is below the last digit.
/// O(lengths · edges) per graph, O(lengths) per pair; far from the limit some ten lengths are enough.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::RandomWalk};
/// let edge = Graph::undirected(2, &[(0, 1)])?;
/// let kernel = RandomWalk::new(0.5)?;
/// // Two walks of every length: 4 (1 + 1/2 + 1/4 + …)
/// assert!((kernel.eval(&edge, &edge) - 8.0).abs() < 1e-12);
///
/// let triangle = Graph::undirected(3, &[(0, 1), (1, 2), (2, 0)])?;
/// let error = kernel.try_eval(&edge, &triangle).unwrap_err();
/// assert_eq!(error.to_string(), "decay = 0.5: these data allow a number above 0, at most 0.24975");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// T. Gärtner, P. Flach, S. Wrobel: On graph kernels: hardness results and efficient alternatives, COLT 2003;
/// S. V. N. Vishwanathan, N. N. Schraudolph, R. Kondor, K. Borgwardt: Graph kernels, Journal of Machine Learning Research 11 (2010).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RandomWalk {
    #[serde(deserialize_with = "check::serde_with::positive")]
    decay: f64,
}

impl RandomWalk {
    /// With this decay λ.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) unless it is finite and above 0.
    pub fn new(decay: f64) -> Result<Self> {
        Ok(RandomWalk { decay: check::positive("decay", decay)? })
    }

    /// The decay λ.
    pub fn decay(&self) -> f64 {
        self.decay
    }
}

impl FeatureMap<Graph> for RandomWalk {
    /// The length of walks.
    type Feature = u32;

    fn features(&self, graph: &Graph) -> Result<Vec<(u32, f64)>> {
        check_decay(self.decay, graph)?;
        let root = self.decay.sqrt();
        let step = |v: &[f64], out: &mut [f64]| {
            for (node, out) in out.iter_mut().enumerate() {
                let walks: f64 = graph.arcs(node).map(|(to, edge)| graph.edge_weight(edge) * v[to]).sum();
                *out = root * walks;
            }
        };
        Ok((0..).zip(terms(graph.nodes(), step)).collect())
    }
}

graph_kernel!(RandomWalk, eval_features);

//! Each node matched with the most similar one.

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use super::refinement::Refinement;
use crate::data::Graph;
use crate::error::Result;
use crate::kernel::{DigestKernel, eval_digests};

/// The Weisfeiler–Lehman optimal assignment kernel.
///
/// k(G, H) = max_B Σ_{(u, v) ∈ B} s(u, v) over the matchings B that give every node of the smaller graph a partner of its own
/// in the other, where s(u, v) is the number of levels 0, …, h at which u and v have the same refined label (see
/// [`WeisfeilerLehman`](super::WeisfeilerLehman)). Labels that are refined form a hierarchy, hence this is the intersection
/// of histograms, Σᵢ Σ_ℓ min(nᵢ,ℓ(G), nᵢ,ℓ(H)), and positive semi-definite. O(h · edges) per graph, O(different labels) per pair.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::OptimalAssignment};
/// let path = Graph::undirected(3, &[(0, 1), (1, 2)])?;
/// let triangle = Graph::undirected(3, &[(0, 1), (1, 2), (2, 0)])?;
/// // Three pairs at level 0; one of them, with two neighbours each, at level 1.
/// assert_eq!(OptimalAssignment::new(1)?.eval(&path, &triangle), 4.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// N. M. Kriege, P.-L. Giscard, R. C. Wilson: On valid optimal assignment kernels and applications to graph classification,
/// NIPS 2016.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptimalAssignment {
    refinement: Refinement,
}

impl OptimalAssignment {
    /// With h rounds of refinement.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for more than 1000.
    pub fn new(iterations: u32) -> Result<Self> {
        Ok(OptimalAssignment { refinement: Refinement::new(iterations)? })
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

    /// Whether labels of edges count.
    pub fn edge_labels(&self) -> bool {
        self.refinement.edge_labels
    }
}

impl DigestKernel<Graph> for OptimalAssignment {
    /// Names of refined labels in ascending order, with the number of nodes that have them.
    type Digest = Vec<(u128, u32)>;

    fn digest(&self, graph: &Graph) -> Result<Self::Digest> {
        let mut names = Vec::new();
        self.refinement.for_each_name(graph, |_, name, nodes| names.push((name, nodes)));
        names.sort_unstable();
        Ok(names)
    }

    fn compare(&self, x: &Self::Digest, z: &Self::Digest) -> f64 {
        let (mut i, mut j, mut common) = (0, 0, 0u64);
        while i < x.len() && j < z.len() {
            let ((a, count), (b, other)) = (x[i], z[j]);
            if a == b {
                common += u64::from(count.min(other));
            }
            i += usize::from(a <= b);
            j += usize::from(b <= a);
        }
        common as f64
    }

    fn compare_self(&self, x: &Self::Digest) -> f64 {
        x.iter().map(|&(_, count)| u64::from(count)).sum::<u64>() as f64
    }
}

graph_kernel!(OptimalAssignment, eval_digests);

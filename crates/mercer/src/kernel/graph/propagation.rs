//! Labels that spread along the edges.

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use super::hash::Hash;
use crate::data::{Graph, GraphLabel};
use crate::error::{Error, Result};
use crate::kernel::{FeatureMap, check, eval_features};

/// The propagation kernel.
///
/// Every node has a distribution, at first its own label alone, and in each of h rounds takes the mean of those of its
/// neighbours (by the weights of the edges; along outgoing ones, if the graph is directed; a node without neighbours keeps
/// its own). k(G, H) = Σ_{t = 0}^{h} Σ_b n_t,b(G) n_t,b(H), where n_t,b is the number of nodes whose distribution p falls into bin
/// b = ⌊(u_t·p + c_t)/w⌋ after t rounds. The directions u_t and shifts c_t are drawn by the seed, so that distributions that
/// are close in the [distance](Preserved) are likely to share a bin of width w. The kernel is that of one draw: an average
/// over seeds is smoother.
///
/// With [`Preserved::Manhattan`] or [`Preserved::Euclidean`] the attributes of nodes spread instead of their labels. The numbers
/// of a label follow from the seed and the label itself, hence they are the same in every set of graphs. O(h · edges ·
/// different labels) per graph, O(bins) per pair.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::{Preserved, Propagation}};
/// let ethanol = Graph::undirected(3, &[(0, 1), (1, 2)])?.with_node_labels(["C", "C", "O"])?;
/// let kernel = Propagation::new(0, 1e-5, Preserved::TotalVariation, 1)?;
/// assert_eq!(kernel.eval(&ethanol, &ethanol), 4.0 + 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// M. Neumann, R. Garnett, C. Bauckhage, K. Kersting: Propagation kernels: efficient graph kernels from propagated
/// information, Machine Learning 102 (2016).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct Propagation {
    iterations: u32,
    width: f64,
    preserved: Preserved,
    seed: u64,
}

/// The distance that bins preserve: what is close in it is likely to share a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Preserved {
    /// Between distributions of labels: ½ Σ |p − q|. Directions are drawn from the Cauchy distribution.
    TotalVariation,
    /// Between distributions of labels: (½ Σ (√p − √q)²)^½. Directions are drawn from the normal distribution, for √p.
    Hellinger,
    /// Between attributes: Σ |p − q|.
    Manhattan,
    /// Between attributes: (Σ (p − q)²)^½.
    Euclidean,
}

#[derive(Serialize, Deserialize)]
struct Plain {
    iterations: u32,
    width: f64,
    preserved: Preserved,
    seed: u64,
}

impl Propagation {
    /// With h rounds, bins of width w, and this seed.
    ///
    /// # Errors
    /// [`Error::Parameter`] for more than 1000 rounds or a width that is not finite and above 0.
    pub fn new(iterations: u32, width: f64, preserved: Preserved, seed: u64) -> Result<Self> {
        if iterations > 1000 {
            let expected = "a whole number of at most 1000";
            return Err(Error::Parameter { name: "iterations", value: f64::from(iterations), expected });
        }
        Ok(Propagation { iterations, width: check::positive("width", width)?, preserved, seed })
    }

    /// Rounds of propagation.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// The width of a bin.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The distance that bins preserve.
    pub fn preserved(&self) -> Preserved {
        self.preserved
    }

    /// The seed of directions and shifts.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What u_t has for a label or for a column of attributes.
    fn direction(&self, round: u32, what: Hash) -> f64 {
        let draw = |part| what.block(u64::from(round), part).uniform();
        match self.preserved {
            Preserved::TotalVariation | Preserved::Manhattan => {
                (std::f64::consts::PI * (draw(0) - 0.5)).tan()
            }
            Preserved::Hellinger | Preserved::Euclidean => {
                (-2.0 * draw(0).ln()).sqrt() * (std::f64::consts::TAU * draw(1)).cos()
            }
        }
    }

    /// Adds u_t·p of one label or column to the sums of every round. `p` is what the nodes have of it at first.
    fn spread(&self, graph: &Graph, what: Hash, mut p: Vec<f64>, sums: &mut [Vec<f64>]) {
        let mut next = vec![0.0; p.len()];
        for (round, sums) in (0..).zip(sums) {
            if round > 0 {
                for (node, next) in next.iter_mut().enumerate() {
                    let (mut sum, mut weights) = (0.0, 0.0);
                    for (neighbour, edge) in graph.arcs(node) {
                        sum += graph.edge_weight(edge) * p[neighbour];
                        weights += graph.edge_weight(edge);
                    }
                    *next = if weights > 0.0 { sum / weights } else { p[node] };
                }
                std::mem::swap(&mut p, &mut next);
            }
            let direction = self.direction(round, what);
            let root = self.preserved == Preserved::Hellinger;
            let parts = p.iter().map(|&p| if root { p.sqrt() } else { p });
            sums.iter_mut().zip(parts).for_each(|(sum, p)| *sum += direction * p);
        }
    }
}

impl FeatureMap<Graph> for Propagation {
    /// The round and the bin.
    type Feature = (u32, i128);

    fn features(&self, graph: &Graph) -> Result<Vec<((u32, i128), f64)>> {
        let rounds = self.iterations as usize + 1;
        let mut sums = vec![vec![0.0; graph.nodes()]; rounds];
        match self.preserved {
            Preserved::TotalVariation | Preserved::Hellinger => {
                let label = |node: usize| graph.node_label(node);
                let mut labels: Vec<Option<&GraphLabel>> = (0..graph.nodes()).map(label).collect();
                labels.sort_unstable();
                labels.dedup();
                for name in labels {
                    let p = (0..graph.nodes()).map(|node| f64::from(label(node) == name)).collect();
                    self.spread(graph, Hash::new(self.seed).label(name), p, &mut sums);
                }
            }
            Preserved::Manhattan | Preserved::Euclidean => {
                if graph.nodes() > 0 && graph.attributes_per_node() == 0 {
                    let what = "this distance is one of attributes, and the nodes of a graph have none";
                    return Err(Error::Unsupported { what: what.into() });
                }
                for column in 0..graph.attributes_per_node() {
                    let value = |node| graph.node_attributes(node).map_or(0.0, |values| values[column]);
                    let p = (0..graph.nodes()).map(value).collect();
                    self.spread(graph, Hash::new(self.seed).block(3, column as u64), p, &mut sums);
                }
            }
        }
        let mut features = Vec::with_capacity(rounds * graph.nodes());
        for (round, sums) in (0..).zip(sums) {
            let shift = self.width * Hash::new(self.seed).block(4, u64::from(round)).uniform();
            for sum in sums {
                let bin = ((sum + shift) / self.width).floor();
                if bin.is_nan() || bin.abs() > 1e38 {
                    let expected = "a width of which attributes are at most 1e38 multiples";
                    return Err(Error::Parameter { name: "width", value: self.width, expected });
                }
                features.push(((round, bin as i128), 1.0));
            }
        }
        Ok(features)
    }
}

graph_kernel!(Propagation, eval_features);

impl TryFrom<Plain> for Propagation {
    type Error = Error;

    fn try_from(plain: Plain) -> Result<Self> {
        Propagation::new(plain.iterations, plain.width, plain.preserved, plain.seed)
    }
}

impl From<Propagation> for Plain {
    fn from(kernel: Propagation) -> Self {
        let Propagation { iterations, width, preserved, seed } = kernel;
        Plain { iterations, width, preserved, seed }
    }
}

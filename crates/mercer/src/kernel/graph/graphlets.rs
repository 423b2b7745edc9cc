//! Small subgraphs in common.

mod class;
mod connected;
mod disconnected;
mod sample;

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use crate::data::Graph;
use crate::error::{Error, Result};
use crate::kernel::{FeatureMap, eval_features};
use class::Classes;
use connected::Simple;

/// The graphlet kernel.
///
/// k(G, H) = Σ_g c_g(G) c_g(H) over the graphs g of s nodes (3, 4 or 5) that are not isomorphic to each other, where c_g is the
/// number of sets of s nodes on which the graph is g: induced subgraphs. By default only connected ones count (2, 6 or 21
/// of them), with [`Graphlets::with_disconnected`] all do (4, 11 or 34). With [`Graphlets::with_proportions`] c_g is divided by
/// the sum of all that count, so that the size of a graph does not matter.
///
/// Labels, weights, directions, loops and parallel edges are not looked at. A graph of fewer than s nodes has no features.
///
/// Counts are exact unless [`Counting::Sampled`] is asked for. Connected subgraphs are enumerated, O(their number) per graph;
/// the numbers of all others follow from them. A graph with more than 10⁹ of them is refused: sample it.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::Graphlets};
/// let square = Graph::undirected(4, &[(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let paw = Graph::undirected(4, &[(0, 1), (1, 2), (2, 0), (2, 3)])?;
/// // The square has 4 paths of three nodes; the paw has 2, a triangle, and an edge with a node apart.
/// assert_eq!(Graphlets::new(3)?.eval(&square, &paw), 8.0);
/// assert_eq!(Graphlets::new(3)?.eval(&paw, &paw), 5.0);
/// assert_eq!(Graphlets::new(3)?.with_disconnected(true).eval(&paw, &paw), 6.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// N. Shervashidze, S. V. N. Vishwanathan, T. Petri, K. Mehlhorn, K. Borgwardt: Efficient graphlet kernels for large graph
/// comparison, AISTATS 2009; S. Wernicke: Efficient detection of network motifs, IEEE/ACM TCBB 3 (2006).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub struct Graphlets {
    size: u32,
    disconnected: bool,
    proportions: bool,
    counting: Counting,
}

/// How subgraphs are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Counting {
    /// All of them.
    #[default]
    Exact,
    /// Sets of nodes are drawn, each equally likely, and what is found is multiplied by the number of sets per draw: an
    /// estimate of the counts that is right on average.
    Sampled {
        /// How many are drawn from each graph.
        samples: u64,
        /// Of the random numbers, which are the same for every graph.
        seed: u64,
    },
}

#[derive(Serialize, Deserialize)]
struct Plain {
    size: u32,
    disconnected: bool,
    proportions: bool,
    counting: Counting,
}

impl Graphlets {
    /// Connected subgraphs of this many nodes, counted exactly.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless the size is 3, 4 or 5.
    pub fn new(size: u32) -> Result<Self> {
        if !(3..=5).contains(&size) {
            return Err(Error::Parameter { name: "size", value: f64::from(size), expected: "3, 4 or 5" });
        }
        Ok(Graphlets { size, disconnected: false, proportions: false, counting: Counting::Exact })
    }

    /// Whether subgraphs that are not connected count too.
    pub fn with_disconnected(mut self, disconnected: bool) -> Self {
        self.disconnected = disconnected;
        self
    }

    /// Whether shares of the subgraphs that count are compared instead of their numbers.
    pub fn with_proportions(mut self, proportions: bool) -> Self {
        self.proportions = proportions;
        self
    }

    /// How subgraphs are counted.
    ///
    /// ```
    /// use mercer::data::Graph;
    /// use mercer::kernel::{Kernel, graph::{Counting, Graphlets}};
    /// let ring: Vec<_> = (0..12).map(|i| (i, (i + 1) % 12)).collect();
    /// let ring = Graph::undirected(12, &ring)?;
    /// let kernel = Graphlets::new(4)?.with_disconnected(true);
    /// let sampled = kernel.with_counting(Counting::Sampled { samples: 10_000, seed: 1 })?;
    /// assert!((sampled.eval(&ring, &ring) / kernel.eval(&ring, &ring) - 1.0).abs() < 0.02);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for no samples, or more than 10⁹.
    pub fn with_counting(mut self, counting: Counting) -> Result<Self> {
        if let Counting::Sampled { samples, .. } = counting
            && !(1..=connected::MOST).contains(&samples)
        {
            let expected = "a whole number from 1 to 1e9";
            return Err(Error::Parameter { name: "samples", value: samples as f64, expected });
        }
        self.counting = counting;
        Ok(self)
    }

    /// Number of nodes of a subgraph.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Whether subgraphs that are not connected count too.
    pub fn disconnected(&self) -> bool {
        self.disconnected
    }

    /// Whether shares are compared instead of numbers.
    pub fn proportions(&self) -> bool {
        self.proportions
    }

    /// How subgraphs are counted.
    pub fn counting(&self) -> Counting {
        self.counting
    }
}

impl FeatureMap<Graph> for Graphlets {
    /// A graph of s nodes: bit j(j − 1)/2 + i tells whether nodes i < j are joined, numbered so that the number is least.
    type Feature = u16;

    fn features(&self, graph: &Graph) -> Result<Vec<(u16, f64)>> {
        let (size, classes, graph) = (self.size as usize, Classes::all(), Simple::new(graph));
        let numbers: Vec<f64> = match self.counting {
            Counting::Sampled { samples, seed } => sample::estimate(classes, &graph, size, samples, seed),
            Counting::Exact => {
                let connected = connected::count(&graph, size)?;
                if self.disconnected {
                    disconnected::complete(&connected, size)[size].iter().map(|&count| count as f64).collect()
                } else {
                    connected[size].iter().map(|&count| count as f64).collect()
                }
            }
        };
        let counted = |mask| self.disconnected || classes.components(size, mask) == 1;
        let mut counts: Vec<(u16, f64)> =
            (0..).zip(numbers).filter(|&(mask, count)| count > 0.0 && counted(mask)).collect();
        if self.proportions {
            let sum: f64 = counts.iter().map(|(_, count)| count).sum();
            counts.iter_mut().for_each(|(_, count)| *count /= sum);
        }
        Ok(counts)
    }
}

graph_kernel!(Graphlets, eval_features);

impl TryFrom<Plain> for Graphlets {
    type Error = Error;

    fn try_from(plain: Plain) -> Result<Self> {
        Graphlets::new(plain.size)?
            .with_disconnected(plain.disconnected)
            .with_proportions(plain.proportions)
            .with_counting(plain.counting)
    }
}

impl From<Graphlets> for Plain {
    fn from(kernel: Graphlets) -> Self {
        let Graphlets { size, disconnected, proportions, counting } = kernel;
        Plain { size, disconnected, proportions, counting }
    }
}

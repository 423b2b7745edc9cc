//! Walks in common that pass the same labels.

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use super::series::terms;
use super::spectral_radius::check_decay;
use crate::data::{Graph, GraphLabel};
use crate::error::{Error, Result};
use crate::kernel::{DigestKernel, check, eval_digests};

/// The geometric random walk kernel on labelled graphs.
///
/// k(G, H) = 1ᵀ(I − λW)⁻¹ 1 = Σₖ λᵏ 1ᵀWᵏ1, where W is the adjacency matrix of the product graph: its nodes are the pairs of nodes
/// of G and H with the same label, and an edge leads from (u, v) to (u′, v′) for every pair of edges u → u′ and v → v′ (of
/// the same label, if [edge labels](LabelledRandomWalk::with_edge_labels) count), with the product of their weights. So
/// it counts the pairs of walks that pass the same labels, each with the decay λ to the power of its length. As with
/// [`RandomWalk`](super::RandomWalk), a graph for which λ is above 0.999/ρ² is refused, ρ being the largest eigenvalue of its
/// adjacency matrix without labels; with labels the sum may be finite for somewhat larger ones.
///
/// The system is solved by conjugate gradients, or by adding up the series if a graph is directed. Per pair O(pairs of alike
/// nodes) memory and O(pairs of alike edges) time per step; the number of steps grows as λρ² approaches 1. A graph of which
/// one pair would take more than 1 GiB (5180 nodes that are all alike) is refused.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::LabelledRandomWalk};
/// let ethanol = Graph::undirected(3, &[(0, 1), (1, 2)])?.with_node_labels(["C", "C", "O"])?;
/// let methanol = Graph::undirected(2, &[(0, 1)])?.with_node_labels(["C", "O"])?;
/// // Three pairs of nodes; of them (C, C) and (O, O) are joined: 1 + 2 (1 + λ + λ² + …)
/// let kernel = LabelledRandomWalk::new(0.25)?;
/// assert!((kernel.eval(&ethanol, &methanol) - (1.0 + 2.0 / 0.75)).abs() < 1e-12);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// T. Gärtner, P. Flach, S. Wrobel: On graph kernels: hardness results and efficient alternatives, COLT 2003;
/// S. V. N. Vishwanathan, N. N. Schraudolph, R. Kondor, K. Borgwardt: Graph kernels, Journal of Machine Learning Research 11 (2010).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelledRandomWalk {
    #[serde(deserialize_with = "check::serde_with::positive")]
    decay: f64,
    edge_labels: bool,
}

impl LabelledRandomWalk {
    /// With this decay λ.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) unless it is finite and above 0.
    pub fn new(decay: f64) -> Result<Self> {
        Ok(LabelledRandomWalk { decay: check::positive("decay", decay)?, edge_labels: false })
    }

    /// Whether the labels of edges must be the same too.
    pub fn with_edge_labels(mut self, edge_labels: bool) -> Self {
        self.edge_labels = edge_labels;
        self
    }

    /// The decay λ.
    pub fn decay(&self) -> f64 {
        self.decay
    }

    /// Whether the labels of edges must be the same too.
    pub fn edge_labels(&self) -> bool {
        self.edge_labels
    }
}

/// Bytes per pair of nodes: the pair, and its entries in four vectors.
const PAIR: u64 = 40;

/// Most pairs of nodes with the same label, of a graph and itself: no two graphs have more of them then (Cauchy and Schwarz).
const MOST: u64 = (1 << 30) / PAIR;

/// A graph made ready for walks: labels are numbers, in the order of the labels, and the edges of a node are sorted by the
/// labels that they lead to.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub struct Walkable {
    directed: bool,
    /// Different labels of nodes and of edges, in ascending order.
    labels: [Vec<Option<GraphLabel>>; 2],
    /// The label of each node, and how many nodes before it have the same.
    codes: Vec<u32>,
    ranks: Vec<u32>,
    /// Arcs of node v are those from `starts[v]` to `starts[v + 1]`: label of the target, label of the edge, target, weight.
    starts: Vec<usize>,
    arcs: Vec<(u32, u32, u32, f64)>,
}

impl Walkable {
    fn new(graph: &Graph, edge_labels: bool) -> Self {
        let distinct = |mut all: Vec<Option<GraphLabel>>| {
            all.sort();
            all.dedup();
            all
        };
        let nodes: Vec<_> = (0..graph.nodes()).map(|node| graph.node_label(node).cloned()).collect();
        let edge_label = |edge| graph.edge_label(edge).filter(|_| edge_labels).cloned();
        let edges: Vec<_> = (0..graph.edges()).map(edge_label).collect();
        let labels = [distinct(nodes.clone()), distinct(edges.clone())];
        let code = |kind: usize, label| labels[kind].binary_search(label).unwrap_or(0) as u32;
        let codes: Vec<u32> = nodes.iter().map(|label| code(0, label)).collect();
        let mut counts = vec![0; labels[0].len()];
        let rank = |&code: &u32| {
            counts[code as usize] += 1;
            counts[code as usize] - 1
        };
        let ranks = codes.iter().map(rank).collect();
        let (mut starts, mut arcs) = (vec![0], Vec::new());
        for node in 0..graph.nodes() {
            let from = arcs.len();
            arcs.extend(
                graph
                    .arcs(node)
                    .map(|(to, edge)| (codes[to], code(1, &edges[edge]), to as u32, graph.edge_weight(edge))),
            );
            arcs[from..].sort_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)).then(a.3.total_cmp(&b.3)));
            starts.push(arcs.len());
        }
        Walkable { directed: graph.is_directed(), labels, codes, ranks, starts, arcs }
    }
}

impl DigestKernel<Graph> for LabelledRandomWalk {
    type Digest = Walkable;

    fn digest(&self, graph: &Graph) -> Result<Walkable> {
        check_decay(self.decay, graph)?;
        let graph = Walkable::new(graph, self.edge_labels);
        let pairs: u64 = graph.ranks.iter().map(|&rank| 2 * u64::from(rank) + 1).sum();
        if pairs > MOST {
            return Err(Error::Budget {
                what: "the pairs of nodes of a graph with the same label",
                needed: pairs * PAIR,
                allowed: MOST * PAIR,
                instead: "use kernel::graph::RandomWalk, or more labels",
            });
        }
        Ok(graph)
    }

    fn compare(&self, x: &Walkable, z: &Walkable) -> f64 {
        // One order for both (x, z) and (z, x), so that they are the same to the last digit.
        let (x, z) = if x <= z { (x, z) } else { (z, x) };
        let product = Product::new(x, z);
        if x.directed || z.directed {
            let step = |v: &[f64], out: &mut [f64]| {
                product.walk(v, out);
                out.iter_mut().for_each(|value| *value *= self.decay);
            };
            return terms(product.nodes.len(), step).iter().sum();
        }
        product.solve(self.decay)
    }
}

graph_kernel!(LabelledRandomWalk, eval_digests);

/// The product graph of two graphs.
struct Product {
    /// Pairs of nodes with the same label, label after label.
    nodes: Vec<(u32, u32)>,
    sides: [Side; 2],
    /// Of each label in common: the number of its first pair, and how many nodes of the second graph have it.
    labels: Vec<(usize, usize)>,
}

/// One of the two graphs, reduced to what both have in common.
struct Side {
    starts: Vec<usize>,
    arcs: Vec<Step>,
}

/// An edge to a node whose label both graphs have: that label and the edge's, as numbers that both share.
struct Step {
    labels: (u32, u32),
    rank: u32,
    weight: f64,
}

impl Product {
    fn new(x: &Walkable, z: &Walkable) -> Self {
        let node_labels = in_common(&x.labels[0], &z.labels[0]);
        let edge_labels = in_common(&x.labels[1], &z.labels[1]);
        let members = |graph: &Walkable, codes: &[Option<u32>]| {
            let mut members = vec![Vec::new(); node_labels.count];
            for (node, &code) in graph.codes.iter().enumerate() {
                if let Some(shared) = codes[code as usize] {
                    members[shared as usize].push(node as u32);
                }
            }
            members
        };
        let (mut nodes, mut labels) = (Vec::new(), Vec::new());
        for (us, vs) in members(x, &node_labels.codes[0]).iter().zip(members(z, &node_labels.codes[1])) {
            labels.push((nodes.len(), vs.len()));
            nodes.extend(us.iter().flat_map(|&u| vs.iter().map(move |&v| (u, v))));
        }
        let side = |graph: &Walkable, at: usize| {
            let (mut starts, mut arcs) = (vec![0], Vec::new());
            for range in graph.starts.windows(2) {
                arcs.extend(graph.arcs[range[0]..range[1]].iter().filter_map(
                    |&(label, edge, to, weight)| {
                        let labels =
                            (node_labels.codes[at][label as usize]?, edge_labels.codes[at][edge as usize]?);
                        Some(Step { labels, rank: graph.ranks[to as usize], weight })
                    },
                ));
                starts.push(arcs.len());
            }
            Side { starts, arcs }
        };
        Product { nodes, sides: [side(x, 0), side(z, 1)], labels }
    }

    /// `out` = W v
    fn walk(&self, v: &[f64], out: &mut [f64]) {
        let [left, right] = &self.sides;
        for (&(x, z), out) in self.nodes.iter().zip(out) {
            let (mut us, mut vs) = (left.of(x), right.of(z));
            let mut sum = 0.0;
            // Both are sorted by labels: runs of the same labels meet.
            while let (Some(u), Some(w)) = (us.first(), vs.first()) {
                match u.labels.cmp(&w.labels) {
                    std::cmp::Ordering::Less => us = &us[1..],
                    std::cmp::Ordering::Greater => vs = &vs[1..],
                    std::cmp::Ordering::Equal => {
                        let labels = u.labels;
                        let (first, row) = self.labels[labels.0 as usize];
                        let run = vs.partition_point(|step| step.labels == labels);
                        while let Some((u, rest)) = us.split_first()
                            && u.labels == labels
                        {
                            let pairs = &v[first + u.rank as usize * row..][..row];
                            let inner: f64 =
                                vs[..run].iter().map(|w| w.weight * pairs[w.rank as usize]).sum();
                            sum += u.weight * inner;
                            us = rest;
                        }
                        vs = &vs[run..];
                    }
                }
            }
            *out = sum;
        }
    }

    /// 1ᵀ(I − λW)⁻¹ 1 for a symmetric W with λW below I, by conjugate gradients.
    fn solve(&self, decay: f64) -> f64 {
        let count = self.nodes.len();
        let (mut x, mut residual) = (vec![0.0; count], vec![1.0; count]);
        let (mut direction, mut moved) = (residual.clone(), vec![0.0; count]);
        let mut square = count as f64;
        let enough = 1e-28 * square;
        // In exact arithmetic `count` steps would do; the condition number is 2000 at most.
        for _ in 0..10_000 {
            if square <= enough {
                break;
            }
            self.walk(&direction, &mut moved);
            moved.iter_mut().zip(&direction).for_each(|(moved, d)| *moved = d - decay * *moved);
            let length = square / dot(&direction, &moved);
            x.iter_mut().zip(&direction).for_each(|(x, d)| *x += length * d);
            residual.iter_mut().zip(&moved).for_each(|(r, m)| *r -= length * m);
            let next = dot(&residual, &residual);
            let turn = next / square;
            direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + turn * *d);
            square = next;
        }
        x.iter().sum()
    }
}

impl Side {
    fn of(&self, node: u32) -> &[Step] {
        &self.arcs[self.starts[node as usize]..self.starts[node as usize + 1]]
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Numbers for the labels that two graphs have in common, in ascending order.
struct InCommon {
    count: usize,
    codes: [Vec<Option<u32>>; 2],
}

fn in_common(x: &[Option<GraphLabel>], z: &[Option<GraphLabel>]) -> InCommon {
    let mut codes = [vec![None; x.len()], vec![None; z.len()]];
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < x.len() && j < z.len() {
        let order = x[i].cmp(&z[j]);
        if order.is_eq() {
            (codes[0][i], codes[1][j]) = (Some(count as u32), Some(count as u32));
            count += 1;
        }
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    InCommon { count, codes }
}

//! Pairs of nodes and their distance.

use std::collections::{BinaryHeap, HashMap};

use serde::{Deserialize, Serialize};

use super::graph_kernel;
use crate::data::{Graph, GraphLabel};
use crate::error::{Error, Result};
use crate::kernel::{FeatureMap, check, eval_features};

/// The shortest-path kernel.
///
/// k(G, H) = Σ_{u ≠ v} Σ_{u′ ≠ v′} [ℓ(u) = ℓ(u′)] [ℓ(v) = ℓ(v′)] [d(u, v) = d(u′, v′)] over ordered pairs of nodes of G and of H
/// that a path joins, where ℓ is the label of a node and d the length of the shortest path. Without
/// [labels](ShortestPath::with_labels) all nodes are alike.
///
/// The length of a path is the number of its edges, or the sum of their weights in units of a given
/// [width](ShortestPath::weighted), rounded: lengths that differ by rounding errors alone are the same. Directed edges are
/// followed in their direction; loops and the longer ones of parallel edges do not matter. O(nodes · edges) per graph, with
/// weights O(nodes · edges · log nodes); O(different pairs) per pair of graphs. A graph with more than 2²² different pairs of
/// labels and distances is refused.
///
/// ```
/// use mercer::data::Graph;
/// use mercer::kernel::{Kernel, graph::ShortestPath};
/// let path = Graph::undirected(3, &[(0, 1), (1, 2)])?;
/// let triangle = Graph::undirected(3, &[(0, 1), (1, 2), (2, 0)])?;
/// // The path has 4 ordered pairs at distance 1 and 2 at distance 2, the triangle 6 at distance 1.
/// assert_eq!(ShortestPath::new().eval(&path, &triangle), 24.0);
/// assert_eq!(ShortestPath::new().eval(&path, &path), 20.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// K. Borgwardt, H.-P. Kriegel: Shortest-path kernels on graphs, ICDM 2005.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortestPath {
    labels: bool,
    #[serde(deserialize_with = "check::serde_with::optional_positive")]
    width: Option<f64>,
}

/// Most features of a graph: with more of them it has too many different labels to be like any other.
const MOST: usize = 1 << 22;

/// Two nodes that a path joins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance {
    /// The length of the shortest path: edges, or multiples of the width.
    pub length: u64,
    /// The label of the node that it starts from, where labels count.
    pub from: Option<GraphLabel>,
    /// The label of the node that it leads to.
    pub to: Option<GraphLabel>,
}

impl ShortestPath {
    /// Paths as long as the number of their edges, between nodes with the same labels.
    pub fn new() -> Self {
        ShortestPath { labels: true, width: None }
    }

    /// Paths as long as the sum of their edges' weights, rounded to multiples of a width: 1 where weights are whole numbers.
    ///
    /// ```
    /// use mercer::data::Graph;
    /// use mercer::kernel::{Kernel, graph::ShortestPath};
    /// let edges = [(0, 1), (1, 2), (0, 2)];
    /// let detour = Graph::undirected(3, &edges)?.with_edge_weights(vec![0.1, 0.2, 1.0])?;
    /// let direct = Graph::undirected(2, &[(0, 1)])?.with_edge_weights(vec![0.3])?;
    /// assert_eq!(ShortestPath::weighted(0.01)?.eval(&detour, &direct), 4.0);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] unless the width is finite and above 0.
    pub fn weighted(width: f64) -> Result<Self> {
        Ok(ShortestPath { labels: true, width: Some(check::positive("width", width)?) })
    }

    /// Whether the labels of nodes count; they do unless told otherwise.
    pub fn with_labels(mut self, labels: bool) -> Self {
        self.labels = labels;
        self
    }

    /// Whether the labels of nodes count.
    pub fn labels(&self) -> bool {
        self.labels
    }

    /// The unit of lengths, where weights count.
    pub fn width(&self) -> Option<f64> {
        self.width
    }
}

impl Default for ShortestPath {
    fn default() -> Self {
        ShortestPath::new()
    }
}

impl FeatureMap<Graph> for ShortestPath {
    type Feature = Distance;

    fn features(&self, graph: &Graph) -> Result<Vec<(Distance, f64)>> {
        let names: Vec<Option<&GraphLabel>> = match graph.node_labels() {
            Some(labels) if self.labels => {
                let mut names: Vec<_> = labels.iter().map(Some).collect();
                names.sort_unstable();
                names.dedup();
                names
            }
            _ => vec![None],
        };
        let code = |node| match names[0] {
            Some(_) => names.binary_search(&graph.node_label(node)).unwrap_or(0),
            None => 0,
        };
        if graph.nodes() == 0 {
            return Ok(Vec::new());
        }
        let codes: Vec<usize> = (0..graph.nodes()).map(code).collect();
        let mut counts = Counts::new(names.len());
        let mut search = Search::new(graph);
        for node in 0..graph.nodes() {
            match self.width {
                None => search.hops(node, |reached, length| counts.add(length, codes[reached])),
                Some(width) => {
                    search.dijkstra(node, width, |reached, length| counts.add(length, codes[reached]))?
                }
            }
            counts.settle(codes[node]);
            if counts.pairs.len() > MOST {
                let what = format!("more than {MOST} different pairs of labels and distances in one graph");
                return Err(Error::Unsupported { what });
            }
        }
        let named = |((from, length, to), count): ((u32, u64, u32), u64)| {
            let [from, to] = [from, to].map(|code| names[code as usize].cloned());
            (Distance { length, from, to }, count as f64)
        };
        Ok(counts.pairs.into_iter().map(named).collect())
    }
}

graph_kernel!(ShortestPath, eval_features);

/// Counts of pairs. Nodes are reached in the order of their distance, so that only one distance is counted at a time, and
/// only its totals are looked up.
struct Counts {
    pairs: HashMap<(u32, u64, u32), u64>,
    /// Of the node that paths start from: length, label, count.
    settled: Vec<(u64, u32, u32)>,
    length: u64,
    of_label: Vec<u32>,
    seen: Vec<u32>,
}

impl Counts {
    fn new(labels: usize) -> Self {
        Counts {
            pairs: HashMap::new(),
            settled: Vec::new(),
            length: 0,
            of_label: vec![0; labels],
            seen: Vec::new(),
        }
    }

    /// One more node at this distance, which never decreases.
    fn add(&mut self, length: u64, label: usize) {
        if length != self.length {
            self.close();
            self.length = length;
        }
        if self.of_label[label] == 0 {
            self.seen.push(label as u32);
        }
        self.of_label[label] += 1;
    }

    fn close(&mut self) {
        for label in self.seen.drain(..) {
            self.settled.push((self.length, label, std::mem::take(&mut self.of_label[label as usize])));
        }
    }

    /// Everything since the last call was reached from a node with this label.
    fn settle(&mut self, from: usize) {
        self.close();
        self.length = 0;
        for (length, to, count) in self.settled.drain(..) {
            *self.pairs.entry((from as u32, length, to)).or_default() += u64::from(count);
        }
    }
}

/// Shortest paths from one node after the other.
struct Search<'a> {
    graph: &'a Graph,
    /// The source that a node was last reached from, and the queue of nodes in the order in which they are reached.
    reached_from: Vec<u32>,
    queue: Vec<u32>,
    distances: Vec<f64>,
    heap: BinaryHeap<Reached>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Self {
        Search {
            graph,
            reached_from: vec![u32::MAX; graph.nodes()],
            queue: Vec::new(),
            distances: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    /// Tells the nodes that can be reached, and the fewest edges to them, by breadth-first search.
    fn hops(&mut self, source: usize, mut reached: impl FnMut(usize, u64)) {
        self.queue.clear();
        self.queue.push(source as u32);
        self.reached_from[source] = source as u32;
        let (mut begin, mut length) = (0, 0);
        while begin < self.queue.len() {
            length += 1;
            let end = self.queue.len();
            for at in begin..end {
                for &next in self.graph.neighbours(self.queue[at] as usize) {
                    let mark = &mut self.reached_from[next as usize];
                    if *mark != source as u32 {
                        *mark = source as u32;
                        self.queue.push(next);
                        reached(next as usize, length);
                    }
                }
            }
            begin = end;
        }
    }

    /// Tells the nodes that can be reached, and the least sum of weights to them in units of `width`, by Dijkstra's method.
    fn dijkstra(&mut self, source: usize, width: f64, mut reached: impl FnMut(usize, u64)) -> Result<()> {
        self.distances.clear();
        self.distances.resize(self.graph.nodes(), f64::INFINITY);
        self.distances[source] = 0.0;
        self.heap.push(Reached { distance: 0.0, node: source as u32 });
        while let Some(Reached { distance, node }) = self.heap.pop() {
            let node = node as usize;
            if distance > self.distances[node] || self.reached_from[node] == source as u32 {
                continue;
            }
            self.reached_from[node] = source as u32;
            if node != source {
                let length = (distance / width).round();
                // Whole numbers beyond 2⁵³ are not told apart any more.
                if length > (1u64 << 53) as f64 {
                    self.heap.clear();
                    let expected = "a width of which paths are at most 2^53 multiples long";
                    return Err(Error::Parameter { name: "width", value: width, expected });
                }
                reached(node, length as u64);
            }
            for (next, edge) in self.graph.arcs(node) {
                let through = distance + self.graph.edge_weight(edge);
                if through < self.distances[next] {
                    self.distances[next] = through;
                    self.heap.push(Reached { distance: through, node: next as u32 });
                }
            }
        }
        Ok(())
    }
}

/// A node at a distance; the nearest is the greatest, as a heap gives the greatest first.
struct Reached {
    distance: f64,
    node: u32,
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.distance.total_cmp(&self.distance).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Reached {}

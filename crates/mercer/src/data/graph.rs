//! Graphs: nodes and edges, with what is known about them.
//!
//! A graph is kept as its arcs, node after node (compressed sparse rows): an edge {u, v} is the two arcs u → v and
//! v → u, a directed edge or a loop is one.

mod attributes;
mod label;
mod stored;

use serde::{Deserialize, Serialize};

use attributes::Attributes;
pub use label::GraphLabel;
use stored::Stored;

use crate::error::{Error, Result};

/// A graph, directed or not, whose nodes and edges may have labels and attributes and whose edges may have weights.
///
/// Nodes are numbered from 0, edges from 0 in the order in which they were given. A graph may have no nodes, or no edges.
/// Loops (an edge from a node to itself) and several edges between the same nodes are kept: what a kernel makes of them it
/// says. O(nodes + edges) memory.
///
/// ```
/// use mercer::data::{Graph, GraphLabel};
/// // Ethanol without its hydrogen: C – C – O
/// let ethanol = Graph::undirected(3, &[(0, 1), (1, 2)])?.with_node_labels(["C", "C", "O"])?;
/// assert_eq!((ethanol.nodes(), ethanol.edges()), (3, 2));
/// assert_eq!(ethanol.neighbours(1), [0, 2]);
/// assert_eq!(ethanol.node_label(2), Some(&GraphLabel::from("O")));
/// assert_eq!(ethanol.edge_weight(0), 1.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Graph {
    directed: bool,
    ends: Vec<(u32, u32)>,
    /// The arcs that leave node v are those from `starts[v]` to `starts[v + 1]`, by ascending target.
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// The edge that each arc is of.
    arc_edges: Vec<u32>,
    node_labels: Option<Vec<GraphLabel>>,
    edge_labels: Option<Vec<GraphLabel>>,
    edge_weights: Option<Vec<f64>>,
    node_attributes: Option<Attributes>,
    edge_attributes: Option<Attributes>,
}

impl Graph {
    /// Most nodes that a graph may have.
    pub const MOST_NODES: usize = 1 << 26;

    /// Most edges that a graph may have.
    pub const MOST_EDGES: usize = 1 << 30;

    /// The graph of this many nodes and these edges, which may be walked both ways.
    ///
    /// ```
    /// use mercer::data::Graph;
    /// let triangle = Graph::undirected(3, &[(0, 1), (1, 2), (2, 0)])?;
    /// assert_eq!(triangle.neighbours(0), [1, 2]);
    /// let error = Graph::undirected(3, &[(0, 1), (1, 3)]).unwrap_err();
    /// assert_eq!(error.to_string(), "edge 1: 3, expected the number of a node, from 0");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entry`] for an edge that ends at no node, [`Error::Unsupported`] for more than [`Graph::MOST_NODES`] or
    /// [`Graph::MOST_EDGES`].
    pub fn undirected(nodes: usize, edges: &[(usize, usize)]) -> Result<Self> {
        Self::checked(nodes, edges, false)
    }

    /// The graph of this many nodes and these edges from the first node of each pair to the second.
    ///
    /// # Errors
    /// As [`Graph::undirected`].
    pub fn directed(nodes: usize, edges: &[(usize, usize)]) -> Result<Self> {
        Self::checked(nodes, edges, true)
    }

    fn checked(nodes: usize, edges: &[(usize, usize)], directed: bool) -> Result<Self> {
        let ends = |(index, &(from, to)): (usize, &(usize, usize))| match from.max(to) {
            most if most < nodes => Ok((from as u32, to as u32)),
            most => Err(Error::Entry {
                what: "edge",
                index,
                value: most as f64,
                expected: "the number of a node, from 0",
            }),
        };
        if nodes > Self::MOST_NODES || edges.len() > Self::MOST_EDGES {
            let what = format!(
                "a graph of {nodes} nodes and {} edges: at most {} nodes and {} edges are possible",
                edges.len(),
                Self::MOST_NODES,
                Self::MOST_EDGES
            );
            return Err(Error::Unsupported { what });
        }
        Ok(Self::from_ends(nodes, edges.iter().enumerate().map(ends).collect::<Result<_>>()?, directed))
    }

    fn from_ends(nodes: usize, ends: Vec<(u32, u32)>, directed: bool) -> Self {
        let arcs = || {
            ends.iter().enumerate().flat_map(move |(edge, &(from, to))| {
                let back = (!directed && from != to).then_some((to, from, edge as u32));
                [(from, to, edge as u32)].into_iter().chain(back)
            })
        };
        let mut starts = vec![0u32; nodes + 1];
        arcs().for_each(|(from, ..)| starts[from as usize + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut sorted = vec![(0u32, 0u32); starts[nodes] as usize];
        let mut next = starts.clone();
        for (from, to, edge) in arcs() {
            sorted[next[from as usize] as usize] = (to, edge);
            next[from as usize] += 1;
        }
        for node in 0..nodes {
            sorted[starts[node] as usize..starts[node + 1] as usize].sort_unstable();
        }
        let (targets, arc_edges) = sorted.into_iter().unzip();
        Graph {
            directed,
            ends,
            starts,
            targets,
            arc_edges,
            node_labels: None,
            edge_labels: None,
            edge_weights: None,
            node_attributes: None,
            edge_attributes: None,
        }
    }

    /// The same graph with these labels of nodes: whole numbers or words.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one per node.
    pub fn with_node_labels<L: Into<GraphLabel>>(
        mut self,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<Self> {
        let labels: Vec<GraphLabel> = labels.into_iter().map(Into::into).collect();
        count("labels of nodes", self.nodes(), labels.len())?;
        self.node_labels = Some(labels);
        Ok(self)
    }

    /// The same graph with these labels of edges.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one per edge.
    pub fn with_edge_labels<L: Into<GraphLabel>>(
        mut self,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<Self> {
        let labels: Vec<GraphLabel> = labels.into_iter().map(Into::into).collect();
        count("labels of edges", self.edges(), labels.len())?;
        self.edge_labels = Some(labels);
        Ok(self)
    }

    /// The same graph with these weights of edges: lengths to a shortest path, multiplicities to a walk.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one per edge, [`Error::Entry`] for one that is negative or not finite.
    pub fn with_edge_weights(mut self, weights: Vec<f64>) -> Result<Self> {
        count("weights of edges", self.edges(), weights.len())?;
        if let Some(index) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
            let (value, expected) = (weights[index], "a finite number of at least 0");
            return Err(Error::Entry { what: "weight of edge", index, value, expected });
        }
        self.edge_weights = Some(weights);
        Ok(self)
    }

    /// The same graph with attributes of nodes: as many numbers for each, node after node.
    ///
    /// ```
    /// use mercer::data::Graph;
    /// let graph = Graph::undirected(2, &[(0, 1)])?.with_node_attributes(vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(graph.node_attributes(1), Some(&[3.0, 4.0][..]));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] unless all nodes can have as many, [`Error::NonFinite`] with the node and the column.
    pub fn with_node_attributes(mut self, values: Vec<f64>) -> Result<Self> {
        self.node_attributes = Some(Attributes::new("attributes of nodes", values, self.nodes())?);
        Ok(self)
    }

    /// The same graph with attributes of edges: as many numbers for each, edge after edge.
    ///
    /// # Errors
    /// As [`Graph::with_node_attributes`].
    pub fn with_edge_attributes(mut self, values: Vec<f64>) -> Result<Self> {
        self.edge_attributes = Some(Attributes::new("attributes of edges", values, self.edges())?);
        Ok(self)
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of edges, each counted once.
    pub fn edges(&self) -> usize {
        self.ends.len()
    }

    /// Whether edges have a direction.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// The two nodes of an edge, as given.
    ///
    /// # Panics
    /// If there is no such edge.
    pub fn ends(&self, edge: usize) -> (usize, usize) {
        let (from, to) = self.ends[edge];
        (from as usize, to as usize)
    }

    /// The nodes that the edges of a node lead to, in ascending order, one for each edge.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn neighbours(&self, node: usize) -> &[u32] {
        &self.targets[self.arcs_of(node)]
    }

    /// The edges of a node, in the order of [`Graph::neighbours`].
    ///
    /// # Panics
    /// If there is no such node.
    pub fn neighbour_edges(&self, node: usize) -> &[u32] {
        &self.arc_edges[self.arcs_of(node)]
    }

    /// Where an edge leads to, and which one it is, for all edges of a node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn arcs(&self, node: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.neighbours(node).iter().zip(self.neighbour_edges(node));
        pairs.map(|(&target, &edge)| (target as usize, edge as usize))
    }

    /// Whether an edge leads from one node to another.
    ///
    /// O(log edges of the node).
    ///
    /// # Panics
    /// If there is no node `from`.
    pub fn has_arc(&self, from: usize, to: usize) -> bool {
        self.neighbours(from).binary_search(&(to as u32)).is_ok()
    }

    /// The labels of the nodes.
    pub fn node_labels(&self) -> Option<&[GraphLabel]> {
        self.node_labels.as_deref()
    }

    /// The label of a node, if the nodes have labels.
    ///
    /// # Panics
    /// If the nodes have labels and there is no such node.
    pub fn node_label(&self, node: usize) -> Option<&GraphLabel> {
        self.node_labels.as_ref().map(|labels| &labels[node])
    }

    /// The labels of the edges.
    pub fn edge_labels(&self) -> Option<&[GraphLabel]> {
        self.edge_labels.as_deref()
    }

    /// The label of an edge, if the edges have labels.
    ///
    /// # Panics
    /// If the edges have labels and there is no such edge.
    pub fn edge_label(&self, edge: usize) -> Option<&GraphLabel> {
        self.edge_labels.as_ref().map(|labels| &labels[edge])
    }

    /// Whether edges have weights of their own.
    pub fn is_weighted(&self) -> bool {
        self.edge_weights.is_some()
    }

    /// The weight of an edge, 1 if the edges have none.
    ///
    /// # Panics
    /// If the edges have weights and there is no such edge.
    pub fn edge_weight(&self, edge: usize) -> f64 {
        self.edge_weights.as_ref().map_or(1.0, |weights| weights[edge])
    }

    /// The attributes of a node, if the nodes have some.
    ///
    /// # Panics
    /// If the nodes have attributes and there is no such node.
    pub fn node_attributes(&self, node: usize) -> Option<&[f64]> {
        self.node_attributes.as_ref().map(|all| all.of(node))
    }

    /// The attributes of an edge, if the edges have some.
    ///
    /// # Panics
    /// If the edges have attributes and there is no such edge.
    pub fn edge_attributes(&self, edge: usize) -> Option<&[f64]> {
        self.edge_attributes.as_ref().map(|all| all.of(edge))
    }

    /// How many attributes each node has.
    pub fn attributes_per_node(&self) -> usize {
        self.node_attributes.as_ref().map_or(0, Attributes::each)
    }

    /// How many attributes each edge has.
    pub fn attributes_per_edge(&self) -> usize {
        self.edge_attributes.as_ref().map_or(0, Attributes::each)
    }

    fn arcs_of(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }
}

fn count(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
}

//! Graphs to test with: random ones, odd ones, and the same ones with their nodes in another order.

use mercer::data::{Graph, GraphLabel, Random};

/// What random graphs are like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// Whether edges have a direction.
    pub directed: bool,
    /// Whether edges have weights: 0.5, 1 or 1.5.
    pub weighted: bool,
    /// Whether there are loops and parallel edges.
    pub multiple: bool,
    /// Whether nodes and edges have labels.
    pub labelled: bool,
}

/// A graph of so many nodes and edges; nodes have one of three labels, edges one of two, and nodes two attributes.
pub fn random(random: &mut Random, nodes: usize, edges: usize, kind: Kind) -> Graph {
    let mut ends: Vec<(usize, usize)> = Vec::new();
    for _ in 0..if nodes == 0 { 0 } else { edges } {
        let edge = (random.below(nodes), random.below(nodes));
        let fresh = edge.0 != edge.1 && !ends.contains(&edge) && !ends.contains(&(edge.1, edge.0));
        if kind.multiple || fresh {
            ends.push(edge);
        }
    }
    let make = if kind.directed { Graph::directed } else { Graph::undirected };
    let mut graph = make(nodes, &ends).expect("ends are nodes");
    if kind.labelled {
        let words = ["a", "b", "c"];
        graph = graph.with_node_labels((0..nodes).map(|_| words[random.below(3)])).expect("one per node");
        graph = graph.with_edge_labels(ends.iter().map(|_| random.below(2) as i64)).expect("one per edge");
    }
    if kind.weighted {
        let weights = ends.iter().map(|_| 0.5 * (1 + random.below(3)) as f64).collect();
        graph = graph.with_edge_weights(weights).expect("one per edge");
    }
    let attributes = (0..2 * nodes).map(|_| random.below(5) as f64).collect();
    graph.with_node_attributes(attributes).expect("two per node")
}

/// No nodes, one node, no edges, a loop, parallel edges, two components; with and without labels.
pub fn odd() -> Vec<Graph> {
    let shapes: [(usize, &[(usize, usize)]); 8] = [
        (0, &[]),
        (1, &[]),
        (1, &[(0, 0)]),
        (4, &[]),
        (2, &[(0, 1), (1, 0)]),
        (3, &[(0, 0), (0, 1), (0, 1), (2, 2)]),
        (6, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]),
        (6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]),
    ];
    let mut graphs = Vec::new();
    for (nodes, edges) in shapes {
        for graph in [Graph::undirected(nodes, edges), Graph::directed(nodes, edges)] {
            let graph = graph.expect("ends are nodes");
            let labels = (0..nodes).map(|node| if node % 2 == 0 { GraphLabel::from(1) } else { "x".into() });
            graphs.push(graph.clone().with_node_labels(labels).expect("one per node"));
            graphs.push(graph);
        }
    }
    graphs
}

/// The same graph with node v called `order[v]`, and with its edges in backward order.
pub fn permuted(graph: &Graph, order: &[usize]) -> Graph {
    let edges: Vec<usize> = (0..graph.edges()).rev().collect();
    let renamed = |&edge: &usize| {
        let (from, to) = graph.ends(edge);
        let (from, to) = (order[from], order[to]);
        // An edge without direction may as well be given the other way round.
        if graph.is_directed() { (from, to) } else { (to, from) }
    };
    let ends: Vec<(usize, usize)> = edges.iter().map(renamed).collect();
    let make = if graph.is_directed() { Graph::directed } else { Graph::undirected };
    let mut result = make(graph.nodes(), &ends).expect("ends are nodes");
    let mut old = vec![0; order.len()];
    order.iter().enumerate().for_each(|(node, &new)| old[new] = node);
    if let Some(labels) = graph.node_labels() {
        result = result.with_node_labels(old.iter().map(|&v| labels[v].clone())).expect("one per node");
    }
    if let Some(labels) = graph.edge_labels() {
        result = result.with_edge_labels(edges.iter().map(|&e| labels[e].clone())).expect("one per edge");
    }
    if graph.is_weighted() {
        let weights = edges.iter().map(|&e| graph.edge_weight(e)).collect();
        result = result.with_edge_weights(weights).expect("one per edge");
    }
    if graph.attributes_per_node() > 0 {
        let values =
            old.iter().flat_map(|&v| graph.node_attributes(v).unwrap_or_default()).copied().collect();
        result = result.with_node_attributes(values).expect("as many per node");
    }
    result
}

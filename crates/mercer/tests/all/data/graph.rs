//! Graphs: what is taken, what is refused, and what comes back from a file.

use mercer::data::{Graph, GraphLabel, Random};
use mercer_testkit::graphs::{Kind, odd, random};

#[test]
fn arcs_follow_from_edges() {
    let edges = [(2, 0), (0, 1), (1, 1), (0, 2)];
    let graph = Graph::undirected(4, &edges).unwrap();
    assert_eq!(
        (0..4).map(|v| graph.neighbours(v).to_vec()).collect::<Vec<_>>(),
        [vec![1, 2, 2], vec![0, 1], vec![0, 0], vec![]]
    );
    assert_eq!(graph.neighbour_edges(0), [1, 0, 3]);
    let directed = Graph::directed(4, &edges).unwrap();
    assert_eq!(directed.arcs(0).collect::<Vec<_>>(), [(1, 1), (2, 3)]);
    assert!(directed.has_arc(2, 0) && !directed.has_arc(1, 0) && graph.has_arc(1, 0));
    assert_eq!((directed.ends(0), directed.is_directed(), graph.is_directed()), ((2, 0), true, false));
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let graph = || Graph::undirected(3, &[(0, 1), (1, 2)]).unwrap();
    let cases = [
        (
            Graph::undirected(2, &[(0, 1), (usize::MAX, 0)]),
            "edge 1: 1.8446744073709552e19, expected the number of a node",
        ),
        (Graph::directed(0, &[(0, 0)]), "edge 0: 0, expected the number of a node, from 0"),
        (
            Graph::undirected(usize::MAX, &[]),
            "a graph of 18446744073709551615 nodes and 0 edges: at most 67108864 nodes",
        ),
        (graph().with_node_labels(["a"]), "labels of nodes: expected 3, found 1"),
        (graph().with_edge_labels([1, 2, 3]), "labels of edges: expected 2, found 3"),
        (graph().with_edge_weights(vec![1.0]), "weights of edges: expected 2, found 1"),
        (
            graph().with_edge_weights(vec![1.0, -1.0]),
            "weight of edge 1: -1, expected a finite number of at least 0",
        ),
        (graph().with_edge_weights(vec![f64::NAN, 1.0]), "weight of edge 0: NaN, expected"),
        (graph().with_node_attributes(vec![0.0; 4]), "attributes of nodes: expected 3, found 4"),
        (
            graph().with_node_attributes(vec![0.0, 1.0, f64::INFINITY]),
            "row 2, column 0: inf is not a finite number",
        ),
        (graph().with_edge_attributes(vec![0.0, 1.0, 2.0]), "attributes of edges: expected 2, found 3"),
        (
            Graph::undirected(0, &[]).unwrap().with_node_attributes(vec![1.0]),
            "attributes of nodes: expected 0, found 1",
        ),
    ];
    for (found, expected) in cases {
        let found = found.unwrap_err().to_string();
        assert!(found.starts_with(expected), "{found}, not {expected}");
    }
}

#[test]
fn stored_graphs_come_back() {
    let mut draw = Random::new(5);
    let mut graphs = odd();
    for number in 0..16 {
        let bit = |i: u32| number >> i & 1 == 1;
        let kind = Kind { directed: bit(0), weighted: bit(1), multiple: bit(2), labelled: bit(3) };
        graphs.push(random(&mut draw, 6, 8, kind).with_edge_attributes(vec![]).unwrap());
    }
    for graph in graphs {
        let text = serde_json::to_string(&graph).unwrap();
        assert_eq!(serde_json::from_str::<Graph>(&text).unwrap(), graph, "{text}");
    }
}

#[test]
fn stored_graphs_are_checked() {
    let text = r#"{"directed":false,"nodes":2,"edges":[[0,1]],"node_labels":[1,"x"]}"#;
    let graph: Graph = serde_json::from_str(text).unwrap();
    assert_eq!(graph.node_labels().unwrap(), [GraphLabel::Number(1), "x".into()]);
    for text in [
        r#"{"directed":false,"nodes":2,"edges":[[0,2]]}"#,
        r#"{"directed":false,"nodes":18446744073709551615,"edges":[]}"#,
        r#"{"directed":false,"nodes":2,"edges":[[0,1]],"node_labels":[1]}"#,
        r#"{"directed":false,"nodes":2,"edges":[[0,1]],"edge_weights":[-1.0]}"#,
        r#"{"directed":false,"nodes":2,"edges":[[0,1]],"colour":1}"#,
        r#"{"directed":false,"nodes":2,"edges":[[0,1]],"node_labels":[1.5,2]}"#,
    ] {
        assert!(serde_json::from_str::<Graph>(text).is_err(), "{text}");
    }
}

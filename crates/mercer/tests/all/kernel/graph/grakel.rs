//! Gram matrices against GraKeL's, stored by tools/reference/graphs.py, which says where definitions differ.

use mercer::data::{Graph, read_tu};
use mercer::kernel::Kernel;
use mercer::kernel::graph::{
    EdgeHistogram, Graphlets, LabelledRandomWalk, OptimalAssignment, Preserved, Propagation, RandomWalk,
    ShortestPath, VertexHistogram, WeisfeilerLehman,
};
use mercer_testkit::fixture;
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    made: Vec<Made>,
    made_cases: Vec<Case>,
    mutag: Vec<usize>,
    mutag_cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Made {
    labels: Vec<i64>,
    edges: Vec<(usize, usize, i64)>,
}

#[derive(Deserialize)]
struct Case {
    kernel: String,
    values: Vec<Vec<f64>>,
}

/// GraKeL's value of two graphs from Mercer's.
type AsGrakel = fn(f64, &Graph, &Graph) -> f64;

/// Mercer's kernel of a name, and how GraKeL's value of two graphs follows from Mercer's.
fn kernel(name: &str) -> (Box<dyn Kernel<Graph>>, AsGrakel) {
    let same = |value, _: &Graph, _: &Graph| value;
    let propagation = |preserved| Propagation::new(3, 0.01, preserved, 5).unwrap();
    match name {
        "vertex_histogram" => (Box::new(VertexHistogram), same),
        // GraKeL counts both directions of an edge.
        "edge_histogram" => (Box::new(EdgeHistogram::new()), |value, _, _| 4.0 * value),
        "weisfeiler_lehman_1" => (Box::new(WeisfeilerLehman::new(1).unwrap()), same),
        "weisfeiler_lehman_3" => (Box::new(WeisfeilerLehman::new(3).unwrap()), same),
        "optimal_assignment_3" => (Box::new(OptimalAssignment::new(3).unwrap()), same),
        "shortest_path" => (Box::new(ShortestPath::new()), same),
        "shortest_path_unlabelled" => (Box::new(ShortestPath::new().with_labels(false)), same),
        "random_walk" => (Box::new(RandomWalk::new(0.05).unwrap()), same),
        // GraKeL counts walks of length 0 of all pairs of nodes.
        "labelled_random_walk" => (Box::new(LabelledRandomWalk::new(0.05).unwrap()), |value, x, z| {
            value + (x.nodes() * z.nodes()) as f64 - VertexHistogram.eval(x, z)
        }),
        "graphlets_3" => (Box::new(Graphlets::new(3).unwrap()), same),
        "graphlets_4" => (Box::new(Graphlets::new(4).unwrap()), same),
        "graphlets_5" => (Box::new(Graphlets::new(5).unwrap()), same),
        "propagation_total_variation" => (Box::new(propagation(Preserved::TotalVariation)), same),
        "propagation_hellinger" => (Box::new(propagation(Preserved::Hellinger)), same),
        _ => panic!("{name}"),
    }
}

fn agree(graphs: &[Graph], cases: &[Case]) {
    assert_eq!(cases.len(), 14);
    for case in cases {
        let (kernel, as_grakel) = kernel(&case.kernel);
        assert!(case.values.len() >= 10);
        for (i, row) in case.values.iter().enumerate() {
            for (j, &expected) in row.iter().enumerate() {
                let (x, z) = (&graphs[i], &graphs[j]);
                let found = as_grakel(kernel.eval(x, z), x, z);
                let close = (found - expected).abs() <= 1e-11 * expected.abs();
                assert!(close, "{}: k({i}, {j}) = {found}, GraKeL {expected}", case.kernel);
            }
        }
    }
}

#[test]
fn on_graphs_that_were_made() {
    let fixture: Fixture = fixture::read("graphs.json");
    let graph = |made: &Made| {
        let edges: Vec<(usize, usize)> = made.edges.iter().map(|&(from, to, _)| (from, to)).collect();
        let graph = Graph::undirected(made.labels.len(), &edges).unwrap();
        let graph = graph.with_node_labels(made.labels.iter().copied()).unwrap();
        graph.with_edge_labels(made.edges.iter().map(|&(.., label)| label)).unwrap()
    };
    agree(&fixture.made.iter().map(graph).collect::<Vec<_>>(), &fixture.made_cases);
}

#[test]
fn on_mutag() {
    let Some(folder) = fixture::large_data("graphs_MUTAG") else { return };
    let fixture: Fixture = fixture::read("graphs.json");
    let graphs = read_tu(folder).unwrap().graphs;
    let chosen: Vec<Graph> = fixture.mutag.iter().map(|&number| graphs[number].clone()).collect();
    agree(&chosen, &fixture.mutag_cases);
}

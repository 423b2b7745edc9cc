//! Kernels on graphs.

mod grakel;
mod laws;
mod oracle;
mod parameters;
mod values;

use mercer::data::{Graph, Random};
use mercer::kernel::Kernel;
use mercer::kernel::graph::{
    EdgeHistogram, Graphlets, LabelledRandomWalk, OptimalAssignment, Preserved, Propagation, RandomWalk,
    ShortestPath, VertexHistogram, WeisfeilerLehman,
};
use mercer_testkit::graphs::{Kind, random};

/// Every kernel, with the parameters that change what it does.
fn kernels() -> Vec<(&'static str, Box<dyn Kernel<Graph>>)> {
    let graphlets = |size| Graphlets::new(size).unwrap();
    let propagation = |preserved| Propagation::new(3, 0.05, preserved, 2).unwrap();
    vec![
        ("vertex histogram", Box::new(VertexHistogram)),
        ("edge histogram", Box::new(EdgeHistogram::new())),
        ("edge histogram with ends", Box::new(EdgeHistogram::new().with_ends(true))),
        ("weisfeiler–lehman 0", Box::new(WeisfeilerLehman::new(0).unwrap())),
        ("weisfeiler–lehman 3", Box::new(WeisfeilerLehman::new(3).unwrap())),
        ("weisfeiler–lehman, edges", Box::new(WeisfeilerLehman::new(2).unwrap().with_edge_labels(true))),
        (
            "weisfeiler–lehman, weighted",
            Box::new(WeisfeilerLehman::new(2).unwrap().with_level_weights(vec![1.0, 0.5, 0.25]).unwrap()),
        ),
        ("optimal assignment", Box::new(OptimalAssignment::new(3).unwrap())),
        ("optimal assignment, edges", Box::new(OptimalAssignment::new(2).unwrap().with_edge_labels(true))),
        ("shortest path", Box::new(ShortestPath::new())),
        ("shortest path, unlabelled", Box::new(ShortestPath::new().with_labels(false))),
        ("shortest path, weighted", Box::new(ShortestPath::weighted(0.5).unwrap())),
        ("random walk", Box::new(RandomWalk::new(0.002).unwrap())),
        ("labelled random walk", Box::new(LabelledRandomWalk::new(0.002).unwrap())),
        (
            "labelled random walk, edges",
            Box::new(LabelledRandomWalk::new(0.002).unwrap().with_edge_labels(true)),
        ),
        ("graphlets 3", Box::new(graphlets(3))),
        ("graphlets 4, all", Box::new(graphlets(4).with_disconnected(true))),
        ("graphlets 5", Box::new(graphlets(5))),
        ("graphlets 5, shares", Box::new(graphlets(5).with_disconnected(true).with_proportions(true))),
        ("propagation, total variation", Box::new(propagation(Preserved::TotalVariation))),
        ("propagation, hellinger", Box::new(propagation(Preserved::Hellinger))),
    ]
}

/// Small graphs of every kind.
fn small() -> Vec<Graph> {
    let mut draw = Random::new(17);
    let mut graphs = Vec::new();
    for number in 0..48 {
        let bit = |i: u32| number >> i & 1 == 1;
        let kind = Kind { directed: bit(0), weighted: bit(1), multiple: bit(2), labelled: bit(3) };
        let (nodes, edges) = (1 + draw.below(7), draw.below(10));
        graphs.push(random(&mut draw, nodes, edges, kind));
    }
    graphs
}

/// Whether two values are the same but for rounding.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(1e-3)
}

//! What holds for every kernel on graphs.

use mercer::data::{Graph, Random};
use mercer::kernel::graph::{Preserved, Propagation, VertexHistogram};
use mercer::kernel::{Kernel, Verdict, check_mercer};
use mercer_testkit::graphs::{odd, permuted};

use super::{close, kernels, small};

fn graphs() -> Vec<Graph> {
    let mut graphs = small();
    graphs.extend(odd());
    graphs
}

#[test]
fn values_are_those_of_an_inner_product() {
    let graphs = graphs();
    for (name, kernel) in kernels() {
        let compare = |x: &&Graph, z: &&Graph| kernel.eval(x, z);
        for (i, x) in graphs.iter().enumerate() {
            let own = kernel.eval_diagonal(x);
            assert!(own.is_finite() && close(own, kernel.eval(x, x)), "{name}: k({i}, {i}) = {own}");
            for (j, z) in graphs.iter().enumerate().take(i) {
                let (value, mirrored) = (kernel.eval(x, z), kernel.eval(z, x));
                assert_eq!(value.to_bits(), mirrored.to_bits(), "{name}: k({i}, {j})");
                assert!(
                    value * value <= own * kernel.eval(z, z) * (1.0 + 1e-9),
                    "{name}: k({i}, {j}) = {value}"
                );
            }
        }
        let report = check_mercer(&compare, &graphs, usize::MAX, 0).unwrap();
        assert_eq!(report.verdict, Verdict::PositiveSemiDefinite, "{name}: {report}");
    }
}

#[test]
fn the_order_of_nodes_does_not_matter() {
    let graphs = graphs();
    let mut random = Random::new(23);
    for (name, kernel) in kernels() {
        for (i, graph) in graphs.iter().enumerate() {
            let mut order: Vec<usize> = (0..graph.nodes()).collect();
            random.shuffle(&mut order);
            let same = permuted(graph, &order);
            let other = &graphs[(i + 5) % graphs.len()];
            for (value, expected) in [
                (kernel.eval(&same, other), kernel.eval(graph, other)),
                (kernel.eval(&same, graph), kernel.eval(graph, graph)),
                (kernel.eval(&same, &same), kernel.eval(graph, graph)),
            ] {
                assert!(close(value, expected), "{name}: graph {i} as {order:?}: {value}, not {expected}");
            }
        }
    }
}

#[test]
fn a_graph_without_nodes_is_like_no_other() {
    let empty = Graph::undirected(0, &[]).unwrap();
    for (name, kernel) in kernels() {
        assert!(graphs().iter().all(|graph| kernel.eval(&empty, graph) == 0.0), "{name}");
    }
}

#[test]
fn attributes_spread_like_labels() {
    let graphs = small();
    for preserved in [Preserved::Manhattan, Preserved::Euclidean] {
        let kernel = Propagation::new(2, 0.1, preserved, 9).unwrap();
        let compare = |x: &&Graph, z: &&Graph| kernel.eval(x, z);
        let report = check_mercer(&compare, &graphs, usize::MAX, 0).unwrap();
        assert_eq!(report.verdict, Verdict::PositiveSemiDefinite, "{report}");
        let bare = Graph::undirected(1, &[]).unwrap();
        assert!(kernel.try_eval(&bare, &bare).is_err());
    }
    // Before they spread, labels are as different as they are: narrow bins are the histogram.
    let narrow = Propagation::new(0, 1e-9, Preserved::Hellinger, 4).unwrap();
    for x in &graphs {
        assert!(graphs.iter().all(|z| narrow.eval(x, z) == VertexHistogram.eval(x, z)));
    }
}

//! Every kernel against its definition, on small graphs of every kind.

use mercer::data::Graph;
use mercer::kernel::Kernel;
use mercer::kernel::graph::{
    Counting, EdgeHistogram, Graphlets, LabelledRandomWalk, OptimalAssignment, RandomWalk, ShortestPath,
    VertexHistogram, WeisfeilerLehman,
};
use mercer_testkit::graph_oracle as naive;
use mercer_testkit::graphs::odd;

use super::{close, small};

/// Compares on all pairs of random graphs, and of odd ones.
fn agree(name: &str, kernel: &dyn Kernel<Graph>, expected: impl Fn(&Graph, &Graph) -> f64) {
    let mut positive = 0;
    for graphs in [small(), odd()] {
        for (i, x) in graphs.iter().enumerate() {
            for (j, z) in graphs.iter().enumerate().take(i + 1) {
                let (found, expected) = (kernel.eval(x, z), expected(x, z));
                assert!(
                    close(found, expected),
                    "{name}: k({i}, {j}) = {found}, not {expected}\n{x:?}\n{z:?}"
                );
                positive += usize::from(expected > 0.0);
            }
        }
    }
    assert!(positive > 30, "{name}: {positive} values above 0");
}

#[test]
fn histograms() {
    agree("nodes", &VertexHistogram, naive::vertex_histogram);
    agree("edges", &EdgeHistogram::new(), |x, z| naive::edge_histogram(x, z, false));
    // Pairs of directed and undirected graphs have no common meaning of the ends.
    let kernel = EdgeHistogram::new().with_ends(true);
    for directed in [false, true] {
        let graphs: Vec<Graph> =
            small().into_iter().filter(|graph| graph.is_directed() == directed).collect();
        for x in &graphs {
            assert!(graphs.iter().all(|z| kernel.eval(x, z) == naive::edge_histogram(x, z, true)));
        }
    }
}

#[test]
fn subtrees() {
    for depth in 0..=3 {
        let kernel = WeisfeilerLehman::new(depth).unwrap();
        agree("subtrees", &kernel, |x, z| naive::weisfeiler_lehman(x, z, depth, false));
    }
    let kernel = WeisfeilerLehman::new(2).unwrap().with_edge_labels(true);
    agree("subtrees with edges", &kernel, |x, z| naive::weisfeiler_lehman(x, z, 2, true));
    let weighted = WeisfeilerLehman::new(2).unwrap().with_level_weights(vec![0.5, 0.0, 2.0]).unwrap();
    agree("weighted subtrees", &weighted, |x, z| {
        let [zero, one, two] = [0, 1, 2].map(|depth| naive::weisfeiler_lehman(x, z, depth, false));
        0.5 * zero + 2.0 * (two - one)
    });
}

#[test]
fn assignments() {
    for depth in [0, 1, 3] {
        let kernel = OptimalAssignment::new(depth).unwrap();
        agree("assignments", &kernel, |x, z| naive::optimal_assignment(x, z, depth));
    }
}

#[test]
fn paths() {
    for labels in [false, true] {
        let hops = ShortestPath::new().with_labels(labels);
        agree("paths", &hops, |x, z| naive::shortest_path(x, z, labels, None));
        let weighted = ShortestPath::weighted(0.5).unwrap().with_labels(labels);
        agree("weighted paths", &weighted, |x, z| naive::shortest_path(x, z, labels, Some(0.5)));
    }
}

#[test]
fn walks() {
    // Far from the limit, and close to it on some of the graphs.
    for decay in [0.0001, 0.004] {
        let kernel = RandomWalk::new(decay).unwrap();
        agree("walks", &kernel, |x, z| naive::random_walk(x, z, decay, false, false));
        let kernel = LabelledRandomWalk::new(decay).unwrap();
        agree("labelled walks", &kernel, |x, z| naive::random_walk(x, z, decay, true, false));
        let kernel = kernel.with_edge_labels(true);
        agree("labelled walks with edges", &kernel, |x, z| naive::random_walk(x, z, decay, true, true));
    }
}

#[test]
fn walks_up_to_the_limit() {
    let ring: Vec<(usize, usize)> = (0..5).map(|i| (i, (i + 1) % 5)).collect();
    let chord = [&ring[..], &[(0, 2)]].concat();
    for make in [Graph::undirected, Graph::directed] {
        let graphs = [make(5, &ring).unwrap(), make(5, &chord).unwrap()];
        for graph in graphs {
            let refusal = RandomWalk::new(100.0).unwrap().try_eval(&graph, &graph).unwrap_err();
            let mercer::Error::Interval { high, .. } = refusal else { panic!("{refusal}") };
            let kernel = RandomWalk::new(high).unwrap();
            let expected = naive::random_walk(&graph, &graph, high, false, false);
            let found = kernel.eval(&graph, &graph);
            assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
            let labelled = LabelledRandomWalk::new(high).unwrap().eval(&graph, &graph);
            assert!((labelled / expected - 1.0).abs() < 1e-9, "{labelled}, not {expected}");
            assert!(RandomWalk::new(high * 1.0001).unwrap().eval(&graph, &graph).is_nan());
            assert!(LabelledRandomWalk::new(high * 1.0001).unwrap().eval(&graph, &graph).is_nan());
        }
    }
}

#[test]
fn subgraphs() {
    for size in 3..=5 {
        for all in [false, true] {
            let kernel = Graphlets::new(size).unwrap().with_disconnected(all);
            agree("subgraphs", &kernel, |x, z| naive::graphlets(x, z, size as usize, all));
        }
    }
}

#[test]
fn shares_of_subgraphs_add_up_to_1() {
    use mercer::kernel::FeatureMap;
    for graph in small() {
        let kernel = Graphlets::new(4).unwrap().with_disconnected(true).with_proportions(true);
        let sum: f64 = kernel.features(&graph).unwrap().iter().map(|(_, share)| share).sum();
        assert!(graph.nodes() < 4 || (sum - 1.0).abs() < 1e-12);
    }
}

#[test]
fn samples_tend_to_the_counts() {
    use mercer::kernel::FeatureMap;
    let sampled = Counting::Sampled { samples: 200_000, seed: 3 };
    let edges: Vec<(usize, usize)> =
        (0..12).flat_map(|i| [(i, (i + 1) % 12), (i, (i * i + 3) % 12)]).collect();
    let graph = Graph::undirected(12, &edges).unwrap();
    for size in 3..=5 {
        for all in [false, true] {
            let exact = Graphlets::new(size).unwrap().with_disconnected(all);
            let counts = exact.features(&graph).unwrap();
            let estimates = exact.with_counting(sampled).unwrap().features(&graph).unwrap();
            let sets: f64 = (0..size).map(|i| f64::from(12 - i) / f64::from(i + 1)).product();
            for (class, count) in counts {
                let estimate = estimates.iter().find(|(other, _)| *other == class).map_or(0.0, |&(_, c)| c);
                // Six standard deviations of a share of 200 000 draws.
                let share = count / sets;
                let slack = 6.0 * (share * (1.0 - share) / 200_000.0).sqrt() * sets + 1e-9;
                assert!((estimate - count).abs() <= slack, "{size} {class}: {estimate}, not {count}");
            }
        }
    }
}

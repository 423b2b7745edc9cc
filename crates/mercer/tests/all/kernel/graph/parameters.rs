//! What the constructors take, and kernels that are stored.

use mercer::data::Graph;
use mercer::kernel::Kernel;
use mercer::kernel::graph::{
    Counting, EdgeHistogram, Graphlets, LabelledRandomWalk, OptimalAssignment, Preserved, Propagation,
    RandomWalk, ShortestPath, VertexHistogram, WeisfeilerLehman,
};
use serde::{Serialize, de::DeserializeOwned};

use super::small;

#[test]
fn what_has_no_meaning_is_refused() {
    for decay in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(RandomWalk::new(decay).is_err() && LabelledRandomWalk::new(decay).is_err());
        assert!(ShortestPath::weighted(decay).is_err());
        assert!(Propagation::new(1, decay, Preserved::Hellinger, 0).is_err());
    }
    for size in [0, 2, 6, u32::MAX] {
        let error = Graphlets::new(size).unwrap_err().to_string();
        assert_eq!(error, format!("size = {size}: expected 3, 4 or 5"));
    }
    let kernel = Graphlets::new(3).unwrap();
    assert!(kernel.with_counting(Counting::Sampled { samples: 0, seed: 1 }).is_err());
    assert!(WeisfeilerLehman::new(1001).is_err() && OptimalAssignment::new(1001).is_err());
    let kernel = WeisfeilerLehman::new(1).unwrap();
    let error = kernel.clone().with_level_weights(vec![1.0]).unwrap_err().to_string();
    assert_eq!(error, "weights of levels: expected 2, found 1");
    assert!(kernel.with_level_weights(vec![1.0, -1.0]).is_err());
    let far = Graph::undirected(2, &[(0, 1)]).unwrap().with_edge_weights(vec![1e300]).unwrap();
    assert!(ShortestPath::weighted(1.0).unwrap().try_eval(&far, &far).is_err());
}

#[test]
fn graphs_that_would_take_too_much_memory_are_refused() {
    let bare = Graph::undirected(6000, &[]).unwrap();
    let kernel = LabelledRandomWalk::new(0.1).unwrap();
    let error = kernel.try_eval(&bare, &bare).unwrap_err().to_string();
    assert!(
        error.starts_with("the pairs of nodes of a graph with the same label needs 1440000000 bytes"),
        "{error}"
    );
    assert_eq!(
        kernel.eval(&bare.with_node_labels(0..6000).unwrap(), &Graph::undirected(1, &[]).unwrap()),
        0.0
    );
    let spokes: Vec<(usize, usize)> = (1..2050).map(|i| (0, i)).collect();
    let star = Graph::undirected(2050, &spokes).unwrap().with_node_labels(0..2050).unwrap();
    let error = ShortestPath::new().try_eval(&star, &star).unwrap_err().to_string();
    assert_eq!(error, "more than 4194304 different pairs of labels and distances in one graph");
}

/// Values of the loaded kernel are those of the stored one.
fn comes_back<K: Kernel<Graph> + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(kernel: K) {
    let text = serde_json::to_string(&kernel).unwrap();
    let loaded: K = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(loaded, kernel);
    let graphs = small();
    for (x, z) in graphs.iter().zip(graphs.iter().skip(3)) {
        assert_eq!(loaded.eval(x, z).to_bits(), kernel.eval(x, z).to_bits(), "{text}");
    }
}

#[test]
fn stored_kernels_come_back() {
    comes_back(VertexHistogram);
    comes_back(EdgeHistogram::new().with_ends(true));
    comes_back(WeisfeilerLehman::new(2).unwrap().with_level_weights(vec![1.0, 0.5, 0.1]).unwrap());
    comes_back(OptimalAssignment::new(2).unwrap().with_edge_labels(true));
    comes_back(ShortestPath::new());
    comes_back(ShortestPath::weighted(0.3).unwrap().with_labels(false));
    comes_back(RandomWalk::new(0.002).unwrap());
    comes_back(LabelledRandomWalk::new(0.002).unwrap().with_edge_labels(true));
    comes_back(Graphlets::new(4).unwrap().with_counting(Counting::Sampled { samples: 50, seed: 2 }).unwrap());
    comes_back(Propagation::new(2, 0.1, Preserved::TotalVariation, u64::MAX).unwrap());
}

#[test]
fn stored_numbers_are_checked() {
    assert!(serde_json::from_str::<RandomWalk>(r#"{"decay":-1.0}"#).is_err());
    assert!(serde_json::from_str::<LabelledRandomWalk>(r#"{"decay":0.0,"edge_labels":true}"#).is_err());
    assert!(serde_json::from_str::<ShortestPath>(r#"{"labels":true,"width":0.0}"#).is_err());
    let graphlets = r#"{"size":9,"disconnected":true,"proportions":false,"counting":"Exact"}"#;
    assert!(serde_json::from_str::<Graphlets>(graphlets).is_err());
    let refinement = r#"{"refinement":{"iterations":4000000000,"edge_labels":false},"level_weights":null}"#;
    assert!(serde_json::from_str::<WeisfeilerLehman>(refinement).is_err());
}

//! Values worked out by hand.

use mercer::data::Graph;
use mercer::kernel::graph::{
    Counting, Graphlets, LabelledRandomWalk, OptimalAssignment, RandomWalk, ShortestPath, WeisfeilerLehman,
};
use mercer::kernel::{FeatureMap, Kernel};

fn ring(n: usize) -> Graph {
    Graph::undirected(n, &(0..n).map(|i| (i, (i + 1) % n)).collect::<Vec<_>>()).unwrap()
}

fn complete(n: usize) -> Graph {
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
    Graph::undirected(n, &pairs).unwrap()
}

#[test]
fn refinement_cannot_tell_two_triangles_from_a_hexagon() {
    let triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
    let triangles = Graph::undirected(6, &triangles).unwrap();
    let kernel = WeisfeilerLehman::new(5).unwrap();
    assert_eq!(kernel.eval(&triangles, &ring(6)), 6.0 * 36.0);
    assert_eq!(OptimalAssignment::new(5).unwrap().eval(&triangles, &ring(6)), 36.0);
    // Distances can: 12 of 1 there; 12 of 1, 12 of 2 and 6 of 3 here.
    assert_eq!(ShortestPath::new().eval(&triangles, &ring(6)), 144.0);
    assert_eq!(ShortestPath::new().eval(&ring(6), &ring(6)), 144.0 + 144.0 + 36.0);
}

#[test]
fn walks_in_regular_graphs() {
    // n dᵏ walks of length k: n m / (1 − λ d e)
    for (x, z, degrees) in
        [(ring(5), ring(7), 4.0), (complete(4), ring(3), 6.0), (complete(5), complete(4), 12.0)]
    {
        let expected = (x.nodes() * z.nodes()) as f64 / (1.0 - 0.05 * degrees);
        let found = RandomWalk::new(0.05).unwrap().eval(&x, &z);
        assert!((found - expected).abs() <= 1e-12 * expected, "{found}, not {expected}");
        let labelled = LabelledRandomWalk::new(0.05).unwrap().eval(&x, &z);
        assert!((labelled - expected).abs() <= 1e-12 * expected, "{labelled}, not {expected}");
    }
    // A directed path of three nodes has 3, 2 and 1 walks, and no limit of the decay that matters.
    let path = Graph::directed(3, &[(0, 1), (1, 2)]).unwrap();
    assert!((RandomWalk::new(2.0).unwrap().eval(&path, &path) - (9.0 + 2.0 * 4.0 + 4.0)).abs() < 1e-12);
}

#[test]
fn subgraphs_of_a_ring_and_of_a_complete_graph() {
    // Paths of s nodes: n of them in a ring of n > s; a complete graph is complete everywhere.
    for size in 3..=5 {
        let kernel = Graphlets::new(size).unwrap();
        assert_eq!(kernel.eval(&ring(9), &ring(11)), 99.0);
        let sets: f64 = (0..size).map(|i| f64::from(8 - i) / f64::from(i + 1)).product();
        assert_eq!(kernel.eval(&complete(8), &complete(8)), sets * sets);
        assert_eq!(kernel.eval(&complete(8), &ring(9)), 0.0);
        // Without edges all sets are alike.
        let bare = Graph::undirected(100_000, &[]).unwrap();
        let all = kernel.with_disconnected(true).features(&bare).unwrap();
        let sets: u128 = (0..u128::from(size)).fold(1, |sets, i| sets * (100_000 - i) / (i + 1));
        assert_eq!(all, [(0, sets as f64)]);
        assert!(kernel.features(&bare).unwrap().is_empty());
    }
}

#[test]
fn a_star_with_too_many_subgraphs_is_refused() {
    let edges: Vec<(usize, usize)> = (1..2000).map(|i| (0, i)).collect();
    let star = Graph::undirected(2000, &edges).unwrap();
    assert_eq!(Graphlets::new(3).unwrap().eval(&star, &star), (1999.0f64 * 1998.0 / 2.0).powi(2));
    let error = Graphlets::new(5).unwrap().features(&star).unwrap_err().to_string();
    assert_eq!(
        error,
        "a graph of 2000 nodes has more than 1e9 connected subgraphs of up to 5 nodes: sample them"
    );
    let sampled = Counting::Sampled { samples: 10, seed: 1 };
    assert!(Graphlets::new(5).unwrap().with_counting(sampled).unwrap().features(&star).is_ok());
    assert_eq!(
        WeisfeilerLehman::new(1).unwrap().eval(&star, &star),
        2000.0f64.powi(2) + 1999.0f64.powi(2) + 1.0
    );
}

#[test]
fn parallel_edges_and_loops() {
    let single = Graph::undirected(2, &[(0, 1)]).unwrap();
    let double = Graph::undirected(2, &[(0, 1), (1, 0)]).unwrap();
    let looped = Graph::undirected(1, &[(0, 0)]).unwrap();
    let kernel = WeisfeilerLehman::new(1).unwrap();
    assert_eq!(kernel.eval(&single, &double), 4.0);
    assert_eq!(kernel.eval(&single, &looped), 2.0 + 2.0);
    assert_eq!(ShortestPath::new().eval(&single, &double), 4.0);
    assert_eq!(ShortestPath::new().eval(&looped, &double), 0.0);
    let walks = RandomWalk::new(0.1).unwrap();
    assert!((walks.eval(&single, &double) - 4.0 / (1.0 - 0.2)).abs() < 1e-12);
    assert!((walks.eval(&looped, &looped) - 1.0 / 0.9).abs() < 1e-12);
}

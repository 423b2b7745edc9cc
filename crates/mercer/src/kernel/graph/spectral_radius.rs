//! How fast the number of walks in a graph grows.

use crate::data::Graph;
use crate::error::{Error, Result};

/// How close to where the sum over walks is infinite a decay may come.
const NEAREST: f64 = 0.999;

/// An upper bound of the spectral radius of the adjacency matrix A (of weights), tight for all but odd directed graphs.
///
/// For every v > 0 the radius is at most max (Av)ᵢ/vᵢ (Collatz and Wielandt), and powers of A + sI bring v to where this is
/// the radius itself; s keeps bipartite graphs from swinging to and fro. O(edges) per step, at most 1000 steps.
fn spectral_radius(graph: &Graph) -> f64 {
    let row_sum = |node| graph.arcs(node).map(|(_, edge)| graph.edge_weight(edge)).sum::<f64>();
    let largest = (0..graph.nodes()).map(row_sum).fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    let shift = 0.3 * largest;
    let mut bound = largest;
    let mut v = vec![1.0; graph.nodes()];
    let mut next = v.clone();
    for _ in 0..1000 {
        let (mut low, mut high, mut most) = (f64::INFINITY, 0.0f64, 0.0f64);
        for node in 0..graph.nodes() {
            let moved: f64 = graph.arcs(node).map(|(to, edge)| graph.edge_weight(edge) * v[to]).sum();
            let ratio = moved / v[node];
            (low, high) = (low.min(ratio), high.max(ratio));
            next[node] = moved + shift * v[node];
            most = most.max(next[node]);
        }
        bound = bound.min(high);
        if high - low <= 1e-12 * high {
            break;
        }
        // Any v above 0 gives a bound, hence also one that is kept from vanishing.
        v.iter_mut().zip(&next).for_each(|(v, next)| *v = (next / most).max(1e-280));
    }
    bound
}

/// Refuses a decay with which the sum over pairs of walks in the graph and itself is infinite, or nearly so.
pub(super) fn check_decay(decay: f64, graph: &Graph) -> Result<()> {
    let radius = spectral_radius(graph);
    let high = NEAREST / (radius * radius);
    if decay > high {
        return Err(Error::Interval { name: "decay", value: decay, low: 0.0, high });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_of_known_graphs() {
        let path = |n: usize| (1..n).map(|i| (i - 1, i)).collect::<Vec<_>>();
        let ring = |n: usize| (0..n).map(|i| (i, (i + 1) % n)).collect::<Vec<_>>();
        let star = |n: usize| (1..=n).map(|i| (0, i)).collect::<Vec<_>>();
        let mut apart = ring(3);
        apart.extend([(3, 4), (5, 6), (6, 7)]);
        let cases = [
            (Graph::undirected(0, &[]).unwrap(), 0.0),
            (Graph::undirected(3, &[]).unwrap(), 0.0),
            (Graph::undirected(2, &path(2)).unwrap(), 1.0),
            (Graph::undirected(6, &path(6)).unwrap(), 2.0 * (std::f64::consts::PI / 7.0).cos()),
            (Graph::undirected(7, &ring(7)).unwrap(), 2.0),
            (Graph::undirected(10, &star(9)).unwrap(), 3.0),
            (Graph::undirected(9, &apart).unwrap(), 2.0),
            (Graph::undirected(1, &[(0, 0)]).unwrap(), 1.0),
            (Graph::undirected(2, &[(0, 1), (0, 1)]).unwrap(), 2.0),
            (Graph::undirected(2, &path(2)).unwrap().with_edge_weights(vec![2.5]).unwrap(), 2.5),
            (Graph::directed(4, &ring(4)).unwrap(), 1.0),
        ];
        for (graph, expected) in cases {
            let found = spectral_radius(&graph);
            assert!((found - expected).abs() <= 1e-9 * expected, "{graph:?}: {found}, not {expected}");
        }
    }

    #[test]
    fn bounds_are_never_too_small() {
        // No walk is longer than 5 edges, so that the radius is 0; two triangles in a row have one of 1.
        let line = Graph::directed(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]).unwrap();
        assert!((0.0..0.01).contains(&spectral_radius(&line)));
        let rings = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
        let rings = Graph::directed(6, &rings).unwrap();
        assert!((1.0..1.05).contains(&spectral_radius(&rings)));
    }
}

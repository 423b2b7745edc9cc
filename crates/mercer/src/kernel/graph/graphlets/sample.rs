//! Sets of nodes drawn at random.

use super::class::{Classes, bit};
use super::connected::Simple;
use crate::data::Random;

/// Estimates of the number of sets of `size` nodes by class, from so many draws.
///
/// O(samples · log of the largest degree).
pub(super) fn estimate(classes: &Classes, graph: &Simple, size: usize, samples: u64, seed: u64) -> Vec<f64> {
    let mut counts = vec![0.0; 1 << (size * (size - 1) / 2)];
    if graph.nodes() < size {
        return counts;
    }
    let mut random = Random::new(seed);
    let mut set = Vec::with_capacity(size);
    for _ in 0..samples {
        set.clear();
        let mut mask = 0;
        while set.len() < size {
            let node = random.below(graph.nodes()) as u32;
            if !set.contains(&node) {
                let bits = (0..set.len()).filter(|&i| graph.joined(set[i], node)).map(|i| bit(i, set.len()));
                mask |= bits.fold(0, |mask, bit| mask | bit);
                set.push(node);
            }
        }
        counts[usize::from(classes.of(size, mask))] += 1.0;
    }
    let sets: f64 = (0..size).map(|i| (graph.nodes() - i) as f64 / (i + 1) as f64).product();
    counts.iter_mut().for_each(|count| *count *= sets / samples as f64);
    counts
}

//! Pieces of trees, one by one: what kernels on trees count without listing them.
//!
//! Every piece of a tree is written down as text with its weight; a kernel is then Σ φ_f(x) φ_f(z) over equal texts. The
//! number of pieces grows exponentially, so trees must be small.

use std::collections::BTreeMap;

use mercer::data::{Tree, TreeBuilder};

use crate::random::Random;

/// Pieces and their weights.
pub type Pieces = BTreeMap<String, f64>;

/// Σ φ_f(x) φ_f(z)
pub fn in_common(x: &Pieces, z: &Pieces) -> f64 {
    x.iter().filter_map(|(piece, weight)| z.get(piece).map(|other| weight * other)).sum()
}

/// Complete subtrees t with √(decay^|t|) for each time they occur.
pub fn complete_subtrees(tree: &Tree, decay: f64) -> Pieces {
    fn text(tree: &Tree, node: usize) -> String {
        let children: Vec<String> = tree.children(node).map(|child| text(tree, child)).collect();
        format!("{:?}{children:?}", tree.label(node))
    }
    gather((0..tree.nodes()).map(|node| (text(tree, node), decay.powi(tree.size(node) as i32).sqrt())))
}

/// Fragments in which a node has all children or none, with √decay for each node that has.
pub fn fragments(tree: &Tree, decay: f64) -> Pieces {
    fn at(tree: &Tree, node: usize, decay: f64) -> Vec<(String, f64)> {
        if tree.is_leaf(node) {
            return Vec::new();
        }
        let mut begun = vec![(format!("{:?}[", tree.label(node)), decay.sqrt())];
        for child in tree.children(node) {
            let mut ways = at(tree, child, decay);
            ways.push((format!("{:?}", tree.label(child)), 1.0));
            begun = products(&begun, &ways);
        }
        begun.into_iter().map(|(text, weight)| (text + "]", weight)).collect()
    }
    gather((0..tree.nodes()).flat_map(|node| at(tree, node, decay)))
}

/// Fragments in which a node has any of its children. A node with no children counts √μ λ, one with children √μ λᵈ, where d is
/// the distance from the first child that it has to the last, both counted.
pub fn partial_trees(tree: &Tree, lambda: f64, mu: f64) -> Pieces {
    fn at(tree: &Tree, node: usize, lambda: f64, mu: f64) -> Vec<(String, f64)> {
        let children: Vec<usize> = tree.children(node).collect();
        let mut all = Vec::new();
        for chosen in 0..1u32 << children.len() {
            let width = if chosen == 0 { 1 } else { 32 - chosen.leading_zeros() - chosen.trailing_zeros() };
            let weight = mu.sqrt() * lambda.powi(width as i32);
            let mut begun = vec![(format!("{:?}[", tree.label(node)), weight)];
            for (k, &child) in children.iter().enumerate() {
                if chosen >> k & 1 == 1 {
                    begun = products(&begun, &at(tree, child, lambda, mu));
                }
            }
            all.extend(begun.into_iter().map(|(text, weight)| (text + "]", weight)));
        }
        all
    }
    gather((0..tree.nodes()).flat_map(|node| at(tree, node, lambda, mu)))
}

fn products(firsts: &[(String, f64)], seconds: &[(String, f64)]) -> Vec<(String, f64)> {
    let pair = |first: &(String, f64), second: &(String, f64)| {
        (format!("{} {}", first.0, second.0), first.1 * second.1)
    };
    firsts.iter().flat_map(|first| seconds.iter().map(move |second| pair(first, second))).collect()
}

fn gather(pieces: impl Iterator<Item = (String, f64)>) -> Pieces {
    let mut all = Pieces::new();
    for (piece, weight) in pieces {
        *all.entry(piece).or_insert(0.0) += weight;
    }
    all
}

/// A tree of up to so many nodes, with labels from a few letters.
pub fn random_tree(random: &mut Random, nodes: usize, letters: usize) -> Tree {
    let mut builder = TreeBuilder::new();
    let label = |random: &mut Random| ["a", "b", "c", "d", "e"][random.below(letters.min(5))];
    let wanted = 1 + random.below(nodes);
    builder.open(label(random)).expect("a first root");
    for _ in 1..wanted {
        while builder.depth() > 1 && random.below(2) == 0 {
            builder.close().expect("a node is open");
        }
        builder.open(label(random)).expect("the root is open");
    }
    while builder.depth() > 0 {
        builder.close().expect("a node is open");
    }
    builder.finish().expect("a tree")
}

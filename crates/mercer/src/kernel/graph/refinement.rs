//! Labels refined by those of the neighbours, as Weisfeiler and Lehman do.
//!
//! ℓ₀(v) is the label of v, and ℓᵢ(v) is a new name for ℓᵢ₋₁(v) together with the multiset of ℓᵢ₋₁(u) over the neighbours u
//! of v. The names are 128-bit hashes, so that graphs can be refined one by one: see `hash.rs` for the odds that two
//! different things get one name.

use serde::{Deserialize, Serialize};

use super::hash::Hash;
use crate::data::Graph;
use crate::error::{Error, Result};

/// Most rounds of refinement.
const MOST: u32 = 1000;

/// How labels are refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Plain", into = "Plain")]
pub(super) struct Refinement {
    pub(super) iterations: u32,
    pub(super) edge_labels: bool,
}

#[derive(Serialize, Deserialize)]
struct Plain {
    iterations: u32,
    edge_labels: bool,
}

impl Refinement {
    pub(super) fn new(iterations: u32) -> Result<Self> {
        if iterations > MOST {
            let expected = "a whole number of at most 1000";
            return Err(Error::Parameter { name: "iterations", value: f64::from(iterations), expected });
        }
        Ok(Refinement { iterations, edge_labels: false })
    }

    /// Tells `each(level, name, nodes)` how many nodes have which name, level after level and in the order of names.
    ///
    /// O(iterations · edges · log of the largest degree).
    pub(super) fn for_each_name(&self, graph: &Graph, mut each: impl FnMut(u32, u128, u32)) {
        let first = |node| Hash::new(0).label(graph.node_label(node)).finish();
        let mut names: Vec<u128> = (0..graph.nodes()).map(first).collect();
        let edge_names: Option<Vec<u128>> = graph
            .edge_labels()
            .filter(|_| self.edge_labels)
            .map(|labels| labels.iter().map(|label| Hash::new(0).label(Some(label)).finish()).collect());
        let (mut next, mut around, mut sorted) = (names.clone(), Vec::new(), Vec::new());
        for level in 0..=self.iterations {
            if level > 0 {
                for node in 0..graph.nodes() {
                    around.clear();
                    match &edge_names {
                        None => around.extend(graph.neighbours(node).iter().map(|&v| names[v as usize])),
                        Some(edges) => around.extend(graph.arcs(node).map(|(neighbour, edge)| {
                            Hash::new(1).name(edges[edge]).name(names[neighbour]).finish()
                        })),
                    }
                    around.sort_unstable();
                    // The level is part of the name: names of different levels are never the same.
                    let own = Hash::new(2).block(u64::from(level), around.len() as u64).name(names[node]);
                    next[node] = around.iter().fold(own, |hash, &name| hash.name(name)).finish();
                }
                std::mem::swap(&mut names, &mut next);
            }
            sorted.clone_from(&names);
            sorted.sort_unstable();
            sorted.chunk_by(|a, b| a == b).for_each(|same| each(level, same[0], same.len() as u32));
        }
    }
}

impl TryFrom<Plain> for Refinement {
    type Error = Error;

    fn try_from(plain: Plain) -> Result<Self> {
        Ok(Refinement { edge_labels: plain.edge_labels, ..Refinement::new(plain.iterations)? })
    }
}

impl From<Refinement> for Plain {
    fn from(refinement: Refinement) -> Self {
        Plain { iterations: refinement.iterations, edge_labels: refinement.edge_labels }
    }
}

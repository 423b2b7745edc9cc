//! Connected sets of nodes, each found once: Wernicke's ESU.

use super::class::{Classes, bit};
use crate::data::Graph;
use crate::error::{Error, Result};

/// Most connected sets that are looked at.
pub(super) const MOST: u64 = 1_000_000_000;

/// A graph without directions, loops and parallel edges.
pub(super) struct Simple {
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl Simple {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut pairs = Vec::with_capacity(2 * graph.edges());
        for (from, to) in (0..graph.edges()).map(|edge| graph.ends(edge)).filter(|(from, to)| from != to) {
            pairs.extend([(from as u32, to as u32), (to as u32, from as u32)]);
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; graph.nodes() + 1];
        pairs.iter().for_each(|&(from, _)| starts[from as usize + 1] += 1);
        for node in 0..graph.nodes() {
            starts[node + 1] += starts[node];
        }
        Simple { starts, targets: pairs.into_iter().map(|(_, to)| to).collect() }
    }

    pub(super) fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn joined(&self, a: u32, b: u32) -> bool {
        self.neighbours(a).binary_search(&b).is_ok()
    }

    fn neighbours(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize]..self.starts[node as usize + 1]]
    }
}

/// How many connected sets of 1, …, `size` nodes there are: `counts[s][mask]` of the class `mask` of s nodes.
///
/// # Errors
/// [`Error::Unsupported`] for more than [`MOST`].
pub(super) fn count(graph: &Simple, size: usize) -> Result<Vec<Vec<u64>>> {
    // A node and some of its neighbours are connected, and such a set is met from each of its nodes at most.
    let choices =
        |degree: usize| (1..size).map(|i| degree.saturating_sub(i - 1) as f64 / i as f64).product::<f64>();
    let degrees = graph.starts.windows(2).map(|range| range[1] - range[0]);
    if degrees.map(choices).sum::<f64>() > size as f64 * MOST as f64 {
        return Err(too_many(graph, size));
    }
    let masks = |s: usize| vec![0; 1 << (s * s.saturating_sub(1) / 2)];
    let mut search = Search {
        graph,
        size,
        counts: (0..=size).map(masks).collect(),
        found: 0,
        seen: vec![false; graph.nodes()],
        set: Vec::with_capacity(size),
    };
    for node in 0..graph.nodes() as u32 {
        search.seen[node as usize] = true;
        search.grow(node, 0, &mut Vec::new())?;
        search.seen[node as usize] = false;
    }
    let classes = Classes::all();
    let of_class = |(s, found): (usize, &Vec<u64>)| {
        let mut counts = vec![0; found.len()];
        (0..).zip(found).for_each(|(mask, count)| counts[usize::from(classes.of(s, mask))] += count);
        counts
    };
    Ok(search.counts.iter().enumerate().map(of_class).collect())
}

struct Search<'a> {
    graph: &'a Simple,
    size: usize,
    counts: Vec<Vec<u64>>,
    found: u64,
    /// Nodes of the set, their neighbours, and those that were tried already.
    seen: Vec<bool>,
    set: Vec<u32>,
}

impl Search<'_> {
    /// Adds a node to the set, whose mask is given, then in turn each of the nodes that may come next: those of `next` and
    /// the neighbours of the node that no node of the set has, all of them above the first node of the set.
    fn grow(&mut self, node: u32, mask: u16, next: &mut Vec<u32>) -> Result<()> {
        let last = self.set.len();
        let bits = (0..last).filter(|&i| self.graph.joined(self.set[i], node)).map(|i| bit(i, last));
        let mask = bits.fold(mask, |mask, bit| mask | bit);
        self.counts[last + 1][usize::from(mask)] += 1;
        self.found += 1;
        if self.found > MOST {
            return Err(too_many(self.graph, self.size));
        }
        if last + 1 == self.size {
            return Ok(());
        }
        self.set.push(node);
        let first = self.set[0];
        let before = next.len();
        for &neighbour in self.graph.neighbours(node) {
            if neighbour > first && !self.seen[neighbour as usize] {
                self.seen[neighbour as usize] = true;
                next.push(neighbour);
            }
        }
        let mut rest = next.clone();
        while let Some(chosen) = rest.pop() {
            self.grow(chosen, mask, &mut rest)?;
        }
        for neighbour in next.drain(before..) {
            self.seen[neighbour as usize] = false;
        }
        self.set.pop();
        Ok(())
    }
}

fn too_many(graph: &Simple, size: usize) -> Error {
    let nodes = graph.nodes();
    let what = format!(
        "a graph of {nodes} nodes has more than 1e9 connected subgraphs of up to {size} nodes: sample them"
    );
    Error::Unsupported { what }
}

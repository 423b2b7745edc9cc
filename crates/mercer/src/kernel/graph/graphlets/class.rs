//! Graphs of up to five nodes, up to isomorphism.
//!
//! A graph is its mask: bit j(j − 1)/2 + i tells whether nodes i < j are joined. The mask of a part of the first nodes is the
//! low bits. A class is the least mask of the graphs that are isomorphic to each other.

use std::sync::OnceLock;

/// Nodes of the largest graphs.
pub(super) const MOST: usize = 5;

/// The bit of nodes i < j.
#[inline]
pub(super) fn bit(i: usize, j: usize) -> u16 {
    1 << (j * (j - 1) / 2 + i)
}

/// The class of every mask.
pub(super) struct Classes {
    of: [Vec<u16>; MOST + 1],
}

impl Classes {
    /// The table, made when it is first asked for.
    pub(super) fn all() -> &'static Classes {
        static CLASSES: OnceLock<Classes> = OnceLock::new();
        CLASSES.get_or_init(|| Classes {
            of: std::array::from_fn(|size| {
                let orders = orders(size);
                let masks = 1u16 << (size * size.saturating_sub(1) / 2);
                let least = |mask| orders.iter().map(|order| renumbered(mask, order)).min().unwrap_or(0);
                (0..masks).map(least).collect()
            }),
        })
    }

    /// The class of a graph of this size.
    pub(super) fn of(&self, size: usize, mask: u16) -> u16 {
        self.of[size][usize::from(mask)]
    }

    /// The classes of this size.
    pub(super) fn of_size(&self, size: usize) -> impl Iterator<Item = u16> + '_ {
        (0..).zip(&self.of[size]).filter(|&(mask, class)| mask == *class).map(|(mask, _)| mask)
    }

    /// Number of connected components.
    pub(super) fn components(&self, size: usize, mask: u16) -> usize {
        let mut rest = (1u8 << size) - 1;
        let mut count = 0;
        while rest != 0 {
            rest &= !component(size, mask, rest.trailing_zeros() as usize);
            count += 1;
        }
        count
    }

    /// The class of the part of a graph on a set of nodes (bits).
    pub(super) fn part(&self, size: usize, mask: u16, nodes: u8) -> u16 {
        let kept: Vec<usize> = (0..size).filter(|node| nodes >> node & 1 == 1).collect();
        self.of(kept.len(), renumbered(mask, &kept))
    }
}

/// The nodes (bits) that are joined to a node.
pub(super) fn component(size: usize, mask: u16, node: usize) -> u8 {
    let mut found = 1u8 << node;
    loop {
        let before = found;
        for j in 1..size {
            for i in (0..j).filter(|&i| mask & bit(i, j) != 0) {
                if found & (1 << i | 1 << j) != 0 {
                    found |= 1 << i | 1 << j;
                }
            }
        }
        if found == before {
            return found;
        }
    }
}

/// The mask on these nodes, numbered in this order.
fn renumbered(mask: u16, order: &[usize]) -> u16 {
    let mut result = 0;
    for j in 1..order.len() {
        for i in 0..j {
            let (a, b) = (order[i].min(order[j]), order[i].max(order[j]));
            if mask & bit(a, b) != 0 {
                result |= bit(i, j);
            }
        }
    }
    result
}

/// All orders of 0, …, size − 1.
fn orders(size: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..size {
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..size).filter(|node| !order.contains(node)).map(|node| [&order[..], &[node]].concat())
            })
            .collect();
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_graphs_as_is_known() {
        let classes = Classes::all();
        let all: Vec<usize> = (1..=MOST).map(|size| classes.of_size(size).count()).collect();
        assert_eq!(all, [1, 2, 4, 11, 34]);
        let connected =
            |size| classes.of_size(size).filter(|&mask| classes.components(size, mask) == 1).count();
        assert_eq!((1..=MOST).map(connected).collect::<Vec<_>>(), [1, 1, 2, 6, 21]);
    }
}

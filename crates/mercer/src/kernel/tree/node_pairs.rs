//! Pairs of nodes of two trees that have something in common, and a value for each.
//!
//! Nodes fall into classes (by label, or by label and labels of the children), and only pairs of the same class count.
//! Classes are sorted by their key, so that those of two trees are found by one walk along both lists, and the values
//! of a class stand in one block of as many rows and columns as it has nodes in the two trees. A. Moschitti, *Making tree
//! kernels practical for natural language learning*, EACL 2006.

use crate::data::Tree;
use crate::error::{Error, Result};

/// Bytes for the values of all pairs of one tree with itself, or of two trees.
const MOST_BYTES: u64 = 1 << 30;

/// In no class, or in none that the other tree has.
const NONE: u32 = u32::MAX;

/// The nodes of a tree in classes: what [`SubsetTree`](super::SubsetTree) and [`PartialTree`](super::PartialTree) keep of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeClasses {
    /// The key of each class, ascending.
    keys: Vec<String>,
    /// Members of class c are `members[starts[c]..starts[c + 1]]`, ascending.
    starts: Vec<u32>,
    members: Vec<u32>,
    /// The class of each node, and which member of it the node is.
    class: Vec<u32>,
    rank: Vec<u32>,
    /// Children of node i are `children[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    children: Vec<u32>,
}

impl NodeClasses {
    /// Nodes by their keys; those without one are in no class.
    pub(super) fn new(tree: &Tree, key: impl Fn(usize) -> Option<String>) -> Result<Self> {
        let mut keyed: Vec<(String, u32)> =
            (0..tree.nodes()).filter_map(|node| key(node).map(|key| (key, node as u32))).collect();
        keyed.sort_unstable();
        let mut classes = NodeClasses {
            keys: Vec::new(),
            starts: Vec::new(),
            members: Vec::with_capacity(keyed.len()),
            class: vec![NONE; tree.nodes()],
            rank: vec![0; tree.nodes()],
            first: vec![0],
            children: Vec::with_capacity(tree.nodes()),
        };
        for (key, node) in keyed {
            if classes.keys.last() != Some(&key) {
                classes.starts.push(classes.members.len() as u32);
                classes.keys.push(key);
            }
            let class = classes.keys.len() - 1;
            classes.class[node as usize] = class as u32;
            classes.rank[node as usize] = classes.members.len() as u32 - classes.starts[class];
            classes.members.push(node);
        }
        classes.starts.push(classes.members.len() as u32);
        for node in 0..tree.nodes() {
            classes.children.extend(tree.children(node).map(|child| child as u32));
            classes.first.push(classes.children.len() as u32);
        }
        // Σ a_c b_c ≤ max(Σ a_c², Σ b_c²): what a tree needs with itself bounds what two trees need.
        let needed =
            (0..classes.keys.len()).map(|c| (classes.members(c).len() as u64).pow(2)).sum::<u64>() * 8;
        if needed > MOST_BYTES {
            return Err(Error::Budget {
                what: "comparing all nodes of a tree",
                needed,
                allowed: MOST_BYTES,
                instead: "use the kernel Subtree, or cut the tree",
            });
        }
        Ok(classes)
    }

    pub(super) fn children(&self, node: usize) -> &[u32] {
        &self.children[self.first[node] as usize..self.first[node + 1] as usize]
    }

    fn members(&self, class: usize) -> &[u32] {
        &self.members[self.starts[class] as usize..self.starts[class + 1] as usize]
    }
}

/// The values of all pairs of the same class that are known so far.
pub(super) struct NodePairs<'d> {
    pub(super) x: &'d NodeClasses,
    pub(super) z: &'d NodeClasses,
    /// For each class of x: the class of z with the same key, and where its block begins.
    partner: Vec<(u32, usize)>,
    values: Vec<f64>,
}

impl NodePairs<'_> {
    /// Σ over all pairs of nodes of their values, where `value` may ask for those of the children, which come first.
    ///
    /// The same bits for (x, z) and (z, x) if `value` is the same for both: the smaller of the two comes first.
    pub(super) fn sum(
        x: &NodeClasses,
        z: &NodeClasses,
        value: impl Fn(&NodePairs<'_>, usize, usize) -> f64,
    ) -> f64 {
        let (x, z) = if x <= z { (x, z) } else { (z, x) };
        let (mut partner, mut size, mut c) = (Vec::with_capacity(x.keys.len()), 0, 0);
        for (own, key) in x.keys.iter().enumerate() {
            while z.keys.get(c).is_some_and(|other| other < key) {
                c += 1;
            }
            if z.keys.get(c) == Some(key) {
                partner.push((c as u32, size));
                size += x.members(own).len() * z.members(c).len();
            } else {
                partner.push((NONE, 0));
            }
        }
        let mut pairs = NodePairs { x, z, partner, values: vec![0.0; size] };
        let mut total = 0.0;
        // Children have larger numbers than their parents.
        for i in (0..x.class.len()).rev() {
            let Some(&(class, block)) = pairs.partner.get(x.class[i] as usize) else { continue };
            if class == NONE {
                continue;
            }
            let others = z.members(class as usize);
            let row = block + x.rank[i] as usize * others.len();
            for (at, &j) in others.iter().enumerate() {
                let value = value(&pairs, i, j as usize);
                pairs.values[row + at] = value;
                total += value;
            }
        }
        total
    }

    /// The value of a pair whose turn has been; 0 if the nodes are in different classes or none.
    pub(super) fn value(&self, i: u32, j: u32) -> f64 {
        let (own, other) = (self.x.class[i as usize], self.z.class[j as usize]);
        match self.partner.get(own as usize) {
            Some(&(class, block)) if class != NONE && class == other => {
                let width = self.z.members(class as usize).len();
                self.values
                    [block + self.x.rank[i as usize] as usize * width + self.z.rank[j as usize] as usize]
            }
            _ => 0.0,
        }
    }
}

//! Kernels on trees: how they are written.

use super::leaf::{Leaf, Named};
use super::registry::Entry;
use crate::data::ItemKind::Trees;
use crate::kernel::syntax::Number;
use crate::kernel::tree::{PartialTree, SubsetTree, Subtree};

pub(super) const KERNELS: &[Entry] = &[
    Entry {
        name: "subtree",
        kind: Trees,
        formula: "whole subtrees in common, those of n ≥ least nodes times decay^n",
        aliases: &[],
        parameters: &["decay", "least"],
        examples: &["subtree(decay=0.5)", "subtree(decay=1, least=2)"],
        build: |a| {
            let kernel = Subtree::new(a.number("decay", 1.0)?)?;
            Ok(Leaf::Subtree(kernel.at_least(a.whole("least", 1)? as usize)))
        },
    },
    Entry {
        name: "subset_tree",
        kind: Trees,
        formula: "parts of trees whose nodes keep all children or none, times decay per node with children",
        aliases: &["sst"],
        parameters: &["decay"],
        examples: &["subset_tree(decay=0.4)"],
        build: |a| Ok(Leaf::SubsetTree(SubsetTree::new(a.number("decay", 0.4)?)?)),
    },
    Entry {
        name: "partial_tree",
        kind: Trees,
        formula: "parts of trees whose nodes keep any children; decay for widths and gaps, depth_decay for nodes",
        aliases: &[],
        parameters: &["decay", "depth_decay"],
        examples: &["partial_tree(decay=0.4, depth_decay=0.5)"],
        build: |a| {
            let (decay, depth) = (a.number("decay", 0.4)?, a.number("depth_decay", 0.4)?);
            Ok(Leaf::PartialTree(PartialTree::new(decay, depth)?))
        },
    },
];

impl Named for Subtree {
    fn call(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let mut given = vec![("decay", Number(self.decay()).to_string())];
        if self.least() != 1 {
            given.push(("least", self.least().to_string()));
        }
        ("subtree", given)
    }
}

impl Named for SubsetTree {
    fn call(&self) -> (&'static str, Vec<(&'static str, String)>) {
        ("subset_tree", vec![("decay", Number(self.decay()).to_string())])
    }
}

impl Named for PartialTree {
    fn call(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let (decay, depth) = (Number(self.decay()).to_string(), Number(self.depth_decay()).to_string());
        ("partial_tree", vec![("decay", decay), ("depth_decay", depth)])
    }
}

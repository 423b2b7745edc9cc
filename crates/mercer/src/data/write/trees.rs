//! Trees in brackets and in Newick's format, such that they read back as the same trees.

use std::fmt::{Display, Formatter, Write};
use std::ops::Range;

use crate::data::read::{in_brackets, in_newick};
use crate::data::{Tree, TreeFormat};

/// Trees as text, one per line.
///
/// What a format cannot hold is left out: lengths of edges where it is brackets.
///
/// ```
/// use mercer::data::{TreeFormat, format_trees, parse_trees};
/// let trees = parse_trees("(Pan, 'Homo sapiens') : 2;", TreeFormat::Newick)?;
/// assert_eq!(format_trees(&trees, TreeFormat::Newick), "(Pan,'Homo sapiens'):2.0;\n");
/// assert_eq!(format_trees(&trees, TreeFormat::Brackets), "( (Pan) Homo\\ sapiens)\n");
/// # Ok::<(), mercer::Error>(())
/// ```
pub fn format_trees(trees: &[Tree], format: TreeFormat) -> String {
    let mut text = String::new();
    for tree in trees {
        match format {
            TreeFormat::Brackets => text.push_str(&bracketed(tree).0),
            TreeFormat::Newick => newick(tree, &mut text),
        }
        text.push('\n');
    }
    text
}

/// In brackets.
impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&bracketed(self).0)
    }
}

/// A tree in brackets, and where each of its subtrees stands in the text. A leaf stands without brackets, unless it is the
/// root, has no label, or would be taken for the label of its parent.
pub(crate) fn bracketed(tree: &Tree) -> (String, Vec<Range<usize>>) {
    let mut text = String::new();
    let mut places: Vec<Range<usize>> = Vec::with_capacity(tree.nodes());
    let mut open: Vec<usize> = Vec::new();
    for node in 0..tree.nodes() {
        let mistakable =
            open.last().is_some_and(|&parent| parent + 1 == node && tree.label(parent).is_empty());
        if node > 0 {
            text.push(' ');
        }
        let start = text.len();
        places.push(start..start);
        let bare = tree.is_leaf(node) && node > 0 && !tree.label(node).is_empty() && !mistakable;
        if !bare {
            text.push('(');
        }
        for letter in tree.label(node).chars() {
            if u8::try_from(letter).is_ok_and(in_brackets) {
                text.push('\\');
            }
            text.push(letter);
        }
        if tree.is_leaf(node) {
            if !bare {
                text.push(')');
            }
            places[node].end = text.len();
        } else {
            open.push(node);
        }
        while let Some(&ended) = open.last().filter(|&&other| other + tree.size(other) == node + 1) {
            text.push(')');
            places[ended].end = text.len();
            open.pop();
        }
    }
    (text, places)
}

fn newick(tree: &Tree, text: &mut String) {
    let mut open: Vec<usize> = Vec::new();
    for node in 0..tree.nodes() {
        if open.last().is_some_and(|&parent| parent + 1 != node) {
            text.push(',');
        }
        if tree.is_leaf(node) {
            describe(tree, node, text);
        } else {
            text.push('(');
            open.push(node);
        }
        while let Some(&ended) = open.last().filter(|&&other| other + tree.size(other) == node + 1) {
            text.push(')');
            describe(tree, ended, text);
            open.pop();
        }
    }
    text.push(';');
}

/// `name:length`
fn describe(tree: &Tree, node: usize, text: &mut String) {
    let name = tree.label(node);
    if name.bytes().any(in_newick) || (name.is_empty() && tree.nodes() == 1) {
        text.push('\'');
        text.push_str(&name.replace('\'', "''"));
        text.push('\'');
    } else {
        text.push_str(name);
    }
    if let Some(length) = tree.length(node) {
        // Writing to a string does not fail.
        let _ = write!(text, ":{length:?}");
    }
}

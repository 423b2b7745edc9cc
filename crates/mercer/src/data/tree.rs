//! Ordered trees with a label at every node: parses of sentences, phylogenies, documents.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// An ordered tree with a label at every node and, where it is known, the length of the edge to its parent.
///
/// Nodes are numbered in preorder: the root is 0, the subtree of node i is i, …, i + size(i) − 1. Stored are four bytes for
/// the label and four for the size of every node, and every label once. A tree has one node at least.
///
/// Written and parsed in brackets; [`parse_trees`](crate::data::parse_trees) reads files of them, and Newick too.
///
/// ```
/// use mercer::data::Tree;
/// let tree: Tree = "(S (NP she) (VP (V saw) (NP (D the) (N dog))))".parse()?;
/// assert_eq!((tree.nodes(), tree.label(0), tree.label(2), tree.depth()), (11, "S", "she", 4));
/// assert_eq!(tree.children(0).map(|child| tree.label(child)).collect::<Vec<_>>(), ["NP", "VP"]);
/// assert_eq!(tree.to_string(), "(S (NP she) (VP (V saw) (NP (D the) (N dog))))");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts", into = "Parts")]
pub struct Tree {
    /// The labels there are, in the order in which nodes first have them.
    names: Vec<String>,
    labels: Vec<u32>,
    sizes: Vec<u32>,
    /// Empty if no edge has a length.
    lengths: Vec<Option<f64>>,
}

impl Tree {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.labels.len()
    }

    /// The label of a node.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn label(&self, node: usize) -> &str {
        &self.names[self.labels[node] as usize]
    }

    /// Number of nodes of the subtree of a node, itself included.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn size(&self, node: usize) -> usize {
        self.sizes[node] as usize
    }

    /// Whether a node has no children.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.sizes[node] == 1
    }

    /// The children of a node, in order.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let (mut next, end) = (node + 1, node + self.size(node));
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next += self.size(child);
            Some(child)
        })
    }

    /// The length of the edge from a node to its parent, if it has one.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn length(&self, node: usize) -> Option<f64> {
        assert!(node < self.nodes(), "node {node} of a tree of {}", self.nodes());
        self.lengths.get(node).copied().flatten()
    }

    /// Number of edges from the root to the deepest leaf. O(nodes).
    pub fn depth(&self) -> usize {
        let (mut ends, mut deepest) = (Vec::new(), 0);
        for node in 0..self.nodes() {
            while ends.last() == Some(&node) {
                ends.pop();
            }
            deepest = deepest.max(ends.len());
            ends.push(node + self.size(node));
        }
        deepest
    }

    /// The same tree with other labels.
    ///
    /// ```
    /// use mercer::data::Tree;
    /// let tree: Tree = "(4 (3 good) (2 film))".parse()?;
    /// let plain = tree.relabelled(|tree, node| if tree.is_leaf(node) { tree.label(node).into() } else { "X".into() })?;
    /// assert_eq!(plain.to_string(), "(X (X good) (X film))");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`TreeBuilder::open`].
    pub fn relabelled(&self, mut label: impl FnMut(&Tree, usize) -> String) -> Result<Tree> {
        let mut builder = TreeBuilder::new();
        for node in 0..self.nodes() {
            let name = builder.name(&label(self, node))?;
            builder.labels.push(name);
        }
        builder.sizes.clone_from(&self.sizes);
        builder.lengths.clone_from(&self.lengths);
        builder.finish()
    }
}

/// Makes a [`Tree`] node by node, in preorder.
///
/// ```
/// use mercer::data::TreeBuilder;
/// let mut builder = TreeBuilder::new();
/// builder.open("NP")?;
/// for word in ["the", "dog"] {
///     builder.open(word)?;
///     builder.close()?;
/// }
/// builder.close()?;
/// assert_eq!(builder.finish()?.to_string(), "(NP the dog)");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    labels: Vec<u32>,
    sizes: Vec<u32>,
    lengths: Vec<Option<f64>>,
    /// The nodes that are not closed yet, outermost first.
    open: Vec<usize>,
}

impl TreeBuilder {
    /// No nodes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a node below the one that is open, and returns its number.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a second root, or for more nodes than 4 bytes can count.
    pub fn open(&mut self, label: &str) -> Result<usize> {
        let node = self.labels.len();
        if self.open.is_empty() && node > 0 {
            return Err(Error::Unsupported { what: "a tree has one root".into() });
        }
        if u32::try_from(node + 1).is_err() {
            return Err(Error::Unsupported { what: format!("a tree has {} nodes at most", u32::MAX) });
        }
        let name = self.name(label)?;
        self.labels.push(name);
        self.sizes.push(0);
        if !self.lengths.is_empty() {
            self.lengths.push(None);
        }
        self.open.push(node);
        Ok(node)
    }

    /// Gives a node another label. Panics if there is no such node.
    ///
    /// # Errors
    /// As [`TreeBuilder::open`].
    pub fn relabel(&mut self, node: usize, label: &str) -> Result<()> {
        self.labels[node] = self.name(label)?;
        Ok(())
    }

    /// Sets the length of the edge from a node to its parent. Panics if there is no such node.
    ///
    /// # Errors
    /// [`Error::Entry`] if it is not finite.
    pub fn set_length(&mut self, node: usize, length: f64) -> Result<()> {
        check_length(node, length)?;
        self.lengths.resize(self.labels.len(), None);
        self.lengths[node] = Some(length);
        Ok(())
    }

    /// Ends the node that was opened last, and returns its number.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if none is open.
    pub fn close(&mut self) -> Result<usize> {
        let Some(node) = self.open.pop() else {
            return Err(Error::Unsupported { what: "no node of the tree is open".into() });
        };
        // No more than 2³² − 1 nodes were opened.
        self.sizes[node] = (self.labels.len() - node) as u32;
        Ok(node)
    }

    /// Number of nodes that are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The tree, once its root is closed.
    ///
    /// # Errors
    /// [`Error::Empty`] without nodes, [`Error::Unsupported`] if nodes are open.
    pub fn finish(self) -> Result<Tree> {
        if !self.open.is_empty() {
            return Err(Error::Unsupported {
                what: format!("{} nodes of the tree are open", self.open.len()),
            });
        }
        if self.labels.is_empty() {
            return Err(Error::Empty { what: "nodes in the tree" });
        }
        Ok(Tree { names: self.names, labels: self.labels, sizes: self.sizes, lengths: self.lengths }
            .in_order())
    }

    fn name(&mut self, label: &str) -> Result<u32> {
        if let Some(&number) = self.numbers.get(label) {
            return Ok(number);
        }
        let number = u32::try_from(self.names.len())
            .map_err(|_| Error::Unsupported { what: format!("a tree has {} labels at most", u32::MAX) })?;
        self.names.push(label.into());
        self.numbers.insert(label.into(), number);
        Ok(number)
    }
}

impl Tree {
    /// Labels numbered in the order of nodes, none left out: equal trees have equal parts.
    fn in_order(mut self) -> Tree {
        let mut new = vec![u32::MAX; self.names.len()];
        let mut names = Vec::with_capacity(self.names.len());
        for label in &mut self.labels {
            let old = *label as usize;
            if new[old] == u32::MAX {
                new[old] = names.len() as u32;
                names.push(std::mem::take(&mut self.names[old]));
            }
            *label = new[old];
        }
        self.names = names;
        if self.lengths.iter().all(Option::is_none) {
            self.lengths.clear();
        }
        self
    }
}

fn check_length(node: usize, length: f64) -> Result<()> {
    if length.is_finite() {
        return Ok(());
    }
    let what = "length of the edge above tree node";
    Err(Error::Entry { what, index: node, value: length, expected: "a finite number" })
}

/// What files hold of a tree.
#[derive(Serialize, Deserialize)]
struct Parts {
    names: Vec<String>,
    labels: Vec<u32>,
    sizes: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lengths: Vec<Option<f64>>,
}

impl From<Tree> for Parts {
    fn from(tree: Tree) -> Self {
        Parts { names: tree.names, labels: tree.labels, sizes: tree.sizes, lengths: tree.lengths }
    }
}

impl TryFrom<Parts> for Tree {
    type Error = Error;

    /// Refuses parts that are no tree.
    fn try_from(parts: Parts) -> Result<Tree> {
        let Parts { names, labels, sizes, lengths } = parts;
        let nodes = labels.len();
        if nodes == 0 {
            return Err(Error::Empty { what: "nodes in the tree" });
        }
        if sizes.len() != nodes {
            return Err(Error::Shape { what: "sizes of tree nodes", expected: nodes, found: sizes.len() });
        }
        if !lengths.is_empty() && lengths.len() != nodes {
            return Err(Error::Shape {
                what: "lengths of tree edges",
                expected: nodes,
                found: lengths.len(),
            });
        }
        let mut ends = vec![nodes];
        for (node, &size) in sizes.iter().enumerate() {
            while ends.last() == Some(&node) {
                ends.pop();
            }
            let end = node + size as usize;
            let room = ends.last().copied().unwrap_or(0);
            if size == 0 || end > room || (node == 0 && end != nodes) {
                let expected = "the number of nodes from here to the end of its subtree";
                return Err(Error::Entry {
                    what: "size of tree node",
                    index: node,
                    value: f64::from(size),
                    expected,
                });
            }
            ends.push(end);
        }
        if let Some(node) = labels.iter().position(|&label| label as usize >= names.len()) {
            let value = f64::from(labels[node]);
            let expected = "the number of a label that there is";
            return Err(Error::Entry { what: "label of tree node", index: node, value, expected });
        }
        for (node, &length) in lengths.iter().enumerate() {
            check_length(node, length.unwrap_or(0.0))?;
        }
        let mut builder = TreeBuilder::new();
        for label in labels {
            let name = builder.name(&names[label as usize])?;
            builder.labels.push(name);
        }
        TreeBuilder { sizes, lengths, ..builder }.finish()
    }
}

//! Files of trees: in brackets, or in Newick's format.

mod brackets;
mod newick;

pub(in crate::data) use brackets::is_special as in_brackets;
pub(in crate::data) use newick::is_special as in_newick;

use std::path::Path;
use std::str::FromStr;

use crate::data::Tree;
use crate::data::read::source::read_text;
use crate::error::{Error, Result};

/// How trees are written down.
///
/// ```
/// use mercer::data::{TreeFormat, parse_trees};
/// let parse = parse_trees("(NP (D the) (N dog))", TreeFormat::Brackets)?;
/// let phylogeny = parse_trees("('Homo sapiens':0.2,Pan:0.1)Hominini; [one tree]", TreeFormat::Newick)?;
/// assert_eq!((parse[0].label(0), phylogeny[0].label(1), phylogeny[0].length(1)), ("NP", "Homo sapiens", Some(0.2)));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFormat {
    /// `(label child child …)`, as the Penn Treebank has it: a child is a tree, or a word, which is a leaf. A node may have no
    /// label, `((S …))`, and then has the label "". A backslash before a bracket, a blank or a backslash makes it part of
    /// the label; before anything else it stands for itself. Lengths of edges are not written.
    Brackets,
    /// `(child,child,…)name:length;`. Names may stand in quotes, `'it''s'`, and comments in square brackets, which may be
    /// nested. A node without a name has the label "". Underscores stay underscores. The last semicolon may be missing.
    Newick,
}

/// All trees of a text.
///
/// O(length of the text), however deep trees are.
///
/// ```
/// use mercer::data::{TreeFormat, parse_trees};
/// assert_eq!(parse_trees("(A b)\n(C (D e)\n   f)", TreeFormat::Brackets)?.len(), 2);
/// let error = parse_trees("(A b)\n(C (D e", TreeFormat::Brackets).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 4: this bracket is never closed");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parse`] with the place.
pub fn parse_trees(text: &str, format: TreeFormat) -> Result<Vec<Tree>> {
    match format {
        TreeFormat::Brackets => brackets::parse(text),
        TreeFormat::Newick => newick::parse(text),
    }
}

/// All trees of a file, plain or compressed with gzip.
///
/// ```
/// use mercer::data::{TreeFormat, read_trees};
/// # let path = std::env::temp_dir().join(format!("mercer-trees-{}.ptb", std::process::id()));
/// std::fs::write(&path, "(NP (D the) (N dog))\n(NP (D a) (N cat))\n")?;
/// assert_eq!(read_trees(&path, TreeFormat::Brackets)?.len(), 2);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::InFile`] with the place if its content is not such trees.
pub fn read_trees(path: impl AsRef<Path>, format: TreeFormat) -> Result<Vec<Tree>> {
    let path = path.as_ref();
    parse_trees(&read_text(path)?, format).map_err(|error| error.in_file(path))
}

/// One tree in brackets.
impl FromStr for Tree {
    type Err = Error;

    fn from_str(text: &str) -> Result<Tree> {
        let mut trees = brackets::parse(text)?;
        match (trees.pop(), trees.len()) {
            (Some(tree), 0) => Ok(tree),
            (None, _) => Err(Error::Empty { what: "tree in the text" }),
            (_, more) => Err(Error::Shape { what: "trees in the text", expected: 1, found: more + 1 }),
        }
    }
}

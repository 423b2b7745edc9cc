//! Graphs as lists of edges.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use super::lines::Lines;
use super::number;
use super::problem::excerpt;
use super::source::{decompressed, open};
use super::tu::word;
use crate::data::{Graph, GraphLabel};
use crate::error::{Error, Result};

/// A graph and what its file calls the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedGraph {
    /// The graph.
    pub graph: Graph,
    /// The name of each node.
    pub names: Vec<String>,
}

/// How a list of edges is meant.
///
/// ```
/// use mercer::data::{EdgeListOptions, ThirdColumn};
/// assert_eq!(EdgeListOptions::default(), EdgeListOptions { directed: false, third: ThirdColumn::Weight });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeListOptions {
    /// Whether edges lead from the first node of a line to the second.
    pub directed: bool,
    /// What stands after the two nodes, where something does.
    pub third: ThirdColumn,
}

/// What the third column of a list of edges holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThirdColumn {
    /// The weight of the edge.
    #[default]
    Weight,
    /// Its label.
    Label,
}

/// Reads a list of edges: two names of nodes per line, and a weight or a label if there is one.
///
/// Fields are separated by spaces, tabs or commas; lines that start with `#` or `%` are comments, and a line with one name
/// is a node that may have no edge. Nodes are numbered as they come, whatever they are called. All edges have a third
/// column or none has.
///
/// ```
/// use mercer::data::{EdgeListOptions, read_edge_list_from};
/// let text = "# from to weight\na b 0.5\nb c 2\nd\n";
/// let named = read_edge_list_from(text.as_bytes(), &EdgeListOptions::default())?;
/// assert_eq!(named.names, ["a", "b", "c", "d"]);
/// assert_eq!((named.graph.nodes(), named.graph.edge_weight(1)), (4, 2.0));
/// let error = read_edge_list_from("a b 0.5\nb c\n".as_bytes(), &EdgeListOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: no weight, but the edges before have one");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] and [`Error::Parse`] with the line and the field.
pub fn read_edge_list_from(source: impl Read, options: &EdgeListOptions) -> Result<NamedGraph> {
    read(decompressed(source)?, options)
}

/// Reads a list of edges from a file, see [`read_edge_list_from`].
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::InFile`] with the place of what cannot be used.
pub fn read_edge_list(path: impl AsRef<Path>, options: &EdgeListOptions) -> Result<NamedGraph> {
    let path = path.as_ref();
    open(path).and_then(|text| read(text, options)).map_err(|error| error.in_file(path))
}

fn read(text: impl Read, options: &EdgeListOptions) -> Result<NamedGraph> {
    let mut lines = Lines::new(text)?;
    let (mut names, mut numbers, mut edges) = (Vec::new(), HashMap::new(), Vec::new());
    let (mut weights, mut labels) = (Vec::new(), Vec::new());
    while lines.advance()? {
        let (line, text) = (lines.number(), lines.current().trim_ascii());
        if text.is_empty() || text.starts_with(b"#") || text.starts_with(b"%") {
            continue;
        }
        let problem = |column, problem| Error::Parse { line, column, problem };
        let fields: Vec<&[u8]> = fields(text).take(4).collect();
        let mut node = |name: &[u8]| {
            let name = word(line, name)?;
            if let Some(&number) = numbers.get(name) {
                return Ok(number);
            }
            if names.len() >= Graph::MOST_NODES {
                return Err(Error::Parse { line, column: 1, problem: "too many nodes".into() });
            }
            numbers.insert(name.to_string(), names.len());
            names.push(name.to_string());
            Ok(names.len() - 1)
        };
        match fields[..] {
            [name] => _ = node(name)?,
            [from, to, ref rest @ ..] => {
                edges.push((node(from)?, node(to)?));
                if edges.len() > Graph::MOST_EDGES {
                    return Err(problem(1, "too many edges".into()));
                }
                let third = |what| format!("no {what}, but the edges before have one");
                match (rest, options.third) {
                    ([], ThirdColumn::Weight) if !weights.is_empty() => {
                        return Err(problem(3, third("weight")));
                    }
                    ([], ThirdColumn::Label) if !labels.is_empty() => return Err(problem(3, third("label"))),
                    ([], _) => {}
                    ([_], _) if weights.len() + labels.len() + 1 < edges.len() => {
                        return Err(problem(3, "a third column, but the edges before have none".into()));
                    }
                    ([weight], ThirdColumn::Weight) => {
                        let value =
                            number::parse(weight).map_err(|refusal| problem(3, refusal.problem(weight)))?;
                        if value < 0.0 {
                            let shown = excerpt(weight);
                            return Err(problem(3, format!("a weight of {shown}: expected at least 0")));
                        }
                        weights.push(value);
                    }
                    ([label], ThirdColumn::Label) => labels.push(GraphLabel::read(word(line, label)?)),
                    _ => return Err(problem(4, "more than three columns".into())),
                }
            }
            [] => return Err(problem(1, "no name of a node".into())),
        }
    }
    let make = if options.directed { Graph::directed } else { Graph::undirected };
    let mut graph = make(names.len(), &edges)?;
    if !weights.is_empty() {
        graph = graph.with_edge_weights(weights)?;
    }
    if !labels.is_empty() {
        graph = graph.with_edge_labels(labels)?;
    }
    Ok(NamedGraph { graph, names })
}

/// The fields of a line, whatever separates them.
fn fields(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    text.split(separates).filter(|field| !field.is_empty())
}

//! Folders of graphs in the layout of the TU Dortmund collection.
//!
//! `DS_A.txt` has an edge per line, as the numbers of two nodes; `DS_graph_indicator.txt` the number of its graph per node;
//! `DS_graph_labels.txt` (or `DS_graph_attributes.txt`) the target per graph. There may be `DS_node_labels.txt`,
//! `DS_node_attributes.txt`, `DS_edge_labels.txt` and `DS_edge_attributes.txt`. All numbers count from 1, and each file may be
//! compressed with gzip (`.txt.gz`).

use std::fs;
use std::path::{Path, PathBuf};

use super::lines::Lines;
use super::number;
use super::problem::{excerpt, not_text};
use super::source::open;
use super::target_column::TargetColumn;
use crate::data::{Graph, GraphLabel, Targets};
use crate::error::{Error, Result};

/// Graphs, and what is to be learned about them.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphSet {
    /// The graphs.
    pub graphs: Vec<Graph>,
    /// One target per graph, where there are targets.
    pub targets: Targets,
}

/// Reads a folder of graphs in the layout of the TU Dortmund collection.
///
/// The name of the set is taken from the one file of the folder that ends in `_A.txt` or `_A.txt.gz`. Edges have no direction
/// if each of them stands there both ways, with the same label and attributes. Labels that are whole numbers become numbers,
/// others words. O(size of the files) memory.
///
/// ```
/// use mercer::data::read_tu;
/// # let folder = std::env::temp_dir().join(format!("mercer-tu-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("TOY_A.txt"), "1, 2\n2, 1\n3, 4\n4, 3\n")?;
/// std::fs::write(folder.join("TOY_graph_indicator.txt"), "1\n1\n2\n2\n2\n")?;
/// std::fs::write(folder.join("TOY_graph_labels.txt"), "-1\n1\n")?;
/// std::fs::write(folder.join("TOY_node_labels.txt"), "6\n8\n6\n6\n1\n")?;
/// let set = read_tu(&folder)?;
/// assert_eq!((set.graphs[1].nodes(), set.graphs[1].edges()), (3, 1));
/// assert_eq!(set.targets.labels()?.classes(), ["-1", "1"]);
///
/// std::fs::write(folder.join("TOY_A.txt"), "1, 2\n2, 1\n3, 9\n9, 3\n")?;
/// let error = read_tu(&folder).unwrap_err().to_string();
/// assert!(error.ends_with("TOY_A.txt:3:2: node 9, but there are 5 nodes"), "{error}");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// C. Morris, N. M. Kriege, F. Bause, K. Kersting, P. Mutzel, M. Neumann: TUDataset, ICML 2020 workshop on graph representation
/// learning.
///
/// # Errors
/// [`Error::File`] for a file that cannot be read, [`Error::InFile`] with the line of what cannot be used.
pub fn read_tu(folder: impl AsRef<Path>) -> Result<GraphSet> {
    let folder = Folder::new(folder.as_ref())?;
    let targets = folder.targets()?;
    let nodes = folder.nodes(targets.rows())?;
    let arcs = folder.arcs(&nodes)?;
    let edge_labels = folder.labels("edge_labels", arcs.len())?;
    let edge_attributes = folder.attributes("edge_attributes", arcs.len())?;
    let node_labels = folder.labels("node_labels", nodes.graph_of.len())?;
    let node_attributes = folder.attributes("node_attributes", nodes.graph_of.len())?;

    let rows = |attributes: &Option<(Vec<f64>, usize)>, owners: &[u32]| {
        attributes.as_ref().map(|(values, each)| {
            owners
                .iter()
                .flat_map(|&at| &values[at as usize * each..][..*each])
                .copied()
                .collect::<Vec<f64>>()
        })
    };
    let chosen = |labels: &Option<Vec<GraphLabel>>, owners: &[u32]| {
        labels.as_ref().map(|all| owners.iter().map(|&at| all[at as usize].clone()).collect::<Vec<_>>())
    };
    let same = |a: usize, b: usize| {
        edge_labels.as_ref().is_none_or(|labels| labels[a] == labels[b])
            && edge_attributes
                .as_ref()
                .is_none_or(|(values, each)| values[a * each..][..*each] == values[b * each..][..*each])
    };
    let one_way = each_once(&arcs, same);
    let directed = one_way.is_none();
    // Edges by graph, in the order of the file.
    let mut edges_of = vec![Vec::new(); nodes.of_graph.len()];
    for arc in one_way.unwrap_or_else(|| (0..arcs.len() as u32).collect()) {
        edges_of[nodes.graph_of[arcs[arc as usize].0 as usize] as usize].push(arc);
    }
    let mut graphs = Vec::with_capacity(edges_of.len());
    for (members, lines) in nodes.of_graph.iter().zip(edges_of) {
        let ends = |&line: &u32| {
            let (from, to) = arcs[line as usize];
            (nodes.place[from as usize] as usize, nodes.place[to as usize] as usize)
        };
        let edges: Vec<(usize, usize)> = lines.iter().map(ends).collect();
        let make = if directed { Graph::directed } else { Graph::undirected };
        let mut graph = make(members.len(), &edges)?;
        if let Some(labels) = chosen(&node_labels, members) {
            graph = graph.with_node_labels(labels)?;
        }
        if let Some(values) = rows(&node_attributes, members) {
            graph = graph.with_node_attributes(values)?;
        }
        if let Some(labels) = chosen(&edge_labels, &lines) {
            graph = graph.with_edge_labels(labels)?;
        }
        if let Some(values) = rows(&edge_attributes, &lines) {
            graph = graph.with_edge_attributes(values)?;
        }
        graphs.push(graph);
    }
    Ok(GraphSet { graphs, targets })
}

/// One arc of each edge if every arc that is no loop has one that leads back and is the `same` otherwise; `None` if not.
fn each_once(arcs: &[(u32, u32)], same: impl Fn(usize, usize) -> bool) -> Option<Vec<u32>> {
    let key = |&arc: &u32| {
        let (from, to) = arcs[arc as usize];
        (from.min(to), from.max(to), from > to, arc)
    };
    let mut order: Vec<u32> = (0..arcs.len() as u32).collect();
    order.sort_unstable_by_key(key);
    let mut kept = Vec::with_capacity(arcs.len() / 2);
    for edges in order.chunk_by(|a, b| (key(a).0, key(a).1) == (key(b).0, key(b).1)) {
        let (low, high, ..) = key(&edges[0]);
        if low == high {
            kept.extend_from_slice(edges);
            continue;
        }
        let (there, back) = edges.split_at(edges.partition_point(|arc| !key(arc).2));
        if there.len() != back.len() || there.iter().zip(back).any(|(&a, &b)| !same(a as usize, b as usize)) {
            return None;
        }
        // Of both lines the one that comes first, so that edges keep the order of the file.
        kept.extend(there.iter().zip(back).map(|(a, b)| a.min(b)));
    }
    kept.sort_unstable();
    Some(kept)
}

/// The nodes of all graphs.
struct Nodes {
    /// The graph of each node, and its number there.
    graph_of: Vec<u32>,
    place: Vec<u32>,
    of_graph: Vec<Vec<u32>>,
}

/// A folder and the name of the set in it.
struct Folder {
    path: PathBuf,
    name: String,
}

impl Folder {
    fn new(path: &Path) -> Result<Self> {
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| Error::file(path, error))? {
            let file = entry.map_err(|error| Error::file(path, error))?.file_name();
            let file = file.to_string_lossy();
            names.extend(file.strip_suffix("_A.txt").or(file.strip_suffix("_A.txt.gz")).map(str::to_string));
        }
        names.sort();
        names.dedup();
        match <[String; 1]>::try_from(names) {
            Ok([name]) => Ok(Folder { path: path.to_path_buf(), name }),
            Err(names) => {
                let what = match &names[..] {
                    [] => {
                        "no file ends in _A.txt, .edges, .edgelist or .graphml (or that and .gz)".to_string()
                    }
                    names => format!("{} files end in _A.txt: expected one set per folder", names.len()),
                };
                Err(Error::Unsupported { what }.in_file(path))
            }
        }
    }

    /// The path of one of the files, if there is such a file.
    fn file(&self, part: &str) -> Option<PathBuf> {
        let candidates = ["txt", "txt.gz"].map(|end| self.path.join(format!("{}_{part}.{end}", self.name)));
        candidates.into_iter().find(|path| path.exists())
    }

    fn required(&self, part: &str) -> PathBuf {
        self.file(part).unwrap_or_else(|| self.path.join(format!("{}_{part}.txt", self.name)))
    }

    fn targets(&self) -> Result<Targets> {
        let Some(path) = self.file("graph_labels").or_else(|| self.file("graph_attributes")) else {
            return Ok(Targets::Missing);
        };
        let mut column = TargetColumn::default();
        for_each_line(&path, |line, text| {
            column.push(text).map_err(|bad| problem(line, bad.offset as u64 + 1, bad.problem))
        })?;
        Ok(column.finish())
    }

    fn nodes(&self, graphs: Option<usize>) -> Result<Nodes> {
        let path = self.required("graph_indicator");
        let mut numbers = Vec::new();
        for_each_line(&path, |line, text| {
            let number = whole(line, 1, text)?;
            if let Some(graphs) = graphs.filter(|&graphs| number > graphs as u64) {
                return Err(problem(line, 1, format!("graph {number}, but there are {graphs} graphs")));
            }
            numbers.push(number);
            Ok(())
        })?;
        // Without targets the number of graphs is the largest that is named, if that is not out of all proportion.
        let most = numbers.iter().copied().max().unwrap_or(0);
        if most > numbers.len() as u64 && graphs.is_none() {
            let line = numbers.iter().position(|&number| number == most).unwrap_or(0) as u64 + 1;
            let text = format!("graph {most}, but there are only {} nodes", numbers.len());
            return Err(problem(line, 1, text).in_file(path));
        }
        if numbers.len() > Graph::MOST_NODES {
            let what = format!("{} nodes: at most {} can be read", numbers.len(), Graph::MOST_NODES);
            return Err(Error::Unsupported { what }.in_file(path));
        }
        let mut of_graph = vec![Vec::new(); graphs.unwrap_or(most as usize)];
        let mut place = Vec::with_capacity(numbers.len());
        let graph_of: Vec<u32> = numbers.iter().map(|&number| (number - 1) as u32).collect();
        for (node, &graph) in (0u32..).zip(&graph_of) {
            let members: &mut Vec<u32> = &mut of_graph[graph as usize];
            place.push(members.len() as u32);
            members.push(node);
        }
        Ok(Nodes { graph_of, place, of_graph })
    }

    fn arcs(&self, nodes: &Nodes) -> Result<Vec<(u32, u32)>> {
        let count = nodes.graph_of.len();
        let mut arcs = Vec::new();
        for_each_line(&self.required("A"), |line, text| {
            let mut ends = [0u32; 2];
            let mut fields = text.split(|&byte| byte == b',');
            for (column, end) in (1..).zip(&mut ends) {
                let field = fields.next().ok_or_else(|| {
                    problem(line, column, format!("`{}`: expected two nodes, `1, 2`", excerpt(text)))
                })?;
                let node = whole(line, column, field)?;
                if node > count as u64 {
                    return Err(problem(line, column, format!("node {node}, but there are {count} nodes")));
                }
                *end = (node - 1) as u32;
            }
            if fields.next().is_some() {
                return Err(problem(line, 3, format!("`{}`: expected two nodes", excerpt(text))));
            }
            let [from, to] = ends;
            let graphs = [from, to].map(|node| nodes.graph_of[node as usize] + 1);
            if graphs[0] != graphs[1] {
                let text = format!("an edge from graph {} to graph {}", graphs[0], graphs[1]);
                return Err(problem(line, 1, text));
            }
            if arcs.len() >= Graph::MOST_EDGES {
                return Err(problem(line, 1, format!("more than {} edges", Graph::MOST_EDGES)));
            }
            arcs.push((from, to));
            Ok(())
        })?;
        Ok(arcs)
    }

    /// One label per line, if there is such a file.
    fn labels(&self, part: &str, expected: usize) -> Result<Option<Vec<GraphLabel>>> {
        let Some(path) = self.file(part) else { return Ok(None) };
        let mut labels = Vec::new();
        for_each_line(&path, |line, text| {
            labels.push(GraphLabel::read(word(line, text)?));
            Ok(())
        })?;
        count(&path, labels.len(), expected)?;
        Ok(Some(labels))
    }

    /// As many numbers per line, if there is such a file.
    fn attributes(&self, part: &str, expected: usize) -> Result<Option<(Vec<f64>, usize)>> {
        let Some(path) = self.file(part) else { return Ok(None) };
        let (mut values, mut each, mut lines) = (Vec::new(), 0, 0);
        for_each_line(&path, |line, text| {
            let before = values.len();
            for (column, field) in (1..).zip(text.split(|&byte| byte == b',')) {
                let field = field.trim_ascii();
                let value =
                    number::parse(field).map_err(|refusal| problem(line, column, refusal.problem(field)))?;
                values.push(value);
            }
            let found = values.len() - before;
            if lines > 0 && found != each {
                return Err(problem(line, found as u64, format!("{found} attributes, but {each} before")));
            }
            (each, lines) = (found, lines + 1);
            Ok(())
        })?;
        count(&path, lines, expected)?;
        Ok(Some((values, each)))
    }
}

/// Calls `each` with the number and the text of every line; empty lines at the end are left out.
fn for_each_line(path: &Path, mut each: impl FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
    let mut read = || {
        let mut lines = Lines::new(open(path)?)?;
        let mut empty = None;
        while lines.advance()? {
            let (line, text) = (lines.number(), lines.current().trim_ascii());
            match (text.is_empty(), empty) {
                (true, _) => empty = empty.or(Some(line)),
                (false, Some(line)) => return Err(problem(line, 1, "an empty line".into())),
                (false, None) => each(line, text)?,
            }
        }
        Ok(())
    };
    read().map_err(|error: Error| error.in_file(path))
}

fn problem(line: u64, column: u64, problem: String) -> Error {
    Error::Parse { line, column, problem }
}

/// A whole number of at least 1.
fn whole(line: u64, column: u64, text: &[u8]) -> Result<u64> {
    let text = text.trim_ascii();
    let number =
        std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).filter(|&number: &u64| number > 0);
    number.ok_or_else(|| {
        problem(line, column, format!("`{}` is not a whole number of at least 1", excerpt(text)))
    })
}

/// Text that can be a label.
pub(super) fn word(line: u64, text: &[u8]) -> Result<&str> {
    if text.len() > number::LONGEST_TOKEN {
        return Err(problem(line, 1, number::Refusal::TooLong.problem(text)));
    }
    std::str::from_utf8(text).map_err(|_| {
        let (at, why) = not_text(text).unwrap_or_default();
        problem(line, at as u64 + 1, why)
    })
}

fn count(path: &Path, found: usize, expected: usize) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(Error::Shape { what: "lines (one for each)", expected, found }.in_file(path))
}

//! Folders with a file for each graph.

use std::path::{Path, PathBuf};

use super::edge_list::{EdgeListOptions, read_edge_list};
use super::graphml::{GraphmlOptions, read_graphml};
use crate::data::{Graph, Labels, Targets};
use crate::error::{Error, Result};

/// Whether a file holds a graph, as its name tells: `.edges` and `.edgelist` are lists of edges.
pub(super) fn is_graph(name: &str) -> bool {
    is_edge_list(name) || name.ends_with(".graphml")
}

fn is_edge_list(name: &str) -> bool {
    name.ends_with(".edges") || name.ends_with(".edgelist")
}

/// The name of a file in lower case, without what says that it is compressed.
pub(super) fn plain_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    name.trim_end_matches(".gz").to_string()
}

/// The graphs of a file: one of a list of edges, all of GraphML.
pub(super) fn graphs_of(path: &Path) -> Result<Vec<Graph>> {
    if is_edge_list(&plain_name(path)) {
        return Ok(vec![read_edge_list(path, &EdgeListOptions::default())?.graph]);
    }
    Ok(read_graphml(path, &GraphmlOptions::default())?.into_iter().map(|named| named.graph).collect())
}

/// The graphs of all files of a folder, in the order of their names; those in folders within it have the names of these as labels. `None`
/// if there are no such files.
pub(super) fn read_graph_files(folder: &Path) -> Result<Option<(Vec<Graph>, Targets)>> {
    let (mut here, mut within) = (Vec::new(), Vec::new());
    for path in entries(folder)? {
        if path.is_dir() {
            let label = path.file_name().map(|name| name.to_string_lossy().to_string()).unwrap_or_default();
            let files = entries(&path)?.into_iter().filter(|path| is_graph(&plain_name(path)));
            within.extend(files.map(|path| (path, label.clone())));
        } else if is_graph(&plain_name(&path)) {
            here.push(path);
        }
    }
    if here.is_empty() && within.is_empty() {
        return Ok(None);
    }
    if !(here.is_empty() || within.is_empty()) {
        let what = "graphs stand in the folder itself, or in folders named after their labels, not in both";
        return Err(Error::Unsupported { what: what.into() }.in_file(folder));
    }
    let (mut graphs, mut labels) = (Vec::new(), Vec::new());
    for path in here {
        graphs.extend(graphs_of(&path)?);
    }
    for (path, label) in within {
        let found = graphs_of(&path)?;
        labels.extend(std::iter::repeat_n(label, found.len()));
        graphs.extend(found);
    }
    let targets = match labels.is_empty() {
        true => Targets::Missing,
        false => Targets::Words(Labels::from_text(labels)),
    };
    Ok(Some((graphs, targets)))
}

/// What is in a folder, in the order of names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let read = || -> std::io::Result<Vec<PathBuf>> {
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
    };
    let mut paths = read().map_err(|error| Error::file(folder, error))?;
    paths.sort();
    Ok(paths)
}

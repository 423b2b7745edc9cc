//! Graphs, made of what Python holds them in.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use mercer::data::{Graph, GraphLabel};
use mercer::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PySet, PyString, PyTuple};

use crate::errors::raised;

/// The label of a node or an edge; a word that is a whole number is that number, as it is in files.
#[derive(FromPyObject)]
enum Label {
    Number(i64),
    Word(String),
}

impl From<Label> for GraphLabel {
    fn from(label: Label) -> Self {
        match label {
            Label::Number(number) => GraphLabel::from(number),
            Label::Word(word) => GraphLabel::read(&word),
        }
    }
}

/// A graph that Python has taken apart.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Parts {
    nodes: usize,
    edges: Vec<(usize, usize)>,
    directed: bool,
    node_labels: Option<Vec<Label>>,
    edge_labels: Option<Vec<Label>>,
    edge_weights: Option<Vec<f64>>,
    node_attributes: Option<Vec<f64>>,
}

/// How often other threads may run, and signals are looked for.
const MOMENT: Duration = Duration::from_millis(10);

/// All graphs of a list. Those that are plain are read here, which is several times faster; `parts(item, index)` takes all
/// others apart.
pub fn graphs(items: &Bound<'_, PyAny>, parts: &Bound<'_, PyAny>) -> PyResult<Vec<Graph>> {
    let py = items.py();
    let mut graphs = Vec::new();
    let mut looked = Instant::now();
    for (index, item) in items.try_iter()?.enumerate() {
        if looked.elapsed() > MOMENT {
            py.check_signals()?;
            // Other threads that wait have the interpreter for a while.
            py.detach(|| {});
            looked = Instant::now();
        }
        let item = item?;
        let graph = match plain(&item)? {
            Some(graph) => graph,
            None => of_parts(parts.call1((item, index))?.extract()?),
        };
        let graph = graph.map_err(|error| Error::Item { index, source: Box::new(error) });
        graphs.push(graph.map_err(raised)?);
    }
    Ok(graphs)
}

/// The graph, if it is a pair of edges between places of nodes and labels of all nodes in order, as numbers or words. An edge
/// that stands there twice, or both ways, counts once.
fn plain(item: &Bound<'_, PyAny>) -> PyResult<Option<Result<Graph>>> {
    let Ok(pair) = item.cast_exact::<PyTuple>() else { return Ok(None) };
    if pair.len() != 2 {
        return Ok(None);
    }
    let Some(labels) = labels_in_order(&pair.get_item(1)?) else { return Ok(None) };
    let Some(edges) = edges_between(&pair.get_item(0)?, labels.len())? else { return Ok(None) };
    Ok(Some(Graph::undirected(labels.len(), &edges).and_then(|graph| graph.with_node_labels(labels))))
}

fn labels_in_order(labels: &Bound<'_, PyAny>) -> Option<Vec<GraphLabel>> {
    if let Ok(labels) = labels.cast_exact::<PyList>() {
        return labels.iter().map(|label| plain_label(&label)).collect();
    }
    let labels = labels.cast_exact::<PyDict>().ok()?;
    let in_order = |(place, (node, label)): (usize, (Bound<'_, PyAny>, Bound<'_, PyAny>))| {
        if plain_place(&node)? == place { plain_label(&label) } else { None }
    };
    labels.iter().enumerate().map(in_order).collect()
}

fn plain_label(label: &Bound<'_, PyAny>) -> Option<GraphLabel> {
    if label.is_exact_instance_of::<PyInt>() {
        label.extract::<i64>().ok().map(GraphLabel::from)
    } else if label.is_exact_instance_of::<PyString>() {
        label.extract::<String>().ok().map(|word| GraphLabel::read(&word))
    } else {
        None
    }
}

/// A whole number that is no boolean and not negative.
fn plain_place(place: &Bound<'_, PyAny>) -> Option<usize> {
    if place.is_exact_instance_of::<PyInt>() { place.extract().ok() } else { None }
}

/// The edges, each of them once and in the order in which they first stand there.
fn edges_between(edges: &Bound<'_, PyAny>, nodes: usize) -> PyResult<Option<Vec<(usize, usize)>>> {
    let is_list = edges.is_exact_instance_of::<PyList>() || edges.is_exact_instance_of::<PySet>();
    if !is_list {
        return Ok(None);
    }
    let mut found: Vec<(usize, usize)> = Vec::with_capacity(edges.len()?);
    for edge in edges.try_iter()? {
        let edge = edge?;
        let Ok(edge) = edge.cast_exact::<PyTuple>() else { return Ok(None) };
        if edge.len() != 2 {
            return Ok(None);
        }
        let (u, v) = (edge.get_borrowed_item(0)?, edge.get_borrowed_item(1)?);
        match (plain_place(&u), plain_place(&v)) {
            (Some(u), Some(v)) if u.max(v) < nodes => found.push((u.min(v), u.max(v))),
            _ => return Ok(None),
        }
    }
    keep_first(&mut found, nodes);
    Ok(Some(found))
}

/// Nodes up to which pairs of them have a bit each: a table of 32 kilobytes at most.
const FEW_NODES: usize = 512;

/// Leaves each edge where it first stands.
fn keep_first(edges: &mut Vec<(usize, usize)>, nodes: usize) {
    if nodes <= FEW_NODES {
        let mut seen = vec![0u64; (nodes * nodes).div_ceil(64)];
        edges.retain(|&(u, v)| {
            let (word, bit) = ((u * nodes + v) / 64, 1 << ((u * nodes + v) % 64));
            let new = seen[word] & bit == 0;
            seen[word] |= bit;
            new
        });
    } else {
        let mut seen = HashSet::with_capacity(edges.len());
        edges.retain(|&edge| seen.insert(edge));
    }
}

fn of_parts(parts: Parts) -> Result<Graph> {
    let mut graph = match parts.directed {
        true => Graph::directed(parts.nodes, &parts.edges)?,
        false => Graph::undirected(parts.nodes, &parts.edges)?,
    };
    if let Some(labels) = parts.node_labels {
        graph = graph.with_node_labels(labels)?;
    }
    if let Some(labels) = parts.edge_labels {
        graph = graph.with_edge_labels(labels)?;
    }
    if let Some(weights) = parts.edge_weights {
        graph = graph.with_edge_weights(weights)?;
    }
    if let Some(values) = parts.node_attributes {
        graph = graph.with_node_attributes(values)?;
    }
    Ok(graph)
}

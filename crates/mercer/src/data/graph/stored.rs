//! A graph as it stands in a file: nothing that follows from the rest, and everything checked when it comes back.

use serde::{Deserialize, Serialize};

use super::attributes::Attributes;
use super::{Graph, GraphLabel};
use crate::error::Error;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stored {
    directed: bool,
    nodes: usize,
    edges: Vec<(usize, usize)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node_labels: Option<Vec<GraphLabel>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edge_labels: Option<Vec<GraphLabel>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edge_weights: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node_attributes: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edge_attributes: Option<Vec<f64>>,
}

impl From<Graph> for Stored {
    fn from(graph: Graph) -> Self {
        Stored {
            directed: graph.directed,
            nodes: graph.nodes(),
            edges: graph.ends.iter().map(|&(from, to)| (from as usize, to as usize)).collect(),
            node_labels: graph.node_labels,
            edge_labels: graph.edge_labels,
            edge_weights: graph.edge_weights,
            node_attributes: graph.node_attributes.map(Attributes::into_values),
            edge_attributes: graph.edge_attributes.map(Attributes::into_values),
        }
    }
}

impl TryFrom<Stored> for Graph {
    type Error = Error;

    fn try_from(stored: Stored) -> Result<Self, Error> {
        let mut graph = Graph::checked(stored.nodes, &stored.edges, stored.directed)?;
        if let Some(labels) = stored.node_labels {
            graph = graph.with_node_labels(labels)?;
        }
        if let Some(labels) = stored.edge_labels {
            graph = graph.with_edge_labels(labels)?;
        }
        if let Some(weights) = stored.edge_weights {
            graph = graph.with_edge_weights(weights)?;
        }
        if let Some(values) = stored.node_attributes {
            graph = graph.with_node_attributes(values)?;
        }
        if let Some(values) = stored.edge_attributes {
            graph = graph.with_edge_attributes(values)?;
        }
        Ok(graph)
    }
}

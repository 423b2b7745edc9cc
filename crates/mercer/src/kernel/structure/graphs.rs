//! Kernels on graphs: how they are written.

use super::leaf::{Leaf, Named};
use super::registry::Entry;
use crate::data::ItemKind::Graphs;
use crate::kernel::graph::{
    Counting, EdgeHistogram, Graphlets, LabelledRandomWalk, OptimalAssignment, Preserved, Propagation,
    RandomWalk, ShortestPath, VertexHistogram, WeisfeilerLehman,
};
use crate::kernel::syntax::{Number, list};

/// Parameters as they are printed.
type Call = (&'static str, Vec<(&'static str, String)>);

pub(super) const KERNELS: &[Entry] = &[
    Entry {
        name: "wl",
        kind: Graphs,
        formula: "labels of nodes in common, after 0 to h rounds in which each takes in its neighbours'",
        aliases: &["weisfeiler_lehman"],
        parameters: &["h", "edge_labels", "weights"],
        examples: &["wl(h=3)", "wl(h=1, edge_labels=true, weights=[1, 0.5])"],
        build: |a| {
            let (h, edges) = (a.whole("h", 3)?, a.flag("edge_labels", false)?);
            let kernel = WeisfeilerLehman::new(h)?.with_edge_labels(edges);
            Ok(Leaf::WeisfeilerLehman(match a.list("weights")? {
                Some(weights) => kernel.with_level_weights(weights)?,
                None => kernel,
            }))
        },
    },
    Entry {
        name: "wl_assignment",
        kind: Graphs,
        formula: "the best assignment of nodes to nodes by the rounds, 0 to h, in which their labels agree",
        aliases: &["wl_optimal_assignment", "optimal_assignment"],
        parameters: &["h", "edge_labels"],
        examples: &["wl_assignment(h=3)"],
        build: |a| {
            let kernel = OptimalAssignment::new(a.whole("h", 3)?)?;
            Ok(Leaf::OptimalAssignment(kernel.with_edge_labels(a.flag("edge_labels", false)?)))
        },
    },
    Entry {
        name: "shortest_path",
        kind: Graphs,
        formula: "pairs of nodes with the same labels and the same distance; by weights of edges in multiples of width",
        aliases: &["sp"],
        parameters: &["labels", "width"],
        examples: &["shortest_path", "shortest_path(labels=false, width=0.5)"],
        build: |a| {
            let kernel = match a.optional("width")? {
                Some(width) => ShortestPath::weighted(width)?,
                None => ShortestPath::new(),
            };
            Ok(Leaf::ShortestPath(kernel.with_labels(a.flag("labels", true)?)))
        },
    },
    Entry {
        name: "random_walk",
        kind: Graphs,
        formula: "walks in common, those of n steps times decay^n, whatever the labels",
        aliases: &[],
        parameters: &["decay"],
        examples: &["random_walk(decay=0.01)"],
        build: |a| Ok(Leaf::RandomWalk(RandomWalk::new(a.number("decay", 0.01)?)?)),
    },
    Entry {
        name: "labelled_random_walk",
        kind: Graphs,
        formula: "walks over the same labels, those of n steps times decay^n",
        aliases: &["labeled_random_walk"],
        parameters: &["decay", "edge_labels"],
        examples: &["labelled_random_walk(decay=0.01)", "labelled_random_walk(decay=0.02, edge_labels=true)"],
        build: |a| {
            let kernel = LabelledRandomWalk::new(a.number("decay", 0.01)?)?;
            Ok(Leaf::LabelledRandomWalk(kernel.with_edge_labels(a.flag("edge_labels", false)?)))
        },
    },
    Entry {
        name: "graphlets",
        kind: Graphs,
        formula: "induced subgraphs of k = 3, 4 or 5 nodes in common",
        aliases: &["graphlet"],
        parameters: &["k", "disconnected", "proportions", "samples", "seed"],
        examples: &[
            "graphlets(k=3)",
            "graphlets(k=4, disconnected=true, proportions=true)",
            "graphlets(k=3, samples=500, seed=7)",
        ],
        build: |a| {
            let kernel = Graphlets::new(a.whole("k", 3)?)?
                .with_disconnected(a.flag("disconnected", false)?)
                .with_proportions(a.flag("proportions", false)?);
            Ok(Leaf::Graphlets(match a.large("samples")? {
                Some(samples) => {
                    let seed = a.large("seed")?.unwrap_or(0);
                    kernel.with_counting(Counting::Sampled { samples, seed })?
                }
                None => kernel,
            }))
        },
    },
    Entry {
        name: "vertex_histogram",
        kind: Graphs,
        formula: "labels of nodes in common",
        aliases: &["node_histogram"],
        parameters: &[],
        examples: &["vertex_histogram"],
        build: |_| Ok(Leaf::VertexHistogram(VertexHistogram)),
    },
    Entry {
        name: "edge_histogram",
        kind: Graphs,
        formula: "labels of edges in common, with those of their ends or without",
        aliases: &[],
        parameters: &["ends"],
        examples: &["edge_histogram", "edge_histogram(ends=true)"],
        build: |a| Ok(Leaf::EdgeHistogram(EdgeHistogram::new().with_ends(a.flag("ends", false)?))),
    },
    Entry {
        name: "propagation",
        kind: Graphs,
        formula: "bins of width w in common that the nodes' labels, or attributes, fall into, after 0 to h rounds of diffusion",
        aliases: &[],
        parameters: &["h", "width", "preserved", "seed"],
        examples: &["propagation(h=2, width=0.01, preserved=total_variation, seed=1)"],
        build: |a| {
            let (h, width) = (a.whole("h", 3)?, a.number("width", 1e-5)?);
            let preserved = a.word("preserved", &PRESERVED)?;
            let seed = a.large("seed")?.unwrap_or(0);
            Ok(Leaf::Propagation(Propagation::new(h, width, preserved, seed)?))
        },
    },
];

const PRESERVED: [(&str, Preserved); 4] = [
    ("total_variation", Preserved::TotalVariation),
    ("hellinger", Preserved::Hellinger),
    ("manhattan", Preserved::Manhattan),
    ("euclidean", Preserved::Euclidean),
];

/// The names of flags that are set.
fn flags(all: &[(&'static str, bool)]) -> Vec<(&'static str, String)> {
    all.iter().filter(|(_, set)| *set).map(|(name, _)| (*name, "true".to_string())).collect()
}

impl Named for WeisfeilerLehman {
    fn call(&self) -> Call {
        let mut given = vec![("h", self.iterations().to_string())];
        given.extend(flags(&[("edge_labels", self.edge_labels())]));
        if let Some(weights) = self.level_weights() {
            given.push(("weights", list(weights.iter().map(|&weight| Number(weight)))));
        }
        ("wl", given)
    }
}

impl Named for OptimalAssignment {
    fn call(&self) -> Call {
        let mut given = vec![("h", self.iterations().to_string())];
        given.extend(flags(&[("edge_labels", self.edge_labels())]));
        ("wl_assignment", given)
    }
}

impl Named for ShortestPath {
    fn call(&self) -> Call {
        let mut given = Vec::new();
        if !self.labels() {
            given.push(("labels", "false".to_string()));
        }
        given.extend(self.width().map(|width| ("width", Number(width).to_string())));
        ("shortest_path", given)
    }
}

impl Named for RandomWalk {
    fn call(&self) -> Call {
        ("random_walk", vec![("decay", Number(self.decay()).to_string())])
    }
}

impl Named for LabelledRandomWalk {
    fn call(&self) -> Call {
        let mut given = vec![("decay", Number(self.decay()).to_string())];
        given.extend(flags(&[("edge_labels", self.edge_labels())]));
        ("labelled_random_walk", given)
    }
}

impl Named for Graphlets {
    fn call(&self) -> Call {
        let mut given = vec![("k", self.size().to_string())];
        given.extend(flags(&[("disconnected", self.disconnected()), ("proportions", self.proportions())]));
        if let Counting::Sampled { samples, seed } = self.counting() {
            given.extend([("samples", samples.to_string()), ("seed", seed.to_string())]);
        }
        ("graphlets", given)
    }
}

impl Named for VertexHistogram {
    fn call(&self) -> Call {
        ("vertex_histogram", Vec::new())
    }
}

impl Named for EdgeHistogram {
    fn call(&self) -> Call {
        ("edge_histogram", flags(&[("ends", self.ends())]))
    }
}

impl Named for Propagation {
    fn call(&self) -> Call {
        let preserved =
            PRESERVED.iter().find(|(_, kind)| *kind == self.preserved()).map_or("", |(name, _)| name);
        (
            "propagation",
            vec![
                ("h", self.iterations().to_string()),
                ("width", Number(self.width()).to_string()),
                ("preserved", preserved.to_string()),
                ("seed", self.seed().to_string()),
            ],
        )
    }
}

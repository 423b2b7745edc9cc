//! Items, labels, and the files they come in.
//!
//! *Items* are what a kernel compares; *labels* and *targets* are what is to be learned about them.

mod dense;
mod examples;
mod graph;
mod items;
mod random;
mod read;
mod scaling;
mod schema;
mod sparse;
mod split;
mod table;
mod targets;
mod vectors;
mod write;

pub use dense::{Dense, Real};
pub use examples::{Examples, Selected};
pub use graph::{Graph, GraphLabel};
pub use items::Items;
pub use random::Random;
pub use read::{
    Chunks, Column, Contents, EdgeListOptions, FastaLabel, Format, GraphSet, GraphmlOptions, Header, LabelColumn, NamedGraph, Precomputed, ReadOptions, StringColumns, Strings, ThirdColumn, Words, error_at, open, read_chunks, read_edge_list, read_edge_list_from, read_fasta, read_file, read_from, read_graphml, read_graphml_from, read_lines, read_string_table, read_tu,
};
pub use scaling::{Scaling, ScalingKind};
pub use schema::{Feature, FeatureValues, Missing, Schema};
pub use sparse::{Index, Sparse};
pub use split::{Split, Splitting, TimeSeries};
pub use table::{Doubt, Remarks, Table};
pub use targets::{Labels, TargetList, Targets, check_weights};
pub use vectors::{Row, Vectors};
pub use write::{check_writable, write_atomically, write_file, write_to};

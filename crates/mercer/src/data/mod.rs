//! Items, labels, and the files they come in.
//!
//! *Items* are what a kernel compares; *labels* and *targets* are what is to be learned about them.

mod checksum;
mod collection;
mod column_major;
mod dense;
mod examples;
mod formula;
mod graph;
mod images;
mod items;
mod kernel_values;
mod random;
mod read;
mod records;
mod scaling;
mod schema;
mod series;
mod sparse;
mod split;
mod table;
mod target_guess;
mod targets;
mod tree;
mod vectors;
mod word;
mod write;

pub use collection::{Collection, Item, ItemKind};
pub use column_major::{ColumnMajor, Strided};
pub use dense::{Dense, Real};
pub use examples::{Examples, Selected};
pub use formula::Formula;
pub use graph::{Graph, GraphLabel};
pub use images::{Distortion, VirtualExamples};
pub use items::Items;
pub use kernel_values::KernelRow;
pub use random::Random;
pub use read::{
    Chunks, Column, Contents, EdgeListOptions, FastaLabel, Format, GraphSet, GraphmlOptions, Header,
    HeaderGuess, HeaderReason, LabelColumn, NamedGraph, Precomputed, Quote, ReadOptions, SeriesLabel,
    SeriesTable, StringColumns, Strings, StructureOptions, StructureSource, StructureTable, ThirdColumn,
    TreeFormat, Words, error_at, open, parse_number, parse_trees, read_chunks, read_edge_list,
    read_edge_list_from, read_fasta, read_file, read_from, read_graphml, read_graphml_from, read_lines,
    read_series_file, read_series_rows, read_string_table, read_structures, read_structures_from, read_text,
    read_trees, read_ts, read_tu,
};
pub use records::{Cell, CellKind, Record, RecordSchema};
pub use scaling::{Scaling, ScalingKind};
pub use schema::{Feature, FeatureValues, Missing, Schema};
pub use series::Series;
pub use sparse::{Index, Sparse};
pub use split::{Split, Splitting, TimeSeries};
pub use table::{Doubt, Remarks, Table};
pub use target_guess::{TargetGuess, TargetReason};
pub use targets::{Labels, TargetList, Targets, check_weights};
pub use tree::{Tree, TreeBuilder};
pub use vectors::{Row, Vectors};
pub(crate) use write::bracketed;
pub(crate) use write::write_checked;
pub use write::{check_writable, format_trees, write_atomically, write_file, write_to};

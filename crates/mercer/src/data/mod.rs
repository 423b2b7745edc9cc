//! Items, labels, and the files they come in.
//!
//! *Items* are what a kernel compares; *labels* and *targets* are what is to be learned about them.

mod dense;
mod examples;
mod items;
mod random;
mod read;
mod scaling;
mod schema;
mod series;
mod sparse;
mod split;
mod table;
mod targets;
mod vectors;
mod write;

pub use dense::{Dense, Real};
pub use examples::{Examples, Selected};
pub use items::Items;
pub use random::Random;
pub use read::{
    Chunks, Column, Contents, Format, Header, LabelColumn, Precomputed, ReadOptions, SeriesLabel,
    SeriesTable, Words, error_at, open, read_chunks, read_file, read_from, read_series_file,
    read_series_rows, read_ts,
};
pub use scaling::{Scaling, ScalingKind};
pub use schema::{Feature, FeatureValues, Missing, Schema};
pub use series::Series;
pub use sparse::{Index, Sparse};
pub use split::{Split, Splitting, TimeSeries};
pub use table::{Doubt, Remarks, Table};
pub use targets::{Labels, TargetList, Targets, check_weights};
pub use vectors::{Row, Vectors};
pub use write::{check_writable, write_atomically, write_file, write_to};

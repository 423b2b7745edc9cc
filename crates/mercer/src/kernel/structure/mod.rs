//! Kernels on structured items as expressions: printed, parsed and stored, as [`Expression`](crate::kernel::Expression) is for rows
//! of numbers.
//!
//! A kernel that is offered here has one line in `leaf.rs`, which says what it compares and how, and an entry with its parameters
//! and its spelling in the file of its kind (`strings.rs`, `trees.rs`, `graphs.rs`, `series.rs`, `sets.rs`, `logic.rs`,
//! `generative.rs`). The parser, the command line, model
//! files and the law tests follow from these two.
//!
//! ```
//! use mercer::data::Item;
//! use mercer::kernel::StructureExpression;
//! let kernel: StructureExpression = "0.5 * spectrum(k=2) + normalised(subsequence(k=2, decay=0.5))".parse()?;
//! assert_eq!(kernel.eval(Item::String("ab"), Item::String("ab"))?, 1.5);
//! # Ok::<(), mercer::Error>(())
//! ```

mod column;
mod expression;
mod generative;
mod graphs;
mod leaf;
mod logic;
mod print;
mod read;
mod registry;
mod series;
mod sets;
mod strings;
mod tokens;
mod trees;
mod widths;

pub use expression::StructureExpression;
pub use registry::StructureDescription;

pub(crate) use column::{Column, ColumnKernel, OnColumn};
pub(crate) use expression::{Node, within};
pub(crate) use leaf::{Leaf, structure_kernels};
pub(crate) use registry::{all_names, is_around, is_begun, is_mending, kind_of, own_names};
pub(crate) use tokens::{letters, token_kernels};

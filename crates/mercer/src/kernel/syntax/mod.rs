//! Kernel expressions as text: printing and parsing.
//!
//! `lex` cuts the text into tokens, `parse` follows the grammar and makes a `tree` of what was written. `read` makes a kernel on
//! rows of numbers of that: `registry` knows every one that can be called by name, `arguments` hands it what stands between the
//! parentheses. `print` is the way back. Kernels on other items share all of it but `read` and `registry`, see
//! [`structure`](crate::kernel::structure).

pub(crate) mod arguments;
pub(crate) mod lex;
pub(crate) mod parse;
mod print;
mod read;
pub(crate) mod registry;
pub(crate) mod tree;

pub use registry::Description;

pub(crate) use print::{Number, list, write_call};

//! Kernel expressions as text: printing and parsing.
//!
//! `lex` cuts the text into tokens, `parse` follows the grammar, `registry` knows every kernel that can be
//! called by name, `arguments` hands it what stands between the parentheses, and `print` is the way back.

mod arguments;
mod lex;
mod parse;
mod print;
mod registry;

pub use registry::Description;

pub(crate) use print::{Number, list, write_call};

//! Kernel expressions as text: printing and parsing.

mod print;

pub(crate) use print::{Number, list, write_call};

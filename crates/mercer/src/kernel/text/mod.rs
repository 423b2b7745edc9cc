//! Kernels on texts: what words, or runs of characters, they have in common.
//!
//! [`BagOfWords`] counts them, [`TfIdf`] gives rare ones more weight; [`Terms`] says what is counted. At unit length by
//! [`Normalised`](crate::kernel::Normalised), which is what texts of different lengths usually want.

mod bag_of_words;
mod common_terms;
mod terms;
mod tf_idf;

pub use bag_of_words::BagOfWords;
pub use common_terms::CommonTerms;
pub use terms::{Terms, Unit};
pub use tf_idf::TfIdf;

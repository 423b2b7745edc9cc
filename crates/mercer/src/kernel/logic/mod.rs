//! Kernels on logic, one per file: truth values of propositions, and formulae.
//!
//! [`MonotoneConjunctions`], [`Conjunctions`] and [`Dnf`] compare assignments, rows of 0 and 1, by the conjunctions that
//! are true of both: a hyperplane in their feature space is a weighted vote of conjunctions. [`CommonModels`] compares formulae by
//! the assignments that make both true.

mod assignment;
mod common_models;
mod conjunctions;
mod dnf;
mod monotone_conjunctions;

pub use assignment::Assignment;
pub use common_models::CommonModels;
pub use conjunctions::Conjunctions;
pub use dnf::Dnf;
pub use monotone_conjunctions::MonotoneConjunctions;

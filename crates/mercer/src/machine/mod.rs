//! Learners: parameters → checked → fit → model.

mod class_weights;
pub mod formulation;
pub mod one_against_one;
mod options;
mod pairwise;
mod svc;

pub use class_weights::ClassWeights;
pub use options::FitOptions;
pub use pairwise::{PairReport, Pairwise};
pub use svc::{FitProgress, Svc, SvcFit, SvcModel, SvcParams};

//! Learners: parameters → checked → fit → model.

mod attempt;
mod class_weights;
pub mod formulation;
pub mod one_against_one;
mod options;
mod pair_machines;
mod rounding;
mod svc;

pub use class_weights::ClassWeights;
pub use options::FitOptions;
pub use pair_machines::{PairMachines, PairReport};
pub use svc::{FitProgress, Svc, SvcFit, SvcModel, SvcParams};

//! What a machine says about its data: labels that look wrong, examples that stand for others, and who speaks for a prediction.

mod influence;
mod prototypes;
mod suspects;

pub use influence::{Influence, influences};
pub use prototypes::{Prototype, prototypes, prototypes_each};
pub use suspects::{Suspect, SuspectOptions, Suspects, suspects, suspects_until};

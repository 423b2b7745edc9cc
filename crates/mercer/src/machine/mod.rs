//! Learners: parameters → checked → fit → model.

mod attempt;
mod class_weights;
mod expansion;
pub mod formulation;
mod joint;
mod kept;
mod novelty;
pub mod one_against_one;
mod options;
mod pair_machines;
mod rounding;
mod svc;
mod svr;

pub use class_weights::ClassWeights;
pub use expansion::{Expansion, Report};
pub use formulation::Slack;
pub use joint::{ClassFunctions, Joint, JointFit, JointModel, JointSvc, JointSvcParams};
pub use kept::Kept;
pub use novelty::{FalsePositiveBound, Found, Novelty, NoveltyModel, NoveltyParams, Region, Softness};
pub use options::FitOptions;
pub use pair_machines::{PairMachines, PairReport};
pub use svc::{FitProgress, Svc, SvcFit, SvcModel, SvcParams};
pub use svr::{Loss, Svr, SvrFit, SvrModel, SvrParams};

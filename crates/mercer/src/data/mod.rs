//! Items, labels, and the files they come in.
//!
//! *Items* are what a kernel compares; *labels* and *targets* are what is to be learned about them.

mod dense;
mod items;
mod random;
mod scaling;
mod sparse;
mod targets;
mod vectors;

pub use dense::{Dense, Real};
pub use items::Items;
pub use random::Random;
pub use scaling::{Scaling, ScalingKind};
pub use sparse::{Index, Sparse};
pub use targets::{Labels, Targets, check_weights};
pub use vectors::{Row, Vectors};

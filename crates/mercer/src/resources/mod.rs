//! What the machine lends: threads, memory and instruction sets. All of them are arguments, never globals.

mod instruction_set;
mod memory;
pub mod number;
mod workers;

pub use instruction_set::InstructionSet;
pub use memory::{available_memory, default_budget};
pub use workers::Workers;

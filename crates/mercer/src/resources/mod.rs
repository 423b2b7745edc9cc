//! What the machine lends: threads, memory and instruction sets, and for how long. All of them are arguments, never globals.

mod instruction_set;
mod interrupt;
mod memory;
pub mod number;
mod workers;

pub use instruction_set::InstructionSet;
pub use interrupt::Interrupt;
pub use memory::{available_memory, default_budget};
pub use workers::Workers;

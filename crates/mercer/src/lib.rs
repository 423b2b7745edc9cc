//! Kernel methods with certificates: any learner × any kernel × any data.

pub mod data;
pub mod error;
pub mod gram;
pub mod kernel;
pub mod resources;
pub mod solver;

pub use error::{Error, Result};

//! Kernel methods with certificates: any learner × any kernel × any data.

pub mod data;
pub mod error;
pub mod gram;
pub mod kernel;
pub mod linalg;
pub mod resources;

pub use error::{Error, Result};

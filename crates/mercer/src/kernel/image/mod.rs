//! Kernels on images in rows, one per file.

mod jittered;

pub use jittered::{Jittered, JitteredImage};

//! Kernels on images, one per file: as rows of pixels, and line by line.

mod jittered;
mod pictures;

pub use jittered::{Jittered, JitteredImage};
pub use pictures::JitteredPictures;

//! Many settings of a machine tried on the same folds.
//!
//! Kernel values are computed once for all folds and all costs; along the costs every training begins where the one before
//! ended.
//!
//! | file | what it knows |
//! |---|---|
//! | `said.rs` | what a machine says about rows that it has not learned from |
//! | `parts.rs` | the kernel values of a fold: taken from one matrix while that fits into memory, else computed row by row |
//! | `grid.rs` | every kernel with every cost, in every fold |
//! | `cell.rs` | how one of them did |

mod cell;
mod grid;
mod parts;
mod said;

pub use cell::Cell;
pub use grid::{Grid, cross_validate};
pub use said::{Candidate, HeldOut, Said};

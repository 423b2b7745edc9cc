//! Integration tests of the library, one module per room.

mod architecture;
mod gram;
mod kernel;
mod solver;

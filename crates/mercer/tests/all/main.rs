//! Integration tests of the library, one module per room.

mod architecture;
mod data;
mod evaluation;
mod gram;
mod io;
mod kernel;
mod linalg;
mod machine;
mod solver;

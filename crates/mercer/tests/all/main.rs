//! Integration tests of the library, one module per room.

mod gram;

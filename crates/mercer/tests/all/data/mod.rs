//! Data files and what is done to their numbers.

mod scaling;

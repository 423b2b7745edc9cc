//! Laws, naive oracles and fixtures that Mercer is tested against.

pub mod alignments;
pub mod enumeration;
pub mod fixture;
pub mod fuzz;
pub mod general_qp;
pub mod graph_oracle;
pub mod graphs;
pub mod kkt;
pub mod laws;
pub mod logic;
pub mod oracle;
pub mod qp;
pub mod random;
pub mod strings;
pub mod structures;
pub mod synthetic;
pub mod table;
pub mod trees;

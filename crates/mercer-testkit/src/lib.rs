//! Laws, naive oracles and fixtures that Mercer is tested against.

pub mod alignments;
pub mod enumeration;
pub mod fixture;
pub mod general_qp;
pub mod kkt;
pub mod laws;
pub mod oracle;
pub mod qp;
pub mod random;
pub mod synthetic;
pub mod table;

//! Laws, naive oracles and fixtures that Mercer is tested against.

pub mod laws;
pub mod oracle;

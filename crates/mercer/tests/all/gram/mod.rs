//! Gram matrices against naive ones, and the contract between the two verbs.

mod contract;
mod precomputed;

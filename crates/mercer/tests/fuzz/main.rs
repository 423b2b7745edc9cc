//! Fuzzers: every reader gets valid inputs that were changed at random, and must answer with a value or an error: no panic, no hang, and no more
//! memory than a stated multiple of the input.
//!
//! `MERCER_FUZZ_SECONDS` says how long each of them runs, 1 if it is not set; `mercer_testkit::fuzz` says how inputs are drawn.

mod allocation;
mod corpus;
mod every_model;
mod kernels;
mod models;
mod readers;

use mercer::data::Random;

/// Bytes that any input may cost, and bytes for each byte of it.
const FIXED: usize = 64 << 20;
const PER_BYTE: usize = 4096;

struct Allocation;

impl mercer_testkit::fuzz::Meter for Allocation {
    fn begin(&self, seed: u64) {
        allocation::begin(seed);
    }

    fn end(&self, length: usize) -> Option<String> {
        let (peak, allowed) = (allocation::end(), FIXED + PER_BYTE * length);
        (peak > allowed).then(|| format!("{peak} bytes were allocated and {allowed} are allowed"))
    }
}

/// Runs `check` on what `draw` makes of one seed after the other.
pub fn fuzz(name: &str, draw: impl FnMut(&mut Random) -> Vec<u8>, check: impl Fn(&[u8])) {
    mercer_testkit::fuzz::fuzz(name, Allocation, draw, check);
}

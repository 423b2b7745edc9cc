//! Splits, metrics, the choice of the cost and honest tests, against naive versions.

mod bounds;
mod by_criterion;
mod cost_curve;
mod errors;
mod estimates;
mod insight;
mod metric_values;
mod metrics;
mod nested;
mod novelty;
mod recipe;
mod regions;
mod regression;
mod search;
mod split;
mod splitting;
mod summary;

use mercer::data::{Labels, Vectors};
use mercer_testkit::random::Random;

/// Two classes that overlap, in three columns.
fn overlapping(n: usize, seed: u64) -> (Vectors<'static>, Labels) {
    let mut random = Random::new(seed);
    let mut rows = Vec::new();
    let mut names = Vec::new();
    for i in 0..n {
        let later = i % 3 == 0;
        let shift = if later { 1.2 } else { 0.0 };
        rows.push([random.normal() + shift, 5.0 * random.normal() - shift, random.normal()]);
        names.push(if later { "later" } else { "earlier" });
    }
    (Vectors::from_rows(&rows).unwrap(), Labels::from_text(names))
}

//! As good a model as there is time for.
//!
//! The solution of a large problem that is stopped early is worth little: most of its coefficients have not been
//! looked at. The solution of a smaller one, on rows drawn at random, is worth nearly as much as the whole. So where
//! many rows meet a limit of time, ever more of them are learned from, as long as the next step promises to fit.

use std::time::{Duration, Instant};

use super::learner::Learner;
use crate::data::{Examples, Items, Split, TargetList, Vectors};
use crate::error::Result;
use crate::machine::FitProgress;
use crate::solver::{Control, Status};

/// Up to so many rows a fit is not divided into steps.
const FEW_ROWS: usize = 20_000;
/// Rows of the first step.
const FIRST: usize = 5_000;
/// Most that the rows grow in a step: what a step took says little about one that is much larger.
const GROWTH: f64 = 4.0;
/// A step that brings less is not worth its time.
const LEAST_GROWTH: f64 = 1.2;
/// The share of the time left that a step may take by what the one before took: it may take longer than that.
const CAUTION: f64 = 0.6;

/// Fits within a time: all rows if they are few or there is time, else as many as there is time for, which are named.
pub(super) fn fit_within<M: Learner>(
    machine: M,
    examples: Examples<'_, Vectors<'_>, M::Targets>,
    limit: Duration,
    seed: u64,
    observer: &(dyn Fn(&FitProgress) -> Control + Sync),
) -> Result<(M::Model, Option<Vec<usize>>)> {
    let begun = Instant::now();
    let left = || limit.saturating_sub(begun.elapsed());
    let n = examples.items.len();
    let fit = |examples: Examples<'_, Vectors<'_>, M::Targets>| {
        let machine = machine.clone().within(left());
        machine.fit(examples.items, examples.targets, examples.weights, None, observer)
    };
    if n <= FEW_ROWS {
        return Ok((fit(examples)?, None));
    }
    let mut best: Option<(M::Model, Vec<usize>)> = None;
    let mut rows = FIRST;
    loop {
        let step = Instant::now();
        let sample = Split::sample(&examples.targets.strata(), rows, seed)?;
        let model = match sample.len() == n {
            true => fit(examples)?,
            false => M::renumbered(fit(examples.select(&sample).view())?, &sample),
        };
        let ends = M::ends(&model);
        let ended = ends.contains(&Status::TimeLimit) || ends.contains(&Status::Cancelled);
        match best {
            // A smaller problem that was solved is worth more than a larger one that was not.
            Some((model, sample)) if ended => return Ok((model, Some(sample))),
            _ if sample.len() == n => return Ok((model, None)),
            _ if ended => return Ok((model, Some(sample))),
            _ => best = Some((model, sample)),
        }
        // The time grows with the square of the rows.
        let growth = (CAUTION * left().as_secs_f64() / step.elapsed().as_secs_f64()).sqrt().min(GROWTH);
        if let Some((model, sample)) = best.take_if(|_| growth < LEAST_GROWTH) {
            return Ok((model, Some(sample)));
        }
        rows = ((rows as f64 * growth) as usize).min(n);
    }
}

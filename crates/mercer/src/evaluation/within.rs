//! As good a model as there is time for.

use std::time::{Duration, Instant};

use super::growing::{GrowingStep, Grown, Judge, TO_JUDGE, fit_growing};
use super::learner::{Learner, Outcome};
use crate::data::{Examples, Items, Scaling, TargetList, Vectors};
use crate::error::Result;
use crate::machine::FitProgress;
use crate::solver::{Control, Status};

/// Up to so many rows a fit is not divided into steps.
pub(super) const FEW_ROWS: usize = 5_000;
/// Rows of the first step.
const FIRST: usize = 1_000;
/// Rows that are predicted to see how long it takes, at most.
const PREDICTED: usize = 1_000;

/// Fits within a time on rows that are scaled on the way: all of them if they are few or there is time, else as many as there is
/// time for, which are named. Predictions of so many rows, which come afterwards, are part of the time.
pub(super) fn fit_within<M: Learner>(
    machine: &M,
    examples: Examples<'_, Vectors<'_>, M::Targets>,
    scaling: Option<&Scaling>,
    (deadline, to_predict): (Instant, usize),
    seed: u64,
    observer: &(dyn Fn(&FitProgress) -> Control + Sync),
) -> Result<(M::Model, Option<Vec<usize>>)> {
    let n = examples.items.len();
    let first = if n <= FEW_ROWS { n } else { FIRST };
    let strata = examples.targets.strata();
    let to_predict = to_predict + if M::Outcome::COMPARES { TO_JUDGE } else { 0 };
    let scale = |rows: &Vectors<'_>| scaling.map(|scaling| scaling.apply(rows)).transpose();
    let step = |rows: &[usize], end: Instant| {
        let selected = (rows.len() < n).then(|| examples.select(rows));
        let part = match &selected {
            Some(selected) => selected.view(),
            None => examples,
        };
        let scaled = scale(part.items)?;
        let part = Examples { items: scaled.as_ref().unwrap_or(part.items), ..part };
        let machine = machine.clone().within(end.saturating_duration_since(Instant::now()));
        let model = machine.fit(part.items, part.targets, part.weights, None, observer)?;
        let ends = M::ends(&model);
        let complete = !(ends.contains(&Status::TimeLimit) || ends.contains(&Status::Cancelled));
        let later = match complete && to_predict > 0 && rows.len() < n {
            false => Duration::ZERO,
            true => {
                let begun = Instant::now();
                let some: Vec<usize> = (0..rows.len().min(PREDICTED)).collect();
                let known = part.select(&some);
                machine.test(&model, &known.items, &known.targets, known.weights.as_deref())?;
                begun.elapsed().mul_f64(to_predict as f64 / some.len().max(1) as f64)
            }
        };
        Ok(GrowingStep { model, complete, later })
    };
    // A training that was cancelled is not judged: who cancels waits for nothing.
    let mut judge = |cut: &M::Model, complete: &M::Model, unseen: &[usize]| {
        if M::ends(cut).contains(&Status::Cancelled) {
            return Ok(false);
        }
        let held_out = examples.select(unseen);
        let scaled = scale(&held_out.items)?;
        let rows = scaled.as_ref().unwrap_or(&held_out.items);
        let score = |model: &M::Model| -> Result<Option<f64>> {
            let test = machine.test(model, rows, &held_out.targets, held_out.weights.as_deref())?;
            Ok(test.score())
        };
        // Of equals the complete one, which has converged.
        Ok(score(cut)? > score(complete)?)
    };
    let judge: Option<Judge<'_, M::Model>> = if M::Outcome::COMPARES { Some(&mut judge) } else { None };
    let Grown { model, rows } = fit_growing(&strata, first, seed, deadline, step, judge)?;
    Ok(match rows {
        Some(rows) => (M::renumbered(model, &rows), Some(rows)),
        None => (model, None),
    })
}

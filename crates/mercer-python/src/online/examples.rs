//! Examples that are learned from, visited again or asked about, one after the other.

use mercer::data::{Items as _, Row, Vectors};
use mercer::machine::online::{Answer, Memory, PassLimits, Passes, Several};
use mercer::resources::Interrupt;
use mercer::{Error, Result};

/// The rows one by one.
pub fn views<'a>(rows: &'a Vectors<'_>) -> Vec<Row<'a>> {
    (0..rows.len()).map(|row| rows.get(row)).collect()
}

/// An answer as Python has it: the number of the class, or the number itself.
pub fn number(answer: Answer) -> f64 {
    match answer {
        Answer::Class(class) => class as f64,
        Answer::Number(number) => number,
    }
}

fn answers<M: Memory>(learner: &Several<M>, targets: &[f64]) -> Vec<Answer> {
    let of_classes = !learner.classes().is_empty();
    let one =
        |&target: &f64| if of_classes { Answer::Class(target as usize) } else { Answer::Number(target) };
    targets.iter().map(one).collect()
}

fn same_number(items: usize, targets: usize) -> Result<()> {
    match items == targets {
        true => Ok(()),
        false => Err(Error::Shape {
            what: "targets and weights (one per example)",
            expected: items,
            found: targets,
        }),
    }
}

/// Learns from examples, and tells what was said about each before.
pub fn learned<M: Memory>(
    learner: &mut Several<M>,
    items: &[M::Item<'_>],
    targets: &[f64],
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    same_number(items.len(), targets.len())?;
    if let Some(weights) = weights {
        same_number(items.len(), weights.len())?;
    }
    let truths = answers(learner, targets);
    let mut found = Vec::with_capacity(items.len());
    for (index, (&item, truth)) in items.iter().zip(truths).enumerate() {
        Interrupt::checkpoint()?;
        let in_item = |source| Error::Item { index, source: Box::new(source) };
        let weight = weights.map_or(1.0, |weights| weights[index]);
        found.push(number(learner.learn_weighted(item, truth, weight).map_err(in_item)?));
    }
    Ok(found)
}

/// Passes over the examples until nothing changes.
pub fn visited<M: Memory>(
    learner: &mut Several<M>,
    items: &[M::Item<'_>],
    targets: &[f64],
    weights: Option<&[f64]>,
    limits: &PassLimits,
) -> Result<Vec<Passes>> {
    same_number(items.len(), targets.len())?;
    let truths = answers(learner, targets);
    learner.fit_weighted(items, &truths, weights, limits)
}

/// The values of all functions, or of their averages, at each example.
pub fn valued<M: Memory>(learner: &Several<M>, items: &[M::Item<'_>], averaged: bool) -> Result<Vec<f64>> {
    let mut found = Vec::with_capacity(items.len() * learner.machines().len());
    for (index, &item) in items.iter().enumerate() {
        Interrupt::checkpoint()?;
        let in_item = |source| Error::Item { index, source: Box::new(source) };
        if averaged {
            for machine in learner.machines() {
                found.push(machine.function().averaged_value(item).map_err(in_item)?);
            }
        } else {
            found.extend(learner.values(item).map_err(in_item)?);
        }
    }
    Ok(found)
}

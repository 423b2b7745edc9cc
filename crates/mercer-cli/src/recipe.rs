//! From what is said on the command line to what the library is asked for.

use std::time::Duration;

use mercer::data::Vectors;
use mercer::evaluation::{Costs, GRID, Learner, Recipe};
use mercer::kernel::Expression;
use mercer::machine::ClassWeights;
use mercer::{Error, Result};

use crate::arguments::RecipeArguments;
use crate::precomputed;
use crate::testing::choice_time;

/// The fraction of the time left that is for choosing, learning and testing; the rest is for what comes after: the certificate
/// and the file.
pub const LEARNING_SHARE: f64 = 0.9;

/// The kernel; `None` if the data are kernel values.
pub fn kernel(arguments: &RecipeArguments) -> Result<Option<Expression>> {
    if let Some(gamma) = &arguments.gamma {
        return format!("gaussian(gamma={gamma})").parse().map(Some);
    }
    match arguments.kernel.trim() {
        precomputed::NAME => Ok(None),
        formula => formula.parse().map(Some),
    }
}

/// The recipe for these rows, and the time that is left for it.
pub fn recipe<M: Learner>(
    arguments: &RecipeArguments,
    machine: M,
    kernel: &Expression,
    rows: &Vectors<'_>,
    left: Option<Duration>,
) -> Result<Recipe<M>> {
    let is_sparse = matches!(rows, Vectors::Sparse(_));
    Ok(Recipe {
        scaling: arguments.scale.kind(is_sparse, kernel.needs_non_negative())?,
        machine: match left {
            Some(left) => machine.within(left.mul_f64(LEARNING_SHARE)),
            None => machine,
        },
        costs: match arguments.cost {
            Some(_) => Costs::Given,
            None => Costs::Among(GRID.to_vec()),
        },
        choice_time: choice_time(left),
        seed: arguments.seed,
    })
}

pub fn time_limit(arguments: &RecipeArguments) -> Result<Option<Duration>> {
    seconds(arguments.time_limit)
}

/// The limit of time that a number of seconds stands for.
pub fn seconds(limit: Option<f64>) -> Result<Option<Duration>> {
    let Some(value) = limit else { return Ok(None) };
    if !(0.0..=1e9).contains(&value) {
        let expected = "seconds, from 0 to 1e9 (about 30 years)";
        return Err(Error::Parameter { name: "time-limit", value, expected });
    }
    Ok(Some(Duration::from_secs_f64(value)))
}

/// What the solver was asked for, in words.
pub fn stop(arguments: &RecipeArguments, in_spreads: bool) -> String {
    match (arguments.duality_gap, in_spreads) {
        (Some(gap), _) => format!("relative duality gap {gap}"),
        (None, false) => format!("KKT gap {}", arguments.tolerance),
        (None, true) => format!("KKT gap {} spreads of the targets", arguments.tolerance),
    }
}

/// Factors of the cost by class.
pub fn class_weights(words: &[String]) -> Result<ClassWeights> {
    match words {
        [] => Ok(ClassWeights::Equal),
        [word] if word == "balanced" => Ok(ClassWeights::Balanced),
        words if words.iter().any(|word| word == "balanced") => Err(Error::Unsupported {
            what: "--class-weight balanced sets the factors of all classes: no other --class-weight can be given"
                .into(),
        }),
        words => words
            .iter()
            .map(|word| {
                let refuse = |expected: &str| {
                    Err(Error::Unsupported { what: format!("--class-weight {word}: expected {expected}") })
                };
                let parts = word.rsplit_once('=').and_then(|(label, w)| Some((label, w.parse::<f64>().ok()?)));
                match parts {
                    Some((label, factor)) if factor >= 0.0 && factor.is_finite() => {
                        Ok((label.to_string(), factor))
                    }
                    Some((_, factor)) => refuse(&format!("a finite factor of at least 0, found {factor}")),
                    None => refuse("'balanced' or LABEL=FACTOR"),
                }
            })
            .collect::<Result<_>>()
            .map(ClassWeights::Given),
    }
}

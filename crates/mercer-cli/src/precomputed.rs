//! Learning from kernel values instead of features: files whose rows are `label 0:number 1:value … n:value`.
//!
//! A row of kernel values is a row of numbers like any other, and f(x) = Σ βᵢ K[x, i] is linear in it. So the
//! model is kept as one with the linear kernel whose support items are unit vectors: eᵢ picks K[x, i] out of
//! the row of x. A note on its card tells it from a linear model of features.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mercer::data::{Contents, Items, Precomputed, Remarks, Table, Vectors};
use mercer::evaluation::{Errors, Learner, Regression};
use mercer::gram::PrecomputedGram;
use mercer::io::{Model, ModelCard, TrainedMachine};
use mercer::kernel::Expression;
use mercer::kernel::vector::Linear;
use mercer::machine::{Kept, SvcModel, SvcParams, SvrModel};
use mercer::resources::{InstructionSet, Workers};
use mercer::{Error, Result};

use crate::arguments::{ScaleArgument, TrainArguments};
use crate::failure::Failure;
use crate::learning::{Story, Trained};
use crate::machines::{asked, check_for, classifier, is_per_class, regression};
use crate::print::{count, number};
use crate::progress::Observer;
use crate::progress::deadline;
use crate::recipe::time_limit;
use crate::score::score;
use crate::task::Aim;
use crate::tasks::Telling;

/// What `--kernel` says, and the name of the note on the card.
pub const NAME: &str = mercer::io::KERNEL_VALUES;
/// What the note says.
pub const NOTE: &str = "rows are kernel values with the training items";

/// Learns from the kernel values of all pairs of training items.
pub fn learn(
    arguments: &TrainArguments,
    values: Precomputed,
    output: &Path,
    observer: &Observer,
) -> std::result::Result<Trained, Failure> {
    let data = &arguments.data.data;
    let refuse = |what: &str| Error::Unsupported { what: what.to_string() };
    if !matches!(arguments.recipe.scale, ScaleArgument::Auto | ScaleArgument::None) {
        let what = "--scale is for features: kernel values are taken as they are";
        return Err(Failure::Usage(refuse(what)));
    }
    if output.extension().is_some_and(|e| e == "model") {
        let what = "a model of kernel values is not written in LIBSVM's format: let its name end in .mercer or .json";
        return Err(Failure::Usage(refuse(what)));
    }
    let aim = Aim::of(asked(&arguments.recipe), &values.targets, None, &Remarks::default())
        .map_err(|error| error.in_file(data))?;
    check_for(&arguments.recipe, aim.task()).map_err(Failure::Usage)?;
    if arguments.recipe.machine.multiclass.is_some_and(is_per_class) {
        let what = "--multiclass one-against-rest, weston-watkins and crammer-singer need features, not kernel values";
        return Err(Failure::Usage(refuse(what)));
    }
    let begun = Instant::now();
    let (positions, gram) = checked(&values).map_err(|error| error.in_file(data))?;
    let workers = Arc::new(Workers::checked(arguments.recipe.threads)?);
    let gram = gram.with_resources(InstructionSet::from_environment()?, workers)?;
    let watch = |progress: &_| observer.show(progress);
    let columns = values.matrix.columns();
    let rows = Vectors::from(values.matrix);
    let deadline = deadline(time_limit(&arguments.recipe)?);
    let mut story = Story::default();
    let kept = |support: &[usize]| {
        Kept::of_kernel_values(&support.iter().map(|&i| positions[i]).collect::<Vec<_>>(), columns)
    };
    // Nobody has said that the matrix is positive semi-definite, so no duality gap is claimed.
    let (model, cost): (TrainedMachine, f64) = match aim {
        Aim::Classes(labels) => {
            let machine = classifier(&arguments.recipe, ())?.check()?;
            let fit = machine.fit_gram(&gram, &labels, None, false, &watch)?;
            let model = SvcModel::from_parts(kept(&fit.pairs.support)?, fit.pairs);
            SvcParams::<Expression>::targets(&mut story.targets, &labels);
            let (name, value) = SvcParams::<Expression>::targets_json(&labels);
            story.json.insert(name.into(), value);
            if !arguments.quiet {
                story.quality.line("on these rows", score(&model, &rows, &labels, deadline)?);
            }
            (model.into(), arguments.recipe.cost.unwrap_or(1.0))
        }
        Aim::Numbers(targets) => {
            let (machine, unit) = regression(&arguments.recipe, Expression::from(Linear))?
                .adapted(&targets, None)
                .map_err(|error| error.in_file(data))?;
            let cost = arguments.recipe.cost.unwrap_or(unit);
            let machine = machine.machine.cost(cost).check()?;
            let loss = machine.loss();
            let fit = machine.with_kernel(()).fit_gram(&gram, &targets, None, false, &watch)?;
            Regression::<Expression>::targets(&mut story.targets, &targets);
            let (name, value) = Regression::<Expression>::targets_json(&targets);
            story.json.insert(name.into(), value);
            let predicted: Vec<f64> = targets.iter().zip(&fit.residuals).map(|(y, r)| y - r).collect();
            let errors = Errors::new(&targets, &predicted, None)?;
            let error = number(errors.root_mean_squared);
            story.quality.line("on these rows", format!("an RMSE of {error}; on new rows expect more"));
            let kept = kept(&fit.expansion.support)?;
            let model = SvrModel::from_parts(kept, loss, fit.tube, fit.expansion, Some(fit.report))
                .with_sample(fit.sample);
            (model.into(), cost)
        }
        Aim::Novelty(_) => {
            let what = "--task novelty needs features: from kernel values classes and numbers can be learned";
            return Err(Failure::Usage(refuse(what)));
        }
    };
    story.cost = Some(match arguments.recipe.cost {
        Some(_) => number(cost),
        None => format!("{}, not chosen", number(cost)),
    });
    let mut card = ModelCard::of(&rows);
    card.notes.insert(NAME.into(), NOTE.into());
    Ok(Trained {
        model,
        scaling: None,
        card,
        cost: Some(cost),
        story,
        shape: format!("kernel values of {} items", count(rows.len() as u64)),
        schema: None,
        remarks: Remarks::default(),
        part: None,
        begun,
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// For each row the column of its own item, and the values of all rows with each other.
pub fn checked(values: &Precomputed) -> Result<(Vec<usize>, PrecomputedGram<'static, f64>)> {
    let positions = positions(values)?;
    let n = positions.len();
    let square: Vec<f64> = (0..n)
        .flat_map(|i| {
            let row = values.matrix.row(i);
            positions.iter().map(move |&j| row[j])
        })
        .collect();
    let gram = PrecomputedGram::symmetric(square, n).map_err(|error| asymmetry(error, values))?;
    Ok((positions, gram))
}

/// Names two items by the numbers that the file gives them.
fn asymmetry(error: Error, values: &Precomputed) -> Error {
    let Error::Asymmetric { row, column, value, mirrored } = error else { return error };
    let (first, second) = (values.numbers[row], values.numbers[column]);
    Error::Unsupported {
        what: format!(
            "not symmetric: the rows with 0:{first} and 0:{second} give {value} and {mirrored} for the same pair"
        ),
    }
}

/// For each row the column of its own item: `0:number` counts them from 1.
fn positions(values: &Precomputed) -> Result<Vec<usize>> {
    let columns = values.matrix.columns();
    let position = |(index, &number): (usize, &u64)| match usize::try_from(number) {
        Ok(number) if (1..=columns).contains(&number) => Ok(number - 1),
        _ => Err(Error::Entry {
            what: "serial number (0:number) of row",
            index: index + 1,
            value: number as f64,
            expected: "a number from 1 to the number of kernel values in a row",
        }),
    };
    values.numbers.iter().enumerate().map(position).collect()
}

/// Whether the rows of this model are kernel values.
pub fn is_precomputed(saved: &Model) -> bool {
    saved.card.notes.contains_key(NAME)
}

/// The kernel as it is shown.
pub fn kernel_of(saved: &Model) -> String {
    if is_precomputed(saved) { NAME.into() } else { saved.machine.kernel().to_string() }
}

/// The rows of a file for this model: features, or kernel values in their place.
pub fn rows_for(saved: &Model, contents: Contents, data: &Path) -> Result<Table<'static>> {
    match (contents, is_precomputed(saved)) {
        (Contents::Table(table), false) => Ok(table),
        (Contents::Table(_), true) => Err(no_kernel_values(data)),
        (Contents::Precomputed(values), true) => {
            Ok(Table { groups: values.groups, ..Table::new(values.matrix.into(), values.targets)? })
        }
        (Contents::Precomputed(_), false) => {
            let what =
                "the file holds kernel values (its rows start with 0:), the model was trained on features";
            Err(Error::Unsupported { what: what.into() }.in_file(data))
        }
    }
}

/// A file of features where kernel values are needed.
pub fn no_kernel_values(data: &Path) -> Error {
    let what = "the file holds features, not kernel values (rows of label 0:number 1:value … n:value)";
    Error::Unsupported { what: what.into() }.in_file(data)
}

/// A file of kernel values where features are needed.
pub fn kernel_values(data: &Path) -> Error {
    let what = "the file holds kernel values (its rows start with 0:): say --kernel precomputed";
    Error::Unsupported { what: what.into() }.in_file(data)
}

//! Strings, trees, graphs, time series and records on the command line: what a kernel compares says how a file is read.

mod prediction;
mod search;
mod train;
mod tune;
mod written;

use std::path::Path;

use mercer::data::{
    Examples, Items, Remarks, StructureKind, StructureTable, Structures, TargetList, Targets, read_structures,
};
use mercer::gram::StructureKernel;
use mercer::io::SavedModel;
use mercer::kernel::{AnyExpression, StructureExpression};
use mercer::{Error, Result};

use crate::arguments::{DataArguments, ReadingArguments, RecipeArguments, ScaleArgument, TableArguments};
use crate::failure::Failure;
use crate::learning::beside;
use crate::machines::{self, check_for};
use crate::print::{Page, count};
use crate::task::Aim;
use crate::{precomputed, source};

pub use prediction::Prediction;
pub use search::expect;
pub use train::train;
pub use tune::tune;
pub use written::written;

/// What a model notes of a kernel that is shifted or clipped.
pub const MENDED: &str = "mended";

/// The kernel, and what was done to make it positive semi-definite.
pub fn kernel_lines(page: &mut Page, kernel: &StructureKernel) {
    page.line("kernel", kernel);
    if let Some(learned) = kernel.learned_mending() {
        page.line(MENDED, learned);
    }
}

/// The kernel, if it is one on structured items.
pub fn named(formula: &str) -> std::result::Result<Option<StructureExpression>, Failure> {
    match formula.trim() {
        precomputed::NAME => Ok(None),
        formula => match formula.parse().map_err(Failure::Usage)? {
            AnyExpression::Structures(kernel) => Ok(Some(kernel)),
            AnyExpression::Rows(_) => Ok(None),
        },
    }
}

/// The kernel that a recipe asks for, if it is one on structured items.
pub fn kernel(recipe: &RecipeArguments) -> std::result::Result<Option<StructureExpression>, Failure> {
    if recipe.gamma.is_some() { Ok(None) } else { named(&recipe.kernel) }
}

/// The kernel and the items of a file, if the kernel is one on structured items.
pub fn asked(
    formula: &str,
    data: &DataArguments,
) -> std::result::Result<Option<(StructureKernel, StructureTable)>, Failure> {
    let Some(kernel) = named(formula)? else { return Ok(None) };
    let kernel = StructureKernel::new(kernel).map_err(Failure::Usage)?;
    check_reading(&data.reading, false, &kernel)?;
    let table = file(&data.data, &data.reading, None, &kernel)?;
    Ok(Some((kernel, table)))
}

/// What was read, and what is to be learned.
pub struct Read {
    pub table: StructureTable,
    pub aim: Aim,
    /// In words.
    pub shape: String,
}

/// Reads a file to learn from, with a kernel that is known; refuses options that are for rows of numbers.
pub fn read(
    data: &DataArguments,
    table: &TableArguments,
    recipe: &RecipeArguments,
    kernel: &StructureKernel,
) -> std::result::Result<Read, Failure> {
    let kind = kernel.expression().kind();
    let reading = &data.reading;
    let scale = !matches!(recipe.scale, ScaleArgument::Auto | ScaleArgument::None);
    check_reading(reading, scale, kernel)?;
    let table = file(&data.data, reading, Some(table), kernel)?;
    let named = |error: Error| error.in_file(&data.data);
    let aim = Aim::of(machines::asked(recipe), &table.targets, None, &Remarks::default()).map_err(named)?;
    check_for(recipe, aim.task()).map_err(Failure::Usage)?;
    let beside = beside(table.groups.as_deref(), table.weights.as_deref());
    let shape = format!("{} {kind}{beside}", count(table.items.len() as u64));
    Ok(Read { table, aim, shape })
}

/// Refuses options that are for rows of numbers.
pub fn check_reading(
    reading: &ReadingArguments,
    scale: bool,
    kernel: &StructureKernel,
) -> std::result::Result<(), Failure> {
    let kind = kernel.expression().kind();
    for (name, given) in [
        ("--ignore", !reading.ignore.is_empty()),
        ("--words", !reading.words.is_empty()),
        ("--missing", reading.missing.is_some()),
        ("--scale", scale),
    ] {
        if given {
            return Err(usage(format!("{name} is for rows of numbers: the kernel compares {kind}")));
        }
    }
    Ok(())
}

/// The items of a table with their weights and groups, to learn targets from.
pub fn examples<'a, T: TargetList>(table: &'a StructureTable, targets: &'a T) -> Examples<'a, Structures, T> {
    let (weights, groups) = (table.weights.as_deref(), table.groups.as_deref());
    Examples { weights, groups, ..Examples::new(&table.items, targets) }
}

/// The items of a file.
pub fn file(
    data: &Path,
    reading: &ReadingArguments,
    beside: Option<&TableArguments>,
    kernel: &StructureKernel,
) -> Result<StructureTable> {
    let kind = kernel.expression().kind();
    if source::is_standard(data) {
        let what = format!("{kind} are read from a file or a folder, not from standard input");
        return Err(Error::Unsupported { what });
    }
    if reading.text.is_some() && !matches!(kind, StructureKind::Strings | StructureKind::Trees) {
        let what = format!("--text names the column of strings or trees: the kernel compares {kind}");
        return Err(Error::Unsupported { what });
    }
    read_structures(data, kind, &reading.structures(kernel.expression().columns()?, beside))
}

/// Items of another file, for a model that is known: the columns are those of its training unless others are named. A file need not have
/// the label.
pub fn new_items(
    saved: &SavedModel<StructureKernel, Structures>,
    data: &Path,
    reading: &ReadingArguments,
    beside: Option<&TableArguments>,
) -> Result<StructureTable> {
    let (card, kernel) = (&saved.card, saved.model.kernel());
    let mut reading = reading.clone();
    if let Some([text]) = card.feature_names.as_deref() {
        reading.text.get_or_insert_with(|| text.clone());
    }
    let (None, Some(label)) = (&reading.label, &card.target_name) else {
        return file(data, &reading, beside, kernel);
    };
    let labelled = ReadingArguments { label: Some(label.clone()), ..reading.clone() };
    file(data, &labelled, beside, kernel).or_else(|error| {
        let unlabelled = ReadingArguments { label: Some("none".into()), ..reading };
        file(data, &unlabelled, beside, kernel).map_err(|_| error)
    })
}

/// The targets at some places, all of them there.
fn targets_of(targets: &Targets, rows: std::ops::Range<usize>) -> Result<Targets> {
    Ok(match targets {
        Targets::Numbers(numbers) => Targets::Numbers(numbers[rows].to_vec()),
        Targets::Words(labels) => {
            let words = rows.map(|row| labels.text(row).to_string());
            Targets::Words(mercer::data::Labels::from_text(words))
        }
        Targets::Missing => Targets::Missing,
    })
}

pub fn usage(what: impl Into<String>) -> Failure {
    Failure::Usage(Error::Unsupported { what: what.into() })
}

//! Strings, trees, graphs, time series and records on the command line: what a kernel compares says how a file is read.

mod search;
mod train;
mod tune;
mod written;

use std::path::Path;

use mercer::data::{
    Collection, Examples, ItemKind, Items, Remarks, StructureSource, StructureTable, TargetList,
};
use mercer::gram::CollectionKernel;
use mercer::io::{Model, ModelCard};
use mercer::kernel::StructureExpression;
use mercer::{Error, Result};

use crate::arguments::{
    DataArguments, MissingArgument, QuoteArgument, ReadingArguments, RecipeArguments, ScaleArgument,
    TableArguments,
};
use crate::failure::Failure;
use crate::learning::beside;
use crate::machines::{self, check_for};
use crate::print::{Page, count};
use crate::task::Aim;
use crate::{remarks, source};

pub use search::expect;
pub use train::train;
pub use tune::tune;
pub use written::written;

/// What a model notes of a kernel that is shifted or clipped.
pub const MENDED: &str = "mended";

/// The note of a model about quotes that were asked for.
const QUOTE: &str = "quote";

/// The note of a model about columns that were not asked for, and are called as in the file.
const UNASKED: &str = "columns by default";

/// The kernel, and what was done to make it positive semi-definite.
pub fn kernel_lines(page: &mut Page, kernel: &CollectionKernel) {
    page.line("kernel", kernel);
    if let Some(learned) = kernel.learned_mending() {
        page.line(MENDED, learned);
    }
}

/// The kernel, if it is one on structured items.
pub fn named(formula: &str) -> std::result::Result<Option<StructureExpression>, Failure> {
    let kernel: StructureExpression = formula.parse().map_err(Failure::Usage)?;
    let is_other = matches!(kernel.kind(), ItemKind::Rows | ItemKind::KernelValues);
    Ok((!is_other).then_some(kernel))
}

/// The kernel that a recipe asks for, if it is one on structured items.
pub fn kernel(recipe: &RecipeArguments) -> std::result::Result<Option<StructureExpression>, Failure> {
    if recipe.gamma.is_some() { Ok(None) } else { named(&recipe.kernel) }
}

/// The kernel and the items of a file, if the kernel is one on structured items.
pub fn asked(
    formula: &str,
    data: &DataArguments,
) -> std::result::Result<Option<(CollectionKernel, StructureTable)>, Failure> {
    let Some(kernel) = named(formula)? else { return Ok(None) };
    let kernel = CollectionKernel::new(kernel).map_err(Failure::Usage)?;
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
    kernel: &CollectionKernel,
) -> std::result::Result<Read, Failure> {
    let kind = kernel.expression().kind();
    let reading = &data.reading;
    let scale = !matches!(recipe.scale, ScaleArgument::Auto | ScaleArgument::None);
    check_reading(reading, scale, kernel)?;
    let table = file(&data.data, reading, Some(table), kernel)?;
    let named = |error: Error| error.in_file(source::name(&data.data));
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
    kernel: &CollectionKernel,
) -> std::result::Result<(), Failure> {
    let kind = kernel.expression().kind();
    let missing = match reading.missing {
        Some(MissingArgument::Mean) if kind == ItemKind::Records => {
            return Err(usage("--missing mean is for rows of numbers: records are left out, --missing drop"));
        }
        missing => missing.is_some() && kind != ItemKind::Records,
    };
    for (name, given) in [
        ("--ignore", !reading.ignore.is_empty()),
        ("--words", !reading.words.is_empty()),
        ("--missing", missing),
        ("--scale", scale),
    ] {
        if given {
            return Err(usage(format!("{name} is for rows of numbers: the kernel compares {kind}")));
        }
    }
    Ok(())
}

/// The items of a table with their weights and groups, to learn targets from.
pub fn examples<'a, T: TargetList>(
    table: &'a StructureTable,
    targets: &'a T,
) -> Examples<'a, Collection<'static>, T> {
    let (weights, groups) = (table.weights.as_deref(), table.groups.as_deref());
    Examples { weights, groups, ..Examples::new(&table.items, targets) }
}

/// The items of a file, or of standard input.
pub fn file(
    data: &Path,
    reading: &ReadingArguments,
    beside: Option<&TableArguments>,
    kernel: &CollectionKernel,
) -> Result<StructureTable> {
    contents(data, &opened(data, kernel)?, reading, beside, kernel)
}

/// The data, read once: they may be a pipe.
fn opened(data: &Path, kernel: &CollectionKernel) -> Result<StructureSource> {
    match source::is_standard(data) {
        true => StructureSource::of_stream(std::io::stdin().lock())
            .map_err(|error| error.in_file(source::name(data))),
        false => StructureSource::open(data, kernel.expression().kind()),
    }
}

fn contents(
    data: &Path,
    opened: &StructureSource,
    reading: &ReadingArguments,
    beside: Option<&TableArguments>,
    kernel: &CollectionKernel,
) -> Result<StructureTable> {
    let kind = kernel.expression().kind();
    if reading.text.is_some() && !matches!(kind, ItemKind::Strings | ItemKind::Trees) {
        let what = format!("--text names the column of strings or trees: the kernel compares {kind}");
        return Err(Error::Unsupported { what });
    }
    let options = reading.structures(kernel.expression().columns()?, beside);
    let table = opened.read(kind, &options).map_err(|error| match source::is_standard(data) {
        true => error.in_file(source::name(data)),
        false => error,
    })?;
    let (dropped, header) = (table.dropped.clone(), table.header.clone());
    remarks::tell(&Remarks { dropped, header, ..Remarks::default() });
    Ok(table)
}

/// Items of another file, for a model that is known: the columns are those of its training unless others are named. A file need not have
/// the label, nor names: then the columns stand where they usually do.
pub fn new_items(
    saved: &Model,
    data: &Path,
    reading: &ReadingArguments,
    beside: Option<&TableArguments>,
) -> Result<StructureTable> {
    let (card, kernel) = (&saved.card, saved.machine.kernel());
    let opened = opened(data, kernel)?;
    let read = |reading: &ReadingArguments| contents(data, &opened, reading, beside, kernel);
    let mut named = reading.clone();
    named.quote = named.quote.or_else(|| match card.notes.get(QUOTE).map(String::as_str) {
        Some("none") => Some(QuoteArgument::None),
        Some(_) => Some(QuoteArgument::Double),
        None => None,
    });
    let reading = &named.clone();
    if let Some([text]) = card.feature_names.as_deref() {
        named.text.get_or_insert_with(|| text.clone());
    }
    let found = match (&named.label, &card.target_name) {
        (None, Some(label)) => read(&ReadingArguments { label: Some(label.clone()), ..named.clone() })
            .or_else(|error| {
                read(&ReadingArguments { label: Some("none".into()), ..named.clone() }).map_err(|_| error)
            }),
        _ => read(&named),
    };
    // Names that nobody asked for may be missing.
    match card.notes.get(UNASKED) {
        Some(unasked) => found.or_else(|error| {
            let mut plain = reading.clone();
            if unasked == "text" {
                plain.label = plain.label.or_else(|| card.target_name.clone());
            }
            read(&plain).map_err(|_| error)
        }),
        None => found,
    }
}

/// How the columns of a table were found: those of labels and of strings that were asked for, what those of the file are called,
/// and whether fields may be quoted, if it was said.
#[derive(Clone, Default)]
pub struct Named {
    asked: (Option<String>, Option<String>),
    found: (Option<String>, Option<String>),
    quote: Option<QuoteArgument>,
}

/// Which columns a table has given, to be noted in a model.
pub fn named_columns(reading: &ReadingArguments, table: &StructureTable) -> Named {
    Named {
        asked: (reading.label.clone(), reading.text.clone()),
        found: (table.label_name.clone(), table.text_name.clone()),
        quote: reading.quote,
    }
}

/// Notes in a model which columns it has learned from: those that were asked for, or else what they are called.
pub fn note_columns(card: &mut ModelCard, named: Named) {
    let Named { asked: (label, text), found: (label_name, text_name), quote } = named;
    if let Some(quote) = quote {
        let word = if quote == QuoteArgument::None { "none" } else { "double" };
        card.notes.insert(QUOTE.into(), word.into());
    }
    let unasked = match (label.is_none() && label_name.is_some(), text.is_none() && text_name.is_some()) {
        (true, true) => Some("label and text"),
        (true, false) => Some("label"),
        (false, true) => Some("text"),
        (false, false) => None,
    };
    card.target_name = label.or(label_name);
    card.feature_names = text.or(text_name).map(|name| vec![name]);
    card.notes.extend(unasked.map(|unasked| (UNASKED.to_string(), unasked.to_string())));
}

pub fn usage(what: impl Into<String>) -> Failure {
    Failure::Usage(Error::Unsupported { what: what.into() })
}

//! `mercer clean`

use std::fmt::Display;
use std::io::Write;

use mercer::data::{
    Contents, Items, Labels, Remarks, Scaling, ScalingKind, Targets, Vectors, write_atomically,
};
use mercer::evaluation::insight::{Suspect, SuspectOptions, suspects};
use mercer::gram::{BulkKernel, StructureKernel};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::{CleanArguments, DataArguments, TaskArgument};
use crate::failure::Failure;
use crate::print::{Page, count, plural, rounded, show_json, to_stdout};
use crate::task::{Aim, Task};
use crate::{output, precomputed, remarks, source, structures};

pub fn run(arguments: &CleanArguments, json: bool) -> std::result::Result<(), Failure> {
    let data = &arguments.data.data;
    if let Some(path) = &arguments.output {
        output::check(path, arguments.force, &[data])?;
    }
    if matches!(arguments.task, TaskArgument::Regress | TaskArgument::Novelty) {
        let what = "--task: labels are compared with the classes of other rows; classify can be said".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    match Read::new(&arguments.data, &arguments.kernel, arguments.unscaled)? {
        Read::Rows { kernel, rows, targets, target_name, remarks } => {
            let labels = labels(arguments, &targets, target_name.as_deref(), &remarks)?;
            tell(arguments, kernel, &rows, &labels, json)
        }
        Read::Structures { kernel, items, targets } => {
            let labels = labels(arguments, &targets, None, &Remarks::default())?;
            tell(arguments, kernel, &items, &labels, json)
        }
    }
}

/// A file to be told about, read as the kernel wants it.
#[allow(clippy::large_enum_variant, reason = "there is one for a file")]
pub enum Read {
    Rows {
        kernel: Expression,
        rows: Vectors<'static>,
        targets: Targets,
        target_name: Option<String>,
        remarks: Remarks,
    },
    Structures {
        kernel: StructureKernel,
        items: mercer::data::Structures,
        targets: Targets,
    },
}

impl Read {
    pub fn new(data: &DataArguments, kernel: &str, unscaled: bool) -> std::result::Result<Self, Failure> {
        let (path, reading) = (&data.data, &data.reading);
        if let Some((kernel, table)) = structures::asked(kernel, data)? {
            if unscaled {
                let kind = kernel.expression().kind();
                let what = format!("--unscaled is for rows of numbers: the kernel compares {kind}");
                return Err(Failure::Usage(Error::Unsupported { what }));
            }
            return Ok(Read::Structures { kernel, items: table.items, targets: table.targets });
        }
        if reading.text.is_some() {
            let what = "--text is for kernels on strings and trees: this one compares rows of numbers".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        let kernel: Expression = kernel.parse().map_err(Failure::Usage)?;
        let Contents::Table(table) = source::read(path, &reading.options())? else {
            return Err(precomputed::kernel_values(path).into());
        };
        remarks::tell(&table.remarks);
        let rows = match unscaled {
            true => table.vectors,
            false => scaled(&table.vectors).map_err(|error| error.in_file(source::name(path)))?,
        };
        let (targets, target_name, remarks) = (table.targets, table.target_name, table.remarks);
        Ok(Read::Rows { kernel, rows, targets, target_name, remarks })
    }
}

/// The classes; numbers that look measured are none, unless it is said that they are.
fn labels(
    arguments: &CleanArguments,
    targets: &Targets,
    column: Option<&str>,
    remarks: &Remarks,
) -> std::result::Result<Labels, Failure> {
    let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
    let task = (arguments.task == TaskArgument::Classify).then_some(Task::Classify);
    match Aim::of(task, targets, column, remarks).map_err(in_file)? {
        Aim::Classes(labels) => Ok(labels),
        _ => {
            let what = "the labels are numbers that look like measurements, and classes are needed: --label names another column, \
                        --task classify takes every number for a class"
                .into();
            Err(in_file(Error::Unsupported { what }).into())
        }
    }
}

/// Ranks the labels of these items.
fn tell<K, I>(
    arguments: &CleanArguments,
    kernel: K,
    items: &I,
    labels: &Labels,
    json: bool,
) -> std::result::Result<(), Failure>
where
    K: BulkKernel<I> + Display,
    I: Items<Owned = I>,
{
    let data = &arguments.data.data;
    let machine = Svc::params(kernel).cost(arguments.cost).check().map_err(Failure::Usage)?;
    let options = SuspectOptions { folds: arguments.folds, times: arguments.times, seed: arguments.seed };
    let ranked =
        suspects(&machine, items, labels, &options).map_err(|error| error.in_file(source::name(data)))?;
    if let Some(path) = &arguments.output {
        write_atomically(path, |out| write_all(out, &ranked, labels))?;
    }
    if json {
        return Ok(tell_json(arguments, &ranked, labels)?);
    }
    let contradicted = ranked.iter().filter(|suspect| suspect.margin < 0.0).count();
    let mut page = Page::default();
    page.line("data", data.display());
    page.line(
        "contradicted",
        format!("{} of {} labels", count(contradicted as u64), count(ranked.len() as u64)),
    );
    if let Some(path) = &arguments.output {
        page.line("written", format!("{}: {}", path.display(), plural(ranked.len() as u64, "row")));
    }
    page.show()?;
    Ok(to_stdout(|out| {
        writeln!(out, "\n{:>8}  {:<16}{:<16}{:>10}{:>10}", "row", "label", "rather", "margin", "slack")?;
        for suspect in ranked.iter().take(arguments.top) {
            let (given, rather) = (&labels.classes()[suspect.given], &labels.classes()[suspect.suggested]);
            let (margin, slack) = (rounded(suspect.margin, 4), rounded(suspect.slack, 4));
            writeln!(out, "{:>8}  {given:<16}{rather:<16}{margin:>10}{slack:>10}", suspect.row + 1)?;
        }
        Ok(())
    })?)
}

/// Columns of mean 0 and deviation 1; of sparse rows, of at most 1 in size.
pub fn scaled(rows: &Vectors<'static>) -> Result<Vectors<'static>> {
    let kind = match rows {
        Vectors::Sparse(_) => ScalingKind::MaxAbs,
        _ => ScalingKind::Standardise,
    };
    Scaling::fit(kind, rows)?.apply(rows)
}

/// Rows are counted from 1, without the line of names.
fn write_all(out: &mut dyn Write, ranked: &[Suspect], labels: &Labels) -> Result<()> {
    writeln!(out, "rank,row,label,rather,margin,slack,weight")?;
    for (rank, suspect) in ranked.iter().enumerate() {
        let Suspect { row, given, suggested, margin, slack, weight } = *suspect;
        let word = |class: usize| quoted(&labels.classes()[class]);
        writeln!(
            out,
            "{},{},{},{},{margin},{slack},{weight}",
            rank + 1,
            row + 1,
            word(given),
            word(suggested)
        )?;
    }
    Ok(())
}

pub fn quoted(word: &str) -> String {
    match word.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", word.replace('"', "\"\"")),
        false => word.to_string(),
    }
}

fn tell_json(arguments: &CleanArguments, ranked: &[Suspect], labels: &Labels) -> Result<()> {
    let rows: Vec<_> = ranked
        .iter()
        .take(arguments.top)
        .map(|suspect| {
            json!({
                "row": suspect.row + 1,
                "label": labels.classes()[suspect.given],
                "rather": labels.classes()[suspect.suggested],
                "margin": suspect.margin,
                "slack": suspect.slack,
                "weight": suspect.weight,
            })
        })
        .collect();
    let contradicted = ranked.iter().filter(|suspect| suspect.margin < 0.0).count();
    show_json(&json!({ "rows": ranked.len(), "contradicted": contradicted, "suspects": rows }))
}

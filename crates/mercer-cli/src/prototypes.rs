//! `mercer prototypes`

use std::fmt::Display;
use std::io::Write;

use mercer::data::{Items, Labels, Targets, write_atomically};
use mercer::evaluation::insight::{Prototype, prototypes};
use mercer::gram::BulkKernel;
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::PrototypesArguments;
use crate::clean::quoted;
use crate::failure::Failure;
use crate::print::{rounded, show_json, to_stdout};
use crate::read::Read;
use crate::{output, source};

pub fn run(arguments: &PrototypesArguments, json: bool) -> std::result::Result<(), Failure> {
    let data = &arguments.data.data;
    if let Some(path) = &arguments.output {
        output::check(path, arguments.force, &[data])?;
    }
    let read = Read::new(&arguments.data, &arguments.kernel, arguments.unscaled)?;
    let numbers = read.numbers();
    match read {
        Read::Rows { kernel, rows, targets, .. } => {
            tell(arguments, &kernel, (&rows, &numbers), &targets, json)
        }
        Read::Structures { kernel, items, targets, .. } => {
            tell(arguments, &kernel, (&items, &numbers), &targets, json)
        }
    }
}

/// Chooses among these items, which have these numbers.
fn tell<K, I>(
    arguments: &PrototypesArguments,
    kernel: &K,
    (items, numbers): (&I, &[usize]),
    targets: &Targets,
    json: bool,
) -> std::result::Result<(), Failure>
where
    K: BulkKernel<I> + Display,
    I: Items<Owned = I>,
{
    let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
    let labels = targets.labels();
    // One width for all classes.
    let kernel = kernel.resolve(items, None).map_err(in_file)?;
    let mut found: Vec<Prototype> = Vec::new();
    if arguments.per_class {
        let labels = labels
            .as_ref()
            .map_err(|error| Error::Unsupported { what: format!("--per-class needs classes: {error}") })?;
        for (class, name) in labels.classes().iter().enumerate() {
            let own: Vec<usize> =
                (0..labels.len()).filter(|&row| labels.codes()[row] as usize == class).collect();
            let of_class = prototypes(&kernel, &items.select(&own), arguments.count)
                .map_err(|error| in_file(Error::Unsupported { what: format!("class {name}: {error}") }))?;
            found.extend(of_class.into_iter().map(|one| Prototype { item: own[one.item], ..one }));
        }
    } else {
        found = prototypes(&kernel, items, arguments.count).map_err(in_file)?;
    }
    let labels = labels.ok();
    if let Some(path) = &arguments.output {
        write_atomically(path, |out| write_all(out, &found, numbers, labels.as_ref()))?;
    }
    if json {
        let list: Vec<_> = found
            .iter()
            .map(|one| {
                let label = labels.as_ref().map(|labels| labels.text(one.item));
                json!({ "row": numbers[one.item], "label": label, "distance": one.distance })
            })
            .collect();
        let told = json!({ "rows": items.len(), "kernel": kernel.to_string(), "prototypes": list });
        return Ok(show_json(&told)?);
    }
    Ok(to_stdout(|out| {
        writeln!(out, "{:>8}  {:<16}{:>10}", "row", "label", "distance")?;
        for one in &found {
            let label = labels.as_ref().map_or("", |labels| labels.text(one.item));
            writeln!(out, "{:>8}  {label:<16}{:>10}", numbers[one.item], rounded(one.distance, 4))?;
        }
        Ok(())
    })?)
}

/// Rows are counted from 1, without the line of names.
fn write_all(
    out: &mut dyn Write,
    found: &[Prototype],
    numbers: &[usize],
    labels: Option<&Labels>,
) -> Result<()> {
    writeln!(out, "rank,row,label,distance")?;
    for (rank, one) in found.iter().enumerate() {
        let label = labels.map_or(String::new(), |labels| quoted(labels.text(one.item)));
        writeln!(out, "{},{},{label},{}", rank + 1, numbers[one.item], one.distance)?;
    }
    Ok(())
}

//! `mercer prototypes`

use std::fmt::Display;
use std::io::Write;
use std::time::Instant;

use mercer::data::{Items, Labels, Targets, write_atomically};
use mercer::evaluation::insight::{Prototype, prototypes_each};
use mercer::gram::BulkKernel;
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::PrototypesArguments;
use crate::clean::quoted;
use crate::failure::Failure;
use crate::print::{rounded, show_json, to_stdout};
use crate::progress::{Ending, Timed};
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
        Read::Collection { kernel, items, targets, .. } => {
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
    // Of all items, or of each class its own.
    let mut parts: Vec<(Option<&str>, Vec<usize>)> = Vec::new();
    if arguments.per_class {
        let labels = labels
            .as_ref()
            .map_err(|error| Error::Unsupported { what: format!("--per-class needs classes: {error}") })?;
        for (class, name) in labels.classes().iter().enumerate() {
            let own = (0..labels.len()).filter(|&row| labels.codes()[row] as usize == class).collect();
            parts.push((Some(name), own));
        }
    } else {
        parts.push((None, (0..items.len()).collect()));
    }
    let timed = Timed::new(json, arguments.time_limit)?;
    let mut found: Vec<Prototype> = Vec::new();
    let (mut seen, work) = (0.0, parts.iter().map(|(_, own)| values(own.len())).sum::<f64>());
    let chosen = timed.run("choosing", |waiting| {
        let begun = Instant::now();
        for (name, own) in &parts {
            let mut take = |one: Prototype| found.push(Prototype { item: own[one.item], ..one });
            prototypes_each(&kernel, &items.select(own), arguments.count, &mut take).map_err(
                |error| match (name, error) {
                    (_, Error::Interrupted) => Error::Interrupted,
                    (Some(name), error) => Error::Unsupported { what: format!("class {name}: {error}") },
                    (None, error) => error,
                },
            )?;
            seen += values(own.len());
            if timed.deadline.is_none() {
                waiting.expect(begun.elapsed().mul_f64((work - seen) / seen));
            }
        }
        Ok(())
    });
    let ending = match chosen {
        Ok(()) => Ending::Done,
        Err(Error::Interrupted) if !found.is_empty() => timed.ending(),
        Err(error) => {
            let failure = timed.failure(error, "the first prototype was found");
            return Err(failure.in_file(source::name(&arguments.data.data)));
        }
    };
    ending.tell();
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
        show_json(&told)?;
        return ending.of(());
    }
    to_stdout(|out| {
        writeln!(out, "{:>8}  {:<16}{:>10}", "row", "label", "distance")?;
        for one in &found {
            let label = labels.as_ref().map_or("", |labels| labels.text(one.item));
            writeln!(out, "{:>8}  {label:<16}{:>10}", numbers[one.item], rounded(one.distance, 4))?;
        }
        Ok(())
    })?;
    ending.of(())
}

/// Kernel values of so many items with each other.
fn values(items: usize) -> f64 {
    (items as f64).powi(2)
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

//! `mercer prototypes`

use std::fmt::Display;
use std::io::Write;

use mercer::data::{Contents, Items, Labels, write_atomically};
use mercer::evaluation::insight::{Prototype, prototypes};
use mercer::gram::BulkKernel;
use mercer::kernel::Expression;
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::PrototypesArguments;
use crate::clean::{quoted, scaled};
use crate::failure::Failure;
use crate::print::{rounded, show_json, to_stdout};
use crate::{output, precomputed, remarks, source, structures};

pub fn run(arguments: &PrototypesArguments, json: bool) -> std::result::Result<(), Failure> {
    let data = &arguments.data.data;
    if let Some(path) = &arguments.output {
        output::check(path, arguments.force, &[data])?;
    }
    let in_file = |error: Error| error.in_file(source::name(data));
    if let Some((kernel, table)) = structures::asked(&arguments.kernel, &arguments.data)? {
        if arguments.unscaled {
            return Err(structures::usage("--unscaled is for rows of numbers: such items are never scaled"));
        }
        let kernel = kernel.resolve(&table.items, None).map_err(in_file)?;
        return choose(arguments, &kernel, &table.items, table.targets.labels(), json);
    }
    let kernel: Expression = arguments.kernel.parse().map_err(Failure::Usage)?;
    let Contents::Table(table) = source::read(data, &arguments.data.reading.options())? else {
        return Err(precomputed::kernel_values(data).into());
    };
    remarks::tell(&table.remarks);
    let labels = table.targets.labels();
    let rows = if arguments.unscaled { table.vectors } else { scaled(&table.vectors).map_err(in_file)? };
    let kernel = kernel.resolve(&rows).map_err(in_file)?;
    choose(arguments, &kernel, &rows, labels, json)
}

/// Chooses with one kernel, whose widths are those of all items, for all classes.
fn choose<K, I>(
    arguments: &PrototypesArguments,
    kernel: &K,
    items: &I,
    labels: Result<Labels>,
    json: bool,
) -> std::result::Result<(), Failure>
where
    K: BulkKernel<I> + Display,
    I: Items<Owned = I>,
{
    let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
    let mut found: Vec<Prototype> = Vec::new();
    if arguments.per_class {
        let labels = labels
            .as_ref()
            .map_err(|error| Error::Unsupported { what: format!("--per-class needs classes: {error}") })?;
        for (class, name) in labels.classes().iter().enumerate() {
            let own: Vec<usize> =
                (0..labels.len()).filter(|&row| labels.codes()[row] as usize == class).collect();
            let of_class = prototypes(kernel, &items.select(&own), arguments.count)
                .map_err(|error| in_file(Error::Unsupported { what: format!("class {name}: {error}") }))?;
            found.extend(of_class.into_iter().map(|one| Prototype { item: own[one.item], ..one }));
        }
    } else {
        found = prototypes(kernel, items, arguments.count).map_err(in_file)?;
    }
    let labels = labels.ok();
    if let Some(path) = &arguments.output {
        write_atomically(path, |out| write_all(out, &found, labels.as_ref()))?;
    }
    if json {
        let list: Vec<_> = found
            .iter()
            .map(|one| {
                let label = labels.as_ref().map(|labels| labels.text(one.item));
                json!({ "row": one.item + 1, "label": label, "distance": one.distance })
            })
            .collect();
        let told = json!({ "rows": items.len(), "kernel": kernel.to_string(), "prototypes": list });
        return Ok(show_json(&told)?);
    }
    Ok(to_stdout(|out| {
        writeln!(out, "{:>8}  {:<16}{:>10}", "row", "label", "distance")?;
        for one in &found {
            let label = labels.as_ref().map_or("", |labels| labels.text(one.item));
            writeln!(out, "{:>8}  {label:<16}{:>10}", one.item + 1, rounded(one.distance, 4))?;
        }
        Ok(())
    })?)
}

/// Rows are counted from 1, without the line of names.
fn write_all(out: &mut dyn Write, found: &[Prototype], labels: Option<&Labels>) -> Result<()> {
    writeln!(out, "rank,row,label,distance")?;
    for (rank, one) in found.iter().enumerate() {
        let label = labels.map_or(String::new(), |labels| quoted(labels.text(one.item)));
        writeln!(out, "{},{},{label},{}", rank + 1, one.item + 1, one.distance)?;
    }
    Ok(())
}

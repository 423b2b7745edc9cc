//! `mercer kernel`

use std::fmt::Display;
use std::io::Write;

use mercer::data::{Contents, Item, ItemKind, Items, ReadOptions, Row, Vectors, write_atomically};
use mercer::gram::{Block, BulkKernel, CollectionKernel, Columns, Plan, Precision};
use mercer::kernel::{Description, Expression, Kernel, MercerReport, StructureDescription, check_mercer};
use mercer::machine::GaussianProcess;
use mercer::resources::Workers;
use mercer::{Error, Result};

use crate::arguments::KernelArguments;
use crate::failure::Failure;
use crate::place::Place;
use crate::precomputed::kernel_values;
use crate::print::{Page, number, show_json, to_stdout};
use crate::structures::written;
use crate::{output, source, structures};

/// Rows of the Gram matrix that are held at a time.
const ROWS_AT_ONCE: usize = 64;

/// Rows that the check of Mercer's condition compares, at most.
const CHECKED_ROWS: usize = 500;

pub fn run(arguments: &KernelArguments, json: bool) -> std::result::Result<(), Failure> {
    let Some(formula) = &arguments.formula else { return Ok(list(json)?) };
    if let Some(kernel) = structures::named(formula)? {
        return of_items(arguments, &CollectionKernel::new(kernel).map_err(Failure::Usage)?, json);
    }
    let kernel: Expression = formula.parse().map_err(Failure::Usage)?;
    if let [x, z] = &arguments.between[..] {
        return value(&kernel, x, z, json).map_err(Failure::Usage);
    }
    let Some(data) = &arguments.data else { return Ok(describe(&kernel, json)?) };
    if let Some(path) = arguments.gram.as_ref().filter(|path| !source::is_standard(path)) {
        output::check(path, arguments.force, &[data])?;
    }
    let Contents::Table(table) = source::read(data, &arguments.reading.options())? else {
        return Err(kernel_values(data).into());
    };
    let rows = &table.vectors;
    let options = ReadOptions { schema: table.schema.clone(), ..arguments.reading.options() };
    let place = Place { data, options: &options, written: rows, scaling: None, before: 0 };
    let named = |error| place.name(error).in_file(source::name(data));
    let kernel = BulkKernel::resolve(&kernel, rows, None).map_err(named)?;
    if let Some(count) = arguments.draw {
        return Ok(draw(&kernel, rows, count, arguments.seed, json).map_err(named)?);
    }
    match arguments.check {
        true => Ok(check(&kernel, check_mercer(&kernel, rows, CHECKED_ROWS, arguments.seed)?, json)?),
        false => Ok(write(arguments, &kernel, rows, json)?),
    }
}

/// The same for kernels on structured items.
fn of_items(
    arguments: &KernelArguments,
    kernel: &CollectionKernel,
    json: bool,
) -> std::result::Result<(), Failure> {
    if let [x, z] = &arguments.between[..] {
        let items = written(&[x, z], kernel).map_err(Failure::Usage)?;
        let kernel = kernel.resolve(&items, None).map_err(Failure::Usage)?;
        let value = kernel.expression().eval(items.get(0), items.get(1)).map_err(Failure::Usage)?;
        return Ok(tell_value(&kernel, value, json)?);
    }
    let Some(data) = &arguments.data else { return Ok(describe_items(kernel, json)?) };
    if let Some(path) = arguments.gram.as_ref().filter(|path| !source::is_standard(path)) {
        output::check(path, arguments.force, &[data])?;
    }
    structures::check_reading(&arguments.reading, false, kernel)?;
    let table = structures::file(data, &arguments.reading, None, kernel)?;
    let named = |error: Error| error.in_file(data);
    let kernel = kernel.resolve(&table.items, None).map_err(named)?;
    if let Some(count) = arguments.draw {
        return Ok(draw(&kernel, &table.items, count, arguments.seed, json).map_err(named)?);
    }
    if !arguments.check {
        return Ok(write(arguments, &kernel, &table.items, json).map_err(named)?);
    }
    if kernel.expression().mending().is_some() {
        let what = "--check is about the kernel itself, and shifted and clipped are what a training makes of it: check the kernel within, or take \
                    --gram";
        return Err(Failure::Usage(Error::Unsupported { what: what.into() }));
    }
    let values = |x: &Item<'_>, z: &Item<'_>| kernel.expression().eval(*x, *z).unwrap_or(f64::NAN);
    let report = check_mercer(&values, &table.items, CHECKED_ROWS, arguments.seed).map_err(named)?;
    Ok(check(&kernel, report, json)?)
}

/// The Gram matrix, to a file or to standard output.
fn write<K, I>(arguments: &KernelArguments, kernel: &K, items: &I, json: bool) -> Result<()>
where
    K: BulkKernel<I> + Display,
    I: Items,
{
    let Some(path) = arguments.gram.as_ref().filter(|path| !source::is_standard(path)) else {
        return to_stdout(|mut out| gram(&mut out, kernel, items, json));
    };
    write_atomically(path, |out| gram(out, kernel, items, json))?;
    if json {
        show_json(&serde_json::json!({ "kernel": kernel.to_string(), "rows": items.len(), "gram": path }))?;
    }
    Ok(())
}

/// Functions of a Gaussian process that has seen nothing: one column each, one row per item.
fn draw<K, I>(kernel: &K, items: &I, count: usize, seed: u64, json: bool) -> Result<()>
where
    K: BulkKernel<I> + Display,
    I: Items,
{
    let drawn = GaussianProcess::params(kernel.clone()).check()?.sample_prior(items, count, seed)?;
    if json {
        let functions: Vec<&[f64]> = (0..count).map(|s| drawn.row(s)).collect();
        return show_json(
            &serde_json::json!({ "kernel": kernel.to_string(), "seed": seed, "samples": functions }),
        );
    }
    to_stdout(|out| {
        let names: Vec<String> = (1..=count).map(|s| format!("sample {s}")).collect();
        writeln!(out, "{}", names.join(","))?;
        for i in 0..items.len() {
            let values: Vec<String> = (0..count).map(|s| drawn[(s, i)].to_string()).collect();
            writeln!(out, "{}", values.join(","))?;
        }
        Ok(())
    })
}

/// One kernel on structured items.
fn describe_items(kernel: &CollectionKernel, json: bool) -> Result<()> {
    let (text, kind) = (kernel.to_string(), kernel.expression().kind());
    let name = text.split('(').next().unwrap_or_default();
    let description = StructureDescription::all().find(|description| description.name == name);
    let definite = format!("{:?}", kernel.definiteness()).to_lowercase();
    if json {
        return show_json(&serde_json::json!({
            "kernel": text,
            "compares": kind,
            "description": description.map(items_in_json),
            "definite": definite,
        }));
    }
    let mut page = Page::default();
    page.line("kernel", kernel);
    page.line("compares", kind);
    if let Some(description) = description {
        page.line("k(x, z)", description.formula);
        if !description.parameters.is_empty() {
            page.line("parameters", description.parameters.join(", "));
        }
    }
    page.line("definite", definite);
    page.show()
}

fn items_in_json(kernel: StructureDescription) -> serde_json::Value {
    serde_json::json!({
        "name": kernel.name,
        "compares": kernel.kind,
        "formula": kernel.formula,
        "parameters": kernel.parameters,
        "example": kernel.example,
    })
}

/// All kernels with their formulas.
fn list(json: bool) -> Result<()> {
    if json {
        let structured = StructureDescription::all().map(items_in_json);
        let all: Vec<_> = Description::all().map(in_json).chain(structured).collect();
        return show_json(&serde_json::json!(all));
    }
    to_stdout(|out| {
        for kernel in Description::all() {
            writeln!(out, "{:<20}{}", kernel.name, kernel.formula)?;
            if !kernel.parameters.is_empty() {
                writeln!(out, "{:<20}for example {}", "", kernel.example)?;
            }
        }
        writeln!(
            out,
            "\nKernels are added (+), multiplied (*), scaled (0.5 * k) and raised to powers (k ^ 2)."
        )?;
        for kind in ItemKind::ALL {
            writeln!(out, "\nOn {kind}:")?;
            for kernel in StructureDescription::all().filter(|kernel| kernel.kind == kind) {
                writeln!(out, "{:<22}{}", kernel.name, kernel.formula)?;
                if !kernel.parameters.is_empty() {
                    writeln!(out, "{:<22}for example {}", "", kernel.example)?;
                }
            }
        }
        writeln!(
            out,
            "\nKernels on such items are added, multiplied, scaled, and brought to unit length: normalised(k).\n\
             One that is not positive semi-definite is made so on the items to learn from: shifted(k) adds to the diagonal, \
             clipped(k)\nsets eigenvalues below 0 to 0."
        )?;
        Ok(())
    })
}

fn in_json(kernel: Description) -> serde_json::Value {
    serde_json::json!({
        "name": kernel.name,
        "formula": kernel.formula,
        "parameters": kernel.parameters,
        "example": kernel.example,
    })
}

/// One kernel.
fn describe(kernel: &Expression, json: bool) -> Result<()> {
    let mut page = Page::default();
    page.line("kernel", kernel);
    let name = kernel.to_string();
    let name = name.split('(').next().unwrap_or_default();
    let description = Description::all().find(|description| description.name == name);
    if json {
        return show_json(&serde_json::json!({
            "kernel": kernel.to_string(),
            "description": description.map(in_json),
            "definite": format!("{:?}", BulkKernel::<Vectors<'_>>::definiteness(kernel)).to_lowercase(),
        }));
    }
    if let Some(description) = description {
        page.line("k(x, z)", description.formula);
        if !description.parameters.is_empty() {
            page.line("parameters", description.parameters.join(", "));
        }
    }
    page.line("definite", format!("{:?}", BulkKernel::<Vectors<'_>>::definiteness(kernel)).to_lowercase());
    page.show()
}

/// k(x, z) of two rows that are written on the command line.
fn value(kernel: &Expression, x: &str, z: &str, json: bool) -> Result<()> {
    let parse = |text: &str| -> Result<Vec<f64>> {
        text.split(',')
            .map(|field| {
                let what = || format!("--between {text}: {field:?} is not a number");
                field.trim().parse::<f64>().map_err(|_| Error::Unsupported { what: what() })
            })
            .collect()
    };
    let (x, z) = (parse(x)?, parse(z)?);
    if x.len() != z.len() {
        return Err(Error::Shape { what: "numbers in the second row", expected: x.len(), found: z.len() });
    }
    let rows = Vectors::from_rows(&[x.clone(), z.clone()])?;
    let kernel = BulkKernel::resolve(kernel, &rows, None)?;
    let value = kernel.try_eval(&Row::Dense64(&x), &Row::Dense64(&z))?;
    tell_value(&kernel, value, json)
}

fn tell_value(kernel: &impl Display, value: f64, json: bool) -> Result<()> {
    match json {
        true => show_json(&serde_json::json!({ "kernel": kernel.to_string(), "value": value })),
        false => to_stdout(|out| Ok(writeln!(out, "{value}")?)),
    }
}

/// The Gram matrix as a table of numbers, block by block.
fn gram<K, I>(out: &mut impl Write, kernel: &K, rows: &I, json: bool) -> Result<()>
where
    K: BulkKernel<I>,
    I: Items,
{
    let plan = Plan {
        precision: Precision::F64,
        workers: std::sync::Arc::new(Workers::new(0)),
        cache_bytes: 0,
        ..Plan::new()?
    };
    let layout = kernel.layout(rows, &plan)?;
    let gram = kernel.symmetric(rows, &layout, &plan)?;
    let n = rows.len();
    let all: Vec<usize> = (0..n).collect();
    let mut values = vec![0.0; ROWS_AT_ONCE.min(n) * n];
    let mut first = true;
    if json {
        writeln!(out, "[")?;
    }
    for some in all.chunks(ROWS_AT_ONCE) {
        gram.fill(some, Columns::Range(0..n), Block::F64 { values: &mut values, stride: n })?;
        for row in values.chunks(n).take(some.len()) {
            let text: Vec<String> = row.iter().map(f64::to_string).collect();
            let (open, close) = if json { ("[", "]") } else { ("", "") };
            let comma = if json && !std::mem::take(&mut first) { "," } else { "" };
            writeln!(out, "{comma}{open}{}{close}", text.join(","))?;
        }
    }
    if json {
        writeln!(out, "]")?;
    }
    Ok(())
}

/// Mercer's condition on a sample of the rows or items.
fn check(kernel: &impl Display, report: MercerReport, json: bool) -> Result<()> {
    if json {
        return show_json(&serde_json::json!({
            "kernel": kernel.to_string(),
            "rows": report.items,
            "compared": report.sample,
            "smallest_eigenvalue": report.smallest_eigenvalue,
            "largest_eigenvalue": report.largest_eigenvalue,
            "verdict": report.to_string(),
        }));
    }
    let mut page = Page::default();
    page.line("kernel", kernel);
    page.line("rows", format!("{} of {}", report.sample, report.items));
    let range = (number(report.smallest_eigenvalue), number(report.largest_eigenvalue));
    page.line("eigenvalues", format!("from {} to {}", range.0, range.1));
    page.line("verdict", report);
    page.show()
}

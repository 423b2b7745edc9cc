//! `mercer kernel`

use std::io::Write;

use mercer::data::{Contents, Items, Row, Vectors, read_file, write_atomically};
use mercer::gram::{Block, BulkKernel, Columns, Plan, Precision};
use mercer::kernel::{Description, Expression, Kernel, check_mercer};
use mercer::resources::Workers;
use mercer::{Error, Result};

use crate::arguments::KernelArguments;
use crate::failure::Failure;
use crate::output;
use crate::precomputed::kernel_values;
use crate::print::{Page, number, to_stdout};

/// Rows of the Gram matrix that are held at a time.
const ROWS_AT_ONCE: usize = 64;

/// Rows that the check of Mercer's condition compares, at most.
const CHECKED_ROWS: usize = 500;

pub fn run(arguments: &KernelArguments) -> std::result::Result<(), Failure> {
    let Some(formula) = &arguments.formula else { return Ok(list()?) };
    let kernel: Expression = formula.parse().map_err(Failure::Usage)?;
    if let [x, z] = &arguments.between[..] {
        return value(&kernel, x, z).map_err(Failure::Usage);
    }
    let Some(data) = &arguments.data else { return Ok(describe(&kernel)?) };
    if let Some(path) = &arguments.gram {
        output::check(path, arguments.force, &[data])?;
    }
    let Contents::Table(table) = read_file(data, &arguments.reading.options())? else {
        return Err(kernel_values(data).into());
    };
    let rows = &table.vectors;
    let kernel = BulkKernel::resolve(&kernel, rows).map_err(|error| error.in_file(data))?;
    match &arguments.gram {
        Some(path) => write_atomically(path, |out| gram(out, &kernel, rows))?,
        None if arguments.check => check(&kernel, rows, arguments.seed)?,
        None => to_stdout(|mut out| gram(&mut out, &kernel, rows))?,
    }
    Ok(())
}

/// All kernels with their formulas.
fn list() -> Result<()> {
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
        Ok(())
    })
}

/// One kernel.
fn describe(kernel: &Expression) -> Result<()> {
    let mut page = Page::default();
    page.line("kernel", kernel);
    let name = kernel.to_string();
    let name = name.split('(').next().unwrap_or_default();
    if let Some(description) = Description::all().find(|description| description.name == name) {
        page.line("k(x, z)", description.formula);
        if !description.parameters.is_empty() {
            page.line("parameters", description.parameters.join(", "));
        }
    }
    page.line("definite", format!("{:?}", BulkKernel::<Vectors<'_>>::definiteness(kernel)).to_lowercase());
    page.show()
}

/// k(x, z) of two rows that are written on the command line.
fn value(kernel: &Expression, x: &str, z: &str) -> Result<()> {
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
    let kernel = BulkKernel::resolve(kernel, &rows)?;
    let value = kernel.try_eval(&Row::Dense64(&x), &Row::Dense64(&z))?;
    to_stdout(|out| Ok(writeln!(out, "{value}")?))
}

/// The Gram matrix as a table of numbers, block by block.
fn gram(out: &mut impl Write, kernel: &Expression, rows: &Vectors<'_>) -> Result<()> {
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
    for some in all.chunks(ROWS_AT_ONCE) {
        gram.fill(some, Columns::Range(0..n), Block::F64 { values: &mut values, stride: n })?;
        for row in values.chunks(n).take(some.len()) {
            let text: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(out, "{}", text.join(","))?;
        }
    }
    Ok(())
}

/// Mercer's condition on a sample of the rows.
fn check(kernel: &Expression, rows: &Vectors<'_>, seed: u64) -> Result<()> {
    let report = check_mercer(kernel, rows, CHECKED_ROWS, seed)?;
    let mut page = Page::default();
    page.line("kernel", kernel);
    page.line("rows", format!("{} of {}", report.sample, report.items));
    let range = (number(report.smallest_eigenvalue), number(report.largest_eigenvalue));
    page.line("eigenvalues", format!("from {} to {}", range.0, range.1));
    page.line("verdict", report);
    page.show()
}

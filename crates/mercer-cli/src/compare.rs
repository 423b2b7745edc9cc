//! `mercer compare`: do two files hold samples of the same distribution?

use std::path::Path;

use mercer::data::{Collection, Contents, Doubt, Items, Labels, ReadOptions, Scaling, Table, Vectors};
use mercer::gram::{BulkKernel, CollectionKernel};
use mercer::machine::{MatrixOptions, TwoSampleTest};
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::CompareArguments;
use crate::failure::Failure;
use crate::others::in_time::{self, Within};
use crate::print::{Page, count, number, plural, shape, show_json};
use crate::progress::Timed;
use crate::{precomputed, remarks, source, structures};

/// The p-value up to which chance is no explanation.
const LEVEL: f64 = 0.05;

pub fn run(arguments: &CompareArguments, json: bool) -> std::result::Result<(), Failure> {
    let kernel: CollectionKernel = arguments.kernel.parse().map_err(Failure::Usage)?;
    match kernel.expression().on_rows() {
        Some(_) => rows(arguments, &kernel, json),
        None => {
            let scaled = !arguments.scale.is_auto();
            structures::check_reading(&arguments.data.reading, scaled, &kernel)?;
            let read = |path| structures::file(path, &arguments.data.reading, None, &kernel);
            let (one, other) = (read(&arguments.data.data)?, read(&arguments.other)?);
            let sizes = [one.items.len(), other.items.len()];
            let kind = kernel.expression().kind();
            let shapes = sizes.map(|size| format!("{} {kind}", count(size as u64)));
            tell(arguments, &kernel, &one.items.followed_by(other.items)?, (sizes, shapes), "none", json)
        }
    }
}

fn rows(
    arguments: &CompareArguments,
    kernel: &CollectionKernel,
    json: bool,
) -> std::result::Result<(), Failure> {
    let (path, other_path) = (&arguments.data.data, &arguments.other);
    let options = ReadOptions { unlabelled: true, ..arguments.data.reading.options() };
    let (one, other) = alike((path, other_path), &options)?;
    if !arguments.quiet && !json {
        for mut remarks in [one.remarks.clone(), other.remarks.clone()] {
            // What is the same in one file may be another in the other.
            remarks.doubtful.retain(|doubt| !matches!(doubt, Doubt::Constant(_)));
            remarks::tell(&remarks);
        }
    }
    let all = Vectors::stacked(&[&one.vectors, &other.vectors])
        .map_err(|error| error.in_file(source::name(other_path)))?;
    let is_sparse = matches!(all, Vectors::Sparse(_));
    let kind =
        arguments.scale.kind(is_sparse, kernel.expression().needs_non_negative()).map_err(Failure::Usage)?;
    // Both are measured with one scale.
    let scaling = kind.map(|kind| Scaling::fit(kind, &all)).transpose()?;
    let items = match &scaling {
        Some(scaling) => scaling.apply(&all)?,
        None => all,
    };
    let sizes = [one.rows(), other.rows()];
    let scaled =
        scaling.map_or("none".to_string(), |scaling| format!("{} (of both together)", scaling.kind()));
    tell(
        arguments,
        kernel,
        &items.into(),
        (sizes, [shape(&one.vectors), shape(&other.vectors)]),
        &scaled,
        json,
    )
}

/// Both files with the same columns, words with the same numbers: those of the file that has all words.
fn alike(
    (path, other_path): (&Path, &Path),
    options: &ReadOptions,
) -> Result<(Table<'static>, Table<'static>)> {
    let by = |known: &Table<'_>| ReadOptions {
        schema: known.schema.clone(),
        ..options.clone().columns(known.vectors.columns())
    };
    let one = table(path, options)?;
    let other = table(other_path, &by(&one))?;
    let Some((column, word)) = other.remarks.first_unseen else {
        return Ok((one, other));
    };
    let (name, other_name) = (source::name(path), source::name(other_path));
    let mut what =
        format!("column `{column}`: {} has no `{word}`, which {} has", name.display(), other_name.display());
    if source::is_standard(path) || source::is_standard(other_path) {
        // Standard input cannot be read again.
        what += ": name the file that has all words first";
        return Err(Error::Unsupported { what });
    }
    let other = table(other_path, options)?;
    // Where the other file cannot say how the first is read, the first lacks a word all the same.
    if let Ok(one) = table(path, &by(&other)) {
        let Some((column, word)) = one.remarks.first_unseen else {
            return Ok((one, other));
        };
        what += &format!(", which has no `{word}` in column `{column}`");
    }
    what += ": one of the files must have all words; --ignore leaves a column out";
    Err(Error::Unsupported { what })
}

fn table(path: &Path, options: &ReadOptions) -> Result<Table<'static>> {
    match source::read(path, options)? {
        Contents::Table(table) => Ok(table),
        Contents::Precomputed(_) => Err(precomputed::kernel_values(&source::name(path))),
    }
}

fn tell(
    arguments: &CompareArguments,
    kernel: &CollectionKernel,
    items: &Collection<'static>,
    (sizes, shapes): ([usize; 2], [String; 2]),
    scaling: &str,
    json: bool,
) -> std::result::Result<(), Failure> {
    let usual = MatrixOptions::default();
    let memory = arguments.memory.map_or(usual.memory, |mb| mb.saturating_mul(1 << 20));
    let options = MatrixOptions { threads: arguments.threads, memory, ..usual };
    let kernel = kernel.resolve(items, None)?;
    let (permutations, seed) = (arguments.permutations, arguments.seed);
    let timed = Timed::new(arguments.quiet || json, arguments.time_limit)?;
    let samples = (0..items.len()).map(|item| u32::from(item >= sizes[0])).collect();
    let samples = Labels::from_codes(vec!["one".into(), "other".into()], samples)?;
    // Drawn with the proportions of the samples, where the time is not enough for all.
    let within = Within {
        seed,
        deadline: timed.deadline,
        options: &options,
        quiet: arguments.quiet || json,
        doing: "comparing",
    };
    let test = within.fit(items, Some(&samples), |items, rows, options| {
        let first = rows.partition_point(|&row| row < sizes[0]);
        TwoSampleTest::new(&kernel, items, first, permutations, seed, &options)
    });
    let (test, rows) = test.map_err(|error| timed.failure(error, "the samples were compared"))?;
    let paths = [&arguments.data.data, &arguments.other];
    if json {
        return Ok(show_json(&json!({
            "data": paths,
            "rows": sizes,
            "kernel": kernel.to_string(),
            "scaling": scaling,
            "mmd2": test.statistic,
            "mmd2_biased": test.biased,
            "p_value": test.p_value,
            "permutations": test.permutations,
            "seed": seed,
            "held": test.held,
            "compared_rows": rows.as_ref().map(Vec::len),
        }))?);
    }
    if arguments.quiet {
        return Ok(());
    }
    let mut page = Page::default();
    for (path, shape) in paths.iter().zip(&shapes) {
        page.line("sample", format!("{}: {shape}", source::name(path).display()));
    }
    page.line("scaling", scaling);
    page.line("kernel", &kernel);
    in_time::tell(&mut page, rows.as_deref(), items.len());
    page.line("MMD²", format!("{} without bias, {} with", number(test.statistic), number(test.biased)));
    let tried = plural(test.permutations as u64, "random division");
    page.line("p-value", format!("{} (of {tried} of all rows, seed {seed})", number(test.p_value)));
    if !test.held {
        page.line("memory", "kernel values did not fit, and were computed several times");
    }
    let words = match test.p_value {
        p if p <= LEVEL => "the samples are of different distributions, at the level of 5 %",
        _ => "nothing says that the distributions are different, at the level of 5 %",
    };
    page.line("conclusion", words);
    Ok(page.show()?)
}

//! `mercer clean`

use std::io::Write;

use mercer::data::{Contents, Labels, Scaling, ScalingKind, Vectors, write_atomically};
use mercer::evaluation::insight::{Suspect, SuspectOptions, suspects};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::CleanArguments;
use crate::failure::Failure;
use crate::print::{Page, count, plural, rounded, show_json, to_stdout};
use crate::{output, precomputed, remarks, source, structures};

pub fn run(arguments: &CleanArguments, json: bool) -> std::result::Result<(), Failure> {
    let data = &arguments.data.data;
    if let Some(path) = &arguments.output {
        output::check(path, arguments.force, &[data])?;
    }
    let options = SuspectOptions { folds: arguments.folds, times: arguments.times, seed: arguments.seed };
    let in_file = |error: Error| error.in_file(source::name(data));
    if let Some((kernel, table)) = structures::asked(&arguments.kernel, &arguments.data)? {
        if arguments.unscaled {
            return Err(structures::usage("--unscaled is for rows of numbers: such items are never scaled"));
        }
        let labels = table.targets.labels().map_err(in_file)?;
        let machine = Svc::params(kernel).cost(arguments.cost).check().map_err(Failure::Usage)?;
        let ranked = suspects(&machine, &table.items, &labels, &options).map_err(in_file)?;
        return tell(arguments, &ranked, &labels, json);
    }
    let kernel: Expression = arguments.kernel.parse().map_err(Failure::Usage)?;
    let machine = Svc::params(kernel).cost(arguments.cost).check().map_err(Failure::Usage)?;
    let Contents::Table(table) = source::read(data, &arguments.data.reading.options())? else {
        return Err(precomputed::kernel_values(data).into());
    };
    remarks::tell(&table.remarks);
    let labels = table.targets.labels().map_err(in_file)?;
    let rows = if arguments.unscaled { table.vectors } else { scaled(&table.vectors).map_err(in_file)? };
    let ranked = suspects(&machine, &rows, &labels, &options).map_err(in_file)?;
    tell(arguments, &ranked, &labels, json)
}

/// Keeps what was found, and shows the first of it.
fn tell(
    arguments: &CleanArguments,
    ranked: &[Suspect],
    labels: &Labels,
    json: bool,
) -> std::result::Result<(), Failure> {
    let data = &arguments.data.data;
    if let Some(path) = &arguments.output {
        write_atomically(path, |out| write_all(out, ranked, labels))?;
    }
    if json {
        return Ok(tell_json(arguments, ranked, labels)?);
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

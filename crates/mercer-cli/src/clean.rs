//! `mercer clean`

use std::fmt::Display;
use std::io::Write;

use mercer::data::{Items, Labels, Remarks, Targets, write_atomically};
use mercer::evaluation::insight::{Suspect, SuspectOptions, Suspects, suspects_until};
use mercer::gram::BulkKernel;
use mercer::machine::Svc;
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::{CleanArguments, TaskArgument};
use crate::failure::Failure;
use crate::print::{Page, count, note, plural, rounded, show_json, to_stdout};
use crate::progress::{Ending, Timed};
use crate::read::Read;
use crate::task::{Aim, Task};
use crate::{output, source};

/// Parts that are left out in turn, if there are so many rows.
const FOLDS: usize = 10;

pub fn run(arguments: &CleanArguments, json: bool) -> std::result::Result<(), Failure> {
    let data = &arguments.data.data;
    if let Some(path) = &arguments.output {
        output::check(path, arguments.force, &[data])?;
    }
    if matches!(arguments.task, TaskArgument::Regress | TaskArgument::Novelty) {
        let what = "--task: labels are compared with the classes of other rows; classify can be said".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let read = Read::new(&arguments.data, &arguments.kernel, arguments.unscaled)?;
    let numbers = read.numbers();
    match read {
        Read::Rows { kernel, rows, targets, target_name, remarks } => {
            let labels = labels(arguments, &targets, target_name.as_deref(), &remarks)?;
            tell(arguments, kernel, (&rows, &numbers), &labels, json)
        }
        Read::Collection { kernel, items, targets, .. } => {
            let labels = labels(arguments, &targets, None, &Remarks::default())?;
            tell(arguments, kernel, (&items, &numbers), &labels, json)
        }
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

/// Ranks the labels of these items, which have these numbers.
fn tell<K, I>(
    arguments: &CleanArguments,
    kernel: K,
    (items, numbers): (&I, &[usize]),
    labels: &Labels,
    json: bool,
) -> std::result::Result<(), Failure>
where
    K: BulkKernel<I> + Display,
    I: Items<Owned = I>,
{
    let data = &arguments.data.data;
    let timed = Timed::new(json, arguments.time_limit)?;
    let machine = Svc::params(kernel).cost(arguments.cost).interrupt(&timed.interrupt());
    let machine = machine.check().map_err(Failure::Usage)?;
    let folds = arguments.folds.unwrap_or_else(|| usize::clamp(items.len(), 2, FOLDS));
    let options = SuspectOptions { folds, times: arguments.times, seed: arguments.seed };
    let found = timed.run("training", |waiting| {
        suspects_until(&machine, items, labels, &options, timed.deadline, &mut |done, all| {
            // Under a limit the time that is left is the estimate.
            if timed.deadline.is_none() {
                waiting.done(done, all);
            }
        })
    });
    let found =
        found.map_err(|error| timed.failure(error, "a row was held out").in_file(source::name(data)))?;
    let Suspects { mut ranked, done, trainings, rows } = found;
    let ending = if done == trainings { Ending::Done } else { timed.ending() };
    ending.tell();
    if let Some(rows) = rows {
        let (rows, all) = (count(rows as u64), count(items.len() as u64));
        note(format!("mercer: time limit: trainings took samples of {rows} of {all} rows or more"));
    }
    if done < trainings {
        let (held, all) = (count(ranked.len() as u64), count(items.len() as u64));
        note(format!(
            "mercer: {done} of {trainings} trainings are complete: {held} of {all} rows were held out"
        ));
    }
    ranked.iter_mut().for_each(|suspect| suspect.row = numbers[suspect.row]);
    if let Some(path) = &arguments.output {
        write_atomically(path, |out| write_all(out, &ranked, labels))?;
    }
    if json {
        tell_json(arguments, &ranked, labels)?;
        return ending.of(());
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
    to_stdout(|out| {
        writeln!(out, "\n{:>8}  {:<16}{:<16}{:>10}{:>10}", "row", "label", "rather", "margin", "slack")?;
        for suspect in ranked.iter().take(arguments.top) {
            let (given, rather) = (&labels.classes()[suspect.given], &labels.classes()[suspect.suggested]);
            let (margin, slack) = (rounded(suspect.margin, 4), rounded(suspect.slack, 4));
            writeln!(out, "{:>8}  {given:<16}{rather:<16}{margin:>10}{slack:>10}", suspect.row)?;
        }
        Ok(())
    })?;
    ending.of(())
}

/// Rows are counted from 1, without the line of names.
fn write_all(out: &mut dyn Write, ranked: &[Suspect], labels: &Labels) -> Result<()> {
    writeln!(out, "rank,row,label,rather,margin,slack,weight")?;
    for (rank, suspect) in ranked.iter().enumerate() {
        let Suspect { row, given, suggested, margin, slack, weight } = *suspect;
        let word = |class: usize| quoted(&labels.classes()[class]);
        writeln!(out, "{},{},{},{},{margin},{slack},{weight}", rank + 1, row, word(given), word(suggested))?;
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
                "row": suspect.row,
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

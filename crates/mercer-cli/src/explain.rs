//! `mercer explain`

use std::path::Path;

use mercer::data::{Items as _, Series, StructureKind, Structures, Vectors};
use mercer::evaluation::insight::Influence;
use mercer::gram::StructureKernel;
use mercer::io::{Explanation, LoadedModel, SavedModel};
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::{ExplainArguments, ReadingArguments};
use crate::failure::Failure;
use crate::load::load_any;
use crate::print::{rounded, show_json, to_stdout};
use crate::structures;

pub fn run(arguments: &ExplainArguments, json: bool) -> std::result::Result<(), Failure> {
    let (explained, numbers, what) = match load_any(&arguments.model)? {
        LoadedModel::Rows(saved) => {
            if arguments.item.is_some() {
                return Err(structures::usage(
                    "--item is for models of structured items: a row is given by its numbers",
                ));
            }
            let row = Vectors::from_rows(&[numbers(&arguments.row, ',').map_err(Failure::Usage)?])?;
            let explained = saved.model.explain(&saved.prepare(&row)?)?;
            (explained, saved.model.support_rows().to_vec(), "row")
        }
        LoadedModel::Structures(saved) => {
            let item = match arguments.item {
                Some(place) => of_file(&saved, Path::new(&arguments.row), place)?,
                None => written(&[&arguments.row], saved.model.kernel()).map_err(Failure::Usage)?,
            };
            (saved.model.explain(&item)?, saved.model.support_rows().to_vec(), "item")
        }
    };
    match json {
        true => Ok(tell_json(arguments, &numbers, what, &explained)?),
        false => Ok(tell(arguments, &numbers, what, &explained)?),
    }
}

fn numbers(text: &str, between: char) -> Result<Vec<f64>> {
    let number = |(at, text): (usize, &str)| {
        let problem =
            || Error::Parse { line: 1, column: at as u64 + 1, problem: format!("`{text}` is not a number") };
        text.trim().parse::<f64>().map_err(|_| problem())
    };
    text.split(between).enumerate().map(number).collect()
}

/// Items as the command line has them: strings, trees in brackets, or series with commas between times and colons between channels.
pub fn written(texts: &[&str], kernel: &StructureKernel) -> Result<Structures> {
    Ok(match kernel.expression().kind() {
        StructureKind::Strings => Structures::Strings(texts.iter().map(ToString::to_string).collect()),
        StructureKind::Trees => {
            Structures::Trees(texts.iter().map(|text| text.parse()).collect::<Result<_>>()?)
        }
        StructureKind::Series => {
            Structures::Series(texts.iter().map(|text| series(text)).collect::<Result<_>>()?)
        }
        kind => {
            let what = format!("{kind} cannot be written on the command line: give a file of them");
            return Err(Error::Unsupported { what });
        }
    })
}

fn series(text: &str) -> Result<Series> {
    let channels: Vec<Vec<f64>> =
        text.split(':').map(|channel| numbers(channel, ',')).collect::<Result<_>>()?;
    let times = channels[0].len();
    if let Some(other) = channels.iter().find(|channel| channel.len() != times) {
        return Err(Error::Shape { what: "values of a channel", expected: times, found: other.len() });
    }
    let values = (0..times).flat_map(|time| channels.iter().map(move |channel| channel[time]));
    Series::new(values.collect(), channels.len())
}

/// One of the items of a file, counted from 1.
fn of_file(
    saved: &SavedModel<StructureKernel, Structures>,
    path: &Path,
    place: usize,
) -> std::result::Result<Structures, Failure> {
    let table = structures::new_items(saved, path, &ReadingArguments::default(), None)?;
    let count = table.items.len();
    if place == 0 || place > count {
        return Err(structures::usage(format!("--item {place}: {} has items 1 to {count}", path.display())));
    }
    Ok(table.items.select(&[place - 1]))
}

/// The terms of one sign, the largest first.
fn side(terms: &[Influence], sign: f64, top: usize) -> impl Iterator<Item = &Influence> {
    terms.iter().filter(move |term| term.contribution * sign > 0.0).take(top)
}

fn tell(
    arguments: &ExplainArguments,
    numbers: &[usize],
    what: &str,
    explained: &[Explanation],
) -> Result<()> {
    to_stdout(|out| {
        for Explanation { sides, value, offset, terms } in explained {
            let value_text = rounded(*value, 6);
            match sides {
                Some((for_above, for_below)) => {
                    let (winner, loser) =
                        if *value > 0.0 { (for_above, for_below) } else { (for_below, for_above) };
                    writeln!(out, "{winner} rather than {loser}: decision value {value_text}")?;
                }
                None => writeln!(out, "prediction {value_text}")?,
            }
            writeln!(out, "  offset {}", rounded(*offset, 6))?;
            let (above, below) = match sides {
                Some((above, below)) => (format!("for {above}"), format!("for {below}")),
                None => ("for more".into(), "for less".into()),
            };
            for (sign, words) in [(1.0, above), (-1.0, below)] {
                let all: f64 = side(terms, sign, usize::MAX).map(|term| term.contribution).sum();
                let how_many = side(terms, sign, usize::MAX).count();
                writeln!(out, "  {words}: {how_many} support vectors, {} together", rounded(all, 4))?;
                for term in side(terms, sign, arguments.top) {
                    writeln!(
                        out,
                        "    {what} {:<8} {:>12}   similarity {}",
                        numbers.get(term.support).map_or(term.support, |row| *row) + 1,
                        rounded(term.contribution, 4),
                        rounded(term.similarity, 4)
                    )?;
                }
            }
        }
        Ok(())
    })
}

fn tell_json(
    arguments: &ExplainArguments,
    numbers: &[usize],
    what: &str,
    explained: &[Explanation],
) -> Result<()> {
    let one = |term: &Influence| {
        json!({
            what: numbers.get(term.support).map_or(term.support, |row| *row) + 1,
            "contribution": term.contribution,
            "similarity": term.similarity,
            "coefficient": term.coefficient,
        })
    };
    let functions: Vec<_> = explained
        .iter()
        .map(|Explanation { sides, value, offset, terms }| {
            let of = |sign: f64| side(terms, sign, arguments.top).map(one).collect::<Vec<_>>();
            json!({
                "above": sides.as_ref().map(|sides| &sides.0),
                "below": sides.as_ref().map(|sides| &sides.1),
                "value": value,
                "offset": offset,
                "for_above": of(1.0),
                "for_below": of(-1.0),
            })
        })
        .collect();
    show_json(&json!({ "functions": functions }))
}

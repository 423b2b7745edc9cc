//! `mercer explain`

use std::path::Path;

use mercer::data::{Collection, Format, Header, ItemKind, Items, Schema, Vectors, read_from};
use mercer::evaluation::insight::Influence;
use mercer::io::{Explanation, Model, TrainedMachine};
use mercer::{Error, Result};
use serde_json::{Value, json};

use crate::arguments::{ExplainArguments, MissingArgument, ReadingArguments};
use crate::failure::Failure;
use crate::load::load;
use crate::prediction::options_for;
use crate::print::{rounded, show_json, to_stdout};
use crate::{source, structures};

pub fn run(arguments: &ExplainArguments, json: bool) -> std::result::Result<(), Failure> {
    let missing = arguments.missing;
    if missing == Some(MissingArgument::Drop) {
        let what = "--missing drop: the row is to be explained; refuse or mean can be said".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let saved = load(&arguments.model)?;
    let is_rows = saved.machine.item_kind() == ItemKind::Rows;
    if missing.is_some() && !is_rows {
        let what = "--missing is for rows of numbers".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let item: Collection<'static> = match &arguments.data {
        Some(path) if is_rows => row_of_file(&saved, path, number(arguments)?, missing)?.into(),
        Some(path) => item_of_file(&saved, path, number(arguments)?)?,
        None if is_rows => row_of_text(&saved, &arguments.row, missing).map_err(Failure::Usage)?.into(),
        None => structures::written(&[&arguments.row], saved.machine.kernel()).map_err(Failure::Usage)?,
    };
    let item = saved.prepare(&item)?;
    let explained = saved.machine.explain(&item)?;
    let predicted = predicted(&saved.machine, &item)?;
    let numbers = saved.machine.support_rows();
    match json {
        true => Ok(tell_json(arguments, numbers, &predicted, &explained)?),
        false => Ok(tell(arguments, numbers, &predicted, &explained)?),
    }
}

/// The row of a file that is asked about, from 0.
fn number(arguments: &ExplainArguments) -> std::result::Result<usize, Failure> {
    let found = arguments.row.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    found.ok_or_else(|| {
        let what =
            format!("`{}`: with --data, ROW is the number of a row of that file, from 1", arguments.row);
        Failure::Usage(Error::Unsupported { what })
    })
}

/// The item of this number, if the file has so many.
fn chosen<I: Items<Owned = I>>(items: &I, number: usize, path: &Path) -> Result<I> {
    if number >= items.len() {
        let what = format!("there is no row {}: the file has {}", number + 1, items.len());
        return Err(Error::Unsupported { what }.in_file(path));
    }
    Ok(items.select(&[number]))
}

fn reading(missing: Option<MissingArgument>) -> ReadingArguments {
    ReadingArguments { missing, ..ReadingArguments::default() }
}

fn row_of_file(
    saved: &Model,
    path: &Path,
    number: usize,
    missing: Option<MissingArgument>,
) -> Result<Vectors<'static>> {
    let mut options = options_for(saved, &reading(missing));
    options.max_columns = Some(options.min_columns);
    let table = source::read(path, &options)?.table().map_err(|error| error.in_file(source::name(path)))?;
    chosen(&table.vectors, number, path)
}

/// One line of a file such as the model was trained on.
fn row_of_text(saved: &Model, text: &str, missing: Option<MissingArgument>) -> Result<Vectors<'static>> {
    let mut options = options_for(saved, &reading(missing));
    options.max_columns = Some(options.min_columns);
    options.header = Header::Absent;
    let has_words = saved.schema.as_ref().is_some_and(Schema::has_words);
    let is_libsvm = !has_words && text.contains(':') && !text.contains([',', ';']);
    options.format = Some(if is_libsvm { Format::Libsvm } else { Format::of(text.as_bytes()) });
    // Entries may have no label before them.
    let begins = text.split_ascii_whitespace().next().is_some_and(|first| first.contains(':'));
    let line = if is_libsvm && begins { format!("0 {text}") } else { text.to_string() };
    let table = read_from(line.as_bytes(), &options)?.table()?;
    match table.rows() {
        1 => Ok(table.vectors),
        0 => Err(Error::Empty { what: "rows" }),
        found => Err(Error::Shape { what: "rows", expected: 1, found }),
    }
}

fn item_of_file(
    saved: &Model,
    path: &Path,
    number: usize,
) -> std::result::Result<Collection<'static>, Failure> {
    let table = structures::new_items(saved, path, &ReadingArguments::default(), None)?;
    Ok(chosen(&table.items, number, path)?)
}

/// What the model says about the item: a class, or a number.
fn predicted(model: &TrainedMachine, item: &Collection<'_>) -> Result<Value> {
    Ok(match model {
        TrainedMachine::Svc(model) => json!(model.predict_labels(item)?.first()),
        TrainedMachine::Classes(model) => json!(model.predict_labels(item)?.first()),
        TrainedMachine::Svr(model) => json!(model.predict(item)?.first()),
        TrainedMachine::Novelty(model) => match model.is_novel(item)?[0] {
            true => json!("outside"),
            false => json!("inside"),
        },
        _ => Value::Null,
    })
}

/// The terms of one sign, the largest first.
fn side(terms: &[Influence], sign: f64, top: usize) -> impl Iterator<Item = &Influence> {
    terms.iter().filter(move |term| term.contribution * sign > 0.0).take(top)
}

fn tell(
    arguments: &ExplainArguments,
    numbers: &[usize],
    predicted: &Value,
    explained: &[Explanation],
) -> Result<()> {
    to_stdout(|out| {
        match predicted {
            Value::String(class) => writeln!(out, "predicted: {class}")?,
            number => writeln!(out, "predicted: {}", rounded(number.as_f64().unwrap_or(f64::NAN), 6))?,
        }
        for Explanation { sides, value, offset, terms } in explained {
            if let Some((for_above, for_below)) = sides {
                let (winner, loser) =
                    if *value > 0.0 { (for_above, for_below) } else { (for_below, for_above) };
                writeln!(out, "{winner} rather than {loser}: decision value {}", rounded(*value, 6))?;
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
                        "    row {:<8} {:>12}   similarity {}",
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
    predicted: &Value,
    explained: &[Explanation],
) -> Result<()> {
    let one = |term: &Influence| {
        json!({
            "row": numbers.get(term.support).map_or(term.support, |row| *row) + 1,
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
    show_json(&json!({ "predicted": predicted, "functions": functions }))
}

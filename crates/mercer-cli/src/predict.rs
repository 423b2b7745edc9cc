//! `mercer predict`

use std::io::Write;
use std::path::Path;

use mercer::data::{LabelColumn, ReadOptions, Table, Targets, Vectors, read_file, write_atomically};
use mercer::io::{AnyModel, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::SvcModel;
use mercer::{Error, Result};

use crate::arguments::{PredictArguments, ReadingArguments};
use crate::load::load;
use crate::output;
use crate::place::in_words_of_the_file;
use crate::precomputed::rows_for;
use crate::print::{note, to_stdout};

pub fn run(arguments: &PredictArguments) -> Result<()> {
    if let Some(path) = &arguments.output {
        output::check(path, arguments.force, &[&arguments.model, &arguments.data.data])?;
    }
    let saved = load(&arguments.model)?;
    let reading = Reading { data: &arguments.data.data, arguments: &arguments.data.reading };
    let Scored { table, model, scores, .. } = scored(saved, &reading, arguments.threads)?;
    let predicted: Vec<usize> =
        scores.chunks_exact(model.classes().len()).map(mercer::machine::one_against_one::winner).collect();

    let write = |out: &mut dyn Write| -> Result<()> {
        write!(out, "prediction")?;
        if arguments.scores {
            for class in model.classes() {
                write!(out, ",{}", field(&format!("score {class}")))?;
            }
        }
        writeln!(out)?;
        for (i, &class) in predicted.iter().enumerate() {
            write!(out, "{}", field(&model.classes()[class]))?;
            if arguments.scores {
                for score in &scores[i * model.classes().len()..][..model.classes().len()] {
                    write!(out, ",{score}")?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    };
    match &arguments.output {
        Some(path) => write_atomically(path, |out| write(out))?,
        None => to_stdout(write)?,
    }
    if !matches!(table.targets, Targets::Missing) {
        let labels = table.targets.labels()?;
        let right = predicted
            .iter()
            .enumerate()
            .filter(|(i, class)| model.classes()[**class] == labels.text(*i))
            .count();
        let share = 100.0 * right as f64 / labels.len().max(1) as f64;
        note(format!("{share:.2} % as labelled ({right} of {})", labels.len()));
    }
    Ok(())
}

/// A file to be read for a model.
pub struct Reading<'a> {
    pub data: &'a Path,
    pub arguments: &'a ReadingArguments,
}

/// Data, and what a model says about them.
pub struct Scored {
    /// As they are written.
    pub table: Table<'static>,
    /// As the model sees them.
    pub rows: Vectors<'static>,
    pub model: SvcModel<Expression, Vectors<'static>>,
    /// For each row one per class.
    pub scores: Vec<f64>,
}

/// Reads the data that a model is used on, scales them as it was trained, and scores them.
pub fn scored(saved: SavedModel, reading: &Reading<'_>, threads: usize) -> Result<Scored> {
    let (table, options) = read(&saved, reading)?;
    if let (Some(expected), Some(found)) = (&saved.card.feature_names, &table.feature_names)
        && let Some(at) = (0..expected.len()).find(|&at| expected[at] != found[at])
    {
        let what = format!(
            "{}: column {} is {:?}, the model was trained with {:?} there",
            reading.data.display(),
            at + 1,
            found[at],
            expected[at]
        );
        return Err(Error::Unsupported { what });
    }
    let named = |error| {
        in_words_of_the_file(error, reading.data, &options, &table.vectors, saved.scaling.as_ref())
            .in_file(reading.data)
    };
    let rows = saved.prepare(&table.vectors).map_err(named)?;
    let AnyModel::Svc(model) = &saved.model;
    let model = model.clone().with_threads(threads);
    let scores = model.scores(&rows).map_err(named)?;
    Ok(Scored { table, rows, model, scores })
}

/// Reads the data, and says how; a table without a label column is recognised by its number of columns.
fn read(saved: &SavedModel, reading: &Reading<'_>) -> Result<(Table<'static>, ReadOptions)> {
    let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
    let with_labels = reading.arguments.options().columns(columns);
    let (contents, options) = match read_file(reading.data, &with_labels) {
        Err(error) if reading.arguments.label.is_none() => {
            let without = ReadOptions { label: LabelColumn::Absent, ..with_labels };
            (read_file(reading.data, &without).map_err(|_| error)?, without)
        }
        outcome => (outcome?, with_labels),
    };
    Ok((rows_for(saved, contents, reading.data)?, options))
}

/// A field of a table, quoted where it has to be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

//! `mercer predict`: some rows at a time, so that the data may be larger than memory.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use mercer::data::{ReadOptions, Remarks, Schema, Table, Targets, write_atomically};
use mercer::io::{AnyModel, SavedModel};
use mercer::machine::one_against_one::winner;
use mercer::{Error, Result};

use crate::arguments::{MissingArgument, PredictArguments, ReadingArguments, StyleArgument};
use crate::failure::Failure;
use crate::load::load;
use crate::place::Place;
use crate::precomputed::rows_for;
use crate::print::{note, to_stdout};
use crate::progress::Observer;
use crate::{output, remarks, source};

/// Numbers that are held at a time, about.
const NUMBERS_AT_ONCE: usize = 1 << 22;

/// Columns of the widest table that is read for a model that has not seen one.
const WIDEST_TABLE: usize = 1 << 20;

pub fn run(arguments: &PredictArguments, json: bool) -> std::result::Result<(), Failure> {
    let file = arguments.output.as_deref().filter(|path| !source::is_standard(path));
    if let Some(path) = file {
        output::check(path, arguments.force, &[&arguments.model, &arguments.data.data])?;
    }
    if arguments.data.reading.missing == Some(MissingArgument::Drop) {
        let what = "--missing drop: every row gets a prediction; refuse or mean can be said".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let saved = load(&arguments.model)?;
    let prediction =
        Prediction::new(&saved, &arguments.data.data, &arguments.data.reading, arguments.threads)?;
    let mut tally = Tally::default();
    let mut write = |out: &mut dyn Write| -> Result<()> {
        let mut lines = Lines::new(arguments, json, &prediction.classes);
        lines.begin(out)?;
        prediction.each(|table, scores| {
            tally.add(&prediction, table, scores)?;
            scores.chunks_exact(prediction.classes.len()).try_for_each(|scores| lines.row(out, scores))
        })?;
        lines.end(out, &tally)
    };
    let outcome = match file {
        Some(path) => write_atomically(path, |out| write(out)),
        None => to_stdout(write),
    };
    if prediction.observer.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    outcome?;
    tally.tell();
    Ok(())
}

/// How often predictions are as labelled, and what else was noticed.
#[derive(Default)]
struct Tally {
    rows: usize,
    labelled: usize,
    right: usize,
    remarks: Remarks,
}

impl Tally {
    fn add(&mut self, prediction: &Prediction<'_>, table: &Table<'_>, scores: &[f64]) -> Result<()> {
        self.rows += table.rows();
        remarks::join(&mut self.remarks, &table.remarks);
        if matches!(table.targets, Targets::Missing) {
            return Ok(());
        }
        let labels = table.targets.labels()?;
        let classes = &prediction.classes;
        let predicted = scores.chunks_exact(classes.len()).map(|of_row| &classes[winner(of_row)]);
        self.labelled += labels.len();
        self.right += predicted.enumerate().filter(|(row, class)| *class == labels.text(*row)).count();
        Ok(())
    }

    fn tell(&self) {
        remarks::tell(&self.remarks);
        if self.labelled > 0 {
            let share = 100.0 * self.right as f64 / self.labelled as f64;
            note(format!("{share:.2} % as labelled ({} of {})", self.right, self.labelled));
        }
    }
}

/// Predictions as they are written.
struct Lines<'a> {
    classes: &'a [String],
    style: StyleArgument,
    scores: bool,
    json: bool,
    first: bool,
}

impl<'a> Lines<'a> {
    fn new(arguments: &PredictArguments, json: bool, classes: &'a [String]) -> Self {
        Lines { classes, style: arguments.style, scores: arguments.scores, json, first: true }
    }

    fn begin(&self, out: &mut dyn Write) -> Result<()> {
        if self.json {
            write!(out, "{{\"classes\": {},\n\"predictions\": [", serde_json::json!(self.classes))?;
            return Ok(());
        }
        match self.style {
            StyleArgument::Libsvm if !self.scores => {}
            StyleArgument::Libsvm => writeln!(out, "labels {}", self.classes.join(" "))?,
            StyleArgument::Csv => {
                write!(out, "prediction")?;
                for class in self.classes.iter().filter(|_| self.scores) {
                    write!(out, ",{}", field(&format!("score {class}")))?;
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }

    fn row(&mut self, out: &mut dyn Write, scores: &[f64]) -> Result<()> {
        let class = &self.classes[winner(scores)];
        let shown = if self.scores { scores } else { &[] };
        if self.json {
            let comma = if std::mem::take(&mut self.first) { "" } else { "," };
            let row = match self.scores {
                true => serde_json::json!({ "class": class, "scores": scores }),
                false => serde_json::json!(class),
            };
            write!(out, "{comma}\n{row}")?;
            return Ok(());
        }
        let (text, between) = match self.style {
            StyleArgument::Csv => (field(class), ','),
            StyleArgument::Libsvm => (class.clone(), ' '),
        };
        write!(out, "{text}")?;
        shown.iter().try_for_each(|score| write!(out, "{between}{score}"))?;
        Ok(writeln!(out)?)
    }

    fn end(&self, out: &mut dyn Write, tally: &Tally) -> Result<()> {
        if self.json {
            let right = (tally.labelled > 0).then_some(tally.right);
            writeln!(
                out,
                "\n],\n\"rows\": {}, \"as_labelled\": {}, \"unseen_words\": {}, \"filled_in\": {}}}",
                tally.rows,
                serde_json::json!(right),
                tally.remarks.unseen,
                tally.remarks.filled
            )?;
        }
        Ok(())
    }
}

/// A model at work on a data file.
pub struct Prediction<'a> {
    /// The classes, in order.
    pub classes: Vec<String>,
    model: AnyModel,
    saved: &'a SavedModel,
    data: &'a Path,
    options: ReadOptions,
    /// An interrupt ends the work between two pieces, so that nothing half done is left behind.
    pub observer: Observer,
}

impl<'a> Prediction<'a> {
    pub fn new(
        saved: &'a SavedModel,
        data: &'a Path,
        reading: &ReadingArguments,
        threads: usize,
    ) -> std::result::Result<Self, Failure> {
        if !reading.ignore.is_empty() || !reading.words.is_empty() {
            let what = "--ignore and --words are for training: the model knows which columns it needs".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        let classes = saved.model.classes()?.to_vec();
        let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
        let schema = saved.schema.clone().or_else(|| {
            let card = &saved.card;
            // No table is as wide as sparse rows may be.
            (columns <= WIDEST_TABLE)
                .then(|| Schema::of_numbers(columns, card.feature_names.as_deref(), card.target_name.clone()))
        });
        let options = ReadOptions { schema: schema.map(Arc::new), ..reading.options().columns(columns) };
        let observer = Observer::new(true, 0.0);
        let model = saved.model.clone().with_threads(threads);
        Ok(Prediction { classes, model, saved, data, options, observer })
    }

    /// Calls `visit` with some rows and their scores, one per class, until there are no more.
    pub fn each(&self, mut visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>) -> Result<()> {
        let columns = self.options.min_columns.max(1);
        let rows = (NUMBERS_AT_ONCE / columns).clamp(256, 4096);
        let mut before = 0;
        for chunk in source::chunks(self.data, &self.options, rows)? {
            if self.observer.is_interrupted() {
                return Err(std::io::Error::from(std::io::ErrorKind::Interrupted).into());
            }
            let table = rows_for(self.saved, chunk?, &source::name(self.data))?;
            let scores = self.scores(&table, before)?;
            visit(&table, &scores)?;
            before += table.rows();
        }
        Ok(())
    }

    /// Scores of rows before which so many stand in the file.
    fn scores(&self, table: &Table<'_>, before: usize) -> Result<Vec<f64>> {
        let scaling = self.saved.scaling.as_ref();
        let place =
            Place { data: self.data, options: &self.options, written: &table.vectors, scaling, before };
        let named = |error| place.name(error).in_file(source::name(self.data));
        let rows = self.saved.prepare(&table.vectors).map_err(named)?;
        self.model.class_scores(&rows).map_err(named)
    }
}

/// A whole file, and what a model says about it.
pub struct Scored {
    pub rows: usize,
    pub targets: Option<mercer::data::Labels>,
    pub remarks: Remarks,
    /// For each row one per class.
    pub scores: Vec<f64>,
}

/// Scores all rows; only labels and scores are kept.
pub fn scored(prediction: &Prediction<'_>) -> Result<Scored> {
    let mut scored = Scored { rows: 0, targets: None, remarks: Remarks::default(), scores: Vec::new() };
    let mut labels: Option<Vec<String>> = None;
    prediction.each(|table, scores| {
        scored.rows += table.rows();
        scored.scores.extend_from_slice(scores);
        remarks::join(&mut scored.remarks, &table.remarks);
        if !matches!(table.targets, Targets::Missing) {
            let some = table.targets.labels()?;
            labels.get_or_insert_default().extend((0..some.len()).map(|row| some.text(row).to_string()));
        }
        Ok(())
    })?;
    scored.targets = labels.map(mercer::data::Labels::from_text);
    Ok(scored)
}

/// A field of a table, quoted where it has to be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

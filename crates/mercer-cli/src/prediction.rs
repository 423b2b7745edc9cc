//! A model at work on a data file: some rows at a time, so that the data may be larger than memory.

use std::path::Path;
use std::sync::Arc;

use mercer::data::{
    Collection, ItemKind, Items, Labels, ReadOptions, Remarks, Schema, StructureTable, Table, Targets,
    Vectors,
};
use mercer::io::{Model, TrainedMachine};
use mercer::{Error, Result};

use crate::arguments::ReadingArguments;
use crate::beside::{Beside, with_probabilities};
use crate::failure::Failure;
use crate::place::Place;
use crate::precomputed::{is_precomputed, rows_for};
use crate::progress::Observer;
use crate::{remarks, source, structures};

/// Numbers that are held at a time, about.
const NUMBERS_AT_ONCE: usize = 1 << 22;

/// Items other than rows that are looked at between two looks at the clock.
const ITEMS_AT_ONCE: usize = 512;

/// Columns of the widest table that is read for a model that has not seen one.
const WIDEST_TABLE: usize = 1 << 20;

/// How rows are read for a model: as those of its training were.
pub fn options_for(saved: &Model, reading: &ReadingArguments) -> ReadOptions {
    let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
    let schema = saved.schema.clone().or_else(|| {
        let card = &saved.card;
        // No table is as wide as sparse rows may be.
        (columns <= WIDEST_TABLE)
            .then(|| Schema::of_numbers(columns, card.feature_names.as_deref(), card.target_name.clone()))
    });
    let mut options = ReadOptions { schema: schema.map(Arc::new), ..reading.options().columns(columns) };
    if is_open(saved) {
        options.max_columns = Some(usize::MAX);
    }
    options
}

/// Where the items come from.
enum Input {
    /// A file of rows, or of kernel values in their place: some are read at a time.
    Rows(Box<ReadOptions>),
    /// Other items, which are read at once.
    Items(Box<StructureTable>),
}

/// A model of any items at work on a data file.
pub struct Prediction<'a> {
    pub model: TrainedMachine,
    beside: Beside,
    saved: &'a Model,
    data: &'a Path,
    input: Input,
    /// An interrupt ends the work between two pieces, so that nothing half done is left behind.
    pub observer: Observer,
}

impl<'a> Prediction<'a> {
    pub fn new(
        saved: &'a Model,
        data: &'a Path,
        reading: &ReadingArguments,
        threads: usize,
    ) -> std::result::Result<Self, Failure> {
        let input = match saved.machine.item_kind() {
            ItemKind::Rows => {
                if !reading.ignore.is_empty() || !reading.words.is_empty() {
                    let what =
                        "--ignore and --words are for training: the model knows which columns it needs"
                            .into();
                    return Err(Failure::Usage(Error::Unsupported { what }));
                }
                Input::Rows(Box::new(options_for(saved, reading)))
            }
            _ => Input::Items(Box::new(structures::new_items(saved, data, reading, None)?)),
        };
        let observer = Observer::new(true, 0.0);
        let model = saved.machine.clone().with_threads(threads);
        Ok(Prediction { model, beside: Beside::Nothing, saved, data, input, observer })
    }

    /// The same with more than the answer.
    pub fn with(self, beside: Beside) -> Self {
        Prediction { beside, ..self }
    }

    /// Numbers that an item gets: a score for each class of a classifier, one number else, and what was asked for beside them.
    pub fn width(&self) -> usize {
        self.beside.width(&self.model)
    }

    /// Calls `visit` with some items and what they get, until there are no more.
    pub fn each(&self, visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>) -> Result<()> {
        match &self.input {
            Input::Rows(options) => self.each_of_rows(options, visit),
            Input::Items(table) => self.each_of_items(table, visit),
        }
    }

    /// An interrupt ends the work.
    fn check_interrupt(&self) -> Result<()> {
        match self.observer.is_interrupted() {
            true => Err(std::io::Error::from(std::io::ErrorKind::Interrupted).into()),
            false => Ok(()),
        }
    }

    /// A model for rows with columns that the training did not have.
    fn widened(&self, table: &mut Table<'_>, columns: usize) -> Result<Option<TrainedMachine>> {
        let Vectors::Sparse(rows) = &table.vectors else { return Ok(None) };
        if !is_open(self.saved) || rows.columns() <= columns {
            return Ok(None);
        }
        let is_beyond = |&row: &usize| rows.row(row).0.last().is_some_and(|&last| last as usize >= columns);
        table.remarks.beyond = (0..rows.rows()).filter(is_beyond).count() as u64;
        let wider =
            self.model.wider(rows.columns()).map_err(|error| error.in_file(source::name(self.data)))?;
        Ok(Some(wider))
    }

    fn each_of_rows(
        &self,
        options: &ReadOptions,
        mut visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>,
    ) -> Result<()> {
        let columns = options.min_columns.max(1);
        let rows = self.beside.at_once((NUMBERS_AT_ONCE / columns).clamp(256, 4096));
        let (scaling, mut before) = (self.saved.scaling.as_ref(), 0);
        for chunk in source::chunks(self.data, options, rows)? {
            self.check_interrupt()?;
            let mut table = rows_for(self.saved, chunk?, &source::name(self.data))?;
            let wider = self.widened(&mut table, options.min_columns)?;
            let place = Place { data: self.data, options, written: &table.vectors, scaling, before };
            let named = |error| place.name(error).in_file(source::name(self.data));
            let items = Collection::from(&table.vectors);
            // What has no scaling is taken as it is, and may be wider than the saved model.
            let prepared = scaling.map(|_| self.saved.prepare(&items)).transpose().map_err(named)?;
            let items = prepared.as_deref().unwrap_or(&items);
            let scores = self.scores(wider.as_ref().unwrap_or(&self.model), items).map_err(named)?;
            visit(&table, &scores)?;
            before += table.rows();
        }
        Ok(())
    }

    fn each_of_items(
        &self,
        table: &StructureTable,
        mut visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>,
    ) -> Result<()> {
        let n = table.items.len();
        let at_once = self.beside.at_once(ITEMS_AT_ONCE);
        for start in (0..n).step_by(at_once) {
            self.check_interrupt()?;
            let rows = start..n.min(start + at_once);
            let items = table.items.select(&rows.clone().collect::<Vec<_>>());
            let scores = self.scores(&self.model, &items).map_err(|error| match error {
                Error::Item { index, source } => Error::Item { index: index + start, source },
                error => error,
            });
            let scores = scores.map_err(|error| error.in_file(self.data))?;
            // Whoever counts rows and compares targets needs no columns.
            let nothing = Vectors::from_rows(&vec![[0.0; 0]; rows.len()])?;
            visit(&Table::new(nothing, targets_of(&table.targets, rows)?)?, &scores)?;
        }
        Ok(())
    }

    fn scores(&self, model: &TrainedMachine, items: &Collection<'_>) -> Result<Vec<f64>> {
        match model {
            TrainedMachine::Svc(model) if self.beside == Beside::Probabilities => {
                model.decision_values(items).and_then(|decisions| with_probabilities(model, &decisions))
            }
            TrainedMachine::Svc(model) => model.scores(items),
            TrainedMachine::Classes(model) => model.scores(items),
            TrainedMachine::Svr(model) => model.predict(items),
            TrainedMachine::Novelty(model) => model.scores(items),
            TrainedMachine::Linear(model) => model.scores(items.rows()?),
            TrainedMachine::LinearRegression(model) => model.predict(items.rows()?),
            TrainedMachine::Matrix(model) => self.beside.values(model, items),
        }
    }
}

/// The targets at some places, all of them there.
fn targets_of(targets: &Targets, rows: std::ops::Range<usize>) -> Result<Targets> {
    Ok(match targets {
        Targets::Numbers(numbers) => Targets::Numbers(numbers[rows].to_vec()),
        Targets::Words(labels) => {
            Targets::Words(Labels::from_text(rows.map(|row| labels.text(row).to_string())))
        }
        Targets::Missing => Targets::Missing,
    })
}

/// Whether rows may have more columns than the training had: sparse rows as they are, whose support vectors have zeros there.
fn is_open(saved: &Model) -> bool {
    let is_matrix = matches!(saved.machine, TrainedMachine::Matrix(_));
    saved.scaling.is_none() && saved.schema.is_none() && !is_precomputed(saved) && !is_matrix
}

/// A whole file, and what a model says about it.
pub struct Scored {
    pub rows: usize,
    pub targets: Targets,
    pub remarks: Remarks,
    /// For each row a score per class of a classifier, one number else.
    pub scores: Vec<f64>,
}

/// Scores all rows; only targets and scores are kept.
pub fn scored(prediction: &Prediction<'_>) -> Result<Scored> {
    let (mut rows, mut remarks, mut scores) = (0, Remarks::default(), Vec::new());
    let (mut labels, mut numbers): (Vec<String>, Vec<f64>) = Default::default();
    let mut words = false;
    prediction.each(|table, more| {
        rows += table.rows();
        scores.extend_from_slice(more);
        remarks::join(&mut remarks, &table.remarks);
        // Some rows may have words where others have numbers.
        match &table.targets {
            Targets::Numbers(some) if !words => numbers.extend(some),
            Targets::Missing => {}
            some => {
                words = true;
                labels.extend(texts(&Labels::from_numbers(&std::mem::take(&mut numbers))?));
                labels.extend(texts(&some.labels()?));
            }
        }
        Ok(())
    })?;
    let targets = match (words, numbers.is_empty()) {
        (true, _) => Targets::Words(Labels::from_text(labels)),
        (false, false) => Targets::Numbers(numbers),
        (false, true) => Targets::Missing,
    };
    Ok(Scored { rows, targets, remarks, scores })
}

fn texts(labels: &Labels) -> Vec<String> {
    (0..labels.len()).map(|row| labels.text(row).to_string()).collect()
}

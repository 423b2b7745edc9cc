//! A model at work on a data file: some rows at a time, so that the data may be larger than memory.

use std::path::Path;
use std::sync::Arc;

use mercer::data::{Labels, ReadOptions, Remarks, Schema, Table, Targets, Vectors};
use mercer::gram::WithLayout;
use mercer::io::{Model, TrainedMachine};
use mercer::kernel::Expression;
use mercer::{Error, Result};

use crate::arguments::ReadingArguments;
use crate::beside::{Beside, with_probabilities};
use crate::failure::Failure;
use crate::place::Place;
use crate::precomputed::{is_precomputed, rows_for};
use crate::progress::Observer;
use crate::{remarks, source};

/// Numbers that are held at a time, about.
const NUMBERS_AT_ONCE: usize = 1 << 22;

/// Columns of the widest table that is read for a model that has not seen one.
const WIDEST_TABLE: usize = 1 << 20;

/// A model of any items at work on a data file.
pub trait Predicting {
    /// Its kernel, and what it compares.
    type Kernel: WithLayout;
    type Items;

    fn model(&self) -> &TrainedMachine<Self::Kernel, Self::Items>;

    fn observer(&self) -> &Observer;

    /// Numbers that a row gets: a score for each class of a classifier, one number else, and what was asked for beside them.
    fn width(&self) -> usize;

    /// Calls `visit` with some rows and what they get, until there are no more.
    fn each(&self, visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>) -> Result<()>;
}

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

/// A model at work on a file of rows.
pub struct Prediction<'a> {
    pub model: TrainedMachine,
    beside: Beside,
    saved: &'a Model,
    data: &'a Path,
    options: ReadOptions,
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
        if !reading.ignore.is_empty() || !reading.words.is_empty() {
            let what = "--ignore and --words are for training: the model knows which columns it needs".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        let options = options_for(saved, reading);
        let observer = Observer::new(true, 0.0);
        let model = saved.machine.clone().with_threads(threads);
        Ok(Prediction { model, beside: Beside::Nothing, saved, data, options, observer })
    }

    /// The same with more than the answer.
    pub fn with(self, beside: Beside) -> Self {
        Prediction { beside, ..self }
    }

    /// A model for rows with columns that the training did not have.
    fn widened(&self, table: &mut Table<'_>) -> Result<Option<TrainedMachine>> {
        let Vectors::Sparse(rows) = &table.vectors else { return Ok(None) };
        let columns = self.options.min_columns;
        if !is_open(self.saved) || rows.columns() <= columns {
            return Ok(None);
        }
        let is_beyond = |&row: &usize| rows.row(row).0.last().is_some_and(|&last| last as usize >= columns);
        table.remarks.beyond = (0..rows.rows()).filter(is_beyond).count() as u64;
        let wider =
            self.model.wider(rows.columns()).map_err(|error| error.in_file(source::name(self.data)))?;
        Ok(Some(wider))
    }

    /// Scores of rows before which so many stand in the file.
    fn scores(&self, model: &TrainedMachine, table: &Table<'_>, before: usize) -> Result<Vec<f64>> {
        let scaling = self.saved.scaling.as_ref();
        let place =
            Place { data: self.data, options: &self.options, written: &table.vectors, scaling, before };
        let named = |error| place.name(error).in_file(source::name(self.data));
        // What has no scaling is taken as it is, and may be wider than the saved model.
        let prepared = scaling.map(|_| self.saved.prepare(&table.vectors)).transpose().map_err(named)?;
        let rows = prepared.as_ref().unwrap_or(&table.vectors);
        match model {
            TrainedMachine::Svc(model) if self.beside == Beside::Probabilities => {
                model.decision_values(rows).and_then(|decisions| with_probabilities(model, &decisions))
            }
            TrainedMachine::Svc(model) => model.scores(rows),
            TrainedMachine::Classes(model) => model.scores(rows),
            TrainedMachine::Svr(model) => model.predict(rows),
            TrainedMachine::Novelty(model) => model.scores(rows),
            TrainedMachine::Linear(model) => model.scores(rows),
            TrainedMachine::LinearRegression(model) => model.predict(rows),
            TrainedMachine::Matrix(model) => self.beside.values(model, rows),
        }
        .map_err(named)
    }
}

impl Predicting for Prediction<'_> {
    type Kernel = Expression;
    type Items = Vectors<'static>;

    fn model(&self) -> &TrainedMachine {
        &self.model
    }

    fn observer(&self) -> &Observer {
        &self.observer
    }

    fn width(&self) -> usize {
        self.beside.width(&self.model)
    }

    fn each(&self, mut visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>) -> Result<()> {
        let columns = self.options.min_columns.max(1);
        let rows = self.beside.at_once((NUMBERS_AT_ONCE / columns).clamp(256, 4096));
        let mut before = 0;
        for chunk in source::chunks(self.data, &self.options, rows)? {
            if self.observer.is_interrupted() {
                return Err(std::io::Error::from(std::io::ErrorKind::Interrupted).into());
            }
            let mut table = rows_for(self.saved, chunk?, &source::name(self.data))?;
            let wider = self.widened(&mut table)?;
            let scores = self.scores(wider.as_ref().unwrap_or(&self.model), &table, before)?;
            visit(&table, &scores)?;
            before += table.rows();
        }
        Ok(())
    }
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
pub fn scored(prediction: &impl Predicting) -> Result<Scored> {
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

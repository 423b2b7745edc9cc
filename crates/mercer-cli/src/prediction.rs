//! A model at work on a data file: some rows at a time, so that the data may be larger than memory.

use std::path::Path;
use std::sync::Arc;

use mercer::data::{Labels, ReadOptions, Remarks, Schema, Table, Targets, Vectors};
use mercer::gram::WithLayout;
use mercer::io::{AnyModel, MatrixModel, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::SvcModel;
use mercer::{Error, Result};

use crate::arguments::ReadingArguments;
use crate::failure::Failure;
use crate::place::Place;
use crate::precomputed::{is_precomputed, rows_for};
use crate::progress::Observer;
use crate::{model, remarks, source};

/// Numbers that are held at a time, about.
const NUMBERS_AT_ONCE: usize = 1 << 22;

/// Columns of the widest table that is read for a model that has not seen one.
const WIDEST_TABLE: usize = 1 << 20;

/// A model of any items at work on a data file.
pub trait Predicting {
    /// Its kernel, and what it compares.
    type Kernel: WithLayout;
    type Items;

    fn model(&self) -> &AnyModel<Self::Kernel, Self::Items>;

    fn observer(&self) -> &Observer;

    /// What a row gets: a score for each class of a classifier, and then their probabilities if it was asked for them;
    /// one number else.
    fn width(&self) -> usize;

    /// Calls `visit` with some rows and what they get, until there are no more.
    fn each(&self, visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>) -> Result<()>;
}

/// Numbers that a row gets from a model.
pub fn width_of<K: WithLayout, I>(model: &AnyModel<K, I>, probabilities: bool) -> usize {
    match model {
        AnyModel::Svc(model) if probabilities => 2 * model.classes().len(),
        AnyModel::Svc(model) => model.classes().len(),
        AnyModel::Classes(model) => model.classes().len(),
        AnyModel::Linear(model) => model.classes().len(),
        AnyModel::Svr(_) | AnyModel::Novelty(_) | AnyModel::LinearRegression(_) => 1,
        AnyModel::Matrix(model) => model.width(),
    }
}

/// Refuses to give probabilities that a model does not have.
pub fn check_probabilities<K: WithLayout, I>(model: &AnyModel<K, I>) -> std::result::Result<(), Failure> {
    let what = match model {
        AnyModel::Svc(model) if model.pairs().calibration.is_some() => return Ok(()),
        AnyModel::Svr(_) | AnyModel::Novelty(_) => {
            let what = format!("--probabilities does not go with a {}", model::kind(model));
            return Err(Failure::Usage(Error::Unsupported { what: what + ": it is for classifiers" }));
        }
        AnyModel::Matrix(MatrixModel::Laplace(_)) => {
            "the scores of a Gaussian process classifier are its probabilities: --scores writes them"
        }
        AnyModel::Matrix(_) => {
            let what = format!("--probabilities does not go with a {}", model::kind(model));
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        _ => "the model has no probabilities: mercer train --probabilities makes one that has",
    };
    Err(Error::Unsupported { what: what.into() }.into())
}

/// Scores of items and their probabilities, side by side.
pub fn with_probabilities<K: WithLayout, I>(model: &SvcModel<K, I>, decisions: &[f64]) -> Result<Vec<f64>> {
    let k = model.classes().len();
    let (scores, p) = (model.pairs().scores(decisions), model.pairs().probabilities(decisions)?);
    Ok(scores.chunks_exact(k).zip(p.chunks_exact(k)).flat_map(|(s, p)| [s, p].concat()).collect())
}

/// How rows are read for a model: as those of its training were.
pub fn options_for(saved: &SavedModel, reading: &ReadingArguments) -> ReadOptions {
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
    pub model: AnyModel,
    /// Whether rows get probabilities too.
    probabilities: bool,
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
        let options = options_for(saved, reading);
        let observer = Observer::new(true, 0.0);
        let model = saved.model.clone().with_threads(threads);
        Ok(Prediction { model, probabilities: false, saved, data, options, observer })
    }

    /// The same with probabilities.
    pub fn with_probabilities(mut self) -> std::result::Result<Self, Failure> {
        check_probabilities(&self.model)?;
        self.probabilities = true;
        Ok(self)
    }

    /// A model for rows with columns that the training did not have.
    fn widened(&self, table: &mut Table<'_>) -> Result<Option<AnyModel>> {
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
    fn scores(&self, model: &AnyModel, table: &Table<'_>, before: usize) -> Result<Vec<f64>> {
        let scaling = self.saved.scaling.as_ref();
        let place =
            Place { data: self.data, options: &self.options, written: &table.vectors, scaling, before };
        let named = |error| place.name(error).in_file(source::name(self.data));
        // What has no scaling is taken as it is, and may be wider than the saved model.
        let prepared = scaling.map(|_| self.saved.prepare(&table.vectors)).transpose().map_err(named)?;
        let rows = prepared.as_ref().unwrap_or(&table.vectors);
        match model {
            AnyModel::Svc(model) if self.probabilities => {
                model.decision_values(rows).and_then(|decisions| with_probabilities(model, &decisions))
            }
            AnyModel::Svc(model) => model.scores(rows),
            AnyModel::Classes(model) => model.scores(rows),
            AnyModel::Svr(model) => model.predict(rows),
            AnyModel::Novelty(model) => model.scores(rows),
            AnyModel::Linear(model) => model.scores(rows),
            AnyModel::LinearRegression(model) => model.predict(rows),
            AnyModel::Matrix(model) => model.values(rows),
        }
        .map_err(named)
    }
}

impl Predicting for Prediction<'_> {
    type Kernel = Expression;
    type Items = Vectors<'static>;

    fn model(&self) -> &AnyModel {
        &self.model
    }

    fn observer(&self) -> &Observer {
        &self.observer
    }

    fn width(&self) -> usize {
        width_of(&self.model, self.probabilities)
    }

    fn each(&self, mut visit: impl FnMut(&Table<'_>, &[f64]) -> Result<()>) -> Result<()> {
        let columns = self.options.min_columns.max(1);
        let rows = (NUMBERS_AT_ONCE / columns).clamp(256, 4096);
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
fn is_open(saved: &SavedModel) -> bool {
    let is_matrix = matches!(saved.model, AnyModel::Matrix(_));
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

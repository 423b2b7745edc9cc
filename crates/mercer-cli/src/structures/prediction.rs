//! A model of structured items at work on a file.

use std::path::Path;

use mercer::data::{Collection, Items, StructureTable, Table, Vectors};
use mercer::gram::CollectionKernel;
use mercer::io::{Model, TrainedMachine};
use mercer::{Error, Result};

use super::{new_items, targets_of};
use crate::arguments::ReadingArguments;
use crate::beside::{Beside, with_probabilities};
use crate::failure::Failure;
use crate::prediction::Predicting;
use crate::progress::Observer;

/// Items that are looked at between two looks at the clock.
const AT_ONCE: usize = 512;

/// A model of structured items at work on a data file.
pub struct Prediction<'a> {
    model: TrainedMachine,
    beside: Beside,
    data: &'a Path,
    table: StructureTable,
    observer: Observer,
}

impl<'a> Prediction<'a> {
    pub fn new(
        saved: Model,
        data: &'a Path,
        reading: &ReadingArguments,
        threads: usize,
        beside: Beside,
    ) -> std::result::Result<Self, Failure> {
        let table = new_items(&saved, data, reading, None)?;
        let (model, observer) = (saved.machine.with_threads(threads), Observer::new(true, 0.0));
        Ok(Prediction { model, beside, data, table, observer })
    }

    fn scores(&self, items: &Collection) -> Result<Vec<f64>> {
        match &self.model {
            TrainedMachine::Svc(model) if self.beside == Beside::Probabilities => {
                model.decision_values(items).and_then(|decisions| with_probabilities(model, &decisions))
            }
            TrainedMachine::Svc(model) => model.scores(items),
            TrainedMachine::Classes(model) => model.scores(items),
            TrainedMachine::Svr(model) => model.predict(items),
            TrainedMachine::Novelty(model) => model.scores(items),
            TrainedMachine::Matrix(model) => self.beside.values(model, items),
            TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) => {
                Err(Error::Unsupported { what: "a linear machine has no kernel".into() })
            }
        }
    }
}

impl Predicting for Prediction<'_> {
    type Kernel = CollectionKernel;
    type Items = Collection;

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
        let n = self.table.items.len();
        let at_once = self.beside.at_once(AT_ONCE);
        for start in (0..n).step_by(at_once) {
            if self.observer.is_interrupted() {
                return Err(std::io::Error::from(std::io::ErrorKind::Interrupted).into());
            }
            let rows = start..n.min(start + at_once);
            let items = self.table.items.select(&rows.clone().collect::<Vec<_>>());
            let scores = self.scores(&items).map_err(|error| match error {
                Error::Item { index, source } => Error::Item { index: index + start, source },
                error => error,
            });
            let scores = scores.map_err(|error| error.in_file(self.data))?;
            // Whoever counts rows and compares targets needs no columns.
            let nothing = Vectors::from_rows(&vec![[0.0; 0]; rows.len()])?;
            visit(&Table::new(nothing, targets_of(&self.table.targets, rows)?)?, &scores)?;
        }
        Ok(())
    }
}

//! `mercer predict --pre-images`: rows that lie where the principal components of others say.

use std::io::Write;
use std::path::Path;

use mercer::data::{Collection, Dense, Items, Vectors, write_atomically};
use mercer::io::{MatrixModel, Model, TrainedMachine};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{KernelPcaModel, PreImages};
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::PredictArguments;
use crate::failure::Failure;
use crate::model;
use crate::precomputed::is_precomputed;
use crate::prediction::Prediction;
use crate::print::{note, to_stdout};

/// λ of the regression from components to rows.
const LAMBDA: f64 = 1e-3;
/// Most steps of the iteration for a row.
const STEPS: usize = 200;

/// How rows are found: for the Gaussian kernel by iteration from where a row is, for any other by a regression from components to rows.
struct Way<'a> {
    model: &'a KernelPcaModel<Expression, Vectors<'static>>,
    regression: Option<PreImages>,
}

impl Way<'_> {
    fn rows(&self, rows: &Vectors<'_>) -> Result<Matrix> {
        match &self.regression {
            None => self.model.denoise(rows, STEPS),
            Some(regression) => regression.rows(&self.model.transform(rows)?),
        }
    }
}

pub fn run(
    arguments: &PredictArguments,
    saved: &Model,
    file: Option<&Path>,
    json: bool,
) -> std::result::Result<(), Failure> {
    let usage = |what: String| Failure::Usage(Error::Unsupported { what });
    let model = match &saved.machine {
        TrainedMachine::Matrix(MatrixModel::Pca(model)) if !is_precomputed(saved) => model,
        other => {
            let what = format!("--pre-images does not go with {}", model::a_kind(other));
            return Err(usage(what + ": it is for principal components of rows of numbers"));
        }
    };
    let (data, reading) = (&arguments.data.data, &arguments.data.reading);
    let prediction = Prediction::new(saved, data, reading, arguments.threads)?;
    let model: KernelPcaModel<Expression, Vectors<'static>> = model.clone().try_into()?;
    let is_gaussian = matches!(&model.kept().kernel, Expression::Gaussian(_));
    let regression = match is_gaussian {
        true => None,
        false => Some(model.learn_pre_images(LAMBDA)?),
    };
    let way = Way { model: &model, regression };
    note(match is_gaussian {
        true => "rows are found by iteration from where they are",
        false => "rows are found by a regression from the components of the training rows to these",
    });
    let columns = model.kept().items.columns();
    let names: Vec<String> = match &saved.card.feature_names {
        Some(names) if names.len() == columns => names.clone(),
        _ => (1..=columns).map(|column| format!("column {column}")).collect(),
    };
    let all = |out: &mut dyn Write| -> Result<()> {
        match json {
            true => write!(out, "{{\"columns\": {},\n\"rows\": [", json!(names))?,
            false => writeln!(out, "{}", names.join(","))?,
        }
        let mut first = true;
        prediction.each(|table, _| {
            let items = Collection::from(&table.vectors);
            let found = way.rows(saved.prepare(&items)?.rows()?)?;
            let found = Vectors::from(Dense::new(found.values().to_vec(), found.rows(), columns)?);
            let found = match &saved.scaling {
                Some(scaling) => scaling.undo(&found)?,
                None => found,
            };
            for i in 0..found.len() {
                let row = found.get(i).to_dense(columns);
                let comma = if std::mem::take(&mut first) { "" } else { "," };
                match json {
                    true => write!(out, "{comma}\n{}", json!(row))?,
                    false => {
                        let fields: Vec<String> = row.iter().map(f64::to_string).collect();
                        writeln!(out, "{}", fields.join(","))?;
                    }
                }
            }
            Ok(())
        })?;
        if json {
            writeln!(out, "\n]}}")?;
        }
        Ok(())
    };
    match file {
        Some(path) => write_atomically(path, |out| all(out))?,
        None => to_stdout(all)?,
    }
    Ok(())
}

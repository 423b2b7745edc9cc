//! Linear machines as documents.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, required, wrong};
use super::svc::check_names;
use crate::error::Result;
use crate::machine::{
    LinearFunctions, LinearModel, LinearObjective, LinearSvrModel, MarginSample, Report, ResidualSample,
    TubeLoss,
};

/// The kinds of machine, as they stand in the header.
pub(super) const CLASSES: &str = "linear_svc";
pub(super) const NUMBERS: &str = "linear_svr";

#[derive(Serialize, Deserialize)]
struct Classifier {
    columns: usize,
    objective: LinearObjective,
    classes: Vec<String>,
    reports: Vec<Report>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    samples: Vec<MarginSample>,
}

#[derive(Serialize, Deserialize)]
struct Regression {
    columns: usize,
    loss: TubeLoss,
    #[serde(deserialize_with = "required")]
    report: Option<Report>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sample: Option<ResidualSample>,
}

/// Kind of machine, header and arrays of a classifier.
pub(super) fn store_classes(model: &LinearModel) -> (String, Value, Vec<(String, Numbers)>) {
    let header = Classifier {
        columns: model.functions().columns,
        objective: model.objective(),
        classes: model.classes().to_vec(),
        reports: model.reports().to_vec(),
        samples: model.samples().to_vec(),
    };
    (CLASSES.to_string(), plain(header), arrays(model.functions()))
}

/// Kind of machine, header and arrays of a regression.
pub(super) fn store_numbers(model: &LinearSvrModel) -> (String, Value, Vec<(String, Numbers)>) {
    let header = Regression {
        columns: model.functions().columns,
        loss: model.loss(),
        report: model.report().cloned(),
        sample: model.sample().cloned(),
    };
    (NUMBERS.to_string(), plain(header), arrays(model.functions()))
}

/// The classifier that a document holds.
pub(super) fn load_classes(header: Value, document: &mut Document) -> Result<LinearModel> {
    let Classifier { columns, objective, classes, reports, samples } = read(header)?;
    check_names(&classes)?;
    let model = LinearModel::from_parts(classes, objective, functions(columns, document)?, reports)?;
    Ok(model.with_samples(samples))
}

/// The regression that a document holds.
pub(super) fn load_numbers(header: Value, document: &mut Document) -> Result<LinearSvrModel> {
    let Regression { columns, loss, report, sample } = read(header)?;
    Ok(LinearSvrModel::from_parts(loss, functions(columns, document)?, report)?.with_sample(sample))
}

fn plain(header: impl Serialize) -> Value {
    serde_json::to_value(header).expect("a header of plain values")
}

fn read<T: DeserializeOwned>(header: Value) -> Result<T> {
    serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))
}

fn arrays(functions: &LinearFunctions) -> Vec<(String, Numbers)> {
    vec![
        ("weights".to_string(), Numbers::F64(functions.weights.clone())),
        ("intercepts".to_string(), Numbers::F64(functions.intercepts.clone())),
    ]
}

fn functions(columns: usize, document: &mut Document) -> Result<LinearFunctions> {
    let weights = document.take_f64("weights")?;
    Ok(LinearFunctions { columns, weights, intercepts: document.take_f64("intercepts")? })
}

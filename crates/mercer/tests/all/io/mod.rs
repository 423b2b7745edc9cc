//! Model files: what is loaded predicts what was saved, and nothing hostile gets through.

mod checksum;
mod class_model;
mod compressed;
mod expansions;
mod golden;
mod hostile;
mod libsvm_model;
mod linear;
mod matrix;
mod online;
mod round_trip;
mod structures;

use mercer::data::{Items, Labels, Scaling, ScalingKind, Vectors};
use mercer::io::{AnyModel, ModelCard, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcModel};

/// A trained model with everything that belongs to it.
pub fn trained(
    kernel: &str,
    rows: &Vectors<'_>,
    labels: &Labels,
    scaling: Option<ScalingKind>,
) -> SavedModel {
    let scaling = scaling.map(|kind| Scaling::fit(kind, rows).unwrap());
    let scaled = match &scaling {
        Some(scaling) => scaling.apply(rows).unwrap(),
        None => rows.select(&(0..rows.len()).collect::<Vec<_>>()),
    };
    let machine = Svc::params(kernel.parse::<Expression>().unwrap()).cost(3.0).check().unwrap();
    let model = machine.fit(&scaled, labels).unwrap();
    let mut card = ModelCard::of(rows);
    card.feature_names = Some((0..rows.columns()).map(|k| format!("column {k}")).collect());
    SavedModel::new(AnyModel::Svc(model), scaling, card)
}

pub fn classifier(saved: &SavedModel) -> &SvcModel<Expression, Vectors<'static>> {
    saved.model.classifier().unwrap()
}

/// Decision values on raw rows.
pub fn decisions(saved: &SavedModel, rows: &Vectors<'_>) -> Vec<f64> {
    classifier(saved).decision_values(&saved.prepare(rows).unwrap()).unwrap()
}

//! Model files: what is loaded predicts what was saved, and nothing hostile gets through.

mod checksum;
mod class_model;
mod compressed;
mod earlier;
mod expansions;
mod golden;
mod hostile;
mod libsvm_model;
mod linear;
mod matrix;
mod online;
mod round_trip;
mod structures;
mod typed;
mod wrong_kind;

use mercer::data::{Collection, Items, Labels, Scaling, ScalingKind, Vectors};
use mercer::gram::CollectionKernel;
use mercer::io::{Model, ModelCard};
use mercer::kernel::Expression;
use mercer::machine::{Svc, SvcModel};

/// A trained model with everything that belongs to it.
pub fn trained(kernel: &str, rows: &Vectors<'_>, labels: &Labels, scaling: Option<ScalingKind>) -> Model {
    let scaling = scaling.map(|kind| Scaling::fit(kind, rows).unwrap());
    let scaled = match &scaling {
        Some(scaling) => scaling.apply(rows).unwrap(),
        None => rows.select(&(0..rows.len()).collect::<Vec<_>>()),
    };
    let machine = Svc::params(kernel.parse::<Expression>().unwrap()).cost(3.0).check().unwrap();
    let model = machine.fit(&scaled, labels).unwrap();
    let mut card = ModelCard::of(rows);
    card.feature_names = Some((0..rows.columns()).map(|k| format!("column {k}")).collect());
    Model::new(model, scaling, card)
}

pub fn classifier(saved: &Model) -> &SvcModel<CollectionKernel, Collection<'static>> {
    saved.machine.classifier().unwrap()
}

/// Decision values on raw rows.
pub fn decisions(saved: &Model, rows: &Vectors<'_>) -> Vec<f64> {
    classifier(saved).decision_values(&saved.prepare(&rows.into()).unwrap()).unwrap()
}

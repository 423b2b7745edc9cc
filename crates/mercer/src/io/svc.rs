//! The support vector classifier as a document.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, wrong};
use super::vectors::{self, VectorsHeader};
use crate::data::Vectors;
use crate::error::Result;
use crate::gram::{Precision, VectorLayout};
use crate::kernel::Expression;
use crate::machine::{PairMachines, PairReport, SvcModel};

/// The kind of machine, as it stands in the header.
pub(super) const NAME: &str = "svc";

#[derive(Serialize, Deserialize)]
struct Header {
    kernel: String,
    /// Reference rows of `centre(…)`, in the order in which they stand in the kernel.
    references: Vec<VectorsHeader>,
    precision: StoredPrecision,
    layout: VectorLayout,
    items: VectorsHeader,
    classes: Vec<String>,
    reports: Vec<PairReport>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredPrecision {
    F32,
    F64,
}

/// Kind of machine, header and arrays.
pub(super) fn store(
    model: &SvcModel<Expression, Vectors<'static>>,
) -> (String, Value, Vec<(String, Numbers)>) {
    let pairwise = model.pairs();
    let positions = |values: &[usize]| Numbers::U64(values.iter().map(|&v| v as u64).collect());
    let mut arrays = vec![
        ("support".to_string(), positions(&pairwise.support)),
        ("starts".to_string(), positions(&pairwise.starts)),
        ("coefficients".to_string(), Numbers::F64(pairwise.coefficients.clone())),
        ("offsets".to_string(), Numbers::F64(pairwise.offsets.clone())),
    ];
    let items = vectors::store(model.support_items(), "items", &mut arrays);
    let references = model.kernel().references();
    let references = references
        .iter()
        .flatten()
        .enumerate()
        .map(|(at, rows)| vectors::store(rows, &format!("reference.{at}"), &mut arrays))
        .collect();
    let header = Header {
        kernel: model.kernel().to_string(),
        references,
        precision: match model.precision() {
            Precision::F32 => StoredPrecision::F32,
            _ => StoredPrecision::F64,
        },
        layout: model.layout().clone(),
        items,
        classes: pairwise.classes.clone(),
        reports: pairwise.reports.clone(),
    };
    (NAME.to_string(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

/// The model that a document holds.
pub(super) fn load(header: Value, document: &mut Document) -> Result<SvcModel<Expression, Vectors<'static>>> {
    let header: Header =
        serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))?;
    let kernel: Expression = header.kernel.parse()?;
    let mut references = Vec::new();
    for (at, reference) in header.references.iter().enumerate() {
        references.push(Some(Arc::new(vectors::load(reference, &format!("reference.{at}"), document)?)));
    }
    let kernel = kernel.with_references(references)?;
    if !kernel.is_resolved() {
        return Err(wrong(format!("the kernel {kernel} has parameters that only training can fill in")));
    }
    let items = vectors::load(&header.items, "items", document)?;
    let pairwise = PairMachines {
        classes: header.classes,
        support: document.take_positions("support")?,
        starts: document.take_positions("starts")?,
        coefficients: document.take_f64("coefficients")?,
        offsets: document.take_f64("offsets")?,
        reports: header.reports,
    };
    pairwise.check(&items)?;
    let mut names: Vec<&String> = pairwise.classes.iter().collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(wrong(format!("the class {:?} stands twice", pair[0])));
    }
    if header.layout.columns() != items.columns() {
        return Err(wrong(format!(
            "a layout of {} columns for items of {}",
            header.layout.columns(),
            items.columns()
        )));
    }
    kernel.check(&items)?;
    let precision = match header.precision {
        StoredPrecision::F32 => Precision::F32,
        StoredPrecision::F64 => Precision::F64,
    };
    Ok(SvcModel::from_parts(kernel, header.layout, precision, items, pairwise))
}

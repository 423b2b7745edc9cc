//! Classifiers with one function per class as documents.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, wrong};
use super::kept::Stored;
use super::svc::check_names;
use crate::error::Result;
use crate::machine::{ClassFunctions, ClassModel, Multiclass, Report};

/// The kind of machine, as it stands in the header.
pub(super) const NAME: &str = "classes";

#[derive(Serialize, Deserialize)]
struct Header<H> {
    #[serde(flatten)]
    kept: H,
    /// How it was learned.
    multiclass: Multiclass,
    classes: Vec<String>,
    reports: Vec<Report>,
}

/// Kind of machine, header and arrays.
pub(super) fn store<K: Stored>(model: &ClassModel<K, K::Kept>) -> (String, Value, Vec<(String, Numbers)>) {
    let functions = model.functions();
    let mut arrays = vec![
        ("support".to_string(), Numbers::U64(functions.support.iter().map(|&v| v as u64).collect())),
        ("coefficients".to_string(), Numbers::F64(functions.coefficients.clone())),
        ("offsets".to_string(), Numbers::F64(functions.offsets.clone())),
    ];
    let header = Header {
        kept: K::store(model.kept(), &mut arrays),
        multiclass: model.machine(),
        classes: functions.classes.clone(),
        reports: model.reports().to_vec(),
    };
    (NAME.to_string(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

/// The model that a document holds.
pub(super) fn load<K: Stored>(header: Value, document: &mut Document) -> Result<ClassModel<K, K::Kept>> {
    let header: Header<K::Header> =
        serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))?;
    let kept = K::load(header.kept, document)?;
    let functions = ClassFunctions {
        classes: header.classes,
        support: document.take_positions("support")?,
        coefficients: document.take_f64("coefficients")?,
        offsets: document.take_f64("offsets")?,
    };
    functions.check(&kept.items)?;
    check_names(&functions.classes)?;
    Ok(ClassModel::from_parts(kept, header.multiclass, functions, header.reports))
}

//! Classifiers with one function per class as documents.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, wrong};
use super::kept::{self, KeptHeader};
use super::svc::check_names;
use crate::data::Collection;
use crate::error::Result;
use crate::gram::CollectionKernel;
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
pub(super) fn store(
    model: &ClassModel<CollectionKernel, Collection<'static>>,
) -> (String, Value, Vec<(String, Numbers)>) {
    let functions = model.functions();
    let mut arrays = vec![
        ("support".to_string(), Numbers::U64(functions.support.iter().map(|&v| v as u64).collect())),
        ("coefficients".to_string(), Numbers::F64(functions.coefficients.clone())),
        ("offsets".to_string(), Numbers::F64(functions.offsets.clone())),
    ];
    let header = Header {
        kept: kept::store(model.kept(), &mut arrays),
        multiclass: model.machine(),
        classes: functions.classes.clone(),
        reports: model.reports().to_vec(),
    };
    (NAME.to_string(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

/// The model that a document holds.
pub(super) fn load(
    header: Value,
    document: &mut Document,
) -> Result<ClassModel<CollectionKernel, Collection<'static>>> {
    let header: Header<KeptHeader> =
        serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))?;
    let kept = kept::load(header.kept, document)?;
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

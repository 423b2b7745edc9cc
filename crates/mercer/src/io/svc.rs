//! The support vector classifier as a document.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, wrong};
use super::kept::{self, KeptHeader};
use crate::data::Collection;
use crate::error::Result;
use crate::gram::CollectionKernel;
use crate::machine::probability::Calibration;
use crate::machine::{Decision, PairMachines, PairReport, SvcModel};

/// The kind of machine, as it stands in the header.
pub(super) const NAME: &str = "svc";
/// The member that says how the pairs decide.
pub(super) const DECISION: &str = "decision";

#[derive(Serialize, Deserialize)]
struct Header<H> {
    #[serde(flatten)]
    kept: H,
    classes: Vec<String>,
    /// First versions leave it out.
    #[serde(default)]
    decision: Decision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calibration: Option<Calibration>,
    reports: Vec<PairReport>,
}

/// Kind of machine, header and arrays.
pub(super) fn store(
    model: &SvcModel<CollectionKernel, Collection<'static>>,
) -> (String, Value, Vec<(String, Numbers)>) {
    let pairwise = model.pairs();
    let positions = |values: &[usize]| Numbers::U64(values.iter().map(|&v| v as u64).collect());
    let mut arrays = vec![
        ("support".to_string(), positions(&pairwise.support)),
        ("starts".to_string(), positions(&pairwise.starts)),
        ("coefficients".to_string(), Numbers::F64(pairwise.coefficients.clone())),
        ("offsets".to_string(), Numbers::F64(pairwise.offsets.clone())),
    ];
    let header = Header {
        kept: kept::store(model.kept(), &mut arrays),
        classes: pairwise.classes.clone(),
        decision: pairwise.decision,
        calibration: pairwise.calibration.clone(),
        reports: pairwise.reports.clone(),
    };
    (NAME.to_string(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

/// The model that a document holds.
pub(super) fn load(
    header: Value,
    document: &mut Document,
) -> Result<SvcModel<CollectionKernel, Collection<'static>>> {
    let header: Header<KeptHeader> =
        serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))?;
    let kept = kept::load(header.kept, document)?;
    let pairwise = PairMachines {
        classes: header.classes,
        support: document.take_positions("support")?,
        starts: document.take_positions("starts")?,
        coefficients: document.take_f64("coefficients")?,
        offsets: document.take_f64("offsets")?,
        decision: header.decision,
        calibration: header.calibration,
        reports: header.reports,
    };
    pairwise.check(&kept.items)?;
    check_names(&pairwise.classes)?;
    Ok(SvcModel::from_parts(kept, pairwise))
}

/// Refuses a class that stands twice.
pub(super) fn check_names(classes: &[String]) -> Result<()> {
    let mut names: Vec<&String> = classes.iter().collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(wrong(format!("the class {:?} stands twice", pair[0]))),
        None => Ok(()),
    }
}

//! Machines of one function as documents: regression and novelty detection.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{Document, Numbers, required, wrong};
use super::kept::{self, KeptHeader};
use crate::data::Collection;
use crate::error::Result;
use crate::gram::CollectionKernel;
use crate::machine::{
    Expansion, Found, Kept, Loss, NoveltyModel, Region, RegressionSample, Report, Softness, SvrModel,
};

/// The kinds of machine, as they stand in the header.
pub(super) const REGRESSION: &str = "svr";
pub(super) const NOVELTY: &str = "novelty";

#[derive(Serialize, Deserialize)]
struct Header<H, T> {
    #[serde(flatten)]
    kept: H,
    #[serde(with = "crate::resources::number")]
    offset: f64,
    #[serde(deserialize_with = "required")]
    report: Option<Report>,
    /// What only this machine has.
    own: T,
}

#[derive(Serialize, Deserialize)]
struct Regression {
    loss: Loss,
    #[serde(with = "crate::resources::number")]
    tube: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sample: Option<RegressionSample>,
}

#[derive(Serialize, Deserialize)]
struct Novelty {
    region: Region,
    softness: Softness,
    found: Found,
    #[serde(with = "crate::resources::number")]
    slack: f64,
}

type Written = (String, Value, Vec<(String, Numbers)>);

fn store<T: Serialize>(
    name: &str,
    kept: &Kept<CollectionKernel, Collection<'static>>,
    expansion: &Expansion,
    report: Option<&Report>,
    own: T,
) -> Written {
    let mut arrays = vec![
        ("support".to_string(), Numbers::U64(expansion.support.iter().map(|&v| v as u64).collect())),
        ("coefficients".to_string(), Numbers::F64(expansion.coefficients.clone())),
    ];
    let kept = kept::store(kept, &mut arrays);
    let header = Header { kept, offset: expansion.offset, report: report.cloned(), own };
    (name.to_string(), serde_json::to_value(header).expect("a header of plain values"), arrays)
}

struct Loaded<T> {
    kept: Kept<CollectionKernel, Collection<'static>>,
    expansion: Expansion,
    report: Option<Report>,
    own: T,
}

fn load<T: for<'d> Deserialize<'d>>(header: Value, document: &mut Document) -> Result<Loaded<T>> {
    let Header::<KeptHeader, T> { kept, offset, report, own } =
        serde_json::from_value(header).map_err(|problem| wrong(format!("the header: {problem}")))?;
    let kept = kept::load(kept, document)?;
    let support = document.take_positions("support")?;
    let expansion = Expansion { support, coefficients: document.take_f64("coefficients")?, offset };
    expansion.check(&kept.items)?;
    Ok(Loaded { kept, expansion, report, own })
}

/// Kind of machine, header and arrays of a regression.
pub(super) fn store_regression(model: &SvrModel<CollectionKernel, Collection<'static>>) -> Written {
    let own = Regression { loss: model.loss(), tube: model.tube(), sample: model.sample().cloned() };
    store(REGRESSION, model.kept(), model.expansion(), model.report(), own)
}

/// The regression that a document holds.
pub(super) fn load_regression(
    header: Value,
    document: &mut Document,
) -> Result<SvrModel<CollectionKernel, Collection<'static>>> {
    let Loaded { kept, expansion, report, own } = load::<Regression>(header, document)?;
    if !(own.tube >= 0.0 && own.tube.is_finite()) {
        return Err(wrong(format!("a tube of {}", own.tube)));
    }
    Ok(SvrModel::from_parts(kept, own.loss, own.tube, expansion, report).with_sample(own.sample))
}

/// Kind of machine, header and arrays of a novelty detector.
pub(super) fn store_novelty(model: &NoveltyModel<CollectionKernel, Collection<'static>>) -> Written {
    let (region, softness) = (model.region(), model.softness());
    let own = Novelty { region, softness, found: *model.found(), slack: model.slack() };
    store(NOVELTY, model.kept(), model.expansion(), model.report(), own)
}

/// The novelty detector that a document holds.
pub(super) fn load_novelty(
    header: Value,
    document: &mut Document,
) -> Result<NoveltyModel<CollectionKernel, Collection<'static>>> {
    let Loaded { kept, expansion, report, own } = load::<Novelty>(header, document)?;
    let Found { squared_norm, threshold, slack_sum, largest_squared_norm, items } = own.found;
    let numbers = [squared_norm, threshold, slack_sum, largest_squared_norm, items, own.slack];
    if let Some(value) = numbers.iter().find(|value| !value.is_finite()) {
        return Err(wrong(format!("a region described by {value}")));
    }
    let model = NoveltyModel::from_parts(kept, own.region, own.softness, expansion, report, own.found);
    Ok(model.with_slack(own.slack))
}

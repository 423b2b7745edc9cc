//! Ways of dividing rows, printed and parsed.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Splitting, TimeSeries};
use crate::error::{Error, Result};

impl fmt::Display for Splitting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strata = |stratified: &bool| if *stratified { "stratified-" } else { "" };
        match self {
            Splitting::Folds { k } => write!(f, "folds:{k}"),
            Splitting::Stratified { k } => write!(f, "stratified:{k}"),
            Splitting::Grouped { k } => write!(f, "grouped:{k}"),
            Splitting::StratifiedGrouped { k } => write!(f, "stratified-grouped:{k}"),
            Splitting::Repeated { k, times, stratified } => {
                write!(f, "{}repeated:{k}x{times}", strata(stratified))
            }
            Splitting::LeaveOneOut => f.write_str("leave-one-out"),
            Splitting::LeaveOneGroupOut => f.write_str("leave-one-group-out"),
            Splitting::TimeSeries(series) => {
                write!(f, "time-series:{}", series.splits)?;
                let gap = Some(series.gap).filter(|&gap| gap > 0);
                for (name, value) in [("gap", gap), ("test", series.test), ("train", series.most_train)] {
                    value.map_or(Ok(()), |value| write!(f, ",{name}={value}"))?;
                }
                Ok(())
            }
            Splitting::Predefined(folds) => {
                let numbers: Vec<String> = folds.iter().map(i64::to_string).collect();
                write!(f, "predefined:{}", numbers.join(","))
            }
            Splitting::HeldOut { share, times: 1, stratified } => {
                write!(f, "{}held-out:{share}", strata(stratified))
            }
            Splitting::HeldOut { share, times, stratified } => {
                write!(f, "{}held-out:{share}x{times}", strata(stratified))
            }
        }
    }
}

impl FromStr for Splitting {
    type Err = Error;

    /// Reads what is printed; `5` alone means folds, and `loo` and `logo` are short for leaving one out.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let splitting = match text.split_once(':') {
            Some((name, parameters)) => with_parameters(name, parameters),
            None => match text {
                "loo" | "leave-one-out" => Some(Splitting::LeaveOneOut),
                "logo" | "leave-one-group-out" => Some(Splitting::LeaveOneGroupOut),
                number => number.parse().ok().map(|k| Splitting::Folds { k }),
            },
        };
        let splitting = splitting.ok_or_else(|| Error::Unsupported {
            what: format!(
                "`{text}` does not say how to divide the rows: expected 5, stratified:5, grouped:5, \
                 stratified-grouped:5, repeated:5x10, stratified-repeated:5x10, loo, logo, time-series:5 \
                 (and ,gap=2 ,test=10 ,train=100), held-out:0.25x10, stratified-held-out:0.25x10 or \
                 predefined:0,0,1,-1"
            ),
        })?;
        splitting.check()?;
        Ok(splitting)
    }
}

impl Serialize for Splitting {
    /// As it is printed.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn with_parameters(name: &str, parameters: &str) -> Option<Splitting> {
    let k = || parameters.parse().ok();
    let (stratified, plain) = match name.strip_prefix("stratified-") {
        Some(plain) => (true, plain),
        None => (false, name),
    };
    match (plain, stratified) {
        ("folds", false) => k().map(|k| Splitting::Folds { k }),
        ("stratified", false) => k().map(|k| Splitting::Stratified { k }),
        ("grouped", false) => k().map(|k| Splitting::Grouped { k }),
        ("grouped", true) => k().map(|k| Splitting::StratifiedGrouped { k }),
        ("repeated", _) => {
            let (k, times) = parameters.split_once('x')?;
            Some(Splitting::Repeated { k: k.parse().ok()?, times: times.parse().ok()?, stratified })
        }
        ("held-out", _) => {
            let (share, times) = parameters.split_once('x').unwrap_or((parameters, "1"));
            Some(Splitting::HeldOut { share: share.parse().ok()?, times: times.parse().ok()?, stratified })
        }
        ("time-series", false) => time_series(parameters).map(Splitting::TimeSeries),
        ("predefined", false) => {
            let folds: Option<Vec<i64>> =
                parameters.split(',').map(|fold| fold.trim().parse().ok()).collect();
            folds.map(Splitting::Predefined)
        }
        _ => None,
    }
}

fn time_series(parameters: &str) -> Option<TimeSeries> {
    let mut words = parameters.split(',');
    let mut series = TimeSeries::new(words.next()?.parse().ok()?);
    for word in words {
        let (name, value) = word.trim().split_once('=')?;
        let value = value.parse().ok()?;
        match name {
            "gap" => series.gap = value,
            "test" => series.test = Some(value),
            "train" => series.most_train = Some(value),
            _ => return None,
        }
    }
    Some(series)
}

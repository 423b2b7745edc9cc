//! The width of a kernel on time series: a number, or the median of distances.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::kernel::check;

/// A width: a number above 0, or a multiple of the median distance in the training series; each kernel says of what.
///
/// ```
/// use mercer::kernel::series::{GlobalAlignment, Width};
/// assert_eq!(GlobalAlignment::sigma(2.0)?.width(), Width::Value(2.0));
/// assert_eq!(GlobalAlignment::median(0.5)?.width(), Width::Median(0.5));
/// assert!(GlobalAlignment::sigma(0.0).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// This number.
    Value(#[serde(deserialize_with = "check::serde_with::length")] f64),
    /// This multiple of the median.
    Median(#[serde(deserialize_with = "check::serde_with::positive")] f64),
}

impl Width {
    pub(super) fn checked(self, name: &'static str) -> Result<Self> {
        match self {
            Width::Value(value) => check::length(name, value)?,
            Width::Median(factor) => check::positive("multiple of the median", factor)?,
        };
        Ok(self)
    }

    /// The number; an error while it waits for training series.
    pub(super) fn number(self, kernel: &'static str) -> Result<f64> {
        match self {
            Width::Value(value) => Ok(value),
            Width::Median(_) => Err(Error::Undefined {
                what: format!("{kernel} with a width taken from a median"),
                why: "it has to learn from training series first".into(),
            }),
        }
    }
}

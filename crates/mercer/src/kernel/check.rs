//! What numbers a kernel takes: the same checks for constructors and for files.

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::error::{Error, Result};

/// A finite number above 0.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(Error::Parameter { name, value, expected: "a finite number above 0" })
}

/// A finite number above 0 that can be squared and inverted.
pub(crate) fn length(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() && value > 0.0 && (value * value).is_normal() && (1.0 / (value * value)).is_normal()
    {
        return Ok(value);
    }
    Err(Error::Parameter { name, value, expected: "a finite number above 0 (from 1e-150 to 1e150)" })
}

/// A finite number.
pub(crate) fn finite(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(Error::Parameter { name, value, expected: "a finite number" })
}

/// A finite number of at least 0.
pub(crate) fn non_negative(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(Error::Parameter { name, value, expected: "a finite number of at least 0" })
}

/// A number above 0, at most 1.
pub(crate) fn decay(name: &'static str, value: f64) -> Result<f64> {
    if value > 0.0 && value <= 1.0 {
        return Ok(value);
    }
    Err(Error::Parameter { name, value, expected: "a number above 0, at most 1" })
}

/// The number of values that `with_parameters` was given.
pub(crate) fn count(expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::Shape { what: "kernel parameters", expected, found })
}

/// The new value of a parameter; NaN leaves the old one.
pub(crate) fn or(value: f64, old: f64) -> f64 {
    if value.is_nan() { old } else { value }
}

/// Refuses files whose numbers no constructor would have taken.
pub(crate) mod serde_with {
    use super::*;

    pub(crate) fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        super::positive("parameter", f64::deserialize(from)?).map_err(D::Error::custom)
    }

    pub(crate) fn length<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        super::length("parameter", f64::deserialize(from)?).map_err(D::Error::custom)
    }

    pub(crate) fn lengths<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        let values = Vec::<f64>::deserialize(from)?;
        for &value in &values {
            super::length("parameter", value).map_err(D::Error::custom)?;
        }
        if values.is_empty() {
            return Err(D::Error::custom(Error::Empty { what: "length scales" }));
        }
        Ok(values)
    }

    pub(crate) fn finite<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        super::finite("parameter", f64::deserialize(from)?).map_err(D::Error::custom)
    }

    pub(crate) fn non_negative<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        super::non_negative("parameter", f64::deserialize(from)?).map_err(D::Error::custom)
    }

    pub(crate) fn decay<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        super::decay("parameter", f64::deserialize(from)?).map_err(D::Error::custom)
    }

    pub(crate) fn optional_positive<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        match Option::<f64>::deserialize(from)? {
            Some(value) => super::positive("parameter", value).map(Some).map_err(D::Error::custom),
            None => Ok(None),
        }
    }

    pub(crate) fn degree<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        match u32::deserialize(from)? {
            0 => Err(D::Error::custom("degree = 0: expected a whole number of at least 1")),
            degree => Ok(degree),
        }
    }
}

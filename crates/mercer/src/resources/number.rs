//! Numbers in JSON: infinities are spelled out, because JSON has none.
//!
//! For use as `#[serde(with = "crate::resources::number")]` on an `f64`.

use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

#[derive(Deserialize)]
#[serde(untagged)]
enum Spelled {
    Number(f64),
    Word(String),
}

/// Writes a finite number as a number, any other as `"inf"`, `"-inf"` or `"nan"`.
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Gap(#[serde(with = "mercer::resources::number")] f64);
/// let text = serde_json::to_string(&Gap(f64::INFINITY))?;
/// assert_eq!(text, "\"inf\"");
/// assert_eq!(serde_json::from_str::<Gap>(&text)?.0, f64::INFINITY);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(*value)
    } else if value.is_nan() {
        serializer.serialize_str("nan")
    } else {
        serializer.serialize_str(if *value > 0.0 { "inf" } else { "-inf" })
    }
}

/// Reads what [`serialize`] wrote.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match Spelled::deserialize(deserializer)? {
        Spelled::Number(value) => Ok(value),
        Spelled::Word(word) => match word.as_str() {
            "inf" => Ok(f64::INFINITY),
            "-inf" => Ok(f64::NEG_INFINITY),
            "nan" => Ok(f64::NAN),
            _ => Err(D::Error::custom(format!("{word:?} is not a number"))),
        },
    }
}

//! What a model file holds, before it is bytes: one JSON header and named arrays.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::{binary, json};
use crate::error::{Error, Result};

/// The numbers of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Double precision.
    F64(Vec<f64>),
    /// Single precision.
    F32(Vec<f32>),
    /// Indices of columns.
    U32(Vec<u32>),
    /// Positions and offsets.
    U64(Vec<u64>),
}

/// The type of an array's numbers, as it is spelled in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NumberType {
    F64,
    F32,
    U32,
    U64,
}

impl NumberType {
    pub fn width(self) -> usize {
        match self {
            NumberType::F64 | NumberType::U64 => 8,
            NumberType::F32 | NumberType::U32 => 4,
        }
    }
}

impl Numbers {
    pub(super) fn number_type(&self) -> NumberType {
        match self {
            Numbers::F64(_) => NumberType::F64,
            Numbers::F32(_) => NumberType::F32,
            Numbers::U32(_) => NumberType::U32,
            Numbers::U64(_) => NumberType::U64,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Numbers::F64(v) => v.len(),
            Numbers::F32(v) => v.len(),
            Numbers::U32(v) => v.len(),
            Numbers::U64(v) => v.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A header and named arrays: every model becomes one, and one becomes a file in either format.
///
/// ```
/// use mercer::io::{Document, Numbers, binary, json};
/// let document = Document {
///     header: serde_json::json!({"machine": "none"}),
///     arrays: vec![("offsets".into(), Numbers::F64(vec![0.5, -1.0]))],
/// };
/// assert_eq!(binary::decode(&binary::encode(&document))?, document);
/// assert_eq!(json::decode(&json::encode(&document))?, document);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Everything that is not a long array.
    pub header: Value,
    /// Arrays by name, in the order they are written.
    pub arrays: Vec<(String, Numbers)>,
}

impl Document {
    /// Takes an array out of the document.
    ///
    /// # Errors
    /// [`Error::ModelFile`] if there is none of this name.
    pub fn take(&mut self, name: &str) -> Result<Numbers> {
        match self.arrays.iter().position(|(n, _)| n == name) {
            Some(at) => Ok(self.arrays.remove(at).1),
            None => Err(wrong(format!("the array {name:?} is missing"))),
        }
    }

    /// Takes an array of f64.
    ///
    /// # Errors
    /// As [`Document::take`], or if it is of another type.
    pub fn take_f64(&mut self, name: &str) -> Result<Vec<f64>> {
        match self.take(name)? {
            Numbers::F64(values) => Ok(values),
            _ => Err(wrong(format!("the array {name:?} is not of type f64"))),
        }
    }

    /// Takes an array of positions.
    ///
    /// # Errors
    /// As [`Document::take`], or if it is of another type or a position is out of range.
    pub fn take_positions(&mut self, name: &str) -> Result<Vec<usize>> {
        match self.take(name)? {
            Numbers::U64(values) => values
                .into_iter()
                .map(|v| usize::try_from(v).map_err(|_| wrong(format!("{v} in {name:?} is out of range"))))
                .collect(),
            _ => Err(wrong(format!("the array {name:?} is not of type u64"))),
        }
    }
}

/// The document that these bytes hold in either format, and whether no member of its header may be missing.
pub(super) fn decode(bytes: &[u8]) -> Result<(Document, bool)> {
    match bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{') {
        true => {
            json::decode_with_version(bytes).map(|(document, version)| (document, version >= json::CHECKED))
        }
        false => Ok((binary::decode(bytes)?, false)),
    }
}

/// Reads a member that may be null but not missing.
pub(super) fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// A model file that can be read but makes no sense.
pub(super) fn wrong(problem: String) -> Error {
    Error::ModelFile { offset: 0, problem }
}

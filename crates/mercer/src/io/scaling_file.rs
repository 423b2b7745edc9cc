//! A scaling in a file of its own, for rows to come.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::document::wrong;
use super::json::{at_offset, check_checksum, checksum};
use super::model_bytes::read_model_file;
use crate::data::{Scaling, Schema, write_atomically};
use crate::error::Result;

const FORMAT: &str = "mercer-scaling";
const VERSION: u32 = 1;

/// A scaling with the columns that it is for, written as JSON with a checksum.
///
/// `{"format": "mercer-scaling", "version": 1, "checksum": "…", "scaling": {…}, "schema": {…}}`. Files of earlier versions of Mercer,
/// which have `scaling` and `schema` alone, are read too.
///
/// ```
/// use mercer::data::{Scaling, ScalingKind, Vectors};
/// use mercer::io::SavedScaling;
/// let rows = Vectors::from_rows(&[[1.0], [3.0]])?;
/// let saved = SavedScaling { scaling: Scaling::fit(ScalingKind::Standardise, &rows)?, schema: None };
/// let text = String::from_utf8(saved.to_bytes()).unwrap();
/// assert_eq!(SavedScaling::from_bytes(text.as_bytes())?, saved);
/// let error = SavedScaling::from_bytes(text.replace("2.0", "2.5").as_bytes()).unwrap_err();
/// assert!(error.to_string().contains("the file was edited or damaged"), "{error}");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedScaling {
    /// What is done to the columns.
    pub scaling: Scaling,
    /// The columns of a table; none for files without columns of their own. The field is never missing in a file.
    #[serde(deserialize_with = "Option::deserialize")]
    pub schema: Option<Schema>,
}

/// What a file states about itself.
const HEAD: [&str; 3] = ["format", "version", "checksum"];

impl SavedScaling {
    /// The text of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut members = object(serde_json::to_value(self).expect("plain values"));
        members.insert("format".into(), FORMAT.into());
        members.insert("version".into(), VERSION.into());
        members.insert("checksum".into(), checksum(&members).into());
        let mut bytes = serde_json::to_vec_pretty(&members).expect("plain values");
        bytes.push(b'\n');
        bytes
    }

    /// The scaling of a file's bytes.
    ///
    /// # Errors
    /// [`Error::ModelFile`](crate::Error::ModelFile) for text that is not JSON, of another format or version, without a field, or with
    /// a wrong checksum.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut members = parse(bytes)?;
        let found = Self::of_members(&members)?;
        if HEAD.iter().any(|name| members.contains_key(*name)) {
            let written = members.remove("checksum");
            check_checksum(written.as_ref().and_then(Value::as_str), &checksum(&members))?;
        }
        Ok(found)
    }

    /// The scaling of a file that was edited: the checksum is not looked at.
    pub(super) fn from_edited(bytes: &[u8]) -> Result<Self> {
        Self::of_members(&parse(bytes)?)
    }

    /// Whether these bytes are those of such a file.
    pub(super) fn is_one(bytes: &[u8]) -> bool {
        parse(bytes).is_ok_and(|members| {
            let is_bare = members.contains_key("scaling") && !members.contains_key("model");
            members.get("format").map_or(is_bare, |format| format == FORMAT)
        })
    }

    fn of_members(members: &Map<String, Value>) -> Result<Self> {
        let mut members = members.clone();
        // Neither is there in files of earlier versions.
        let [format, version, checksum] = HEAD.map(|name| members.remove(name));
        match (&format, &version) {
            (None, None) if checksum.is_none() => {}
            (None, _) => return Err(wrong("the field `format` is missing".into())),
            (_, None) => return Err(wrong("the field `version` is missing".into())),
            (Some(format), Some(version)) => {
                if format != FORMAT {
                    return Err(wrong(format!("the format is {format} and should be {FORMAT:?}")));
                }
                if version != VERSION {
                    return Err(wrong(format!(
                        "format version {version}; this program reads version {VERSION}"
                    )));
                }
            }
        }
        serde_json::from_value(Value::Object(members))
            .map_err(|problem| wrong(format!("not a scaling: {problem}")))
    }

    /// Writes a file, all or nothing.
    ///
    /// # Errors
    /// [`Error::File`](crate::Error::File).
    pub fn save(&self, path: &Path) -> Result<()> {
        write_atomically(path, |out| Ok(out.write_all(&self.to_bytes())?))
    }

    /// Reads a file once, so that it may be a pipe.
    ///
    /// # Errors
    /// As [`SavedScaling::from_bytes`] and [`read_model_file`], with the name of the file.
    pub fn load(path: &Path) -> Result<Self> {
        Self::from_bytes(&read_model_file(path)?).map_err(|error| error.in_file(path))
    }
}

fn parse(bytes: &[u8]) -> Result<Map<String, Value>> {
    serde_json::from_slice(bytes).map_err(|problem| at_offset(bytes, "scaling", &problem))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

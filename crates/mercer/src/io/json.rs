//! The plain JSON model file, for reading by people and other programs.
//!
//! `{"format": "mercer-model", "version": 2, "checksum": "…", "model": {…}, "arrays": {name: {"type": …, "values": […]}}}`.
//! Numbers are written with as many digits as give the same bits back; infinities are spelled out.
//!
//! The checksum is that of the content, however it is laid out: the CRC-32 of the version, `model` and `arrays`, with the members of
//! objects in the order of their names. Version 1 has none. [`renew_checksum`] accepts a file that was edited.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::document::{Document, NumberType, Numbers, wrong};
use super::{Model, ModelFormat, SavedLearner, SavedScaling};
use crate::error::{Error, Result};

const FORMAT: &str = "mercer-model";
/// The version of the format that is written; older ones are read.
pub const VERSION: u32 = 2;
/// The first version with a checksum, in which no member of the header may be missing.
pub(super) const CHECKED: u32 = 2;

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    #[serde(default)]
    checksum: Option<String>,
    model: Value,
    arrays: Map<String, Value>,
}

impl File {
    /// The checksum of the content.
    fn content(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.version.to_le_bytes());
        add(&mut hasher, &self.model);
        add_members(&mut hasher, &self.arrays);
        format!("{:08x}", hasher.finalize())
    }

    /// Refuses a file whose content is not what was written.
    fn check(&self) -> Result<()> {
        match (&self.checksum, self.version >= CHECKED) {
            (None, false) => Ok(()),
            (Some(_), false) => Err(wrong(format!(
                "files of version {} have no checksum: the version was edited",
                self.version
            ))),
            (written, true) => check_checksum(written.as_deref(), &self.content()),
        }
    }
}

/// Refuses a checksum that is missing or is not that of the content.
pub(super) fn check_checksum(written: Option<&str>, found: &str) -> Result<()> {
    const RENEW: &str = "after an edit, `mercer convert --renew-checksum FILE -o NEW_FILE` makes it valid";
    match written {
        None => Err(wrong(format!("the field `checksum` is missing ({RENEW})"))),
        Some(written) if written == found => Ok(()),
        Some(written) => Err(wrong(format!(
            "the checksum is {written}, but the content's is {found}: the file was edited or damaged ({RENEW})"
        ))),
    }
}

/// The checksum of an object.
pub(super) fn checksum(members: &Map<String, Value>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    add_members(&mut hasher, members);
    format!("{:08x}", hasher.finalize())
}

/// Adds a value to a checksum: what it is, how long it is, what is in it.
fn add(hasher: &mut crc32fast::Hasher, value: &Value) {
    match value {
        Value::Null => hasher.update(&[0]),
        Value::Bool(truth) => hasher.update(&[1, u8::from(*truth)]),
        Value::Number(number) => {
            hasher.update(&[2]);
            // 1 and 1.0 are one number.
            const WHOLE: u64 = 1 << 53;
            match number.as_u64().or(number.as_i64().map(i64::unsigned_abs)) {
                Some(size) if size > WHOLE => hasher.update(number.to_string().as_bytes()),
                _ => hasher.update(&number.as_f64().unwrap_or(f64::NAN).to_le_bytes()),
            }
        }
        Value::String(text) => add_text(hasher, text),
        Value::Array(values) => {
            hasher.update(&[4]);
            hasher.update(&(values.len() as u64).to_le_bytes());
            values.iter().for_each(|value| add(hasher, value));
        }
        Value::Object(members) => add_members(hasher, members),
    }
}

fn add_text(hasher: &mut crc32fast::Hasher, text: &str) {
    hasher.update(&[3]);
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

fn add_members(hasher: &mut crc32fast::Hasher, members: &Map<String, Value>) {
    hasher.update(&[5]);
    hasher.update(&(members.len() as u64).to_le_bytes());
    let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    for (name, value) in sorted {
        add_text(hasher, name);
        add(hasher, value);
    }
}

#[derive(Serialize, Deserialize)]
struct Array {
    #[serde(rename = "type")]
    number_type: NumberType,
    values: Vec<Value>,
}

/// The document as JSON text.
pub fn encode(document: &Document) -> Vec<u8> {
    let mut arrays = Map::new();
    for (name, numbers) in &document.arrays {
        let values = match numbers {
            Numbers::F64(v) => v.iter().map(|&x| spelled(x)).collect(),
            Numbers::F32(v) => v.iter().map(|&x| spelled(f64::from(x))).collect(),
            Numbers::U32(v) => v.iter().map(|&x| Value::from(x)).collect(),
            Numbers::U64(v) => v.iter().map(|&x| Value::from(x)).collect(),
        };
        let array = Array { number_type: numbers.number_type(), values };
        arrays.insert(name.clone(), serde_json::to_value(array).expect("plain values"));
    }
    let model = document.header.clone();
    let mut file = File { format: FORMAT.into(), version: VERSION, checksum: None, model, arrays };
    file.checksum = Some(file.content());
    let mut bytes = serde_json::to_vec(&file).expect("plain values");
    bytes.push(b'\n');
    bytes
}

/// The document that this text holds.
///
/// # Errors
/// [`Error::ModelFile`] for text that is not JSON, of another format or version, with a wrong checksum, or with an array that
/// holds something else than it says.
pub fn decode(bytes: &[u8]) -> Result<Document> {
    decode_with_version(bytes).map(|(document, _)| document)
}

/// The same, and the version of the format.
pub(super) fn decode_with_version(bytes: &[u8]) -> Result<(Document, u32)> {
    let file = parse(bytes)?;
    file.check()?;
    document(file)
}

/// A model file in JSON whose checksum is that of its content, from one that was edited; as JSON or as a binary file. A file of a
/// [`SavedScaling`] likewise, as JSON.
///
/// ```
/// use mercer::io::{ModelFormat, Model, json, read_libsvm_model};
/// let text = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n\
///             0.5 1:1\n-0.5 1:-1\n";
/// let saved = String::from_utf8(read_libsvm_model(text.as_bytes())?.to_bytes(ModelFormat::Json)).unwrap();
/// let edited = saved.replace("-0.5", "-0.25");
/// assert!(Model::from_bytes(edited.as_bytes()).unwrap_err().to_string().contains("the file was edited or damaged"));
/// assert!(Model::from_bytes(&json::renew_checksum(edited.as_bytes(), ModelFormat::Json)?).is_ok());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`decode`] and [`Model::from_bytes`] but for the checksum: what makes no sense stays refused.
pub fn renew_checksum(bytes: &[u8], format: ModelFormat) -> Result<Vec<u8>> {
    if SavedScaling::is_one(bytes) {
        return Ok(SavedScaling::from_edited(bytes)?.to_bytes());
    }
    let (document, version) = document(parse(bytes)?)?;
    if SavedLearner::is_one(&document) {
        return SavedLearner::from_document(document)?.to_bytes(format);
    }
    Ok(Model::from_document(document, version >= CHECKED)?.to_bytes(format))
}

fn parse(bytes: &[u8]) -> Result<File> {
    let file: File = serde_json::from_slice(bytes).map_err(|problem| at_offset(bytes, "model", &problem))?;
    if file.format != FORMAT {
        return Err(wrong(format!("the format is {:?} and should be {FORMAT:?}", file.format)));
    }
    if file.version == 0 || file.version > VERSION {
        let version = file.version;
        return Err(wrong(format!("format version {version}; this program reads versions 1 to {VERSION}")));
    }
    Ok(file)
}

/// The error of a text that is not such a file in JSON, at its byte.
pub(super) fn at_offset(bytes: &[u8], what: &str, problem: &serde_json::Error) -> Error {
    // serde_json counts lines and columns; the offset is found by counting along.
    let lines = bytes.split_inclusive(|&b| b == b'\n').take(problem.line().saturating_sub(1));
    let offset = lines.map(<[u8]>::len).sum::<usize>() + problem.column().saturating_sub(1);
    Error::ModelFile { offset: offset as u64, problem: format!("not a {what} in JSON: {problem}") }
}

fn document(file: File) -> Result<(Document, u32)> {
    let mut arrays = Vec::with_capacity(file.arrays.len());
    for (name, value) in file.arrays {
        let array: Array =
            serde_json::from_value(value).map_err(|problem| wrong(format!("array {name:?}: {problem}")))?;
        arrays.push((name.clone(), numbers(&name, array)?));
    }
    Ok((Document { header: file.model, arrays }, file.version))
}

fn numbers(name: &str, array: Array) -> Result<Numbers> {
    fn each<T>(name: &str, values: &[Value], read: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>> {
        let read = |(at, value): (usize, &Value)| {
            read(value).ok_or_else(|| wrong(format!("array {name:?}, entry {at}: {value} is out of place")))
        };
        values.iter().enumerate().map(read).collect()
    }
    let v = &array.values;
    Ok(match array.number_type {
        NumberType::F64 => Numbers::F64(each(name, v, number)?),
        NumberType::F32 => Numbers::F32(each(name, v, |value| number(value).map(|x| x as f32))?),
        NumberType::U32 => Numbers::U32(each(name, v, |value| u32::try_from(value.as_u64()?).ok())?),
        NumberType::U64 => Numbers::U64(each(name, v, Value::as_u64)?),
    })
}

fn spelled(x: f64) -> Value {
    match x {
        f64::INFINITY => Value::from("inf"),
        f64::NEG_INFINITY => Value::from("-inf"),
        x if x.is_nan() => Value::from("nan"),
        x => Value::from(x),
    }
}

fn number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("inf") => Some(f64::INFINITY),
        Some("-inf") => Some(f64::NEG_INFINITY),
        Some("nan") => Some(f64::NAN),
        Some(_) => None,
        None => value.as_f64(),
    }
}

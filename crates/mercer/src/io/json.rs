//! The plain JSON model file, for reading by people and other programs.
//!
//! `{"format": "mercer-model", "version": 1, "model": {…}, "arrays": {name: {"type": …, "values": […]}}}`.
//! Numbers are written with as many digits as give the same bits back; infinities are spelled out.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::binary::VERSION;
use super::document::{Document, NumberType, Numbers, wrong};
use crate::error::{Error, Result};

const FORMAT: &str = "mercer-model";

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    model: Value,
    arrays: Map<String, Value>,
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
    let file = File { format: FORMAT.into(), version: VERSION, model: document.header.clone(), arrays };
    let mut bytes = serde_json::to_vec(&file).expect("plain values");
    bytes.push(b'\n');
    bytes
}

/// The document that this text holds.
///
/// # Errors
/// [`Error::ModelFile`] for text that is not JSON, of another format or version, or with an array that holds
/// something else than it says.
pub fn decode(bytes: &[u8]) -> Result<Document> {
    let file: File = serde_json::from_slice(bytes).map_err(|problem| {
        // serde_json counts lines and columns; the offset is found by counting along.
        let lines = bytes.split_inclusive(|&b| b == b'\n').take(problem.line().saturating_sub(1));
        let offset = lines.map(<[u8]>::len).sum::<usize>() + problem.column().saturating_sub(1);
        Error::ModelFile { offset: offset as u64, problem: format!("not a model in JSON: {problem}") }
    })?;
    if file.format != FORMAT {
        return Err(wrong(format!("the format is {:?} and should be {FORMAT:?}", file.format)));
    }
    if file.version == 0 || file.version > VERSION {
        let version = file.version;
        return Err(wrong(format!("format version {version}; this program reads versions 1 to {VERSION}")));
    }
    let mut arrays = Vec::with_capacity(file.arrays.len());
    for (name, value) in file.arrays {
        let array: Array =
            serde_json::from_value(value).map_err(|problem| wrong(format!("array {name:?}: {problem}")))?;
        arrays.push((name.clone(), numbers(&name, array)?));
    }
    Ok(Document { header: file.model, arrays })
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

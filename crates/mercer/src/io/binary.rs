//! The binary model file.
//!
//! ```text
//! 8 bytes   89 'M' 'E' 'R' 'C' 'E' 'R' 0A
//! u32       format version
//! u32       CRC-32 of the header
//! u64       length of the header
//! header    JSON, UTF-8; its member "arrays" lists name, type, length and offset of each array
//! arrays    little-endian, each beginning at a multiple of 64 bytes from the beginning of the file
//! u32       CRC-32 of everything before it
//! ```
//!
//! Numbers are little-endian. Every length is checked against the file before anything is allocated.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::document::{Document, NumberType, Numbers};
use crate::error::{Error, Result};

/// How a binary model file begins.
pub const MAGIC: [u8; 8] = *b"\x89MERCER\n";
/// The version of the format that is written; older ones are read.
pub const VERSION: u32 = 1;

const PREFIX: usize = 24;
const ALIGNMENT: usize = 64;

#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    #[serde(rename = "type")]
    number_type: NumberType,
    length: u64,
    offset: u64,
}

#[derive(Serialize, Deserialize)]
struct Header<H> {
    arrays: Vec<Entry>,
    model: H,
}

/// The document as bytes.
pub fn encode(document: &Document) -> Vec<u8> {
    encode_parts(&document.header, &document.arrays)
}

/// A header and arrays as bytes. A header of a type of its own takes much less memory than one of JSON values.
pub(super) fn encode_parts<H: Serialize>(header: &H, arrays: &[(String, Numbers)]) -> Vec<u8> {
    // Offsets count from the first array, so that they do not depend on the length of the header.
    let mut offset = 0;
    let mut entries = Vec::new();
    for (name, numbers) in arrays {
        let number_type = numbers.number_type();
        let length = numbers.len() as u64;
        entries.push(Entry { name: name.clone(), number_type, length, offset: offset as u64 });
        offset = (offset + numbers.len() * number_type.width()).next_multiple_of(ALIGNMENT);
    }
    let header = Header { arrays: entries, model: header };
    let header = serde_json::to_vec(&header).expect("a header of plain values");
    let mut bytes = Vec::with_capacity(PREFIX + header.len() + ALIGNMENT + offset + 4);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
    bytes.extend_from_slice(&(header.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&header);
    for (_, numbers) in arrays {
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        match numbers {
            Numbers::F64(v) => v.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes())),
            Numbers::F32(v) => v.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes())),
            Numbers::U32(v) => v.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes())),
            Numbers::U64(v) => v.iter().for_each(|x| bytes.extend_from_slice(&x.to_le_bytes())),
        }
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The document that these bytes hold.
///
/// # Errors
/// [`Error::ModelFile`] with the byte where the trouble was noticed: another kind of file, a later version, a
/// file cut short or changed.
pub fn decode(bytes: &[u8]) -> Result<Document> {
    let (header, arrays) = decode_parts(bytes)?;
    Ok(Document { header, arrays })
}

/// A part of the header, before anything is checked; `None` where there is none.
pub(super) fn peek<H: DeserializeOwned>(bytes: &[u8]) -> Option<H> {
    let length = u64::from_le_bytes(bytes.get(16..PREFIX)?.try_into().ok()?);
    let header = bytes.get(PREFIX..)?.get(..usize::try_from(length).ok()?)?;
    serde_json::from_slice::<Header<H>>(header).ok().map(|header| header.model)
}

/// The header and the arrays that these bytes hold.
pub(super) fn decode_parts<H: DeserializeOwned>(bytes: &[u8]) -> Result<(H, Vec<(String, Numbers)>)> {
    let error = |offset: usize, problem: String| Err(Error::ModelFile { offset: offset as u64, problem });
    if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
        return error(0, "this is not a Mercer model".into());
    }
    if bytes.len() < PREFIX + 4 {
        return error(bytes.len(), "the file ends within its first bytes".into());
    }
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let version = u32_at(8);
    if version == 0 || version > VERSION {
        return error(8, format!("format version {version}; this program reads versions 1 to {VERSION}"));
    }
    let body = bytes.len() - 4;
    let header_length = u64::from_le_bytes(bytes[16..24].try_into().expect("eight bytes"));
    if header_length > (body - PREFIX) as u64 {
        let left = body - PREFIX;
        return error(
            16,
            format!("the header should have {header_length} bytes and {left} are left: cut short?"),
        );
    }
    let header_end = PREFIX + header_length as usize;
    let header = &bytes[PREFIX..header_end];
    if crc32fast::hash(header) != u32_at(12) {
        return error(12, "the checksum of the header is wrong: the file was changed or damaged".into());
    }
    let Header { arrays: entries, model }: Header<H> = match serde_json::from_slice(header) {
        Ok(header) => header,
        Err(problem) => return error(PREFIX, format!("the header is not what it should be: {problem}")),
    };
    // First whether all arrays lie inside the file: a file cut short is told from one that was changed.
    let first = header_end.next_multiple_of(ALIGNMENT);
    let mut places = Vec::with_capacity(entries.len().min(64));
    for entry in &entries {
        let place = (entry.length.checked_mul(entry.number_type.width() as u64))
            .and_then(|length| Some((entry.offset.checked_add(first as u64)?, length)))
            .filter(|(begin, length)| begin.checked_add(*length).is_some_and(|end| end <= body as u64));
        match place {
            Some((begin, length)) => places.push(begin as usize..(begin + length) as usize),
            None => {
                let Entry { name, length, .. } = entry;
                return error(body, format!("array {name:?} of {length} numbers does not fit: cut short?"));
            }
        }
    }
    if crc32fast::hash(&bytes[..body]) != u32_at(body) {
        return error(body, "the checksum is wrong: the file was changed, damaged or cut short".into());
    }
    let arrays = entries
        .into_iter()
        .zip(places)
        .map(|(entry, place)| (entry.name, numbers(entry.number_type, &bytes[place])))
        .collect();
    Ok((model, arrays))
}

fn numbers(number_type: NumberType, bytes: &[u8]) -> Numbers {
    fn each<const N: usize, T>(bytes: &[u8], read: fn([u8; N]) -> T) -> Vec<T> {
        bytes.chunks_exact(N).map(|chunk| read(chunk.try_into().expect("a whole chunk"))).collect()
    }
    match number_type {
        NumberType::F64 => Numbers::F64(each(bytes, f64::from_le_bytes)),
        NumberType::F32 => Numbers::F32(each(bytes, f32::from_le_bytes)),
        NumberType::U32 => Numbers::U32(each(bytes, u32::from_le_bytes)),
        NumberType::U64 => Numbers::U64(each(bytes, u64::from_le_bytes)),
    }
}

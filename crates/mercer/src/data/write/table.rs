//! Tables with a delimiter, quoted where reading needs it; between tabs nothing is quoted.

use std::io::{self, Write};

use super::number;
use crate::data::{Items, Row, Table, Targets};
use crate::error::{Error, Result};

pub(super) fn write(out: &mut impl Write, table: &Table, delimiter: u8) -> Result<()> {
    if table.groups.is_some() {
        return Err(Error::Unsupported {
            what: "groups (qid) cannot be written into a table: use LIBSVM's format".into(),
        });
    }
    if table.vectors.columns() == 0 {
        return Err(Error::Empty { what: "feature columns" });
    }
    if let Some(names) = &table.feature_names {
        for (column, name) in names.iter().enumerate() {
            separate(out, column, delimiter)?;
            word(out, name, delimiter)?;
        }
        if table.targets.rows().is_some() {
            out.write_all(&[delimiter])?;
            word(out, table.target_name.as_deref().unwrap_or("label"), delimiter)?;
        }
        out.write_all(b"\n")?;
    }
    for row in 0..table.rows() {
        features(out, table.vectors.get(row), table.vectors.columns(), delimiter)?;
        match &table.targets {
            Targets::Missing => {}
            Targets::Numbers(numbers) => {
                out.write_all(&[delimiter])?;
                number::write(out, numbers[row])?;
            }
            Targets::Words(labels) => {
                let label = labels.text(row);
                if label.is_empty() || label.parse::<f64>().is_ok_and(|value| !value.is_finite()) {
                    let what =
                        format!("the label {label:?} cannot be written: it would not be read as a label");
                    return Err(Error::Unsupported { what });
                }
                out.write_all(&[delimiter])?;
                if delimiter == b'\t' && (label.is_empty() || is_missing(label)) {
                    return Err(unwritten(label));
                }
                word(out, label, delimiter)?;
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn separate(out: &mut impl Write, column: usize, delimiter: u8) -> io::Result<()> {
    if column > 0 { out.write_all(&[delimiter]) } else { Ok(()) }
}

/// Writes all columns of a row, the zeros between stored entries included.
fn features(out: &mut impl Write, row: Row, columns: usize, delimiter: u8) -> io::Result<()> {
    let mut next = 0;
    let mut result = Ok(());
    let mut put = |column: usize, value: f64, result: &mut io::Result<()>| {
        while result.is_ok() && next <= column {
            let value = if next == column { value } else { 0.0 };
            *result = separate(out, next, delimiter).and_then(|()| number::write(out, value));
            next += 1;
        }
    };
    let mut last = None;
    row.for_each(|column, value| {
        put(column, value, &mut result);
        last = Some(column);
    });
    if columns > 0 && last.is_none_or(|last| last + 1 < columns) {
        put(columns - 1, 0.0, &mut result);
    }
    result
}

/// Writes a name or a label, quoted if anything in it could be taken for structure, a number or a missing value; between tabs as it
/// is, if it is read as it is.
fn word(out: &mut impl Write, text: &str, delimiter: u8) -> Result<()> {
    if delimiter == b'\t' {
        let is_trimmed = text.trim_matches([' ', '\t', '\r', '\n']) == text;
        if !is_trimmed
            || text.bytes().any(|byte| matches!(byte, b'\t' | b'\n'))
            || text.starts_with('\u{feff}')
        {
            return Err(unwritten(text));
        }
        return Ok(out.write_all(text.as_bytes())?);
    }
    let structural =
        |byte: u8| matches!(byte, b',' | b';' | b'\t' | b'"' | b'\r' | b'\n' | b' ' | b':' | b'#');
    let plain = !text.is_empty()
        && !is_missing(text)
        && !text.bytes().any(structural)
        && !text.starts_with('\u{feff}');
    if plain {
        return Ok(out.write_all(text.as_bytes())?);
    }
    Ok(write!(out, "\"{}\"", text.replace('"', "\"\""))?)
}

/// Whether a word reads as no value.
fn is_missing(text: &str) -> bool {
    ["?", "na", "n/a", "nan", "null"].iter().any(|spelling| text.eq_ignore_ascii_case(spelling))
}

/// What TSV has no way to write.
fn unwritten(text: &str) -> Error {
    let what = format!("{text:?} cannot be written into a TSV table, which has no quotes: write a CSV table");
    Error::Unsupported { what }
}

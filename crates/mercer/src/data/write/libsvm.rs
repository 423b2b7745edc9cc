//! LIBSVM text: `label [qid:group] index:value …`.

use std::io::Write;

use super::number;
use crate::data::{Items, Labels, Table, Targets};
use crate::error::{Error, Result};

pub(super) fn write(out: &mut impl Write, table: &Table) -> Result<()> {
    if let Targets::Words(labels) = &table.targets {
        check_words(labels)?;
    }
    for row in 0..table.rows() {
        match &table.targets {
            Targets::Numbers(numbers) => number::write(out, numbers[row])?,
            Targets::Words(labels) => out.write_all(labels.text(row).as_bytes())?,
            Targets::Missing => out.write_all(b"0")?,
        }
        if let Some(groups) = &table.groups {
            write!(out, " qid:{}", groups[row])?;
        }
        let mut result = Ok(());
        table.vectors.get(row).for_each(|column, value| {
            // A negative zero is not left out: reading would make it positive.
            if value.to_bits() != 0 && result.is_ok() {
                result = write!(out, " {}:", column + 1).and_then(|()| number::write(out, value));
            }
        });
        result?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A label of this format is one word that is not mistaken for anything else.
fn check_words(labels: &Labels) -> Result<()> {
    for class in labels.classes() {
        let not_finite = class.parse::<f64>().is_ok_and(|value| !value.is_finite());
        let not_a_word = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n' | '#' | ':' | ',');
        if class.is_empty() || class.contains(not_a_word) || class.starts_with('\u{feff}') || not_finite {
            return Err(Error::Unsupported {
                what: format!(
                    "the label {class:?} cannot be written in LIBSVM's format: a label there is a word \
                     without blanks, `,`, `:` and `#`"
                ),
            });
        }
    }
    Ok(())
}

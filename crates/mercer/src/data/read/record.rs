//! One record of a table with its quotes taken off (RFC 4180).

use std::io::Read;

use memchr::memchr;

use super::lines::Lines;
use super::number::LONGEST_TOKEN;
use crate::error::{Error, Result};

/// The fields of a record, in buffers that serve one record after the other.
pub(super) struct Record {
    text: Vec<u8>,
    fields: Vec<Field>,
    /// Bytes that a quoted field may have.
    longest: usize,
}

impl Default for Record {
    fn default() -> Self {
        Record::with_longest(LONGEST_TOKEN)
    }
}

struct Field {
    end: usize,
    quoted: bool,
    line: u64,
}

/// A view of one field.
#[derive(Clone, Copy)]
pub(super) struct FieldView<'a> {
    pub(super) text: &'a [u8],
    pub(super) quoted: bool,
    /// The line it starts on.
    pub(super) line: u64,
}

impl Record {
    /// Quoted fields may have so many bytes: a closing quote that is missing is found after as many.
    pub(super) fn with_longest(longest: usize) -> Self {
        Record { text: Vec::new(), fields: Vec::new(), longest }
    }

    /// Takes the current line apart, and the lines after it where a quoted field goes on.
    ///
    /// A quote opens a field only where the field starts; elsewhere it is a character like others.
    pub(super) fn split<R: Read>(&mut self, lines: &mut Lines<R>, delimiter: u8) -> Result<()> {
        self.text.clear();
        self.fields.clear();
        let mut line = lines.number();
        let mut at = 0;
        loop {
            at += leading_blanks(&lines.current()[at..], delimiter);
            let first_line = line;
            let quoted = lines.current().get(at) == Some(&b'"');
            if quoted {
                at = self.quoted(lines, at + 1, &mut line)?;
                at += leading_blanks(&lines.current()[at..], delimiter);
            } else {
                let rest = &lines.current()[at..];
                let end = memchr(delimiter, rest).unwrap_or(rest.len());
                self.text.extend_from_slice(trim_end(&rest[..end], delimiter));
                at += end;
            }
            self.fields.push(Field { end: self.text.len(), quoted, line: first_line });
            match lines.current().get(at) {
                None => return Ok(()),
                Some(&byte) if byte == delimiter => at += 1,
                Some(_) => return Err(self.error(line, "text between a closing quote and the delimiter")),
            }
        }
    }

    /// Copies a quoted field that starts at `at`; returns where the text goes on after the closing quote.
    fn quoted<R: Read>(&mut self, lines: &mut Lines<R>, mut at: usize, line: &mut u64) -> Result<usize> {
        let first_line = *line;
        let start = self.text.len();
        loop {
            let rest = &lines.current()[at..];
            let quote = memchr(b'"', rest);
            let piece = &rest[..quote.unwrap_or(rest.len())];
            at += piece.len();
            self.text.extend_from_slice(piece);
            if self.text.len() - start > self.longest {
                let too_long = format!(
                    "a quoted field of more than {} bytes: is a closing quote missing?",
                    self.longest
                );
                self.fields.push(Field { end: self.text.len(), quoted: true, line: first_line });
                return Err(self.error(first_line, &too_long));
            }
            if quote.is_none() {
                // The line end belongs to the field: it is what the longer record has at `at`.
                if !lines.extend()? {
                    self.fields.push(Field { end: self.text.len(), quoted: true, line: first_line });
                    return Err(self.error(first_line, "a quoted field that never ends"));
                }
                *line += 1;
                continue;
            }
            at += 1;
            if lines.current().get(at) != Some(&b'"') {
                return Ok(at);
            }
            self.text.push(b'"');
            at += 1;
        }
    }

    /// Number of fields.
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// The fields in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = FieldView<'_>> {
        let starts = std::iter::once(0).chain(self.fields.iter().map(|field| field.end));
        self.fields.iter().zip(starts).map(|(field, start)| FieldView {
            text: &self.text[start..field.end],
            quoted: field.quoted,
            line: field.line,
        })
    }

    /// An error at the field pushed last.
    #[cold]
    fn error(&self, line: u64, problem: &str) -> Error {
        Error::Parse { line, column: self.fields.len() as u64, problem: problem.into() }
    }
}

fn is_blank(byte: u8, delimiter: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r') && byte != delimiter
}

fn leading_blanks(text: &[u8], delimiter: u8) -> usize {
    text.iter().take_while(|&&byte| is_blank(byte, delimiter)).count()
}

fn trim_end(text: &[u8], delimiter: u8) -> &[u8] {
    let blanks = text.iter().rev().take_while(|&&byte| is_blank(byte, delimiter)).count();
    &text[..text.len() - blanks]
}

/// The field without blanks around it.
pub(super) fn trim(text: &[u8], delimiter: u8) -> &[u8] {
    trim_end(&text[leading_blanks(text, delimiter)..], delimiter)
}

//! One record of a table with its quotes taken off (RFC 4180).

use std::io::Read;

use memchr::memchr;

use super::lines::Lines;
use super::number::LONGEST_TOKEN;
use super::quote::Dialect;
use crate::error::{Error, Result};

/// Lines that a quoted field may run over.
pub(super) const MOST_LINES: u64 = 10_000;

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
    /// Quoted fields may have so many bytes, and [`MOST_LINES`]: a closing quote that is missing is found after as many.
    pub(super) fn with_longest(longest: usize) -> Self {
        Record { text: Vec::new(), fields: Vec::new(), longest }
    }

    /// Takes the current line apart, and the lines after it where a quoted field goes on.
    ///
    /// A quote opens a field only where the field starts, in a table that is quoted; elsewhere it is a character like others.
    ///
    /// # Errors
    /// [`Error::Parse`] with the place where a quote was opened that is not closed, or closed within the text.
    pub(super) fn split<R: Read>(&mut self, lines: &mut Lines<R>, dialect: Dialect) -> Result<()> {
        let delimiter = dialect.delimiter;
        self.text.clear();
        self.fields.clear();
        let mut line = lines.number();
        let mut at = 0;
        loop {
            at += leading_blanks(&lines.current()[at..], delimiter);
            let first_line = line;
            let quoted = dialect.is_quoted() && lines.current().get(at) == Some(&b'"');
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
                Some(_) => {
                    let closed = match line - first_line {
                        0 => String::new(),
                        _ => format!(
                            ": the quote that is opened here is closed on line {line}, with text after it"
                        ),
                    };
                    let name = dialect.name();
                    let problem = format!("unescaped quote in a {name} field (use --quote none){closed}");
                    return Err(self.error(first_line, &problem));
                }
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
            let mut refused = None;
            if self.text.len() - start > self.longest {
                refused = Some(format!("is not closed within {} bytes", self.longest));
            } else if quote.is_none() {
                // The line end belongs to the field: it is what the longer record has at `at`.
                if *line - first_line >= MOST_LINES {
                    refused = Some(format!("is not closed within {MOST_LINES} lines"));
                } else if lines.extend()? {
                    *line += 1;
                    continue;
                } else {
                    refused = Some("is never closed".into());
                }
            }
            if let Some(why) = refused {
                self.fields.push(Field { end: self.text.len(), quoted: true, line: first_line });
                let problem = format!(
                    "the quote that opens this field {why} (use --quote none to read quotes as they are)"
                );
                return Err(self.error(first_line, &problem));
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

//! Tables of numbers: fields between commas, tabs or semicolons, quoted as in RFC 4180, with or without names.
//!
//! Lines without a quote, nearly all there are, are read in one pass from number to number; the others are
//! taken apart into fields first.

use std::io::Read;

use memchr::{memchr, memchr_iter};

use super::Complaint;
use super::lines::Lines;
use super::number::{self, Refusal};
use super::options::{Header, LabelColumn, ReadOptions};
use super::problem::{excerpt, not_text};
use super::record::{FieldView, Record, trim};
use super::target_column::TargetColumn;
use crate::data::{Dense, Table, Targets};
use crate::error::{Error, Result};

pub(super) fn read<R: Read>(
    mut lines: Lines<R>,
    delimiter: u8,
    options: &ReadOptions,
    complaint: Option<&Complaint>,
) -> Result<Table<'static>> {
    let mut record = Record::default();
    if !next_with_content(&mut lines)? {
        return Err(Error::Empty { what: "rows" });
    }
    record.split(&mut lines, delimiter)?;
    let layout = Layout::new(&record, lines.number(), delimiter, options)?;
    let mut rows = Rows { layout, values: Vec::new(), targets: TargetColumn::default(), count: 0 };
    if rows.layout.names.is_none() {
        rows.check(complaint, lines.number())?;
        rows.push_record(&record)?;
    }
    while next_with_content(&mut lines)? {
        rows.check(complaint, lines.number())?;
        if memchr(b'"', lines.current()).is_none() {
            rows.push_plain(lines.current(), lines.number())?;
        } else {
            record.split(&mut lines, delimiter)?;
            rows.push_record(&record)?;
        }
    }
    rows.finish()
}

/// Goes to the next line that has more than blanks in it.
fn next_with_content<R: Read>(lines: &mut Lines<R>) -> Result<bool> {
    while lines.advance()? {
        if lines.current().iter().any(|&byte| byte != b' ') {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the first record and the options say about all others.
struct Layout {
    delimiter: u8,
    width: usize,
    /// The label column, or `usize::MAX` if there is none.
    label: usize,
    names: Option<Vec<String>>,
    first_line: u64,
}

impl Layout {
    fn new(first: &Record, line: u64, delimiter: u8, options: &ReadOptions) -> Result<Self> {
        let width = first.len();
        let no_column = |problem| Error::Parse { line, column: width as u64, problem };
        let by_name = matches!(options.label, LabelColumn::Name(_));
        let position = match options.label {
            LabelColumn::Absent | LabelColumn::Name(_) => None,
            LabelColumn::At(position) if position < width => Some(position),
            LabelColumn::FromEnd(back) if back < width => Some(width - 1 - back),
            LabelColumn::At(position) => {
                return Err(no_column(format!(
                    "no column {} for the label: there are {width}",
                    position.saturating_add(1)
                )));
            }
            LabelColumn::FromEnd(back) => {
                return Err(no_column(format!(
                    "no column {} from the end for the label: there are {width}",
                    back.saturating_add(1)
                )));
            }
        };
        let has_names = match options.header {
            Header::Present => true,
            Header::Auto => by_name || looks_like_names(first, position),
            Header::Absent if by_name => {
                return Err(no_column("a label column given by name needs a header".into()));
            }
            Header::Absent => false,
        };
        let names = if has_names { Some(names(first)?) } else { None };
        let label = match (&options.label, &names) {
            (LabelColumn::Name(name), Some(names)) => {
                let mut found = (0..width).filter(|&column| names[column] == *name);
                match (found.next(), found.next()) {
                    (Some(column), None) => Some(column),
                    (None, _) => {
                        return Err(no_column(format!(
                            "no column is called `{}`; there are {}",
                            excerpt(name.as_bytes()),
                            listed(names)
                        )));
                    }
                    (Some(_), Some(second)) => {
                        return Err(Error::Parse {
                            line,
                            column: second as u64 + 1,
                            problem: format!("a second column called `{}`", excerpt(name.as_bytes())),
                        });
                    }
                }
            }
            _ => position,
        };
        let features = width - usize::from(label.is_some());
        let what = "feature columns";
        if features == 0 {
            let only = first.iter().next().map_or(&b""[..], |field| field.text);
            let problem = match number::parse(only) {
                Err(refusal @ Refusal::TooLong) => refusal.problem(only),
                _ => format!(
                    "`{}` is one field: no feature columns beside the label, or another delimiter than {:?}",
                    excerpt(only),
                    char::from(delimiter)
                ),
            };
            return Err(Error::Parse { line, column: 1, problem });
        }
        if features < options.min_columns {
            return Err(Error::Shape { what, expected: options.min_columns, found: features });
        }
        if let Some(most) = options.max_columns.filter(|&most| features > most) {
            return Err(Error::Shape { what, expected: most, found: features });
        }
        Ok(Layout { delimiter, width, label: label.unwrap_or(usize::MAX), names, first_line: line })
    }

    fn has_label(&self) -> bool {
        self.label < self.width
    }

    /// Number of feature columns.
    fn features(&self) -> usize {
        self.width - usize::from(self.has_label())
    }
}

/// See [`Header::Auto`]; a record in which numbers and words are mixed is taken for data, where the word is
/// refused with its place, rather than thrown away as a header.
fn looks_like_names(first: &Record, label: Option<usize>) -> bool {
    let (mut words, mut numbers) = (0, 0);
    for (column, field) in first.iter().enumerate() {
        let word = number::parse(field.text) == Err(Refusal::NotANumber) && !is_missing(field.text);
        if Some(column) == label {
            let usual: [&[u8]; 4] = [b"label", b"target", b"class", b"y"];
            if usual.iter().any(|name| field.text.eq_ignore_ascii_case(name)) {
                return true;
            }
        } else if word {
            words += 1;
        } else if !is_missing(field.text) {
            numbers += 1;
        }
    }
    words > 0 && numbers == 0
}

fn names(first: &Record) -> Result<Vec<String>> {
    let name = |(column, field): (usize, FieldView)| match std::str::from_utf8(field.text) {
        Ok(name) => Ok(name.to_string()),
        Err(_) => Err(Error::Parse {
            line: field.line,
            column: column as u64 + 1,
            problem: not_text(field.text).map(|(_, problem)| problem).unwrap_or_default(),
        }),
    };
    first.iter().enumerate().map(name).collect()
}

/// The first few names, for messages.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 10;
    let mut list: Vec<String> =
        names.iter().take(SHOWN).map(|name| format!("`{}`", excerpt(name.as_bytes()))).collect();
    if names.len() > SHOWN {
        list.push(format!("{} more", names.len() - SHOWN));
    }
    list.join(", ")
}

/// What files write where a value is not known.
fn is_missing(text: &[u8]) -> bool {
    let spellings: [&[u8]; 6] = [b"", b"?", b"na", b"n/a", b"nan", b"null"];
    text.len() <= 4 && spellings.iter().any(|spelling| text.eq_ignore_ascii_case(spelling))
}

struct Rows {
    layout: Layout,
    values: Vec<f64>,
    targets: TargetColumn,
    count: usize,
}

impl Rows {
    /// Reads a line without quotes.
    fn push_plain(&mut self, line: &[u8], number: u64) -> Result<()> {
        let Layout { delimiter, width, label, .. } = self.layout;
        let last = width - 1;
        let start = self.values.len();
        // Taken out for the time being, so that the compiler sees that nothing else changes it.
        let mut values = std::mem::take(&mut self.values);
        values.resize(start + self.layout.features(), 0.0);
        let mut slots = values[start..].iter_mut();
        let mut at = 0;
        for column in 0..width {
            let rest = &line[at..];
            if column != label
                && let Some((value, used)) = number::leading(rest)
                && (if column < last { rest.get(used) == Some(&delimiter) } else { used == rest.len() })
            {
                if let Some(slot) = slots.next() {
                    *slot = value;
                }
                at = (at + used + 1).min(line.len());
                continue;
            }
            let end = memchr(delimiter, rest).unwrap_or(rest.len());
            if (end < rest.len()) != (column < last) {
                return Err(self.ragged(number, 1 + memchr_iter(delimiter, line).count()));
            }
            let field = FieldView { text: trim(&rest[..end], delimiter), quoted: false, line: number };
            if column == label {
                self.push_label(&field)?;
            } else if let Some(slot) = slots.next() {
                *slot = self.feature(column, &field)?;
            }
            at = (at + end + 1).min(line.len());
        }
        self.values = values;
        self.count += 1;
        Ok(())
    }

    /// Takes a record whose quotes are off.
    fn push_record(&mut self, record: &Record) -> Result<()> {
        if record.len() != self.layout.width {
            let line = record.iter().next().map_or(0, |field| field.line);
            return Err(self.ragged(line, record.len()));
        }
        for (column, field) in record.iter().enumerate() {
            if column == self.layout.label {
                self.push_label(&field)?;
            } else {
                let value = self.feature(column, &field)?;
                self.values.push(value);
            }
        }
        self.count += 1;
        Ok(())
    }

    fn push_label(&mut self, field: &FieldView) -> Result<()> {
        // In quotes, `NA` is a word; without anything in them, they are still an empty field.
        if field.text.is_empty() || (!field.quoted && is_missing(field.text)) {
            return Err(self.missing(self.layout.label, field));
        }
        self.targets.push(field.text).map_err(|bad| self.error(self.layout.label, field, bad.problem))
    }

    fn feature(&self, column: usize, field: &FieldView) -> Result<f64> {
        number::parse(field.text).map_err(|refusal| match is_missing(field.text) {
            true => self.missing(column, field),
            false => self.error(column, field, refusal.problem(field.text)),
        })
    }

    /// Refuses the row that comes next if there is a complaint about it.
    fn check(&self, complaint: Option<&Complaint>, line: u64) -> Result<()> {
        let Some(complaint) = complaint.filter(|complaint| complaint.row == self.count) else {
            return Ok(());
        };
        let column = complaint.column + usize::from(complaint.column >= self.layout.label);
        let field = FieldView { text: b"", quoted: false, line };
        Err(self.error(column, &field, complaint.problem.clone()))
    }

    fn finish(mut self) -> Result<Table<'static>> {
        if self.count == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        self.values.shrink_to_fit();
        let has_label = self.layout.has_label();
        let columns = self.layout.features();
        let mut names = self.layout.names;
        let target_name = names.as_mut().filter(|_| has_label).map(|names| names.remove(self.layout.label));
        Ok(Table {
            vectors: Dense::new(self.values, self.count, columns)?.into(),
            targets: if has_label { self.targets.finish() } else { Targets::Missing },
            groups: None,
            feature_names: names,
            target_name,
        })
    }

    #[cold]
    fn missing(&self, column: usize, field: &FieldView) -> Error {
        let problem = match field.text {
            b"" => "missing value (an empty field)".to_string(),
            text => format!("missing value `{}`", excerpt(text)),
        };
        self.error(column, field, problem)
    }

    #[cold]
    fn error(&self, column: usize, field: &FieldView, problem: String) -> Error {
        let problem = match self.layout.names.as_ref().and_then(|names| names.get(column)) {
            Some(name) if !name.is_empty() => format!("column `{}`: {problem}", excerpt(name.as_bytes())),
            _ => problem,
        };
        Error::Parse { line: field.line, column: column as u64 + 1, problem }
    }

    /// The error for a record of the wrong length, at the first field too many or too few.
    #[cold]
    fn ragged(&self, line: u64, found: usize) -> Error {
        let Layout { width, first_line, .. } = self.layout;
        Error::Parse {
            line,
            column: found.min(width) as u64 + 1,
            problem: format!("{found} fields, but line {first_line} has {width}"),
        }
    }
}

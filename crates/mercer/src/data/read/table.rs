//! Tables: fields between commas, tabs or semicolons, quoted as in RFC 4180, with or without names.
//!
//! Lines of plain numbers, nearly all there are, are read in one pass from number to number; the others are
//! taken apart into fields first.

use std::io::Read;
use std::sync::Arc;

use memchr::{memchr, memchr_iter};

use super::Complaint;
use super::header::records_below;
use super::layout::{Layout, Role, is_missing};
use super::lines::Lines;
use super::number::{self, LONGEST_TOKEN, Refusal};
use super::options::{Header, ReadOptions};
use super::problem::{excerpt, not_text};
use super::quote::{Dialect, Quote, keeps_quotes};
use super::record::{FieldView, Record, trim};
use super::summary::{Summary, summarise};
use super::target_column::{TargetColumn, spelled};
use super::words::WordColumn;
use crate::data::schema::UNSEEN;
use crate::data::targets::Interner;
use crate::data::{Doubt, FeatureValues, Missing, Remarks, Schema, Table, Targets};
use crate::error::{Error, Remedy, Result};
use crate::resources::available_memory;

/// A table that is being read.
pub(super) struct Reader<R> {
    lines: Lines<R>,
    record: Record,
    /// The first record is data and has not been taken yet.
    pending: bool,
    rows: Rows,
    /// Bytes that its numbers may take: half of the memory that was free, for they are copied as they grow.
    allowed: u64,
}

/// Bytes that a column takes whatever the number of rows: its part, its words, its field of a record and what is learned about it.
const PER_COLUMN: u64 = 512;

/// Refuses so many bytes if there is not the memory for them.
fn check_memory(what: &'static str, needed: u64, allowed: u64) -> Result<()> {
    match needed <= allowed {
        true => Ok(()),
        false => {
            let instead = "free more memory, or write what is mostly 0 as LIBSVM text";
            Err(Error::Budget { what, needed, allowed, instead })
        }
    }
}

impl<R: Read> Reader<R> {
    pub fn new(mut lines: Lines<R>, dialect: Dialect, options: &ReadOptions) -> Result<Self> {
        let mut record = Record::default();
        if !next_with_content(&mut lines)? {
            return Err(Error::Empty { what: "rows" });
        }
        let allowed = available_memory().map_or(u64::MAX, |bytes| bytes / 2);
        let columns = memchr_iter(dialect.delimiter, lines.current()).count() as u64 + 1;
        check_memory("a table of so many columns", columns.saturating_mul(PER_COLUMN), allowed)?;
        record.split(&mut lines, dialect)?;
        let line = lines.number();
        let below = records_below(&mut lines, dialect, record.len())?;
        let layout = Layout::new(&record, &below, line, dialect, options)?;
        let pending = layout.names.is_none();
        Ok(Reader { lines, record, pending, rows: Rows::new(layout, options), allowed })
    }

    /// Reads until `most` rows are there; fewer are at the end of the file.
    pub fn read(&mut self, most: usize, complaint: Option<&Complaint>) -> Result<()> {
        while self.rows.count < most {
            if std::mem::take(&mut self.pending) {
                self.rows.push_record(&self.record)?;
            } else {
                if !next_with_content(&mut self.lines)? {
                    break;
                }
                if !self.rows.push_plain(self.lines.current()) {
                    self.record.split(&mut self.lines, self.rows.layout.dialect)?;
                    self.rows.push_record(&self.record)?;
                }
            }
            self.rows.check(complaint, self.lines.number())?;
            check_memory("the numbers of a table", 8 * self.rows.cells.len() as u64, self.allowed)?;
        }
        Ok(())
    }

    /// The rows read since the last time, as a schema says.
    pub fn take(&mut self) -> Result<Table<'static>> {
        self.rows.take()
    }

    /// All rows, as they ask to be.
    pub fn finish(self) -> Result<Table<'static>> {
        self.rows.finish()
    }
}

/// Goes to the next line that has more than blanks in it.
pub(super) fn next_with_content<R: Read>(lines: &mut Lines<R>) -> Result<bool> {
    while lines.advance()? {
        if lines.current().iter().any(|&byte| byte != b' ') {
            return Ok(true);
        }
    }
    Ok(false)
}

struct Rows {
    layout: Layout,
    schema: Option<Arc<Schema>>,
    /// Whether rows may have no label.
    unlabelled: bool,
    missing: Missing,
    /// Whether fields may be quoted, if it was said.
    quote: Option<Quote>,
    /// Whether nobody has said that the table has names.
    guessed: bool,
    /// Cells of the features, see [`Schema::encode`]; the positions of words are those in `words`.
    cells: Vec<f64>,
    /// One per feature.
    words: Vec<Option<Box<WordColumn>>>,
    targets: TargetColumn,
    weights: Vec<f64>,
    groups: Interner,
    count: usize,
    /// Rows taken out already.
    taken: usize,
    remarks: Remarks,
    /// Lines of plain numbers need no closer look.
    plain: bool,
}

impl Rows {
    fn new(mut layout: Layout, options: &ReadOptions) -> Self {
        let column = |(f, &column): (usize, &usize)| match (&options.schema, layout.roles[column]) {
            (Some(schema), _) => match &schema.features[f].values {
                FeatureValues::Words { levels, .. } => Some(Box::new(WordColumn::of(levels))),
                FeatureValues::Numbers { .. } => None,
            },
            (None, Role::Words(_)) => Some(Box::new(WordColumn::of(&[]))),
            (None, _) => None,
        };
        let words: Vec<Option<Box<WordColumn>>> = layout.features.iter().enumerate().map(column).collect();
        let missing = options.missing();
        Rows {
            plain: missing != Missing::Drop
                && !layout.has(Role::Weight)
                && !layout.has(Role::Group)
                && words.iter().all(Option::is_none),
            schema: options.schema.clone(),
            unlabelled: options.unlabelled,
            missing,
            quote: options.quote,
            guessed: options.header == Header::Auto,
            cells: Vec::new(),
            words,
            targets: TargetColumn::default(),
            weights: Vec::new(),
            groups: Interner::default(),
            count: 0,
            taken: 0,
            remarks: Remarks { header: layout.header.take(), ..Remarks::default() },
            layout,
        }
    }

    /// Reads a line of plain numbers and a label; `false` if there is more to it.
    fn push_plain(&mut self, line: &[u8]) -> bool {
        let dialect = self.layout.dialect;
        if !self.plain || (dialect.is_quoted() && memchr(b'"', line).is_some()) {
            return false;
        }
        let delimiter = dialect.delimiter;
        let last = self.layout.roles.len() - 1;
        let start = self.cells.len();
        // Taken out for the time being, so that the compiler sees that nothing else changes it.
        let mut cells = std::mem::take(&mut self.cells);
        cells.resize(start + self.layout.features.len(), 0.0);
        let row = &mut cells[start..];
        let mut label = None;
        let mut at = 0;
        let mut fine = true;
        for (column, &role) in self.layout.roles.iter().enumerate() {
            let rest = &line[at..];
            if let Role::Number(feature) = role {
                match number::leading(rest) {
                    Some((value, used))
                        if (if column < last {
                            rest.get(used) == Some(&delimiter)
                        } else {
                            used == rest.len()
                        }) =>
                    {
                        row[feature] = value;
                        at = (at + used + 1).min(line.len());
                        continue;
                    }
                    // Blanks and unusual spellings are numbers too.
                    _ => {}
                }
            }
            let end = memchr(delimiter, rest).unwrap_or(rest.len());
            let text = trim(&rest[..end], delimiter);
            fine = (end < rest.len()) == (column < last)
                && match role {
                    Role::Label => {
                        label = Some(text);
                        !is_missing(text)
                    }
                    Role::Number(feature) => number::parse(text).map(|value| row[feature] = value).is_ok(),
                    _ => true,
                };
            if !fine {
                break;
            }
            at = (at + end + 1).min(line.len());
        }
        fine = fine && label.is_none_or(|label| self.targets.push(label).is_ok());
        if !fine {
            cells.truncate(start);
        }
        self.cells = cells;
        self.count += usize::from(fine);
        fine
    }

    /// Takes a record whose quotes are off.
    fn push_record(&mut self, record: &Record) -> Result<()> {
        if record.len() != self.layout.width() {
            let line = record.iter().next().map_or(0, |field| field.line);
            return Err(self.ragged(line, record.len()));
        }
        if self.missing == Missing::Drop
            && record.iter().enumerate().any(|(at, field)| self.lacks(at, &field))
        {
            self.remarks.dropped.push(self.taken + self.count + self.remarks.dropped.len());
            return Ok(());
        }
        let start = self.cells.len();
        self.cells.resize(start + self.layout.features.len(), 0.0);
        for (column, field) in record.iter().enumerate() {
            match self.layout.roles[column] {
                Role::Ignored => {}
                Role::Label => self.push_label(column, &field)?,
                Role::Weight => {
                    let weight = self.weight(column, &field)?;
                    self.weights.push(weight);
                }
                Role::Group if is_missing(field.text) => return Err(self.none_there("group", column, &field)),
                Role::Group => {
                    let word = self.text(column, &field)?;
                    self.groups.push(word);
                }
                Role::Number(feature) | Role::Words(feature) => {
                    self.cells[start + feature] = self.cell(feature, column, &field)?;
                }
            }
        }
        self.count += 1;
        Ok(())
    }

    /// Whether a field that matters has no value.
    fn lacks(&self, column: usize, field: &FieldView) -> bool {
        match self.layout.roles[column] {
            Role::Ignored => false,
            Role::Label => !self.unlabelled && has_no_value(field),
            _ => is_missing(field.text),
        }
    }

    fn push_label(&mut self, column: usize, field: &FieldView) -> Result<()> {
        if has_no_value(field) {
            if self.schema.is_none() && !self.unlabelled {
                return Err(self.none_there("label", column, field));
            }
            self.remarks.unlabelled += 1;
            return Ok(());
        }
        self.targets.push(field.text).map_err(|bad| self.error(column, field.line, bad.problem))
    }

    fn weight(&self, column: usize, field: &FieldView) -> Result<f64> {
        match number::parse(field.text) {
            Ok(weight) if weight >= 0.0 => Ok(weight),
            Ok(weight) => {
                Err(self.error(column, field.line, format!("{weight} is no weight: it must be at least 0")))
            }
            Err(_) if is_missing(field.text) => Err(self.none_there("weight", column, field)),
            Err(refusal) => Err(self.error(column, field.line, refusal.problem(field.text))),
        }
    }

    fn cell(&mut self, feature: usize, column: usize, field: &FieldView) -> Result<f64> {
        if self.words[feature].is_none() {
            match number::parse(field.text) {
                Ok(value) => return Ok(value),
                Err(_) if is_missing(field.text) => return self.missing_cell(column, field),
                Err(Refusal::NotANumber) if quotes_a_number(field.text) => {
                    let text = excerpt(field.text);
                    let problem = format!("`{text}` is not a number (--quote double takes its quotes off)");
                    return Err(self.error(column, field.line, problem));
                }
                Err(Refusal::NotANumber) if self.layout.encodes => self.begin_words(feature),
                Err(refusal) => return Err(self.error(column, field.line, refusal.problem(field.text))),
            }
        }
        self.word(feature, column, field)
    }

    /// What were numbers so far become words.
    fn begin_words(&mut self, feature: usize) {
        let mut words = Box::new(WordColumn::default());
        let width = self.layout.features.len();
        for cell in self.cells.iter_mut().skip(feature).step_by(width).take(self.count) {
            if !cell.is_nan() {
                *cell = words.add_number(*cell);
            }
        }
        self.words[feature] = Some(words);
        self.plain = false;
    }

    fn word(&mut self, feature: usize, column: usize, field: &FieldView) -> Result<f64> {
        if is_missing(field.text) {
            return self.missing_cell(column, field);
        }
        let number = number::parse(field.text).ok();
        let text = match number {
            Some(value) => spelled(value),
            None => self.text(column, field)?.to_string(),
        };
        let Some(words) = &mut self.words[feature] else { return Ok(UNSEEN) };
        let Some(schema) = &self.schema else {
            words.numbers += usize::from(number.is_some());
            if words.first.is_none() && number.is_none() {
                words.first = Some((field.line, text.clone()));
            }
            return Ok(words.add(&text));
        };
        let found = words.find(&text);
        if found.is_none() {
            self.remarks.unseen += 1;
            let name = schema.features[feature].title();
            self.remarks.first_unseen.get_or_insert((name, text));
        }
        Ok(found.unwrap_or(UNSEEN))
    }

    /// The text of a field.
    fn text<'f>(&self, column: usize, field: &FieldView<'f>) -> Result<&'f str> {
        let refuse = |problem| Err(self.error(column, field.line, problem));
        if field.text.len() > LONGEST_TOKEN {
            return refuse(Refusal::TooLong.problem(field.text));
        }
        match std::str::from_utf8(field.text) {
            Ok(text) => Ok(text),
            Err(_) => refuse(not_text(field.text).map(|(_, problem)| problem).unwrap_or_default()),
        }
    }

    fn missing_cell(&mut self, column: usize, field: &FieldView) -> Result<f64> {
        if self.missing != Missing::Mean {
            return Err(self.no_value(column, field));
        }
        self.remarks.filled += 1;
        Ok(f64::NAN)
    }

    /// Refuses the row that was read last if there is a complaint about it.
    fn check(&self, complaint: Option<&Complaint>, line: u64) -> Result<()> {
        let row = (self.taken + self.count).checked_sub(1);
        let Some(complaint) = complaint.filter(|complaint| Some(complaint.row) == row) else {
            return Ok(());
        };
        let feature = match &self.schema {
            Some(schema) => schema.origin(complaint.column).unwrap_or(0),
            None => complaint.column,
        };
        let column = self.layout.features.get(feature).copied().unwrap_or(0);
        Err(self.error(column, line, complaint.problem.clone()))
    }

    fn take(&mut self) -> Result<Table<'static>> {
        let schema = self.schema.clone().ok_or(Error::Empty { what: "schema to read rows by" })?;
        let cells = std::mem::take(&mut self.cells);
        let count = std::mem::take(&mut self.count);
        self.taken += count;
        let vectors = schema.encode(cells, count)?.into();
        let remarks = std::mem::take(&mut self.remarks);
        let names = (schema.names(), schema.label_name.clone());
        Ok(self.table(vectors, names, None, remarks))
    }

    fn finish(mut self) -> Result<Table<'static>> {
        if self.count == 0 {
            let what = if self.remarks.dropped.is_empty() { "rows" } else { "rows without a missing value" };
            return Err(Error::Empty { what });
        }
        if self.schema.is_some() {
            return self.take();
        }
        self.check_words()?;
        self.cells.shrink_to_fit();
        let cells = std::mem::take(&mut self.cells);
        let words = std::mem::take(&mut self.words);
        let Summary { schema, cells, doubtful } =
            summarise(&self.layout, self.missing, self.quote, cells, words, self.count)?;
        let vectors = schema.encode(cells, self.count)?.into();
        let remarks = Remarks { doubtful, ..std::mem::take(&mut self.remarks) };
        let names = (schema.names(), schema.label_name.clone());
        Ok(self.table(vectors, names, Some(Arc::new(schema)), remarks))
    }

    fn table(
        &mut self,
        vectors: crate::data::Vectors<'static>,
        (feature_names, target_name): (Option<Vec<String>>, Option<String>),
        schema: Option<Arc<Schema>>,
        mut remarks: Remarks,
    ) -> Table<'static> {
        let targets = std::mem::take(&mut self.targets);
        let weights = std::mem::take(&mut self.weights);
        let groups = std::mem::take(&mut self.groups);
        let named = self.layout.names.is_some();
        let targets = match self.layout.has(Role::Label) && remarks.unlabelled == 0 {
            true => targets.finish(),
            false => Targets::Missing,
        };
        if let Targets::Words(labels) = &targets
            && labels.classes().iter().all(|class| keeps_quotes(class.as_bytes()))
        {
            remarks.doubtful.push(Doubt::Quoted(target_name.clone().unwrap_or_else(|| "label".into())));
        }
        Table {
            vectors,
            targets,
            groups: self
                .layout
                .has(Role::Group)
                .then(|| groups.finish().codes().iter().map(|&code| u64::from(code)).collect()),
            weights: self.layout.has(Role::Weight).then_some(weights),
            feature_names: feature_names.filter(|_| named),
            target_name: target_name.filter(|_| named && self.layout.has(Role::Label)),
            schema,
            remarks,
        }
    }

    /// Refuses columns that are neither numbers nor words that rows have in common.
    fn check_words(&self) -> Result<()> {
        for (words, &column) in self.words.iter().zip(&self.layout.features) {
            if let Some((line, problem, remedy)) = words.as_ref().and_then(|words| words.problem(self.count))
            {
                let error = self.error(column, line.unwrap_or(self.layout.first_line), problem);
                return Err(remedy.into_iter().fold(error, Error::settled_by));
            }
        }
        let names = self.layout.names.as_deref().unwrap_or_default();
        let like_data = |(words, &column): (&Option<Box<WordColumn>>, &usize)| {
            words.as_ref().is_some_and(|words| words.find(&names[column]).is_some())
        };
        if self.guessed && !names.is_empty() && self.words.iter().zip(&self.layout.features).all(like_data) {
            let problem = "this line may be a header or data: it reads like all others".into();
            let error = Error::Parse { line: self.layout.first_line, column: 1, problem };
            return Err(error.settled_by(Remedy::Header));
        }
        Ok(())
    }

    #[cold]
    fn no_value(&self, column: usize, field: &FieldView) -> Error {
        self.none_there("value", column, field).settled_by(Remedy::Missing)
    }

    #[cold]
    fn none_there(&self, what: &str, column: usize, field: &FieldView) -> Error {
        let problem = match field.text {
            b"" => format!("missing {what} (an empty field)"),
            text => format!("missing {what} `{}`", excerpt(text)),
        };
        self.error(column, field.line, problem)
    }

    #[cold]
    fn error(&self, column: usize, line: u64, problem: String) -> Error {
        let problem = match self.layout.names.as_ref().and_then(|names| names.get(column)) {
            Some(name) if !name.is_empty() => format!("column `{}`: {problem}", excerpt(name.as_bytes())),
            _ => problem,
        };
        Error::Parse { line, column: column as u64 + 1, problem }
    }

    /// The error for a record of the wrong length, at the first field too many or too few.
    #[cold]
    fn ragged(&self, line: u64, found: usize) -> Error {
        let width = self.layout.width();
        Error::Parse {
            line,
            column: found.min(width) as u64 + 1,
            problem: format!("{found} fields, but line {} has {width}", self.layout.first_line),
        }
    }
}

/// In quotes, the label `NA` is a word; without anything in them, they are still an empty field.
fn has_no_value(field: &FieldView) -> bool {
    field.text.is_empty() || (!field.quoted && is_missing(field.text))
}

/// Whether a field is a number but for the quotes around it.
fn quotes_a_number(text: &[u8]) -> bool {
    keeps_quotes(text) && number::parse(&text[1..text.len() - 1]).is_ok()
}

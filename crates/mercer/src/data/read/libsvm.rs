//! LIBSVM and svmlight text: `label [qid:group] index:value … [# comment]`, one row per line.
//!
//! Indices count from 1 and ascend strictly within a row; what is not written is zero. A file whose rows start
//! with `0:number` holds a precomputed kernel instead.

use std::io::Read;

use memchr::memchr;

use super::lines::Lines;
use super::number;
use super::options::ReadOptions;
use super::problem::{excerpt, not_text};
use super::target_column::TargetColumn;
use super::{Complaint, Contents, Precomputed};
use crate::data::{Dense, Sparse, Table};
use crate::error::{Error, Result};

/// Largest index: columns are numbered from 0 in 32 bits, and their count has to fit as well.
const LARGEST_INDEX: u64 = u32::MAX as u64 - 1;

/// A file that is being read.
pub(super) struct Reader<R> {
    lines: Lines<R>,
    options: ReadOptions,
    targets: TargetColumn,
    groups: Groups,
    rows: Option<Rows>,
    /// Rows read so far.
    count: usize,
}

impl<R: Read> Reader<R> {
    pub fn new(lines: Lines<R>, options: &ReadOptions) -> Result<Self> {
        let of_tables = [
            ("label", options.label.column().is_some()),
            ("ignore", !options.ignore.is_empty()),
            ("words", !options.word_columns.is_empty()),
            ("weight", options.weight.is_some()),
            ("group", options.group.is_some()),
        ];
        if let Some((what, _)) = of_tables.iter().find(|(_, said)| *said) {
            let what = format!("{what}: a file in LIBSVM's format has no such columns, only tables have");
            return Err(Error::Unsupported { what });
        }
        let (targets, groups) = (TargetColumn::default(), Groups::default());
        Ok(Reader { lines, options: options.clone(), targets, groups, rows: None, count: 0 })
    }

    /// Reads until `most` rows are there; fewer are at the end of the file.
    pub fn read(&mut self, most: usize, complaint: Option<&Complaint>) -> Result<()> {
        let already = self.count;
        while self.count - already < most && self.lines.advance()? {
            let line = self.lines.current();
            let number = self.lines.number();
            let text = match memchr(b'#', line) {
                None => line,
                Some(at) => {
                    if let Some((offset, problem)) = not_text(&line[at..]) {
                        return Err(Cursor { text: line, at, line: number }.error(at + offset, problem));
                    }
                    &line[..at]
                }
            };
            let mut cursor = Cursor { text, at: 0, line: number };
            if cursor.at_end() {
                continue;
            }
            if let Some(complaint) = complaint.filter(|complaint| complaint.row == self.count) {
                return Err(cursor.complain(complaint));
            }
            self.count += 1;
            cursor.label(&mut self.targets)?;
            self.groups.push(&mut cursor)?;
            match self.rows.get_or_insert_with(|| Rows::for_first_row(&cursor)) {
                Rows::Sparse(rows) => rows.push(&mut cursor, &self.options)?,
                Rows::Precomputed(rows) => rows.push(&mut cursor, &self.options)?,
            }
        }
        Ok(())
    }

    /// Whether there are rows that were not taken yet.
    pub fn has_rows(&self) -> bool {
        match &self.rows {
            None => false,
            Some(Rows::Sparse(rows)) => rows.offsets.len() > 1,
            Some(Rows::Precomputed(rows)) => !rows.numbers.is_empty(),
        }
    }

    /// The rows read since the last time.
    pub fn take(&mut self) -> Result<Contents> {
        let targets = std::mem::take(&mut self.targets).finish();
        let groups = self.groups.take();
        match &mut self.rows {
            None => Err(Error::Empty { what: "rows" }),
            Some(Rows::Sparse(rows)) => {
                let vectors = rows.take(&self.options)?.into();
                Ok(Contents::Table(Table { groups, ..Table::new(vectors, targets)? }))
            }
            Some(Rows::Precomputed(rows)) => {
                let (numbers, matrix) = rows.take(&self.options)?;
                Ok(Contents::Precomputed(Precomputed { numbers, matrix, targets, groups }))
            }
        }
    }

    pub fn finish(mut self) -> Result<Contents> {
        self.take()
    }
}

enum Rows {
    Sparse(SparseRows),
    Precomputed(PrecomputedRows),
}

impl Rows {
    /// The first row decides: one that starts with index 0 holds kernel values.
    fn for_first_row(cursor: &Cursor) -> Rows {
        let mut ahead = *cursor;
        match !ahead.at_end() && matches!(ahead.index(), Ok(0)) {
            true => Rows::Precomputed(PrecomputedRows::default()),
            false => Rows::Sparse(SparseRows::default()),
        }
    }
}

struct SparseRows {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    columns: u64,
}

impl Default for SparseRows {
    fn default() -> Self {
        SparseRows { offsets: vec![0], indices: Vec::new(), values: Vec::new(), columns: 0 }
    }
}

impl SparseRows {
    fn push(&mut self, cursor: &mut Cursor, options: &ReadOptions) -> Result<()> {
        let allowed = options.max_columns.map_or(LARGEST_INDEX, |most| LARGEST_INDEX.min(most as u64));
        // Taken out for the time being, so that the compiler may keep their ends in registers.
        let mut indices = std::mem::take(&mut self.indices);
        let mut values = std::mem::take(&mut self.values);
        let mut last = 0;
        while !cursor.at_end() {
            let place = cursor.at;
            let index = cursor.index()?;
            if index <= last || index > allowed {
                return Err(refused_index(cursor, place, index, last, allowed));
            }
            last = index;
            let value = cursor.value()?;
            // Zeros need no room; a negative zero is kept, so that files come back as they were written.
            if value.to_bits() != 0 {
                indices.push((index - 1) as u32);
                values.push(value);
            }
        }
        self.indices = indices;
        self.values = values;
        self.columns = self.columns.max(last);
        self.offsets.push(self.values.len());
        Ok(())
    }

    fn take(&mut self, options: &ReadOptions) -> Result<Sparse<'static>> {
        let mut rows = std::mem::take(self);
        rows.offsets.shrink_to_fit();
        rows.indices.shrink_to_fit();
        rows.values.shrink_to_fit();
        let columns = (rows.columns as usize).max(options.min_columns);
        if columns == 0 {
            return Err(Error::Empty { what: "index:value in any row" });
        }
        Sparse::from_parts(rows.offsets, rows.indices, rows.values, columns)
    }
}

#[cold]
fn refused_index(cursor: &Cursor, place: usize, index: u64, last: u64, allowed: u64) -> Error {
    let problem = if index == 0 {
        "index 0: indices count from 1 (only a file of kernel values has 0, at the start of every row)".into()
    } else if index > LARGEST_INDEX {
        format!("an index of more than {LARGEST_INDEX}")
    } else if index == last {
        format!("index {index} stands twice")
    } else if index < last {
        format!("index {index} after {last}: indices must ascend")
    } else {
        format!("index {index}, but at most {allowed} columns are allowed")
    };
    cursor.error(place, problem)
}

#[derive(Default)]
struct PrecomputedRows {
    numbers: Vec<u64>,
    values: Vec<f64>,
    columns: u64,
    /// The first row has said how many columns there are.
    begun: bool,
}

impl PrecomputedRows {
    fn push(&mut self, cursor: &mut Cursor, options: &ReadOptions) -> Result<()> {
        let place = cursor.at;
        if cursor.at_end() || cursor.index()? != 0 {
            let problem = "this row does not start with 0:number, as the rows of kernel values before it do";
            return Err(cursor.error(place, problem.into()));
        }
        let place = cursor.at;
        let number = cursor.value()?;
        if !(number >= 0.0 && number <= (1u64 << 53) as f64 && number.fract() == 0.0) {
            return Err(cursor.error(place, format!("{number} is not the number of a row")));
        }
        self.numbers.push(number as u64);
        let mut count = 0;
        while !cursor.at_end() {
            let place = cursor.at;
            let index = cursor.index()?;
            if index != count + 1 {
                let problem =
                    format!("index {index}, expected {}: no kernel value may be left out", count + 1);
                return Err(cursor.error(place, problem));
            }
            count = index;
            self.values.push(cursor.value()?);
        }
        if !self.begun {
            self.begun = true;
            self.columns = count;
            if let Some(allowed) = options.max_columns.filter(|&most| count > most as u64) {
                return Err(refused_index(cursor, cursor.text.len(), count, 0, allowed as u64));
            }
        } else if self.columns != count {
            let problem = format!("{count} kernel values, but the first row has {}", self.columns);
            return Err(cursor.error(cursor.text.len(), problem));
        }
        Ok(())
    }

    fn take(&mut self, options: &ReadOptions) -> Result<(Vec<u64>, Dense<'static, f64>)> {
        let columns = self.columns as usize;
        if columns < options.min_columns {
            return Err(Error::Shape {
                what: "kernel values in a row",
                expected: options.min_columns,
                found: columns,
            });
        }
        let (mut numbers, mut values) = (std::mem::take(&mut self.numbers), std::mem::take(&mut self.values));
        numbers.shrink_to_fit();
        values.shrink_to_fit();
        let matrix = Dense::new(values, numbers.len(), columns)?;
        Ok((numbers, matrix))
    }
}

/// Groups are given for all rows or for none.
#[derive(Default)]
struct Groups {
    groups: Vec<u64>,
    /// Whether rows have one; known from the first.
    given: Option<bool>,
}

impl Groups {
    fn push(&mut self, cursor: &mut Cursor) -> Result<()> {
        cursor.skip_blanks();
        let place = cursor.at;
        let group = cursor.group()?;
        if *self.given.get_or_insert(group.is_some()) != group.is_some() {
            let problem = match group {
                Some(_) => "a qid, but the rows before have none",
                None => "no qid, but the rows before have one",
            };
            return Err(cursor.error(place, problem.into()));
        }
        self.groups.extend(group);
        Ok(())
    }

    fn take(&mut self) -> Option<Vec<u64>> {
        (self.given == Some(true)).then(|| std::mem::take(&mut self.groups))
    }
}

/// A position in the text of one row.
#[derive(Clone, Copy)]
struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
    line: u64,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

impl<'t> Cursor<'t> {
    #[inline(always)]
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_blank(byte)) {
            self.at += 1;
        }
    }

    /// Skips blanks and says whether the row ends here.
    #[inline(always)]
    fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    /// What stands here up to the next blank.
    fn token(&self) -> &'t [u8] {
        let rest = &self.text[self.at..];
        &rest[..rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len())]
    }

    fn label(&mut self, targets: &mut TargetColumn) -> Result<()> {
        let token = self.token();
        if memchr(b':', token).is_some() {
            return Err(self.error(self.at, format!("`{}` where the label should stand", excerpt(token))));
        }
        if memchr(b',', token).is_some() {
            let problem = format!("`{}`: several labels for one row are not supported", excerpt(token));
            return Err(self.error(self.at, problem));
        }
        targets.push(token).map_err(|bad| self.error(self.at + bad.offset, bad.problem))?;
        self.at += token.len();
        Ok(())
    }

    /// The group, where one is given right after the label.
    fn group(&mut self) -> Result<Option<u64>> {
        if self.at_end() || !self.text[self.at..].starts_with(b"qid:") {
            return Ok(None);
        }
        let token = self.token();
        let digits = std::str::from_utf8(&token[4..]).ok().filter(|d| d.bytes().all(|b| b.is_ascii_digit()));
        match digits.and_then(|digits| digits.parse().ok()) {
            Some(group) => {
                self.at += token.len();
                Ok(Some(group))
            }
            None => {
                let problem = format!("`{}`: a qid is a whole number below 2^64", excerpt(token));
                Err(self.error(self.at, problem))
            }
        }
    }

    /// The index of an entry; what stands after its colon is next.
    #[inline(always)]
    fn index(&mut self) -> Result<u64> {
        let start = self.at;
        let mut at = start;
        let mut index = 0u64;
        while let Some(digit) = self.text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&d| d < 10) {
            index = index.saturating_mul(10).saturating_add(u64::from(digit));
            at += 1;
        }
        if at == start || self.text.get(at) != Some(&b':') {
            return Err(self.no_entry());
        }
        self.at = at + 1;
        Ok(index)
    }

    /// The value of an entry, up to a blank or the end.
    #[inline(always)]
    fn value(&mut self) -> Result<f64> {
        if let Some((value, used)) = number::leading(&self.text[self.at..])
            && self.text.get(self.at + used).is_none_or(|&byte| is_blank(byte))
        {
            self.at += used;
            return Ok(value);
        }
        self.unusual_value()
    }

    #[cold]
    #[inline(never)]
    fn unusual_value(&mut self) -> Result<f64> {
        let token = self.token();
        let value = number::parse(token).map_err(|refusal| {
            let offset = not_text(token).map_or(0, |(offset, _)| offset);
            let problem =
                if token.is_empty() { "no value after the colon".into() } else { refusal.problem(token) };
            self.error(self.at + offset, problem)
        })?;
        self.at += token.len();
        Ok(value)
    }

    #[cold]
    fn no_entry(&self) -> Error {
        let token = self.token();
        if let Some((offset, problem)) = not_text(token) {
            return self.error(self.at + offset, problem);
        }
        let problem = if token.starts_with(b"qid:") {
            "a qid must stand right after the label".into()
        } else {
            format!("`{}` is not index:value", excerpt(token))
        };
        self.error(self.at, problem)
    }

    /// The error for an entry of this row, which is zero where it is not written.
    #[cold]
    fn complain(&self, complaint: &Complaint) -> Error {
        let entry = format!("{}:", complaint.column + 1);
        let mut ahead = *self;
        while !ahead.at_end() && !ahead.token().starts_with(entry.as_bytes()) {
            ahead.at += ahead.token().len();
        }
        let problem = format!("index {}: {}", complaint.column + 1, complaint.problem);
        self.error(ahead.at, problem)
    }

    /// An error at a byte of this line.
    #[cold]
    fn error(&self, at: usize, problem: String) -> Error {
        Error::Parse { line: self.line, column: at as u64 + 1, problem }
    }
}

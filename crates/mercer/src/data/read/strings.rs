//! Strings with labels: FASTA, lines of text, and tables with a column of text.

use std::collections::HashMap;
use std::io::Read;

use super::header::{FirstRecord, HeaderGuess, records_below};
use super::lines::{LONGEST_LINE, Lines};
use super::options::{Column, Format, Header, LabelColumn};
use super::problem::{excerpt, not_text};
use super::quote::{Dialect, Quote};
use super::record::Record;
use super::source::decompressed;
use super::target_column::TargetColumn;
use super::{detect, table};
use crate::data::Targets;
use crate::error::{Error, Result};

/// Strings that were read, with what is known about them.
///
/// ```
/// use mercer::data::{FastaLabel, read_fasta};
/// let text = ">P1 a protein | kinase\nMKV\nLLA\n>P2 | other\nGGA\n";
/// let data = read_fasta(text.as_bytes(), &FastaLabel::Last { separator: '|' })?;
/// assert_eq!(data.strings, ["MKVLLA", "GGA"]);
/// assert_eq!(data.names, ["P1", "P2"]);
/// assert_eq!(data.targets.labels()?.classes(), ["kinase", "other"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Strings {
    /// The strings.
    pub strings: Vec<String>,
    /// What they are called, one name per string; empty where the file has no names.
    pub names: Vec<String>,
    /// Their labels.
    pub targets: Targets,
    /// What was decided about a first line of a table that could be names or data.
    pub header: Option<HeaderGuess>,
}

impl Strings {
    /// The same strings with labels from another file, a table of names and labels; blanks around both are left out.
    /// Names that no string has are ignored.
    ///
    /// ```
    /// use mercer::data::{FastaLabel, read_fasta};
    /// let data = read_fasta(">P1\nMKV\n>P2\nGGA\n".as_bytes(), &FastaLabel::Absent)?;
    /// let data = data.with_labels("P2\tother\nP1\tkinase\n".as_bytes())?;
    /// assert_eq!(data.targets.labels()?.text(0), "kinase");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] for a line of the table that is not two fields or a name that stands twice, and
    /// [`Error::Unsupported`] for a string without a label.
    pub fn with_labels(self, table: impl Read) -> Result<Self> {
        let (mut lines, dialect) = open_table(table, None, None)?;
        let mut record = Record::default();
        let mut labels: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
        while table::next_with_content(&mut lines)? {
            record.split(&mut lines, dialect)?;
            let line = lines.number();
            let [name, label] = record.iter().map(|field| field.text).collect::<Vec<_>>()[..] else {
                let problem = format!("{} fields: expected a name and a label", record.len());
                return Err(Error::Parse { line, column: 1, problem });
            };
            if labels.insert(name.to_vec(), label.to_vec()).is_some() {
                let problem = format!("the name `{}` stands twice", excerpt(name));
                return Err(Error::Parse { line, column: 1, problem });
            }
        }
        let mut targets = TargetColumn::default();
        for (i, name) in self.names.iter().enumerate() {
            let problem = match labels.get(name.as_bytes()).filter(|label| !label.is_empty()) {
                Some(label) => targets.push(label).err().map(|bad| bad.problem),
                None => Some("no label is given for it".into()),
            };
            if let Some(problem) = problem {
                let what = format!("string {}, `{}`: {problem}", i + 1, excerpt(name.as_bytes()));
                return Err(Error::Unsupported { what });
            }
        }
        if self.names.len() != self.strings.len() {
            let (expected, found) = (self.strings.len(), self.names.len());
            return Err(Error::Shape { what: "names (one per string)", expected, found });
        }
        Ok(Strings { targets: targets.finish(), ..self })
    }
}

/// Where in the header of a FASTA record its label stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FastaLabel {
    /// Nowhere.
    #[default]
    Absent,
    /// After the last of these characters: `>P1 a protein | kinase`.
    Last {
        /// The character.
        separator: char,
    },
    /// Between these characters, so many of them from the beginning: `>P1|kinase|a protein` has it at 1.
    At {
        /// The character.
        separator: char,
        /// Which part of the header, from 0.
        position: usize,
    },
    /// In a word `key=label`: `>P1 class=kinase a protein`.
    Key(
        /// What stands before the `=`.
        String,
    ),
}

impl FastaLabel {
    fn find<'a>(&self, header: &'a str) -> Option<&'a str> {
        let label = match self {
            FastaLabel::Absent => None,
            FastaLabel::Last { separator } => header.rsplit_once(*separator).map(|(_, label)| label),
            FastaLabel::At { separator, position } => header.split(*separator).nth(*position),
            FastaLabel::Key(key) => {
                let value = |word: &'a str| word.strip_prefix(&key[..])?.strip_prefix('=');
                header.split_whitespace().find_map(value)
            }
        };
        label.map(str::trim).filter(|label| !label.is_empty())
    }
}

/// Reads FASTA: records of a header `>name description` and lines of symbols, plain or compressed with gzip.
///
/// Lines of a record are joined and blanks in them left out; a `*` at the end of a record, the stop of a translation, too.
/// Empty lines and lines of comment, which begin with `;`, are skipped. A name is the header's first word.
///
/// # Errors
/// [`Error::Parse`] for symbols before the first header, a header without a name or without its label, a record without
/// symbols, and symbols that are not printable ASCII; [`Error::Empty`] without records.
pub fn read_fasta(source: impl Read, label: &FastaLabel) -> Result<Strings> {
    let mut lines = open_lines(source)?;
    let (mut strings, mut names, mut targets) = (Vec::<String>::new(), Vec::new(), TargetColumn::default());
    let mut header_line = 0;
    let finish = |strings: &mut Vec<String>, line: u64| {
        let Some(last) = strings.last_mut() else { return Ok(()) };
        if last.ends_with('*') {
            last.pop();
        }
        let problem = "a record without symbols".to_string();
        if last.is_empty() { Err(Error::Parse { line, column: 1, problem }) } else { Ok(()) }
    };
    while lines.advance()? {
        let (line, number) = (lines.current(), lines.number());
        let wrong = |column: usize, problem: String| Error::Parse {
            line: number,
            column: column as u64 + 1,
            problem,
        };
        match line.first() {
            None | Some(b';') => {}
            Some(b'>') => {
                finish(&mut strings, header_line)?;
                header_line = number;
                let header = text(&line[1..], number, 1)?;
                let name =
                    header.split_whitespace().next().filter(|_| !header.starts_with(char::is_whitespace));
                names.push(name.ok_or_else(|| wrong(1, "a header without a name".into()))?.to_string());
                if *label != FastaLabel::Absent {
                    let found = label.find(header);
                    let found = found.ok_or_else(|| wrong(1, "a header without a label".into()))?;
                    targets.push(found.as_bytes()).map_err(|bad| wrong(1, bad.problem))?;
                }
                strings.push(String::new());
            }
            Some(_) => {
                if let Some(at) =
                    line.iter().position(|b| !(b.is_ascii_graphic() || matches!(b, b' ' | b'\t')))
                {
                    return Err(wrong(at, format!("byte 0x{:02X} is no symbol", line[at])));
                }
                let mut symbols =
                    line.iter().filter(|b| b.is_ascii_graphic()).map(|&b| char::from(b)).peekable();
                match strings.last_mut() {
                    Some(last) => last.extend(symbols),
                    None if symbols.peek().is_none() => {}
                    None => return Err(wrong(0, "symbols before the first header (`>name`)".into())),
                }
            }
        }
    }
    finish(&mut strings, header_line)?;
    if strings.is_empty() {
        return Err(Error::Empty { what: "records" });
    }
    let targets = if *label == FastaLabel::Absent { Targets::Missing } else { targets.finish() };
    Ok(Strings { strings, names, targets, header: None })
}

/// Reads one string per line, empty ones included, plain or compressed with gzip; there are no labels.
///
/// ```
/// let data = mercer::data::read_lines("to be\n\nor not\n".as_bytes())?;
/// assert_eq!(data.strings, ["to be", "", "or not"]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parse`] for bytes that are not UTF-8 text, [`Error::Empty`] without lines.
pub fn read_lines(source: impl Read) -> Result<Strings> {
    let mut lines = open_lines(source)?;
    let mut strings = Vec::new();
    while lines.advance()? {
        strings.push(text(lines.current(), lines.number(), 0)?.to_string());
    }
    if strings.is_empty() {
        return Err(Error::Empty { what: "lines" });
    }
    Ok(Strings { strings, names: Vec::new(), targets: Targets::Missing, header: None })
}

/// Which columns of a table hold the strings and the labels.
///
/// ```
/// use mercer::data::{Column, StringColumns, read_string_table};
/// let columns = StringColumns { text: Column::Name("review".into()), ..StringColumns::default() };
/// let text = "id,review,stars\n1,\"good, very good\",5\n2,bad,1\n";
/// let data = read_string_table(text.as_bytes(), &columns)?;
/// assert_eq!(data.strings, ["good, very good", "bad"]);
/// assert_eq!(data.targets.numbers()?, [5.0, 1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringColumns {
    /// The strings; the first column unless said otherwise.
    pub text: Column,
    /// The labels; the last column unless said otherwise.
    pub label: LabelColumn,
    /// Whether the first record holds names. [`Header::Auto`]: it does if a column is asked for by name; if the field of
    /// the strings reads `text`, `string` or `sequence`, or that of the labels `label`, `target`, `class` or `y`, and is not found again in its
    /// column; or if the field of the labels is a word where the other labels, two at least, are numbers. What could have been decided otherwise is
    /// in [`Strings::header`].
    pub header: Header,
    /// The format, if it shall not be told from the content.
    pub format: Option<Format>,
    /// Whether fields may be quoted; `None` means as is usual for the format ([`Quote::usual`]).
    pub quote: Option<Quote>,
}

impl Default for StringColumns {
    fn default() -> Self {
        let (label, header) = (LabelColumn::Auto, Header::Auto);
        StringColumns { text: Column::At(0), label, header, format: None, quote: None }
    }
}

impl StringColumns {
    fn label(&self) -> Option<Column> {
        match &self.label {
            LabelColumn::Auto => Some(Column::FromEnd(0)),
            other => other.column(),
        }
    }

    /// Whether the first record holds names, and a word about it where it may not.
    fn has_names(&self, first: &Record, below: &[Record]) -> (bool, Option<HeaderGuess>) {
        let label = self.label();
        let named = |column: &Column| matches!(column, Column::Name(_));
        match self.header {
            Header::Present => (true, None),
            Header::Absent => (false, None),
            Header::Auto if named(&self.text) || label.as_ref().is_some_and(named) => (true, None),
            Header::Auto => {
                let place = |column: &Column| position(column, first, false);
                let label = label.as_ref().and_then(place);
                FirstRecord::new(first, below, label).of_strings(place(&self.text))
            }
        }
    }
}

/// Reads a table with a column of strings, plain or compressed with gzip: commas, tabs or semicolons between the fields,
/// which may be quoted and then go over several lines (between tabs, if an option says so: [`Quote::usual`]). Other columns are left out.
///
/// # Errors
/// [`Error::Parse`] for a record with another number of fields than the first, bytes that are not UTF-8 text, a label that
/// is missing, or a column that is not there; [`Error::Empty`] without rows.
pub fn read_string_table(source: impl Read, columns: &StringColumns) -> Result<Strings> {
    let mut read = read_columns(source, std::slice::from_ref(&columns.text), columns)?;
    let strings = read.columns.pop().unwrap_or_default();
    Ok(Strings { strings, names: Vec::new(), targets: read.targets, header: read.header })
}

/// Some columns of a table.
pub(super) struct TextColumns {
    /// Their fields, column after column.
    pub columns: Vec<Vec<String>>,
    pub targets: Targets,
    /// See [`Strings::header`].
    pub header: Option<HeaderGuess>,
}

/// The fields of some columns of a table and its labels; `options` says all but the columns.
pub(super) fn read_columns(
    source: impl Read,
    wanted: &[Column],
    options: &StringColumns,
) -> Result<TextColumns> {
    let (mut lines, dialect) = open_table(source, options.format, options.quote)?;
    let mut record = Record::with_longest(LONGEST_LINE);
    if !table::next_with_content(&mut lines)? {
        return Err(Error::Empty { what: "rows" });
    }
    record.split(&mut lines, dialect)?;
    let (width, first_line) = (record.len(), lines.number());
    let below = records_below(&mut lines, dialect, width)?;
    let (has_names, header) = options.has_names(&record, &below);
    let find = |column: &Column| {
        position(column, &record, has_names).ok_or_else(|| {
            let problem = match column {
                Column::Name(name) => format!("there is no column `{}`", excerpt(name.as_bytes())),
                _ => format!("a column was asked for that is not there: there are {width}"),
            };
            Error::Parse { line: first_line, column: 1, problem }
        })
    };
    let places = wanted.iter().map(find).collect::<Result<Vec<usize>>>()?;
    let label_at = options.label().map(|label| find(&label)).transpose()?;
    if let Some(at) = label_at.filter(|at| places.contains(at)) {
        let problem = "the column of the strings is also that of the labels".to_string();
        return Err(Error::Parse { line: first_line, column: at as u64 + 1, problem });
    }
    let (mut strings, mut targets) = (vec![Vec::new(); wanted.len()], TargetColumn::default());
    let mut rows = 0;
    let mut pending = !has_names;
    loop {
        if !std::mem::take(&mut pending) {
            if !table::next_with_content(&mut lines)? {
                break;
            }
            record.split(&mut lines, dialect)?;
        }
        if record.len() != width {
            let problem = format!("{} fields, but line {first_line} has {width}", record.len());
            return Err(Error::Parse { line: lines.number(), column: 1, problem });
        }
        rows += 1;
        for (at, field) in record.iter().enumerate() {
            let wrong = |problem| Error::Parse { line: field.line, column: at as u64 + 1, problem };
            if Some(at) == label_at {
                if field.text.is_empty() {
                    return Err(wrong("missing label".into()));
                }
                targets.push(field.text).map_err(|bad| wrong(bad.problem))?;
            }
            for (_, column) in places.iter().zip(&mut strings).filter(|(place, _)| **place == at) {
                let string = std::str::from_utf8(field.text);
                let problem = || wrong(not_text(field.text).unwrap_or_default().1);
                column.push(string.map_err(|_| problem())?.to_string());
            }
        }
    }
    if rows == 0 {
        return Err(Error::Empty { what: "rows" });
    }
    let targets = if label_at.is_some() { targets.finish() } else { Targets::Missing };
    Ok(TextColumns { columns: strings, targets, header })
}

/// What the columns of the strings and of the labels are called, if the table has names.
pub(super) fn column_names(
    source: impl Read,
    options: &StringColumns,
) -> Result<(Option<String>, Option<String>)> {
    let (mut lines, dialect) = open_table(source, options.format, options.quote)?;
    let mut record = Record::with_longest(LONGEST_LINE);
    if !table::next_with_content(&mut lines)? {
        return Ok((None, None));
    }
    record.split(&mut lines, dialect)?;
    let below = records_below(&mut lines, dialect, record.len())?;
    if !options.has_names(&record, &below).0 {
        return Ok((None, None));
    }
    let name = |column: &Column| {
        let field = record.iter().nth(position(column, &record, true)?)?;
        std::str::from_utf8(field.text).ok().map(str::to_string)
    };
    Ok((name(&options.text), options.label().as_ref().and_then(name)))
}

/// Where a column stands, if it is there.
fn position(column: &Column, first: &Record, has_names: bool) -> Option<usize> {
    let width = first.len();
    match column {
        Column::Name(name) if has_names => first.iter().position(|field| field.text == name.as_bytes()),
        Column::Name(_) => None,
        Column::At(at) => Some(*at).filter(|at| *at < width),
        Column::FromEnd(at) => (width - 1).checked_sub(*at),
    }
}

fn open_lines<'a>(source: impl Read + 'a) -> Result<Lines<Box<dyn Read + 'a>>> {
    let mut lines = Lines::new(decompressed(source)?)?;
    detect::check_line_ends(lines.peek(detect::WINDOW)?)?;
    Ok(lines)
}

/// Lines, and how they are taken apart.
fn open_table<'a>(
    source: impl Read + 'a,
    format: Option<Format>,
    quote: Option<Quote>,
) -> Result<(Lines<Box<dyn Read + 'a>>, Dialect)> {
    let mut lines = open_lines(source)?;
    let format = match format {
        Some(format) => format,
        None => detect::most_frequent_delimiter(lines.peek(detect::WINDOW)?, quote),
    };
    let dialect = Dialect::of(format, quote).ok_or_else(|| Error::Unsupported {
        what: "LIBSVM's format has no strings: use a table, FASTA or lines of text".into(),
    })?;
    Ok((lines, dialect))
}

/// A piece of a line as text; `before` bytes of the line stand in front of it.
fn text(piece: &[u8], line: u64, before: usize) -> Result<&str> {
    std::str::from_utf8(piece).map_err(|_| {
        let (at, problem) = not_text(piece).unwrap_or_default();
        Error::Parse { line, column: (before + at) as u64 + 1, problem }
    })
}

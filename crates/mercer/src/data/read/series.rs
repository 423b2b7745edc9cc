//! Files of time series: the `.ts` text of the UEA archive, and tables with one series per row.
//!
//! `.ts`: a header of lines that start with `@`, then after `@data` one series per line, its channels separated by `:`, the
//! values of a channel by `,`, and the label after the last `:`. Lines that start with `#` are comments.

use std::io::Read;
use std::path::Path;

use memchr::memchr;

use super::lines::Lines;
use super::number::{self, Refusal};
use super::problem::{excerpt, not_text};
use super::source::{decompressed, open};
use super::target_column::TargetColumn;
use crate::data::{Series, Targets};
use crate::error::{Error, Result};

/// Time series and what is to be learned about them.
///
/// ```
/// use mercer::data::read_ts;
/// let text = "@univariate false\n@classLabel true up down\n@data\n1,2,3:5,6,7:up\n4,3:6,5:down\n";
/// let table = read_ts(text.as_bytes())?;
/// assert_eq!((table.series[0].len(), table.series[1].len(), table.series[0].channels()), (3, 2, 2));
/// assert_eq!(table.targets.labels()?.classes(), ["down", "up"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesTable {
    /// The series, all of the same number of channels.
    pub series: Vec<Series>,
    /// One target per series, or none.
    pub targets: Targets,
}

/// Where a table of series, one per row, has its label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesLabel {
    /// The last field of each row.
    #[default]
    Last,
    /// The first field of each row, as in the UCR archive.
    First,
    /// There are no labels.
    Absent,
}

/// Reads a file of time series, plain or compressed with gzip; an error names the file, the line and the column.
///
/// A file whose name ends in `.ts` or `.ts.gz` is read by [`read_ts`], any other by [`read_series_rows`] with the label in
/// the last field.
///
/// ```
/// use mercer::data::read_series_file;
/// # let path = std::env::temp_dir().join(format!("mercer-series-{}.ts", std::process::id()));
/// std::fs::write(&path, "@classLabel true a b\n@data\n1,2:a\n3,?:b\n")?;
/// let error = read_series_file(&path).unwrap_err();
/// assert!(error.to_string().ends_with(".ts:4:3: the value `?` is missing, and series are compared as a whole: fill it in"), "{error}");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::InFile`] if its content cannot be used.
pub fn read_series_file(path: impl AsRef<Path>) -> Result<SeriesTable> {
    let path = path.as_ref();
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let text = open(path)?;
    let table = if name.trim_end_matches(".gz").ends_with(".ts") {
        read_ts_lines(text)
    } else {
        read_row_lines(text, SeriesLabel::Last)
    };
    table.map_err(|error| error.in_file(path))
}

/// Reads `.ts` text: series of any lengths, with class labels, numeric targets or neither.
///
/// What the header says (`@dimensions`, `@univariate`, `@equalLength`, `@seriesLength`, the classes) is checked. Time stamps and
/// missing values are refused.
///
/// # Errors
/// [`Error::Io`]; [`Error::Parse`] with line and byte; [`Error::Empty`] without series.
pub fn read_ts(source: impl Read) -> Result<SeriesTable> {
    read_ts_lines(decompressed(source)?)
}

/// Reads a table with one series of one channel per row; the rows may have any lengths, and may be filled up with empty fields.
///
/// The fields are separated by tabs where the first line has one, else by semicolons, else by commas. A first row whose values are
/// all words is taken for a header. O(bytes).
///
/// ```
/// use mercer::data::{SeriesLabel, read_series_rows};
/// let table = read_series_rows("t0,t1,t2,label\n1,2,3,up\n2,1,,down\n3,1,up\n".as_bytes(), SeriesLabel::Last)?;
/// assert_eq!(table.series[1].values(), [2.0, 1.0]);
/// assert_eq!(table.series[2].values(), [3.0, 1.0]);
/// let error = read_series_rows("1,,3,up\n".as_bytes(), SeriesLabel::Last).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 2: the value `` is missing, and series are compared as a whole: fill it in");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`]; [`Error::Parse`] with line and field; [`Error::Empty`] without series.
pub fn read_series_rows(source: impl Read, label: SeriesLabel) -> Result<SeriesTable> {
    read_row_lines(decompressed(source)?, label)
}

/// What the header of `.ts` text has said so far.
#[derive(Default)]
struct TsHeader {
    dimensions: Option<usize>,
    length: Option<usize>,
    equal_length: bool,
    targets: Option<Kind>,
    classes: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Classes,
    Numbers,
}

fn read_ts_lines<R: Read>(text: R) -> Result<SeriesTable> {
    let mut lines = Lines::new(text)?;
    let mut header = TsHeader::default();
    let mut in_data = false;
    let (mut series, mut targets) = (Vec::new(), TargetColumn::default());
    while lines.advance()? {
        let line = lines.number();
        let text = lines.current();
        let content = trim(text);
        if content.is_empty() || content[0] == b'#' {
            continue;
        }
        let first = offset(text, content);
        if !in_data {
            if content[0] != b'@' {
                return Err(error(
                    line,
                    first,
                    "a header line starts with `@`; values follow `@data`".into(),
                ));
            }
            in_data = header.take(content, line, first)?;
            continue;
        }
        series.push(header.series(text, line, &mut targets)?);
    }
    if !in_data {
        let problem = "no line `@data`: is this a file of time series?".into();
        return Err(error(lines.number(), 0, problem));
    }
    if series.is_empty() {
        return Err(Error::Empty { what: "time series" });
    }
    let targets = if header.targets.is_some() { targets.finish() } else { Targets::Missing };
    Ok(SeriesTable { series, targets })
}

impl TsHeader {
    /// Takes a line of the header; `true` if it was the last.
    fn take(&mut self, content: &[u8], line: u64, at: usize) -> Result<bool> {
        if let Some((offset, problem)) = not_text(content) {
            return Err(error(line, at + offset, problem));
        }
        let text = String::from_utf8_lossy(content);
        let mut words = text[1..].split_whitespace();
        let key = words.next().unwrap_or_default().to_ascii_lowercase();
        let wrong = |expected: &str| error(line, at, format!("@{key}: expected {expected}"));
        let mut flag = || match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err(wrong("true or false")),
        };
        match key.as_str() {
            "data" => return Ok(true),
            "timestamps" => {
                let stamped = flag()?;
                if stamped {
                    let problem = "@timestamps true: times of their own are not read, only equal steps are";
                    return Err(error(line, at, problem.into()));
                }
            }
            "univariate" => {
                let univariate = flag()?;
                if univariate {
                    self.dimensions(1, line, at)?;
                }
            }
            "equallength" => self.equal_length = flag()?,
            // Files say so even where no value is missing; each value is looked at anyway.
            "missing" => drop(flag()?),
            "dimensions" | "dimension" | "serieslength" => {
                let number = words.next().and_then(|word| word.parse().ok()).filter(|&number| number > 0);
                let number = number.ok_or_else(|| wrong("a whole number above 0"))?;
                if key == "serieslength" {
                    self.length = Some(number);
                } else {
                    self.dimensions(number, line, at)?;
                }
            }
            "classlabel" | "targetlabel" => {
                let labelled = flag()?;
                if labelled {
                    if self.targets.is_some() {
                        return Err(error(line, at, format!("@{key}: a second kind of labels")));
                    }
                    let classes = key == "classlabel";
                    self.targets = Some(if classes { Kind::Classes } else { Kind::Numbers });
                    self.classes = words.map(String::from).collect();
                }
            }
            // The problem's name and what other programs may add.
            _ => {}
        }
        Ok(false)
    }

    fn dimensions(&mut self, number: usize, line: u64, at: usize) -> Result<()> {
        match self.dimensions.replace(number) {
            Some(before) if before != number => {
                let problem = format!("{number} channels, but an earlier line says {before}");
                Err(error(line, at, problem))
            }
            _ => Ok(()),
        }
    }

    /// Reads the series of one line, and its label.
    fn series(&mut self, text: &[u8], line: u64, targets: &mut TargetColumn) -> Result<Series> {
        let body = match self.targets {
            None => text,
            Some(kind) => {
                let Some(colon) = memchr::memrchr(b':', text) else {
                    return Err(error(line, 0, "no `:` before the label".into()));
                };
                let label = trim(&text[colon + 1..]);
                let at = offset(text, label);
                self.check_label(label, kind).map_err(|problem| error(line, at, problem))?;
                targets.push(label).map_err(|bad| error(line, at + bad.offset, bad.problem))?;
                &text[..colon]
            }
        };
        let (mut channels, mut values): (Vec<Vec<f64>>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut start = 0;
        loop {
            let rest = &body[start..];
            let end = start + rest.iter().position(|b| matches!(b, b',' | b':')).unwrap_or(rest.len());
            let token = trim(&body[start..end]);
            if token.first() == Some(&b'(') {
                let problem = "a value with a time stamp: only values at equal steps are read".into();
                return Err(error(line, start, problem));
            }
            let at = if token.is_empty() { start } else { offset(text, token) };
            values.push(value(token).map_err(|problem| error(line, at, problem))?);
            if body.get(end) != Some(&b',') {
                let length = channels.first().map_or(values.len(), Vec::len);
                if values.len() != length {
                    let (number, found) = (channels.len() + 1, values.len());
                    let problem = format!(
                        "channel {number} has {found} values, but channel 1 of this series has {length}"
                    );
                    return Err(error(line, at, problem));
                }
                channels.push(std::mem::take(&mut values));
            }
            if end == body.len() {
                break;
            }
            start = end + 1;
        }
        let expected = *self.dimensions.get_or_insert(channels.len());
        if channels.len() != expected {
            let problem = format!("{} channels where {expected} were expected", channels.len());
            return Err(error(line, 0, problem));
        }
        let length = channels[0].len();
        if self.equal_length {
            let expected = *self.length.get_or_insert(length);
            if length != expected {
                let problem = format!("a series of length {length} among series of equal length {expected}");
                return Err(error(line, 0, problem));
            }
        }
        Series::from_channels(&channels)
    }

    fn check_label(&self, label: &[u8], kind: Kind) -> Result<(), String> {
        if label.is_empty() {
            return Err("no label after the last `:`".into());
        }
        match kind {
            Kind::Numbers => value(label).map(drop),
            Kind::Classes if self.classes.is_empty() => Ok(()),
            Kind::Classes if self.classes.iter().any(|class| class.as_bytes() == label) => Ok(()),
            Kind::Classes => Err(format!("`{}` is none of the classes of @classLabel", excerpt(label))),
        }
    }
}

fn read_row_lines<R: Read>(text: R, label: SeriesLabel) -> Result<SeriesTable> {
    let mut lines = Lines::new(text)?;
    let (mut series, mut targets) = (Vec::new(), TargetColumn::default());
    let mut delimiter = None;
    while lines.advance()? {
        let line = lines.number();
        let text = lines.current();
        if trim(text).is_empty() {
            continue;
        }
        let first = delimiter.is_none();
        let delimiter = *delimiter.get_or_insert_with(|| {
            [b'\t', b';'].into_iter().find(|&byte| memchr(byte, text).is_some()).unwrap_or(b',')
        });
        let mut fields: Vec<&[u8]> = text.split(|&byte| byte == delimiter).map(trim).collect();
        let skip = usize::from(label == SeriesLabel::First);
        let target = match label {
            SeriesLabel::Absent => None,
            SeriesLabel::First => fields.first().copied(),
            SeriesLabel::Last => fields.pop(),
        };
        let numbers = fields.get(skip..).unwrap_or_default();
        // Shorter series are filled up to the longest.
        let length = numbers.iter().rposition(|field| !field.is_empty()).map_or(0, |last| last + 1);
        let numbers = &numbers[..length];
        if first && !numbers.is_empty() && numbers.iter().all(|field| is_word(field)) {
            continue;
        }
        if numbers.is_empty() {
            return Err(error(line, 0, "a label without values".into()));
        }
        let mut values = Vec::with_capacity(numbers.len());
        for (k, field) in numbers.iter().enumerate() {
            values.push(value(field).map_err(|problem| error(line, k + skip, problem))?);
        }
        series.push(Series::univariate(values)?);
        if let Some(target) = target {
            let column = if skip == 1 { 0 } else { fields.len() };
            if target.is_empty() {
                return Err(error(line, column, "no label".into()));
            }
            targets.push(target).map_err(|bad| error(line, column, bad.problem))?;
        }
    }
    if series.is_empty() {
        return Err(Error::Empty { what: "time series" });
    }
    let targets = if label == SeriesLabel::Absent { Targets::Missing } else { targets.finish() };
    Ok(SeriesTable { series, targets })
}

/// Whether a field of a first row can only be a name.
fn is_word(field: &[u8]) -> bool {
    !field.is_empty() && !is_missing(field) && number::parse(field) == Err(Refusal::NotANumber)
}

/// A value of a series; missing ones are refused by their name.
fn value(token: &[u8]) -> Result<f64, String> {
    if is_missing(token) {
        return Err(format!(
            "the value `{}` is missing, and series are compared as a whole: fill it in",
            excerpt(token)
        ));
    }
    number::parse(token).map_err(|refusal| refusal.problem(token))
}

pub(super) fn is_missing(token: &[u8]) -> bool {
    token.is_empty()
        || token == b"?"
        || ["na", "nan", "-nan"].iter().any(|n| token.eq_ignore_ascii_case(n.as_bytes()))
}

fn trim(text: &[u8]) -> &[u8] {
    text.trim_ascii()
}

/// Where a piece of a line starts in it.
fn offset(text: &[u8], piece: &[u8]) -> usize {
    (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

#[cold]
fn error(line: u64, at: usize, problem: String) -> Error {
    Error::Parse { line: line.max(1), column: at as u64 + 1, problem }
}

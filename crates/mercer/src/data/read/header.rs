//! Whether the first record of a table holds names.

use std::io::Read;

use super::detect;
use super::layout::is_missing;
use super::lines::Lines;
use super::number::{self, Refusal};
use super::problem::excerpt;
use super::quote::Dialect;
use super::record::{FieldView, Record};
use super::table::next_with_content;
use crate::error::Result;

/// What tables call their labels.
const LABEL_NAMES: [&str; 4] = ["label", "target", "class", "y"];
/// What tables call their strings.
const TEXT_NAMES: [&str; 3] = ["text", "string", "sequence"];

/// What was decided about the first line of a table that could be names or data.
///
/// ```
/// use mercer::data::{ReadOptions, read_from};
/// let table = read_from("5,6,class\n1,2,x\n3,4,z\n".as_bytes(), &ReadOptions::default())?.table()?;
/// assert_eq!(table.rows(), 3);
/// let guess = table.remarks.header.unwrap();
/// assert!(!guess.is_header);
/// assert_eq!(guess.to_string(), "the first line is read as data: `5` in column 1 is a number, as are those below it");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderGuess {
    /// Whether it was taken for names; if not, it is the first row.
    pub is_header: bool,
    /// Why.
    pub reason: HeaderReason,
    /// The field that decided.
    pub field: String,
    /// Its column, from 0.
    pub column: usize,
}

/// Why a first line was taken for names, or for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderReason {
    /// A field is a number, and so are those below it: data.
    Number,
    /// A word is found again in its column: data.
    Recurs,
    /// No word is found again in its column: names.
    NothingRecurs,
    /// The label reads as columns of labels are called, and no row below has it: names.
    LabelName,
    /// The label is that of no row below, but does not read as columns of labels are called: data.
    OnlyLabel,
}

impl std::fmt::Display for HeaderGuess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (field, column) = (excerpt(self.field.as_bytes()), self.column + 1);
        let read_as = if self.is_header { "names" } else { "data" };
        write!(f, "the first line is read as {read_as}: ")?;
        match self.reason {
            HeaderReason::Number => {
                write!(f, "`{field}` in column {column} is a number, as are those below it")
            }
            HeaderReason::Recurs => write!(f, "`{field}` is found again in column {column}"),
            HeaderReason::NothingRecurs => write!(f, "none of its words is found again in its column"),
            HeaderReason::LabelName => write!(f, "`{field}` is a name of label columns, and no label below"),
            HeaderReason::OnlyLabel => {
                write!(f, "it may be names, since no label below is `{field}`")
            }
        }
    }
}

/// What stands in a column below the first record.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    Nothing,
    Numbers,
    Words,
}

/// Bytes that are looked at.
const WINDOW: usize = detect::WINDOW / 2;
/// Records that are looked at.
const MOST_RECORDS: usize = 1000;

/// The records that follow the first, as far as they are there already, and have as many fields.
pub(super) fn records_below<R: Read>(
    lines: &mut Lines<R>,
    dialect: Dialect,
    width: usize,
) -> Result<Vec<Record>> {
    let head = lines.peek(WINDOW)?;
    let is_cut = head.len() >= WINDOW;
    let mut lines = Lines::new(&head[..head.len().min(WINDOW)])?;
    let mut records = Vec::new();
    while records.len() <= MOST_RECORDS && next_with_content(&mut lines)? {
        let mut record = Record::with_longest(WINDOW);
        if record.split(&mut lines, dialect).is_err() || record.len() != width {
            break;
        }
        records.push(record);
    }
    if is_cut {
        records.pop();
    }
    Ok(records)
}

/// A first record, and some of those below it.
pub(super) struct FirstRecord<'a> {
    first: Vec<FieldView<'a>>,
    below: Vec<Vec<FieldView<'a>>>,
    /// The position of the label, if it is known.
    label: Option<usize>,
}

impl<'a> FirstRecord<'a> {
    pub fn new(first: &'a Record, below: &'a [Record], label: Option<usize>) -> Self {
        let below = below.iter().map(|record| record.iter().collect()).collect();
        FirstRecord { first: first.iter().collect(), below, label }
    }

    /// Whether a table of features begins with names; and a word about it where that could be otherwise. See
    /// [`Header::Auto`](super::Header::Auto).
    pub fn of_features(&self) -> (bool, Option<HeaderGuess>) {
        let features = || self.fields().filter(|(at, _)| Some(*at) != self.label);
        let word = features().find(|(_, field)| is_word(field));
        let is_number = |field: &FieldView| !is_word(field) && !is_missing(field.text);
        let above_others =
            |(at, field): &(usize, FieldView)| is_number(field) && self.column(*at) == Below::Numbers;
        let number = features().find(|(_, field)| is_number(field));
        let number = number.map(|first| features().find(above_others).unwrap_or(first));
        let label = self.label.and_then(|at| Some((at, *self.first.get(at)?)));
        let label_below = self.label.map_or(Below::Nothing, |at| self.column(at));
        let new_name = label.filter(|(at, field)| is_one_of(field, &LABEL_NAMES) && !self.recurs(*at, field));
        if let Some(number) = number {
            // Names that are numbers, beside a label that can be none.
            let are_names = label_below == Below::Numbers || word.is_some() || self.counts_columns();
            return match new_name {
                Some(name) if are_names && !self.below.is_empty() => {
                    let certain = label_below == Below::Numbers;
                    (true, guess(true, HeaderReason::LabelName, name).filter(|_| !certain))
                }
                Some(_) if self.below.is_empty() => (false, None),
                Some(_) => (false, guess(false, HeaderReason::Number, number)),
                None => (false, None),
            };
        }
        let Some(word) = word else {
            return (
                new_name.is_some(),
                new_name.and_then(|name| guess(true, HeaderReason::LabelName, name)),
            );
        };
        // A word where all others are numbers is none of them.
        let above_numbers =
            features().any(|(at, field)| is_word(&field) && self.column(at) == Below::Numbers);
        let label_above_numbers =
            label_below == Below::Numbers && label.is_some_and(|(_, field)| is_word(&field));
        if above_numbers || label_above_numbers || self.below.is_empty() {
            return (true, None);
        }
        // Words alone, in all rows.
        if let Some(again) = self.fields().find(|(at, field)| self.recurs(*at, field)) {
            return (false, guess(false, HeaderReason::Recurs, again));
        }
        match label {
            Some((at, field)) if label_below == Below::Numbers => {
                (false, guess(false, HeaderReason::Number, (at, field)))
            }
            _ if new_name.is_some() => (true, None),
            _ => (true, guess(true, HeaderReason::NothingRecurs, word)),
        }
    }

    /// The same of a table with strings in a column; its label may be any column or none.
    pub fn of_strings(&self, text: Option<usize>) -> (bool, Option<HeaderGuess>) {
        let field = |at: usize| self.first.get(at).map(|field| (at, *field));
        if let Some((at, text)) = text.and_then(field).filter(|(_, field)| is_one_of(field, &TEXT_NAMES)) {
            return match self.recurs(at, &text) {
                true => (false, guess(false, HeaderReason::Recurs, (at, text))),
                false => (true, None),
            };
        }
        let Some((at, label)) = self.label.and_then(field).filter(|(_, field)| is_word(field)) else {
            return (false, None);
        };
        if self.below.is_empty() || self.recurs(at, &label) {
            return (false, None);
        }
        match (is_one_of(&label, &LABEL_NAMES), self.column(at) == Below::Numbers) {
            (named, true) if named || self.below.len() > 1 => (true, None),
            (true, _) => (true, guess(true, HeaderReason::LabelName, (at, label))),
            (false, _) => (false, guess(false, HeaderReason::OnlyLabel, (at, label))),
        }
    }

    fn fields(&self) -> impl Iterator<Item = (usize, FieldView<'a>)> {
        self.first.iter().copied().enumerate()
    }

    /// What stands in a column below.
    fn column(&self, at: usize) -> Below {
        let mut found = Below::Nothing;
        for field in self.below.iter().filter_map(|record| record.get(at)) {
            if is_word(field) {
                return Below::Words;
            }
            if !is_missing(field.text) {
                found = Below::Numbers;
            }
        }
        found
    }

    /// Whether a field is a word that stands in its column again.
    fn recurs(&self, at: usize, field: &FieldView) -> bool {
        let again = |record: &Vec<FieldView>| record.get(at).is_some_and(|other| other.text == field.text);
        is_word(field) && self.below.iter().any(again)
    }

    /// Whether the features are numbered 0, 1, 2 … or 1, 2, 3 …, two at least.
    fn counts_columns(&self) -> bool {
        let features = self.fields().filter(|(at, _)| Some(*at) != self.label);
        let numbers: Option<Vec<f64>> = features.map(|(_, field)| number::parse(field.text).ok()).collect();
        numbers.is_some_and(|numbers| {
            let counts = |from: usize| numbers.iter().zip(from..).all(|(number, at)| *number == at as f64);
            numbers.len() > 1 && (counts(0) || counts(1))
        })
    }
}

fn guess(is_header: bool, reason: HeaderReason, (column, field): (usize, FieldView)) -> Option<HeaderGuess> {
    let field = String::from_utf8_lossy(field.text).into_owned();
    Some(HeaderGuess { is_header, reason, field, column })
}

fn is_word(field: &FieldView) -> bool {
    !is_missing(field.text) && number::parse(field.text) == Err(Refusal::NotANumber)
}

fn is_one_of(field: &FieldView, names: &[&str]) -> bool {
    names.iter().any(|name| field.text.eq_ignore_ascii_case(name.as_bytes()))
}

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
    /// The label is a word above numbers: names.
    AboveNumbers,
    /// The numbers among the features are whole and count up by one, and no word is found again in its column: names.
    CountsUp,
    /// The strings' field reads as columns of strings are called, and no row below has it: names.
    TextName,
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
            HeaderReason::AboveNumbers => write!(f, "`{field}` in column {column} stands above numbers"),
            HeaderReason::CountsUp => {
                write!(f, "from `{field}` on its numbers count up, and none of its words is found again")
            }
            HeaderReason::TextName => write!(f, "`{field}` is a name of text columns, and no text below"),
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
        let features = || self.features();
        let word = features().find(|(_, field)| is_word(field));
        let is_number = |field: &FieldView| !is_word(field) && !is_missing(field.text);
        let above_others =
            |(at, field): &(usize, FieldView)| is_number(field) && self.column(*at) == Below::Numbers;
        let number = features().find(|(_, field)| is_number(field));
        let number = number.map(|first| features().find(above_others).unwrap_or(first));
        let label = self.label.and_then(|at| Some((at, *self.first.get(at)?)));
        let label_below = self.label.map_or(Below::Nothing, |at| self.column(at));
        if let Some(number) = number {
            return self.beside_numbers(number, word, label);
        }
        let new_name = label.filter(|(at, field)| is_one_of(field, &LABEL_NAMES) && !self.recurs(*at, field));
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
            _ => match new_name {
                Some(name) => (true, guess(true, HeaderReason::LabelName, name)),
                None => (true, guess(true, HeaderReason::NothingRecurs, word)),
            },
        }
    }

    /// The same where a feature is a number: data, unless the label or the other features say that it is a name.
    fn beside_numbers(
        &self,
        number: Place<'a>,
        word: Option<Place<'a>>,
        label: Option<Place<'a>>,
    ) -> (bool, Option<HeaderGuess>) {
        let new = label.filter(|(at, field)| is_word(field) && !self.recurs(*at, field));
        let Some(name) = new.filter(|_| !self.below.is_empty()) else { return (false, None) };
        let is_known = is_one_of(&name.1, &LABEL_NAMES);
        if self.column(name.0) == Below::Numbers {
            return (true, guess(true, HeaderReason::AboveNumbers, name).filter(|_| !is_known));
        }
        if let Some(again) = self.features().find(|(at, field)| self.recurs(*at, field)) {
            return (false, guess(false, HeaderReason::Recurs, again));
        }
        if is_known && (word.is_some() || self.counts_columns()) {
            return (true, guess(true, HeaderReason::LabelName, name));
        }
        match word.and_then(|_| self.counts_up()) {
            Some(first) => (true, guess(true, HeaderReason::CountsUp, first)),
            None => (false, guess(false, HeaderReason::Number, number)),
        }
    }

    /// The same of a table with strings in a column; its label may be any column or none.
    pub fn of_strings(&self, text: Option<usize>) -> (bool, Option<HeaderGuess>) {
        let field = |at: usize| self.first.get(at).map(|field| (at, *field));
        let named = text.and_then(field).filter(|(_, field)| is_one_of(field, &TEXT_NAMES));
        let label = self.label.and_then(field);
        let word = label.filter(|(_, field)| is_word(field));
        if let Some(again) = [named, word].into_iter().flatten().find(|(at, field)| self.recurs(*at, field)) {
            return (false, guess(false, HeaderReason::Recurs, again).filter(|_| named.is_some()));
        }
        let above_numbers = |(at, _): &Place<'a>| self.column(*at) == Below::Numbers;
        if let Some(text) = named {
            // A number can be no name of a label.
            if let Some(number) = label.filter(|at| word.is_none() && above_numbers(at)) {
                return (false, guess(false, HeaderReason::Number, number));
            }
            let is_name = |label: &Place<'a>| is_one_of(&label.1, &LABEL_NAMES) || above_numbers(label);
            let is_certain = self.below.is_empty() || word.is_some_and(|label| is_name(&label));
            return (true, guess(true, HeaderReason::TextName, text).filter(|_| !is_certain));
        }
        let Some(label) = word.filter(|_| !self.below.is_empty()) else { return (false, None) };
        match (is_one_of(&label.1, &LABEL_NAMES), above_numbers(&label)) {
            (named, true) if named || self.below.len() > 1 => (true, None),
            (true, _) => (true, guess(true, HeaderReason::LabelName, label)),
            (false, _) => (false, guess(false, HeaderReason::OnlyLabel, label)),
        }
    }

    /// The features of the first record.
    fn features(&self) -> impl Iterator<Item = Place<'a>> {
        self.fields().filter(|(at, _)| Some(*at) != self.label)
    }

    fn fields(&self) -> impl Iterator<Item = Place<'a>> {
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
        let numbers: Option<Vec<f64>> =
            self.features().map(|(_, field)| number::parse(field.text).ok()).collect();
        numbers.is_some_and(|numbers| {
            let counts = |from: usize| numbers.iter().zip(from..).all(|(number, at)| *number == at as f64);
            numbers.len() > 1 && (counts(0) || counts(1))
        })
    }

    /// The first number, if the numbers among the features are whole ones that count up by one, 2019, 2020 …, two at least, as those
    /// of some row below do not.
    fn counts_up(&self) -> Option<Place<'a>> {
        let places: Vec<Place<'a>> =
            self.features().filter(|(_, field)| number::parse(field.text).is_ok()).collect();
        let counts = |fields: &[FieldView<'a>]| {
            let numbers: Option<Vec<f64>> =
                places.iter().map(|(at, _)| number::parse(fields.get(*at)?.text).ok()).collect();
            numbers.is_some_and(|numbers| {
                numbers.iter().all(|number| number.fract() == 0.0)
                    && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0)
            })
        };
        let is_other = self.below.iter().any(|record| !counts(record));
        (places.len() > 1 && counts(&self.first) && is_other).then(|| places[0])
    }
}

/// A field and its position.
type Place<'a> = (usize, FieldView<'a>);

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

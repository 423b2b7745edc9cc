//! What the first record of a table and the options say about all others: which column plays which part.

use super::header::{FirstRecord, HeaderGuess};
use super::number::{self, Refusal};
use super::options::{Column, Header, LabelColumn, ReadOptions, Words};
use super::problem::{excerpt, not_text};
use super::quote::Dialect;
use super::record::{FieldView, Record};
use crate::data::{FeatureValues, Schema};
use crate::error::{Error, Result};

/// The part that a column plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A feature of numbers, so far.
    Number(usize),
    /// A feature of words.
    Words(usize),
    Label,
    Weight,
    Group,
    Ignored,
}

pub(super) struct Layout {
    pub dialect: Dialect,
    /// One per column.
    pub roles: Vec<Role>,
    /// The column of each feature.
    pub features: Vec<usize>,
    pub names: Option<Vec<String>>,
    pub first_line: u64,
    /// Whether words among numbers make a column one of words.
    pub encodes: bool,
    /// What was decided about the first record, where it could be names or data.
    pub header: Option<HeaderGuess>,
}

impl Layout {
    pub fn new(
        first: &Record,
        below: &[Record],
        line: u64,
        dialect: Dialect,
        options: &ReadOptions,
    ) -> Result<Self> {
        let width = first.len();
        let schema = options.schema.as_deref();
        let label = match (&options.label, schema) {
            (LabelColumn::Auto, None) => Some(Column::FromEnd(0)),
            (label, _) => label.column(),
        };
        let said: Vec<&Column> = label
            .iter()
            .chain(&options.ignore)
            .chain(&options.word_columns)
            .chain(&options.weight)
            .chain(&options.group)
            .collect();
        let by_name = said.iter().any(|column| matches!(column, Column::Name(_)));
        let mut columns = Columns { width, line, names: None };
        let (has_names, header) = match options.header {
            Header::Present => (true, None),
            Header::Absent if by_name => {
                return Err(columns.error("a column given by name needs a header".into()));
            }
            Header::Absent => (false, None),
            Header::Auto if by_name => (true, None),
            Header::Auto => {
                let position = label.as_ref().and_then(|column| columns.position(column));
                match schema {
                    Some(schema) => names_as_trained(schema, first, below, position),
                    None => FirstRecord::new(first, below, position).of_features(),
                }
            }
        };
        columns.names = if has_names { Some(names(first)?) } else { None };
        let label = label.map(|column| columns.find(&column, "the label")).transpose()?;
        let mut roles = match schema {
            Some(schema) => roles_as_trained(schema, &columns, label, &options.label)?,
            None => {
                let mut roles = vec![Role::Number(0); width];
                if let Some(label) = label {
                    roles[label] = Role::Label;
                }
                roles
            }
        };
        let mut give = |column: &Column, role: Role, what: &str| -> Result<()> {
            let at = columns.find(column, what)?;
            if matches!(roles[at], Role::Label | Role::Weight | Role::Group) {
                let problem = format!("the column for {what} already has another use");
                return Err(Error::Parse { line, column: at as u64 + 1, problem });
            }
            roles[at] = role;
            Ok(())
        };
        options.weight.iter().try_for_each(|column| give(column, Role::Weight, "weights"))?;
        options.group.iter().try_for_each(|column| give(column, Role::Group, "groups"))?;
        options.ignore.iter().try_for_each(|column| give(column, Role::Ignored, "what is ignored"))?;
        options.word_columns.iter().try_for_each(|column| give(column, Role::Words(0), "words"))?;
        let features = match schema {
            Some(schema) => in_order(schema, &roles, &columns)?,
            None => number_features(&mut roles),
        };
        if schema.is_none() {
            check_count(first, features.len(), line, dialect.delimiter, options)?;
        }
        let encodes = schema.is_none() && options.words == Words::Encode;
        Ok(Layout { dialect, roles, features, names: columns.names, first_line: line, encodes, header })
    }

    /// Fields of a record.
    pub fn width(&self) -> usize {
        self.roles.len()
    }

    pub fn label(&self) -> Option<usize> {
        self.roles.iter().position(|&role| role == Role::Label)
    }

    pub fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }
}

/// The columns of a table by number and name.
struct Columns {
    width: usize,
    line: u64,
    names: Option<Vec<String>>,
}

impl Columns {
    /// The position of a column that is given by its number.
    fn position(&self, column: &Column) -> Option<usize> {
        match *column {
            Column::Name(_) => None,
            Column::At(position) => Some(position),
            Column::FromEnd(back) => (self.width - 1).checked_sub(back),
        }
    }

    /// The position of a column.
    fn find(&self, column: &Column, what: &str) -> Result<usize> {
        let width = self.width;
        match column {
            Column::Name(name) => self.named(name)?.ok_or_else(|| {
                self.error(format!(
                    "no column is called `{}`; there are {}",
                    excerpt(name.as_bytes()),
                    listed(self.names.as_deref().unwrap_or_default())
                ))
            }),
            Column::At(position) if *position < width => Ok(*position),
            Column::FromEnd(back) if *back < width => Ok(width - 1 - back),
            Column::At(position) => {
                Err(self
                    .error(format!("no column {} for {what}: there are {width}", position.saturating_add(1))))
            }
            Column::FromEnd(back) => Err(self.error(format!(
                "no column {} from the end for {what}: there are {width}",
                back.saturating_add(1)
            ))),
        }
    }

    /// The one column of this name.
    fn named(&self, name: &str) -> Result<Option<usize>> {
        let names = self.names.as_deref().unwrap_or_default();
        let mut found = (0..names.len()).filter(|&column| names[column] == name);
        match (found.next(), found.next()) {
            (first, None) => Ok(first),
            (_, Some(second)) => Err(Error::Parse {
                line: self.line,
                column: second as u64 + 1,
                problem: format!("a second column called `{}`", excerpt(name.as_bytes())),
            }),
        }
    }

    fn error(&self, problem: String) -> Error {
        Error::Parse { line: self.line, column: self.width as u64, problem }
    }
}

fn role_of(values: &FeatureValues, feature: usize) -> Role {
    match values {
        FeatureValues::Numbers { .. } => Role::Number(feature),
        FeatureValues::Words { .. } => Role::Words(feature),
    }
}

/// Parts as in the training: by name where both have names, else by position.
fn roles_as_trained(
    schema: &Schema,
    columns: &Columns,
    label: Option<usize>,
    asked: &LabelColumn,
) -> Result<Vec<Role>> {
    let width = columns.width;
    let mut roles = vec![Role::Ignored; width];
    let trained_names = schema.features.iter().all(|feature| feature.name.is_some());
    if columns.names.is_some() && trained_names {
        for (f, feature) in schema.features.iter().enumerate() {
            let name = feature.name.as_deref().unwrap_or_default();
            let at = columns.find(&Column::Name(name.to_string()), "a feature")?;
            roles[at] = role_of(&feature.values, f);
        }
        let label = match (label, &schema.label_name) {
            (None, Some(name)) if *asked != LabelColumn::Absent => columns.named(name)?,
            _ => label,
        };
        if let Some(label) = label {
            roles[label] = Role::Label;
        }
        return Ok(roles);
    }
    let without_label = schema.label.filter(|_| width + 1 == schema.width);
    if width != schema.width && without_label.is_none() {
        let less = schema.label.map_or(String::new(), |_| format!(" ({} without labels)", schema.width - 1));
        let problem = format!("{width} fields, but the training had {}{less}", schema.width);
        return Err(columns.error(problem));
    }
    for (f, feature) in schema.features.iter().enumerate() {
        let shift = usize::from(without_label.is_some_and(|label| label < feature.position));
        roles[feature.position - shift] = role_of(&feature.values, f);
    }
    let trained = schema.label.filter(|_| without_label.is_none() && *asked != LabelColumn::Absent);
    if let Some(label) = label.or(trained) {
        roles[label] = Role::Label;
    }
    Ok(roles)
}

/// The column of each feature of the training.
fn in_order(schema: &Schema, roles: &[Role], columns: &Columns) -> Result<Vec<usize>> {
    (0..schema.features.len())
        .map(|f| {
            let plays = |role: &Role| matches!(*role, Role::Number(g) | Role::Words(g) if g == f);
            roles.iter().position(plays).ok_or_else(|| {
                columns.error(format!("column `{}` is a feature of the model", schema.features[f].title()))
            })
        })
        .collect()
}

/// Numbers the features from left to right.
fn number_features(roles: &mut [Role]) -> Vec<usize> {
    let mut features = Vec::new();
    for (column, role) in roles.iter_mut().enumerate() {
        match role {
            Role::Number(feature) | Role::Words(feature) => {
                *feature = features.len();
                features.push(column);
            }
            _ => {}
        }
    }
    features
}

fn check_count(
    first: &Record,
    features: usize,
    line: u64,
    delimiter: u8,
    options: &ReadOptions,
) -> Result<()> {
    let what = "feature columns";
    if features == 0 {
        let only = first.iter().next().map_or(&b""[..], |field| field.text);
        let problem = match number::parse(only) {
            Err(refusal @ Refusal::TooLong) => refusal.problem(only),
            _ if first.len() > 1 => "no column is left for the features".into(),
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
    Ok(())
}

/// Whether the record holds the names of all features of the training.
fn names_of(schema: &Schema, first: &Record) -> bool {
    !schema.features.is_empty()
        && schema.features.iter().all(|feature| match &feature.name {
            Some(name) => first.iter().any(|field| field.text == name.as_bytes()),
            None => false,
        })
}

/// Whether the record holds names, for a table that is read like another; and a word about it where it may not.
fn names_as_trained(
    schema: &Schema,
    first: &Record,
    below: &[Record],
    label: Option<usize>,
) -> (bool, Option<HeaderGuess>) {
    let has_numbers =
        schema.features.iter().any(|feature| matches!(feature.values, FeatureValues::Numbers { .. }));
    let had_names = schema.features.iter().any(|feature| feature.name.is_some());
    if names_of(schema, first) {
        return (true, None);
    }
    // Words alone do not tell: without names there, there are none here.
    if !had_names && !has_numbers {
        return (false, None);
    }
    let label = label.or(schema.label.filter(|_| first.len() == schema.width));
    FirstRecord::new(first, below, label).of_features()
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
pub(super) fn is_missing(text: &[u8]) -> bool {
    let spellings: [&[u8]; 6] = [b"", b"?", b"na", b"n/a", b"nan", b"null"];
    text.len() <= 4 && spellings.iter().any(|spelling| text.eq_ignore_ascii_case(spelling))
}

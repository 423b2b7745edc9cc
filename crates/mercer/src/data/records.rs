//! Records: rows whose columns are numbers, categories or text.

use serde::{Deserialize, Serialize};

use crate::data::word::without_zeros;
use crate::error::{Error, Result};

/// What a column of records holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// Finite numbers.
    Number,
    /// One of some words, which are the same or not.
    Category,
    /// Text that has an inside.
    Text,
}

impl std::fmt::Display for CellKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            CellKind::Number => "numbers",
            CellKind::Category => "categories",
            CellKind::Text => "text",
        })
    }
}

/// A value of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// A finite number.
    Number(f64),
    /// A word.
    Category(String),
    /// Some text.
    Text(String),
}

impl Cell {
    /// What it is.
    pub fn kind(&self) -> CellKind {
        match self {
            Cell::Number(_) => CellKind::Number,
            Cell::Category(_) => CellKind::Category,
            Cell::Text(_) => CellKind::Text,
        }
    }
}

/// One record: a value for each column of its [`RecordSchema`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Record {
    cells: Vec<Cell>,
}

impl Record {
    /// The values, in the order of the columns.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

/// The columns that records have: their names, and what they hold.
///
/// ```
/// use mercer::data::{Cell, CellKind, RecordSchema};
/// let schema = RecordSchema::new([("age", CellKind::Number), ("job", CellKind::Category)])?;
/// let record = schema.record(vec![Cell::Number(34.0), Cell::Category("baker".into())])?;
/// assert_eq!(record.cells().len(), 2);
///
/// let error = schema.record(vec![Cell::Number(34.0), Cell::Text("bakes bread".into())]).unwrap_err();
/// assert_eq!(error.to_string(), "column `job` holds categories, not text");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(String, CellKind)>", into = "Vec<(String, CellKind)>")]
pub struct RecordSchema {
    columns: Vec<(String, CellKind)>,
}

impl RecordSchema {
    /// Columns of these names and kinds.
    ///
    /// # Errors
    /// [`Error::Empty`] without columns, [`Error::Unsupported`] for a name that stands twice.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = (S, CellKind)>) -> Result<Self> {
        let columns: Vec<(String, CellKind)> =
            columns.into_iter().map(|(name, kind)| (name.into(), kind)).collect();
        if columns.is_empty() {
            return Err(Error::Empty { what: "columns in the records" });
        }
        for (k, (name, _)) in columns.iter().enumerate() {
            if columns[..k].iter().any(|(other, _)| other == name) {
                return Err(Error::Unsupported { what: format!("two columns are called `{name}`") });
            }
        }
        Ok(RecordSchema { columns })
    }

    /// Names and kinds, in order.
    pub fn columns(&self) -> &[(String, CellKind)] {
        &self.columns
    }

    /// Where the column of this name and kind stands.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if there is none.
    pub fn position(&self, name: &str, kind: CellKind) -> Result<usize> {
        match self.columns.iter().position(|(other, _)| other == name) {
            Some(at) => check_kind(name, self.columns[at].1, kind).map(|()| at),
            None => {
                let names: Vec<&str> = self.columns.iter().map(|(name, _)| &**name).collect();
                let what = format!("no column is called `{name}`: there are {}", names.join(", "));
                Err(Error::Unsupported { what })
            }
        }
    }

    /// A record of these values.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values than columns, [`Error::Unsupported`] for one of another kind,
    /// [`Error::Entry`] for a number that is not finite.
    pub fn record(&self, mut cells: Vec<Cell>) -> Result<Record> {
        if cells.len() != self.columns.len() {
            let what = "values of the record";
            return Err(Error::Shape { what, expected: self.columns.len(), found: cells.len() });
        }
        for (index, (cell, (name, kind))) in cells.iter().zip(&self.columns).enumerate() {
            check_kind(name, *kind, cell.kind())?;
            if let &Cell::Number(value) = cell
                && !value.is_finite()
            {
                return Err(Error::Entry {
                    what: "value of column",
                    index,
                    value,
                    expected: "a finite number",
                });
            }
        }
        for cell in &mut cells {
            if let Cell::Category(word) = cell {
                word.truncate(without_zeros(word).len());
            }
        }
        Ok(Record { cells })
    }
}

fn check_kind(name: &str, holds: CellKind, other: CellKind) -> Result<()> {
    if holds == other {
        return Ok(());
    }
    Err(Error::Unsupported { what: format!("column `{name}` holds {holds}, not {other}") })
}

impl TryFrom<Vec<(String, CellKind)>> for RecordSchema {
    type Error = Error;

    fn try_from(columns: Vec<(String, CellKind)>) -> Result<Self> {
        RecordSchema::new(columns)
    }
}

impl From<RecordSchema> for Vec<(String, CellKind)> {
    fn from(schema: RecordSchema) -> Self {
        schema.columns
    }
}

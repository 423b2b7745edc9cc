//! A data file in memory: rows, targets and names.

use std::sync::Arc;

use crate::data::{HeaderGuess, Items, Schema, Targets, Vectors, check_weights};
use crate::error::{Error, Result};

/// Numeric rows together with what a file says about them.
///
/// The readers make one, the writers take one.
///
/// ```
/// use mercer::data::{Table, Targets, Vectors};
/// let rows = Vectors::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?;
/// let table = Table::new(rows, Targets::Numbers(vec![1.0, -1.0]))?;
/// assert!(table.feature_names.is_none());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table<'a> {
    /// The rows: sparse from LIBSVM files, dense from tables.
    pub vectors: Vectors<'a>,
    /// What is to be learned, one per row.
    pub targets: Targets,
    /// The group (`qid`) of each row, where the file has groups.
    pub groups: Option<Vec<u64>>,
    /// The weight of each row, where a column of weights was asked for.
    pub weights: Option<Vec<f64>>,
    /// The names of the columns of `vectors`, where the file has a header.
    pub feature_names: Option<Vec<String>>,
    /// The name of the target column, where the file has a header.
    pub target_name: Option<String>,
    /// Which columns of a table became the features, so that others can be read alike.
    pub schema: Option<Arc<Schema>>,
    /// What the reader has noticed.
    pub remarks: Remarks,
}

/// What a reader has noticed about a table that it could read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remarks {
    /// Rows left out because a value was missing, counted from 0.
    pub dropped: Vec<usize>,
    /// Rows without a label, where none is needed.
    pub unlabelled: u64,
    /// Values that were missing and have been filled in.
    pub filled: u64,
    /// Words that the training did not have.
    pub unseen: u64,
    /// The first of them: its column and itself.
    pub first_unseen: Option<(String, String)>,
    /// Rows with values in columns that the training did not have, where that is allowed.
    pub beyond: u64,
    /// Columns that will hardly be of use.
    pub doubtful: Vec<Doubt>,
    /// What was decided about a first line that could be names or data.
    pub header: Option<HeaderGuess>,
}

/// Why a column will hardly be of use, and which it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It is the same in all rows.
    Constant(String),
    /// It is a whole number that names the row, or a word that no other row has.
    Identifier(String),
    /// All its words stand in quotes, which the format keeps.
    Quoted(String),
}

impl Remarks {
    /// The number of each of `rows` rows among those of the file, counted from 0; `None` if none was left out.
    pub fn numbers(&self, rows: usize) -> Option<Vec<usize>> {
        let mut dropped = self.dropped.iter().peekable();
        (!self.dropped.is_empty()).then(|| {
            let kept = (0..rows + self.dropped.len()).filter(|row| dropped.next_if_eq(&row).is_none());
            kept.collect()
        })
    }
}

impl<'a> Table<'a> {
    /// Rows and targets without groups, weights and names.
    ///
    /// # Errors
    /// [`Error::Shape`] if there is not one target per row, [`Error::Entry`] for one that is not finite.
    pub fn new(vectors: Vectors<'a>, targets: Targets) -> Result<Self> {
        let table = Table {
            vectors,
            targets,
            groups: None,
            weights: None,
            feature_names: None,
            target_name: None,
            schema: None,
            remarks: Remarks::default(),
        };
        table.check()?;
        Ok(table)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.vectors.len()
    }

    /// Checks that targets, groups, weights and names fit the rows, and that numeric targets are finite.
    ///
    /// ```
    /// use mercer::data::{Table, Targets, Vectors};
    /// let mut table = Table::new(Vectors::from_rows(&[[1.0, 2.0]])?, Targets::Missing)?;
    /// table.feature_names = Some(vec!["only one".into()]);
    /// assert_eq!(table.check().unwrap_err().to_string(), "feature names: expected 2, found 1");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`].
    pub fn check(&self) -> Result<()> {
        let same = |what, expected, found: Option<usize>| match found {
            Some(found) if found != expected => Err(Error::Shape { what, expected, found }),
            _ => Ok(()),
        };
        same("targets (one per row)", self.rows(), self.targets.rows())?;
        same("groups (one per row)", self.rows(), self.groups.as_ref().map(Vec::len))?;
        same("feature names", self.vectors.columns(), self.feature_names.as_ref().map(Vec::len))?;
        if let Some(weights) = &self.weights {
            check_weights(weights, self.rows())?;
        }
        if let Targets::Numbers(numbers) = &self.targets
            && let Some(index) = numbers.iter().position(|value| !value.is_finite())
        {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index, value: numbers[index], expected });
        }
        Ok(())
    }
}

//! What a table looks like to a model: which of its columns are features, and what they become.

use serde::{Deserialize, Serialize};

use crate::data::{Dense, Quote};
use crate::error::{Error, Result};

/// What is done about values that a table does not have.
///
/// ```
/// use mercer::data::{Missing, ReadOptions, read_from};
/// let text = "a,b,kind\n1,2,x\n3,?,y\n5,4,y\n";
/// let rows = |missing| {
///     let options = ReadOptions { missing: Some(missing), ..ReadOptions::default() };
///     Ok::<_, mercer::Error>(read_from(text.as_bytes(), &options)?.table()?.rows())
/// };
/// assert!(rows(Missing::Refuse).is_err());
/// assert_eq!((rows(Missing::Drop)?, rows(Missing::Mean)?), (2, 3));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// It is an error, which names the place.
    #[default]
    Refuse,
    /// The row is left out.
    Drop,
    /// A number becomes the mean of its column, a word the share of each word in its column.
    Mean,
}

/// The columns of a table that a model was trained on, so that tables to come are read alike.
///
/// A column of numbers is a feature as it is. A column of words becomes one feature per word, 1 where the word
/// stands and 0 elsewhere; a word that the training did not have is 0 in all of them.
///
/// ```
/// use mercer::data::{ReadOptions, Vectors, Words, read_from};
/// let options = ReadOptions { words: Words::Encode, ..ReadOptions::default() };
/// let table = read_from("size,colour,kind\n1,red,x\n2,blue,y\n".as_bytes(), &options)?.table()?;
/// assert_eq!(table.feature_names.as_ref().unwrap(), &["size", "colour=blue", "colour=red"]);
///
/// // Columns are found by their names; a label may be missing.
/// let options = ReadOptions { schema: table.schema, ..ReadOptions::default() };
/// let new = read_from("colour,size\nred,5\ngreen,6\n".as_bytes(), &options)?.table()?;
/// assert_eq!(new.vectors, Vectors::from_rows(&[[5.0, 0.0, 1.0], [6.0, 0.0, 0.0]])?);
/// assert_eq!(new.remarks.unseen, 1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// Fields of a record.
    pub width: usize,
    /// Position of the label column, from 0.
    pub label: Option<usize>,
    /// Its name, where the table had names.
    pub label_name: Option<String>,
    /// The columns that are features, in order.
    pub features: Vec<Feature>,
    /// What was done about missing values.
    pub missing: Missing,
    /// Whether fields may be quoted, where an option said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<Quote>,
}

/// One column of a table that a model makes use of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    /// Position among all columns of the table, from 0.
    pub position: usize,
    /// Its name, where the table had names.
    pub name: Option<String>,
    /// What stands in it.
    pub values: FeatureValues,
}

/// What stands in a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeatureValues {
    /// Numbers, with this mean.
    Numbers {
        /// The mean of those that are not missing.
        mean: f64,
    },
    /// Words.
    Words {
        /// The different ones, in order.
        levels: Vec<String>,
        /// The share of the rows that each stands in.
        shares: Vec<f64>,
    },
}

impl FeatureValues {
    /// Features that the column becomes.
    pub fn columns(&self) -> usize {
        match self {
            FeatureValues::Numbers { .. } => 1,
            FeatureValues::Words { levels, .. } => levels.len(),
        }
    }
}

impl Feature {
    /// The name, or the number of the column from 1.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) if !name.is_empty() => name.clone(),
            _ => (self.position + 1).to_string(),
        }
    }
}

/// Stands for a word that is not known.
pub(crate) const UNSEEN: f64 = -1.0;

impl Schema {
    /// Columns of numbers alone, by their names if they have any, with the label behind them.
    ///
    /// ```
    /// use mercer::data::Schema;
    /// assert_eq!(Schema::of_numbers(4, None, None).columns(), 4);
    /// ```
    pub fn of_numbers(columns: usize, names: Option<&[String]>, label_name: Option<String>) -> Self {
        let feature = |position: usize| Feature {
            position,
            name: names.and_then(|names| names.get(position)).cloned(),
            values: FeatureValues::Numbers { mean: 0.0 },
        };
        Schema {
            width: columns.saturating_add(1),
            label: Some(columns),
            label_name,
            features: (0..columns).map(feature).collect(),
            missing: Missing::Refuse,
            quote: None,
        }
    }

    /// Number of features that rows have in the end.
    pub fn columns(&self) -> usize {
        self.features.iter().map(|feature| feature.values.columns()).sum()
    }

    /// Whether any column holds words.
    pub fn has_words(&self) -> bool {
        self.features.iter().any(|feature| matches!(feature.values, FeatureValues::Words { .. }))
    }

    /// Names of the features in the end, `column=word` for words; where the table had names.
    pub fn names(&self) -> Option<Vec<String>> {
        let mut names = Vec::with_capacity(self.columns());
        for feature in &self.features {
            let name = feature.name.as_ref()?;
            match &feature.values {
                FeatureValues::Numbers { .. } => names.push(name.clone()),
                FeatureValues::Words { levels, .. } => {
                    names.extend(levels.iter().map(|level| format!("{name}={level}")))
                }
            }
        }
        Some(names)
    }

    /// The column of the table that a feature in the end comes from, as a position in [`Schema::features`].
    pub fn origin(&self, column: usize) -> Option<usize> {
        let mut end = 0;
        self.features.iter().position(|feature| {
            end += feature.values.columns();
            column < end
        })
    }

    /// Checks that the parts fit together, as those of a file may not.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`].
    pub fn check(&self) -> Result<()> {
        let entry = |what, index, value, expected| Err(Error::Entry { what, index, value, expected });
        if let Some(label) = self.label.filter(|&label| label >= self.width) {
            return entry("column of the label", 0, label as f64, "a position in the table");
        }
        let mut taken = std::collections::HashSet::new();
        for (at, feature) in self.features.iter().enumerate() {
            let is_taken = self.label == Some(feature.position) || !taken.insert(feature.position);
            if feature.position >= self.width || is_taken {
                let expected = "a position in the table that neither the label nor another feature has";
                return entry("column of feature", at, feature.position as f64, expected);
            }
            let numbers = match &feature.values {
                FeatureValues::Numbers { mean } => std::slice::from_ref(mean),
                FeatureValues::Words { levels, shares } if levels.len() != shares.len() => {
                    let what = "shares (one per word)";
                    return Err(Error::Shape { what, expected: levels.len(), found: shares.len() });
                }
                FeatureValues::Words { shares, .. } => &shares[..],
            };
            if let Some(&value) = numbers.iter().find(|value| !value.is_finite()) {
                return entry("mean or share of feature", at, value, "a finite number");
            }
        }
        Ok(())
    }

    /// Rows of features from rows of cells: a cell is a number, the position of a word among the levels, [`UNSEEN`],
    /// or NaN where there is no value.
    pub(crate) fn encode(&self, cells: Vec<f64>, rows: usize) -> Result<Dense<'static, f64>> {
        if !self.has_words() {
            let mut cells = cells;
            for row in cells.chunks_exact_mut(self.features.len().max(1)) {
                for (cell, feature) in row.iter_mut().zip(&self.features) {
                    if let (true, FeatureValues::Numbers { mean }) = (cell.is_nan(), &feature.values) {
                        *cell = *mean;
                    }
                }
            }
            return Dense::new(cells, rows, self.features.len());
        }
        let columns = self.columns();
        let mut values = Vec::with_capacity(rows * columns);
        for row in cells.chunks_exact(self.features.len()) {
            for (&cell, feature) in row.iter().zip(&self.features) {
                match &feature.values {
                    FeatureValues::Numbers { mean } => values.push(if cell.is_nan() { *mean } else { cell }),
                    FeatureValues::Words { shares, .. } if cell.is_nan() => values.extend_from_slice(shares),
                    FeatureValues::Words { levels, .. } => values
                        .extend((0..levels.len()).map(|level| f64::from(u8::from(level as f64 == cell)))),
                }
            }
        }
        Dense::new(values, rows, columns)
    }
}

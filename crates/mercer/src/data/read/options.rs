//! What a user may say about a file before it is read.

use std::sync::Arc;

use super::quote::Quote;
use crate::data::{Missing, Schema};

/// The layout of a text file.
///
/// ```
/// use mercer::data::Format;
/// assert_eq!(Format::Tsv.delimiter(), Some(b'\t'));
/// assert_eq!(Format::Libsvm.delimiter(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `label [qid:group] index:value … [# comment]` as LIBSVM and svmlight write it.
    Libsvm,
    /// A table with commas between the fields.
    Csv,
    /// A table with tabs between the fields.
    Tsv,
    /// A table with semicolons between the fields.
    Semicolons,
}

impl Format {
    /// The byte between two fields; `None` for [`Format::Libsvm`].
    pub fn delimiter(self) -> Option<u8> {
        match self {
            Format::Libsvm => None,
            Format::Csv => Some(b','),
            Format::Tsv => Some(b'\t'),
            Format::Semicolons => Some(b';'),
        }
    }
}

/// Whether the first record of a table holds names.
///
/// ```
/// use mercer::data::{Header, ReadOptions, read_from};
/// let rows = |header| {
///     let options = ReadOptions { header, ..ReadOptions::default() };
///     Ok::<_, mercer::Error>(read_from("1,2,3\n4,5,6\n".as_bytes(), &options)?.table()?.rows())
/// };
/// assert_eq!((rows(Header::Auto)?, rows(Header::Present)?), (2, 1));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// It does if a column is asked for by name, or if it cannot be data: it has no number among its features, but a word above a
    /// column of numbers.
    ///
    /// Words above columns of words are names if none of them is found again in its column, and data if one is. A number among the features
    /// means data, unless the label's field is a word that is not found again, and stands above numbers; or is `label`, `target`, `class` or
    /// `y` beside another word or features numbered 0, 1, 2 … or 1, 2, 3 …; or stands beside another word that is not found again and
    /// numbers that count up by one (2019, 2020 …).
    /// What could have been decided otherwise is in [`Remarks::header`](crate::data::Remarks). The rows looked at are those in the first
    /// 32 KiB, 1000 at most.
    #[default]
    Auto,
    /// It does.
    Present,
    /// It does not.
    Absent,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// The column of this name.
    Name(String),
    /// The column at this position, from 0.
    At(usize),
    /// The column at this position from the end; 0 is the last one.
    FromEnd(usize),
}

/// Which column of a table holds the labels.
///
/// ```
/// use mercer::data::LabelColumn;
/// assert_eq!(LabelColumn::default(), LabelColumn::Auto);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LabelColumn {
    /// The column of this name.
    Name(String),
    /// The column at this position, from 0.
    At(usize),
    /// The column at this position from the end; 0 is the last one.
    FromEnd(usize),
    /// The last one; for a table that is read by the [`Schema`] of another, the label column of that, if it is there.
    #[default]
    Auto,
    /// None: all columns are features.
    Absent,
}

impl LabelColumn {
    /// The column, if one is named.
    pub(super) fn column(&self) -> Option<Column> {
        match self {
            LabelColumn::Name(name) => Some(Column::Name(name.clone())),
            LabelColumn::At(position) => Some(Column::At(*position)),
            LabelColumn::FromEnd(position) => Some(Column::FromEnd(*position)),
            LabelColumn::Auto | LabelColumn::Absent => None,
        }
    }
}

/// What is done about features that are words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Words {
    /// They are an error, which names the place.
    #[default]
    Refuse,
    /// A column of them becomes one feature per word. A column that is mostly numbers stays an error.
    Encode,
}

/// How to read a file; the default looks at the content and takes the last column of a table for the label.
///
/// ```
/// use mercer::data::{LabelColumn, ReadOptions, read_from};
/// let options = ReadOptions { label: LabelColumn::Name("kind".into()), ..ReadOptions::default() };
/// let table = read_from("kind,a,b\nx,1,2\ny,3,4\n".as_bytes(), &options)?.table()?;
/// assert_eq!(table.targets.labels()?.classes(), ["x", "y"]);
/// assert_eq!(table.feature_names.as_deref(), Some(&["a".to_string(), "b".to_string()][..]));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// The format, if it shall not be told from the content.
    pub format: Option<Format>,
    /// Whether fields of a table may be quoted; `None` means as the schema says, or as is usual for the format
    /// ([`Quote::usual`]).
    pub quote: Option<Quote>,
    /// Whether a table has a header.
    pub header: Header,
    /// The label column of a table.
    pub label: LabelColumn,
    /// The rows get at least so many columns. In a LIBSVM file the columns beyond the last index are zero; a
    /// table with fewer features is refused.
    pub min_columns: usize,
    /// A file with more columns is refused.
    pub max_columns: Option<usize>,
    /// What is done about words among the features of a table.
    pub words: Words,
    /// Columns of a table that are words even where they look like numbers, such as codes.
    pub word_columns: Vec<Column>,
    /// What is done about missing values; `None` means as the schema says, or to refuse them.
    pub missing: Option<Missing>,
    /// Columns of a table that are left out.
    pub ignore: Vec<Column>,
    /// The column of a table that holds weights of rows.
    pub weight: Option<Column>,
    /// The column of a table that says which rows belong together.
    pub group: Option<Column>,
    /// Whether rows of a table may have no label, as for machines that learn none.
    pub unlabelled: bool,
    /// Read a table as that of the training was read; the label column may be missing.
    pub schema: Option<Arc<Schema>>,
}

impl ReadOptions {
    /// Whether fields may be quoted, if the options or the schema say so.
    pub(super) fn quote(&self) -> Option<Quote> {
        self.quote.or(self.schema.as_ref().and_then(|schema| schema.quote))
    }

    /// What is done about missing values.
    pub(super) fn missing(&self) -> Missing {
        let trained = self.schema.as_ref().map(|schema| match schema.missing {
            // Every row that is asked about gets an answer, or an error.
            Missing::Drop => Missing::Refuse,
            other => other,
        });
        self.missing.or(trained).unwrap_or_default()
    }

    /// Asks for exactly `columns` features, as a trained model does.
    ///
    /// ```
    /// use mercer::data::{ReadOptions, read_from};
    /// let options = ReadOptions::default().columns(5);
    /// let table = read_from("1 2:0.5\n-1 3:1\n".as_bytes(), &options)?.table()?;
    /// assert_eq!(table.vectors.columns(), 5);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn columns(mut self, columns: usize) -> Self {
        self.min_columns = columns;
        self.max_columns = Some(columns);
        self
    }
}

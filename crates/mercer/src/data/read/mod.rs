//! Data files: LIBSVM and svmlight text, comma- or tab-separated tables, strings, graphs; plain or compressed with gzip.
//!
//! Files are streamed: memory is what the data take plus one buffer as long as the longest line. Nothing in a
//! file can make a reader panic; every refusal names the line and the column.

mod chunks;
mod detect;
mod edge_list;
mod graph_files;
mod graphml;
mod header;
mod layout;
mod libsvm;
mod lines;
mod number;
mod options;
mod problem;
mod quote;
mod record;
mod series;
mod source;
mod strings;
mod structure_source;
mod structures;
mod summary;
mod table;
mod target_column;
mod trees;
mod tu;
mod words;
mod xml;

use std::io::Read;
use std::path::Path;

pub use chunks::{Chunks, read_chunks};
pub use edge_list::{EdgeListOptions, NamedGraph, ThirdColumn, read_edge_list, read_edge_list_from};
pub use graphml::{GraphmlOptions, read_graphml, read_graphml_from};
pub use header::{HeaderGuess, HeaderReason};
pub use number::parse_number;
pub use options::{Column, Format, Header, LabelColumn, ReadOptions, Words};
pub(super) use problem::{error_at_byte, excerpt};
pub use quote::Quote;
pub use series::{SeriesLabel, SeriesTable, read_series_file, read_series_rows, read_ts};
pub use source::{open, read_text};
pub use strings::{FastaLabel, StringColumns, Strings, read_fasta, read_lines, read_string_table};
pub use structure_source::StructureSource;
pub use structures::{StructureOptions, StructureTable, read_structures, read_structures_from};
pub use trees::{TreeFormat, parse_trees, read_trees};
pub(super) use trees::{in_brackets, in_newick};
pub use tu::{GraphSet, read_tu};

use crate::data::{Dense, Table, Targets};
use crate::error::{Error, Result};
use lines::Lines;
use quote::Dialect;

/// What a file turned out to hold.
///
/// ```
/// use mercer::data::{Contents, ReadOptions, read_from};
/// let contents = read_from("1 0:1 1:4 2:2\n-1 0:2 1:2 2:9\n".as_bytes(), &ReadOptions::default())?;
/// assert!(matches!(contents, Contents::Precomputed(_)));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one for a file")]
pub enum Contents {
    /// Rows of features.
    Table(Table<'static>),
    /// Kernel values in place of features.
    Precomputed(Precomputed),
}

impl Contents {
    /// The rows of features.
    ///
    /// ```
    /// use mercer::data::{ReadOptions, read_from};
    /// let contents = read_from("1,2,yes\n3,4,no\n".as_bytes(), &ReadOptions::default())?;
    /// assert_eq!(contents.table()?.rows(), 2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the file holds kernel values.
    pub fn table(self) -> Result<Table<'static>> {
        match self {
            Contents::Table(table) => Ok(table),
            Contents::Precomputed(_) => Err(Error::Unsupported {
                what: "the file holds precomputed kernel values (its rows start with 0:), not features"
                    .into(),
            }),
        }
    }

    /// The kernel values.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the file holds features.
    pub fn precomputed(self) -> Result<Precomputed> {
        match self {
            Contents::Precomputed(values) => Ok(values),
            Contents::Table(_) => Err(Error::Unsupported {
                what: "the file holds features, not precomputed kernel values (rows that start with 0:)"
                    .into(),
            }),
        }
    }
}

/// Kernel values as LIBSVM writes them: `label 0:number 1:value … n:value`.
///
/// ```
/// use mercer::data::{ReadOptions, read_from};
/// let text = "1 0:1 1:4 2:2\n-1 0:2 1:2 2:9\n";
/// let kernel = read_from(text.as_bytes(), &ReadOptions::default())?.precomputed()?;
/// assert_eq!(kernel.numbers, [1, 2]);
/// assert_eq!(kernel.matrix.row(1), [2.0, 9.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Precomputed {
    /// The number that each row gives itself: its position, from 1, among the training items.
    pub numbers: Vec<u64>,
    /// Kernel values of each row with all training items.
    pub matrix: Dense<'static, f64>,
    /// The targets.
    pub targets: Targets,
    /// The group (`qid`) of each row, where the file has groups.
    pub groups: Option<Vec<u64>>,
}

/// Reads a data file; an error names the file, the line and the column.
///
/// ```
/// use mercer::data::{ReadOptions, read_file};
/// # let path = std::env::temp_dir().join(format!("mercer-read-{}.csv", std::process::id()));
/// std::fs::write(&path, "width,height,label\n1,2,small\n30,40,large\n")?;
/// let table = read_file(&path, &ReadOptions::default())?.table()?;
/// assert_eq!((table.rows(), table.vectors.columns()), (2, 2));
///
/// std::fs::write(&path, "width,height,label\n1,2,small\n30,?,large\n")?;
/// let error = read_file(&path, &ReadOptions::default()).unwrap_err();
/// assert!(error.to_string().ends_with(".csv:3:2: column `height`: missing value `?`"), "{error}");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::File`] if the file cannot be read, [`Error::InFile`] if its content cannot be used.
pub fn read_file(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Contents> {
    let path = path.as_ref();
    let text = open(path)?;
    contents_of(text, options, None).map_err(|error| error.in_file(path))
}

/// The error for a value that was read well but cannot be used, at its place as the file counts it.
///
/// `row` and `column` count from 0 in what [`read_file`] gave with these options. The file is read again, up to
/// that row; so nothing has to be remembered about files that are fine.
///
/// ```
/// use mercer::data::{ReadOptions, error_at};
/// # let path = std::env::temp_dir().join(format!("mercer-error-at-{}.csv", std::process::id()));
/// std::fs::write(&path, "width,kind,height\n\n1,small,2\n30,large,-40\n")?;
/// let options = ReadOptions { label: mercer::data::LabelColumn::At(1), ..ReadOptions::default() };
/// let error = error_at(&path, &options, 1, 1, "-40 is too small".into());
/// assert!(error.to_string().ends_with(".csv:4:3: column `height`: -40 is too small"), "{error}");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn error_at(
    path: impl AsRef<Path>,
    options: &ReadOptions,
    row: usize,
    column: usize,
    problem: String,
) -> Error {
    let path = path.as_ref();
    let complaint = Complaint { row, column, problem };
    let again = || open(path).and_then(|text| contents_of(text, options, Some(&complaint)));
    // A pipe cannot be read twice, and a file may have changed meanwhile.
    let error = match if path.is_file() { again().err() } else { None } {
        Some(error @ Error::Parse { .. }) => error,
        _ => {
            let Complaint { row, column, problem } = complaint;
            Error::Unsupported { what: format!("row {}, column {}: {problem}", row + 1, column + 1) }
        }
    };
    error.in_file(path)
}

/// What is wrong with a value, counted from 0; a reader that comes to it gives it a place.
struct Complaint {
    row: usize,
    column: usize,
    problem: String,
}

/// Reads data from any stream, plain or compressed with gzip.
///
/// ```
/// use mercer::data::{ReadOptions, read_from};
/// let table = read_from("+1 1:0.5 3:2\n-1 # empty\n".as_bytes(), &ReadOptions::default())?.table()?;
/// assert_eq!((table.rows(), table.vectors.columns()), (2, 3));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`], [`Error::Parse`] with the place, [`Error::Empty`] without rows or feature columns, and
/// [`Error::Shape`] for a number of columns other than asked for.
pub fn read_from(source: impl Read, options: &ReadOptions) -> Result<Contents> {
    contents_of(source::decompressed(source)?, options, None)
}

fn contents_of<R: Read>(text: R, options: &ReadOptions, complaint: Option<&Complaint>) -> Result<Contents> {
    let mut reader = AnyReader::new(text, options)?;
    reader.read(usize::MAX, complaint)?;
    reader.finish()
}

/// A reader of either format.
enum AnyReader<R> {
    Libsvm(Box<libsvm::Reader<R>>),
    Table(Box<table::Reader<R>>),
}

impl<R: Read> AnyReader<R> {
    fn new(text: R, options: &ReadOptions) -> Result<Self> {
        let mut lines = Lines::new(text)?;
        let head = lines.peek(detect::WINDOW)?;
        detect::check_line_ends(head)?;
        let format = options.format.unwrap_or_else(|| detect::format(head, options.quote()));
        Ok(match Dialect::of(format, options.quote()) {
            None => AnyReader::Libsvm(Box::new(libsvm::Reader::new(lines, options)?)),
            Some(dialect) => AnyReader::Table(Box::new(table::Reader::new(lines, dialect, options)?)),
        })
    }

    fn read(&mut self, most: usize, complaint: Option<&Complaint>) -> Result<()> {
        match self {
            AnyReader::Libsvm(reader) => reader.read(most, complaint),
            AnyReader::Table(reader) => reader.read(most, complaint),
        }
    }

    fn finish(self) -> Result<Contents> {
        match self {
            AnyReader::Libsvm(reader) => reader.finish(),
            AnyReader::Table(reader) => reader.finish().map(Contents::Table),
        }
    }
}

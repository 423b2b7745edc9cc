//! A file in pieces, so that it may be larger than memory.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::{AnyReader, Contents, ReadOptions, source};
use crate::error::{Error, Result};

/// The rows of a file, some at a time; see [`read_chunks`].
pub struct Chunks {
    reader: Option<AnyReader<Box<dyn Read>>>,
    name: PathBuf,
    rows: usize,
    begun: bool,
}

/// Reads a stream `rows` rows at a time; `name` is what errors call it.
///
/// What the columns are must be known beforehand: by a [`Schema`](crate::data::Schema), or by the exact number of
/// columns for a file in LIBSVM's format.
///
/// ```
/// use mercer::data::{Contents, ReadOptions, read_chunks};
/// let options = ReadOptions::default().columns(2);
/// let text = "1 1:5\n-1 2:6\n1 1:7\n";
/// let mut sizes = Vec::new();
/// for chunk in read_chunks(Box::new(text.as_bytes()), "numbers.txt", &options, 2)? {
///     sizes.push(chunk?.table()?.rows());
/// }
/// assert_eq!(sizes, [2, 1]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`read_file`](crate::data::read_file); those of later pieces when it is their turn.
pub fn read_chunks(
    stream: Box<dyn Read>,
    name: impl AsRef<Path>,
    options: &ReadOptions,
    rows: usize,
) -> Result<Chunks> {
    let name = name.as_ref().to_path_buf();
    let begin = || -> Result<AnyReader<Box<dyn Read>>> {
        let reader = AnyReader::new(source::decompressed_in_pieces(stream)?, options)?;
        let known = match &reader {
            AnyReader::Libsvm(_) => options.max_columns.is_some(),
            AnyReader::Table(_) => options.schema.is_some(),
        };
        match known {
            true => Ok(reader),
            false => {
                Err(Error::Unsupported { what: "rows come in pieces only if their columns are known".into() })
            }
        }
    };
    let reader = Some(begin().map_err(|error| error.in_file(&name))?);
    Ok(Chunks { reader, name, rows: rows.max(1), begun: false })
}

impl Chunks {
    /// The next rows; empty at the end.
    fn take(&mut self) -> Result<Option<Contents>> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        reader.read(self.rows, None)?;
        let contents = match reader {
            AnyReader::Libsvm(reader) if !self.begun || reader.has_rows() => reader.take()?,
            AnyReader::Libsvm(_) => return Ok(None),
            AnyReader::Table(reader) => Contents::Table(reader.take()?),
        };
        let rows = match &contents {
            Contents::Table(table) => table.rows(),
            Contents::Precomputed(values) => values.numbers.len(),
        };
        if rows == 0 && !self.begun {
            return Err(Error::Empty { what: "rows" });
        }
        self.begun = true;
        Ok((rows > 0).then_some(contents))
    }
}

impl Iterator for Chunks {
    type Item = Result<Contents>;

    fn next(&mut self) -> Option<Self::Item> {
        let outcome = self.take().map_err(|error| error.in_file(&self.name)).transpose();
        if !matches!(outcome, Some(Ok(_))) {
            self.reader = None;
        }
        outcome
    }
}

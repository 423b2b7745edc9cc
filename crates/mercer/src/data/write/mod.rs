//! Writing data files that read back as the same numbers, bit for bit.

mod atomic;
mod libsvm;
mod number;
mod table;
mod trees;

use std::io::Write;
use std::path::Path;

pub(crate) use atomic::write_checked;
pub use atomic::{check_writable, write_atomically};
pub(crate) use trees::bracketed;
pub use trees::format_trees;

use crate::data::{Format, Table};
use crate::error::Result;

/// Writes a table to a file, whole or not at all.
///
/// ```
/// use mercer::data::{Format, ReadOptions, Table, Targets, Vectors, read_file, write_file};
/// # let path = std::env::temp_dir().join(format!("mercer-write-{}.csv", std::process::id()));
/// let table = Table::new(Vectors::from_rows(&[[0.1, -0.0]])?, Targets::Numbers(vec![3.5]))?;
/// write_file(&path, &table, Format::Csv)?;
/// let read = read_file(&path, &ReadOptions::default())?.table()?;
/// assert_eq!((read.vectors, read.targets), (table.vectors, table.targets));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`write_to`] and [`write_atomically`].
pub fn write_file(path: impl AsRef<Path>, table: &Table, format: Format) -> Result<()> {
    write_atomically(path, |out| write_to(out, table, format))
}

/// Writes a table to any stream.
///
/// LIBSVM text leaves zeros out, gives rows without targets the label 0 and has no room for names. A table has
/// a header if there are feature names, and a last column with the targets if there are any.
///
/// ```
/// use mercer::data::{Format, Labels, Table, Targets, Vectors, write_to};
/// let labels = Labels::from_text(["a", "b, c"]);
/// let table = Table::new(Vectors::from_rows(&[[1.5, 0.0], [0.0, 1e-9]])?, Targets::Words(labels))?;
/// let mut out = Vec::new();
/// write_to(&mut out, &table, Format::Csv)?;
/// assert_eq!(String::from_utf8_lossy(&out), "1.5,0,a\n0,1e-9,\"b, c\"\n");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Those of [`Table::check`],
/// [`Error::Unsupported`](crate::Error::Unsupported) for a label or for groups that the format cannot hold,
/// [`Error::Io`](crate::Error::Io).
pub fn write_to(out: &mut impl Write, table: &Table, format: Format) -> Result<()> {
    table.check()?;
    match format.delimiter() {
        None => libsvm::write(out, table),
        Some(delimiter) => table::write(out, table, delimiter),
    }
}

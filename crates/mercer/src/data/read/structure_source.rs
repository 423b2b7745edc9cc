//! Where structured items come from: a file or a stream that is read once, or a folder.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::graph_files::plain_name;
use super::source::held;
use super::structures::{StructureOptions, StructureTable, read};
use crate::data::ItemKind;
use crate::error::{Error, Result};

/// Bytes that show what a file is.
const HEAD: usize = 4096;

/// A file of structured items, or a folder of graphs, which can be read several times with different options.
///
/// The file is opened and read once, so that it may be a pipe.
///
/// ```
/// use mercer::data::{Items, ItemKind, StructureOptions, StructureSource};
/// let text = "sequence,label\ngattaca,+\nccacca,-\n";
/// let source = StructureSource::of_stream(text.as_bytes())?;
/// for _ in 0..2 {
///     let table = source.read(ItemKind::Strings, &StructureOptions::default())?;
///     assert_eq!(table.items.len(), 2);
/// }
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StructureSource {
    /// The name of the file, in small letters and without `.gz`; empty for a stream.
    pub(super) name: String,
    pub(super) path: Option<PathBuf>,
    /// The whole text; empty for a folder and for graphs, which are read file by file.
    pub(super) text: Vec<u8>,
}

impl StructureSource {
    /// Reads a file, plain or compressed with gzip. What is no regular file, such as a pipe, has no name to tell its format by.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::InFile`] for a line of more than 256 MiB.
    pub fn open(path: impl AsRef<Path>, kind: ItemKind) -> Result<Self> {
        let path = path.as_ref();
        let mut source =
            StructureSource { name: plain_name(path), path: Some(path.to_path_buf()), text: Vec::new() };
        if kind == ItemKind::Graphs || path.is_dir() {
            return Ok(source);
        }
        if !path.is_file() {
            source.name.clear();
        }
        source.text = match File::open(path) {
            Ok(file) => held(file),
            Err(error) => Err(error.into()),
        }
        .map_err(|error| match error {
            Error::Io(error) => Error::file(path, error),
            error => error.in_file(path),
        })?;
        Ok(source)
    }

    /// Reads a stream, plain or compressed with gzip.
    ///
    /// # Errors
    /// [`Error::Io`], among others for more bytes than half of the memory; [`Error::Parse`] for a line of more than 256 MiB.
    pub fn of_stream(stream: impl Read) -> Result<Self> {
        Ok(StructureSource { name: String::new(), path: None, text: held(stream)? })
    }

    /// The items, see [`read_structures`](super::read_structures).
    ///
    /// # Errors
    /// As [`read_structures`](super::read_structures).
    pub fn read(&self, kind: ItemKind, options: &StructureOptions) -> Result<StructureTable> {
        read(self, kind, options).map_err(|error| match &self.path {
            Some(path) => error.in_file(path),
            None => error,
        })
    }

    /// The first bytes that are not blank; none of a folder.
    pub(super) fn head(&self) -> &[u8] {
        self.text[..self.text.len().min(HEAD)].trim_ascii_start()
    }

    pub(super) fn is_folder(&self) -> bool {
        self.path.as_deref().is_some_and(Path::is_dir)
    }
}

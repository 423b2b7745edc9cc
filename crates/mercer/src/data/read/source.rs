//! Opening a stream of text, compressed or not.

use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::{Error, Result};

/// How a gzip file starts: the two magic bytes and the only method there is.
const GZIP: [u8; 3] = [0x1F, 0x8B, 0x08];

/// Opens a file for reading; gzip is recognised by its first bytes, whatever the file is called.
///
/// Files of several gzip members (as `cat a.gz b.gz` makes them) are read to the end.
///
/// ```
/// use std::io::Read;
/// # let path = std::env::temp_dir().join(format!("mercer-open-{}.txt", std::process::id()));
/// # std::fs::write(&path, "1 1:2\n").unwrap();
/// let mut text = String::new();
/// mercer::data::open(&path)?.read_to_string(&mut text)?;
/// assert_eq!(text, "1 1:2\n");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::File`].
pub fn open(path: impl AsRef<Path>) -> Result<Box<dyn Read>> {
    let path = path.as_ref();
    if path.is_dir() {
        let problem = "this is a folder: graphs are read from one, with a kernel on graphs";
        return Err(Error::file(path, io::Error::new(ErrorKind::IsADirectory, problem)));
    }
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    decompressed(file).map_err(|error| Error::file(path, error))
}

/// The text of a stream that may be compressed with gzip.
pub(super) fn decompressed<'a>(mut source: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut head = [0; GZIP.len()];
    let mut got = 0;
    while got < head.len() {
        match source.read(&mut head[got..]) {
            Ok(0) => break,
            Ok(count) => got = (got + count).min(head.len()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let whole = Cursor::new(head).take(got as u64).chain(source);
    if head[..got] == GZIP {
        Ok(Box::new(Gunzip(MultiGzDecoder::new(BufReader::with_capacity(64 << 10, whole)))))
    } else {
        Ok(Box::new(whole))
    }
}

/// Says in words what is wrong with a gzip stream.
struct Gunzip<R>(MultiGzDecoder<R>);

impl<R: io::BufRead> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), "the gzip data are cut short: the file is incomplete")
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                io::Error::new(ErrorKind::InvalidData, format!("the gzip data are damaged: {error}"))
            }
            _ => error,
        })
    }
}

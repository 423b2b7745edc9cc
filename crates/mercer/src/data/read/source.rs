//! Opening a stream of text, compressed or not.

use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use memchr::memchr_iter;

use super::lines::LONGEST_LINE;
use super::problem::{error_at_byte, not_text};
use crate::error::{Error, Result};
use crate::resources::available_memory;

/// How a gzip file starts: the two magic bytes and the only method there is.
const GZIP: [u8; 3] = [0x1F, 0x8B, 0x08];
/// Bytes that are read before the length of lines is looked at.
const PIECE: u64 = 1 << 20;

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

/// The text of a stream that may be compressed with gzip, all of which is to be held: more than half of the memory is an error.
pub(super) fn decompressed<'a>(source: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    unpacked(source, available_memory().map_or(u64::MAX, |bytes| bytes / 2))
}

/// The whole text of a file, plain or compressed with gzip. The file is read once, so that it may be a pipe.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("mercer-text-{}.txt", std::process::id()));
/// std::fs::write(&path, "a text")?;
/// assert_eq!(mercer::data::read_text(&path)?, "a text");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::File`], among others for more bytes than half of the memory; [`Error::InFile`] for a line of more than 256 MiB and for
/// what is not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    let bytes = held(file).map_err(|error| match error {
        Error::Io(error) => Error::file(path, error),
        error => error.in_file(path),
    })?;
    text_of(bytes).map_err(|error| error.in_file(path))
}

/// Bytes as text.
fn text_of(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let bytes = error.as_bytes();
        let (at, problem) = not_text(bytes).unwrap_or_default();
        error_at_byte(bytes, at, problem)
    })
}

/// All of such a text, read once: a stream may be a pipe. A line longer than readers of lines take is an error, so that a stream
/// without lines ends soon.
pub(super) fn held(source: impl Read) -> Result<Vec<u8>> {
    let mut text = decompressed(source)?;
    let mut bytes = Vec::new();
    let (mut lines, mut line_start) = (0, 0);
    loop {
        let before = bytes.len();
        (&mut text).take(PIECE).read_to_end(&mut bytes)?;
        if bytes.len() == before {
            return Ok(bytes);
        }
        for at in memchr_iter(b'\n', &bytes[before..]) {
            (lines, line_start) = (lines + 1, before + at + 1);
        }
        if bytes.len() - line_start > LONGEST_LINE {
            let problem = format!("a line of more than {LONGEST_LINE} bytes");
            return Err(Error::Parse { line: lines + 1, column: LONGEST_LINE as u64 + 1, problem });
        }
    }
}

/// The same, read in pieces: it may be of any size.
pub(super) fn decompressed_in_pieces<'a>(source: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    unpacked(source, u64::MAX)
}

/// The text of a stream that may be compressed with gzip: at most so many bytes.
fn unpacked<'a>(mut source: impl Read + 'a, allowed: u64) -> io::Result<Box<dyn Read + 'a>> {
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
        let decoder = MultiGzDecoder::new(BufReader::with_capacity(64 << 10, whole));
        Ok(Box::new(Bounded { source: Gunzip(decoder), what: "the gzip data unpack to", read: 0, allowed }))
    } else {
        Ok(Box::new(Bounded { source: whole, what: "the data have", read: 0, allowed }))
    }
}

/// A stream that ends with an error after so many bytes.
struct Bounded<R> {
    source: R,
    what: &'static str,
    read: u64,
    allowed: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(out)?;
        self.read += read as u64;
        if self.read > self.allowed {
            let Bounded { what, allowed, .. } = self;
            let problem = format!("{what} more than {allowed} bytes, half of the memory that is available");
            return Err(io::Error::new(ErrorKind::OutOfMemory, problem));
        }
        Ok(read)
    }
}

/// States what is wrong with a gzip stream.
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![b'0'; 1 << 20]).unwrap();
        let packed = encoder.finish().unwrap();
        let mut text = Vec::new();
        unpacked(&packed[..], 1 << 20).unwrap().read_to_end(&mut text).unwrap();
        assert_eq!(text.len(), 1 << 20);
        let error = unpacked(&packed[..], (1 << 20) - 1).unwrap().read_to_end(&mut text).unwrap_err();
        assert!(error.to_string().contains("unpack to more than 1048575 bytes"), "{error}");
    }

    #[test]
    fn a_stream_without_end_is_refused() {
        let lines = io::repeat(b'\n');
        let error = unpacked(lines, 1 << 20).unwrap().read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the data have more than 1048576 bytes, half of the memory that is available"
        );
        let error = held(b"ab\n".chain(io::repeat(0))).unwrap_err();
        assert!(matches!(error, Error::Parse { line: 2, .. }), "{error}");
    }
}

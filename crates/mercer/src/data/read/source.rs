//! Opening a stream of text, compressed or not.

use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::error::{Error, Result};
use crate::resources::available_memory;

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

/// The text of a stream that may be compressed with gzip, all of which is to be held: what unpacks to more than half of the memory
/// is an error.
pub(super) fn decompressed<'a>(source: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    unpacked(source, available_memory().map_or(u64::MAX, |bytes| bytes / 2))
}

/// The same, read in pieces: it may be of any size.
pub(super) fn decompressed_in_pieces<'a>(source: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    unpacked(source, u64::MAX)
}

/// The text of a stream that may be compressed with gzip, and then unpacks to at most so many bytes.
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
        Ok(Box::new(Gunzip { decoder, unpacked: 0, allowed }))
    } else {
        Ok(Box::new(whole))
    }
}

/// Says in words what is wrong with a gzip stream, and that it unpacks to too much.
struct Gunzip<R> {
    decoder: MultiGzDecoder<R>,
    unpacked: u64,
    allowed: u64,
}

impl<R: io::BufRead> Read for Gunzip<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(out).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), "the gzip data are cut short: the file is incomplete")
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                io::Error::new(ErrorKind::InvalidData, format!("the gzip data are damaged: {error}"))
            }
            _ => error,
        })?;
        self.unpacked += read as u64;
        if self.unpacked > self.allowed {
            let allowed = self.allowed;
            let problem = format!(
                "the gzip data unpack to more than {allowed} bytes, half of the memory that there is"
            );
            return Err(io::Error::new(ErrorKind::OutOfMemory, problem));
        }
        Ok(read)
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
}

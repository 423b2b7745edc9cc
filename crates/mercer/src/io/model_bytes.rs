//! The bytes of a model, read within bounds: from a file, a pipe, or what never ends.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::binary::MAGIC;
use crate::error::{Error, Result};
use crate::resources::available_memory;

/// Most that is read where the system does not say how much memory there is: 16 GiB.
const MOST: u64 = 16 << 30;
/// Bytes that show what it is.
const START: u64 = 4 << 10;
/// How a model file of LIBSVM begins.
const LIBSVM: &[u8] = b"svm_type";

/// Whether these are the first bytes of a model file of LIBSVM.
pub(super) fn is_libsvm(bytes: &[u8]) -> bool {
    bytes.starts_with(LIBSVM)
}

/// All bytes of a stream that may be a model of Mercer or of LIBSVM, read once.
///
/// A stream that does not begin like a model is read no further. A model takes more memory than its file, so a file larger than half of
/// the available memory is refused.
///
/// ```
/// let bytes = mercer::io::read_model_bytes(std::io::repeat(0))?;
/// assert!(mercer::io::Model::from_bytes(&bytes).unwrap_err().to_string().contains("not a Mercer model"));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Budget`] for more bytes than that, [`Error::Io`].
pub fn read_model_bytes(mut source: impl Read) -> Result<Vec<u8>> {
    let allowed = available_memory().map_or(MOST, |bytes| bytes / 2);
    let mut bytes = Vec::new();
    (&mut source).take(START).read_to_end(&mut bytes)?;
    let is_json = bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
    if is_json || bytes.starts_with(&MAGIC) || is_libsvm(&bytes) {
        (&mut source).take(allowed).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > allowed {
        let (what, instead) = ("the model", "free more memory");
        return Err(Error::Budget { what, needed: bytes.len() as u64, allowed, instead });
    }
    Ok(bytes)
}

/// The same of a file, which is opened once, so that it may be a pipe.
///
/// ```
/// use mercer::io::{Model, read_model_file};
/// # let path = std::env::temp_dir().join(format!("mercer-model-file-{}.model", std::process::id()));
/// std::fs::write(&path, "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1\n-1 1:-1\n")?;
/// let bytes = read_model_file(&path)?;
/// assert!(Model::from_bytes(&bytes)?.machine.support_items().rows().is_ok());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`read_model_bytes`], and [`Error::File`].
pub fn read_model_file(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).map_err(|source| Error::file(path, source))?;
    read_model_bytes(file).map_err(|error| match error {
        Error::Io(source) => Error::file(path, source),
        error => error.in_file(path),
    })
}

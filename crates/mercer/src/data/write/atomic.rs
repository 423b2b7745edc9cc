//! Files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};

/// Writes a file under a temporary name in the same folder and renames it when all is written.
///
/// If `write` fails, the temporary file is removed and what stood at `path` before stays. The permissions of a
/// file that is replaced are kept; a link is followed. A device or a pipe is written to directly.
///
/// ```
/// use std::io::Write;
/// use mercer::data::write_atomically;
/// # let path = std::env::temp_dir().join(format!("mercer-atomic-{}.txt", std::process::id()));
/// write_atomically(&path, |out| Ok(out.write_all(b"first")?))?;
/// let failed = write_atomically(&path, |out| {
///     out.write_all(b"sec")?;
///     Err(mercer::Error::Empty { what: "time" })
/// });
/// assert!(failed.is_err());
/// assert_eq!(std::fs::read(&path)?, b"first");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// What `write` returns (with the name of the file), [`Error::File`].
pub fn write_atomically(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
) -> Result<()> {
    let asked = path.as_ref();
    let in_file = |error: std::io::Error| Error::file(asked, error);
    let existing = fs::metadata(asked).ok();
    if existing.as_ref().is_some_and(|found| !found.is_file() && !found.is_dir()) {
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(asked).map_err(in_file)?);
        write(&mut out).map_err(|error| error.in_file(asked))?;
        return out.flush().map_err(in_file);
    }
    let path = if existing.is_some() { asked.canonicalize().map_err(in_file)? } else { asked.to_path_buf() };
    let (temporary, file) = Temporary::create(&path).map_err(in_file)?;
    let mut out = BufWriter::new(file);
    write(&mut out).map_err(|error| error.in_file(asked))?;
    let file = out.into_inner().map_err(|error| in_file(error.into_error()))?;
    if let Some(found) = existing {
        file.set_permissions(found.permissions()).map_err(in_file)?;
    }
    // Without this, a crash after the renaming could leave an empty file under the final name.
    file.sync_all().map_err(in_file)?;
    drop(file);
    temporary.rename(&path).map_err(in_file)
}

/// A file that is removed unless it gets its final name.
struct Temporary {
    path: PathBuf,
    kept: bool,
}

impl Temporary {
    /// A new file beside `path`.
    fn create(path: &Path) -> std::io::Result<(Self, File)> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = path.file_name().ok_or_else(|| std::io::Error::other("a path without a file name"))?;
        loop {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}.{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
            let path = path.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Temporary { path, kept: false }, file)),
                // Left over from a process that was killed and had the same number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, to: &Path) -> std::io::Result<()> {
        fs::rename(&self.path, to)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // Nothing can be done about a failure here, and the cause has been reported.
            let _ = fs::remove_file(&self.path);
        }
    }
}

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
    replace(path.as_ref(), write, |_| Ok(()))
}

/// Writes bytes that pass a check as [`write_atomically`] does. They are read back before they replace what stood there; what goes to a device
/// or a pipe is not.
///
/// # Errors
/// What `check` returns (with the name of the file), [`Error::File`]; then what stood at `path` stays.
pub(crate) fn write_checked(
    path: &Path,
    bytes: &[u8],
    check: impl FnOnce(&[u8]) -> Result<()>,
) -> Result<()> {
    check(bytes).map_err(|error| error.in_file(path))?;
    replace(
        path,
        |out| Ok(out.write_all(bytes)?),
        |written| match fs::read(written)? == bytes {
            true => Ok(()),
            false => Err(std::io::Error::other("what was read back is not what was written").into()),
        },
    )
}

/// Writes under a temporary name, checks the file of that name, and renames it.
fn replace(
    asked: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<()>,
    check: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
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
    check(&temporary.path).map_err(|error| error.in_file(asked))?;
    temporary.rename(&path).map_err(in_file)
}

/// Whether [`write_atomically`] could write this file now: for programs that would rather know before their work.
///
/// What stands at `path` stays as it is, and nothing is left behind. Devices and pipes are not tried.
///
/// ```
/// use mercer::data::check_writable;
/// let folder = std::env::temp_dir();
/// check_writable(folder.join("model.mercer"))?;
/// assert!(check_writable(&folder).is_err());
/// assert!(check_writable(folder.join("no such folder").join("model.mercer")).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::File`].
pub fn check_writable(path: impl AsRef<Path>) -> Result<()> {
    let asked = path.as_ref();
    let in_file = |error: std::io::Error| Error::file(asked, error);
    let existing = fs::metadata(asked).ok();
    // `a/` names a folder, whether it is there or not, though its last component is `a`.
    let folder = asked.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    if folder || existing.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(in_file(ErrorKind::IsADirectory.into()));
    }
    let path = match existing {
        Some(found) if !found.is_file() => return Ok(()),
        Some(_) => asked.canonicalize().map_err(in_file)?,
        None => asked.to_path_buf(),
    };
    Temporary::create(&path).map(|_| ()).map_err(in_file)
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

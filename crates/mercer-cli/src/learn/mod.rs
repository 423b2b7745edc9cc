//! `mercer learn`

mod begin;
mod json_line;
mod lines;
mod options;
mod session;
mod stream;
pub mod told;

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use mercer::Error;
use mercer::data::check_writable;
use mercer::io::SavedLearner;

use crate::arguments::LearnArguments;
use crate::failure::Failure;
use session::Session;
use stream::{Limits, Stream};

pub fn run(arguments: &LearnArguments, given: &[String], json: bool) -> Result<(), Failure> {
    check(arguments, json).map_err(|what| Failure::Usage(Error::Unsupported { what }))?;
    SavedLearner::check_name(&arguments.model).map_err(Failure::Usage)?;
    check_writable(&arguments.model)?;
    if !arguments.model.exists() {
        begin::check(&arguments.learner, given).map_err(Failure::Usage)?;
    }
    let _lock = Lock::new(&arguments.model)?;
    remove_left_over(&arguments.model);
    let model = match arguments.model.exists() {
        true => Some(SavedLearner::load(&arguments.model)?),
        false => None,
    };
    if let Some(model) = &model {
        options::check(&arguments.learner, given, model)
            .map_err(|error| Failure::Usage(error.in_file(&arguments.model)))?;
    }
    let limits = Limits { length: arguments.max_line_length, columns: arguments.max_columns };
    let (format, label) = (arguments.format, arguments.label.as_deref());
    let mut bad = 0;
    let skip = |error: Error| match error {
        error if arguments.skip_bad && error.code() == "parse" => {
            bad += 1;
            Ok(())
        }
        other => Err(other),
    };
    let mut stream = Stream::new(std::io::stdin(), format, label, model.as_ref(), limits, skip)?;
    let mut session = Session::new(arguments, given, bad);
    let outcome = session.run(model, &mut stream);
    // What was learned before a line that cannot be read is kept.
    session.end()?;
    outcome?;
    session.tell_shortness();
    if !arguments.quiet {
        session.tell(json)?;
    }
    if session.is_interrupted() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// What only one program at a time can hold: two that learn would each write the model without what the other has learned. It ends with
/// the program, however that ends.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn new(model: &Path) -> Result<Self, Error> {
        let mut name = OsString::from(".");
        name.push(model.file_name().unwrap_or_default());
        name.push(".lock");
        let path = model.with_file_name(name);
        let file = loop {
            let file = File::create(&path).map_err(|source| Error::file(&path, source))?;
            // Whoever held it may have removed it since it was opened: it would lock nothing.
            if file.try_lock().is_err() || is_still(&file, &path) {
                break file;
            }
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let what =
                    "another `mercer learn` is at work on it: what one of them learns would be lost".into();
                Err(Error::Unsupported { what }.in_file(model))
            }
            // Where files cannot be locked nobody is kept away.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Lock { path, _file: file }),
        }
    }
}

/// Whether a file is still the one of this name.
#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |found: std::fs::Metadata| (found.dev(), found.ino());
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(own), Ok(found)) => number(own) == number(found),
        (_, Err(error)) => error.kind() != std::io::ErrorKind::NotFound,
        (Err(_), _) => true,
    }
}

/// The system does not tell.
#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock that stays holds nobody up.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn check(arguments: &LearnArguments, json: bool) -> Result<(), String> {
    let seconds = arguments.checkpoint_seconds;
    if arguments.checkpoint_every == 0 || seconds.is_nan() || seconds <= 0.0 {
        return Err("--checkpoint-every and --checkpoint-seconds must be above 0".into());
    }
    if arguments.learner.first == 0 {
        return Err("--first: one example at least must come before a model".into());
    }
    if json && arguments.predictions {
        return Err(
            "--predictions and --json both go to standard output: one of them can be asked for".into()
        );
    }
    Ok(())
}

/// Removes what checkpoints that were killed while they were written have left beside the model, if their process is gone.
pub fn remove_left_over(model: &Path) {
    let (Some(name), Some(folder)) = (model.file_name().and_then(|name| name.to_str()), model.parent())
    else {
        return;
    };
    if !Path::new("/proc/self").exists() {
        return;
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let process = found
            .to_str()
            .and_then(|found| found.strip_prefix(&format!(".{name}."))?.strip_suffix(".tmp"))
            .and_then(|rest| rest.split_once('.'))
            .filter(|(process, number)| [process, number].iter().all(|word| word.parse::<u64>().is_ok()));
        if let Some((process, _)) = process
            && !Path::new("/proc").join(process).exists()
        {
            // Whoever cannot remove it leaves it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

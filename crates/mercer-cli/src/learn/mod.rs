//! `mercer learn`

mod begin;
mod lines;
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
use stream::Stream;

pub fn run(arguments: &LearnArguments, given: &[String], json: bool) -> Result<(), Failure> {
    check(arguments, json).map_err(|what| Failure::Usage(Error::Unsupported { what }))?;
    check_writable(&arguments.model)?;
    let exists = arguments.model.exists();
    if exists && !given.is_empty() {
        let (options, path) = (given.join(", "), arguments.model.display());
        let what = format!("{options}: {path} is there already and goes on as it is");
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    if !exists {
        begin::check(&arguments.learner, given).map_err(Failure::Usage)?;
    }
    let _lock = Lock::new(&arguments.model)?;
    remove_left_over(&arguments.model);
    let model = if exists { Some(SavedLearner::load(&arguments.model)?) } else { None };
    let mut stream =
        Stream::new(std::io::stdin(), arguments.format, arguments.label.as_deref(), model.as_ref())?;
    let mut session = Session::new(arguments, given);
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
        let file = File::create(&path).map_err(|source| Error::file(&path, source))?;
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

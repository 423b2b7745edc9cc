//! How a command can end badly, and the exit code that says so.

use std::path::PathBuf;

use mercer::Error;
use mercer::error::Remedy;

use crate::progress::interrupt_code;

/// Why a command failed.
pub enum Failure {
    /// The command makes no sense, whatever the data are.
    Usage(Error),
    /// Data, files or models are not as they should be.
    Data(Error),
    /// `--strict`, and the training has not converged; it has been told already.
    NotConverged,
    /// Someone pressed Ctrl-C, or the program was to end; it has been told already.
    Interrupted,
}

/// The option that settles an error.
fn option(remedy: Remedy) -> Option<&'static str> {
    Some(match remedy {
        Remedy::Missing => "--missing drop or mean",
        Remedy::Categorical => "--words for a categorical column",
        Remedy::Ignore => "--ignore to leave the column out",
        Remedy::Header => "--header yes or no",
        _ => return None,
    })
}

impl Failure {
    /// 1 bad data, 2 bad usage, 3 not converged, and what shells use for an interrupt.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Data(_) => 1,
            Failure::Usage(_) => 2,
            Failure::NotConverged => 3,
            Failure::Interrupted => interrupt_code(),
        }
    }

    /// The same about a file, if it is about data.
    pub fn in_file(self, path: impl Into<PathBuf>) -> Self {
        match self {
            Failure::Data(error) => Failure::Data(error.in_file(path)),
            other => other,
        }
    }

    /// What is still to be told.
    pub fn message(&self) -> Option<String> {
        match self {
            Failure::Usage(error) | Failure::Data(error) => {
                let hint = error.remedy().and_then(option).map(|option| format!(" (use {option})"));
                Some(counted_from_one(error) + &hint.unwrap_or_default())
            }
            Failure::NotConverged | Failure::Interrupted => None,
        }
    }
}

/// What the error says; items of files are counted from 1 here, as rows and lines are.
fn counted_from_one(error: &Error) -> String {
    fn item(error: &Error) -> Option<usize> {
        match error {
            Error::Item { index, .. } => Some(*index),
            Error::InFile { source, .. } | Error::Without { source, .. } => item(source),
            _ => None,
        }
    }
    let message = error.to_string();
    match item(error) {
        Some(index) => {
            message.replacen(&format!("item {index}: "), &format!("item {} of the file: ", index + 1), 1)
        }
        None => message,
    }
}

/// Errors are about data unless it is said otherwise.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Data(error)
    }
}

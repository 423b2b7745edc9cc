//! How a command can end badly, and the exit code that says so.

use mercer::Error;

/// Why a command failed.
pub enum Failure {
    /// The command makes no sense, whatever the data are.
    Usage(Error),
    /// Data, files or models are not as they should be.
    Data(Error),
    /// `--strict`, and the training has not converged; it has been told already.
    NotConverged,
    /// Someone pressed Ctrl-C; it has been told already.
    Interrupted,
}

impl Failure {
    /// 1 bad data, 2 bad usage, 3 not converged, and what shells use for an interrupt.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Data(_) => 1,
            Failure::Usage(_) => 2,
            Failure::NotConverged => 3,
            Failure::Interrupted => 130,
        }
    }

    /// What is still to be told.
    pub fn message(&self) -> Option<String> {
        match self {
            Failure::Usage(error) | Failure::Data(error) => Some(error.to_string()),
            Failure::NotConverged | Failure::Interrupted => None,
        }
    }
}

/// Errors are about data unless it is said otherwise.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Data(error)
    }
}

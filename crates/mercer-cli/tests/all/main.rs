//! Drives the real binary: what it prints, the files it leaves, its exit codes.

mod bad_input;
mod commands;
mod evaluate;
mod kernel_values;
mod libsvm;
mod memory;
mod output;
mod scaling;
mod train_and_predict;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a run of `mercer` gave.
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs `mercer` with these arguments in a folder.
pub fn mercer(folder: &Path, arguments: &[&str]) -> Run {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_mercer")).args(arguments).current_dir(folder).output().unwrap();
    Run {
        code: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).unwrap(),
        stderr: String::from_utf8(stderr).unwrap(),
    }
}

/// A file of the project's `data/`.
pub fn data(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    path.canonicalize().unwrap().to_str().unwrap().to_string()
}

/// Names of the files in a folder.
pub fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

//! Drives the real binary: what it prints, the files it leaves, its exit codes.

mod bad_input;
mod bound;
mod classifiers;
mod commands;
mod compare;
mod compress;
mod curve;
mod earlier;
mod evaluate;
mod insight;
mod kernel_values;
mod kernel_values_of_machines;
mod kill;
mod label;
mod learn;
mod libsvm;
mod machine_options;
mod memory;
mod novelty;
mod others;
mod out_of_memory;
mod output;
mod processes;
mod reading;
mod regression;
mod row_weights;
mod scaling;
mod structures;
mod structures_tune;
mod tables;
mod time_limit;
mod train_and_predict;
mod tune;
mod views;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of `mercer` gave.
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    fn of(output: Output) -> Self {
        Run {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs `mercer` with these arguments in a folder.
pub fn mercer(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(Command::new(env!("CARGO_BIN_EXE_mercer")).args(arguments).current_dir(folder).output().unwrap())
}

/// The same with something on standard input.
pub fn mercer_fed(folder: &Path, arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mercer"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A run that refuses its arguments closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Run::of(child.wait_with_output().unwrap())
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

/// Whether interrupts are ignored, and says so: a shell that starts something in the background has it do that, and what it starts in turn.
fn ignores_interrupts() -> bool {
    let mask = std::fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?.trim().to_string();
        u64::from_str_radix(&mask, 16).ok()
    });
    let is_ignored = mask.is_some_and(|mask| mask & (1 << 1) != 0);
    if is_ignored {
        eprintln!("skipped: interrupts are ignored here");
    }
    is_ignored
}

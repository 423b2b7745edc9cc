//! Fuzzers of the protocols of the command line: lines of streams, answers, files that a later run goes on from. The program itself gets valid
//! inputs that were changed at random, and must end with one of its exit codes: no panic, no hang, no abort for want of memory. What it leaves
//! behind can be read by the next run.
//!
//! `MERCER_FUZZ_SECONDS` says how long each of them runs, 1 if it is not set; `mercer_testkit::fuzz` says how inputs are drawn.

mod corpus;
mod label;
mod learn;
mod libsvm;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use mercer::data::Random;
use mercer_testkit::fuzz::{fuzz, mutated};

/// Address space of a run in kilobytes: allocations for absurd numbers end it.
const ADDRESS_SPACE: &str = "8000000";

/// What a run gave.
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

/// Runs the program in a folder, with something on standard input. It ends with 0, 1 or 2.
pub fn run(folder: &Path, words: &[&str], input: &[u8]) -> Run {
    let program = env!("CARGO_BIN_EXE_mercer");
    let mut command = match cfg!(unix) {
        true => {
            let mut command = Command::new("sh");
            let limited = "ulimit -v \"$0\" && exec \"$@\"";
            command.args(["-c", limited, ADDRESS_SPACE, program]);
            command
        }
        false => Command::new(program),
    };
    let mut child = command
        .args(words)
        .current_dir(folder)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A run that refuses what it gets closes the pipe.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "{words:?} ends with {:?}: {stderr}", output.status);
    Run { code: code.unwrap_or(-1), stdout: output.stdout, stderr }
}

/// An input that was changed, with a number below `choices` in front of it.
pub fn with_choice(random: &mut Random, choices: usize, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = vec![random.below(choices) as u8];
    input.extend(mutated(random, corpus));
    input
}

/// Runs `check` in a new folder on a choice and a changed text of a corpus.
pub fn texts(name: &str, choices: usize, corpus: &[Vec<u8>], check: impl Fn(&Path, usize, &[u8])) {
    fuzz(
        name,
        (),
        |random| with_choice(random, choices, corpus),
        |input| {
            let folder = tempfile::tempdir().unwrap();
            check(folder.path(), input[0] as usize, &input[1..]);
        },
    );
}

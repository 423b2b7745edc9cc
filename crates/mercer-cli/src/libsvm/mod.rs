//! `svm-train`, `svm-predict` and `svm-scale`: LIBSVM's options, files and printed lines on Mercer's engine.

mod evaluation;
mod kernel_values;
mod number;
mod one_function;
mod predict;
mod scale;
mod train;

use std::path::Path;

use mercer::Error;

use crate::failure::Failure;

/// The three commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Train,
    Predict,
    Scale,
}

impl Tool {
    /// The one whose name a program, or a word on the command line, has.
    pub fn named(name: &str) -> Option<Tool> {
        let name = Path::new(name).file_name()?.to_str()?;
        match name.strip_suffix(".exe").unwrap_or(name) {
            "svm-train" => Some(Tool::Train),
            "svm-predict" => Some(Tool::Predict),
            "svm-scale" => Some(Tool::Scale),
            _ => None,
        }
    }

    pub fn run(self, words: &[String]) -> Result<(), Failure> {
        match self {
            Tool::Train => train::run(words),
            Tool::Predict => predict::run(words),
            Tool::Scale => scale::run(words),
        }
    }
}

/// A mistake on the command line, with the usage.
fn usage(problem: impl std::fmt::Display, usage: &str) -> Failure {
    Failure::Usage(Error::Unsupported { what: format!("{problem}\n{usage}") })
}

/// Options with the value of each, and the words behind them.
type Parts<'a> = (Vec<(&'a str, &'a str)>, &'a [String]);

/// Takes the words of a command apart.
fn split<'a>(words: &'a [String], without_value: &[&str], help: &str) -> Result<Parts<'a>, Failure> {
    let mut options = Vec::new();
    let mut at = 0;
    while at < words.len() && words[at].starts_with('-') && words[at].len() > 1 {
        let option = words[at].as_str();
        if matches!(option, "-help" | "--help") {
            return Err(usage("this is what LIBSVM's options are", help));
        }
        if without_value.contains(&option) {
            options.push((option, ""));
            at += 1;
            continue;
        }
        let Some(value) = words.get(at + 1) else {
            return Err(usage(format!("{option} needs a value"), help));
        };
        options.push((option, value.as_str()));
        at += 2;
    }
    Ok((options, &words[at..]))
}

/// 0 or 1.
fn switch(option: &str, value: &str, help: &str) -> Result<bool, Failure> {
    match number::<i64>(option, value, help)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(usage(format!("{option} {value}: 0 or 1"), help)),
    }
}

/// The number that an option has for a value.
fn number<T: std::str::FromStr>(option: &str, value: &str, help: &str) -> Result<T, Failure> {
    value.parse().map_err(|_| usage(format!("{option} {value}: not a number that makes sense there"), help))
}

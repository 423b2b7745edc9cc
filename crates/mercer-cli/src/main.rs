//! The command line of Mercer: arguments, progress and printing; the mathematics is in the library.

mod arguments;
mod inspect;
mod predict;
mod print;
mod train;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Cli, Command};

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Train(arguments) => train::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mercer: {error}");
            ExitCode::from(1)
        }
    }
}

//! The command line of Mercer: arguments, progress and printing; the mathematics is in the library.

mod arguments;
mod inspect;
mod load;
mod output;
mod place;
mod precomputed;
mod predict;
mod print;
mod progress;
mod score;
mod train;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Cli, Command};

fn main() -> ExitCode {
    let outcome = match Cli::try_parse() {
        Ok(cli) => match cli.command {
            Command::Train(arguments) => train::run(&arguments),
            Command::Predict(arguments) => predict::run(&arguments),
            Command::Inspect(arguments) => inspect::run(&arguments),
        },
        Err(usage) if usage.use_stderr() => usage.exit(),
        Err(help) => print::to_stdout(|_| Ok(help.print()?)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print::note(format!("mercer: {error}"));
            ExitCode::from(1)
        }
    }
}

//! The command line of Mercer: arguments, progress and printing; the mathematics is in the library.

mod arguments;
mod beside;
mod bound;
mod clean;
mod compare;
mod compress;
mod convert;
mod curve;
mod demo;
mod earlier;
mod evaluate;
mod explain;
mod failure;
mod inspect;
mod kernel;
mod label;
mod learn;
mod learning;
mod libsvm;
mod load;
mod losses;
mod machines;
mod matrix;
mod model;
mod others;
mod output;
mod parameters;
mod place;
mod pre_images;
mod precomputed;
mod predict;
mod prediction;
mod print;
mod progress;
mod prototypes;
mod read;
mod recipe;
mod remarks;
mod score;
mod source;
mod structures;
mod task;
mod tasks;
mod testing;
mod train;
mod tune;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::arguments::{
    Cli, Command, LearnerArguments, OtherArguments, ReadingArguments, RecipeArguments, TableArguments, given,
    said,
};
use crate::failure::Failure;
use crate::libsvm::Tool;

fn run() -> Result<(), Failure> {
    // Under the name of one of LIBSVM's programs this is that program.
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(tool) = words.first().and_then(|name| Tool::named(name)) {
        return tool.run(&words[1..]);
    }
    let parsed = Cli::command()
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches).map(|cli| (cli, matches)));
    match parsed {
        Ok((Cli { command, json }, matches)) => match command {
            Command::Train(arguments) => {
                let mut words = given::<RecipeArguments>(&matches);
                words.extend(given::<OtherArguments>(&matches));
                train::run(&arguments, &words, json)
            }
            Command::Reduce(arguments) => others::reduce(&arguments, json),
            Command::Correlate(arguments) => others::correlate(&arguments, json),
            Command::Cluster(arguments) => others::cluster(&arguments, json),
            Command::Rank(arguments) => others::rank(&arguments, json),
            Command::Compare(arguments) => compare::run(&arguments, json),
            Command::Compress(arguments) => compress::run(&arguments, json),
            Command::Losses(arguments) => losses::run(&arguments, json),
            Command::Predict(arguments) => predict::run(&arguments, json),
            Command::Evaluate(arguments) => {
                evaluate::run(&arguments, &given::<RecipeArguments>(&matches), json)
            }
            Command::Tune(arguments) => {
                let mut words = said::<ReadingArguments>(&matches);
                words.extend(said::<TableArguments>(&matches));
                words.extend(said::<RecipeArguments>(&matches));
                tune::run(&arguments, &words, json)
            }
            Command::Curve(arguments) => curve::run(&arguments, json),
            Command::Inspect(arguments) => Ok(inspect::run(&arguments, json)?),
            Command::Learn(arguments) => learn::run(&arguments, &given::<LearnerArguments>(&matches), json),
            Command::Label(arguments) => label::run(&arguments, json),
            Command::Clean(arguments) => clean::run(&arguments, json),
            Command::Prototypes(arguments) => prototypes::run(&arguments, json),
            Command::Explain(arguments) => explain::run(&arguments, json),
            Command::Bound(arguments) => bound::run(&arguments, json),
            Command::Demo => Ok(demo::run(json)?),
            Command::Convert(arguments) => convert::run(&arguments, json),
            Command::Scale(arguments) => convert::scale(&arguments, json),
            Command::Kernel(arguments) => kernel::run(&arguments, json),
            Command::SvmTrain { words } => Tool::Train.run(&words),
            Command::SvmPredict { words } => Tool::Predict.run(&words),
            Command::SvmScale { words } => Tool::Scale.run(&words),
            Command::Completions { shell } => {
                // Written to memory first: the generator panics where it cannot write.
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Cli::command(), "mercer", &mut script);
                Ok(print::to_stdout(|out| Ok(out.write_all(&script)?))?)
            }
        },
        Err(usage) if usage.use_stderr() => usage.exit(),
        Err(help) => Ok(print::to_stdout(|_| Ok(help.print()?))?),
    }
}

fn main() -> ExitCode {
    progress::begin();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                print::note(format!("{} {message}", print::warning("mercer:")));
            }
            ExitCode::from(failure.code())
        }
    }
}

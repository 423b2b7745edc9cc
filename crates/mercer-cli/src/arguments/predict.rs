//! What can be said about predictions.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::data::DataArguments;
use super::others::at_least_one;

#[derive(Args)]
pub struct PredictArguments {
    /// The model file: Mercer's or LIBSVM's
    pub model: PathBuf,
    #[command(flatten)]
    pub data: DataArguments,
    /// Where the predictions go [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing file of predictions
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Add the score of each class; of a novelty detector, its score, below 0 for novel rows; of principal components, the
    /// squared distance from their plane, which is large for rows unlike those of the training
    #[arg(long)]
    pub scores: bool,
    /// Write the probabilities of all classes too, if the model was trained with --probabilities, or is a Gaussian process or a
    /// relevance vector machine
    #[arg(long)]
    pub probabilities: bool,
    /// Add the standard deviation of a new target about the prediction, noise included (Gaussian processes and relevance vectors
    /// of numbers)
    #[arg(long, conflicts_with_all = ["scores", "probabilities"])]
    pub std: bool,
    /// Add the values of so many functions that are drawn from a Gaussian process given its targets, with noise where that is part of
    /// the kernel; of 4000 rows at most, since all are drawn together
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["scores", "probabilities", "std"],
        value_parser = at_least_one
    )]
    pub samples: Option<usize>,
    /// What they are drawn from
    #[arg(long, default_value_t = 0, requires = "samples")]
    pub seed: u64,
    /// Of principal components, write rows that lie where the components of these rows say, in place of the components: rows without
    /// what the components leave out
    #[arg(long, conflicts_with_all = ["scores", "probabilities", "std", "samples", "style"])]
    pub pre_images: bool,
    /// A table with names, or one answer a line as LIBSVM writes it (1 and -1 for known and novel)
    #[arg(long, value_enum, default_value = "csv")]
    pub style: StyleArgument,
    /// Threads; 0 means all
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StyleArgument {
    Csv,
    Libsvm,
}

//! Arguments of commands that tell about the data.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{DataArguments, ReadingArguments};

#[derive(Args)]
pub struct CleanArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// The kernel
    #[arg(long, default_value = "gaussian")]
    pub kernel: String,
    /// The cost C; it should allow slack, or wrong labels are learned by heart
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub cost: f64,
    /// Parts of the rows that are held out in turn
    #[arg(long, default_value_t = 10)]
    pub folds: usize,
    /// How often, each time in other parts
    #[arg(long, default_value_t = 3)]
    pub times: usize,
    /// What the parts are drawn from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Keep the columns as they are, in place of scaling them to mean 0 and deviation 1
    #[arg(long)]
    pub unscaled: bool,
    /// How many rows are shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Write all rows, the most suspicious first, to this file of comma-separated values
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Args)]
pub struct ExplainArguments {
    /// The model file: Mercer's or LIBSVM's
    pub model: PathBuf,
    /// The row: its features, numbers between commas; for models of structured items a string, a tree in brackets, a series (channels
    /// between colons), or with --item a file
    #[arg(allow_hyphen_values = true)]
    pub row: String,
    /// Explain the N-th item of a file
    #[arg(long, value_name = "N")]
    pub item: Option<usize>,
    /// How many support vectors are shown on each side
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,
}

#[derive(Args)]
pub struct LabelArguments {
    /// The items to be labelled: a table, every row of which is one line; columns that --ignore names are shown, not compared
    pub pool: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// The classes, between commas
    #[arg(long, value_delimiter = ',', required = true, num_args = 1..)]
    pub classes: Vec<String>,
    /// Where labelled rows go, after each answer; an earlier file is continued [default: POOL.labelled.csv]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The kernel
    #[arg(long, default_value = "gaussian")]
    pub kernel: String,
    /// The cost C; a large one trusts every answer
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true)]
    pub cost: f64,
    /// Which row is asked about next
    #[arg(long, value_enum, default_value = "nearest")]
    pub query: QueryArgument,
    /// How many rows are chosen at a time, before answers are learned from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub batch: usize,
    /// How much rows of a batch should differ from each other, from 0 to 1
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    pub diversity: f64,
    /// A table like the pool with one more column, the label: rows to test the machine with
    #[arg(long, value_name = "FILE")]
    pub validation: Option<PathBuf>,
    /// The share of these rows that may be wrong at the end
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, allow_negative_numbers = true)]
    pub accept: f64,
    /// Ask no more when nothing is left within the margin and rows with known classes are right, or, without --validation, when the last ten answers
    /// have hardly changed the machine
    #[arg(long)]
    pub stop: bool,
    /// What draws are made from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Args)]
pub struct PrototypesArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// How many rows are chosen
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub count: usize,
    /// Choose so many of each class, from the rows of that class
    #[arg(long)]
    pub per_class: bool,
    /// The kernel
    #[arg(long, default_value = "gaussian")]
    pub kernel: String,
    /// Keep the columns as they are, in place of scaling them to mean 0 and deviation 1
    #[arg(long)]
    pub unscaled: bool,
    /// Write the rows to this file of comma-separated values
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryArgument {
    /// The nearest to the boundary
    Nearest,
    /// Any within the margin band
    Band,
    /// The one whose class is least probable to be known
    Uncertain,
    /// Any at all
    Random,
}

//! Arguments of commands that tell about the data.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{DataArguments, MissingArgument, PoolArguments, TaskArgument};

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
    /// What the labels are: classify takes even numbers that look like measurements for classes
    #[arg(
        long,
        value_enum,
        default_value = "auto",
        hide_possible_values = true,
        value_name = "auto|classify"
    )]
    pub task: TaskArgument,
    /// Parts of the rows that are held out in turn [default: 10, or as many as there are rows]
    #[arg(long)]
    pub folds: Option<usize>,
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
    /// Most seconds from the start of the program to the answer: trainings take random samples of the rows if they are not enough for
    /// all
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
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
    /// The row as it stands in a data file: fields between commas, or LIBSVM's entries; with or without its label. Of models of strings and trees, the string or
    /// the tree in brackets
    #[arg(allow_hyphen_values = true)]
    pub row: String,
    /// A data file: ROW is the number of one of its rows, from 1
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// What is done about missing values: an error, or fill in the mean [default: as the model was trained]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "refuse|mean")]
    pub missing: Option<MissingArgument>,
    /// How many support vectors are shown on each side
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub top: usize,
}

#[derive(Args)]
pub struct LabelArguments {
    /// The items to be labelled: a table, every row of which is one line; gzip is unpacked; columns that --ignore names are shown, not compared
    pub pool: PathBuf,
    #[command(flatten)]
    pub reading: PoolArguments,
    /// The classes, between commas; u, s and q are commands
    #[arg(long, value_delimiter = ',', required = true, num_args = 1..)]
    pub classes: Vec<String>,
    /// Where labelled rows go, after each answer, as they stand in the pool and with the label behind them; an earlier file is continued
    /// [default: POOL.labelled.csv]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The kernel
    #[arg(long, default_value = "gaussian")]
    pub kernel: String,
    /// The cost C; a large one trusts every answer
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true)]
    pub cost: f64,
    /// Which row is asked about next
    #[arg(long, value_enum, default_value = "mixed")]
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
    /// Most seconds from the start of the program to the answer
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Write the rows to this file of comma-separated values
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueryArgument {
    /// The nearest to the boundary, and every third one any
    Mixed,
    /// The nearest to the boundary
    Nearest,
    /// Any within the margin band
    Band,
    /// The one whose class is least probable to be known
    Uncertain,
    /// Any at all
    Random,
}

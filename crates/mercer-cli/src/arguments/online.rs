//! Arguments of commands that learn from one example after the other.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mercer::data::Format;

#[derive(Args)]
pub struct LearnArguments {
    /// The model file: created if it is not there, continued if it is. The same command can be started again and again
    pub model: PathBuf,
    /// The column of the label, by name or by number from 1 [default: the model's, at first the last one; "label", "target" or "y" in JSON]
    #[arg(long, value_name = "COLUMN")]
    pub label: Option<String>,
    /// What the lines are [default: told by the first one]
    #[arg(long, value_enum)]
    pub format: Option<StreamArgument>,
    #[command(flatten)]
    pub learner: LearnerArguments,
    /// Write the model after so many examples, once there are as many as --first
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub checkpoint_every: u64,
    /// Write the model after so many seconds; a new one begins then with the examples that have come, if --first takes longer
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub checkpoint_seconds: f64,
    /// The stream begins where it began at first: leave out as many examples as the model has seen
    #[arg(long)]
    pub skip_seen: bool,
    /// Print each prediction, a line for an example, before it is learned from
    #[arg(long)]
    pub predictions: bool,
    /// Pass over lines that cannot be read or learned, and count them, instead of ending there
    #[arg(long)]
    pub skip_bad: bool,
    /// Most columns of a line; one with more is bad [default: 16777216 in LIBSVM's format, 1048576 in others]
    #[arg(long, value_name = "N")]
    pub max_columns: Option<u32>,
    /// Most bytes of a line; a longer one is bad
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub max_line_length: usize,
    /// Most megabytes of examples that are remembered; one for which there is no room is bad
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    pub memory: u64,
    /// Print nothing but errors and predictions
    #[arg(short, long)]
    pub quiet: bool,
}

/// What a new learner is like: an old one keeps what it is.
#[derive(Args)]
pub struct LearnerArguments {
    /// What is learned [default: classes, unless labels are numbers of many values]
    #[arg(long, value_enum)]
    pub task: Option<LearnTaskArgument>,
    /// How classes are learned
    #[arg(long, value_enum, default_value = "passive-aggressive")]
    pub rule: RuleArgument,
    /// The kernel; what it leaves open is filled in from the first examples
    #[arg(long, default_value = "gaussian")]
    pub kernel: String,
    /// The cost C of a margin or a tube that is missed
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub cost: f64,
    /// How far a number may be missed for nothing
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    pub tube: f64,
    /// The number of levels, with --task levels
    #[arg(long, value_name = "N")]
    pub levels: Option<usize>,
    /// All classes, between commas [default: those of the first examples]
    #[arg(long, value_delimiter = ',')]
    pub classes: Vec<String>,
    /// Most examples that are remembered; 0 means all that matter
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub budget: usize,
    /// Project what leaves the budget on what stays: better, and slower
    #[arg(long)]
    pub project: bool,
    /// The model is the average of all functions that there were; labelled examples are predicted by the last one. With a budget it needs
    /// --project
    #[arg(long)]
    pub average: bool,
    /// How columns are scaled, by the first examples [default: standardise; none for LIBSVM's format]
    #[arg(long, value_enum)]
    pub scale: Option<StreamScaleArgument>,
    /// How many examples decide about classes, scales and widths before the first is predicted and learned; until then nothing is written
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub first: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StreamArgument {
    Csv,
    Tsv,
    Semicolons,
    Libsvm,
    Jsonl,
}

impl StreamArgument {
    /// What the first line speaks for.
    pub fn told_by(line: &str) -> Self {
        if line.trim_start().starts_with('{') {
            return StreamArgument::Jsonl;
        }
        match Format::of(line.as_bytes()) {
            Format::Libsvm => StreamArgument::Libsvm,
            Format::Csv => StreamArgument::Csv,
            Format::Tsv => StreamArgument::Tsv,
            Format::Semicolons => StreamArgument::Semicolons,
        }
    }

    /// What stands between the fields of a table; None for other lines.
    pub fn delimiter(self) -> Option<char> {
        match self {
            StreamArgument::Csv => Some(','),
            StreamArgument::Tsv => Some('\t'),
            StreamArgument::Semicolons => Some(';'),
            StreamArgument::Libsvm | StreamArgument::Jsonl => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LearnTaskArgument {
    Classes,
    Numbers,
    Levels,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RuleArgument {
    Perceptron,
    PassiveAggressive,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StreamScaleArgument {
    Standardise,
    None,
}

//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use mercer::data::{Format, Header, LabelColumn, ReadOptions, ScalingKind};
use mercer::gram::Precision;
use mercer::{Error, Result};

/// Kernel machines with certificates.
#[derive(Parser)]
#[command(name = "mercer", version, about, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Print the summary as JSON, for programs to read
    #[arg(long, global = true)]
    pub json: bool,
}

const EXIT_CODES: &str =
    "Exit codes: 0 fine, 1 bad data or files, 2 bad usage, 3 not converged under --strict.";

#[derive(Subcommand)]
pub enum Command {
    /// Learn from a data file, say how good the model is, and save it
    #[command(after_help = "Examples:
  mercer train data/ionosphere.csv
  mercer train data/ionosphere.csv --kernel 'gaussian(sigma=1.5)' --cost 10 -o ionosphere.mercer")]
    Train(TrainArguments),
    /// Predict the classes of the rows of a data file
    #[command(
        after_help = "Example: mercer predict ionosphere.mercer data/ionosphere.csv -o predictions.csv"
    )]
    Predict(PredictArguments),
    /// Say how good a model is on labelled data, or what to expect of one
    #[command(after_help = "Examples:
  mercer evaluate ionosphere.mercer data/ionosphere.csv
  mercer evaluate --cv 10 data/ionosphere.csv")]
    Evaluate(EvaluateArguments),
    /// Convert a data file between LIBSVM's format and tables
    #[command(after_help = "Example: mercer convert data/heart_scale -o heart.csv")]
    Convert(ConvertArguments),
    /// Scale the columns of a data file
    #[command(after_help = "Examples:
  mercer scale train.csv -o train_scaled.csv --save scaling.json
  mercer scale test.csv -o test_scaled.csv --like scaling.json")]
    Scale(ScaleCommandArguments),
    /// List kernels; evaluate one, write its Gram matrix, check Mercer's condition
    #[command(after_help = "Examples:
  mercer kernel
  mercer kernel 'gaussian(gamma=0.5)' --between 1,2 3,4
  mercer kernel 'sigmoid(gamma=0.1)' --data data/wine.csv --check
  mercer kernel linear --data data/wine.csv --gram gram.csv")]
    Kernel(KernelArguments),
    /// Show what Mercer makes of the small sets that it comes with, in a few seconds
    Demo,
    /// LIBSVM's svm-train, by its own options
    #[command(disable_help_flag = true)]
    SvmTrain {
        /// Options and files as LIBSVM's own program takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// LIBSVM's svm-predict, by its own options
    #[command(disable_help_flag = true)]
    SvmPredict {
        /// Options and files as LIBSVM's own program takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// LIBSVM's svm-scale, by its own options
    #[command(disable_help_flag = true)]
    SvmScale {
        /// Options and files as LIBSVM's own program takes them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Print a script that teaches a shell to complete mercer's words
    #[command(
        after_help = "Example: mercer completions bash > ~/.local/share/bash-completion/completions/mercer"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Show what a model file holds
    #[command(after_help = "Example: mercer inspect ionosphere.mercer")]
    Inspect(InspectArguments),
}

/// A data file, and how it is read.
#[derive(Args)]
pub struct DataArguments {
    /// The data: LIBSVM, CSV or TSV, told by its content; gzip is unpacked
    pub data: PathBuf,
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// How a data file is read.
#[derive(Args)]
pub struct ReadingArguments {
    /// The label column of a table: its name, its number from 1, or a negative number from the end
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub label: Option<String>,
    /// Whether the first line of a table holds names
    #[arg(long, value_enum, default_value = "auto")]
    pub header: HeaderArgument,
    /// The format, if it shall not be told from the content
    #[arg(long, value_enum)]
    pub format: Option<FormatArgument>,
}

impl ReadingArguments {
    pub fn options(&self) -> ReadOptions {
        let label = match self.label.as_deref().map(|text| (text, text.parse::<i64>())) {
            None => LabelColumn::default(),
            Some((_, Ok(number))) if number > 0 => LabelColumn::At(number as usize - 1),
            Some((_, Ok(number))) if number < 0 => LabelColumn::FromEnd(number.unsigned_abs() as usize - 1),
            Some((name, _)) => LabelColumn::Name(name.to_string()),
        };
        ReadOptions {
            format: self.format.map(Format::from),
            header: match self.header {
                HeaderArgument::Auto => Header::Auto,
                HeaderArgument::Yes => Header::Present,
                HeaderArgument::No => Header::Absent,
            },
            label,
            ..ReadOptions::default()
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum HeaderArgument {
    Auto,
    Yes,
    No,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum FormatArgument {
    Libsvm,
    Csv,
    Tsv,
    Semicolons,
}

impl From<FormatArgument> for Format {
    fn from(argument: FormatArgument) -> Self {
        match argument {
            FormatArgument::Libsvm => Format::Libsvm,
            FormatArgument::Csv => Format::Csv,
            FormatArgument::Tsv => Format::Tsv,
            FormatArgument::Semicolons => Format::Semicolons,
        }
    }
}

#[derive(Args)]
pub struct TrainArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// Where the model goes: JSON if it ends in .json, LIBSVM's format if it ends in .model [default: beside the data, .mercer]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing model file
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// How the model is tested on rows that had no part in it: auto takes folds up to 2000 rows, else sets rows aside
    #[arg(long, value_enum, default_value = "auto")]
    pub test: TestArgument,
    /// Folds of a test in folds
    #[arg(long, default_value_t = 5)]
    pub folds: usize,
    /// Keep the model that an interrupted training has reached
    #[arg(long)]
    pub keep_partial: bool,
    /// Exit with code 3 if the training has not converged
    #[arg(long)]
    pub strict: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// What is learned, and how.
#[derive(Args)]
pub struct RecipeArguments {
    /// What the labels are: classes, or numbers to be met; auto looks at them
    #[arg(long, value_enum, default_value = "auto")]
    pub task: TaskArgument,
    /// The kernel, for example 'gaussian(gamma=0.1)' or '0.5 * polynomial(degree=2) + linear'; 'precomputed' if
    /// the data are kernel values in LIBSVM's format [default: gaussian, its width the median distance of rows]
    #[arg(
        long,
        default_value = "gaussian(gamma=median)",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub kernel: String,
    /// gamma of the Gaussian kernel: a number, or median, scale or auto
    #[arg(long, conflicts_with = "kernel")]
    pub gamma: Option<String>,
    /// C: what a unit of slack costs [default: chosen by cross-validation]
    #[arg(long, allow_negative_numbers = true)]
    pub cost: Option<f64>,
    /// Scale the features; auto standardises tables (max-abs if the kernel needs values of at least 0) and leaves
    /// sparse data as they are
    #[arg(long, value_enum, default_value = "auto")]
    pub scale: ScaleArgument,
    /// Factors of the cost by class: 'balanced', or label=factor as often as needed
    #[arg(long, value_name = "balanced|LABEL=FACTOR")]
    pub class_weight: Vec<String>,
    /// Largest violation of the optimality conditions that counts as solved
    #[arg(long, default_value_t = 1e-3, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// Stop on the relative duality gap instead
    #[arg(long, value_name = "GAP", conflicts_with = "tolerance", allow_negative_numbers = true)]
    pub duality_gap: Option<f64>,
    /// Most steps of the solver for each pair of classes
    #[arg(long)]
    pub max_iterations: Option<u64>,
    /// Most seconds, reading the data not counted
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Threads; 0 means all. The model does not depend on it
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Megabytes for cached rows of the Gram matrix. The model does not depend on it
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
    /// Precision of kernel values
    #[arg(long, value_enum, default_value = "auto")]
    pub precision: PrecisionArgument,
    /// What random divisions of the rows are drawn from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TaskArgument {
    Auto,
    Classes,
    Numbers,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TestArgument {
    Auto,
    Folds,
    HeldOut,
    None,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum PrecisionArgument {
    Auto,
    F32,
    F64,
}

impl From<PrecisionArgument> for Precision {
    fn from(argument: PrecisionArgument) -> Self {
        match argument {
            PrecisionArgument::Auto => Precision::Auto,
            PrecisionArgument::F32 => Precision::F32,
            PrecisionArgument::F64 => Precision::F64,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScaleArgument {
    Auto,
    #[value(aliases = ["standard", "standardize"])]
    Standardise,
    MinMax,
    MaxAbs,
    Deviation,
    UnitNorm,
    None,
}

impl ScaleArgument {
    /// The scaling that is meant, for a kernel that may need values of at least 0.
    pub fn kind(self, is_sparse: bool, needs_non_negative: Option<&str>) -> Result<Option<ScalingKind>> {
        Ok(Some(match (self, needs_non_negative) {
            (ScaleArgument::Auto, _) if is_sparse => return Ok(None),
            // The one that keeps what is not negative so, in new rows too.
            (ScaleArgument::Auto, Some(_)) => ScalingKind::MaxAbs,
            (ScaleArgument::Standardise, Some(kernel)) => {
                let what = format!(
                    "--scale standardise makes values negative, and {kernel} needs values of at least 0: \
                     use --scale max-abs, min-max or none"
                );
                return Err(Error::Unsupported { what });
            }
            (ScaleArgument::Auto | ScaleArgument::Standardise, None) => ScalingKind::Standardise,
            (ScaleArgument::MinMax, _) => ScalingKind::UNIT_RANGE,
            (ScaleArgument::MaxAbs, _) => ScalingKind::MaxAbs,
            (ScaleArgument::Deviation, _) => ScalingKind::Deviation,
            (ScaleArgument::UnitNorm, _) => ScalingKind::UnitNorm,
            (ScaleArgument::None, _) => return Ok(None),
        }))
    }

    /// Whether the choice is the program's.
    pub fn is_auto(self) -> bool {
        self == ScaleArgument::Auto
    }
}

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
    /// Add the score of each class
    #[arg(long)]
    pub scores: bool,
    /// Threads; 0 means all
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
}

#[derive(Args)]
pub struct InspectArguments {
    /// The model file: Mercer's or LIBSVM's
    pub model: PathBuf,
}

#[derive(Args)]
pub struct EvaluateArguments {
    /// A model file and a data file; with --cv a data file alone
    #[arg(required = true, num_args = 1..=2, value_names = ["MODEL", "DATA"])]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Test in so many folds what `mercer train` would make of the data
    #[arg(long, value_name = "FOLDS")]
    pub cv: Option<usize>,
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct ConvertArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// Where the data go [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format [default: a table if the name ends in .csv or .tsv, else LIBSVM's]
    #[arg(long, value_enum)]
    pub to: Option<FormatArgument>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Args)]
pub struct ScaleCommandArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// Where the data go [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format [default: a table if the name ends in .csv or .tsv, else LIBSVM's]
    #[arg(long, value_enum)]
    pub to: Option<FormatArgument>,
    /// How columns are scaled
    #[arg(long, value_enum, default_value = "auto", conflicts_with = "like")]
    pub kind: ScaleArgument,
    /// Keep the scaling, so that other data can be scaled alike
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Scale as the data were that this scaling was kept from
    #[arg(long, value_name = "FILE")]
    pub like: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}

#[derive(Args)]
pub struct KernelArguments {
    /// The kernel; all are listed if none is given
    pub formula: Option<String>,
    /// Its value for two rows, numbers between commas
    #[arg(long, num_args = 2, value_names = ["X", "Z"], allow_hyphen_values = true, requires = "formula")]
    pub between: Vec<String>,
    /// Data to compare the rows of; their Gram matrix goes to standard output
    #[arg(long, value_name = "FILE", requires = "formula", conflicts_with = "between")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Write the Gram matrix to this file instead
    #[arg(long, value_name = "FILE", requires = "data")]
    pub gram: Option<PathBuf>,
    /// Check Mercer's condition on up to 500 rows
    #[arg(long, requires = "data", conflicts_with = "gram")]
    pub check: bool,
    /// What the rows to check are drawn from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Replace an existing file
    #[arg(long, requires = "gram")]
    pub force: bool,
}

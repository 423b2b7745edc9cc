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
}

const EXIT_CODES: &str =
    "Exit codes: 0 fine, 1 bad data, files or values, 2 a command that is not understood.";

#[derive(Subcommand)]
pub enum Command {
    /// Train a support vector classifier on a data file
    #[command(
        after_help = "Example: mercer train data/ionosphere.csv --kernel 'gaussian(sigma=1.5)' --cost 10"
    )]
    Train(TrainArguments),
    /// Predict the classes of the rows of a data file
    #[command(
        after_help = "Example: mercer predict ionosphere.mercer data/ionosphere.csv -o predictions.csv"
    )]
    Predict(PredictArguments),
    /// Show what a model file holds
    #[command(after_help = "Example: mercer inspect ionosphere.mercer")]
    Inspect(InspectArguments),
}

/// How a data file is read.
#[derive(Args)]
pub struct DataArguments {
    /// The data: LIBSVM, CSV or TSV, told by its content; gzip is unpacked
    pub data: PathBuf,
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

impl DataArguments {
    pub fn options(&self) -> ReadOptions {
        let label = match self.label.as_deref().map(|text| (text, text.parse::<i64>())) {
            None => LabelColumn::default(),
            Some((_, Ok(number))) if number > 0 => LabelColumn::At(number as usize - 1),
            Some((_, Ok(number))) if number < 0 => LabelColumn::FromEnd(number.unsigned_abs() as usize - 1),
            Some((name, _)) => LabelColumn::Name(name.to_string()),
        };
        ReadOptions {
            format: self.format.map(|format| match format {
                FormatArgument::Libsvm => Format::Libsvm,
                FormatArgument::Csv => Format::Csv,
                FormatArgument::Tsv => Format::Tsv,
                FormatArgument::Semicolons => Format::Semicolons,
            }),
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
    /// The kernel, for example 'gaussian(gamma=0.1)' or '0.5 * polynomial(degree=2) + linear'; 'precomputed' if
    /// the data are kernel values in LIBSVM's format
    #[arg(long, default_value = "gaussian", allow_hyphen_values = true)]
    pub kernel: String,
    /// C: what a unit of slack costs
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub cost: f64,
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
    /// Most seconds for the training and the count of right answers after it
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
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
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

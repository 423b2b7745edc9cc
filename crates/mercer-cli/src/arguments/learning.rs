//! What can be said about learning.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mercer::data::ScalingKind;
use mercer::gram::Precision;
use mercer::solver::Method;
use mercer::{Error, Result};

use super::data::{DataArguments, TableArguments};
use super::machine::MachineArguments;
use super::others::{OtherArguments, OtherMachine};

/// The kernel that is meant if none is named.
pub const DEFAULT_KERNEL: &str = "gaussian(gamma=median)";

#[derive(Args, Clone)]
pub struct TrainArguments {
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub table: TableArguments,
    /// Where the model goes: JSON if it ends in .json, LIBSVM's format if it ends in .model [default: beside the data,
    /// .mercer]; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing model file
    #[arg(long)]
    pub force: bool,
    /// Go on from an earlier model of the same rows, whose training was stopped, or that had another cost: with its
    /// coefficients, machine, kernel and scaling, and its cost unless one is given. Nothing is chosen or tested
    #[arg(long, value_name = "MODEL")]
    pub from: Option<PathBuf>,
    /// First find the width of the kernel and the cost by cross-validation, as `mercer tune` does
    #[arg(long, conflicts_with_all = ["from", "cost"])]
    pub tune: bool,
    /// Another machine than the support vector machine; a fifth of the rows tests it
    #[arg(long, value_enum, value_name = "MACHINE")]
    pub machine: Option<OtherMachine>,
    #[command(flatten)]
    pub other: OtherArguments,
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// How the model is tested on rows that had no part in it: auto takes folds up to 2000 rows, else sets rows aside
    #[arg(long, value_enum, default_value = "auto")]
    pub test: TestArgument,
    /// Folds of a test in folds [default: 5]
    #[arg(long, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub folds: Option<u64>,
    /// Keep the model that an interrupted training has reached; --from goes on with it
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
#[derive(Args, Clone)]
pub struct RecipeArguments {
    /// What is learned: classes, numbers to be met, or what rows are unlike the others; auto looks at what else is
    /// said, and at the labels: words and up to 20 different numbers are classes, more are regression targets, and so are 11 to 20 whole
    /// numbers as frequent as counts
    #[arg(long, value_enum, default_value = "auto")]
    pub task: TaskArgument,
    /// The kernel, for example 'gaussian(gamma=0.1)', '0.5 * polynomial(degree=2) + linear', 'spectrum(k=3)' on strings or 'wl(h=3)'
    /// on graphs (mercer kernel lists all); 'precomputed' if the data are kernel values in LIBSVM's format [default: gaussian, its width the median distance of rows]
    #[arg(
        long,
        default_value = DEFAULT_KERNEL,
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub kernel: String,
    /// gamma of the Gaussian kernel: a number, or median, scale or auto
    #[arg(long, conflicts_with = "kernel", allow_hyphen_values = true)]
    pub gamma: Option<String>,
    /// C: what a unit of slack, or of loss, costs [default: chosen by cross-validation]
    #[arg(long, allow_negative_numbers = true)]
    pub cost: Option<f64>,
    /// Scale the features; auto standardises tables (max-abs if the kernel needs values of at least 0) and leaves
    /// sparse data as they are
    #[arg(long, value_enum, default_value = "auto")]
    pub scale: ScaleArgument,
    /// Factors of the cost by class: 'balanced', or label=factor as often as needed
    #[arg(long, value_name = "balanced|LABEL=FACTOR")]
    pub class_weight: Vec<String>,
    /// The method that solves the dual problem; all but the first are references, slower and made to be read
    #[arg(long, value_enum, default_value = "decomposition")]
    pub solver: SolverArgument,
    /// Largest violation of the optimality conditions that counts as solved; for regression in spreads of the targets
    #[arg(long, default_value_t = 1e-3, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// Stop on the relative duality gap instead
    #[arg(long, value_name = "GAP", conflicts_with = "tolerance", allow_negative_numbers = true)]
    pub duality_gap: Option<f64>,
    /// Most steps of the solver, for each pair of classes
    #[arg(long)]
    pub max_iterations: Option<u64>,
    /// Most seconds from the start of the program to the answer. Where they are not enough for all rows a sample of them is
    /// learned from; folds share them equally, and are tested on 10 000 rows at most; a search tries samples first
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Threads; 0 means all. The model does not depend on it
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    pub threads: usize,
    /// Megabytes for cached rows of the Gram matrix, and for all of it where the solver stores it. The model does not
    /// depend on it
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
    /// Precision of kernel values
    #[arg(long, value_enum, default_value = "auto")]
    pub precision: PrecisionArgument,
    /// What random divisions of the rows are drawn from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub machine: MachineArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TaskArgument {
    Auto,
    #[value(alias = "classes")]
    Classify,
    #[value(alias = "numbers")]
    Regress,
    Novelty,
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
pub enum SolverArgument {
    Decomposition,
    Smo,
    Adatron,
    Chunking,
    InteriorPoint,
}

impl From<SolverArgument> for Method {
    fn from(argument: SolverArgument) -> Self {
        match argument {
            SolverArgument::Decomposition => Method::Decomposition,
            SolverArgument::Smo => Method::Smo,
            SolverArgument::Adatron => Method::Adatron,
            SolverArgument::Chunking => Method::Chunking,
            SolverArgument::InteriorPoint => Method::InteriorPoint,
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

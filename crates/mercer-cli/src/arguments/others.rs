//! What can be said about machines that factorise the kernel matrix.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::data::{DataArguments, TableArguments};
use super::learning::{DEFAULT_KERNEL, ScaleArgument};

/// A machine other than the support vector machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OtherMachine {
    /// Kernel ridge regression; lambda is 1/cost, chosen by leave-one-out unless --cost is said
    Ridge,
    /// Gaussian process: regression or classification; unless --cost is said, the kernel is learned (on items other than rows of
    /// numbers its factor) and the noise
    Gp,
    /// Least-squares support vector machine; the cost is chosen by leave-one-out unless it is said
    Lssvm,
    /// Kernel Fisher discriminant
    Fisher,
    /// Relevance vector machine: regression or classification
    Rvm,
    /// Kernel partial least squares
    Pls,
    /// Bayes point machine
    BayesPoint,
    /// Levels that have an order
    Ordinal,
    /// Radial basis functions about the means of clusters, with a linear read-out: regression or classification
    RbfNetwork,
    /// Novelty: a sphere cut by a slab about the plane of the principal components
    SphereSlab,
}

/// What can be said about one of these machines and not about the others.
#[derive(Args, Clone)]
pub struct OtherArguments {
    /// Bumps of rbf-network [default: 20]
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "machine", help_heading = "With --machine")]
    pub bumps: Option<usize>,
    /// Directions of pls [default: 5], dimensions of the plane of sphere-slab [default: 2]
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "machine", help_heading = "With --machine")]
    pub components: Option<usize>,
    /// Starts, the best of which counts: of the learning of gp [default: 1], of the clusters of rbf-network [default: 10]
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "machine", help_heading = "With --machine")]
    pub starts: Option<usize>,
    /// Perceptrons of bayes-point, for each class [default: 50]
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "machine", help_heading = "With --machine")]
    pub perceptrons: Option<usize>,
    /// Most items that gp and rvm are made of, most dimensions of the coordinates of fisher [default: as the memory allows; 500]
    #[arg(long, value_name = "N", value_parser = at_least_one, requires = "machine", help_heading = "With --machine")]
    pub rank: Option<usize>,
    /// The share of ‖w‖² in what fisher divides by, from 0 to 1 [default: 0.1]
    #[arg(
        long,
        value_name = "SHARE",
        allow_negative_numbers = true,
        requires = "machine",
        help_heading = "With --machine"
    )]
    pub regularisation: Option<f64>,
}

/// What the commands of machines without a choice of cost share.
#[derive(Args, Clone)]
pub struct PlainArguments {
    /// Replace an existing model file
    #[arg(long)]
    pub force: bool,
    /// Scale the features; auto standardises tables and leaves sparse data as they are
    #[arg(long, value_enum, default_value = "auto")]
    pub scale: ScaleArgument,
    /// Threads; 0 means all. The model does not depend on it
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Megabytes for the kernel matrix and what is made of it
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
    /// Most seconds from the start of the program to the answer: a random sample of the items is taken if they are not enough
    /// for all
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// What random starts are drawn from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Exit with code 3 if the training has not converged
    #[arg(long)]
    pub strict: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Clone)]
pub struct ReduceArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// Where the model goes: JSON if it ends in .json [default: beside the data, .mercer]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The kernel, as for train
    #[arg(long, default_value = DEFAULT_KERNEL, hide_default_value = true, allow_hyphen_values = true)]
    pub kernel: String,
    /// Number of components
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub components: usize,
    #[command(flatten)]
    pub plain: PlainArguments,
}

#[derive(Args, Clone)]
pub struct ClusterArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// Where the model goes: JSON if it ends in .json [default: beside the data, .mercer]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The kernel, as for train
    #[arg(long, default_value = DEFAULT_KERNEL, hide_default_value = true, allow_hyphen_values = true)]
    pub kernel: String,
    /// Number of clusters
    #[arg(long, value_name = "N")]
    pub clusters: usize,
    /// Spectral clustering: by steps from item to item, for clusters that are no balls
    #[arg(long)]
    pub spectral: bool,
    /// Starts, the best of which counts
    #[arg(long, value_name = "N", default_value = "10", value_parser = at_least_one)]
    pub starts: usize,
    #[command(flatten)]
    pub plain: PlainArguments,
}

#[derive(Args, Clone)]
pub struct CorrelateArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// The other view: row i belongs to row i of the first [default: the first file, of which --other-text or --other-kernel takes
    /// other columns]
    pub other: Option<PathBuf>,
    /// Where the models of the two views go
    #[arg(short, long, value_names = ["FIRST", "SECOND"], num_args = 2)]
    pub output: Vec<PathBuf>,
    /// The kernel of the first view, as for train
    #[arg(long, default_value = DEFAULT_KERNEL, hide_default_value = true, allow_hyphen_values = true)]
    pub kernel: String,
    /// The kernel of the other view [default: that of the first]
    #[arg(long, allow_hyphen_values = true)]
    pub other_kernel: Option<String>,
    /// The column of strings or trees of the other view [default: --text]
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub other_text: Option<String>,
    /// Two files, or one with both views, of things that had no part in it: tells the correlations there, and how often the
    /// counterpart of a row comes first, or among the first five, of all rows of the other view
    #[arg(long, value_names = ["FIRST", "SECOND"], num_args = 1..=2)]
    pub test: Vec<PathBuf>,
    /// Number of components
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub components: usize,
    /// The share of ‖w‖² in the constraint, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, allow_negative_numbers = true)]
    pub regularisation: f64,
    /// Most dimensions of the coordinates of a view [default: 500]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub rank: Option<usize>,
    #[command(flatten)]
    pub plain: PlainArguments,
}

#[derive(Args, Clone)]
pub struct RankArguments {
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub table: TableArguments,
    /// Where the model goes: JSON if it ends in .json [default: beside the data, .mercer]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The kernel, as for train
    #[arg(long, default_value = DEFAULT_KERNEL, hide_default_value = true, allow_hyphen_values = true)]
    pub kernel: String,
    /// C: what a unit of squared slack costs, for each pair of rows
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub cost: f64,
    /// Labelled rows to tell the order of: NDCG, average precision and Kendall's tau
    #[arg(long, value_name = "FILE")]
    pub test: Option<PathBuf>,
    #[command(flatten)]
    pub plain: PlainArguments,
}

#[derive(Args, Clone)]
pub struct CompareArguments {
    #[command(flatten)]
    pub data: DataArguments,
    /// The other sample, with the same columns; one of the files must have all words that stand in them
    pub other: PathBuf,
    /// The kernel, as for train; its width is the median distance of all rows unless it is said
    #[arg(long, default_value = DEFAULT_KERNEL, hide_default_value = true, allow_hyphen_values = true)]
    pub kernel: String,
    /// Scale the features of both together; auto standardises tables and leaves sparse data as they are
    #[arg(long, value_enum, default_value = "auto")]
    pub scale: ScaleArgument,
    /// Random divisions of all rows that the one into files is compared with
    #[arg(long, value_name = "N", default_value = "999", value_parser = at_least_one)]
    pub permutations: usize,
    /// What they are drawn from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Threads; 0 means all
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Megabytes for the kernel matrix; beyond, its values are computed several times
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
    /// Most seconds from the start of the program to the answer: a random sample of the rows is taken if they are not enough for all
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Clone)]
pub struct CompressArguments {
    /// The model file: Mercer's or LIBSVM's
    pub model: PathBuf,
    /// Most terms of the smaller model
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub terms: usize,
    /// Where it goes
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Most seconds from the start of the program to the answer
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub time_limit: Option<f64>,
    /// Replace an existing model file
    #[arg(long)]
    pub force: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Clone)]
pub struct LossesArguments {
    /// The smallest margin
    #[arg(long, default_value_t = -2.0, allow_negative_numbers = true)]
    pub from: f64,
    /// The largest margin
    #[arg(long, default_value_t = 2.0, allow_negative_numbers = true)]
    pub to: f64,
    /// From one to the next
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    pub step: f64,
    /// What costs nothing (insensitive)
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    pub tube: f64,
    /// Where the loss becomes linear (Huber)
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub width: f64,
    /// The quantile (pinball)
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    pub level: f64,
}

/// A number of things that there must be.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1".into()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

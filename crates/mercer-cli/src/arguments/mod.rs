//! What can be said on the command line.

mod data;
mod insight;
mod learning;
mod machine;
mod online;
mod others;
mod predict;

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Parser, Subcommand};

pub use data::{
    DataArguments, FormatArgument, MissingArgument, PoolArguments, QuoteArgument, ReadingArguments,
    TableArguments,
};
pub use insight::{CleanArguments, ExplainArguments, LabelArguments, PrototypesArguments, QueryArgument};
pub use learning::{
    DEFAULT_KERNEL, RecipeArguments, ScaleArgument, SolverArgument, TaskArgument, TestArgument,
    TrainArguments,
};
pub use machine::{LossArgument, MulticlassArgument, ProbabilityArgument, RegionArgument, SlackArgument};
pub use online::{
    LearnArguments, LearnTaskArgument, LearnerArguments, RuleArgument, StreamArgument, StreamScaleArgument,
};
pub use others::{
    ClusterArguments, CompareArguments, CompressArguments, CorrelateArguments, LossesArguments,
    OtherArguments, OtherMachine, PlainArguments, RankArguments, ReduceArguments,
};
pub use predict::{PredictArguments, StyleArgument};

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
  mercer train data/ionosphere.csv --kernel 'gaussian(sigma=1.5)' --cost 10 -o ionosphere.mercer
  mercer train people.csv --label income --ignore id --missing mean --weight share
  mercer train data/auto_mpg.csv --loss quantile --level 0.9
  mercer train data/ionosphere.csv --task novelty --region sphere --nu 0.05
  mercer train promoters.csv --kernel 'normalised(spectrum(k=3))'
  mercer train graphs_MUTAG/ --kernel 'wl(h=3)'
  mercer train people.csv --kernel 'column(\"age\", gaussian) * column(\"job\", equality)'
  mercer train data/auto_mpg.csv --machine gp
  mercer train large.csv --from large.mercer -o solved.mercer")]
    Train(TrainArguments),
    /// Find principal components in feature space; predict then tells where rows lie along them
    #[command(after_help = "Examples:
  mercer reduce data/wine.csv --components 3 -o wine.mercer
  mercer predict wine.mercer data/wine.csv -o components.csv")]
    Reduce(ReduceArguments),
    /// Find what two views of the same things have in common: row i of the one file belongs to row i of the other
    #[command(after_help = "Examples:
  mercer correlate english.csv german.csv -o english.mercer german.mercer
  mercer correlate pairs.tsv --text en --other-text de --kernel 'normalised(spectrum(k=3))' --test new.tsv -o en.mercer de.mercer")]
    Correlate(CorrelateArguments),
    /// Find clusters by kernel k-means; predict then tells the cluster of other rows
    #[command(after_help = "Example: mercer cluster data/wine.csv --clusters 3 -o wine.mercer")]
    Cluster(ClusterArguments),
    /// Learn which rows of a query come first (RankSVM); queries are the qid of LIBSVM's format, or a column (--group)
    #[command(after_help = "Example: mercer rank train.svmrank --test test.svmrank -o ranking.mercer")]
    Rank(RankArguments),
    /// Say whether two files hold samples of one distribution: the kernel two-sample test (maximum mean discrepancy)
    #[command(after_help = "Examples:
  mercer compare before.csv after.csv --label none
  mercer compare one.fasta other.fasta --kernel 'normalised(spectrum(k=3))' --permutations 9999")]
    Compare(CompareArguments),
    /// Make a model of fewer terms that says nearly the same, and say how nearly (reduced sets); its kernel must be positive semi-definite
    #[command(after_help = "Example: mercer compress ionosphere.mercer --terms 20 -o small.mercer")]
    Compress(CompressArguments),
    /// Print what every loss makes of a margin: zero-one, hinge, logistic and others side by side
    #[command(after_help = "Example: mercer losses --from -1 --to 3 --step 0.25")]
    Losses(LossesArguments),
    /// Predict the classes or numbers of the rows of a data file, or which of them are novel
    #[command(after_help = "Examples:
  mercer predict ionosphere.mercer data/ionosphere.csv -o predictions.csv
  zcat new.csv.gz | mercer predict ionosphere.mercer - --scores")]
    Predict(PredictArguments),
    /// Say how good a model is on labelled data, or what to expect of one
    #[command(after_help = "Examples:
  mercer evaluate ionosphere.mercer data/ionosphere.csv
  mercer evaluate --cv 10 data/ionosphere.csv")]
    Evaluate(EvaluateArguments),
    /// Try kernels and costs by cross-validation or by a criterion, and say which does best
    #[command(after_help = "Examples:
  mercer tune data/ionosphere.csv
  mercer tune data/pima_diabetes.csv --kernels 'linear; gaussian(gamma=0.1)' --costs 0.1,1,10 --metrics f1,accuracy
  mercer tune data/ionosphere.csv --criterion span
  mercer tune data/ionosphere.csv --nested 5
  mercer tune data/auto_mpg.csv --splits repeated:5x3 --exhaustive -o table.csv")]
    Tune(TuneArguments),
    /// Say what a higher rate of detections of one of two classes costs in false alarms
    #[command(after_help = "Example: mercer curve data/pima_diabetes.csv --positive pos --detect 0.9")]
    Curve(CurveArguments),
    /// Learn from a stream of examples as they come, predicting each before it is learned
    #[command(after_help = "Examples:
  tail -f clicks.csv | mercer learn clicks.mercer --label clicked
  zcat huge.csv.gz | mercer learn huge.mercer --rule perceptron --budget 100 --checkpoint-every 50000
  zcat huge.csv.gz | mercer learn huge.mercer --skip-seen")]
    Learn(LearnArguments),
    /// Ask a person for the labels of rows, those that teach most first
    #[command(after_help = "Examples:
  mercer label pool.csv --classes no,yes -o labelled.csv
  mercer label pool.csv --classes red,green,blue --query uncertain --batch 5
  mercer label pool.csv --classes no,yes --validation known.csv --stop")]
    Label(LabelArguments),
    /// Rank the rows of a data file by how much their label is contradicted by the others
    #[command(after_help = "Examples:
  mercer clean data/ionosphere.csv -o suspects.csv
  mercer clean data/promoters.csv --kernel 'spectrum(k=3)'")]
    Clean(CleanArguments),
    /// Choose the rows of a data file that stand best for all others
    #[command(after_help = "Example: mercer prototypes data/wine.csv --count 2 --per-class")]
    Prototypes(PrototypesArguments),
    /// Say which support vectors speak for and against what a model predicts for a row
    #[command(after_help = "Examples:
  mercer explain iris.mercer 5.1,3.5,1.4,0.2
  mercer explain iris.mercer 17 --data data/iris.csv
  mercer explain heart.mercer '1:0.7 2:1 3:-0.5'
  mercer explain promoters.mercer tactagcaatacgcttgcgttcggtggttaagt")]
    Explain(ExplainArguments),
    /// Say what theorems promise about new rows, from the margin, the slacks and the support vectors of a model
    #[command(after_help = "Examples:
  mercer bound ionosphere.mercer
  mercer bound ionosphere.mercer --delta 0.01 --choices 100")]
    Bound(BoundArguments),
    /// Convert a data file between LIBSVM's format and tables
    #[command(after_help = "Examples:
  mercer convert data/heart_scale -o heart.csv
  mercer convert --renew-checksum edited.json -o model.json")]
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
  mercer kernel linear --data data/wine.csv --gram gram.csv
  mercer kernel 'matern(nu=1.5)' --data data/wine.csv --draw 3")]
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

/// The options of a group that were said, as they are written, and not only left at their defaults.
pub fn given<A: Args>(matches: &ArgMatches) -> Vec<String> {
    said::<A>(matches).into_iter().map(|(name, _)| name).collect()
}

/// The same with what was said: for each option its name, and the words of the command line.
pub fn said<A: Args>(matches: &ArgMatches) -> Vec<(String, String)> {
    let Some((_, matches)) = matches.subcommand() else { return Vec::new() };
    let command = A::augment_args(clap::Command::new(""));
    let options = command.get_arguments().filter_map(|option| Some((option, option.get_long()?)));
    options
        .filter(|(option, _)| {
            matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine)
        })
        .map(|(option, name)| {
            let name = format!("--{name}");
            let values = match option.get_action().takes_values() {
                true => matches.get_raw(option.get_id().as_str()).into_iter().flatten().collect(),
                false => Vec::new(),
            };
            let between = if option.is_require_equals_set() { '=' } else { ' ' };
            let words =
                values.iter().map(|value| format!("{name}{between}{}", quoted(&value.to_string_lossy())));
            let words = if values.is_empty() { name.clone() } else { words.collect::<Vec<_>>().join(" ") };
            (name, words)
        })
        .collect()
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[derive(Args)]
pub struct InspectArguments {
    /// The model file: Mercer's or LIBSVM's
    pub model: PathBuf,
}

#[derive(Args)]
pub struct BoundArguments {
    /// The model file: Mercer's or LIBSVM's
    pub model: PathBuf,
    /// How likely it may be that a bound fails
    #[arg(long, default_value_t = 0.05, allow_negative_numbers = true)]
    pub delta: f64,
    /// From how many values cost, share, margin or width were chosen by looking at the data [default: as many settings as --tune
    /// tried for the model, or 1]
    #[arg(long, value_name = "K")]
    pub choices: Option<usize>,
    /// What to take for the constant of theorems that do not name theirs
    #[arg(long, value_name = "C", default_value_t = 1.0, allow_negative_numbers = true)]
    pub constant: f64,
    /// Of regressions and spheres: by how much a target may be missed, or a squared radius be exceeded [default: what --share takes]
    #[arg(long, allow_negative_numbers = true)]
    pub gamma: Option<f64>,
    /// Of regressions and spheres: the share of such rows for which gamma is found [default: 0.1]
    #[arg(long, allow_negative_numbers = true)]
    pub share: Option<f64>,
    /// Tell of all pairs of classes, however many there are
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub struct EvaluateArguments {
    /// A model file and a data file; with --cv a data file alone
    #[arg(required = true, num_args = 1..=2, value_names = ["MODEL", "DATA"])]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub table: TableArguments,
    /// Test in so many folds what `mercer train` would make of the data
    #[arg(long, value_name = "FOLDS")]
    pub cv: Option<usize>,
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// A number of a list, which may have blanks about it.
fn listed(text: &str) -> Result<f64, std::num::ParseFloatError> {
    text.trim().parse()
}

#[derive(Args)]
pub struct TuneArguments {
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub table: TableArguments,
    /// Kernels to try, between semicolons [default: --kernel, in nine widths if the data are to say how wide it is]
    #[arg(long, value_delimiter = ';', conflicts_with_all = ["kernel", "gamma"], allow_hyphen_values = true)]
    pub kernels: Vec<String>,
    /// Costs to try, between commas; for regression in spreads of the targets [default: seven, about what the noise of the targets asks for]
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true, value_parser = listed)]
    pub costs: Vec<f64>,
    /// Compare settings by what their own rows tell, with no row held out: leave-one-out, span, span-bound, opper-winther,
    /// xi-alpha, xi-alpha-by-row, jaakkola-haussler, support-vectors, radius-margin, alignment, centred-alignment or bound; for numbers leave-one-out
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["splits", "metrics", "exhaustive", "halving", "learning_curve", "validation_curve", "nested"]
    )]
    pub criterion: Option<String>,
    /// Shares nu to try with --slack nu, or with --task novelty, between commas [default: from 0.01 to what the classes allow; --nu of
    /// a detector]
    #[arg(
        long,
        value_delimiter = ',',
        conflicts_with_all = ["costs", "random", "nu"],
        allow_negative_numbers = true,
        value_parser = listed
    )]
    pub nus: Vec<f64>,
    /// With --task novelty, the share of new rows that may be outside of the region [default: nu]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub outside: Option<f64>,
    /// Tell what a search like this is worth on new rows: search without each part of the rows in turn, and test there what
    /// was found. Parts are named as for --splits
    #[arg(
        long,
        value_name = "HOW",
        conflicts_with_all = ["refine", "learning_curve", "validation_curve"]
    )]
    pub nested: Option<String>,
    /// How rows are held out: 5, stratified:5, grouped:5, repeated:5x3, loo, time-series:5, … [default: five folds, by
    /// class and group]
    #[arg(long, value_name = "HOW")]
    pub splits: Option<String>,
    /// What is measured, between commas; the first decides [default: accuracy, or r2]
    #[arg(long, value_delimiter = ',')]
    pub metrics: Vec<String>,
    /// Try every setting in every fold, also those that are far behind
    #[arg(long, conflicts_with = "halving")]
    pub exhaustive: bool,
    /// Try so many widths of the kernel and as many costs, drawn at random (by --seed), in place of a grid
    #[arg(long, value_name = "N", conflicts_with_all = ["kernels", "costs"])]
    pub random: Option<usize>,
    /// Try all settings with some hundred rows first, the best third of them with three times as many, and so on
    #[arg(long)]
    pub halving: bool,
    /// Scale the columns, and find widths, anew in every fold, by the rows to learn from alone: slower, since folds then share no kernel
    /// values, and every setting is tried in every fold
    #[arg(long, conflicts_with_all = ["criterion", "nested", "halving", "random", "refine", "learning_curve", "validation_curve"])]
    pub per_fold: bool,
    /// Go on from the best setting in so many rounds of ever smaller steps
    #[arg(long, value_name = "ROUNDS", default_value_t = 0)]
    pub refine: usize,
    /// Also tell how the best setting does with fewer rows to learn from, and on its own rows: whether more rows would help
    #[arg(long)]
    pub learning_curve: bool,
    /// Also tell how costs do with the best kernel, and kernels with the best cost, on new rows and on their own: whether the
    /// machine is too stiff, or learns its rows by heart
    #[arg(long)]
    pub validation_curve: bool,
    /// Write the table, or with --nested what was found without each part, to this file: JSON if it ends in .json, else
    /// comma-separated values
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub force: bool,
    #[command(flatten)]
    pub recipe: RecipeArguments,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args)]
pub struct CurveArguments {
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub table: TableArguments,
    /// The class to be detected [default: the later one]
    #[arg(long, value_name = "CLASS", allow_hyphen_values = true)]
    pub positive: Option<String>,
    /// The share of this class that is to be detected: says what to tell `mercer train` for it
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    pub detect: Option<f64>,
    /// Ratios of the cost of this class to that of the other, between commas [default: 1/64, 1/32, … 64]
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true, value_parser = listed)]
    pub ratios: Vec<f64>,
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
    /// Accept a model in JSON that was edited by hand: write it with the checksum of its content, as JSON, or in the binary format
    /// if the name ends in .mercer
    #[arg(long, conflicts_with = "to")]
    pub renew_checksum: bool,
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
    /// Its value for two rows, numbers between commas, or for two strings, trees in brackets, or series (channels between colons)
    #[arg(long, num_args = 2, value_names = ["X", "Z"], allow_hyphen_values = true, requires = "formula")]
    pub between: Vec<String>,
    /// Data to compare the rows or items of; their Gram matrix goes to standard output
    #[arg(long, value_name = "FILE", requires = "formula", conflicts_with = "between")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// Write the Gram matrix to this file instead
    #[arg(long, value_name = "FILE", requires = "data")]
    pub gram: Option<PathBuf>,
    /// Check Mercer's condition on up to 500 rows or items
    #[arg(long, requires = "data", conflicts_with = "gram")]
    pub check: bool,
    /// Print the values at all rows or items of so many functions that are drawn from the Gaussian process with this kernel
    #[arg(
        long,
        value_name = "N",
        requires = "data",
        conflicts_with_all = ["gram", "check"],
        value_parser = others::at_least_one
    )]
    pub draw: Option<usize>,
    /// What the rows to check, or the functions, are drawn from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Replace an existing file
    #[arg(long, requires = "gram")]
    pub force: bool,
}

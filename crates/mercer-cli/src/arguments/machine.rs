//! What can be said about one machine and not about the others.

use clap::{Args, ValueEnum};
use mercer::machine::{Probability, Region};

/// Parameters that belong to one task, or to one loss.
#[derive(Args, Clone)]
pub struct MachineArguments {
    /// What it costs to miss the margin, or to be outside the region: linear (the 1-norm soft margin), quadratic (the
    /// 2-norm), nu, a share of rows that may, or none, the hard margin [default: linear, nu for novelty detection]
    #[arg(long, value_enum, help_heading = "Classification and novelty detection")]
    pub slack: Option<SlackArgument>,
    /// How more than two classes are told apart: by the votes of all pairs, a graph of pairs, one machine for each class
    /// against the rest, or one machine for all [default: one-against-one]
    #[arg(long, value_enum, help_heading = "Classification")]
    pub multiclass: Option<MulticlassArgument>,
    /// Train probabilities too: consistent (the predicted class is the most probable), platt (as LIBSVM's -b 1), isotonic
    #[arg(
        long,
        value_enum,
        value_name = "KIND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "consistent",
        help_heading = "Classification"
    )]
    pub probabilities: Option<ProbabilityArgument>,
    /// Scale decision values to distances in feature space (--slack quadratic, nu, none)
    #[arg(long, help_heading = "Classification")]
    pub unit_length: bool,
    /// Leave the offset b out of decision functions
    #[arg(long, help_heading = "Classification and regression")]
    pub no_offset: bool,
    /// What a missed target costs: linear or quadratic outside a tube, huber, quantile, or nu, which finds the tube
    /// [default: linear]
    #[arg(long, value_enum, help_heading = "Regression")]
    pub loss: Option<LossArgument>,
    /// Residuals up to this cost nothing (--loss linear, quadratic) [default: a tenth of the spread of the targets]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, help_heading = "Regression")]
    pub tube: Option<f64>,
    /// Residuals up to this cost their square (--loss huber) [default: half of the spread of the targets]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, help_heading = "Regression")]
    pub width: Option<f64>,
    /// The quantile to be met (--loss quantile) [default: 0.5, the median]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, help_heading = "Regression")]
    pub level: Option<f64>,
    /// The share of the rows that miss the margin (--slack nu, default 0.2), are outside the tube (--loss nu, default 0.5)
    /// or outside the region (--task novelty, default 0.1), at most
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, help_heading = "All tasks")]
    pub nu: Option<f64>,
    /// What holds the rows that are known: the smallest sphere, a sphere about their centre, or the half-space farthest
    /// from the origin [default: hyperplane]
    #[arg(long, value_enum, help_heading = "Novelty detection")]
    pub region: Option<RegionArgument>,
    /// Move the border until this share of the training rows is outside
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, help_heading = "Novelty detection")]
    pub contamination: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SlackArgument {
    Linear,
    Quadratic,
    Nu,
    #[value(alias = "hard")]
    None,
}

impl SlackArgument {
    /// The one that is said so.
    pub fn of(name: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|slack| slack.name() == name)
    }

    /// As it is said.
    pub fn name(self) -> &'static str {
        match self {
            SlackArgument::Linear => "linear",
            SlackArgument::Quadratic => "quadratic",
            SlackArgument::Nu => "nu",
            SlackArgument::None => "none",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MulticlassArgument {
    OneAgainstOne,
    #[value(alias = "dag")]
    Graph,
    OneAgainstRest,
    WestonWatkins,
    CrammerSinger,
}

impl MulticlassArgument {
    /// As it is said.
    pub fn name(self) -> &'static str {
        match self {
            MulticlassArgument::OneAgainstOne => "one-against-one",
            MulticlassArgument::Graph => "graph",
            MulticlassArgument::OneAgainstRest => "one-against-rest",
            MulticlassArgument::WestonWatkins => "weston-watkins",
            MulticlassArgument::CrammerSinger => "crammer-singer",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProbabilityArgument {
    Consistent,
    Platt,
    Isotonic,
}

impl From<ProbabilityArgument> for Probability {
    fn from(argument: ProbabilityArgument) -> Self {
        match argument {
            ProbabilityArgument::Consistent => Probability::Consistent,
            ProbabilityArgument::Platt => Probability::Platt,
            ProbabilityArgument::Isotonic => Probability::Isotonic,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LossArgument {
    Linear,
    Quadratic,
    Huber,
    Quantile,
    Nu,
}

impl LossArgument {
    /// As it is said.
    pub fn name(self) -> &'static str {
        match self {
            LossArgument::Linear => "linear",
            LossArgument::Quadratic => "quadratic",
            LossArgument::Huber => "huber",
            LossArgument::Quantile => "quantile",
            LossArgument::Nu => "nu",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RegionArgument {
    #[value(alias = "center")]
    Centre,
    Sphere,
    Hyperplane,
}

impl From<RegionArgument> for Region {
    fn from(argument: RegionArgument) -> Self {
        match argument {
            RegionArgument::Centre => Region::Centre,
            RegionArgument::Sphere => Region::Sphere,
            RegionArgument::Hyperplane => Region::Hyperplane,
        }
    }
}

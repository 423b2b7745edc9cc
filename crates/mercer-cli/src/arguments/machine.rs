//! What can be said about one machine and not about the others.

use clap::{Args, ValueEnum};
use mercer::machine::Region;

/// Parameters that belong to one task, or to one loss.
#[derive(Args)]
pub struct MachineArguments {
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
    /// The share of the rows outside the tube (--loss nu, default 0.5) or outside the region (--task novelty, default
    /// 0.1), at most
    #[arg(
        long,
        value_name = "SHARE",
        allow_negative_numbers = true,
        help_heading = "Regression and novelty detection"
    )]
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

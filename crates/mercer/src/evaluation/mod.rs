//! How well a machine does on rows that it has not seen, and the choice of what it is not told.

mod assessment;
pub mod bounds;
mod classification;
mod confusion;
mod cost;
mod cost_curve;
mod errors;
mod learner;
mod log_loss;
mod novelty;
mod per_class;
mod ranking;
mod recipe;
mod regression;
mod spread;
mod testing;
mod trials;
mod within;

pub use assessment::{Assessment, Method};
pub use classification::ClassificationTest;
pub use confusion::Confusion;
pub use cost::{Choice, GRID, Tried, choose_cost};
pub use cost_curve::{CostCurve, CostPoint, RATIOS, cost_curve};
pub use errors::{ErrorSums, Errors, RESIDUAL_SHARES};
pub use learner::{Fold, Learner, Outcome, Parameters, Tunable};
pub use log_loss::log_loss;
pub use novelty::{Aside, Detector, KindTested, NoveltyTest};
pub use per_class::PerClass;
pub use ranking::{Threshold, average_precision, best_threshold, roc_auc};
pub use recipe::{Costs, Learned, Recipe};
pub use regression::{Regression, RegressionTest, check_targets};
pub use spread::spread;
pub use testing::{Tested, Testing};

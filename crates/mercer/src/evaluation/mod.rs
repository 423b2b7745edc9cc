//! How well a machine does on rows that it has not seen, and the choice of what it is not told.

mod assessment;
pub mod bounds;
mod classification;
mod cost;
mod cost_curve;
pub mod estimates;
mod growing;
pub mod insight;
mod learner;
mod metric;
mod novelty;
mod per_class;
mod recipe;
mod regression;
pub mod search;
mod spread;
mod summary;
mod testing;
mod trials;
mod within;

pub use assessment::{Assessment, Method};
pub use classification::ClassificationTest;
pub use cost::{Choice, GRID, Tried, choose_cost};
pub use cost_curve::{CostCurve, CostPoint, RATIOS, cost_curve};
pub use growing::{GrowingStep, Grown, Judge, fit_growing};
pub use learner::{Fold, Learner, Outcome, Parameters, Tunable};
pub use metric::{
    Average, Comparison, Confusion, Count, ErrorSums, Errors, Metric, Needs, Predicted, RESIDUAL_SHARES,
    Rate, Residuals, Threshold, Truth, average_precision, best_threshold, brier, kendall_tau, log_loss,
    mean_average_precision, ndcg, retrieval, roc_auc, view_correlations,
};
pub use novelty::{Aside, Detector, KindTested, NoveltyTest};
pub use per_class::PerClass;
pub use recipe::{Costs, Learned, Recipe};
pub use regression::{Regression, RegressionTest, check_targets};
pub use spread::spread;
pub use summary::Summary;
pub use testing::{Tested, Testing};

//! How well a machine does on rows that it has not seen, and the choice of what it is not told.

mod assessment;
mod confusion;
mod cost;
mod ranking;
mod recipe;
mod testing;
mod within;

pub use assessment::{Assessment, Method};
pub use confusion::Confusion;
pub use cost::{Choice, GRID, Tried, choose_cost};
pub use ranking::{Threshold, average_precision, best_threshold, roc_auc};
pub use recipe::{Costs, Learned, Recipe};
pub use testing::{Tested, Testing};

//! Many settings of a machine tried on the same folds, or compared by what their own rows tell.
//!
//! Kernel values are computed once for all folds and all costs; along the costs every training begins where the one before
//! ended.
//!
//! | file | what it knows |
//! |---|---|
//! | `said.rs` | what a machine says about rows that it has not learned from |
//! | `parts.rs` | the kernel values of a fold: taken from one matrix while that fits into memory, else computed row by row |
//! | `trials.rs` | some settings in some folds of some rows |
//! | `grid.rs` | every kernel with every cost, in every fold: a first look, a race, a second look |
//! | `criterion.rs`, `by_criterion.rs` | every kernel with every cost by an estimate or a bound, without folds |
//! | `by_left_out.rs` | the same for regressions, by leave-one-out |
//! | `regions.rs` | detectors, which have no labels to be judged by |
//! | `ridge.rs` | ridge regression in a search |
//! | `shares.rs` | shares ν in place of costs |
//! | `race.rs` | which cells are hopeless |
//! | `halving.rs` | samples of the rows to begin with, and who goes on from them |
//! | `per_fold.rs` | all settings in folds each of which is scaled, and finds widths, by its own rows |
//! | `learning_curve.rs` | one setting with ever more rows to learn from |
//! | `validation_curve.rs` | settings on rows that were held out, and on their own |
//! | `nested.rs` | what a search is worth on rows that it has not seen |
//! | `costs.rs` | costs and shares to try, from how noisy the targets are |
//! | `finer.rs` | grids about a setting, and grids that are drawn |
//! | `cell.rs`, `table.rs` | how one of them did, and all of them |

mod by_criterion;
mod by_left_out;
mod cell;
mod costs;
mod criterion;
mod finer;
mod grid;
mod halving;
mod learning_curve;
mod nested;
mod parts;
mod per_fold;
mod race;
mod regions;
mod ridge;
mod said;
mod shares;
mod table;
mod trials;
mod validation_curve;

pub use by_criterion::ByCriterion;
pub use cell::{Cell, Look};
pub use costs::{usual_costs, usual_shares};
pub use criterion::Criterion;
pub use finer::{Searchable, refined};
pub use grid::{Grid, Search, Watch};
pub use learning_curve::CurvePoint;
pub use nested::{Inner, Nested, NestedFold};
pub use race::hopeless;
pub use regions::{RegionMeasure, Regions};
pub use ridge::RidgeCandidate;
pub use said::{Answer, Candidate, HeldOut, Said};
pub use shares::Shares;
pub use table::{Measure, Table};
pub use validation_curve::ValidationPoint;

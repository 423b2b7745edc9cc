//! Generalisation bounds: what can be promised about rows that were never seen.
//!
//! A theorem is a struct of the numbers that it speaks of, named as here and not by letters, and `bound` gives its
//! terms for a confidence 1 − δ. [`Bound`] is their sum, with where it stands, whether it says anything at all, and what
//! would make it smaller.
//!
//! | theorem | bounds | where it stands |
//! |---|---|---|
//! | [`FatShattering`] | the error of a consistent hyperplane, by R²/γ² | C&ST Thm 5.2, Campbell Thm 1 |
//! | [`SquaredSlackOrder`], [`SlackOrder`], [`SlackSumSquaredOrder`] | the error, by R²/γ² and slacks, up to an unknown constant | C&ST Thm 5.3, 5.4, Campbell Thm 2, 3 |
//! | [`Compression`] | the error of a machine that its d support vectors make | C&ST Thm 5.5, ST&C Thm 7.56 |
//! | [`LeaveOneOut`] | its expected error | ST&C Rem 7.57 |
//! | [`FalsePositives`] | how often a sphere calls a row novel that is not | ST&C Thm 7.5, 7.9, 7.12, Cor 7.14 |
//! | [`SoftMargin`], [`SquaredSlack`] | the error, by tr(K), γ and slacks | ST&C (7.8), (7.13) |
//! | [`HardMargin`] | the same without slack | ST&C Thm 7.22, 7.27 |
//! | [`BoxConstraint`], [`NuShare`] | the error of the 1-norm machine, by its dual | ST&C Thm 7.30, 7.33 |
//! | [`Diagonal`] | the error of the 2-norm machine | ST&C Thm 7.38 |
//! | [`SquaredLoss`] | the expected squared error of a regression | ST&C Thm 7.39 |
//! | [`Tolerance`] | how often a regression misses by more than γ | ST&C Thm 7.49 |
//! | [`ToleranceOrder`] | the same up to an unknown constant | Campbell Thm 4 |
//! | [`Updates`] | updates of the perceptron | ST&C Thm 7.53 |
//! | [`Mistakes`], [`PerceptronMargin`] | the error of the perceptron | ST&C Thm 7.54, Cor 7.55 |
//!
//! C&ST is Cristianini & Shawe-Taylor, *Support Vector and Kernel Methods*; ST&C is Shawe-Taylor & Cristianini, *Pattern
//! analysis using convex optimisation*; Campbell is *An Introduction to Kernel Methods*, appendix 1.
//!
//! **What the theorems ask for.** Rows are drawn independently from one distribution. R is the radius of a ball about
//! the *origin* of the feature space that holds every row there can be, not only those that were seen. γ, ν, B and C are
//! fixed before the rows are seen; [`Theorem::among`] is the bound for the best of k values, and [`Grid`] are k margins
//! that can be fixed beforehand. Functions have no offset; [`Hyperplane::folded`] makes the offset part of w.
//!
//! [`of_pair`], [`of_regression`] and [`of_detector`] list all that can be said of a trained model;
//! [`of_formulation`] is the one bound by which machines of a formulation can be compared.
//!
//! ```
//! use mercer::evaluation::bounds::{HardMargin, Theorem};
//! // 10 000 rows of length 1 at most, separated by a margin of 0.2.
//! let bound = HardMargin { rows: 10_000, trace: 10_000.0, margin: 0.2 }.bound(0.05)?;
//! // 4/(ℓγ) √tr(K) = 0.2 and 3 √(ln 40/20 000) = 0.0407…
//! assert!((bound.terms[0].value - 0.2).abs() < 1e-12);
//! assert!((bound.value - 0.240_743).abs() < 1e-6);
//! assert!(!bound.is_vacuous());
//! assert!(bound.advice().contains("margin"));
//! # Ok::<(), mercer::Error>(())
//! ```

mod applicable;
mod bound;
mod box_constraint;
mod check;
mod choices;
mod compression;
mod diagonal;
mod false_positives;
mod fat_shattering;
mod margin;
mod offset;
mod order;
mod perceptron;
mod squared_loss;
mod tolerance;

pub use applicable::{
    Applicable, Fact, Refusal, Wishes, of_detector, of_formulation, of_margins, of_pair, of_pairs,
    of_regression, of_residuals,
};
pub(crate) use applicable::{of_margin_sample, of_residual_sample};
pub use bound::{Bound, Quantity, Term, Theorem};
pub use box_constraint::{BoxConstraint, NuShare};
pub use choices::Grid;
pub use compression::{Compression, LeaveOneOut};
pub use diagonal::Diagonal;
pub use false_positives::{FalsePositives, clipped_slack};
pub use fat_shattering::FatShattering;
pub use margin::{HardMargin, SoftMargin, SquaredSlack};
pub use offset::Hyperplane;
pub use order::{SlackOrder, SlackSumSquaredOrder, SquaredSlackOrder, ToleranceOrder};
pub use perceptron::{Mistakes, PerceptronMargin, Updates};
pub use squared_loss::SquaredLoss;
pub use tolerance::Tolerance;

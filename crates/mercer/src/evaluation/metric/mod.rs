//! Measures of how good predictions are, by name.
//!
//! | file | judges | metrics |
//! |---|---|---|
//! | `confusion.rs` | predicted classes | accuracy, balanced accuracy, precision, recall, F₁, Matthews, κ |
//! | `top_k.rs` | scores of a row | top k |
//! | `ranking.rs`, `one_against.rs` | scores of a class | areas under the ROC and the precision–recall curve |
//! | `order.rs` | scores of the items of queries | NDCG, mean average precision, Kendall's τ |
//! | `views.rs` | components of two views | correlations, retrieval |
//! | `probability.rs` | probabilities | log loss, Brier |
//! | `residuals.rs` | numbers | squared, absolute, largest, relative errors, R², pinball, Huber |
//! | `comparison.rs` | all of them | what metrics of the same predictions share, and what is refused |

mod classes;
mod comparison;
mod confusion;
mod errors;
mod names;
mod one_against;
mod order;
mod probability;
mod ranking;
mod residuals;
mod top_k;
mod views;

pub use comparison::{Comparison, Predicted, Truth};
pub use confusion::{Confusion, Count, Rate};
pub use errors::{ErrorSums, Errors, RESIDUAL_SHARES};
pub use order::{kendall_tau, mean_average_precision, ndcg};
pub use probability::{brier, log_loss};
pub(in crate::evaluation) use ranking::area_under_roc;
pub use ranking::{Threshold, average_precision, best_threshold, roc_auc};
pub use residuals::Residuals;
pub use views::{retrieval, view_correlations};

use crate::error::{Error, Result};
use crate::machine::Loss;

/// A number that says how good predictions are. Names are those of scikit-learn's scorers, where it has them.
///
/// Losses are printed without scikit-learn's `neg_` and are not negated: [`Metric::larger_is_better`] says which way is up.
/// Rows of weight 0 do not count at all. What is 0/0 by the choice of the rows is an
/// [`Error::Undefined`](crate::Error::Undefined), never a number made up; what the *predictions* leave undefined (the
/// precision of a class that is never predicted) is 0, as in scikit-learn.
///
/// | name | value | undefined |
/// |---|---|---|
/// | `accuracy` | share of rows predicted as they are | |
/// | `balanced_accuracy` | mean recall of the classes that occur | |
/// | `precision`, `recall`, `f1` | of the later of two classes, see [`Rate`] | more than two classes; recall without rows of the class, F₁ if it is not predicted either |
/// | `…_macro`, `…_micro`, `…_weighted` | averages over the classes that occur or are predicted | |
/// | `matthews_corrcoef` | correlation of truth and prediction, 0 if either is constant | |
/// | `cohen_kappa` | agreement beyond chance | both the same constant |
/// | `top_k(2)` | share of rows whose class is among the k with the highest scores | |
/// | `roc_auc` | area under the ROC curve of the later class' scores | not two classes with rows of both |
/// | `roc_auc_ovr`, `roc_auc_ovo` | its mean over classes against the rest, or over pairs; `…_weighted` by frequency | a class without rows |
/// | `average_precision` | area under the precision–recall curve of the later of two classes, else the mean over all | a class without rows |
/// | `log_loss` | mean −ln of the probability of what is true | |
/// | `brier` | mean squared error of probabilities | |
/// | `mean_squared_error`, `root_mean_squared_error` | mean r², and its root, r = truth − prediction | |
/// | `mean_absolute_error`, `median_absolute_error`, `max_error` | of \|r\| | |
/// | `mean_absolute_percentage_error` | mean \|r / truth\| | a target is 0 |
/// | `r2`, `explained_variance` | 1 − mean r² (variance of r) / variance of the truth | all targets are the same |
/// | `pinball(0.5)` | mean of τ·max(r, 0) + (1 − τ)·max(−r, 0) | |
/// | `huber(1)` | mean of r²/2 up to the width δ, δ(\|r\| − δ/2) beyond | |
/// | `outside` | \|share of rows outside − ν\| | |
///
/// Averages of areas over many classes are of probabilities where there are any, as in scikit-learn, and of scores otherwise.
///
/// Differences from scikit-learn: it gives R² = 0 or 1 where the targets are all the same, divides by 2⁻⁵² where a target is
/// 0, takes the recall of a class without rows for 0, has no weights for `roc_auc_ovo` and `max_error`, lets the later of
/// two classes with equal scores win in `top_k` (here the earlier does, as in predictions), and counts classes of which
/// all rows have weight 0 in macro averages.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::{Metric, Predicted, Truth};
/// let truth = Labels::from_text(["no", "yes", "yes"]);
/// let classes = ["no".to_string(), "yes".to_string()];
/// let scores = [0.5, -0.5, -1.0, 1.0, 0.1, -0.1];
/// let predicted = Predicted::Classes { classes: &classes, scores: &scores, probabilities: None };
/// let metric: Metric = "recall".parse()?;
/// assert_eq!(metric.value(predicted, Truth::Classes(&truth), None)?, 0.5);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Metric {
    /// The share of rows predicted as they are.
    Accuracy,
    /// The mean recall of the classes that occur.
    BalancedAccuracy,
    /// Of the rows predicted to be of a class, the share that is.
    Precision(Average),
    /// Of the rows of a class, the share found.
    Recall(Average),
    /// The harmonic mean of the two.
    F1(Average),
    /// Matthews' correlation of truth and prediction.
    Matthews,
    /// Cohen's κ.
    CohenKappa,
    /// The share of rows whose class is among so many with the highest scores.
    TopK(usize),
    /// The area under the ROC curve of two classes.
    RocAuc,
    /// Its mean over the classes, each against the rest.
    RocAucOneAgainstRest {
        /// Whether frequent classes count more.
        weighted: bool,
    },
    /// Its mean over the pairs of classes.
    RocAucOneAgainstOne {
        /// Whether frequent classes count more.
        weighted: bool,
    },
    /// The area under the precision–recall curve.
    AveragePrecision,
    /// The mean −ln of the probability of what is true.
    LogLoss,
    /// The mean squared error of probabilities.
    Brier,
    /// mean r²
    MeanSquaredError,
    /// √(mean r²)
    RootMeanSquaredError,
    /// mean |r|
    MeanAbsoluteError,
    /// median |r|
    MedianAbsoluteError,
    /// max |r|
    MaxError,
    /// mean |r / truth|
    MeanAbsolutePercentageError,
    /// 1 − mean r² / variance of the truth.
    R2,
    /// 1 − variance of r / variance of the truth.
    ExplainedVariance,
    /// The mean pinball loss.
    Pinball {
        /// τ between 0 and 1.
        level: f64,
    },
    /// The mean of Huber's loss.
    Huber {
        /// δ > 0: up to it the loss is quadratic.
        width: f64,
    },
    /// How far the share of rows outside of a region is from the one that was asked for.
    Outside,
}

/// Of which classes a [`Rate`] is taken.
///
/// ```
/// use mercer::evaluation::{Average, Metric};
/// assert_eq!("f1_macro".parse::<Metric>()?, Metric::F1(Average::Macro));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Average {
    /// Of the later of two classes: the one that positive decision values speak for.
    Later,
    /// The mean over the classes that occur or are predicted.
    Macro,
    /// All rows of all classes together.
    Micro,
    /// The mean over the classes, each as often as it occurs.
    Weighted,
}

/// What a metric judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Predicted classes.
    Classes,
    /// Scores of classes.
    Scores,
    /// Probabilities of classes.
    Probabilities,
    /// Predicted numbers.
    Numbers,
    /// Whether rows are outside of a region.
    Region,
}

impl Metric {
    /// Whether larger values are better than smaller ones.
    ///
    /// ```
    /// use mercer::evaluation::Metric;
    /// assert!(Metric::R2.larger_is_better() && !Metric::MaxError.larger_is_better());
    /// ```
    pub fn larger_is_better(&self) -> bool {
        match self.needs() {
            Needs::Classes | Needs::Scores => true,
            Needs::Probabilities | Needs::Region => false,
            Needs::Numbers => matches!(self, Metric::R2 | Metric::ExplainedVariance),
        }
    }

    /// Whether one value is better than another.
    ///
    /// ```
    /// use mercer::evaluation::Metric;
    /// assert!(Metric::Accuracy.is_better(0.9, 0.8) && Metric::LogLoss.is_better(0.1, 0.2));
    /// assert!(!Metric::Accuracy.is_better(0.8, 0.8));
    /// ```
    pub fn is_better(&self, one: f64, other: f64) -> bool {
        if self.larger_is_better() { one > other } else { one < other }
    }

    /// The value as scikit-learn's scorers give it: negated where smaller values are better.
    ///
    /// ```
    /// use mercer::evaluation::Metric;
    /// assert_eq!((Metric::Brier.as_score(0.2), Metric::R2.as_score(0.9)), (-0.2, 0.9));
    /// ```
    pub fn as_score(&self, value: f64) -> f64 {
        if self.larger_is_better() { value } else { -value }
    }

    /// What it judges.
    ///
    /// ```
    /// use mercer::evaluation::{Metric, Needs};
    /// assert_eq!((Metric::Matthews.needs(), Metric::RocAuc.needs()), (Needs::Classes, Needs::Scores));
    /// assert_eq!((Metric::LogLoss.needs(), Metric::R2.needs()), (Needs::Probabilities, Needs::Numbers));
    /// ```
    pub fn needs(&self) -> Needs {
        match self {
            Metric::Accuracy
            | Metric::BalancedAccuracy
            | Metric::Precision(_)
            | Metric::Recall(_)
            | Metric::F1(_)
            | Metric::Matthews
            | Metric::CohenKappa => Needs::Classes,
            Metric::TopK(_)
            | Metric::RocAuc
            | Metric::RocAucOneAgainstRest { .. }
            | Metric::RocAucOneAgainstOne { .. }
            | Metric::AveragePrecision => Needs::Scores,
            Metric::LogLoss | Metric::Brier => Needs::Probabilities,
            Metric::MeanSquaredError
            | Metric::RootMeanSquaredError
            | Metric::MeanAbsoluteError
            | Metric::MedianAbsoluteError
            | Metric::MaxError
            | Metric::MeanAbsolutePercentageError
            | Metric::R2
            | Metric::ExplainedVariance
            | Metric::Pinball { .. }
            | Metric::Huber { .. } => Needs::Numbers,
            Metric::Outside => Needs::Region,
        }
    }

    /// The value for these predictions. Several metrics of the same ones share their work in a [`Comparison`].
    ///
    /// # Errors
    /// As [`Comparison::new`] and [`Comparison::value`].
    pub fn value(&self, predicted: Predicted<'_>, truth: Truth<'_>, weights: Option<&[f64]>) -> Result<f64> {
        Comparison::new(predicted, truth, weights)?.value(self)
    }

    /// Refuses parameters that have no meaning.
    ///
    /// ```
    /// use mercer::evaluation::Metric;
    /// assert!(Metric::Pinball { level: 0.9 }.check().is_ok() && Metric::TopK(0).check().is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self) -> Result<()> {
        match *self {
            Metric::TopK(0) => Err(Error::Parameter { name: "top_k", value: 0.0, expected: "1 at least" }),
            Metric::Pinball { level } => Loss::Quantile { level }.check(),
            Metric::Huber { width } => Loss::Huber { width }.check(),
            _ => Ok(()),
        }
    }
}

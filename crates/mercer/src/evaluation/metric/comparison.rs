//! Predictions beside the truth: what metrics of the same ones share.

use super::classes::Classes;
use super::{Metric, Residuals};
use crate::data::{Labels, check_weights};
use crate::error::{Error, Result};
use crate::evaluation::check_targets;
use crate::evaluation::spread::mean;
use crate::machine::Loss;

/// What a model says about some rows.
///
/// ```
/// use mercer::evaluation::{Metric, Predicted, Truth};
/// let region = Predicted::Novelty { outside: &[true, false, false, false], nu: 0.5 };
/// assert_eq!(Metric::Outside.value(region, Truth::Unknown, None)?, 0.25);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Predicted<'a> {
    /// The class with the highest score is predicted; of several the first, but the later of two.
    Classes {
        /// The classes that the model knows.
        classes: &'a [String],
        /// For each row one per class.
        scores: &'a [f64],
        /// For each row one per class, if there are any.
        probabilities: Option<&'a [f64]>,
    },
    /// Numbers, one per row.
    Numbers(&'a [f64]),
    /// Which rows are outside of a region.
    Novelty {
        /// One per row.
        outside: &'a [bool],
        /// ν: the share of rows that was asked to be outside.
        nu: f64,
    },
}

/// What is true of the same rows.
#[derive(Clone, Copy, Debug)]
pub enum Truth<'a> {
    /// Their classes.
    Classes(&'a Labels),
    /// Numbers.
    Numbers(&'a [f64]),
    /// Nothing that metrics of novelty would ask for.
    Unknown,
}

/// Predictions and truth of some rows, compared once for any number of metrics.
///
/// ```
/// use mercer::Error;
/// use mercer::evaluation::{Comparison, Metric, Predicted, Truth};
/// let (truth, predicted) = ([1.0, 2.0, 4.0], [1.5, 2.0, 3.0]);
/// let comparison = Comparison::new(Predicted::Numbers(&predicted), Truth::Numbers(&truth), None)?;
/// assert_eq!(comparison.value(&Metric::MeanAbsoluteError)?, 0.5);
/// assert_eq!(comparison.value(&Metric::MaxError)?, 1.0);
/// // Classes have no place among numbers.
/// assert!(matches!(comparison.value(&Metric::Accuracy), Err(Error::Unsupported { .. })));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Comparison<'a> {
    kind: Kind<'a>,
}

#[derive(Debug)]
enum Kind<'a> {
    Classes(Classes<'a>),
    Numbers(Residuals<'a>),
    /// The share outside, and ν.
    Novelty(f64, f64),
}

impl<'a> Comparison<'a> {
    /// Checks what is to be compared. O(n k) for k classes.
    ///
    /// # Errors
    /// [`Error::Empty`] without rows or classes, [`Error::Shape`] unless there is one of everything per row (and class),
    /// [`Error::Entry`] for a number that is not finite or a probability outside of [0, 1], [`Error::Parameter`] for a ν
    /// outside of [0, 1], [`Error::Unsupported`] for classes beside numbers, and those of [`check_weights`].
    pub fn new(predicted: Predicted<'a>, truth: Truth<'a>, weights: Option<&'a [f64]>) -> Result<Self> {
        let kind = match (predicted, truth) {
            (Predicted::Classes { classes, scores, probabilities }, Truth::Classes(truth)) => {
                check_rows(truth.len(), weights)?;
                Kind::Classes(Classes::new(truth, classes, scores, probabilities, weights)?)
            }
            (Predicted::Numbers(predicted), Truth::Numbers(truth)) => {
                check_targets(truth)?;
                finite("prediction", predicted)?;
                Kind::Numbers(Residuals::new(truth, predicted, weights)?)
            }
            (Predicted::Novelty { outside, nu }, _) => {
                check_rows(outside.len(), weights)?;
                if !(0.0..=1.0).contains(&nu) {
                    return Err(Error::Parameter { name: "nu", value: nu, expected: "from 0 to 1" });
                }
                Kind::Novelty(mean(outside.iter().map(|&is| f64::from(u8::from(is))), weights), nu)
            }
            (Predicted::Classes { .. }, _) => return Err(unlike("classes", "classes")),
            (Predicted::Numbers(_), _) => return Err(unlike("numbers", "numbers")),
        };
        Ok(Comparison { kind })
    }

    /// The same with these classes as the predicted ones, by their places among those of the model, whatever the scores say: metrics of
    /// predicted classes (accuracy, F1, …) ask for these, metrics of rankings for the scores.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one per row, [`Error::Entry`] for a place without a class, [`Error::Unsupported`] where no
    /// classes were predicted.
    pub fn with_predicted(self, predicted: &'a [usize]) -> Result<Self> {
        match self.kind {
            Kind::Classes(classes) => {
                Ok(Comparison { kind: Kind::Classes(classes.with_predicted(predicted)?) })
            }
            Kind::Numbers(_) | Kind::Novelty(..) => Err(unlike("classes", "classes")),
        }
    }

    /// The value of a metric.
    ///
    /// # Errors
    /// [`Error::Undefined`] where [`Metric`] says so, [`Error::Unsupported`] for a metric of other predictions, or of
    /// probabilities where there are none, [`Error::Parameter`] for a parameter without meaning.
    pub fn value(&self, metric: &Metric) -> Result<f64> {
        metric.check()?;
        let value = match &self.kind {
            Kind::Classes(classes) => classes.value(metric)?,
            Kind::Numbers(residuals) => of_numbers(residuals, metric)?,
            Kind::Novelty(share, nu) => match metric {
                Metric::Outside => (share - nu).abs(),
                _ => return Err(misplaced(metric, "a region")),
            },
        };
        match value.is_finite() {
            true => Ok(value),
            false => Err(undefined(metric, "sums of numbers as large as these overflow")),
        }
    }
}

fn of_numbers(residuals: &Residuals<'_>, metric: &Metric) -> Result<f64> {
    let varies = |value: Option<f64>| {
        let why = match residuals.rows() {
            1 => {
                "it is about a single row, which has no variance: hold out more rows at a time, or take \
                  mean_squared_error or another error"
            }
            _ => "all targets are the same",
        };
        value.ok_or_else(|| undefined(metric, why))
    };
    Ok(match *metric {
        Metric::MeanSquaredError => residuals.mean_squared(),
        Metric::RootMeanSquaredError => residuals.mean_squared().sqrt(),
        Metric::MeanAbsoluteError => residuals.mean_absolute(),
        Metric::MedianAbsoluteError => residuals.median_absolute(),
        Metric::MaxError => residuals.largest(),
        Metric::MeanAbsolutePercentageError => {
            residuals.mean_absolute_percentage().ok_or_else(|| undefined(metric, "a target is 0"))?
        }
        Metric::R2 => varies(residuals.r_squared())?,
        Metric::ExplainedVariance => varies(residuals.explained_variance())?,
        Metric::Pinball { level } => residuals.mean_loss(Loss::Quantile { level }),
        Metric::Huber { width } => residuals.mean_loss(Loss::Huber { width }),
        _ => return Err(misplaced(metric, "numbers")),
    })
}

fn check_rows(rows: usize, weights: Option<&[f64]>) -> Result<()> {
    if rows == 0 {
        return Err(Error::Empty { what: "rows to test" });
    }
    weights.map_or(Ok(()), |weights| check_weights(weights, rows))
}

/// Refuses numbers that are not finite.
pub(super) fn finite(what: &'static str, numbers: &[f64]) -> Result<()> {
    match numbers.iter().position(|number| !number.is_finite()) {
        Some(index) => Err(Error::Entry { what, index, value: numbers[index], expected: "a finite number" }),
        None => Ok(()),
    }
}

/// A metric that has no value for these rows.
pub(super) fn undefined(metric: &Metric, why: impl Into<String>) -> Error {
    Error::Undefined { what: metric.to_string(), why: why.into() }
}

/// A metric of other predictions.
pub(super) fn misplaced(metric: &Metric, found: &str) -> Error {
    let judged = match metric.needs() {
        super::Needs::Classes | super::Needs::Scores | super::Needs::Probabilities => "classes",
        super::Needs::Numbers => "numbers",
        super::Needs::Region => "a region",
    };
    Error::Unsupported { what: format!("{metric} judges {judged}, and {found} was predicted") }
}

fn unlike(predicted: &str, needed: &str) -> Error {
    Error::Unsupported { what: format!("predicted {predicted} need true {needed} to be compared with") }
}

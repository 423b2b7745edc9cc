//! Metrics, printed and parsed.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Average, Metric};
use crate::error::{Error, Result};

/// Other names of the same metrics.
const ALSO: [(&str, &str); 11] = [
    ("matthews", "matthews_corrcoef"),
    ("cohen_kappa_score", "cohen_kappa"),
    ("top_k_accuracy", "top_k"),
    ("auc", "roc_auc"),
    ("brier_score", "brier"),
    ("brier_score_loss", "brier"),
    ("mean_pinball_loss", "pinball"),
    ("mse", "mean_squared_error"),
    ("rmse", "root_mean_squared_error"),
    ("mae", "mean_absolute_error"),
    ("mape", "mean_absolute_percentage_error"),
];

impl Metric {
    /// Every metric; those with a parameter have scikit-learn's default (k = 2, level ½), Huber's loss the width 1.
    ///
    /// ```
    /// use mercer::evaluation::Metric;
    /// assert!(Metric::ALL.iter().all(|metric| metric.to_string().parse::<Metric>().unwrap() == *metric));
    /// ```
    pub const ALL: [Metric; 36] = [
        Metric::Accuracy,
        Metric::BalancedAccuracy,
        Metric::Precision(Average::Later),
        Metric::Precision(Average::Macro),
        Metric::Precision(Average::Micro),
        Metric::Precision(Average::Weighted),
        Metric::Recall(Average::Later),
        Metric::Recall(Average::Macro),
        Metric::Recall(Average::Micro),
        Metric::Recall(Average::Weighted),
        Metric::F1(Average::Later),
        Metric::F1(Average::Macro),
        Metric::F1(Average::Micro),
        Metric::F1(Average::Weighted),
        Metric::Matthews,
        Metric::CohenKappa,
        Metric::TopK(2),
        Metric::RocAuc,
        Metric::RocAucOneAgainstRest { weighted: false },
        Metric::RocAucOneAgainstRest { weighted: true },
        Metric::RocAucOneAgainstOne { weighted: false },
        Metric::RocAucOneAgainstOne { weighted: true },
        Metric::AveragePrecision,
        Metric::LogLoss,
        Metric::Brier,
        Metric::MeanSquaredError,
        Metric::RootMeanSquaredError,
        Metric::MeanAbsoluteError,
        Metric::MedianAbsoluteError,
        Metric::MaxError,
        Metric::MeanAbsolutePercentageError,
        Metric::R2,
        Metric::ExplainedVariance,
        Metric::Pinball { level: 0.5 },
        Metric::Huber { width: 1.0 },
        Metric::Outside,
    ];

    /// Its name, without parameters.
    ///
    /// ```
    /// use mercer::evaluation::Metric;
    /// assert_eq!(Metric::Pinball { level: 0.9 }.name(), "pinball");
    /// ```
    pub fn name(&self) -> &'static str {
        let of = |average: &Average, names: [&'static str; 4]| match average {
            Average::Later => names[0],
            Average::Macro => names[1],
            Average::Micro => names[2],
            Average::Weighted => names[3],
        };
        match self {
            Metric::Accuracy => "accuracy",
            Metric::BalancedAccuracy => "balanced_accuracy",
            Metric::Precision(average) => {
                of(average, ["precision", "precision_macro", "precision_micro", "precision_weighted"])
            }
            Metric::Recall(average) => {
                of(average, ["recall", "recall_macro", "recall_micro", "recall_weighted"])
            }
            Metric::F1(average) => of(average, ["f1", "f1_macro", "f1_micro", "f1_weighted"]),
            Metric::Matthews => "matthews_corrcoef",
            Metric::CohenKappa => "cohen_kappa",
            Metric::TopK(_) => "top_k",
            Metric::RocAuc => "roc_auc",
            Metric::RocAucOneAgainstRest { weighted: false } => "roc_auc_ovr",
            Metric::RocAucOneAgainstRest { weighted: true } => "roc_auc_ovr_weighted",
            Metric::RocAucOneAgainstOne { weighted: false } => "roc_auc_ovo",
            Metric::RocAucOneAgainstOne { weighted: true } => "roc_auc_ovo_weighted",
            Metric::AveragePrecision => "average_precision",
            Metric::LogLoss => "log_loss",
            Metric::Brier => "brier",
            Metric::MeanSquaredError => "mean_squared_error",
            Metric::RootMeanSquaredError => "root_mean_squared_error",
            Metric::MeanAbsoluteError => "mean_absolute_error",
            Metric::MedianAbsoluteError => "median_absolute_error",
            Metric::MaxError => "max_error",
            Metric::MeanAbsolutePercentageError => "mean_absolute_percentage_error",
            Metric::R2 => "r2",
            Metric::ExplainedVariance => "explained_variance",
            Metric::Pinball { .. } => "pinball",
            Metric::Huber { .. } => "huber",
            Metric::Outside => "outside",
        }
    }

    /// The same with another parameter; `None` if it has none, or the text is no number.
    fn with_parameter(self, text: &str) -> Option<Metric> {
        Some(match self {
            Metric::TopK(_) => Metric::TopK(text.parse().ok()?),
            Metric::Pinball { .. } => Metric::Pinball { level: text.parse().ok()? },
            Metric::Huber { .. } => Metric::Huber { width: text.parse().ok()? },
            _ => return None,
        })
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Metric::TopK(k) => write!(f, "({k})"),
            Metric::Pinball { level } => write!(f, "({level})"),
            Metric::Huber { width } => write!(f, "({width})"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Metric {
    type Err = Error;

    /// Reads a name, with a parameter in brackets where there is one: `pinball(0.9)`. `neg_` in front of a loss, as
    /// scikit-learn has it, changes nothing.
    fn from_str(text: &str) -> Result<Self> {
        let text = text.trim();
        let unknown = || Error::Unsupported {
            what: format!(
                "no metric is called `{text}`: there are {}",
                Metric::ALL.map(|metric| metric.to_string()).join(", ")
            ),
        };
        let (name, parameter) = match text.split_once('(') {
            Some((name, rest)) => (name, Some(rest.strip_suffix(')').ok_or_else(unknown)?.trim())),
            None => (text, None),
        };
        let (name, negated) = match name.strip_prefix("neg_") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let name = ALSO.iter().find(|(also, _)| *also == name).map_or(name, |(_, name)| name);
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name).ok_or_else(unknown)?;
        if negated && metric.larger_is_better() {
            return Err(unknown());
        }
        let metric = match parameter {
            Some(parameter) => metric.with_parameter(parameter).ok_or_else(unknown)?,
            None => metric,
        };
        metric.check()?;
        Ok(metric)
    }
}

impl Serialize for Metric {
    /// As it is printed.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

//! Trained linear machines.

use serde::{Deserialize, Serialize};

use super::rows::dot;
use super::{LinearObjective, TubeLoss};
use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::machine::expansion::check_finite;
use crate::machine::one_against_one::winner;
use crate::machine::{MarginSample, Report, ResidualSample};
use crate::solver::Status;

/// Functions f(x) = ⟨w, x⟩ + b of the same features.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::machine::LinearFunctions;
/// let functions = LinearFunctions { columns: 2, weights: vec![1.0, 2.0, 0.0, -1.0], intercepts: vec![0.5, 0.0] };
/// assert_eq!(functions.values(&Vectors::from_rows(&[[1.0, 1.0]])?)?, [3.5, -1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearFunctions {
    /// Number of features.
    pub columns: usize,
    /// w of each function, one after the other.
    pub weights: Vec<f64>,
    /// b of each; 0 where there is none.
    pub intercepts: Vec<f64>,
}

impl LinearFunctions {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.intercepts.len()
    }

    /// w of one of them.
    ///
    /// # Panics
    /// If there is no such function.
    pub fn weights_of(&self, function: usize) -> &[f64] {
        &self.weights[function * self.columns..][..self.columns]
    }

    /// The values of all functions, row after row. O(stored values) for each function.
    ///
    /// A row's values do not depend on what other rows there are.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows with another number of columns.
    pub fn values(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        if rows.columns() != self.columns {
            let what = "columns (as in the training set)";
            return Err(Error::Shape { what, expected: self.columns, found: rows.columns() });
        }
        let mut values = Vec::with_capacity(rows.len() * self.count());
        for i in 0..rows.len() {
            let row = rows.get(i);
            values.extend((0..self.count()).map(|k| dot(row, self.weights_of(k)) + self.intercepts[k]));
        }
        Ok(values)
    }

    /// Checks that all parts fit together, as those of a model that was trained do.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`] naming the part.
    pub fn check(&self) -> Result<()> {
        let expected = self.columns.saturating_mul(self.count());
        if self.weights.len() != expected {
            return Err(Error::Shape { what: "weights", expected, found: self.weights.len() });
        }
        check_finite("weight", &self.weights)?;
        check_finite("intercept", &self.intercepts)
    }
}

/// A trained linear classifier: weights, intercepts and certificates.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel {
    classes: Vec<String>,
    objective: LinearObjective,
    functions: LinearFunctions,
    reports: Vec<Report>,
    samples: Vec<MarginSample>,
    /// Not kept when a model is saved.
    dual: Vec<f64>,
}

impl LinearModel {
    /// Puts a model together from its parts, as the readers of model files do.
    ///
    /// # Errors
    /// Parts that do not fit together: two classes have one function, more have one each.
    pub fn from_parts(
        classes: Vec<String>,
        objective: LinearObjective,
        functions: LinearFunctions,
        reports: Vec<Report>,
    ) -> Result<Self> {
        functions.check()?;
        let expected = if classes.len() == 2 { 1 } else { classes.len() };
        if classes.len() < 2 || functions.count() != expected {
            return Err(Error::Shape {
                what: "functions of the classes",
                expected,
                found: functions.count(),
            });
        }
        Ok(LinearModel { classes, objective, functions, reports, samples: Vec::new(), dual: Vec::new() })
    }

    /// The same with what the training rows say about each function; empty if that is not known.
    pub fn with_samples(mut self, samples: Vec<MarginSample>) -> Self {
        self.samples = samples;
        self
    }

    pub(super) fn with_dual(mut self, dual: Vec<f64>) -> Self {
        self.dual = dual;
        self
    }

    /// The same functions as the answer to half of the problem.
    pub(super) fn halve(&mut self) {
        for report in &mut self.reports {
            report.certificate.dual *= 0.5;
            report.certificate.primal *= 0.5;
        }
    }

    /// The classes in order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// What was minimised.
    pub fn objective(&self) -> LinearObjective {
        self.objective
    }

    /// Weights and intercepts: one function per class, or for two classes the one that is positive for the second.
    pub fn functions(&self) -> &LinearFunctions {
        &self.functions
    }

    /// How the training of each function went, or of all at once; `iterations` are passes over the rows.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// What the training rows say about the error of each function on new rows; empty where all classes are learned at once, where a w is 0,
    /// and for models that have not kept it.
    pub fn samples(&self) -> &[MarginSample] {
        &self.samples
    }

    /// `Converged` if every problem has, otherwise the status of the first that has not; `None` if nothing is known.
    pub fn status(&self) -> Option<Status> {
        Status::of_all(self.reports.iter().map(|report| report.status))
    }

    /// The dual variables of the training rows: for each function all rows (β = yα), or for Crammer and Singer's machine of
    /// more than two classes for each row all classes. Empty for a model that was loaded, and for the ℓ1 penalty, which has none.
    pub fn dual(&self) -> &[f64] {
        &self.dual
    }

    /// The values of the functions, row after row: one per class, or for two classes one that is positive for the second.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows with another number of columns.
    pub fn decision_values(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        self.functions.values(rows)
    }

    /// Scores: for each row one per class; the highest is predicted. For two classes they are −f and f.
    ///
    /// # Errors
    /// As [`LinearModel::decision_values`].
    pub fn scores(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        let values = self.decision_values(rows)?;
        match self.functions.count() {
            1 => Ok(values.iter().flat_map(|f| [-f, *f]).collect()),
            _ => Ok(values),
        }
    }

    /// The position of each row's class in [`LinearModel::classes`]; of equal scores the first,
    /// but the later of two.
    ///
    /// # Errors
    /// As [`LinearModel::decision_values`].
    pub fn predict(&self, rows: &Vectors<'_>) -> Result<Vec<usize>> {
        Ok(self.scores(rows)?.chunks_exact(self.classes.len()).map(winner).collect())
    }

    /// Each row's class by name.
    ///
    /// # Errors
    /// As [`LinearModel::decision_values`].
    pub fn predict_labels(&self, rows: &Vectors<'_>) -> Result<Vec<&str>> {
        Ok(self.predict(rows)?.into_iter().map(|class| self.classes[class].as_str()).collect())
    }
}

/// A trained linear regression: weights, intercept and certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSvrModel {
    loss: TubeLoss,
    functions: LinearFunctions,
    report: Option<Report>,
    sample: Option<ResidualSample>,
    /// Not kept when a model is saved.
    dual: Vec<f64>,
}

impl LinearSvrModel {
    /// Puts a model together from its parts, as the readers of model files do.
    ///
    /// # Errors
    /// Parts that do not fit together: there is one function.
    pub fn from_parts(loss: TubeLoss, functions: LinearFunctions, report: Option<Report>) -> Result<Self> {
        functions.check()?;
        if functions.count() != 1 {
            return Err(Error::Shape { what: "functions", expected: 1, found: functions.count() });
        }
        Ok(LinearSvrModel { loss, functions, report, sample: None, dual: Vec::new() })
    }

    /// The same with what the training rows say about it, if that is known.
    pub fn with_sample(mut self, sample: Option<ResidualSample>) -> Self {
        self.sample = sample;
        self
    }

    pub(super) fn with_dual(mut self, dual: Vec<f64>) -> Self {
        self.dual = dual;
        self
    }

    /// The loss that it was trained with.
    pub fn loss(&self) -> TubeLoss {
        self.loss
    }

    /// Weights and intercept.
    pub fn functions(&self) -> &LinearFunctions {
        &self.functions
    }

    /// w
    pub fn weights(&self) -> &[f64] {
        &self.functions.weights
    }

    /// b; 0 where there is none.
    pub fn intercept(&self) -> f64 {
        self.functions.intercepts[0]
    }

    /// How the training went; `iterations` are passes over the rows.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// What the training rows say about the error on new rows; none for models that have not kept it.
    pub fn sample(&self) -> Option<&ResidualSample> {
        self.sample.as_ref()
    }

    /// The dual variables β of the training rows; empty for a model that was loaded.
    pub fn dual(&self) -> &[f64] {
        &self.dual
    }

    /// f at these rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for rows with another number of columns.
    pub fn predict(&self, rows: &Vectors<'_>) -> Result<Vec<f64>> {
        self.functions.values(rows)
    }
}

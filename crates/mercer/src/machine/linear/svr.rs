//! The linear regression: parameters and training.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::descent::{Linear, Solved};
use super::model::{LinearFunctions, LinearSvrModel};
use super::options::{LinearOptions, check_cost, linear_options};
use super::rows::Rows;
use super::watch::side_by_side;
use crate::data::{Items, Vectors, check_weights};
use crate::error::{Error, Result};
use crate::machine::svc::FitProgress;
use crate::machine::{Loss, RegressionSample, ResidualSample};
use crate::resources::Interrupt;
use crate::solver::{Control, DualProblem, Stop};

/// The loss of a residual r = y − f(x) outside a tube, of which the cost is a multiple.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TubeLoss {
    /// max(|r| − ε, 0): LIBLINEAR's `-s 13`.
    Linear {
        /// ε ≥ 0: residuals up to it cost nothing.
        tube: f64,
    },
    /// max(|r| − ε, 0)², without a ½: LIBLINEAR's `-s 11` and `-s 12`.
    Squared {
        /// ε ≥ 0: residuals up to it cost nothing.
        tube: f64,
    },
}

impl Default for TubeLoss {
    fn default() -> Self {
        TubeLoss::Linear { tube: 0.0 }
    }
}

impl std::fmt::Display for TubeLoss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TubeLoss::Linear { tube } => write!(f, "linear outside a tube of {tube}"),
            TubeLoss::Squared { tube } => write!(f, "squared outside a tube of {tube}"),
        }
    }
}

impl TubeLoss {
    /// ε
    pub fn tube(self) -> f64 {
        match self {
            TubeLoss::Linear { tube } | TubeLoss::Squared { tube } => tube,
        }
    }

    fn problem(self, targets: &[f64], costs: &[f64]) -> DualProblem {
        match self {
            TubeLoss::Linear { tube } => Loss::Linear { tube }.problem(targets, costs, false),
            TubeLoss::Squared { tube } => {
                // That loss has a ½.
                let twice: Vec<f64> = costs.iter().map(|cost| 2.0 * cost).collect();
                Loss::Quadratic { tube }.problem(targets, &twice, false)
            }
        }
    }
}

/// Parameters of the linear regression, not yet checked.
#[derive(Clone, Debug)]
pub struct LinearSvrParams {
    cost: f64,
    loss: TubeLoss,
    constant: Option<f64>,
    options: LinearOptions,
}

/// The linear regression with checked parameters, ready to be trained.
///
/// O(stored values) for each pass over the rows; n numbers are held beside the rows and the weights.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::machine::{LinearSvr, TubeLoss};
/// let rows = Vectors::from_rows(&(0..20).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
/// let targets: Vec<f64> = (0..20).map(|i| 2.0 * f64::from(i) - 3.0).collect();
/// let loss = TubeLoss::Squared { tube: 0.0 };
/// let model = LinearSvr::params().cost(1e6).loss(loss).tolerance(1e-6).check()?.fit(&rows, &targets)?;
/// assert!((model.weights()[0] - 2.0).abs() < 1e-4 && (model.intercept() + 3.0).abs() < 1e-4);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearSvr {
    cost: f64,
    loss: TubeLoss,
    constant: Option<f64>,
    options: LinearOptions,
}

impl LinearSvr {
    /// Parameters with their defaults: C = 1, the absolute loss (a linear one with a tube of 0), an intercept of scaling 1.
    pub fn params() -> LinearSvrParams {
        LinearSvrParams {
            cost: 1.0,
            loss: TubeLoss::default(),
            constant: Some(1.0),
            options: LinearOptions::default(),
        }
    }

    /// What is lost by a target that is missed.
    pub fn loss(&self) -> TubeLoss {
        self.loss
    }

    /// How it is trained.
    pub fn options(&self) -> &LinearOptions {
        &self.options
    }

    /// Trains on rows and their targets.
    ///
    /// # Errors
    /// No rows, targets of another length or not finite.
    pub fn fit(&self, rows: &Vectors<'_>, targets: &[f64]) -> Result<LinearSvrModel> {
        self.fit_observed(rows, targets, None, None, &|_| Control::Continue)
    }

    /// Trains with a weight per row (the row's cost is C times its weight, as if it stood there so many times), from an
    /// earlier fit of the same rows (rows may have been added at the end), and under the eyes of an observer, who may cancel.
    ///
    /// ```
    /// # use mercer::data::Vectors;
    /// # use mercer::machine::LinearSvr;
    /// # use mercer::solver::Control;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let machine = LinearSvr::params().cost(100.0).intercept(false).tolerance(1e-9).check()?;
    /// let go_on = |_: &_| Control::Continue;
    /// let first = machine.fit_observed(&rows, &[0.0, 1.0, 9.0], Some(&[1.0, 1.0, 0.0]), None, &go_on)?;
    /// // The last target counts for nothing, so the function passes it by.
    /// assert!((first.predict(&rows)?[2] - 2.0).abs() < 1e-6);
    /// let again = machine.fit_observed(&rows, &[0.0, 1.0, 9.0], None, Some(&first), &go_on)?;
    /// assert!((again.predict(&rows)?[2] - 9.0).abs() < 1e-6);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`LinearSvr::fit`], weights that are negative or all 0, and an earlier fit of more rows.
    pub fn fit_observed(
        &self,
        rows: &Vectors<'_>,
        targets: &[f64],
        weights: Option<&[f64]>,
        earlier: Option<&LinearSvrModel>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<LinearSvrModel> {
        let costs = self.costs(rows.len(), targets, weights)?;
        self.options.check_weights(rows.columns(), 1)?;
        let mut problem = self.loss.problem(targets, &costs);
        if let Some(earlier) = earlier {
            let (before, now) = (earlier.dual().len(), rows.len());
            if before > now {
                let what = "rows (as many as the earlier fit had, or more)";
                return Err(Error::Shape { what, expected: before, found: now });
            }
            problem.start = earlier.dual().to_vec();
        }
        let columns = rows.columns();
        // Descent passes over the rows many times.
        let rows = rows.row_major();
        let rows = Rows::new(&rows, self.constant);
        let norms: Vec<f64> = (0..rows.len()).map(|i| rows.squared_norm(i)).collect();
        let solved = side_by_side(&self.options, (1, rows.stored()), observer, |_, watch| {
            Ok(Linear { rows, problem: &problem, norms: &norms }.solve(&self.options, watch))
        })?;
        let Some(Solved { beta, w, report }) = solved.into_iter().next() else { unreachable!() };
        let sample = self.sample(rows, (targets, &costs), (&w, &norms));
        let (weights, intercept) = rows.split(&w);
        let functions = LinearFunctions { columns, weights, intercepts: vec![intercept] };
        let model = LinearSvrModel::from_parts(self.loss, functions, Some(report))?;
        Ok(model.with_sample(sample).with_dual(beta))
    }

    /// What the rows that count say about the function.
    fn sample(
        &self,
        rows: Rows<'_>,
        (targets, costs): (&[f64], &[f64]),
        (w, norms): (&[f64], &[f64]),
    ) -> Option<ResidualSample> {
        let counts: Vec<usize> = (0..rows.len()).filter(|&i| costs[i] > 0.0).collect();
        let own: Vec<f64> = counts.iter().map(|&i| targets[i]).collect();
        let residuals: Vec<f64> = counts.iter().map(|&i| targets[i] - rows.dot(i, w)).collect();
        let diagonal: Vec<f64> = counts.iter().map(|&i| norms[i]).collect();
        let sample = RegressionSample::of(&own, &residuals, self.loss.tube(), false, &diagonal)?;
        let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
        Some(ResidualSample { norm, offset: 0.0, convex: true, sample })
    }

    /// The cost of each row.
    fn costs(&self, rows: usize, targets: &[f64], weights: Option<&[f64]>) -> Result<Vec<f64>> {
        if rows == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        if targets.len() != rows {
            let what = "targets (one per row)";
            return Err(Error::Shape { what, expected: rows, found: targets.len() });
        }
        if let Some(index) = targets.iter().position(|y| !y.is_finite()) {
            let (what, expected) = ("target", "a finite number");
            return Err(Error::Entry { what, index, value: targets[index], expected });
        }
        if let Some(weights) = weights {
            check_weights(weights, rows)?;
        }
        Ok((0..rows).map(|i| self.cost * weights.map_or(1.0, |weights| weights[i])).collect())
    }
}

impl LinearSvrParams {
    /// What is lost by a target that is missed.
    pub fn loss(mut self, loss: TubeLoss) -> Self {
        self.loss = loss;
        self
    }

    linear_options!();

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<LinearSvr> {
        let LinearSvrParams { cost, loss, constant, options } = self;
        check_cost(cost, constant)?;
        let tube = loss.tube();
        if !(tube >= 0.0 && tube.is_finite()) {
            let expected = "a finite number of at least 0";
            return Err(Error::Parameter { name: "tube", value: tube, expected });
        }
        options.check()?;
        Ok(LinearSvr { cost, loss, constant, options })
    }
}

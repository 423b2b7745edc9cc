//! The linear classifier: parameters and training.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::crammer_singer;
use super::descent::{Linear, Solved};
use super::model::{LinearFunctions, LinearModel};
use super::options::{LinearOptions, check_cost, linear_options};
use super::rows::Rows;
use super::sparse::{Columns, Sparse};
use super::watch::side_by_side;
use crate::data::{Items, Labels, Vectors};
use crate::error::{Error, Result};
use crate::machine::class_weights::costs;
use crate::machine::formulation::{Slack, soft_margin};
use crate::machine::joint::classes_with_rows;
use crate::machine::svc::FitProgress;
use crate::machine::{ClassWeights, MarginSample};
use crate::resources::Interrupt;
use crate::solver::{Control, Stop};

/// What a linear classifier minimises.
///
/// More than two classes are learned one against the rest, but for [`LinearObjective::CrammerSinger`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinearObjective {
    /// ½‖w‖² + Σ Cᵢ max(0, 1 − yf): LIBLINEAR's `-s 3`.
    Hinge,
    /// ½‖w‖² + Σ Cᵢ max(0, 1 − yf)²: LIBLINEAR's `-s 1` and `-s 2`.
    #[default]
    SquaredHinge,
    /// ‖w‖₁ + Σ Cᵢ max(0, 1 − yf)², which leaves many weights at 0: LIBLINEAR's `-s 5`.
    SparseSquaredHinge,
    /// All classes at once, only the nearest other class counts: LIBLINEAR's `-s 4`.
    CrammerSinger,
}

impl std::fmt::Display for LinearObjective {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LinearObjective::Hinge => "hinge loss",
            LinearObjective::SquaredHinge => "squared hinge loss",
            LinearObjective::SparseSquaredHinge => "squared hinge loss with an l1 penalty",
            LinearObjective::CrammerSinger => "Crammer & Singer",
        })
    }
}

/// Parameters of the linear classifier, not yet checked.
#[derive(Clone, Debug)]
pub struct LinearSvcParams {
    cost: f64,
    objective: LinearObjective,
    class_weights: ClassWeights,
    constant: Option<f64>,
    options: LinearOptions,
}

/// The linear classifier with checked parameters, ready to be trained.
///
/// O(stored values) for each pass over the rows and each class; n numbers per class are held beside the rows and the weights.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::machine::{LinearObjective, LinearSvc};
///
/// let rows = Vectors::from_rows(&[[0.0, 2.0], [0.2, 1.8], [-2.0, -1.0], [-1.8, -1.2], [2.0, -1.0], [1.9, -0.8]])?;
/// let labels = Labels::from_text(["up", "up", "left", "left", "right", "right"]);
/// for objective in [LinearObjective::Hinge, LinearObjective::SquaredHinge, LinearObjective::CrammerSinger] {
///     let machine = LinearSvc::params().cost(10.0).objective(objective).duality_gap(1e-6).check()?;
///     let model = machine.fit(&rows, &labels)?;
///     assert_eq!(model.predict_labels(&rows)?, ["up", "up", "left", "left", "right", "right"]);
///     assert!(model.reports().iter().all(|report| report.relative_gap().unwrap() <= 1e-6));
/// }
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearSvc {
    cost: f64,
    objective: LinearObjective,
    class_weights: ClassWeights,
    constant: Option<f64>,
    options: LinearOptions,
}

impl LinearSvc {
    /// Parameters with their defaults: squared hinge loss, C = 1, an intercept of scaling 1, classes weighted equally.
    pub fn params() -> LinearSvcParams {
        LinearSvcParams {
            cost: 1.0,
            objective: LinearObjective::default(),
            class_weights: ClassWeights::Equal,
            constant: Some(1.0),
            options: LinearOptions::default(),
        }
    }

    /// What is minimised.
    pub fn objective(&self) -> LinearObjective {
        self.objective
    }

    /// How it is trained.
    pub fn options(&self) -> &LinearOptions {
        &self.options
    }

    /// Trains on rows and their labels.
    ///
    /// # Errors
    /// No rows, labels of another length, or one class only.
    pub fn fit(&self, rows: &Vectors<'_>, labels: &Labels) -> Result<LinearModel> {
        self.fit_observed(rows, labels, None, None, &|_| Control::Continue)
    }

    /// Trains with a weight per row: the row's cost is C times its weight, as if it stood there so many times.
    ///
    /// # Errors
    /// As [`LinearSvc::fit`], and for weights that are negative, not finite, or leave a class without mass.
    pub fn fit_weighted(&self, rows: &Vectors<'_>, labels: &Labels, weights: &[f64]) -> Result<LinearModel> {
        self.fit_observed(rows, labels, Some(weights), None, &|_| Control::Continue)
    }

    /// Trains with a weight per row, from an earlier fit of the same rows (one that was stopped, or had another cost or
    /// tolerance; rows may have been added at the end), and under the eyes of an observer, who may cancel. A model that was
    /// loaded has no dual variables to begin with; it helps with the ℓ1 penalty only.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::machine::LinearSvc;
    /// # use mercer::solver::{Control, Status};
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.5]])?;
    /// let labels = Labels::from_text(["a", "a", "b", "b"]);
    /// let machine = LinearSvc::params().tolerance(1e-9);
    /// let stopped = machine.clone().max_epochs(1).check()?.fit(&rows, &labels)?;
    /// assert_eq!(stopped.status(), Some(Status::IterationLimit));
    /// let go_on = |_: &_| Control::Continue;
    /// let model = machine.check()?.fit_observed(&rows, &labels, None, Some(&stopped), &go_on)?;
    /// assert_eq!(model.status(), Some(Status::Converged));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`LinearSvc::fit_weighted`], and for an earlier fit of more rows or with another objective.
    pub fn fit_observed(
        &self,
        rows: &Vectors<'_>,
        labels: &Labels,
        weights: Option<&[f64]>,
        earlier: Option<&LinearModel>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<LinearModel> {
        let costs = costs(labels, rows.len(), self.cost, &self.class_weights, weights)?;
        let (classes, class_of_row) = classes_with_rows(labels);
        self.options.check_weights(rows.columns(), if classes.len() == 2 { 1 } else { classes.len() })?;
        let in_the_rest = match classes.len() {
            2 => costs.clone(),
            _ => self::costs(labels, rows.len(), self.cost, &ClassWeights::Equal, weights)?,
        };
        if let Some(earlier) = earlier.filter(|earlier| earlier.objective() != self.objective) {
            let what = format!(
                "an earlier fit with {} is no start for one with {}",
                earlier.objective(),
                self.objective
            );
            return Err(Error::Unsupported { what });
        }
        // Descent passes over the rows many times.
        let rows = &*rows.row_major();
        let training =
            Training { machine: self, rows, classes, class_of_row, costs, in_the_rest, earlier, observer };
        match self.objective {
            LinearObjective::Hinge => training.apart(Slack::Linear, 1.0),
            // Quadratic slack costs C/2 ξ².
            LinearObjective::SquaredHinge => training.apart(Slack::Quadratic, 2.0),
            LinearObjective::SparseSquaredHinge => training.sparse(),
            LinearObjective::CrammerSinger if training.classes.len() == 2 => training.two_at_once(),
            LinearObjective::CrammerSinger => training.at_once(),
        }
    }
}

/// What is trained on.
struct Training<'a> {
    machine: &'a LinearSvc,
    rows: &'a Vectors<'a>,
    /// The classes that have rows, and for each row which of them is its own.
    classes: Vec<String>,
    class_of_row: Vec<usize>,
    costs: Vec<f64>,
    /// The costs of rows where their class is one of the rest.
    in_the_rest: Vec<f64>,
    earlier: Option<&'a LinearModel>,
    observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
}

impl Training<'_> {
    /// The class of each function that is learned against the rest: of two classes the second.
    fn of_function(&self) -> Vec<usize> {
        let k = self.classes.len();
        if k == 2 { vec![1] } else { (0..k).collect() }
    }

    /// The costs of the rows where this class is told apart from the rest.
    fn costs_against_rest(&self, class: usize) -> Vec<f64> {
        let rows = self.class_of_row.iter().zip(self.costs.iter().zip(&self.in_the_rest));
        rows.map(|(&own, (&cost, &in_the_rest))| if own == class { cost } else { in_the_rest }).collect()
    }

    /// Every class against the rest, by the dual.
    fn apart(&self, slack: Slack, factor: f64) -> Result<LinearModel> {
        let of_function = self.of_function();
        let rows = Rows::new(self.rows, self.machine.constant);
        let norms: Vec<f64> = (0..rows.len()).map(|i| rows.squared_norm(i)).collect();
        let starts: Vec<Vec<f64>> =
            of_function.iter().map(|&class| self.start(class)).collect::<Result<_>>()?;
        let options = &self.machine.options;
        let solved =
            side_by_side(options, (of_function.len(), rows.stored()), self.observer, |at, watch| {
                let positive: Vec<bool> =
                    self.class_of_row.iter().map(|&class| class == of_function[at]).collect();
                let mut costs = self.costs_against_rest(of_function[at]);
                costs.iter_mut().for_each(|cost| *cost *= factor);
                let mut problem = soft_margin(&positive, &costs, Vec::new(), slack, false);
                problem.start = starts[at].clone();
                Ok(Linear { rows, problem: &problem, norms: &norms }.solve(options, watch))
            })?;
        self.model(rows, solved)
    }

    /// Every class against the rest, with the ℓ1 penalty.
    fn sparse(&self) -> Result<LinearModel> {
        let of_function = self.of_function();
        let rows = Rows::new(self.rows, self.machine.constant);
        let columns = Columns::new(rows);
        let options = &self.machine.options;
        let solved =
            side_by_side(options, (of_function.len(), rows.stored()), self.observer, |at, watch| {
                let sign = |&class: &usize| if class == of_function[at] { 1.0 } else { -1.0 };
                let signs = self.class_of_row.iter().map(sign).collect();
                let costs = self.costs_against_rest(of_function[at]);
                let squares = columns.squares(&costs);
                let sparse = Sparse { columns: &columns, signs, costs: &costs, squares: &squares };
                Ok(sparse.solve(self.start_weights(of_function[at]), options, watch))
            })?;
        self.model(rows, solved)
    }

    fn model(&self, rows: Rows<'_>, solved: Vec<Solved>) -> Result<LinearModel> {
        let mut functions =
            LinearFunctions { columns: self.rows.columns(), weights: Vec::new(), intercepts: Vec::new() };
        let (mut reports, mut dual) = (Vec::new(), Vec::new());
        let samples = self.samples(rows, &solved);
        for Solved { beta, w, report } in solved {
            let (weights, intercept) = rows.split(&w);
            functions.weights.extend(weights);
            functions.intercepts.push(intercept);
            reports.push(report);
            dual.extend(beta);
        }
        Ok(LinearModel::from_parts(self.classes.clone(), self.machine.objective, functions, reports)?
            .with_samples(samples)
            .with_dual(dual))
    }

    /// What the rows that count say about each function; nothing if one of them has no margin.
    fn samples(&self, rows: Rows<'_>, solved: &[Solved]) -> Vec<MarginSample> {
        let counts: Vec<usize> = (0..rows.len()).filter(|&i| self.costs[i] > 0.0).collect();
        let diagonal: Vec<f64> = counts.iter().map(|&i| rows.squared_norm(i)).collect();
        let of_function = self.of_function();
        let samples: Option<Vec<MarginSample>> = of_function
            .iter()
            .zip(solved)
            .map(|(&class, Solved { w, .. })| {
                let sign = |i: usize| if self.class_of_row[i] == class { 1.0 } else { -1.0 };
                let values: Vec<f64> = counts.iter().map(|&i| sign(i) * rows.dot(i, w)).collect();
                MarginSample::of(&values, &diagonal, w.iter().map(|w| w * w).sum::<f64>().sqrt())
            })
            .collect();
        samples.unwrap_or_default()
    }

    /// The earlier fit's function for a class.
    fn earlier_function(&self, earlier: &LinearModel, class: usize) -> Option<usize> {
        match (earlier.functions().count(), self.classes.len()) {
            (1, 2) => (earlier.classes() == self.classes).then_some(0),
            (1, _) | (_, 2) => None,
            _ => earlier.classes().iter().position(|name| *name == self.classes[class]),
        }
    }

    /// w of the earlier fit for the function of a class, if it has as many columns.
    fn start_weights(&self, class: usize) -> Option<Vec<f64>> {
        let earlier = self.earlier.filter(|earlier| earlier.functions().columns == self.rows.columns())?;
        let at = self.earlier_function(earlier, class)?;
        let mut w = earlier.functions().weights_of(at).to_vec();
        w.extend(self.machine.constant.map(|constant| earlier.functions().intercepts[at] / constant));
        Some(w)
    }

    /// β of the earlier fit for the function of a class, or nothing.
    fn start(&self, class: usize) -> Result<Vec<f64>> {
        let Some(earlier) = self.earlier else { return Ok(Vec::new()) };
        let functions = earlier.functions().count();
        let before = earlier.dual().len() / functions;
        if before > self.rows.len() {
            let what = "rows (as many as the earlier fit had, or more)";
            return Err(Error::Shape { what, expected: before, found: self.rows.len() });
        }
        let at = self.earlier_function(earlier, class);
        Ok(at.map_or(Vec::new(), |at| earlier.dual()[at * before..][..before].to_vec()))
    }

    /// Two classes in one problem, for which w₀ = −w₁: with w = w₁ − w₀ it is half of ½‖w‖² + 2C Σ max(0, 1 − yf).
    fn two_at_once(&self) -> Result<LinearModel> {
        let mut model = self.apart(Slack::Linear, 2.0)?;
        model.halve();
        Ok(model)
    }

    /// All classes in one problem.
    fn at_once(&self) -> Result<LinearModel> {
        let k = self.classes.len();
        let rows = Rows::new(self.rows, self.machine.constant);
        let start = match self.earlier {
            Some(earlier) if earlier.classes() == self.classes => earlier.dual(),
            _ => &[],
        };
        if start.len() > k * self.rows.len() {
            let what = "rows (as many as the earlier fit had, or more)";
            return Err(Error::Shape { what, expected: start.len() / k, found: self.rows.len() });
        }
        let options = &self.machine.options;
        let solved = side_by_side(options, (1, k * rows.stored()), self.observer, |_, watch| {
            Ok(crammer_singer::solve(rows, (k, &self.class_of_row), &self.costs, start, options, watch))
        })?;
        let Some(Solved { beta: tau, w, report }) = solved.into_iter().next() else { unreachable!() };
        let of_class = w.chunks_exact(rows.width());
        let (weights, intercepts): (Vec<Vec<f64>>, Vec<f64>) = of_class.map(|w| rows.split(w)).unzip();
        let functions =
            LinearFunctions { columns: self.rows.columns(), weights: weights.concat(), intercepts };
        let model =
            LinearModel::from_parts(self.classes.clone(), self.machine.objective, functions, vec![report])?;
        Ok(model.with_dual(tau))
    }
}

impl LinearSvcParams {
    /// What is minimised; default [`LinearObjective::SquaredHinge`].
    pub fn objective(mut self, objective: LinearObjective) -> Self {
        self.objective = objective;
        self
    }

    /// Factors of the cost by class. Where more than two classes are learned one against the rest, a row has the factor of its
    /// class where that is told apart, and none where it is one of the rest: as in LIBLINEAR.
    pub fn class_weights(mut self, weights: ClassWeights) -> Self {
        self.class_weights = weights;
        self
    }

    linear_options!();

    /// Checks the parameters.
    ///
    /// ```
    /// use mercer::machine::LinearSvc;
    /// assert!(LinearSvc::params().intercept_scaling(10.0).check().is_ok());
    /// assert!(LinearSvc::params().cost(0.0).check().is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<LinearSvc> {
        let LinearSvcParams { cost, objective, class_weights, constant, options } = self;
        check_cost(cost, constant)?;
        options.check()?;
        Ok(LinearSvc { cost, objective, class_weights, constant, options })
    }
}

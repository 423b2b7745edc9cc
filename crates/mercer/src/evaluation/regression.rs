//! The regression as a learner: judged by what its residuals cost on rows that it has not seen.

use serde::Serialize;

use super::learner::{Fold, Learner, Outcome, Parameters, Tunable};
use super::spread::{mean, standard_error, variance};
use super::{Choice, Errors, choose_cost, spread};
use crate::data::{Examples, Vectors};
use crate::error::{Error, Result};
use crate::gram::{Gram, PrecomputedGram};
use crate::kernel::Expression;
use crate::machine::{FitOptions, FitProgress, Loss, SvrModel, SvrParams};
use crate::solver::{Control, Status, Stop};

/// A regression that takes its measure from the targets.
///
/// What is not told is a multiple of their [`spread`], found from the rows to learn from: the tolerance of the solver, the
/// costs that are tried where the loss grows in proportion ([`Costs::Among`](super::Costs::Among); a squared
/// loss needs no unit), and, if so asked, tube and width. So the same recipe does the same for metres and for miles.
///
/// ```
/// use mercer::data::{Examples, Vectors};
/// use mercer::evaluation::{Costs, GRID, Recipe, Regression};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Loss, Svr};
/// use mercer::solver::Control;
/// let rows = Vectors::from_rows(&(0..40).map(|i| [f64::from(i) / 6.0]).collect::<Vec<_>>())?;
/// let targets: Vec<f64> = (0..40).map(|i| 1000.0 * (f64::from(i) / 6.0).sin()).collect();
/// let machine = Svr::params("gaussian(gamma=median)".parse::<Expression>()?).loss(Loss::Linear { tube: 0.1 });
/// let machine = Regression { loss_in_spreads: true, ..Regression::new(machine) };
/// let recipe = Recipe { costs: Costs::Among(GRID.to_vec()), ..Recipe::new(machine) };
/// let learned = recipe.learn(Examples::new(&rows, &targets), &|_| Control::Continue)?;
/// assert!(learned.model.tube() > 50.0);
/// assert!((learned.predict(&Vectors::from_rows(&[[1.5]])?)?[0] - 1000.0 * 1.5f64.sin()).abs() < 100.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Regression<K> {
    /// The machine. Its tolerance is a multiple of the spread of the targets.
    pub machine: SvrParams<K>,
    /// Whether the tube or width of its loss is a multiple of the spread too.
    pub loss_in_spreads: bool,
}

/// What a test of a regression says.
///
/// ```
/// use mercer::data::{Examples, Vectors};
/// use mercer::evaluation::{Recipe, Regression};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svr;
/// use mercer::solver::Control;
/// let rows = Vectors::from_rows(&(0..30).map(|i| [f64::from(i)]).collect::<Vec<_>>())?;
/// let targets: Vec<f64> = (0..30).map(|i| f64::from(2 * i + i % 3)).collect();
/// let recipe = Recipe::new(Regression::new(Svr::params("linear".parse::<Expression>()?)));
/// let examples = Examples::new(&rows, &targets);
/// let test = recipe.assess(examples, &examples.folds(5, 0)?, &|_| Control::Continue)?.outcome;
/// assert!(test.errors.r_squared.unwrap() > 0.99 && test.folds.len() == 5);
/// assert!(test.standard_error_of_root() < 0.3);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegressionTest {
    /// All tested rows together.
    #[serde(flatten)]
    pub errors: Errors,
    /// The loss that the machine was trained with.
    pub loss: Loss,
    /// Its mean.
    pub mean_loss: f64,
    /// Each fold by itself.
    pub folds: Vec<Errors>,
    #[serde(skip)]
    tested: Tested,
}

/// What was predicted, and what was true.
#[derive(Clone, Debug, PartialEq)]
struct Tested {
    targets: Vec<f64>,
    predicted: Vec<f64>,
    weights: Vec<f64>,
}

impl RegressionTest {
    /// How far a number of [`Errors`] may be off by chance: one standard error, from the spread of the folds; `None` for
    /// one part only.
    pub fn standard_error(&self, number: impl Fn(&Errors) -> f64) -> Option<f64> {
        standard_error(&self.folds.iter().map(number).collect::<Vec<_>>())
    }

    /// The same for the root of the mean squared residual; where there is one part only, from the spread of the squares:
    /// d√m = dm / 2√m.
    pub fn standard_error_of_root(&self) -> f64 {
        let of_rows = || {
            let Tested { targets, predicted, weights } = &self.tested;
            let squares: Vec<f64> = targets.iter().zip(predicted).map(|(y, f)| (y - f).powi(2)).collect();
            let of_mean = (variance(&squares, Some(weights)) / squares.len() as f64).sqrt();
            0.5 * of_mean / self.errors.root_mean_squared.max(f64::MIN_POSITIVE)
        };
        self.standard_error(|fold| fold.root_mean_squared).unwrap_or_else(of_rows)
    }
}

impl Outcome for RegressionTest {
    fn score(&self) -> Option<f64> {
        Some(-self.mean_loss)
    }

    fn join(tests: Vec<Self>) -> Self {
        let all =
            |part: fn(&Tested) -> &Vec<f64>| tests.iter().flat_map(move |test| part(&test.tested).clone());
        let tested = Tested {
            targets: all(|tested| &tested.targets).collect(),
            predicted: all(|tested| &tested.predicted).collect(),
            weights: all(|tested| &tested.weights).collect(),
        };
        let of_fold: Vec<f64> = tests.iter().map(|test| test.tested.weights.iter().sum()).collect();
        RegressionTest {
            errors: Errors::new(&tested.targets, &tested.predicted, Some(&tested.weights))
                .expect("parts that were fine each are fine together"),
            loss: tests[0].loss,
            mean_loss: mean(tests.iter().map(|test| test.mean_loss), Some(&of_fold)),
            folds: tests.into_iter().flat_map(|test| test.folds).collect(),
            tested,
        }
    }
}

impl<K> Regression<K> {
    /// The machine with its loss as it is told.
    pub fn new(machine: SvrParams<K>) -> Self {
        Regression { machine, loss_in_spreads: false }
    }
}

/// Targets whose spread is smaller have squares that are no numbers any more.
const LEAST_SPREAD: f64 = 1e-140;

/// Refuses targets that are not finite, or so large that their squares are not.
///
/// ```
/// use mercer::evaluation::check_targets;
/// check_targets(&[1.0, -2e100])?;
/// let error = check_targets(&[1.0, 2e200]).unwrap_err();
/// assert_eq!(error.to_string(), "target 1: 2e200, expected a finite number below 1e154");
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Entry`] with the first of them.
pub fn check_targets(targets: &[f64]) -> Result<()> {
    match targets.iter().position(|y| y.is_nan() || y.abs() >= f64::MAX.sqrt()) {
        Some(index) => {
            let (what, expected) = ("target", "a finite number below 1e154");
            Err(Error::Entry { what, index, value: targets[index], expected })
        }
        None => Ok(()),
    }
}

/// What a residual costs when costs are compared: its square, unless the loss stands for another aim (a quantile) or for
/// doubt in large residuals.
fn judged(loss: Loss, residual: f64) -> f64 {
    match loss {
        Loss::Quantile { .. } | Loss::Huber { .. } => loss.value(residual, 0.0),
        Loss::Linear { .. } | Loss::Quadratic { .. } | Loss::Nu { .. } => residual * residual,
    }
}

impl<K: Clone + Sync> Parameters for Regression<K> {
    type Targets = Vec<f64>;

    fn fit_options(&self) -> &FitOptions {
        self.machine.fit_options()
    }

    fn with_options(self, options: FitOptions) -> Self {
        Regression { machine: self.machine.options(options), ..self }
    }
}

impl<K: Clone + Sync> Tunable for Regression<K> {
    type Kernel = K;

    fn kernel(&self) -> Result<K> {
        Ok(self.machine.clone().check()?.kernel().clone())
    }

    fn with_cost(self, cost: f64) -> Self {
        Regression { machine: self.machine.cost(cost), ..self }
    }

    /// The mean of the squared residuals; of the loss for quantiles and Huber's.
    fn try_on(
        &self,
        gram: &PrecomputedGram<'_, f64>,
        fold: &Fold<'_, Vec<f64>>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<f64> {
        let Fold { targets, weights, test, test_weights, convex } = *fold;
        let machine = self.machine.clone().check()?.with_kernel(());
        let fit = machine.fit_gram(gram, targets, Some(weights), convex, control)?;
        let predicted = fit.expansion.values(&*gram.restrict(test)?, &fit.expansion.support)?;
        let losses = test.iter().zip(predicted).map(|(&row, f)| judged(machine.loss(), targets[row] - f));
        Ok(mean(losses, Some(test_weights)))
    }

    fn is_better(one: f64, other: f64) -> bool {
        one < other
    }
}

impl<K: Clone + Sync> Regression<K> {
    /// The machine with all that it takes from the targets filled in, and the unit of the costs that it is offered.
    ///
    /// # Errors
    /// Targets that there is nothing to be learned from.
    pub fn adapted_to(&self, targets: &[f64], weights: Option<&[f64]>) -> Result<(Self, f64)> {
        check_targets(targets)?;
        let unit = spread(targets, weights);
        if unit == 0.0 {
            let counts = |i: &usize| weights.is_none_or(|weights| weights[*i] > 0.0);
            let first = (0..targets.len()).find(counts).unwrap_or(0);
            return Err(Error::OneTarget { value: targets[first] });
        }
        if unit < LEAST_SPREAD {
            let (name, expected) =
                ("spread of the targets", "at least 1e-140: multiply the targets by a constant");
            return Err(Error::Parameter { name, value: unit, expected });
        }
        let mut options = Parameters::fit_options(self).clone();
        if let Stop::KktGap(tolerance) = options.solver.stop {
            options.solver.stop = Stop::KktGap(tolerance * unit);
        }
        let loss = self.machine.clone().check()?.loss();
        let (adapted, costs) = match loss {
            Loss::Linear { tube } => (Loss::Linear { tube: tube * unit }, unit),
            Loss::Quadratic { tube } => (Loss::Quadratic { tube: tube * unit }, 1.0),
            Loss::Huber { width } => (Loss::Huber { width: width * unit }, 1.0),
            Loss::Quantile { .. } | Loss::Nu { .. } => (loss, unit),
        };
        let loss = if self.loss_in_spreads { adapted } else { loss };
        Ok((Regression::new(self.machine.clone().options(options).loss(loss)), costs))
    }
}

impl Learner for Regression<Expression> {
    type Model = SvrModel<Expression, Vectors<'static>>;
    type Outcome = RegressionTest;

    fn adapted(&self, targets: &Vec<f64>, weights: Option<&[f64]>) -> Result<(Self, f64)> {
        self.adapted_to(targets, weights)
    }

    fn choose(
        &self,
        examples: Examples<'_, Vectors<'_>, Self::Targets>,
        costs: &[f64],
        seed: u64,
        late: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Choice>> {
        choose_cost(self, examples, costs, seed, late).map(Some)
    }

    fn chosen(self, choice: &Choice) -> Self {
        self.with_cost(choice.cost)
    }

    fn fit(
        &self,
        rows: &Vectors<'_>,
        targets: &Vec<f64>,
        weights: Option<&[f64]>,
        earlier: Option<&Self::Model>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Self::Model> {
        let earlier = earlier.map(SvrModel::expansion);
        self.machine.clone().check()?.fit_observed(rows, targets, weights, earlier, observer)
    }

    fn test(
        &self,
        model: &Self::Model,
        rows: &Vectors<'_>,
        targets: &Vec<f64>,
        weights: Option<&[f64]>,
    ) -> Result<RegressionTest> {
        let predicted = model.predict(rows)?;
        let errors = Errors::new(targets, &predicted, weights)?;
        let losses = targets.iter().zip(&predicted).map(|(y, f)| model.loss().value(y - f, model.tube()));
        let mean_loss = mean(losses, weights);
        let weights = weights.map_or_else(|| vec![1.0; targets.len()], <[f64]>::to_vec);
        let tested = Tested { targets: targets.clone(), predicted, weights };
        Ok(RegressionTest { folds: vec![errors.clone()], errors, loss: model.loss(), mean_loss, tested })
    }

    fn renumbered(model: Self::Model, numbers: &[usize]) -> Self::Model {
        model.renumbered(numbers)
    }

    fn ends(model: &Self::Model) -> Vec<Status> {
        model.report().map(|report| report.status).into_iter().collect()
    }
}

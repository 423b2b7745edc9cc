//! What a recipe needs to know of a machine, so that folds, costs and limits are seen to once for all of them.

use std::fmt::Debug;
use std::time::Duration;

use serde::Serialize;

use super::Choice;
use crate::data::{Examples, TargetList, Vectors};
use crate::error::Result;
use crate::gram::PrecomputedGram;
use crate::machine::{FitOptions, FitProgress};
use crate::solver::{Control, Status};

/// Parameters of a machine that learns targets of one kind.
///
/// There are three: the classifier ([`SvcParams`](crate::machine::SvcParams)) learns
/// [`Labels`](crate::data::Labels), [`Regression`](super::Regression) numbers, and [`Detector`](super::Detector) needs
/// none.
///
/// ```
/// use std::time::Duration;
/// use mercer::evaluation::Parameters;
/// use mercer::machine::Svc;
/// let machine = Svc::params(()).within(Duration::from_secs(3));
/// assert_eq!(machine.fit_options().solver.max_time, Some(Duration::from_secs(3)));
/// ```
pub trait Parameters: Clone + Sync {
    /// What is learned.
    type Targets: TargetList;

    /// How it is trained.
    fn fit_options(&self) -> &FitOptions;

    /// The same, trained so.
    fn with_options(self, options: FitOptions) -> Self;

    /// The same under a limit of time.
    fn within(self, time: Duration) -> Self {
        let mut options = self.fit_options().clone();
        options.solver.max_time = Some(time);
        self.with_options(options)
    }
}

/// A machine whose cost can be chosen by trying it on rows that were held out, see
/// [`choose_cost`](super::choose_cost).
///
/// ```
/// use mercer::evaluation::{Regression, Tunable};
/// use mercer::machine::SvcParams;
/// // Of shares of right answers the larger is better, of mean losses the smaller.
/// assert!(SvcParams::<()>::is_better(0.9, 0.8));
/// assert!(Regression::<()>::is_better(0.8, 0.9));
/// ```
pub trait Tunable: Parameters {
    /// The kernel, not yet resolved.
    type Kernel;

    /// The kernel, if all parameters make sense.
    ///
    /// # Errors
    /// [`Error::Parameter`](crate::Error::Parameter) for the first that does not.
    fn kernel(&self) -> Result<Self::Kernel>;

    /// The same with another cost.
    fn with_cost(self, cost: f64) -> Self;

    /// How well a machine does on the rows of a fold that it has not learned from.
    ///
    /// # Errors
    /// Those of a fit.
    fn try_on(
        &self,
        gram: &PrecomputedGram<'_, f64>,
        fold: &Fold<'_, Self::Targets>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<f64>;

    /// Whether one outcome of [`Tunable::try_on`] is better than another.
    fn is_better(one: f64, other: f64) -> bool;
}

/// A fold over a Gram matrix of all rows, those to be tested among them.
#[derive(Clone, Copy, Debug)]
pub struct Fold<'a, Y> {
    /// Of all rows.
    pub targets: &'a Y,
    /// Of all rows; 0 for those to be tested.
    pub weights: &'a [f64],
    /// The rows to be tested.
    pub test: &'a [usize],
    /// What each of these counts for.
    pub test_weights: &'a [f64],
    /// Whether the matrix is known to be positive semi-definite.
    pub convex: bool,
}

/// A machine that learns from rows of numbers, and is judged on others.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::evaluation::{Learner, Regression};
/// use mercer::kernel::Expression;
/// use mercer::machine::{Loss, Svr};
/// use mercer::solver::Control;
/// let machine = Svr::params("linear".parse::<Expression>()?).loss(Loss::Linear { tube: 0.1 });
/// let machine = Regression { loss_in_spreads: true, ..Regression::new(machine) };
/// let (rows, targets) = (Vectors::from_rows(&[[0.0], [1.0], [2.0]])?, vec![0.0, 10.0, 20.0]);
/// let (machine, unit) = machine.adapted(&targets, None)?;
/// let model = machine.fit(&rows, &targets, None, None, &|_| Control::Continue)?;
/// assert_eq!(model.tube(), 0.1 * unit);
/// # Ok::<(), mercer::Error>(())
/// ```
pub trait Learner: Parameters {
    /// What it becomes.
    type Model: Clone + Debug;
    /// What a test of it says.
    type Outcome: Outcome;

    /// The machine with all that it takes from the targets filled in, and the unit of the costs that it is offered.
    ///
    /// # Errors
    /// Targets that there is nothing to be learned from.
    fn adapted(&self, _targets: &Self::Targets, _weights: Option<&[f64]>) -> Result<(Self, f64)> {
        Ok((self.clone(), 1.0))
    }

    /// Chooses among costs; `None` for a machine that has no cost to choose.
    ///
    /// # Errors
    /// As [`choose_cost`](super::choose_cost).
    fn choose(
        &self,
        _examples: Examples<'_, Vectors<'_>, Self::Targets>,
        _costs: &[f64],
        _seed: u64,
        _late: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Choice>> {
        Ok(None)
    }

    /// Whether there is a cost that could be chosen.
    fn has_cost(&self) -> bool {
        true
    }

    /// The machine with the cost that was chosen.
    fn chosen(self, _choice: &Choice) -> Self {
        self
    }

    /// Learns, from the coefficients of an earlier model of the same rows if there is one.
    ///
    /// # Errors
    /// Those of a fit.
    fn fit(
        &self,
        rows: &Vectors<'_>,
        targets: &Self::Targets,
        weights: Option<&[f64]>,
        earlier: Option<&Self::Model>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Self::Model>;

    /// Tests on rows, scaled as the model wants them, that it has not seen.
    ///
    /// # Errors
    /// Rows that the kernel is not defined on.
    fn test(
        &self,
        model: &Self::Model,
        rows: &Vectors<'_>,
        targets: &Self::Targets,
        weights: Option<&[f64]>,
    ) -> Result<Self::Outcome>;

    /// The model, whose training rows are known by other numbers.
    fn renumbered(model: Self::Model, numbers: &[usize]) -> Self::Model;

    /// How each problem that was solved for the model ended.
    fn ends(model: &Self::Model) -> Vec<Status>;
}

/// What a test says, and several tests as one.
pub trait Outcome: Sized + Serialize {
    /// Whether a test tells the better of two models.
    const COMPARES: bool = true;

    /// One number of which the larger is better, if a test tells.
    fn score(&self) -> Option<f64>;

    /// Several tests of one recipe, on different rows.
    fn join(tests: Vec<Self>) -> Self;
}

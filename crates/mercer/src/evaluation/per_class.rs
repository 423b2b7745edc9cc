//! Classifiers with one function per class as learners.

use super::classification::{ClassificationTest, compared};
use super::learner::{Fold, Learner, Parameters, Tunable};
use super::{Choice, choose_cost};
use crate::data::{Examples, Labels, Vectors};
use crate::error::Result;
use crate::gram::{Gram, PrecomputedGram};
use crate::kernel::Expression;
use crate::machine::one_against_one::winner;
use crate::machine::{ClassFunctions, ClassModel, FitOptions, FitProgress, JointSvcParams, SvcParams};
use crate::resources::Workers;
use crate::solver::{Control, Status, Stop};

/// A machine that learns one function per class.
///
/// ```
/// use mercer::data::{Examples, Labels, Vectors};
/// use mercer::evaluation::{PerClass, Recipe};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// use mercer::solver::Control;
/// let rows = Vectors::from_rows(&[[0.0], [1.0], [5.0], [6.0], [11.0], [12.0]])?;
/// let labels = Labels::from_text(["low", "low", "middle", "middle", "high", "high"]);
/// let machine = PerClass::Rest(Svc::params("gaussian(gamma=0.1)".parse::<Expression>()?).cost(10.0));
/// let learned = Recipe::new(machine).learn(Examples::new(&rows, &labels), &|_| Control::Continue)?;
/// assert_eq!(learned.model.predict_labels(&rows)?[4], "high");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum PerClass<K> {
    /// Each class against all others.
    Rest(SvcParams<K>),
    /// All classes at once.
    Joint(JointSvcParams<K>),
}

impl<K: Clone + Sync> Parameters for PerClass<K> {
    type Targets = Labels;

    fn fit_options(&self) -> &FitOptions {
        match self {
            PerClass::Rest(machine) => machine.fit_options(),
            PerClass::Joint(machine) => machine.fit_options(),
        }
    }

    fn with_options(self, options: FitOptions) -> Self {
        match self {
            PerClass::Rest(machine) => PerClass::Rest(machine.options(options)),
            PerClass::Joint(machine) => PerClass::Joint(machine.options(options)),
        }
    }
}

impl<K: Clone + Sync> Tunable for PerClass<K> {
    type Kernel = K;

    fn kernel(&self) -> Result<K> {
        Ok(match self {
            PerClass::Rest(machine) => machine.clone().check()?.kernel().clone(),
            PerClass::Joint(machine) => machine.clone().check()?.kernel().clone(),
        })
    }

    fn with_cost(self, cost: f64) -> Self {
        match self {
            PerClass::Rest(machine) => PerClass::Rest(machine.cost(cost)),
            PerClass::Joint(machine) => PerClass::Joint(machine.cost(cost)),
        }
    }

    /// The share of right answers.
    fn try_on(
        &self,
        gram: &PrecomputedGram<'_, f64>,
        fold: &Fold<'_, Labels>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<f64> {
        let Fold { targets: labels, weights, test, convex, .. } = *fold;
        let functions: ClassFunctions = match self.clone() {
            PerClass::Rest(machine) => {
                let machine = machine.check()?.with_kernel(());
                machine.fit_gram_one_against_rest(gram, labels, Some(weights), convex, control)?.functions
            }
            PerClass::Joint(machine) => {
                // Joint problems take long, and which rows are right shows long before they are solved.
                let mut options = machine.fit_options().clone();
                if let Stop::KktGap(tolerance) = options.solver.stop {
                    options.solver.stop = Stop::KktGap(tolerance.max((10.0 * tolerance).min(0.01)));
                }
                let machine = machine.options(options).check()?;
                machine.fit_gram(gram, labels, Some(weights), convex, control)?.functions
            }
        };
        let scores = functions.scores(&*gram.restrict(test)?, &functions.support, &Workers::serial())?;
        let predicted = scores.chunks_exact(functions.class_count()).map(winner);
        let is_right = |(class, row): &(usize, &usize)| functions.classes[*class] == labels.text(**row);
        Ok(predicted.zip(test).filter(is_right).count() as f64 / test.len() as f64)
    }

    fn is_better(one: f64, other: f64) -> bool {
        one > other
    }
}

impl Learner for PerClass<Expression> {
    type Model = ClassModel<Expression, Vectors<'static>>;
    type Outcome = ClassificationTest;

    fn choose(
        &self,
        examples: Examples<'_, Vectors<'_>, Labels>,
        costs: &[f64],
        seed: u64,
        late: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Choice>> {
        match self.has_cost() {
            false => Ok(None),
            true => choose_cost(self, examples, costs, seed, late).map(Some),
        }
    }

    fn has_cost(&self) -> bool {
        match self {
            PerClass::Rest(machine) => SvcParams::has_cost(machine),
            PerClass::Joint(_) => true,
        }
    }

    fn chosen(self, choice: &Choice) -> Self {
        self.with_cost(choice.cost)
    }

    fn fit(
        &self,
        rows: &Vectors<'_>,
        labels: &Labels,
        weights: Option<&[f64]>,
        earlier: Option<&Self::Model>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Self::Model> {
        let earlier = earlier.map(ClassModel::functions);
        match self.clone() {
            PerClass::Rest(machine) => {
                machine.check()?.fit_one_against_rest(rows, labels, weights, earlier, observer)
            }
            PerClass::Joint(machine) => {
                machine.check()?.fit_observed(rows, labels, weights, earlier, observer)
            }
        }
    }

    fn test(
        &self,
        model: &Self::Model,
        rows: &Vectors<'_>,
        labels: &Labels,
        _: Option<&[f64]>,
    ) -> Result<ClassificationTest> {
        Ok(compared(model.classes(), &model.scores(rows)?, labels))
    }

    fn renumbered(model: Self::Model, numbers: &[usize]) -> Self::Model {
        model.renumbered(numbers)
    }

    fn ends(model: &Self::Model) -> Vec<Status> {
        model.reports().iter().map(|report| report.status).collect()
    }
}

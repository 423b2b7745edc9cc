//! The classifier as a learner: judged by the share of rows that it gets right.

use serde::Serialize;

use super::learner::{Fold, Learner, Outcome, Parameters, Tunable};
use super::metric::area_under_roc;
use super::{Choice, Confusion, choose_cost, spread};
use crate::data::{Examples, Labels, Vectors};
use crate::error::Result;
use crate::gram::{Gram, PrecomputedGram};
use crate::kernel::Expression;
use crate::machine::{FitOptions, FitProgress, PairMachines, SvcModel, SvcParams, one_against_one};
use crate::resources::Workers;
use crate::solver::{Control, Status};

/// What a test of a classifier says.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::{ClassificationTest, Confusion};
/// let truth = Labels::from_text(["a", "a", "b", "b"]);
/// let confusion = Confusion::new(&truth, ["a", "b", "b", "b"])?;
/// let test = ClassificationTest { folds: vec![0.5, 1.0], confusion, auc: None };
/// assert_eq!((test.accuracy(), test.standard_error()), (0.75, 0.25));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassificationTest {
    /// What was taken for what, all tested rows together.
    pub confusion: Confusion,
    /// The share of right answers in each fold.
    pub folds: Vec<f64>,
    /// For two classes the area under the ROC curve, the mean over the folds that have rows of both.
    pub auc: Option<f64>,
}

impl ClassificationTest {
    /// The share of all tested rows that were right.
    pub fn accuracy(&self) -> f64 {
        self.confusion.accuracy()
    }

    /// How far the accuracy may be off by chance: one standard error, from the spread of the folds, or from the
    /// number of rows where there is one part only.
    pub fn standard_error(&self) -> f64 {
        let p = self.accuracy();
        let of_rows = || (p * (1.0 - p) / self.confusion.rows() as f64).sqrt();
        spread::standard_error(&self.folds).unwrap_or_else(of_rows)
    }
}

impl Outcome for ClassificationTest {
    fn score(&self) -> Option<f64> {
        Some(self.accuracy())
    }

    fn join(tests: Vec<Self>) -> Self {
        let classes = tests.first().map_or_else(Vec::new, |test| test.confusion.classes().to_vec());
        let mut confusion = Confusion::empty(classes);
        tests.iter().for_each(|test| confusion.merge(&test.confusion));
        let aucs: Vec<f64> = tests.iter().filter_map(|test| test.auc).collect();
        ClassificationTest {
            confusion,
            auc: (!aucs.is_empty()).then(|| aucs.iter().sum::<f64>() / aucs.len() as f64),
            folds: tests.into_iter().flat_map(|test| test.folds).collect(),
        }
    }
}

impl<K: Clone + Sync> Parameters for SvcParams<K> {
    type Targets = Labels;

    fn fit_options(&self) -> &FitOptions {
        SvcParams::fit_options(self)
    }

    fn with_options(self, options: FitOptions) -> Self {
        self.options(options)
    }
}

impl<K: Clone + Sync> Tunable for SvcParams<K> {
    type Kernel = K;

    fn kernel(&self) -> Result<K> {
        Ok(self.clone().check()?.kernel().clone())
    }

    fn with_cost(self, cost: f64) -> Self {
        self.cost(cost)
    }

    /// The share of right answers.
    fn try_on(
        &self,
        gram: &PrecomputedGram<'_, f64>,
        fold: &Fold<'_, Labels>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<f64> {
        let Fold { targets: labels, weights, test, convex, .. } = *fold;
        let machine = self.clone().probability(None).check()?.with_kernel(());
        let fit = machine.fit_gram(gram, labels, Some(weights), convex, control)?;
        let predicted = held_out_classes(&fit.pairs, gram, test)?;
        let right = test.iter().zip(predicted).filter(|(row, class)| labels.text(**row) == *class).count();
        Ok(right as f64 / test.len() as f64)
    }

    fn is_better(one: f64, other: f64) -> bool {
        one > other
    }
}

/// The classes of rows that were held out, by name.
pub(super) fn held_out_classes<'p>(
    pairs: &'p PairMachines,
    gram: &PrecomputedGram<'_, f64>,
    test: &[usize],
) -> Result<impl Iterator<Item = &'p str> + use<'p>> {
    let decisions = pairs.decisions(&*gram.restrict(test)?, &pairs.support, &Workers::serial())?;
    let scores = pairs.scores(&decisions);
    let winners: Vec<usize> = scores.chunks_exact(pairs.class_count()).map(one_against_one::winner).collect();
    Ok(winners.into_iter().map(|class| pairs.classes[class].as_str()))
}

impl Learner for SvcParams<Expression> {
    type Model = SvcModel<Expression, Vectors<'static>>;
    type Outcome = ClassificationTest;

    fn choose(
        &self,
        examples: Examples<'_, Vectors<'_>, Self::Targets>,
        costs: &[f64],
        seed: u64,
        late: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Choice>> {
        if !SvcParams::has_cost(self) {
            return Ok(None);
        }
        choose_cost(self, examples, costs, seed, late).map(Some)
    }

    fn has_cost(&self) -> bool {
        SvcParams::has_cost(self)
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
        let machine = self.clone().check()?;
        match earlier {
            Some(earlier) => machine.fit_from(rows, labels, weights, earlier.pairs(), observer),
            None => machine.fit_observed(rows, labels, weights, observer),
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
        model.pairs().reports.iter().map(|report| report.status).collect()
    }
}

/// Scores of rows, for each one per class, compared with the truth.
pub(super) fn compared(classes: &[String], scores: &[f64], labels: &Labels) -> ClassificationTest {
    let confusion = Confusion::of_scores(labels, classes, scores, |_| 1);
    let auc = match classes {
        [_, later] => {
            let scores: Vec<f64> = scores.chunks_exact(2).map(|of_row| of_row[1]).collect();
            let positive: Vec<bool> = (0..labels.len()).map(|row| labels.text(row) == later).collect();
            area_under_roc(&scores, &positive, None)
        }
        _ => None,
    };
    ClassificationTest { folds: vec![confusion.accuracy()], confusion, auc }
}

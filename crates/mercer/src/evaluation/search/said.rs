//! What a machine says about rows that it has not learned from.

use std::time::Instant;

use crate::data::Labels;
use crate::error::{Error, Result};
use crate::evaluation::{Comparison, Parameters, PerClass, Predicted, Regression, Truth};
use crate::gram::{Gram, SymmetricGram};
use crate::machine::one_against_one::winner;
use crate::machine::{ClassFunctions, Decision, FitProgress, PairMachines, SvcFit, SvcParams};
use crate::resources::Workers;
use crate::solver::{Control, Status};

/// Rows to learn from and rows that are held out, by their kernel values.
pub struct HeldOut<'a, Y> {
    /// K of the rows to learn from.
    pub gram: &'a dyn SymmetricGram,
    /// K of these (down) with those that are held out (across).
    pub cross: &'a dyn Gram,
    /// Targets of the rows to learn from.
    pub targets: &'a Y,
    /// Their weights.
    pub weights: &'a [f64],
    /// Whether K is known to be positive semi-definite.
    pub convex: bool,
}

/// Predictions for rows that were held out.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// Scores of classes.
    Classes {
        /// The classes.
        classes: Vec<String>,
        /// For each row one per class.
        scores: Vec<f64>,
        /// Probabilities, if the machine has them: for each row one per class.
        probabilities: Option<Vec<f64>>,
        /// The class of each row by its place, where that is not the one with the highest score.
        predicted: Option<Vec<usize>>,
    },
    /// Numbers.
    Numbers(Vec<f64>),
}

impl Said {
    /// Compares with what is true of the rows.
    ///
    /// # Errors
    /// As [`Comparison::new`].
    pub fn compare<'a>(&'a self, truth: Truth<'a>, weights: Option<&'a [f64]>) -> Result<Comparison<'a>> {
        let predicted = match self {
            Said::Classes { classes, scores, probabilities, .. } => {
                Predicted::Classes { classes, scores, probabilities: probabilities.as_deref() }
            }
            Said::Numbers(numbers) => Predicted::Numbers(numbers),
        };
        let comparison = Comparison::new(predicted, truth, weights)?;
        match self {
            Said::Classes { predicted: Some(predicted), .. } => comparison.with_predicted(predicted),
            _ => Ok(comparison),
        }
    }
}

/// What was said, and the seconds that it took to learn it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<L> {
    /// The predictions.
    pub said: Said,
    /// Seconds of training.
    pub seconds: f64,
    /// Whether training went on until it had converged.
    pub converged: bool,
    /// Where a second look can begin.
    pub left: L,
}

/// A machine that can be tried with one kernel and one cost after the other, see [`Search::cross_validate`](super::Search::cross_validate).
pub trait Candidate: Parameters {
    /// Its kernel.
    type Kernel: Clone;
    /// What an answer leaves for a second look.
    type Left: Clone + Send + Sync;

    /// The same machine with another kernel.
    fn with_kernel(self, kernel: Self::Kernel) -> Self;

    /// Whether it has a cost.
    fn has_cost(&self) -> bool {
        true
    }

    /// Whether what a grid has for costs are shares ν.
    fn costs_are_shares(&self) -> bool {
        false
    }

    /// The same machine without probabilities, which take several more trainings, for metrics that do not ask for them.
    fn without_probabilities(self) -> Self {
        self
    }

    /// By how much the tolerance of a first look may be wider at most. Of classes it matters on which side of a threshold a value is, of
    /// numbers every digit does.
    fn loosest(&self) -> f64 {
        f64::INFINITY
    }

    /// What the machine with each of these costs, in ascending order, says about the rows that are held out; fewer if it is
    /// cancelled. A machine without a cost is asked for one, and takes no notice of it.
    ///
    /// # Errors
    /// Those of a fit.
    fn say(
        &self,
        costs: &[f64],
        rows: &HeldOut<'_, Self::Targets>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<Self::Left>>>;

    /// The same after an answer for each of these costs that may have been less accurate.
    ///
    /// # Errors
    /// Those of a fit.
    fn say_again(
        &self,
        costs: &[f64],
        _left: &[Self::Left],
        rows: &HeldOut<'_, Self::Targets>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<Self::Left>>> {
        self.say(costs, rows, control)
    }

    /// What is true of rows.
    fn truth(targets: &Self::Targets) -> Truth<'_>;
}

impl<K: Clone + Sync> Candidate for SvcParams<K> {
    type Kernel = K;
    type Left = PairMachines;

    fn with_kernel(self, kernel: K) -> Self {
        self.kernel(kernel)
    }

    fn has_cost(&self) -> bool {
        SvcParams::has_cost(self)
    }

    fn without_probabilities(self) -> Self {
        self.probability(None)
    }

    fn say(
        &self,
        costs: &[f64],
        rows: &HeldOut<'_, Labels>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<PairMachines>>> {
        let HeldOut { gram, targets, weights, convex, .. } = *rows;
        let machine = self.clone().check()?.with_kernel(());
        let path = match SvcParams::has_cost(self) {
            true => machine.fit_gram_path(gram, targets, Some(weights), convex, costs, control)?,
            false => {
                let fit = machine.fit_gram(gram, targets, Some(weights), convex, control);
                return Ok(vec![of_pairs(pairs_or_none(fit, targets)?, rows)?]);
            }
        };
        path.into_iter().map(|fit| of_pairs(fit.pairs, rows)).collect()
    }

    fn say_again(
        &self,
        costs: &[f64],
        left: &[PairMachines],
        rows: &HeldOut<'_, Labels>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<PairMachines>>> {
        let HeldOut { gram, targets, weights, convex, .. } = *rows;
        let mut answers = Vec::new();
        for (&cost, left) in costs.iter().zip(left) {
            if left.reports.is_empty() {
                answers.push(of_pairs(left.clone(), rows)?);
                continue;
            }
            let machine = self.clone().cost(cost).check()?.with_kernel(());
            let fit = machine.fit_gram_from(gram, targets, Some(weights), convex, left, control)?;
            answers.push(of_pairs(fit.pairs, rows)?);
        }
        Ok(answers)
    }

    fn truth(labels: &Labels) -> Truth<'_> {
        Truth::Classes(labels)
    }
}

/// The pairs of classes of a fit. Where a share leaves no margin, the optimum is w = 0: machines without coefficients, all of whose
/// values are 0. A search that tries shares may come upon some of these, and goes on.
pub(super) fn pairs_or_none(fit: Result<SvcFit>, labels: &Labels) -> Result<PairMachines> {
    match fit {
        Err(Error::NoMargin { .. }) => {
            let names = labels.classes().iter().zip(labels.counts()).filter(|(_, count)| *count > 0);
            let classes: Vec<String> = names.map(|(name, _)| name.clone()).collect();
            let (starts, pairs) = (vec![0; classes.len() + 1], classes.len() * (classes.len() - 1) / 2);
            Ok(PairMachines {
                classes,
                support: Vec::new(),
                starts,
                coefficients: Vec::new(),
                offsets: vec![0.0; pairs],
                decision: Decision::Votes,
                calibration: None,
                reports: Vec::new(),
            })
        }
        fit => Ok(fit?.pairs),
    }
}

/// What pairs of classes say.
pub(super) fn of_pairs(pairs: PairMachines, rows: &HeldOut<'_, Labels>) -> Result<Answer<PairMachines>> {
    let decisions = pairs.decisions(rows.cross, &pairs.support, &Workers::serial())?;
    let probabilities = pairs.calibration.as_ref().map(|_| pairs.probabilities(&decisions)).transpose()?;
    let (k, classes, scores) = (pairs.class_count(), pairs.classes.clone(), pairs.scores(&decisions));
    let (scores, predicted) = match pairs.decision {
        // Rankings ask how sure the pairs are, the class does not.
        Decision::FirstVotes => {
            let by_votes = PairMachines { decision: Decision::Votes, ..pairs.clone() }.scores(&decisions);
            (by_votes, Some(scores.chunks_exact(k).map(winner).collect()))
        }
        Decision::Votes | Decision::Graph => (scores, None),
    };
    let said = Said::Classes { classes, scores, probabilities, predicted };
    let seconds = pairs.reports.iter().map(|report| report.seconds).sum();
    let converged = pairs.reports.iter().all(|report| report.status == Status::Converged);
    Ok(Answer { said, seconds, converged, left: pairs })
}

impl<K: Clone + Sync> Candidate for PerClass<K> {
    type Kernel = K;
    type Left = ();

    fn has_cost(&self) -> bool {
        match self {
            PerClass::Rest(machine) => SvcParams::has_cost(machine),
            PerClass::Joint(_) => true,
        }
    }

    fn with_kernel(self, kernel: K) -> Self {
        match self {
            PerClass::Rest(machine) => PerClass::Rest(machine.kernel(kernel)),
            PerClass::Joint(machine) => PerClass::Joint(machine.kernel(kernel)),
        }
    }

    fn say(
        &self,
        costs: &[f64],
        rows: &HeldOut<'_, Labels>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<()>>> {
        let HeldOut { gram, cross, targets, weights, convex } = *rows;
        let functions = |cost: f64| -> Result<(ClassFunctions, bool)> {
            Ok(match self.clone() {
                PerClass::Rest(machine) => {
                    let machine = machine.cost(cost).probability(None).check()?.with_kernel(());
                    let fit =
                        machine.fit_gram_one_against_rest(gram, targets, Some(weights), convex, control)?;
                    let converged = fit.reports.iter().all(|report| report.status == Status::Converged);
                    (fit.functions, converged)
                }
                PerClass::Joint(machine) => {
                    let machine = machine.cost(cost).check()?;
                    let fit = machine.fit_gram(gram, targets, Some(weights), convex, control)?;
                    (fit.functions, fit.report.status == Status::Converged)
                }
            })
        };
        costs
            .iter()
            .map(|&cost| {
                let begun = Instant::now();
                let (functions, converged) = functions(cost)?;
                let seconds = begun.elapsed().as_secs_f64();
                let scores = functions.scores(cross, &functions.support, &Workers::serial())?;
                let classes = functions.classes;
                let said = Said::Classes { classes, scores, probabilities: None, predicted: None };
                Ok(Answer { said, seconds, converged, left: () })
            })
            .collect()
    }

    fn truth(labels: &Labels) -> Truth<'_> {
        Truth::Classes(labels)
    }
}

impl<K: Clone + Sync> Candidate for Regression<K> {
    type Kernel = K;
    type Left = ();

    fn with_kernel(self, kernel: K) -> Self {
        Regression { machine: self.machine.kernel(kernel), ..self }
    }

    fn loosest(&self) -> f64 {
        50.0
    }

    fn say(
        &self,
        costs: &[f64],
        rows: &HeldOut<'_, Vec<f64>>,
        control: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<Vec<Answer<()>>> {
        let HeldOut { gram, cross, targets, weights, convex } = *rows;
        let machine = self.machine.clone().check()?.with_kernel(());
        let path = machine.fit_gram_path(gram, targets, Some(weights), convex, costs, control)?;
        path.into_iter()
            .map(|fit| {
                let said = Said::Numbers(fit.expansion.values(cross, &fit.expansion.support)?);
                let (seconds, converged) = (fit.report.seconds, fit.report.status == Status::Converged);
                Ok(Answer { said, seconds, converged, left: () })
            })
            .collect()
    }

    fn truth(targets: &Vec<f64>) -> Truth<'_> {
        Truth::Numbers(targets)
    }
}

//! One dual problem per pair of classes over one Gram matrix, solved and joined.

use super::pair::{Pair, PairSolution, Start};
use super::side_by_side::{Problems, solve_all};
use super::units::{at_bound, certify, offset, rounding, sample, squared_norm, value};
use super::{FitProgress, SvcFit};
use crate::data::Labels;
use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::machine::attempt::Attempt;
use crate::machine::expansion::check_finite;
use crate::machine::formulation::{Scale, Slack};
use crate::machine::one_against_one::{Decision, pairs};
use crate::machine::pair_machines::{PairMachines, PairReport};
use crate::resources::Workers;
use crate::solver::{Accuracy, Control, DualProblem, DualSolution, Settings, Status, Stop};

/// Shares of the cost that differ by no more are one.
const SAME_BOUND: f64 = 1e-12;

/// What is trained on, whatever the Gram matrix.
pub(super) struct Training<'a> {
    pub labels: &'a Labels,
    pub costs: &'a [f64],
    pub slack: Slack,
    pub scale: Scale,
    /// Whether there is an offset b.
    pub offset: bool,
    pub decision: Decision,
    /// Whether a share ν without a margin is accepted.
    pub accepts_no_margin: bool,
    pub convex: bool,
    pub workers: &'a Workers,
    pub observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
}

/// All pairs, solved.
pub(super) struct Trained {
    classes: Vec<String>,
    /// Position of each row's class in `classes`.
    class_of_row: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    convex: bool,
    stop: Stop,
    accuracy: Accuracy,
    /// max k(x, x)
    largest: f64,
    /// k(x, x) of every row.
    diagonal: Vec<f64>,
    /// Whether there is an offset b.
    offset: bool,
    decision: Decision,
    solutions: Vec<PairSolution>,
}

impl Attempt for Training<'_> {
    type Machine = PairMachines;
    type Trained = Trained;
    type Fit = SvcFit;

    fn convex(&self) -> bool {
        self.convex
    }

    /// Solves all pairs.
    fn train(
        &self,
        gram: &dyn SymmetricGram,
        settings: &Settings,
        share: f64,
        earlier: Option<&PairMachines>,
        before: Option<&Trained>,
    ) -> Result<Trained> {
        let support = earlier.map_or(&[][..], |earlier| &earlier.support);
        if let Some(index) = support.iter().position(|&row| row >= self.costs.len()) {
            let value = support[index] as f64;
            let what = "support row of the earlier fit";
            return Err(Error::Entry { what, index, value, expected: "the position of a training row" });
        }
        let rows_of_class = rows_by_class(self.labels, self.costs);
        let classes: Vec<String> =
            rows_of_class.iter().map(|(class, _)| self.labels.classes()[*class].clone()).collect();
        let pairs: Vec<(usize, usize)> = pairs(classes.len()).collect();
        let build = |number: usize| {
            let (a, b) = pairs[number];
            let pair = self.pair(&rows_of_class[a].1, &rows_of_class[b].1);
            pair.check_share()?;
            let coefficients = earlier.map(|earlier| start(&pair, earlier, &classes[a], &classes[b]));
            let known = before.and_then(|before| before.solutions.get(number)?.known(&pair.items));
            Ok((pair, Start { coefficients: coefficients.unwrap_or_default(), known }))
        };
        let named = |number: usize| {
            let (a, b) = pairs[number];
            format!("the classes {} and {}", classes[a], classes[b])
        };
        let size = |&(a, b): &(usize, usize)| rows_of_class[a].1.len() + rows_of_class[b].1.len();
        let problems = Problems { sizes: pairs.iter().map(size).collect(), build: &build, classes: &named };
        let shared = settings.shared(share);
        let solutions = solve_all(gram, &problems, &shared, self.workers, self.observer)?;
        let mut class_of_row = vec![usize::MAX; self.costs.len()];
        for (position, (_, rows)) in rows_of_class.iter().enumerate() {
            rows.iter().for_each(|&row| class_of_row[row] = position);
        }
        let (largest, diagonal) = (gram.largest(), gram.diagonal().to_vec());
        let (convex, stop, decision) = (self.convex, settings.stop, self.decision);
        let (offset, accuracy) = (self.offset, settings.accuracy());
        Ok(Trained {
            classes,
            class_of_row,
            pairs,
            convex,
            stop,
            accuracy,
            largest,
            diagonal,
            offset,
            decision,
            solutions,
        })
    }

    fn join(&self, trained: &Trained) -> Result<PairMachines> {
        trained.join()
    }

    fn seen(&self, trained: &Trained, row: usize, pair: usize) -> Option<f64> {
        trained.seen(row, pair)
    }

    fn report(&self, trained: &Trained, pairs: PairMachines, error: f64, before: Option<&SvcFit>) -> SvcFit {
        let mut fit = trained.report(pairs, error);
        let reports = before.map(|before| &before.pairs.reports[..]).unwrap_or_default();
        for (report, first) in fit.pairs.reports.iter_mut().zip(reports) {
            report.iterations += first.iterations;
            report.rows_computed += first.rows_computed;
            report.seconds += first.seconds;
        }
        fit
    }

    fn machine<'f>(&self, fit: &'f SvcFit) -> &'f PairMachines {
        &fit.pairs
    }

    fn ends(&self, fit: &SvcFit) -> (Vec<Status>, u64) {
        let reports = &fit.pairs.reports;
        let steps = reports.iter().map(|report| report.iterations).max().unwrap_or(0);
        (reports.iter().map(|report| report.status).collect(), steps)
    }

    fn statuses<'f>(&self, fit: &'f mut SvcFit) -> Vec<&'f mut Status> {
        fit.pairs.reports.iter_mut().map(|report| &mut report.status).collect()
    }
}

/// The coefficients that an earlier fit gave to the variables of a pair's problem.
///
/// With another cost those that were at their bound begin at their new one, if they are many: along a path of costs they
/// stay there, and need not be taken there step by step.
fn start(pair: &Pair, earlier: &PairMachines, a: &str, b: &str) -> Vec<f64> {
    let class = |name: &str| earlier.classes.iter().position(|class| class == name);
    let (Some(a), Some(b)) = (class(a), class(b)) else { return Vec::new() };
    let mut start = vec![0.0; pair.positive.len()];
    for (i, beta) in earlier.pair(a, b) {
        if let Some(variable) = variable_of(&pair.items, start.len(), earlier.support[i]) {
            start[variable] = beta;
        }
    }
    to_new_bounds(&mut start, pair);
    start
}

/// Takes coefficients from the bounds of an earlier fit to those of a pair, in the classes of which most are at them; where
/// most are free, those at bounds would spoil their values.
///
/// The earlier bounds are not known, but that they were in proportion to the costs of a class: coefficients at them share
/// the largest |β|/C of their class, to the last digits. One alone may be there by chance.
pub(super) fn to_new_bounds(start: &mut [f64], pair: &Pair) {
    if !pair.is_boxed() {
        return;
    }
    for side in [false, true] {
        let support: Vec<usize> = (0..start.len())
            .filter(|&i| pair.positive[i] == side && pair.costs[i] > 0.0 && start[i] != 0.0)
            .collect();
        let share = |i: usize| start[i].abs() / pair.costs[i];
        let largest = support.iter().map(|&i| share(i)).fold(0.0, f64::max);
        let (bounded, free): (Vec<usize>, Vec<usize>) =
            support.into_iter().partition(|&i| share(i) >= largest * (1.0 - SAME_BOUND));
        if bounded.len() > 1.max(free.len()) {
            bounded.into_iter().for_each(|i| start[i] = pair.costs[i].copysign(start[i]));
        }
    }
}

/// The variable of a row, if it has one; the items of a pair's variables ascend.
pub(super) fn variable_of(items: &[usize], variables: usize, row: usize) -> Option<usize> {
    match items.is_empty() {
        true => (row < variables).then_some(row),
        false => items.binary_search(&row).ok(),
    }
}

/// For each class that has rows: its number and the rows that cost something.
pub(super) fn rows_by_class(labels: &Labels, costs: &[f64]) -> Vec<(usize, Vec<usize>)> {
    let mut rows: Vec<(usize, Vec<usize>)> =
        (0..labels.classes().len()).map(|class| (class, Vec::new())).collect();
    for (row, &code) in labels.codes().iter().enumerate() {
        if costs[row] > 0.0 {
            rows[code as usize].1.push(row);
        }
    }
    rows.retain(|(_, rows)| !rows.is_empty());
    rows
}

impl Training<'_> {
    /// The rows of two classes, variables in their order.
    fn pair(&self, first: &[usize], second: &[usize]) -> Pair {
        let mut members: Vec<(usize, bool)> = first.iter().map(|&row| (row, false)).collect();
        members.extend(second.iter().map(|&row| (row, true)));
        members.sort_unstable();
        let (rows, positive): (Vec<usize>, Vec<bool>) = members.into_iter().unzip();
        let costs: Vec<f64> = rows.iter().map(|&row| self.costs[row]).collect();
        // Where every row takes part, variable i is item i, which spares the solver a copy of the columns.
        let everything = rows.len() == self.costs.len();
        let items = if everything { Vec::new() } else { rows };
        let (slack, scale, offset) = (self.slack, self.scale, self.offset);
        Pair { positive, costs, items, slack, scale, offset, accepts_no_margin: self.accepts_no_margin }
    }
}

impl Trained {
    /// The decision value of a training row that the solver saw, without rounding what it did not round.
    fn seen(&self, row: usize, pair: usize) -> Option<f64> {
        let PairSolution { problem, solution, factor, .. } = &self.solutions[pair];
        let i = variable_of(&problem.item, problem.len(), row)?;
        Some(factor * (value(problem, solution, i) + offset(solution)))
    }

    /// A margin within this is met.
    fn tolerance(&self) -> f64 {
        match self.stop {
            Stop::KktGap(tolerance) => tolerance,
            Stop::DualityGap(_) => 1e-3,
        }
    }

    /// Joins the solutions over the union of their support items, without reports.
    fn join(&self) -> Result<PairMachines> {
        let width = self.classes.len() - 1;
        let mut is_support = vec![false; self.class_of_row.len()];
        for PairSolution { problem, solution, .. } in &self.solutions {
            check_finite("coefficient", &solution.coefficients)?;
            solution.support().for_each(|i| is_support[problem.item(i)] = true);
        }
        // In the order of class and position.
        let mut support: Vec<usize> = (0..is_support.len()).filter(|&row| is_support[row]).collect();
        support.sort_by_key(|&row| self.class_of_row[row]);
        let mut place = vec![0; is_support.len()];
        support.iter().enumerate().for_each(|(at, &row)| place[row] = at);
        let mut coefficients = vec![0.0; width * support.len()];
        for (&(a, b), pair) in self.pairs.iter().zip(&self.solutions) {
            let PairSolution { problem, solution, factor, .. } = pair;
            for i in solution.support() {
                let row = problem.item(i);
                let own = self.class_of_row[row];
                let other = if own == a { b } else { a };
                let at = place[row] * width + other - usize::from(other > own);
                coefficients[at] = factor * solution.coefficients[i];
            }
        }
        let classes = self.classes.clone();
        let mut starts = vec![0; classes.len() + 1];
        for &row in &support {
            starts[self.class_of_row[row] + 1] += 1;
        }
        for class in 0..classes.len() {
            starts[class + 1] += starts[class];
        }
        let offsets = self.solutions.iter().map(|pair| pair.factor * offset(&pair.solution)).collect();
        let (decision, reports, calibration) = (self.decision, Vec::new(), None);
        Ok(PairMachines { classes, support, starts, coefficients, offsets, decision, calibration, reports })
    }

    /// Adds reports and slacks; decision values may be wrong by `error`.
    fn report(&self, mut pairs: PairMachines, error: f64) -> SvcFit {
        let mut slacks = Vec::new();
        for (&classes, pair) in self.pairs.iter().zip(&self.solutions) {
            let missed = missed_margins(&pair.problem, &pair.solution);
            // Errors of decision values, in units of the margin.
            let error = (error / pair.factor).max(rounding(&pair.solution, self.largest));
            let mut report = self.pair_report(classes, pair, &missed, error);
            // What was accurate in rounded numbers may not be so with the rounding.
            report.status = self.accuracy.verdict(report.status, &report.certificate);
            pairs.reports.push(report);
            slacks.push(missed.into_iter().map(|(row, slack)| (row, pair.factor * slack)).collect());
        }
        SvcFit { pairs, slacks }
    }

    fn pair_report(
        &self,
        classes: (usize, usize),
        pair: &PairSolution,
        missed: &[(usize, f64)],
        error: f64,
    ) -> PairReport {
        let PairSolution { problem, solution, factor, gamma, slack } = pair;
        PairReport {
            classes,
            status: solution.status,
            certificate: certify(problem, solution, *slack, error),
            convex: self.convex,
            support: solution.support().count(),
            bounded: solution.support().filter(|&i| at_bound(problem, solution, i)).count(),
            margin: 1.0 / squared_norm(problem, solution).max(0.0).sqrt(),
            gamma: Some(*gamma),
            slack_sum: factor * missed.iter().fold(0.0, |sum, (_, slack)| sum + slack),
            margin_errors: missed.iter().filter(|(_, slack)| *slack > self.tolerance()).count(),
            sample: sample(problem, solution, *slack, self.offset, &self.diagonal),
            iterations: solution.iterations,
            rows_computed: solution.rows_computed,
            seconds: solution.elapsed.as_secs_f64(),
        }
    }
}

/// ξ of every row of a pair that misses the margin at all.
fn missed_margins(problem: &DualProblem, solution: &DualSolution) -> Vec<(usize, f64)> {
    (0..problem.len())
        .filter_map(|i| {
            let decision = value(problem, solution, i) + offset(solution);
            let slack = 1.0 + problem.linear[i] * decision;
            (slack > 0.0).then(|| (problem.item(i), slack))
        })
        .collect()
}

//! Training: one dual problem per pair of classes over one Gram matrix.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::{Svc, SvcModel};
use crate::data::{Items, Labels};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram};
use crate::kernel::Definiteness;
use crate::machine::class_weights::costs;
use crate::machine::formulation::soft_margin;
use crate::machine::one_against_one::pairs;
use crate::machine::pair_machines::{PairMachines, PairReport};
use crate::resources::Workers;
use crate::solver::{Control, DualProblem, DualSolution, Progress, solve};

/// What a training on a Gram matrix gives: everything but the items.
#[derive(Clone, Debug)]
pub struct SvcFit {
    /// Decision functions and reports; `support` are positions in the Gram matrix.
    pub pairs: PairMachines,
    /// For each pair the training items that miss the margin, and their slack ξ > 0.
    pub slacks: Vec<Vec<(usize, f64)>>,
}

/// Progress of a training that consists of several problems.
#[derive(Clone, Debug)]
pub struct FitProgress {
    /// Which of the problems reports, from 0.
    pub problem: usize,
    /// How many there are.
    pub problems: usize,
    /// How far it has come.
    pub progress: Progress,
}

impl<K> Svc<K> {
    /// Trains on items and their labels.
    ///
    /// # Errors
    /// No rows, labels of another length, one class only, or a kernel that is not defined on the items.
    pub fn fit<I: Items>(&self, items: &I, labels: &Labels) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I>,
    {
        self.fit_observed(items, labels, None, &|_| Control::Continue)
    }

    /// Trains with a weight per row: the row's cost is C times its weight, as if it stood there so many times.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// let rows = Vectors::from_rows(&[[0.0], [1.0], [0.9]])?;
    /// let labels = Labels::from_text(["low", "high", "low"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).cost(100.0).check()?;
    /// // The third label is doubted.
    /// let model = machine.fit_weighted(&rows, &labels, &[1.0, 1.0, 0.001])?;
    /// assert_eq!(model.predict_labels(&rows)?, ["low", "high", "high"]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit`], and for weights that are negative, not finite, or leave a class without mass.
    pub fn fit_weighted<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: &[f64],
    ) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I>,
    {
        self.fit_observed(items, labels, Some(weights), &|_| Control::Continue)
    }

    /// Trains under the eyes of an observer, who may cancel.
    ///
    /// ```
    /// # use mercer::data::{Labels, Vectors};
    /// # use mercer::kernel::Expression;
    /// # use mercer::machine::Svc;
    /// use mercer::solver::{Control, Status};
    /// let rows = Vectors::from_rows(&[[0.0], [1.0]])?;
    /// let labels = Labels::from_text(["low", "high"]);
    /// let machine = Svc::params("linear".parse::<Expression>()?).check()?;
    /// let model = machine.fit_observed(&rows, &labels, None, &|_| Control::Cancel)?;
    /// assert_eq!(model.status(), Some(Status::Cancelled));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_weighted`].
    pub fn fit_observed<I: Items>(
        &self,
        items: &I,
        labels: &Labels,
        weights: Option<&[f64]>,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcModel<K, I::Owned>>
    where
        K: BulkKernel<I>,
    {
        // Labels and weights are checked before the kernel looks at the items.
        costs(labels, items.len(), self.cost, &self.class_weights, weights)?;
        let kernel = self.kernel.resolve(items)?;
        let plan = self.options.plan(items.len())?;
        let layout = kernel.layout(items, &plan)?;
        let convex = kernel.definiteness() == Definiteness::Guaranteed;
        let fit = {
            let gram = kernel.symmetric(items, &layout, &plan)?;
            self.train(&*gram, labels, weights, convex, &plan.workers, observer)?
        };
        let support = items.select(&fit.pairs.support);
        Ok(SvcModel::new(kernel, layout, plan.precision, support, fit))
    }

    /// Trains on a Gram matrix: for precomputed kernels, and wherever the items are of no concern.
    ///
    /// `convex` says whether the matrix is known to be positive semi-definite, so that a duality gap may be claimed.
    ///
    /// ```
    /// # use mercer::data::Labels;
    /// # use mercer::machine::Svc;
    /// # use mercer::solver::Control;
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::resources::Workers;
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let labels = Labels::from_text(["no", "yes"]);
    /// let machine = Svc::params(()).check()?;
    /// let fit = machine.fit_gram(&gram, &labels, None, true, &|_| Control::Continue)?;
    /// // Kernel values of the two training items (rows) with one new item (column).
    /// let new = PrecomputedGram::rectangular(vec![-3.0, 3.0], 2, 1)?;
    /// assert_eq!(fit.pairs.decisions(&new, &fit.pairs.support, &Workers::serial())?, [3.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Svc::fit_weighted`].
    pub fn fit_gram(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcFit> {
        self.train(gram, labels, weights, convex, &Workers::checked(self.options.threads)?, observer)
    }

    fn train(
        &self,
        gram: &dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
        convex: bool,
        workers: &Workers,
        observer: &(dyn Fn(&FitProgress) -> Control + Sync),
    ) -> Result<SvcFit> {
        let costs = costs(labels, gram.shape().0, self.cost, &self.class_weights, weights)?;
        let begun = Instant::now();
        let rows_of_class = rows_by_class(labels, &costs);
        let problems: Vec<(usize, usize)> = pairs(rows_of_class.len()).collect();
        let cancelled = AtomicBool::new(false);
        let solver = &self.options.solver;
        let solutions = workers.map(problems.len(), true, |number| {
            let (a, b) = problems[number];
            let problem = pair_problem(&rows_of_class[a].1, &rows_of_class[b].1, &costs);
            let mut settings = solver.clone();
            settings.max_time = settings.max_time.map(|limit| limit.saturating_sub(begun.elapsed()));
            let solution = solve(gram, &problem, &settings, &mut |progress| {
                let seen =
                    FitProgress { problem: number, problems: problems.len(), progress: progress.clone() };
                if cancelled.load(Ordering::Relaxed) || observer(&seen) == Control::Cancel {
                    cancelled.store(true, Ordering::Relaxed);
                    return Control::Cancel;
                }
                Control::Continue
            })?;
            Ok((problem, solution))
        });
        let solutions = solutions.into_iter().collect::<Result<Vec<_>>>()?;
        let classes = rows_of_class.iter().map(|(class, _)| labels.classes()[*class].clone()).collect();
        let class_of: BTreeMap<usize, usize> =
            rows_of_class.iter().enumerate().map(|(position, (class, _))| (*class, position)).collect();
        let class_of_row = |row: usize| class_of[&(labels.codes()[row] as usize)];
        assemble(classes, &problems, &solutions, &class_of_row, convex)
    }
}

/// For each class that has rows: its number and the rows that cost something.
fn rows_by_class(labels: &Labels, costs: &[f64]) -> Vec<(usize, Vec<usize>)> {
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

/// The soft-margin problem of two classes, variables in the order of the rows.
fn pair_problem(first: &[usize], second: &[usize], costs: &[f64]) -> DualProblem {
    let mut members: Vec<(usize, bool)> = first.iter().map(|&row| (row, false)).collect();
    members.extend(second.iter().map(|&row| (row, true)));
    members.sort_unstable();
    let (rows, positive): (Vec<usize>, Vec<bool>) = members.into_iter().unzip();
    let costs_of_rows: Vec<f64> = rows.iter().map(|&row| costs[row]).collect();
    // Where every row takes part, variable i is item i, which spares the solver a copy of the columns.
    let everything = rows.len() == costs.len();
    soft_margin(&positive, &costs_of_rows, if everything { Vec::new() } else { rows })
}

/// Joins the solutions of all pairs over the union of their support items.
fn assemble(
    classes: Vec<String>,
    problems: &[(usize, usize)],
    solutions: &[(DualProblem, DualSolution)],
    class_of_row: &dyn Fn(usize) -> usize,
    convex: bool,
) -> Result<SvcFit> {
    let width = classes.len() - 1;
    // Support rows in the order of class and position, with their k − 1 coefficients.
    let mut union: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    let (mut offsets, mut reports, mut slacks) = (Vec::new(), Vec::new(), Vec::new());
    for (&(a, b), (problem, solution)) in problems.iter().zip(solutions) {
        if let Some(index) = solution.coefficients.iter().position(|beta| !beta.is_finite()) {
            let value = solution.coefficients[index];
            return Err(Error::Entry { what: "coefficient", index, value, expected: "a finite number" });
        }
        for i in solution.support() {
            let row = problem.item(i);
            let own = class_of_row(row);
            let other = if own == a { b } else { a };
            let coefficients = union.entry((own, row)).or_insert_with(|| vec![0.0; width]);
            coefficients[other - usize::from(other > own)] = solution.coefficients[i];
        }
        let offset = -solution.multipliers[0];
        let missed = missed_margins(problem, solution, offset);
        reports.push(report((a, b), problem, solution, &missed, convex));
        offsets.push(offset);
        slacks.push(missed);
    }
    let mut starts = vec![0; classes.len() + 1];
    for (own, _) in union.keys() {
        starts[own + 1] += 1;
    }
    for class in 0..classes.len() {
        starts[class + 1] += starts[class];
    }
    let support = union.keys().map(|&(_, row)| row).collect();
    let coefficients = union.into_values().flatten().collect();
    Ok(SvcFit { pairs: PairMachines { classes, support, starts, coefficients, offsets, reports }, slacks })
}

/// Rows that miss the margin and by how much. A violation within the solver's tolerance is no slack.
fn missed_margins(problem: &DualProblem, solution: &DualSolution, offset: f64) -> Vec<(usize, f64)> {
    let tolerance = solution.certificate.kkt_gap;
    (0..problem.len())
        .filter_map(|i| {
            let decision = solution.gradient[i] - problem.linear[i] + offset;
            let slack = 1.0 + problem.linear[i] * decision;
            (slack > tolerance).then(|| (problem.item(i), slack))
        })
        .collect()
}

fn report(
    classes: (usize, usize),
    problem: &DualProblem,
    solution: &DualSolution,
    missed: &[(usize, f64)],
    convex: bool,
) -> PairReport {
    let norm: f64 = (0..problem.len())
        .map(|i| solution.coefficients[i] * (solution.gradient[i] - problem.linear[i]))
        .sum();
    let at_bound = |i: &usize| {
        let b = solution.coefficients[*i];
        b == problem.upper[*i] || b == problem.lower[*i]
    };
    PairReport {
        classes,
        status: solution.status,
        certificate: solution.certificate,
        convex,
        support: solution.support().count(),
        bounded: solution.support().filter(at_bound).count(),
        margin: 1.0 / norm.max(0.0).sqrt(),
        slack_sum: missed.iter().map(|(_, slack)| slack).sum(),
        margin_errors: missed.len(),
        iterations: solution.iterations,
        rows_computed: solution.rows_computed,
        seconds: solution.elapsed.as_secs_f64(),
    }
}

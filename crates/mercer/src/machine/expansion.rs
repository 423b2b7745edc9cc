//! One function f(x) = Σᵢ βᵢ k(xᵢ, x) + b, trained by one dual problem: regression and novelty detection.

use serde::{Deserialize, Serialize};

use super::attempt::{Attempt, Decides};
use super::svc::FitProgress;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Columns, Gram, SymmetricGram};
use crate::resources::Workers;
use crate::solver::{
    Accuracy, Certificate, Control, DualProblem, DualSolution, Evidence, Known, Settings, Status, Stop, solve,
};

/// The share of the tolerance that rounding leaves to the solver, at least.
const LEAST_SHARE: f64 = 0.05;

/// f(x) = Σᵢ βᵢ k(xᵢ, x) + b over some of the training items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expansion {
    /// Position of each support item in the training set, ascending.
    pub support: Vec<usize>,
    /// β of each.
    pub coefficients: Vec<f64>,
    /// b
    pub offset: f64,
}

impl Expansion {
    /// f at all columns of `gram`, whose rows `rows[i]` are the support items.
    ///
    /// # Errors
    /// A kernel that fails.
    pub fn values(&self, gram: &dyn Gram, rows: &[usize]) -> Result<Vec<f64>> {
        let columns = gram.shape().1;
        let mut values = vec![0.0; columns];
        gram.accumulate(rows, &self.coefficients, Columns::Range(0..columns), &mut values)?;
        // Added last, an offset that is far larger than the sum rounds it once and not with every term.
        values.iter_mut().for_each(|value| *value += self.offset);
        Ok(values)
    }

    /// Checks that all parts fit together, as those of a model that was trained do.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`] naming the part.
    pub fn check(&self, items: &impl Items) -> Result<()> {
        let n = self.support.len();
        for (what, found) in [("support items", items.len()), ("coefficients", self.coefficients.len())] {
            if found != n {
                return Err(Error::Shape { what, expected: n, found });
            }
        }
        check_finite("coefficient", &self.coefficients)?;
        check_finite("offset", &[self.offset])
    }
}

/// Refuses numbers that are not finite.
pub(super) fn check_finite(what: &'static str, values: &[f64]) -> Result<()> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(Error::Entry { what, index, value: values[index], expected: "a finite number" }),
        None => Ok(()),
    }
}

impl Decides for Expansion {
    fn support(&self) -> &[usize] {
        &self.support
    }

    fn outputs(&self) -> usize {
        1
    }

    fn decisions(&self, gram: &dyn Gram, rows: &[usize], _: &Workers) -> Result<Vec<f64>> {
        self.values(gram, rows)
    }
}

/// How the training of one function went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Why the solver stopped.
    pub status: Status,
    /// How far from optimal the solution is at most.
    pub certificate: Certificate,
    /// Whether the kernel is known to be positive semi-definite; if not, no duality gap can be claimed.
    pub convex: bool,
    /// Items with a coefficient.
    pub support: usize,
    /// Those of them whose coefficient is at its bound.
    pub bounded: usize,
    /// ‖w‖ in feature space.
    #[serde(with = "crate::resources::number")]
    pub norm: f64,
    /// Steps of the solver.
    pub iterations: u64,
    /// Rows of the Gram matrix asked for.
    pub rows_computed: u64,
    /// Seconds taken; not kept in files, so that the same training gives the same file.
    #[serde(default, skip_serializing)]
    pub seconds: f64,
}

impl Report {
    /// (P − D)/max(|P|, |D|), where it means something.
    pub fn relative_gap(&self) -> Option<f64> {
        self.convex.then(|| self.certificate.relative_gap())
    }
}

/// What a training on a Gram matrix gives, before a machine adds what is its own.
#[derive(Clone, Debug)]
pub(super) struct ExpansionFit {
    pub expansion: Expansion,
    pub report: Report,
    /// The multipliers of the problem's sums.
    pub multipliers: Vec<f64>,
    /// Σᵢ βᵢ k(xᵢ, ·), without offset, at all training items.
    pub values: Vec<f64>,
    /// k(x, x) of all training items.
    pub diagonal: Vec<f64>,
}

/// A dual problem over a Gram matrix, with one variable per item or several of the same.
pub(super) struct OneProblem<'a> {
    /// The problem, given the diagonal of K.
    pub build: &'a (dyn Fn(&[f64]) -> DualProblem + Sync),
    /// The offset b, given the multipliers of the sums.
    pub offset: &'a (dyn Fn(&[f64]) -> f64 + Sync),
    /// By how much the multipliers of the machine differ from those of the solver: its threshold is larger, say, or its offset
    /// is rounded. What is certified is the machine.
    pub shift: &'a (dyn Fn(&Threshold<'_>) -> f64 + Sync),
    /// What rounding does to a decision value beyond the terms of its sum.
    pub rounding: f64,
    /// Whether the kernel is known to be positive semi-definite.
    pub convex: bool,
    pub observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
}

/// What a machine knows of a solution when it decides on its threshold.
pub(super) struct Threshold<'a> {
    /// The multipliers of the problem's sums.
    pub multipliers: &'a [f64],
    /// Largest violation of the optimality conditions, with what rounding adds to it.
    pub kkt_gap: f64,
    /// βᵀKβ
    pub squared_norm: f64,
    /// k(x, x) of all training items.
    pub diagonal: &'a [f64],
}

/// A problem, solved.
pub(super) struct Solved {
    problem: DualProblem,
    solution: DualSolution,
    accuracy: Accuracy,
    largest: f64,
    diagonal: Vec<f64>,
}

impl Solved {
    /// Σ over the variables of an item of their coefficients.
    fn by_item(&self) -> Vec<f64> {
        let mut beta = vec![0.0; self.diagonal.len()];
        for (i, value) in self.solution.coefficients.iter().enumerate() {
            beta[self.problem.item(i)] += value;
        }
        beta
    }

    /// βᵀKβ
    fn squared_norm(&self) -> f64 {
        let beta = &self.solution.coefficients;
        beta.iter().enumerate().map(|(i, b)| b * self.value(i)).sum::<f64>().max(0.0)
    }

    /// Σᵢ βᵢ k(xᵢ, ·) at the item of variable i.
    fn value(&self, i: usize) -> f64 {
        let own = self.problem.diagonal(i) * self.solution.coefficients[i];
        self.solution.gradient[i] - own - self.problem.linear[i]
    }
}

impl OneProblem<'_> {
    /// How far the machine is from optimal, where decision values may be wrong by `error`.
    fn certificate(&self, solved: &Solved, error: f64) -> Certificate {
        let Solved { problem, solution, diagonal, largest, .. } = solved;
        let beta = &solution.coefficients;
        let own = beta.iter().map(|b| b * b).sum::<f64>().sqrt() * 0.5 * f64::EPSILON * largest;
        let error = error.max(own) + self.rounding;
        let kkt_gap = solution.certificate.kkt_gap;
        let shift = (self.shift)(&Threshold {
            multipliers: &solution.multipliers,
            kkt_gap: kkt_gap + 2.0 * error,
            squared_norm: solved.squared_norm(),
            diagonal,
        });
        let multipliers: Vec<f64> = solution.multipliers.iter().map(|mu| mu + shift).collect();
        let (gradient, multipliers) = (&solution.gradient[..], &multipliers[..]);
        Evidence { problem, beta, gradient, multipliers, kkt_gap, error }.certify()
    }

    /// The settings of the solver, which leave room for what rounding adds to the KKT gap.
    fn without_rounding(&self, settings: Settings) -> Settings {
        let stop = match settings.stop {
            Stop::KktGap(tolerance) if self.rounding > 0.0 => {
                Stop::KktGap((tolerance - 2.1 * self.rounding).max(LEAST_SHARE * tolerance))
            }
            stop => stop,
        };
        Settings { stop, ..settings }
    }
}

impl Attempt for OneProblem<'_> {
    type Machine = Expansion;
    type Trained = Solved;
    type Fit = ExpansionFit;

    fn convex(&self) -> bool {
        self.convex
    }

    fn train(
        &self,
        gram: &dyn SymmetricGram,
        settings: &Settings,
        share: f64,
        earlier: Option<&Expansion>,
        before: Option<&Solved>,
    ) -> Result<Solved> {
        let mut problem = (self.build)(gram.diagonal());
        if let Some(earlier) = earlier {
            problem.start = start(&problem, earlier);
            problem.known = before.map(|before| Known::of(&before.problem, &before.solution));
        }
        let (largest, diagonal) = (gram.largest(), gram.diagonal().to_vec());
        let mut left = self.without_rounding(settings.shared(share));
        let mut last: Option<Solved> = None;
        loop {
            let mut solution = solve(gram, &problem, &left, &mut |progress| {
                (self.observer)(&FitProgress { problem: 0, problems: 1, progress: progress.clone() })
            })?;
            if let Some(Solved { solution: before, .. }) = &last {
                solution.iterations += before.iterations;
                solution.outer_iterations += before.outer_iterations;
                solution.rows_computed += before.rows_computed;
                solution.elapsed += before.elapsed;
            }
            let accuracy = settings.accuracy();
            let solved = Solved { problem, solution, accuracy, largest, diagonal: diagonal.clone() };
            let gap = |solved: &Solved| self.certificate(solved, 0.0).relative_gap();
            // The threshold of the machine may need a smaller KKT gap than that of the solver.
            let is_there = accuracy.is_met(&self.certificate(&solved, 0.0));
            let is_better = last.as_ref().is_none_or(|last| gap(&solved) < 0.5 * gap(last));
            if is_there || !is_better || solved.solution.status != Status::Converged {
                return Ok(solved);
            }
            problem = solved.problem.clone();
            problem.start.clone_from(&solved.solution.coefficients);
            problem.known = Some(Known::of(&solved.problem, &solved.solution));
            left = Settings {
                max_iterations: settings.max_iterations.saturating_sub(solved.solution.iterations),
                max_time: settings.max_time.map(|limit| limit.saturating_sub(solved.solution.elapsed)),
                ..left.shared(0.1)
            };
            last = Some(solved);
        }
    }

    fn join(&self, solved: &Solved) -> Result<Expansion> {
        let beta = solved.by_item();
        check_finite("coefficient", &beta)?;
        let support: Vec<usize> = (0..beta.len()).filter(|&i| beta[i] != 0.0).collect();
        let coefficients = support.iter().map(|&i| beta[i]).collect();
        Ok(Expansion { support, coefficients, offset: (self.offset)(&solved.solution.multipliers) })
    }

    fn seen(&self, solved: &Solved, row: usize, _: usize) -> Option<f64> {
        // The first variable of an item is its own number.
        let variable = (row < solved.problem.len() && solved.problem.item(row) == row).then_some(row)?;
        Some(solved.value(variable) + (self.offset)(&solved.solution.multipliers))
    }

    fn report(
        &self,
        solved: &Solved,
        expansion: Expansion,
        error: f64,
        before: Option<&ExpansionFit>,
    ) -> ExpansionFit {
        let Solved { problem, solution, .. } = solved;
        let beta = &solution.coefficients;
        let certificate = self.certificate(solved, error);
        let status = solved.accuracy.verdict(solution.status, &certificate);
        let at_bound = |i: &usize| beta[*i] == problem.upper[*i] || beta[*i] == problem.lower[*i];
        let report = Report {
            status,
            certificate,
            convex: self.convex,
            support: expansion.support.len(),
            bounded: solution.support().filter(at_bound).count(),
            norm: solved.squared_norm().sqrt(),
            iterations: solution.iterations + before.map_or(0, |fit| fit.report.iterations),
            rows_computed: solution.rows_computed + before.map_or(0, |fit| fit.report.rows_computed),
            seconds: solution.elapsed.as_secs_f64() + before.map_or(0.0, |fit| fit.report.seconds),
        };
        let diagonal = solved.diagonal.clone();
        let values = (0..diagonal.len()).map(|i| solved.value(i)).collect();
        ExpansionFit { expansion, report, multipliers: solution.multipliers.clone(), values, diagonal }
    }

    fn machine<'f>(&self, fit: &'f ExpansionFit) -> &'f Expansion {
        &fit.expansion
    }

    fn ends(&self, fit: &ExpansionFit) -> (Vec<Status>, u64) {
        (vec![fit.report.status], fit.report.iterations)
    }

    fn statuses<'f>(&self, fit: &'f mut ExpansionFit) -> Vec<&'f mut Status> {
        vec![&mut fit.report.status]
    }
}

/// Where the variables begin, from the coefficients of their items.
fn start(problem: &DualProblem, earlier: &Expansion) -> Vec<f64> {
    let coefficient =
        |item: usize| earlier.support.binary_search(&item).map_or(0.0, |at| earlier.coefficients[at]);
    // Of several variables of an item the one takes it whose sign fits.
    (0..problem.len())
        .map(|i| coefficient(problem.item(i)).clamp(problem.lower[i], problem.upper[i]))
        .map(|beta| if beta.is_finite() { beta } else { 0.0 })
        .collect()
}

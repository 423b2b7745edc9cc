//! One function f(x) = Σᵢ βᵢ k(xᵢ, x) + b, trained by one dual problem: regression and novelty detection.

use serde::{Deserialize, Serialize};

use super::attempt::{Attempt, Decides};
use super::svc::FitProgress;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Columns, Gram, SymmetricGram};
use crate::resources::Workers;
use crate::solver::{
    Certificate, Control, DualProblem, DualSolution, Evidence, Known, Settings, Status, Stop, solve,
};

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
        let mut values = vec![self.offset; columns];
        gram.accumulate(rows, &self.coefficients, Columns::Range(0..columns), &mut values)?;
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
    /// Whether the kernel is known to be positive semi-definite.
    pub convex: bool,
    pub observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
}

/// A problem, solved.
pub(super) struct Solved {
    problem: DualProblem,
    solution: DualSolution,
    stop: Stop,
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

    /// Σᵢ βᵢ k(xᵢ, ·) at the item of variable i.
    fn value(&self, i: usize) -> f64 {
        let own = self.problem.diagonal(i) * self.solution.coefficients[i];
        self.solution.gradient[i] - own - self.problem.linear[i]
    }
}

impl Attempt for OneProblem<'_> {
    type Machine = Expansion;
    type Trained = Solved;
    type Fit = ExpansionFit;

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
        let shared = Settings { stop: settings.stop.scaled(share), ..settings.clone() };
        let solution = solve(gram, &problem, &shared, &mut |progress| {
            (self.observer)(&FitProgress { problem: 0, problems: 1, progress: progress.clone() })
        })?;
        let (largest, diagonal) = (gram.largest(), gram.diagonal().to_vec());
        Ok(Solved { problem, solution, stop: settings.stop, largest, diagonal })
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
        let squared: f64 = beta.iter().enumerate().map(|(i, b)| b * solved.value(i)).sum();
        let own = beta.iter().map(|b| b * b).sum::<f64>().sqrt() * 0.5 * f64::EPSILON * solved.largest;
        let evidence = Evidence {
            problem,
            beta,
            gradient: &solution.gradient,
            multipliers: &solution.multipliers,
            kkt_gap: solution.certificate.kkt_gap,
            error: error.max(own),
        };
        let certificate = evidence.certify();
        let status = match solution.status {
            Status::Converged if !solved.stop.is_met(&certificate) => Status::NumericalLimit,
            status => status,
        };
        let at_bound = |i: &usize| beta[*i] == problem.upper[*i] || beta[*i] == problem.lower[*i];
        let report = Report {
            status,
            certificate,
            convex: self.convex,
            support: expansion.support.len(),
            bounded: solution.support().filter(at_bound).count(),
            norm: squared.max(0.0).sqrt(),
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

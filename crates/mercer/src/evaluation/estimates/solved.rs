//! A machine for two classes, trained: what the estimates look at.

use super::bordered::Bordered;
use super::check_budget;
use crate::data::Labels;
use crate::error::{Error, Result};
use crate::gram::{Block, Columns, SymmetricGram};
use crate::linalg::Matrix;
use crate::machine::formulation::soft_margin;
use crate::machine::{Scale, Slack, Svc};
use crate::resources::Workers;
use crate::solver::{Control, DualProblem, DualSolution, Groups, Known, Settings, Status, solve};

/// An entry of an inverse below this share of what it would be without the other variables is rounding.
const LEAST: f64 = 1e-9;

/// Which machines for two classes many are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::evaluation) enum Parts {
    /// One for each pair of classes.
    Pairs,
    /// One for each class, which is the later one, against all others; of two classes, one.
    Rest,
}

/// The rows of two classes.
pub(super) struct Pair {
    /// Those with a cost, ascending.
    pub rows: Vec<usize>,
    /// Whether each is of the later class.
    pub positive: Vec<bool>,
}

impl Pair {
    /// What many classes are divided into.
    pub fn of(parts: Parts, labels: &Labels, costs: &[f64]) -> Vec<Pair> {
        match parts {
            Parts::Pairs => Pair::all(labels, costs),
            Parts::Rest => Pair::rest(labels, costs),
        }
    }

    /// Every class that has rows against all others.
    fn rest(labels: &Labels, costs: &[f64]) -> Vec<Pair> {
        let rows: Vec<usize> = (0..costs.len()).filter(|&row| costs[row] > 0.0).collect();
        let mut classes: Vec<u32> = rows.iter().map(|&row| labels.codes()[row]).collect();
        classes.sort_unstable();
        classes.dedup();
        if let [_, later] = classes[..] {
            classes = vec![later];
        }
        let against_rest = |class: u32| {
            let positive = rows.iter().map(|&row| labels.codes()[row] == class).collect();
            Pair { rows: rows.clone(), positive }
        };
        classes.into_iter().map(against_rest).collect()
    }

    /// All pairs of classes that have rows, in the order of [`pairs`](crate::machine::one_against_one::pairs).
    fn all(labels: &Labels, costs: &[f64]) -> Vec<Pair> {
        let mut rows_of_class = vec![Vec::new(); labels.classes().len()];
        for (row, &class) in labels.codes().iter().enumerate() {
            if costs[row] > 0.0 {
                rows_of_class[class as usize].push(row);
            }
        }
        rows_of_class.retain(|rows| !rows.is_empty());
        let mut pairs = Vec::new();
        for (a, first) in rows_of_class.iter().enumerate() {
            for second in &rows_of_class[a + 1..] {
                let mut members: Vec<(usize, bool)> = first.iter().map(|&row| (row, false)).collect();
                members.extend(second.iter().map(|&row| (row, true)));
                members.sort_unstable();
                let (rows, positive) = members.into_iter().unzip();
                pairs.push(Pair { rows, positive });
            }
        }
        pairs
    }
}

/// A support vector machine for two classes over a Gram matrix, trained.
///
/// Its variables are the rows of the two classes whose cost is above 0. Row i has the label yᵢ = ±1 (+1 for the later
/// class), the coefficient βᵢ = yᵢαᵢ, the decision value f(xᵢ) and, for a 2-norm machine, dᵢ = 1/Cᵢ on the diagonal of
/// K. The costs are those of the whole training set, whichever row is left out: balanced class weights do not follow.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::Solved;
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let machine = Svc::params(()).cost(10.0).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "yes"]), None)?;
/// assert_eq!((solved.sign(0), solved.alpha(0)), (-1.0, 0.5));
/// assert!((solved.decision(1) - 1.0).abs() < 1e-9);
/// # Ok::<(), mercer::Error>(())
/// ```
pub struct Solved<'a> {
    pub(super) gram: &'a dyn SymmetricGram,
    pub(super) problem: DualProblem,
    pub(super) solution: DualSolution,
    pub(super) settings: Settings,
    pub(super) costs: Vec<f64>,
    pub(super) slack: Slack,
    pub(super) workers: Workers,
}

impl<'a> Solved<'a> {
    /// Trains a machine on a Gram matrix of rows of two classes.
    ///
    /// # Errors
    /// Those of [`Svc::fit_gram`]; [`Error::Shape`] for more than two classes, [`Error::Unsupported`] for a machine whose
    /// cost follows from a share ν or from ‖w‖ = 1: without a row it would have another.
    pub fn new<K>(
        machine: &Svc<K>,
        gram: &'a dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        let mut pairs = Solved::pairs(machine, gram, labels, weights)?;
        match pairs.len() {
            1 => Ok(pairs.remove(0)),
            _ => {
                let found = labels.counts().iter().filter(|&&count| count > 0).count();
                Err(Error::Shape { what: "classes of a machine for two", expected: 2, found })
            }
        }
    }

    /// Trains a machine for each pair of classes, in the order of [`pairs`](crate::machine::one_against_one::pairs).
    ///
    /// # Errors
    /// As [`Solved::new`], for any number of classes from two on.
    pub fn pairs<K>(
        machine: &Svc<K>,
        gram: &'a dyn SymmetricGram,
        labels: &Labels,
        weights: Option<&[f64]>,
    ) -> Result<Vec<Self>> {
        Solved::after(machine, gram, (labels, weights, Parts::Pairs), &[], &|| false)
    }

    /// The same, or one for each class against the rest, after a training of the same rows with another cost, unless it is
    /// cancelled.
    pub(in crate::evaluation) fn after<K>(
        machine: &Svc<K>,
        gram: &'a dyn SymmetricGram,
        (labels, weights, parts): (&Labels, Option<&[f64]>, Parts),
        before: &[Solved<'_>],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Self>> {
        if matches!(machine.slack(), Slack::Nu { .. })
            || (machine.slack(), machine.scale()) == (Slack::Linear, Scale::Geometric)
        {
            let what = "estimates leave rows out of a machine whose cost stays as it is: give it a cost C, no share nu, and \
                        the functional margin 1";
            return Err(Error::Unsupported { what: what.into() });
        }
        let costs = machine.costs(labels, gram.shape().0, weights)?;
        let pairs = Pair::of(parts, labels, &costs).into_iter().enumerate();
        pairs.map(|(at, pair)| Solved::pair(machine, gram, &costs, pair, before.get(at), cancelled)).collect()
    }

    fn pair<K>(
        machine: &Svc<K>,
        gram: &'a dyn SymmetricGram,
        costs: &[f64],
        pair: Pair,
        before: Option<&Solved<'_>>,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self> {
        let Pair { rows, positive } = pair;
        let costs: Vec<f64> = rows.iter().map(|&row| costs[row]).collect();
        let slack = machine.slack();
        let mut problem = soft_margin(&positive, &costs, rows.clone(), slack, machine.has_offset());
        if slack == Slack::None {
            problem.start = hard_start(machine, gram, &rows, &positive)?;
        } else if let Some(before) = before {
            problem.start = before.start_of(&problem);
            problem.known = Some(Known::of(&before.problem, &before.solution));
        }
        let options = machine.options();
        let settings = Settings { memory: options.memory, ..options.solver.clone() };
        let control = |_: &_| if cancelled() { Control::Cancel } else { Control::Continue };
        let solution = solve(gram, &problem, &settings, &mut { control })?;
        let workers = Workers::checked(options.threads)?;
        Ok(Solved { gram, problem, solution, settings, costs, slack, workers })
    }

    /// Where the problem of another cost begins: coefficients at their bounds go on to the new ones if they are most, for
    /// along a path of costs they stay there.
    fn start_of(&self, next: &DualProblem) -> Vec<f64> {
        let Solved { problem, solution: DualSolution { coefficients, .. }, .. } = self;
        let support = coefficients.iter().filter(|beta| **beta != 0.0).count();
        let free = (0..self.len()).filter(|&i| self.is_free(i)).count();
        if support <= 2 * free {
            return coefficients.clone();
        }
        let moved = |(i, &beta): (usize, &f64)| match beta {
            0.0 => 0.0,
            _ if beta == problem.upper[i] => next.upper[i],
            _ if beta == problem.lower[i] => next.lower[i],
            _ => beta,
        };
        coefficients.iter().enumerate().map(moved).collect()
    }

    /// ℓ: how many rows were learned from.
    pub fn len(&self) -> usize {
        self.problem.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of the Gram matrix that variable i belongs to.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn row(&self, i: usize) -> usize {
        self.problem.item(i)
    }

    /// yᵢ
    ///
    /// # Panics
    /// If there is no such row.
    pub fn sign(&self, i: usize) -> f64 {
        -self.problem.linear[i]
    }

    /// αᵢ = yᵢβᵢ ≥ 0
    ///
    /// # Panics
    /// If there is no such row.
    pub fn alpha(&self, i: usize) -> f64 {
        self.solution.coefficients[i].abs()
    }

    /// f(xᵢ)
    ///
    /// # Panics
    /// If there is no such row.
    pub fn decision(&self, i: usize) -> f64 {
        value(&self.problem, &self.solution, i) + offset(&self.solution)
    }

    /// yᵢ f(xᵢ), which is negative for an error of the training.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn margin(&self, i: usize) -> f64 {
        self.sign(i) * self.decision(i)
    }

    /// Why the solver stopped.
    pub fn status(&self) -> Status {
        self.solution.status
    }

    /// Whether xᵢ is a support vector.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn is_support(&self, i: usize) -> bool {
        self.solution.coefficients[i] != 0.0
    }

    /// Whether 0 < αᵢ < C: a support vector on the margin.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn is_free(&self, i: usize) -> bool {
        is_free(&self.problem, &self.solution.coefficients, i)
    }

    /// Whether there is an offset b.
    pub fn has_offset(&self) -> bool {
        has_offset(&self.problem)
    }

    /// k(xᵢ, xᵢ)
    pub(super) fn own_value(&self, i: usize) -> f64 {
        self.gram.diagonal()[self.row(i)]
    }

    /// The rows of all variables.
    pub(super) fn rows(&self) -> Vec<usize> {
        (0..self.len()).map(|i| self.row(i)).collect()
    }

    /// What the margin is missed by in the feature space of K + diag(d), in which a 2-norm machine has a hard margin.
    pub(super) fn slack_at(&self, i: usize) -> f64 {
        match self.slack {
            Slack::Linear | Slack::Nu { .. } => (1.0 - self.margin(i)).max(0.0),
            Slack::Quadratic | Slack::None => 0.0,
        }
    }

    /// The squared distance to the farthest row in the feature space of K + diag(d), or to the origin of a machine without
    /// offset. O(ℓ) kernel values.
    pub(super) fn squared_reach(&self, i: usize) -> Result<f64> {
        let own = self.own_value(i) + self.problem.diagonal(i);
        if !self.has_offset() {
            return Ok(own);
        }
        let rows = self.rows();
        let mut values = vec![0.0; rows.len()];
        let block = Block::F64 { values: &mut values, stride: rows.len() };
        self.gram.fill(&[self.row(i)], Columns::List(&rows), block)?;
        let squared = |j: usize| own + self.own_value(j) + self.problem.diagonal(j) - 2.0 * values[j];
        Ok((0..rows.len()).filter(|&j| j != i).map(squared).fold(0.0, f64::max))
    }
}

/// Coefficients of the hard margin, or the refusal of classes that have none.
fn hard_start<K>(
    machine: &Svc<K>,
    gram: &dyn SymmetricGram,
    rows: &[usize],
    positive: &[bool],
) -> Result<Vec<f64>> {
    let mut side = vec![0; gram.shape().0];
    let mut weights = vec![0.0; side.len()];
    for (&row, &positive) in rows.iter().zip(positive) {
        side[row] = u32::from(positive);
        weights[row] = 1.0;
    }
    let labels = Labels::from_codes(vec!["-1".into(), "1".into()], side)?;
    let params = Svc::params(()).slack(Slack::None).offset(machine.has_offset());
    let machine = params.options(machine.options().clone()).check()?;
    let fit = machine.fit_gram(gram, &labels, Some(&weights), true, &|_| Control::Continue)?;
    let mut start = vec![0.0; rows.len()];
    for (support, beta) in fit.pairs.pair(0, 1) {
        if let Ok(variable) = rows.binary_search(&fit.pairs.support[support]) {
            start[variable] = beta;
        }
    }
    Ok(start)
}

/// f(xᵢ) without the offset: what the diagonal adds to K is no part of it.
pub(super) fn value(problem: &DualProblem, solution: &DualSolution, i: usize) -> f64 {
    solution.gradient[i] - problem.diagonal(i) * solution.coefficients[i] - problem.linear[i]
}

/// b, 0 where there is none.
pub(super) fn offset(solution: &DualSolution) -> f64 {
    solution.multipliers.first().map_or(0.0, |multiplier| -multiplier)
}

/// Whether a problem has the sum that an offset belongs to.
pub(super) fn has_offset(problem: &DualProblem) -> bool {
    problem.groups != Groups::None
}

/// Whether a variable is strictly inside its bounds and not at the kink of ε|β|.
pub(super) fn is_free(problem: &DualProblem, beta: &[f64], i: usize) -> bool {
    let inside = problem.lower[i] < beta[i] && beta[i] < problem.upper[i];
    inside && (beta[i] != 0.0 || problem.insensitivity(i) == 0.0)
}

/// The free variables of a solution, and the inverse of their bordered matrix K + diag(d).
pub(super) struct Free {
    /// Ascending.
    pub variables: Vec<usize>,
    pub inverse: Bordered,
}

impl Free {
    /// Inverts with or without a border: O(m²) kernel values and O(m³) time for m free variables. None if there are none.
    ///
    /// # Errors
    /// [`Error::Budget`], and [`Error::Pivot`] where K is not positive semi-definite.
    pub fn new(
        gram: &dyn SymmetricGram,
        problem: &DualProblem,
        beta: &[f64],
        has_border: bool,
        memory: u64,
    ) -> Result<Option<Self>> {
        let variables: Vec<usize> = (0..problem.len()).filter(|&i| is_free(problem, beta, i)).collect();
        let m = variables.len();
        if m == 0 {
            return Ok(None);
        }
        check_budget("the inverse for the support vectors on the margin", Bordered::bytes(m), memory)?;
        let items: Vec<usize> = variables.iter().map(|&i| problem.item(i)).collect();
        let mut matrix = Matrix::zeros(m, m);
        let block = Block::F64 { values: matrix.values_mut(), stride: m };
        gram.fill(&items, Columns::List(&items), block)?;
        for (slot, &i) in variables.iter().enumerate() {
            matrix[(slot, slot)] += problem.diagonal(i);
        }
        Ok(Some(Free { variables, inverse: Bordered::with_nugget(matrix, has_border)? }))
    }

    /// (H⁻¹)ᵢᵢ of the free variable in a place, unless it is rounding, so that no other can take over. `alone` is what is on
    /// the diagonal of K + diag(d) there.
    pub fn own(&self, slot: usize, alone: f64) -> Option<f64> {
        let entry = self.inverse.at(slot, slot);
        (entry * alone >= LEAST).then_some(entry)
    }

    /// K between the free variables and another one.
    pub fn values(&self, gram: &dyn SymmetricGram, problem: &DualProblem, i: usize) -> Result<Vec<f64>> {
        let items: Vec<usize> = self.variables.iter().map(|&j| problem.item(j)).collect();
        let mut values = vec![0.0; items.len()];
        let block = Block::F64 { values: &mut values, stride: items.len() };
        gram.fill(&[problem.item(i)], Columns::List(&items), block)?;
        Ok(values)
    }
}

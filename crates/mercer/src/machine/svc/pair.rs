//! One pair of classes: its dual problem in the form that was asked for, solved, and brought to one scale.

use std::time::Duration;

use super::units::{certify, gamma, margin, onto_sums, squared_norm, to_functional};
use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::machine::formulation::{Scale, Slack, maximal_margin, soft_margin};
use crate::solver::{Control, DualProblem, DualSolution, Known, Progress, Settings, Status, Stop, solve};

/// A margin that is smaller than this, relative to √max k(x, x), is none: K is not known more accurately.
const LEAST_MARGIN: f64 = 1e-6;

/// The tolerance of a largest margin tightens to this multiple of the first one, at most.
const LEAST_TOLERANCE: f64 = 1e-20;

/// Larger costs than this, of which rounding of the slack would be more than all the rest of the objective, are solved as the hard
/// margin.
const LARGEST_COST: f64 = 1e15;

/// What is asked for in place of such a cost where there is no hard margin.
const NO_HARD_MARGIN: &str =
    "at most 1e15, since a larger one stands for the hard margin, and these classes have none within it";

/// Costs times max k(x, x) that stand for the hard margin one after the other, until no coefficient reaches them.
const HARD_COSTS: [f64; 4] = [1e2, 1e4, 1e6, 1e8];

/// Two classes to be told apart.
pub(super) struct Pair {
    pub positive: Vec<bool>,
    pub costs: Vec<f64>,
    /// The row of each variable; none means that variable i is row i.
    pub items: Vec<usize>,
    pub slack: Slack,
    pub scale: Scale,
    pub offset: bool,
    /// Whether a share ν without a margin is accepted.
    pub accepts_no_margin: bool,
}

/// Where to begin: coefficients in units of the functional margin, none for 0, and a product with the same K, if one is known.
#[derive(Default)]
pub(super) struct Start {
    pub coefficients: Vec<f64>,
    pub known: Option<Known>,
}

/// A pair, solved. Problem and solution are those of the functional margin 1, whatever form was solved.
pub(super) struct PairSolution {
    pub problem: DualProblem,
    pub solution: DualSolution,
    /// What coefficients and offset are multiplied by to have the scale that was asked for.
    pub factor: f64,
    /// γ by the formula of the algorithm that was asked for.
    pub gamma: f64,
    /// The slack that was solved with: none where the cost is too large to be anything else.
    pub slack: Slack,
}

/// What solving again and again took in all.
#[derive(Default)]
struct Effort {
    iterations: u64,
    outer_iterations: u64,
    rows_computed: u64,
    elapsed: Duration,
}

impl Pair {
    /// Whether the problem of the largest margin is solved, rather than that of the functional margin 1.
    ///
    /// So it is for the hard margin, whose other problem has no solution if the classes cannot be separated.
    fn maximises(&self) -> bool {
        let bounded = matches!(self.slack, Slack::Nu { .. }) || self.slack == Slack::None && self.offset;
        self.scale == Scale::Geometric || bounded
    }

    /// Whether the costs are bounds of the coefficients, in units of the functional margin.
    pub fn is_boxed(&self) -> bool {
        self.slack == Slack::Linear && !self.maximises()
    }

    /// Refuses a share ν that the coefficients of the smaller class cannot make up, unless it is accepted.
    pub fn check_share(&self) -> Result<()> {
        let Slack::Nu { nu: value } = self.slack else { return Ok(()) };
        if self.accepts_no_margin {
            return Ok(());
        }
        let mass = |side: bool| -> f64 {
            self.costs
                .iter()
                .zip(&self.positive)
                .filter(|(_, positive)| **positive == side)
                .map(|(c, _)| c)
                .sum()
        };
        let (above, below) = (mass(true), mass(false));
        let high = 2.0 * above.min(below) / (above + below);
        match value > high {
            true => Err(Error::Interval { name: "nu", value, low: 0.0, high }),
            false => Ok(()),
        }
    }

    /// The problem of the functional margin 1 with these costs.
    pub fn functional(&self, costs: &[f64]) -> DualProblem {
        soft_margin(&self.positive, costs, self.items.clone(), self.slack, self.offset)
    }

    /// Solves from a start.
    pub fn solve(
        &self,
        gram: &dyn SymmetricGram,
        start: Start,
        settings: &Settings,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<PairSolution> {
        match (self.maximises(), self.slack) {
            (true, _) => self.maximise(gram, start, settings, observer),
            (false, Slack::None) => self.harden(gram, start, settings, observer),
            (false, Slack::Linear) if self.largest_cost() > LARGEST_COST => {
                self.solve_without_slack(gram, start, settings, observer)
            }
            (false, _) => {
                let problem = start.of(self.functional(&self.costs));
                let solution = solve(gram, &problem, settings, observer)?;
                Ok(self.finish(problem, solution))
            }
        }
    }

    fn largest_cost(&self) -> f64 {
        self.costs.iter().copied().fold(0.0, f64::max)
    }

    /// The hard margin in the place of costs that are too large to be told from it. Where no coefficient is above its cost, it is
    /// the solution with these costs.
    fn solve_without_slack(
        &self,
        gram: &dyn SymmetricGram,
        start: Start,
        settings: &Settings,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<PairSolution> {
        let (positive, costs, items) = (self.positive.clone(), self.costs.clone(), self.items.clone());
        let hard = Pair { positive, costs, items, slack: Slack::None, ..*self };
        let refused = Error::Parameter { name: "cost", value: self.largest_cost(), expected: NO_HARD_MARGIN };
        match hard.solve(gram, start, settings, observer) {
            Err(Error::NotSeparable { .. }) => Err(refused),
            Ok(found) if found.solution.coefficients.iter().zip(&self.costs).any(|(b, c)| b.abs() > *c) => {
                Err(refused)
            }
            found => found,
        }
    }

    /// Maximises the margin. How accurate a solution is shows when the margin is known: the tolerance tightens until it
    /// is enough.
    fn maximise(
        &self,
        gram: &dyn SymmetricGram,
        start: Start,
        settings: &Settings,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<PairSolution> {
        let largest = gram.largest();
        let mut problem = maximal_margin(&self.positive, &self.costs, self.items.clone(), self.slack);
        problem.start = onto_sums(&problem, start.coefficients);
        problem.known = start.known;
        let (Stop::KktGap(wanted) | Stop::DualityGap(wanted)) = settings.stop;
        let mut tolerance = match self.slack {
            Slack::Nu { .. } => wanted,
            // Coefficients sum to 1, so values are no larger than those of K.
            _ if largest > 0.0 => 0.1 * wanted * largest,
            _ => wanted,
        };
        let first = tolerance;
        let mut effort = Effort::default();
        loop {
            let inner =
                Settings { stop: Stop::KktGap(tolerance), largest_gap: f64::INFINITY, ..settings.clone() };
            let limited = effort.limit(&inner);
            let mut solution = effort.add(solve(gram, &problem, &limited, observer)?);
            let solved = matches!(solution.status, Status::Converged | Status::NumericalLimit);
            if solved && self.is_flat(&problem, &solution, largest) {
                if !self.accepts_no_margin {
                    return Err(self.no_margin(&problem, &solution));
                }
                // A margin that is rounding is no number to divide by.
                let units = to_functional(self, &problem, &mut solution, 1.0);
                return Ok(self.finish(units, solution));
            }
            problem.start.clone_from(&solution.coefficients);
            problem.known = Some(Known::of(&problem, &solution));
            let margin = margin(&problem, &solution);
            let units = to_functional(self, &problem, &mut solution, margin);
            let certificate = certify(&units, &solution, self.slack, 0.0);
            if solution.status != Status::Converged || settings.accuracy().is_met(&certificate) {
                return Ok(self.finish(units, solution));
            }
            let reached = match settings.stop {
                Stop::KktGap(_) => certificate.kkt_gap,
                Stop::DualityGap(_) => certificate.relative_gap(),
            };
            tolerance *= (0.9 * wanted / reached).clamp(1e-3, 0.5);
            if tolerance < LEAST_TOLERANCE * first {
                solution.status = Status::NumericalLimit;
                return Ok(self.finish(units, solution));
            }
        }
    }

    /// The hard margin without an offset: that of a cost so high that no row is worth it.
    fn harden(
        &self,
        gram: &dyn SymmetricGram,
        start: Start,
        settings: &Settings,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Result<PairSolution> {
        let largest = gram.largest();
        let mut effort = Effort::default();
        let mut start = start;
        for cost in HARD_COSTS {
            let costs = vec![cost / largest; self.costs.len()];
            let soft = soft_margin(&self.positive, &costs, self.items.clone(), Slack::Linear, false);
            let problem = start.of(soft);
            let solution = effort.add(solve(gram, &problem, &effort.limit(settings), observer)?);
            let solved = matches!(solution.status, Status::Converged | Status::NumericalLimit);
            let bounded = |i: usize| solution.coefficients[i].abs() >= costs[i];
            if !solved || !(0..problem.len()).any(bounded) {
                return Ok(self.finish(self.functional(&self.costs), solution));
            }
            if cost == HARD_COSTS[HARD_COSTS.len() - 1] {
                return Err(self.no_margin(&problem, &solution));
            }
            let known = Some(Known::of(&problem, &solution));
            start = Start { coefficients: solution.coefficients, known };
        }
        unreachable!("the last cost returns")
    }

    /// Whether the hulls of the classes meet, so that there is no margin.
    fn is_flat(&self, problem: &DualProblem, solution: &DualSolution, largest: f64) -> bool {
        let size: f64 = solution.coefficients.iter().map(|b| b.abs()).sum();
        let least = LEAST_MARGIN * LEAST_MARGIN * largest * size * size;
        self.slack != Slack::Quadratic && squared_norm(problem, solution) <= least
    }

    fn no_margin(&self, problem: &DualProblem, solution: &DualSolution) -> Error {
        if let Slack::Nu { nu } = self.slack {
            return Error::NoMargin { nu };
        }
        let value = |i: usize| solution.gradient[i] - problem.linear[i];
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for (i, &positive) in self.positive.iter().enumerate() {
            match positive {
                true => least = least.min(value(i)),
                false => most = most.max(value(i)),
            }
        }
        let norm = squared_norm(problem, solution).max(0.0).sqrt();
        // Where the hulls share a point that was found exactly, no direction is better than another.
        let gap = if norm > 0.0 { 0.5 * (most - least) / norm } else { 0.0 };
        let size: f64 = solution.coefficients.iter().map(|b| b.abs()).sum();
        let bound = match self.offset {
            // The distance of two points of the hulls from each other, halved.
            true => norm / size,
            // By D ≤ ½/γ².
            false => 1.0 / (2.0 * solution.certificate.dual).sqrt(),
        };
        Error::NotSeparable { classes: "the classes".into(), gap, bound }
    }

    fn finish(&self, problem: DualProblem, solution: DualSolution) -> PairSolution {
        let norm = squared_norm(&problem, &solution).max(0.0).sqrt();
        let factor = match self.scale {
            Scale::Geometric if norm > 0.0 => 1.0 / norm,
            _ => 1.0,
        };
        let gamma = gamma(&problem, &solution, self.slack, self.scale);
        PairSolution { problem, solution, factor, gamma, slack: self.slack }
    }
}

impl Start {
    /// The problem, begun here.
    fn of(self, problem: DualProblem) -> DualProblem {
        DualProblem { start: self.coefficients, known: self.known, ..problem }
    }
}

impl PairSolution {
    /// The product of the coefficients with K, for whoever goes on from them with the variables of the same items.
    pub fn known(&self, items: &[usize]) -> Option<Known> {
        (self.problem.item == items).then(|| Known::of(&self.problem, &self.solution))
    }
}

impl Effort {
    /// The settings with what is left of the steps.
    fn limit(&self, settings: &Settings) -> Settings {
        let max_iterations = settings.max_iterations.saturating_sub(self.iterations);
        Settings { max_iterations, ..settings.clone() }
    }

    /// Adds what a solution took, which then tells the sum.
    fn add(&mut self, mut solution: DualSolution) -> DualSolution {
        self.iterations += solution.iterations;
        self.outer_iterations += solution.outer_iterations;
        self.rows_computed += solution.rows_computed;
        self.elapsed += solution.elapsed;
        solution.iterations = self.iterations;
        solution.outer_iterations = self.outer_iterations;
        solution.rows_computed = self.rows_computed;
        solution.elapsed = self.elapsed;
        solution
    }
}

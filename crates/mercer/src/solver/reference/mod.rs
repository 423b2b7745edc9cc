//! The methods of the textbooks, each in one readable file: alternatives in plain sight.
//!
//! | file | method | moves at a time | memory | which problems |
//! |---|---|---|---|---|
//! | [`smo`] | Platt's sequential minimal optimization | two variables | a row | all |
//! | [`adatron`] | the kernel adatron | one variable | a row | no equality constraint |
//! | [`chunking`] | Vapnik's chunking | support vectors and worst violators | their block of K | all |
//! | [`interior_point`] | a primal–dual interior-point method | all | three times all of K | all |
//!
//! All solve the same [`DualProblem`] as the decomposition that is the default, see K through the same trait, heed the
//! same limits, and return the same [`DualSolution`] with its certificate. They are written to be read beside the
//! text they come from, and to check the main solver by; none of them is as fast. Choose one by
//! [`Settings::method`].
//!
//! # What they cost
//!
//! Two overlapping Gaussian clouds of 1500 rows and 10 columns, a Gaussian kernel (γ = 0.05), some 640 support vectors, K in
//! memory, tolerance 10⁻³. Steps are what they are anywhere; the seconds are of a build with few optimisations on a
//! loaded machine with two cores, and tell no more than the order of magnitude.
//!
//! | | C = 1 | C = 100 | C = 1, no offset |
//! |---|---|---|---|
//! | decomposition | 961 steps, 0.02 s | 20 540 steps, 0.3 s | 920 steps, 0.02 s |
//! | SMO | 4135 steps, 0.2 s | 171 821 steps, 9 s | 33 801 steps, 0.7 s |
//! | adatron | refused | refused | 33 489 steps, 0.15 s |
//! | chunking | 115 factorisations, 2 s | 108 factorisations, 1.3 s | 113 factorisations, 1.7 s |
//! | interior point | 13 factorisations, 2 s | 22 factorisations, 4 s | 14 factorisations, 2 s |
//!
//! Interior points do not mind C, and reach 10⁻¹⁰ for the price of 10⁻³. Methods that move one variable at a time mind it
//! most: without an offset and with C = 100 SMO was stopped, unfinished, after half a minute.

pub mod adatron;
pub mod chunking;
pub mod interior_point;
pub mod smo;

use std::time::Instant;

use super::stall::{Remedy, Stall};
use super::variables::{Extremes, Variables, largest_gap};
use super::{Control, DualProblem, DualSolution, Progress, Settings, Status, Stop};
use crate::error::{Error, Result};
use crate::gram::{Block, Columns, Gram, SymmetricGram};

/// Steps between two calls of the observer and two looks at the clock.
const STEPS_PER_LOOK: u64 = 64;
/// Rounds in which nothing gets better before the method gives up.
const PATIENCE: u32 = 20;
/// Curvature of a direction that is flat: what LIBSVM uses for duplicates and indefinite kernels.
const LEAST_CURVATURE: f64 = 1e-12;

/// What every method keeps: β, its gradient, and the account of the effort.
struct Run<'a> {
    gram: &'a dyn SymmetricGram,
    settings: &'a Settings,
    variables: Variables<'a>,
    /// The columns of the variables, where they are not the items in their order.
    columns: Option<Box<dyn Gram + 'a>>,
    /// The KKT gap that is aimed at.
    tolerance: f64,
    /// By how much the objective has fallen.
    decrease: f64,
    stall: Stall,
    /// The β with the smallest gap that was seen, and that gap: where digits run out, a lower objective may have a larger one.
    best: Option<(f64, Vec<f64>)>,
    /// Whether β has changed since the gradient was last computed from nothing.
    has_moved: bool,
    begun: Instant,
    iterations: u64,
    rounds: u64,
    rows_computed: u64,
}

impl<'a> Run<'a> {
    fn new(gram: &'a dyn SymmetricGram, problem: &'a DualProblem, settings: &'a Settings) -> Result<Self> {
        let begun = Instant::now();
        super::check(gram, problem, settings)?;
        let beta = problem.feasible_start()?;
        let columns = match problem.item.is_empty() {
            true => None,
            false => Some(gram.restrict(&problem.item)?),
        };
        let mut run = Run {
            gram,
            settings,
            variables: Variables { problem, f: problem.linear.clone(), beta },
            columns,
            tolerance: settings.first_tolerance(),
            decrease: 0.0,
            stall: Stall::default(),
            best: None,
            has_moved: false,
            begun,
            iterations: 0,
            rounds: 0,
            rows_computed: 0,
        };
        run.refresh()?;
        Ok(run)
    }

    /// Number of variables.
    fn len(&self) -> usize {
        self.variables.beta.len()
    }

    /// Kᵢᵢ + dᵢ
    fn curvature(&self, i: usize) -> f64 {
        let problem = self.variables.problem;
        self.gram.diagonal()[problem.item(i)] + problem.diagonal(i)
    }

    /// Kᵢⱼ
    fn kernel(&self, i: usize, j: usize) -> Result<f64> {
        let problem = self.variables.problem;
        let mut value = [0.0];
        let out = Block::F64 { values: &mut value, stride: 1 };
        self.gram.fill(&[problem.item(i)], Columns::List(&[problem.item(j)]), out)?;
        Ok(value[0])
    }

    /// Sets variables to new values: β changes, and f by the rows of K that belong to them.
    fn set(&mut self, values: &[(usize, f64)]) -> Result<()> {
        let changes: Vec<(usize, f64)> = values
            .iter()
            .map(|&(i, value)| (i, value - std::mem::replace(&mut self.variables.beta[i], value)))
            .filter(|&(_, change)| change != 0.0)
            .collect();
        self.has_moved |= !changes.is_empty();
        self.add_rows(&changes)
    }

    /// f ← f + (K + diag(d))·changes
    fn add_rows(&mut self, changes: &[(usize, f64)]) -> Result<()> {
        let Variables { problem, f, .. } = &mut self.variables;
        let (rows, weights): (Vec<usize>, Vec<f64>) =
            changes.iter().map(|&(i, change)| (problem.item(i), change)).unzip();
        let all = Columns::Range(0..f.len());
        match &self.columns {
            Some(columns) => columns.accumulate(&rows, &weights, all, f)?,
            None => self.gram.accumulate(&rows, &weights, all, f)?,
        }
        self.rows_computed += rows.len() as u64;
        for &(i, change) in changes {
            f[i] += problem.diagonal(i) * change;
        }
        Ok(())
    }

    /// f ← (K + diag(d))β + p from nothing, free of the rounding that steps have gathered in it.
    fn refresh(&mut self) -> Result<()> {
        self.variables.f.copy_from_slice(&self.variables.problem.linear);
        let all: Vec<(usize, f64)> =
            self.variables.beta.iter().copied().enumerate().filter(|&(_, b)| b != 0.0).collect();
        self.has_moved = false;
        self.add_rows(&all)
    }

    /// The two thresholds of each group over all variables.
    fn extremes(&self) -> Vec<Extremes> {
        self.variables.extremes(0..self.len())
    }

    /// The largest violation of the optimality conditions.
    fn gap(&self) -> f64 {
        largest_gap(&self.extremes())
    }

    /// To be called where the gap is within the tolerance: `Converged` if that holds for a gradient that is computed
    /// anew and the certificate is the one asked for; otherwise a stricter tolerance, and on.
    fn verdict(&mut self) -> Result<Option<Status>> {
        if self.has_moved {
            self.refresh()?;
            if self.gap() > self.tolerance {
                return Ok(None);
            }
        }
        if !self.settings.asks_for_gap() {
            return Ok(Some(Status::Converged));
        }
        let extremes = self.extremes();
        let multipliers = self.variables.multipliers(&extremes);
        let certificate = self.variables.evidence(&multipliers, largest_gap(&extremes)).certify();
        if self.settings.accuracy().is_met(&certificate) {
            return Ok(Some(Status::Converged));
        }
        if self.tolerance < self.settings.last_tolerance() {
            return Ok(Some(Status::NumericalLimit));
        }
        self.tolerance *= 0.25;
        Ok(None)
    }

    /// To be called where no step changes anything: either the gradient was wrong, or nothing is left to gain.
    fn stuck(&mut self) -> Result<Option<Status>> {
        if !self.has_moved {
            return Ok(Some(Status::NumericalLimit));
        }
        self.refresh()?;
        Ok(None)
    }

    /// To be called once a round: tells when steps only push the last digits about.
    fn stalled(&mut self) -> Result<Option<Status>> {
        let visible = f64::EPSILON * self.variables.objective().abs();
        match self.stall.notice(self.gap(), self.decrease, visible, PATIENCE) {
            None => Ok(None),
            Some(Remedy::Refresh) => self.refresh().map(|()| None),
            Some(Remedy::GiveUp) => Ok(Some(Status::NumericalLimit)),
        }
    }

    /// Shows the observer how far things are, and looks at all limits.
    fn limit(&mut self, observer: &mut dyn FnMut(&Progress) -> Control) -> Option<Status> {
        let progress = self.progress(&self.variables);
        if self.is_best(progress.kkt_gap) {
            self.best = Some((progress.kkt_gap, self.variables.beta.clone()));
        }
        self.settings.ended(&progress, observer)
    }

    /// The same for a point that is not yet that of the run.
    fn limit_at(
        &mut self,
        variables: Variables<'_>,
        observer: &mut dyn FnMut(&Progress) -> Control,
    ) -> Option<Status> {
        let progress = self.progress(&variables);
        if self.is_best(progress.kkt_gap) {
            self.best = Some((progress.kkt_gap, variables.beta));
        }
        self.settings.ended(&progress, observer)
    }

    fn is_best(&self, gap: f64) -> bool {
        self.best.as_ref().is_none_or(|(best, _)| gap < *best)
    }

    fn progress(&self, variables: &Variables<'_>) -> Progress {
        Progress {
            outer_iterations: self.rounds,
            iterations: self.iterations,
            kkt_gap: largest_gap(&variables.extremes(0..self.len())),
            objective: variables.objective(),
            support: variables.beta.iter().filter(|&&b| b != 0.0).count(),
            active: self.len(),
            elapsed: self.begun.elapsed(),
        }
    }

    /// Counts a step that lowered the objective by so much, and looks at the limits from time to time.
    fn stepped(&mut self, decrease: f64, observer: &mut dyn FnMut(&Progress) -> Control) -> Option<Status> {
        self.decrease += decrease;
        self.iterations += 1;
        let is_due =
            self.iterations.is_multiple_of(STEPS_PER_LOOK) || self.iterations >= self.settings.max_iterations;
        if is_due { self.limit(observer) } else { None }
    }

    /// Refuses `size` × `size` values of K in `copies` where the budget does not allow them.
    fn ask_memory(&self, what: &'static str, size: usize, copies: u64) -> Result<()> {
        let (size, allowed) = (size as u64, self.settings.memory);
        let needed = size.saturating_mul(size).saturating_mul(copies * size_of::<f64>() as u64);
        let instead = "use another solver (decomposition and smo keep no matrix), or allow more memory";
        if needed > allowed { Err(Error::Budget { what, needed, allowed, instead }) } else { Ok(()) }
    }

    /// Goes back to the best point that was seen, if it is better than this one by a gradient that is computed anew; it may
    /// even be the one that was asked for.
    fn go_back_to_best(&mut self, status: Status) -> Result<Status> {
        let here = self.gap();
        let Some((gap, beta)) = self.best.take() else { return Ok(status) };
        if gap >= here {
            return Ok(status);
        }
        let last = std::mem::replace(&mut self.variables.beta, beta);
        self.refresh()?;
        if self.gap() >= here {
            self.variables.beta = last;
            self.refresh()?;
        }
        let is_close = matches!(self.settings.stop, Stop::KktGap(tolerance) if self.gap() <= tolerance);
        let is_there = is_close && {
            let extremes = self.extremes();
            let multipliers = self.variables.multipliers(&extremes);
            let gap = largest_gap(&extremes);
            self.settings.accuracy().is_met(&self.variables.evidence(&multipliers, gap).certify())
        };
        Ok(if is_there { Status::Converged } else { status })
    }

    /// The solution, with the certificate of a gradient that is computed anew.
    fn finish(mut self, mut status: Status) -> Result<DualSolution> {
        if self.has_moved {
            self.refresh()?;
        }
        if status == Status::NumericalLimit {
            status = self.go_back_to_best(status)?;
        }
        let extremes = self.extremes();
        let multipliers = self.variables.multipliers(&extremes);
        let certificate = self.variables.evidence(&multipliers, largest_gap(&extremes)).certify();
        let Variables { beta, f, .. } = self.variables;
        Ok(DualSolution {
            coefficients: beta,
            multipliers,
            gradient: f,
            certificate,
            status,
            iterations: self.iterations,
            outer_iterations: self.rounds,
            rows_computed: self.rows_computed,
            elapsed: self.begun.elapsed(),
        })
    }
}

//! The value of a trained function at an item, if that item had been left out: any machine of one dual problem.
//!
//! Leaving item i out means βᵢ = 0. Three ways lead to the solution of the other variables, and all are exact:
//!
//! - βᵢ is 0 already: nothing changes.
//! - The formula. While no variable comes to a bound or leaves one, the free ones F take over βᵢ by a linear system:
//!   with H the matrix K + diag(d) of F, bordered by ones where there is an offset,
//!
//!   ```text
//!   i ∈ F:  (Δβ; Δb) = −βᵢ H⁻¹eᵢ / (H⁻¹)ᵢᵢ        i ∉ F:  (Δβ; Δb) = βᵢ H⁻¹(K_Fi; 1)
//!   ```
//!
//!   The outcome is checked against the conditions of optimality of all variables. If they hold it is the solution.
//! - Otherwise the problem is solved again, from the solution of all items.

use super::solved::{Free, has_offset, is_free, offset, value};
use crate::error::{Error, Result};
use crate::gram::{Columns, SymmetricGram};
use crate::resources::Workers;
use crate::solver::{Control, DualProblem, DualSolution, Known, Settings, Status, Stop, solve};

/// How the value without an item was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// The item is no support vector: without it the machine is the same.
    Unchanged,
    /// By what is known of the machine with the item, see [`leave_one_out_errors`](super::leave_one_out_errors); there is
    /// no value.
    Proof,
    /// By the closed form, which was checked.
    Formula,
    /// By training again.
    Refit,
    /// The item is the only one of its class.
    Alone,
}

/// What was found of an item that is left out.
pub(super) struct Found {
    /// f without the item, at the item.
    pub value: f64,
    pub means: Means,
    /// That of the training again, if there was one.
    pub status: Option<Status>,
}

/// A solved problem from which items are left out, one at a time.
pub(super) struct LeftOut<'a> {
    pub gram: &'a dyn SymmetricGram,
    pub problem: &'a DualProblem,
    pub solution: &'a DualSolution,
    pub settings: &'a Settings,
    free: Option<Free>,
    /// Whether the offset is determined by the free variables, or there is none.
    is_settled: bool,
    known: Known,
}

impl<'a> LeftOut<'a> {
    pub fn new(
        gram: &'a dyn SymmetricGram,
        problem: &'a DualProblem,
        solution: &'a DualSolution,
        settings: &'a Settings,
    ) -> Result<Self> {
        let border = has_offset(problem);
        let free = match Free::new(gram, problem, &solution.coefficients, border, settings.memory) {
            // An indefinite K has no formula, and without memory it must do without.
            Err(Error::Pivot { .. } | Error::Budget { .. }) => None,
            free => free?,
        };
        let is_settled = !border || (0..problem.len()).any(|i| is_free(problem, &solution.coefficients, i));
        let known = Known::of(problem, solution);
        Ok(LeftOut { gram, problem, solution, settings, free, is_settled, known })
    }

    /// f without item i at item i, for all items that are wanted. Those of the others are no matter.
    pub fn values(
        &self,
        wanted: impl Fn(usize) -> bool + Sync,
        workers: &Workers,
    ) -> Result<Vec<Option<Found>>> {
        let found = workers.map(self.problem.len(), true, |i| wanted(i).then(|| self.value(i)).transpose());
        found.into_iter().collect()
    }

    /// f without item i at item i.
    pub fn value(&self, i: usize) -> Result<Found> {
        // Where nothing is free, the offset is the middle of an interval whose end may be this item.
        if self.solution.coefficients[i] == 0.0 && self.is_settled {
            let value = value(self.problem, self.solution, i) + offset(self.solution);
            return Ok(Found { value, means: Means::Unchanged, status: None });
        }
        match self.by_formula(i)? {
            Some(value) => Ok(Found { value, means: Means::Formula, status: None }),
            None => self.by_refit(i),
        }
    }

    /// The value by the formula, if it holds.
    fn by_formula(&self, i: usize) -> Result<Option<f64>> {
        let Some(free) = &self.free else { return Ok(None) };
        let (problem, beta) = (self.problem, &self.solution.coefficients);
        let (change, shift) = match free.variables.binary_search(&i) {
            Ok(slot) => {
                let alone = self.gram.diagonal()[problem.item(i)] + problem.diagonal(i);
                let Some(own) = free.own(slot, alone) else { return Ok(None) };
                let (column, border) = free.inverse.column(slot);
                let factor = -beta[i] / own;
                (column.iter().map(|entry| factor * entry).collect(), factor * border)
            }
            Err(_) => {
                let values = free.values(self.gram, problem, i)?;
                let (change, shift) = free.inverse.times(&values, 1.0);
                (change.into_iter().map(|entry| beta[i] * entry).collect::<Vec<f64>>(), beta[i] * shift)
            }
        };
        // Who takes over must stay where the objective is smooth.
        for (&j, change) in free.variables.iter().zip(&change) {
            let next = beta[j] + change;
            let stays_on_side = problem.insensitivity(j) == 0.0 || next * beta[j] > 0.0;
            if j != i && !(problem.lower[j] < next && next < problem.upper[j] && stays_on_side) {
                return Ok(None);
            }
        }
        let mut moves: Vec<(usize, f64)> =
            free.variables.iter().zip(change).filter(|(j, _)| **j != i).map(|(&j, c)| (j, c)).collect();
        moves.push((i, -beta[i]));
        let (items, weights): (Vec<usize>, Vec<f64>) =
            moves.into_iter().map(|(j, change)| (problem.item(j), change)).unzip();
        let columns: Vec<usize> = (0..problem.len()).map(|j| problem.item(j)).collect();
        let mut product = self.known.product.clone();
        self.gram.accumulate(&items, &weights, Columns::List(&columns), &mut product)?;
        let b = offset(self.solution) + shift;
        let tolerance = self.tolerance();
        let rests = |j: usize| {
            let slope = product[j] + problem.diagonal(j) * beta[j] + problem.linear[j] + b;
            let e = problem.insensitivity(j);
            let up = slope + if beta[j] < 0.0 { -e } else { e };
            let down = slope + if beta[j] > 0.0 { e } else { -e };
            (beta[j] >= problem.upper[j] || up >= -tolerance)
                && (beta[j] <= problem.lower[j] || down <= tolerance)
        };
        let holds = (0..problem.len()).all(|j| j == i || is_free(problem, beta, j) || rests(j));
        Ok(holds.then(|| product[i] + b))
    }

    /// The value by solving again.
    fn by_refit(&self, i: usize) -> Result<Found> {
        let mut problem = self.problem.clone();
        (problem.lower[i], problem.upper[i]) = (0.0, 0.0);
        problem.start = self.solution.coefficients.clone();
        problem.start[i] = 0.0;
        problem.known = Some(self.known.clone());
        let solution = solve(self.gram, &problem, self.settings, &mut |_| Control::Continue)?;
        let value = value(&problem, &solution, i) + offset(&solution);
        Ok(Found { value, means: Means::Refit, status: Some(solution.status) })
    }

    /// By how much a condition of optimality may be missed.
    fn tolerance(&self) -> f64 {
        match self.settings.stop {
            Stop::KktGap(tolerance) => tolerance,
            Stop::DualityGap(_) => self.solution.certificate.kkt_gap,
        }
    }
}

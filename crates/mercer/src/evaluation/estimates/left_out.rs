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
use crate::solver::{Control, DualProblem, DualSolution, Known, Settings, Stop, solve};

/// An entry of H⁻¹ below this share of what it would be without the others is rounding: nothing can take over.
const LEAST: f64 = 1e-9;

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

/// A solved problem from which items are left out, one at a time.
pub(super) struct LeftOut<'a> {
    pub gram: &'a dyn SymmetricGram,
    pub problem: &'a DualProblem,
    pub solution: &'a DualSolution,
    pub settings: &'a Settings,
    free: Option<Free>,
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
            // An indefinite K has no formula.
            Err(Error::Pivot { .. }) => None,
            free => free?,
        };
        let known = Known::of(problem, solution);
        Ok(LeftOut { gram, problem, solution, settings, free, known })
    }

    /// f without item i at item i, for all items that are wanted. Those of the others are no matter.
    pub fn values(
        &self,
        wanted: impl Fn(usize) -> bool + Sync,
        workers: &Workers,
    ) -> Result<Vec<Option<(f64, Means)>>> {
        let found = workers.map(self.problem.len(), true, |i| wanted(i).then(|| self.value(i)).transpose());
        found.into_iter().collect()
    }

    /// f without item i at item i.
    pub fn value(&self, i: usize) -> Result<(f64, Means)> {
        let beta = self.solution.coefficients[i];
        // Where nothing is free, the offset is the middle of an interval whose end may be this item.
        if beta == 0.0 && (self.free.is_some() || !has_offset(self.problem)) {
            return Ok((value(self.problem, self.solution, i) + offset(self.solution), Means::Unchanged));
        }
        match self.by_formula(i)? {
            Some(found) => Ok((found, Means::Formula)),
            None => Ok((self.by_refit(i)?, Means::Refit)),
        }
    }

    /// The value by the formula, if it holds.
    fn by_formula(&self, i: usize) -> Result<Option<f64>> {
        let Some(free) = &self.free else { return Ok(None) };
        let (problem, beta) = (self.problem, &self.solution.coefficients);
        let (change, shift) = match free.variables.binary_search(&i) {
            Ok(slot) => {
                let own = free.inverse.at(slot, slot);
                let lone = self.gram.diagonal()[problem.item(i)] + problem.diagonal(i);
                if own * lone < LEAST {
                    return Ok(None);
                }
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
    fn by_refit(&self, i: usize) -> Result<f64> {
        let mut problem = self.problem.clone();
        (problem.lower[i], problem.upper[i]) = (0.0, 0.0);
        problem.start = self.solution.coefficients.clone();
        problem.start[i] = 0.0;
        problem.known = Some(self.known.clone());
        let solution = solve(self.gram, &problem, self.settings, &mut |_| Control::Continue)?;
        Ok(value(&problem, &solution, i) + offset(&solution))
    }

    /// By how much a condition of optimality may be missed.
    fn tolerance(&self) -> f64 {
        match self.settings.stop {
            Stop::KktGap(tolerance) => tolerance,
            Stop::DualityGap(_) => self.solution.certificate.kkt_gap,
        }
    }
}

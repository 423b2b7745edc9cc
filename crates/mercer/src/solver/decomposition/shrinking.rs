//! Putting variables aside that are settled at a bound, and taking them back.
//!
//! While a variable is aside its gradient is not kept up to date. Each layer of variables put aside together
//! remembers β of that moment; taking them back costs one pass over the rows whose β differs from it, however
//! often they changed in between. Convergence is only ever declared with all variables back.

use crate::error::Result;
use crate::gram::{Columns, Gram, SymmetricGram};
use crate::solver::variables::{Extremes, Variables};

/// A variable must look settled in this many successive rounds before it is put aside.
const PATIENCE: u8 = 3;
/// Variables are put aside once this share of the active ones or less would remain.
const WORTHWHILE: f64 = 0.6;
/// Fewer variables than this are not worth the trouble.
const SMALLEST: usize = 4096;

/// The variables that are active, and the Gram matrix with their columns.
pub(super) struct ActiveSet<'g> {
    gram: &'g dyn SymmetricGram,
    /// Variables that are active, ascending.
    pub active: Vec<usize>,
    /// The active columns laid out, once they are needed; never if every variable is active and is its own item.
    restricted: Option<Box<dyn Gram + 'g>>,
    /// Rounds for which each variable has looked settled.
    settled: Vec<u8>,
    aside: Vec<Layer>,
    scratch: Vec<f64>,
    /// Rows asked for so far.
    pub rows_computed: u64,
}

/// Variables put aside together, and β at that moment: their gradients belong to it.
struct Layer {
    variables: Vec<usize>,
    beta: Vec<f64>,
}

impl<'g> ActiveSet<'g> {
    pub fn new(gram: &'g dyn SymmetricGram, variables: &Variables<'_>) -> Self {
        let n = variables.problem.len();
        ActiveSet {
            gram,
            active: (0..n).collect(),
            restricted: None,
            settled: vec![0; n],
            aside: Vec::new(),
            scratch: Vec::new(),
            rows_computed: 0,
        }
    }

    /// Whether no variable is aside.
    pub fn is_complete(&self) -> bool {
        self.aside.is_empty()
    }

    /// Whether variable `i` is active.
    pub fn contains(&self, i: usize) -> bool {
        self.is_complete() || self.active.binary_search(&i).is_ok()
    }

    /// f ← f + (K + diag(d))·change for the active variables; `changed` lists variables and their change.
    pub fn add_rows(&mut self, variables: &mut Variables<'_>, changed: &[(usize, f64)]) -> Result<()> {
        let (rows, weights) = split(variables, changed);
        self.rows_computed += rows.len() as u64;
        if self.restricted.is_none() && !(self.is_complete() && variables.problem.item.is_empty()) {
            let columns: Vec<usize> = self.active.iter().map(|&i| variables.problem.item(i)).collect();
            self.restricted = Some(self.gram.restrict(&columns)?);
        }
        match &self.restricted {
            None => self.gram.accumulate(
                &rows,
                &weights,
                Columns::Range(0..variables.f.len()),
                &mut variables.f,
            )?,
            Some(columns) => {
                self.scratch.clear();
                self.scratch.extend(self.active.iter().map(|&i| variables.f[i]));
                columns.accumulate(
                    &rows,
                    &weights,
                    Columns::Range(0..self.active.len()),
                    &mut self.scratch,
                )?;
                for (&i, &f) in self.active.iter().zip(&self.scratch) {
                    variables.f[i] = f;
                }
            }
        }
        for &(i, change) in changed {
            variables.f[i] += variables.problem.diagonal(i) * change;
        }
        Ok(())
    }

    /// f ← (K + diag(d))β + p for the start, by way of a known product where that takes fewer rows.
    pub fn begin(&mut self, variables: &mut Variables<'_>) -> Result<()> {
        let problem = variables.problem;
        let support = variables.beta.iter().filter(|b| **b != 0.0).count();
        if support == 0 {
            return Ok(());
        }
        if let Some(known) = &problem.known {
            let (factor, others) = known.factor(&variables.beta);
            if others.len() < support {
                for (i, f) in variables.f.iter_mut().enumerate() {
                    let own = problem.diagonal(i) * known.coefficients[i];
                    *f = problem.linear[i] + factor * (known.product[i] + own);
                }
                return self.add_rows(variables, &others);
            }
        }
        self.recompute(variables)
    }

    /// f ← (K + diag(d))β + p from nothing, for all variables.
    pub fn recompute(&mut self, variables: &mut Variables<'_>) -> Result<()> {
        debug_assert!(self.is_complete());
        variables.f.copy_from_slice(&variables.problem.linear);
        let changed: Vec<(usize, f64)> =
            variables.beta.iter().copied().enumerate().filter(|&(_, b)| b != 0.0).collect();
        self.add_rows(variables, &changed)
    }

    /// Whether there are so many active variables that it is worth the trouble to look for settled ones.
    pub fn is_worth_shrinking(&self) -> bool {
        self.active.len() >= SMALLEST
    }

    /// Looks for settled variables and puts them aside once enough have gathered; true if it did.
    pub fn shrink(&mut self, variables: &Variables<'_>, extremes: &[Extremes], width: f64) -> bool {
        let mut gathered = 0;
        for &i in &self.active {
            let Extremes { lowest_up, highest_low } = extremes[variables.problem.groups.of(i)];
            let is_settled = (!variables.can_grow(i) || variables.up_score(i) > highest_low + width)
                && (!variables.can_fall(i) || variables.low_score(i) < lowest_up - width);
            self.settled[i] = if is_settled { self.settled[i].saturating_add(1) } else { 0 };
            gathered += usize::from(self.settled[i] >= PATIENCE);
        }
        if (self.active.len() - gathered) as f64 > WORTHWHILE * self.active.len() as f64 {
            return false;
        }
        let settled = &self.settled;
        let (aside, active) = self.active.iter().partition(|&&i| settled[i] >= PATIENCE);
        self.active = active;
        self.aside.push(Layer { variables: aside, beta: variables.beta.clone() });
        self.restricted = None;
        true
    }

    /// Brings all gradients up to date and makes every variable active again.
    pub fn take_back(&mut self, variables: &mut Variables<'_>) -> Result<()> {
        for layer in std::mem::take(&mut self.aside) {
            let changed: Vec<(usize, f64)> = (0..variables.beta.len())
                .map(|i| (i, variables.beta[i] - layer.beta[i]))
                .filter(|&(_, change)| change != 0.0)
                .collect();
            let (rows, weights) = split(variables, &changed);
            self.rows_computed += rows.len() as u64;
            let columns: Vec<usize> = layer.variables.iter().map(|&i| variables.problem.item(i)).collect();
            let mut f: Vec<f64> = layer.variables.iter().map(|&i| variables.f[i]).collect();
            self.gram.accumulate(&rows, &weights, Columns::List(&columns), &mut f)?;
            // A variable that is aside does not change, so the diagonal adds nothing.
            for (&i, f) in layer.variables.iter().zip(f) {
                variables.f[i] = f;
            }
        }
        self.active = (0..variables.problem.len()).collect();
        self.settled.fill(0);
        self.restricted = None;
        Ok(())
    }
}

/// Rows of K and their weights.
fn split(variables: &Variables<'_>, changed: &[(usize, f64)]) -> (Vec<usize>, Vec<f64>) {
    changed.iter().map(|&(i, change)| (variables.problem.item(i), change)).unzip()
}

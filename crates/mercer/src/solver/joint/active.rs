//! The functions' values at the examples, kept up to date for those that are not settled.
//!
//! Examples whose coefficients are all settled at a bound are put aside, and their values are left as they are. Each
//! layer put aside together remembers τ of that moment; taking it back costs one pass over the rows that changed since.
//! Convergence is only ever declared with all examples back.

use super::JointProblem;
use super::example::Example;
use crate::error::Result;
use crate::gram::{Columns, Combinations, Gram, SymmetricGram};
use crate::resources::Workers;

/// An example must look settled in this many successive rounds before it is put aside.
const PATIENCE: u8 = 3;
/// Examples are put aside once this share of the active ones or less would remain.
const WORTHWHILE: f64 = 0.6;
/// Fewer examples than this are not worth the trouble.
const SMALLEST: usize = 1024;

/// τ and f of all examples, and which of them are active.
pub(super) struct Examples<'a> {
    pub problem: &'a JointProblem,
    gram: &'a dyn SymmetricGram,
    workers: &'a Workers,
    /// k numbers per example.
    pub tau: Vec<f64>,
    /// Σⱼ τⱼ k(xⱼ, xᵢ), k numbers per example.
    pub f: Vec<f64>,
    /// Examples that are not aside, ascending.
    pub active: Vec<usize>,
    /// The active columns laid out, once they are needed.
    restricted: Option<Box<dyn Gram + 'a>>,
    /// Rounds for which each example has looked settled.
    settled: Vec<u8>,
    aside: Vec<Layer>,
    /// Rows asked for so far.
    pub rows_computed: u64,
}

/// Examples put aside together, and τ at that moment: their values belong to it.
struct Layer {
    examples: Vec<usize>,
    tau: Vec<f64>,
}

impl<'a> Examples<'a> {
    pub fn new(gram: &'a dyn SymmetricGram, problem: &'a JointProblem, workers: &'a Workers) -> Result<Self> {
        let n = problem.len();
        let mut examples = Examples {
            problem,
            gram,
            workers,
            tau: problem.feasible_start(),
            f: vec![0.0; n * problem.classes],
            active: Vec::new(),
            restricted: None,
            settled: vec![0; n],
            aside: Vec::new(),
            rows_computed: 0,
        };
        examples.recompute()?;
        Ok(examples)
    }

    /// Example i under these offsets.
    pub fn example<'s>(&'s self, i: usize, offsets: &'s [f64]) -> Example<'s> {
        let (problem, k) = (self.problem, self.problem.classes);
        Example {
            machine: problem.machine,
            class: problem.class[i],
            cost: problem.costs[i],
            tau: &self.tau[i * k..][..k],
            f: &self.f[i * k..][..k],
            offsets,
        }
    }

    /// Whether no example is aside.
    pub fn is_complete(&self) -> bool {
        self.aside.is_empty()
    }

    /// Whether example `i` is active.
    pub fn contains(&self, i: usize) -> bool {
        self.is_complete() || self.active.binary_search(&i).is_ok()
    }

    /// f ← f + K·change for the active examples; `changed` lists examples, `change` has k numbers for each.
    pub fn add_rows(&mut self, changed: &[usize], change: &[f64]) -> Result<()> {
        let k = self.problem.classes;
        if changed.is_empty() {
            return Ok(());
        }
        self.rows_computed += changed.len() as u64;
        let sums = sums(change, k);
        if self.is_complete() {
            let columns = Columns::Range(0..self.problem.len());
            return self.gram.combine(changed, &sums, columns, &mut self.f, self.workers);
        }
        if self.restricted.is_none() {
            self.restricted = Some(self.gram.restrict(&self.active)?);
        }
        let mut f = gather(&self.f, &self.active, k);
        if let Some(columns) = &self.restricted {
            columns.combine(changed, &sums, Columns::Range(0..self.active.len()), &mut f, self.workers)?;
        }
        scatter(&f, &self.active, k, &mut self.f);
        Ok(())
    }

    /// f ← Kτ from nothing, for all examples, all of which become active.
    pub fn recompute(&mut self) -> Result<()> {
        let (n, k) = (self.problem.len(), self.problem.classes);
        self.activate_all();
        self.f.fill(0.0);
        let support: Vec<usize> =
            (0..n).filter(|&i| self.tau[i * k..][..k].iter().any(|&t| t != 0.0)).collect();
        self.add_rows(&support, &gather(&self.tau, &support, k))
    }

    fn activate_all(&mut self) {
        self.aside.clear();
        self.active = (0..self.problem.len()).collect();
        self.settled.fill(0);
        self.restricted = None;
    }

    /// Looks for settled examples and puts them aside once enough have gathered; true if it did.
    pub fn shrink(&mut self, offsets: &[f64], width: f64) -> bool {
        if self.active.len() < SMALLEST {
            return false;
        }
        let mut gathered = 0;
        for &i in &self.active {
            let is_settled = self.example(i, offsets).is_settled(width);
            self.settled[i] = if is_settled { self.settled[i].saturating_add(1) } else { 0 };
            gathered += usize::from(self.settled[i] >= PATIENCE);
        }
        if (self.active.len() - gathered) as f64 > WORTHWHILE * self.active.len() as f64 {
            return false;
        }
        let settled = &self.settled;
        let (aside, active) = self.active.iter().partition(|&&i| settled[i] >= PATIENCE);
        self.active = active;
        self.aside.push(Layer { examples: aside, tau: self.tau.clone() });
        self.restricted = None;
        true
    }

    /// Brings all values up to date and makes every example active again.
    pub fn take_back(&mut self) -> Result<()> {
        let (n, k) = (self.problem.len(), self.problem.classes);
        for layer in std::mem::take(&mut self.aside) {
            let change: Vec<f64> = self.tau.iter().zip(&layer.tau).map(|(now, then)| now - then).collect();
            let changed: Vec<usize> =
                (0..n).filter(|&i| change[i * k..][..k].iter().any(|&c| c != 0.0)).collect();
            let sums = sums(&gather(&change, &changed, k), k);
            self.rows_computed += changed.len() as u64;
            let mut f = gather(&self.f, &layer.examples, k);
            self.gram.combine(&changed, &sums, Columns::List(&layer.examples), &mut f, self.workers)?;
            scatter(&f, &layer.examples, k, &mut self.f);
        }
        self.activate_all();
        Ok(())
    }
}

/// One sum per class over the rows that change it.
fn sums(change: &[f64], k: usize) -> Combinations {
    let mut sums = Combinations::new();
    for c in 0..k {
        let of_class = change.chunks_exact(k).map(|of_row| of_row[c]).enumerate();
        sums.push(of_class.filter(|&(_, change)| change != 0.0));
    }
    sums
}

fn gather(values: &[f64], rows: &[usize], k: usize) -> Vec<f64> {
    rows.iter().flat_map(|&i| values[i * k..][..k].iter().copied()).collect()
}

fn scatter(some: &[f64], rows: &[usize], k: usize, values: &mut [f64]) {
    for (some, &i) in some.chunks_exact(k).zip(rows) {
        values[i * k..][..k].copy_from_slice(some);
    }
}

//! How a setting does with ever more rows to learn from.

use std::ops::Range;

use serde::Serialize;

use super::halving::sample;
use super::{Candidate, Cell, Grid, Search, Watch};
use crate::data::{Examples, Items, Split, TargetList};
use crate::error::{Error, Result};
use crate::gram::BulkKernel;

/// A point of a learning curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The share of the rows to learn from that were learned from.
    pub share: f64,
    /// How many these were, in the mean of the folds.
    pub rows: f64,
    /// How the machine did on rows that were held out.
    pub held_out: Cell,
    /// How it did on those that it learned from.
    pub own: Cell,
}

/// The same rows to learn from, tested on these.
pub(super) fn own(split: &Split) -> Split {
    Split { test: split.train.clone(), train: split.train.clone() }
}

/// How a cell did in some of the folds.
pub(super) fn part(cell: &Cell, folds: Range<usize>) -> Cell {
    Cell {
        values: cell.values.iter().map(|values| values[folds.clone()].to_vec()).collect(),
        seconds: cell.seconds * folds.len() as f64 / cell.folds() as f64,
        ..cell.clone()
    }
}

impl Search {
    /// Tries one setting with these shares of the rows to learn from, on the rows that each split holds out and on its own.
    ///
    /// Where both curves have met, more rows will not help, and a richer kernel or a larger cost may; where they are still apart,
    /// more rows will. Rows are taken by the shares of their classes; the kernel's parameters are found from all rows.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, Random, Split, Vectors};
    /// use mercer::evaluation::Metric;
    /// use mercer::evaluation::search::{Search, Watch};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// let mut random = Random::new(3);
    /// let points: Vec<[f64; 2]> = (0..200).map(|_| [random.normal(), random.normal()]).collect();
    /// let inside = points.iter().map(|p| if p[0].hypot(p[1]) < 1.1 { "in" } else { "out" });
    /// let (labels, rows) = (Labels::from_text(inside), Vectors::from_rows(&points)?);
    /// let kernel: Expression = "gaussian(gamma=1)".parse()?;
    /// let (machine, splits) = (Svc::params(kernel.clone()), Split::stratified(&labels, 5, 0)?);
    /// let (search, examples) = (Search::exact(vec![Metric::Accuracy]), Examples::new(&rows, &labels));
    /// let curve = search.learning_curve(&machine, (kernel, 10.0), examples, &splits, &[0.1, 1.0], Watch::nobody())?;
    /// let mean = |at: usize| curve[at].held_out.summary(0).unwrap().mean;
    /// assert!(curve[0].rows == 16.0 && mean(1) > mean(0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entry`] for a share that is not above 0 and at most 1, or that leaves a single class in some fold; those of
    /// [`Search::cross_validate`]. No points if it is cancelled.
    pub fn learning_curve<M, I>(
        &self,
        machine: &M,
        (kernel, cost): (M::Kernel, f64),
        examples: Examples<'_, I, M::Targets>,
        splits: &[Split],
        shares: &[f64],
        watch: Watch<'_, M::Kernel>,
    ) -> Result<Vec<CurvePoint>>
    where
        M: Candidate,
        I: Items<Owned = I>,
        M::Kernel: BulkKernel<I>,
    {
        examples.check()?;
        let grid = Grid { kernels: vec![kernel], costs: vec![cost] };
        let strata = examples.targets.strata();
        // All of them in one search, which computes kernel values once: for each share the folds, and the same tested on their own rows.
        let mut all = Vec::new();
        for (index, &share) in shares.iter().enumerate() {
            let refuse = |expected| {
                Err(Error::Entry { what: "share of a learning curve", index, value: share, expected })
            };
            if !(share > 0.0 && share <= 1.0) {
                return refuse("above 0 and at most 1");
            }
            let fewer = |split: &Split| {
                let size = ((share * split.train.len() as f64).round() as usize).clamp(1, split.train.len());
                Split { train: sample(&split.train, &strata, size), test: split.test.clone() }
            };
            let held_out: Vec<Split> = splits.iter().map(fewer).collect();
            if held_out.iter().any(|split| !examples.targets.suffice(&split.train)) {
                return refuse("enough for rows of two classes in every fold");
            }
            let own: Vec<Split> = held_out.iter().map(own).collect();
            all.extend(held_out);
            all.extend(own);
        }
        let search = Search { halving: false, exhaustive: true, ..self.clone() };
        let cell = search.cross_validate(machine, &grid, examples, &all, watch)?.cells.swap_remove(0);
        if cell.folds() < all.len() {
            return Ok(Vec::new());
        }
        let rows_of = |first: usize| {
            let rows = all[first..first + splits.len()].iter().map(|split| split.train.len() as f64);
            rows.sum::<f64>() / splits.len() as f64
        };
        let point = |(at, &share): (usize, &f64)| {
            let first = 2 * at * splits.len();
            let own = first + splits.len();
            let (held_out, own) = (part(&cell, first..own), part(&cell, own..own + splits.len()));
            CurvePoint { share, rows: rows_of(first), held_out, own }
        };
        Ok(shares.iter().enumerate().map(point).collect())
    }
}

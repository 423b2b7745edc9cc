//! How settings do on rows that were held out, and on those that they learned from.

use serde::Serialize;

use super::learning_curve::{own, part};
use super::{Candidate, Cell, Grid, Search, Watch};
use crate::data::{Examples, Items, Split};
use crate::error::Result;
use crate::gram::BulkKernel;

/// A point of a validation curve: a setting, named by its kernel's place in the grid and its cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidationPoint {
    /// How the machine did on rows that were held out.
    pub held_out: Cell,
    /// How it did on those that it learned from.
    pub own: Cell,
}

impl Search {
    /// Tries every setting of a grid, with the tolerance of the machine, on the rows that each split holds out and on those that it learned
    /// from, in the order of the kernels and then of ascending costs.
    ///
    /// Along one parameter: where both curves are low the machine is too stiff, where they part it learns its rows by heart.
    ///
    /// ```
    /// use mercer::data::{Examples, Labels, Random, Split, Vectors};
    /// use mercer::evaluation::Metric;
    /// use mercer::evaluation::search::{Grid, Search, Watch};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// let mut random = Random::new(3);
    /// let points: Vec<[f64; 2]> = (0..200).map(|_| [random.normal(), random.normal()]).collect();
    /// let side = points.iter().map(|p| if p[0] + random.normal() > 0.0 { "right" } else { "left" });
    /// let (labels, rows) = (Labels::from_text(side), Vectors::from_rows(&points)?);
    /// let kernels = ["gaussian(gamma=0.1)", "gaussian(gamma=100)"].map(|text| text.parse::<Expression>());
    /// let grid = Grid { kernels: kernels.into_iter().collect::<Result<_, _>>()?, costs: vec![10.0] };
    /// let (machine, splits) = (Svc::params(grid.kernels[0].clone()), Split::stratified(&labels, 4, 0)?);
    /// let (search, examples) = (Search::new(vec![Metric::Accuracy]), Examples::new(&rows, &labels));
    /// let curve = search.validation_curve(&machine, &grid, examples, &splits, Watch::nobody())?;
    /// let apart = |at: usize| curve[at].own.summary(0).unwrap().mean - curve[at].held_out.summary(0).unwrap().mean;
    /// // A narrow kernel knows its own rows by heart.
    /// assert!(apart(1) > apart(0) + 0.2);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Search::cross_validate`]. No points if it is cancelled.
    pub fn validation_curve<M, I>(
        &self,
        machine: &M,
        grid: &Grid<M::Kernel>,
        examples: Examples<'_, I, M::Targets>,
        splits: &[Split],
        watch: Watch<'_, M::Kernel>,
    ) -> Result<Vec<ValidationPoint>>
    where
        M: Candidate,
        I: Items<Owned = I>,
        M::Kernel: BulkKernel<I>,
    {
        // One search for both, which computes kernel values and trains once for as many as it can.
        let both: Vec<Split> = splits.iter().cloned().chain(splits.iter().map(own)).collect();
        let table =
            Search::exact(self.metrics.clone()).cross_validate(machine, grid, examples, &both, watch)?;
        if table.cells.iter().any(|cell| cell.folds() < both.len()) {
            return Ok(Vec::new());
        }
        let k = splits.len();
        let point = |cell: &Cell| ValidationPoint { held_out: part(cell, 0..k), own: part(cell, k..2 * k) };
        Ok(table.cells.iter().map(point).collect())
    }
}

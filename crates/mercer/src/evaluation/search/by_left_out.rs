//! Regressions compared by leave-one-out, without folds.

use std::time::Instant;

use super::by_criterion::{Beside, Outcome, Tried};
use super::{ByCriterion, Criterion, Grid, Table, Watch};
use crate::data::{Examples, Items};
use crate::error::{Error, Result};
use crate::evaluation::Residuals;
use crate::evaluation::estimates::{Estimate, leave_one_out_regression};
use crate::gram::{BulkKernel, SymmetricGram};
use crate::machine::{FitOptions, Loss, SvrParams};

impl ByCriterion {
    /// Compares the kernels and costs of a grid for a regression, by what machines that are trained without a row say about it:
    /// [`leave_one_out_regression`]. The value of a setting is the mean of the squared errors, for `huber` and `quantile` that of the
    /// loss itself, each row counted by its weight. The other criteria are about the margin of classes, and are refused.
    ///
    /// Kernel values are held, 8n² bytes, in double precision. Rows within the tube change nothing and cost nothing; each of the others takes
    /// O(m²) for m rows at the edge of the tube, or a short training where that does not hold. What is said about threads in
    /// [`ByCriterion::search`] holds here too.
    ///
    /// ```
    /// use mercer::data::{Examples, Vectors};
    /// use mercer::evaluation::search::{ByCriterion, Grid, Watch};
    /// use mercer::kernel::Expression;
    /// use mercer::machine::{Loss, Svr};
    /// let rows = Vectors::from_rows(&(0..40).map(|i| [f64::from(i) / 10.0]).collect::<Vec<_>>())?;
    /// let targets: Vec<f64> = (0..40).map(|i| (f64::from(i) / 10.0).sin()).collect();
    /// let kernels = vec!["linear".parse::<Expression>()?, "gaussian(gamma=1)".parse()?];
    /// let machine = Svr::params(kernels[0].clone()).loss(Loss::Linear { tube: 0.01 });
    /// let (grid, examples) = (Grid { kernels, costs: vec![1.0, 10.0] }, Examples::new(&rows, &targets));
    /// let table = ByCriterion::new("leave-one-out".parse()?).search_numbers(&machine, &grid, examples, Watch::nobody())?;
    /// // A wave is no line.
    /// assert_eq!((table.best().unwrap().kernel, table.cells.len()), (1, 4));
    /// let refused = ByCriterion::new("span".parse()?).search_numbers(&machine, &grid, examples, Watch::nobody());
    /// assert!(refused.unwrap_err().to_string().contains("span"));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] without kernels or costs, [`Error::Parameter`] for a cost that makes no sense, [`Error::Unsupported`] for another
    /// criterion or a tube that ν finds, [`Error::Budget`] where memory does not hold the values; those of kernels and fits.
    pub fn search_numbers<K, I>(
        &self,
        machine: &SvrParams<K>,
        grid: &Grid<K>,
        examples: Examples<'_, I, Vec<f64>>,
        watch: Watch<'_, K, Criterion>,
    ) -> Result<Table<K, Criterion>>
    where
        K: Clone + Sync + BulkKernel<I>,
        I: Items,
    {
        examples.check()?;
        if self.criterion != Criterion::Estimate(Estimate::LeaveOneOut) {
            let what = format!(
                "{} is about the margin of classes: regressions can be compared by leave-one-out",
                self.criterion
            );
            return Err(Error::Unsupported { what });
        }
        let loss = machine.clone().check()?.loss();
        if let Loss::Nu { .. } = loss {
            let what = "leave-one-out takes a tube that stays as it is: give its width instead of a share nu";
            return Err(Error::Unsupported { what: what.into() });
        }
        let tried = Tried::new(grid, Beside::Cost, grid.costs.clone())?;
        let Examples { targets, weights, items, .. } = examples;
        for &cost in &tried.values {
            machine.clone().cost(cost).check()?.problem(targets, items.len(), weights)?;
        }
        let along = |options: &FitOptions, gram: &dyn SymmetricGram, _: bool| {
            let mut outcomes = Vec::new();
            for &cost in &tried.values {
                let begun = Instant::now();
                let machine = machine.clone().cost(cost).options(options.clone()).check()?;
                let predicted = leave_one_out_regression(&machine, gram, targets, weights)?;
                if (watch.cancelled)() {
                    break;
                }
                let residuals = Residuals::new(targets, &predicted, weights)?;
                let value = match loss {
                    Loss::Quantile { .. } | Loss::Huber { .. } => residuals.mean_loss(loss),
                    _ => residuals.mean_squared(),
                };
                outcomes.push(Outcome { value: Some(value), seconds: begun.elapsed().as_secs_f64() });
            }
            Ok(outcomes)
        };
        self.compare((grid, &tried), machine.fit_options(), examples, watch, &along)
    }
}

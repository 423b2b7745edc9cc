//! Settings tried on rows that are held out in turn.

use std::time::Instant;

use mercer::Error;
use mercer::data::{Examples, Items as _, Split, TargetList};
use mercer::evaluation::Metric;
use mercer::evaluation::search::{Candidate, Cell, Grid, Look, Table as Cells, Watch, refined};
use mercer::kernel::Expression;
use serde_json::json;

use super::curves::Curves;
use super::shown::{Live, first, keep, map};
use super::{Best, INCOMPLETE, STEP, Tuning, show_setting};
use crate::failure::Failure;
use crate::print::{Page, count, note, rounded, shape, show_json, time};
use crate::progress::Observer;
use crate::source;

/// Shares of the rows to learn from that make a learning curve.
const SHARES: [f64; 5] = [0.1, 0.2, 0.4, 0.7, 1.0];

impl Tuning<'_> {
    /// The best setting of the grid, and of what is tried about it.
    pub(super) fn search<M>(
        self,
        machine: &M,
        targets: &M::Targets,
        usual: Metric,
        unit: f64,
    ) -> Result<Best, Failure>
    where
        M: Candidate<Kernel = Expression>,
        M::Targets: TargetList,
    {
        let (arguments, recipe) = (self.arguments, &self.arguments.recipe);
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let metrics = if self.metrics.is_empty() { vec![usual] } else { self.metrics.clone() };
        let (weights, groups) = (self.table.weights.as_deref(), self.table.groups.as_deref());
        let all: Vec<usize> = (0..self.table.vectors.len()).collect();
        let (rows, grid) = self.settings.on(self.table, &all, Some((targets, unit))).map_err(in_file)?;
        let examples = Examples { items: &rows, targets, weights, groups };
        let splits = self.folds(examples).map_err(in_file)?;
        let search = self.how(metrics);
        let observer = Observer::new(true, recipe.tolerance);
        let live = Live::new(arguments.quiet || self.json);
        let watch =
            Watch { cancelled: &|| observer.is_interrupted(), seen: &|cells: &Cells<_>| live.show(cells) };
        let begun = Instant::now();
        let attempt =
            |grid: &Grid<Expression>| search.cross_validate(machine, grid, examples, &splits, watch);
        let coarse = match arguments.per_fold {
            false => attempt(&grid),
            true => {
                let prepare = |split: &Split| {
                    // Costs are compared between the folds.
                    let (rows, own) = self.settings.on::<M::Targets>(self.table, &split.train, None)?;
                    Ok((rows, Grid { costs: grid.costs.clone(), ..own }))
                };
                search.per_fold(machine, &grid, examples, &splits, prepare, watch)
            }
        }
        .map_err(in_file)?;
        let tried = coarse.cells.len();
        let cells = match observer.is_interrupted() {
            true => coarse,
            false => refined(coarse, STEP, arguments.refine, attempt).map_err(in_file)?,
        };
        let curve = match cells.best() {
            Some(best) if arguments.learning_curve && !observer.is_interrupted() => {
                let beside = best.cost.or(best.nu).unwrap_or(1.0);
                let setting = (cells.kernels[best.kernel].clone(), beside);
                let quietly = Watch { seen: &|_| (), ..watch };
                search
                    .learning_curve(machine, setting, examples, &splits, &SHARES, quietly)
                    .map_err(in_file)?
            }
            _ => Vec::new(),
        };
        let mut curves = Curves { learning: curve, ..Curves::default() };
        if let Some(best) = cells.best()
            && arguments.validation_curve
        {
            let costs: Vec<f64> = cells
                .cells
                .iter()
                .filter(|cell| cell.kernel == best.kernel)
                .filter_map(|cell| cell.cost.or(cell.nu))
                .collect();
            let quietly = Watch { seen: &|_| (), ..watch };
            let along = |kernels: Vec<Expression>, costs: Vec<f64>| {
                let grid = Grid { kernels, costs };
                search.validation_curve(machine, &grid, examples, &splits, quietly)
            };
            let kernel = cells.kernels[best.kernel].clone();
            curves.by_cost = along(vec![kernel], costs).map_err(in_file)?;
            let beside = best.cost.or(best.nu).into_iter().collect();
            curves.by_kernel = along(cells.kernels.clone(), beside).map_err(in_file)?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        live.clear();
        if let Some(path) = &arguments.output {
            keep(&cells, path)?;
        }
        let Some(best) = cells.best() else {
            note("mercer: interrupted before anything was tried in all folds");
            return Err(Failure::Interrupted);
        };
        if observer.is_interrupted() {
            note(INCOMPLETE);
        }
        self.tell(&cells, tried, &curves, best, splits.len(), seconds, unit)?;
        match observer.is_interrupted() {
            true => Err(Failure::Interrupted),
            false => Ok(Best::of(&cells, best)),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn tell(
        &self,
        cells: &Cells<Expression>,
        coarse: usize,
        curves: &Curves,
        best: &Cell,
        folds: usize,
        seconds: f64,
        unit: f64,
    ) -> Result<(), Failure> {
        let data = source::name(&self.arguments.data.data);
        let summary = best.summary(0)?;
        let kernel = &cells.kernels[best.kernel];
        let advice = self.advice(kernel, best);
        if self.json {
            show_json(&json!({
                "data": self.arguments.data.data,
                "best": { "kernel": kernel.to_string(), "cost": best.cost, "nu": best.nu, "mean": summary.mean,
                          "deviation": summary.deviation, "standard_error": summary.standard_error },
                "unit_of_costs": unit,
                "folds": folds,
                "seconds": seconds,
                "advice": advice,
                "scaling": self.settings.scaling(),
                "table": cells,
                "learning_curve": curves.learning,
                "validation_curve": { "by_cost": curves.by_cost, "by_kernel": curves.by_kernel },
            }))?;
            return Ok(());
        }
        if self.arguments.quiet {
            return Ok(());
        }
        let mut page = Page::default();
        page.line("data", format!("{}: {}", data.display(), shape(&self.table.vectors)));
        let unfinished: usize = cells.cells.iter().map(|cell| cell.unfinished).sum();
        let given_up = cells.cells.iter().filter(|cell| cell.look == Look::GivenUp).count();
        page.line(
            "tried",
            format!(
                "{} settings in {folds} folds, {} given up early, {}",
                count(cells.cells.len() as u64),
                count(given_up as u64),
                time(seconds)
            ),
        );
        for line in map(&first(cells, coarse)) {
            page.line("", line);
        }
        if cells.cells.iter().any(|cell| cell.look != Look::Exact) {
            page.line(
                "",
                "* the best; (in brackets): given up; only the best were solved with the tolerance itself",
            );
        }
        if unfinished > 0 {
            let trainings = count(unfinished as u64);
            page.line("not converged", format!("{trainings} trainings: --max-iterations ended them"));
        }
        if cells.cells.len() > coarse {
            let steps = count((cells.cells.len() - coarse) as u64);
            page.line("refined", format!("{steps} more settings about the best"));
        }
        let error =
            summary.standard_error.map(|error| format!(" ± {}", rounded(error, 2))).unwrap_or_default();
        page.line(
            "best",
            format!("{}: {}{error}, on rows held out in turn", cells.metrics[0], rounded(summary.mean, 4)),
        );
        for (at, metric) in cells.metrics.iter().enumerate().skip(1) {
            page.line("", format!("{metric}: {}", rounded(best.summary(at)?.mean, 4)));
        }
        curves.show(&mut page, &cells.kernels)?;
        show_setting(&mut page, kernel, best);
        let found = match self.arguments.per_fold {
            true => "anew in every fold; those of the kernel that is told are of all rows",
            false => "once, from all rows",
        };
        page.line("scaling", format!("{}; it and widths were found {found}", self.settings.scaling()));
        if self.advises {
            page.line("advice", advice);
        }
        page.show()?;
        Ok(())
    }
}

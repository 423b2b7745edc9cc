//! `mercer tune --criterion`: settings compared by what their own rows tell.

use std::time::Instant;

use mercer::Error;
use mercer::data::{Examples, Items as _, Labels};
use mercer::evaluation::search::{ByCriterion, Cell, Criterion, Grid, Table as Cells, Watch, refined};
use mercer::kernel::Expression;
use mercer::machine::{Slack, SvcParams};
use serde_json::json;

use super::shown::{Live, first, keep, map};
use super::{Best, INCOMPLETE, STEP, Tuning, show_setting, usage};
use crate::failure::Failure;
use crate::print::{Page, count, note, rounded, shape, show_json, time};
use crate::progress::Observer;
use crate::source;

impl Tuning<'_> {
    /// Trains every setting once on all rows; the least value is best.
    pub(super) fn by_criterion(
        self,
        criterion: Criterion,
        machine: &SvcParams<Expression>,
        labels: &Labels,
    ) -> Result<Best, Failure> {
        let arguments = self.arguments;
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let slack = machine.clone().check()?.slack();
        let has_share = matches!(slack, Slack::Nu { .. });
        if !(arguments.nus.is_empty() || has_share && criterion == Criterion::Bound) {
            return Err(usage("--nus is for --criterion bound, or for folds: other criteria know no shares"));
        }
        if !arguments.costs.is_empty() && !criterion.knows_cost() {
            return Err(usage("--costs has no meaning for an alignment, which is of kernels alone"));
        }
        let all: Vec<usize> = (0..self.table.vectors.len()).collect();
        let (rows, mut grid) = self.settings.on(self.table, &all, Some((labels, 1.0))).map_err(in_file)?;
        if let Slack::Nu { nu } = slack
            && !self.settings.shares
        {
            grid.costs = vec![nu];
        }
        let examples = Examples {
            items: &rows,
            targets: labels,
            weights: self.table.weights.as_deref(),
            groups: self.table.groups.as_deref(),
        };
        let observer = Observer::new(true, arguments.recipe.tolerance);
        let live = Live::new(arguments.quiet || self.json);
        let seen = |cells: &Cells<Expression, Criterion>| live.show(cells);
        let watch = Watch { cancelled: &|| observer.is_interrupted(), seen: &seen };
        let begun = Instant::now();
        let search = ByCriterion::new(criterion);
        let attempt = |grid: &Grid<Expression>| search.search(machine, grid, examples, watch);
        let coarse = attempt(&grid).map_err(in_file)?;
        let tried = coarse.cells.len();
        let cells = match observer.is_interrupted() {
            true => coarse,
            false => refined(coarse, STEP, arguments.refine, attempt).map_err(in_file)?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        live.clear();
        if let Some(path) = &arguments.output {
            keep(&cells, path)?;
        }
        let Some(best) = cells.best() else {
            if observer.is_interrupted() {
                note("mercer: interrupted before anything was tried");
                return Err(Failure::Interrupted);
            }
            let what = format!("{criterion} says nothing: no training has converged");
            return Err(in_file(Error::Unsupported { what }).into());
        };
        if observer.is_interrupted() {
            note(INCOMPLETE);
        }
        self.tell_criterion(&cells, tried, best, seconds, labels.classes().len())?;
        match observer.is_interrupted() {
            true => Err(Failure::Interrupted),
            false => Ok(Best::of(&cells, best)),
        }
    }

    fn tell_criterion(
        &self,
        cells: &Cells<Expression, Criterion>,
        coarse: usize,
        best: &Cell,
        seconds: f64,
        classes: usize,
    ) -> Result<(), Failure> {
        let data = source::name(&self.arguments.data.data);
        let (criterion, value) = (cells.metrics[0], best.summary(0)?.mean);
        let kernel = &cells.kernels[best.kernel];
        let advice = self.advice(kernel, best);
        if self.json {
            show_json(&json!({
                "data": self.arguments.data.data,
                "criterion": criterion,
                "best": { "kernel": kernel.to_string(), "cost": best.cost, "nu": best.nu, "value": value },
                "held_out": 0,
                "seconds": seconds,
                "advice": advice,
                "scaling": self.settings.scaling(),
                "table": cells,
            }))?;
            return Ok(());
        }
        if self.arguments.quiet {
            return Ok(());
        }
        let mut page = Page::default();
        page.line("data", format!("{}: {}", data.display(), shape(&self.table.vectors)));
        let what = if criterion.knows_cost() { "" } else { " (1 less what it is)" };
        let of = if classes > 2 { ", the mean over pairs of classes" } else { "" };
        let said = format!("{criterion}{what}{of}: the smaller the better; no row was held out");
        page.line("criterion", said);
        let settings = count(cells.cells.len() as u64);
        page.line("tried", format!("{settings} settings on all rows, {}", time(seconds)));
        map(&first(cells, coarse)).into_iter().for_each(|line| page.line("", line));
        if cells.cells.len() > coarse {
            let more = count((cells.cells.len() - coarse) as u64);
            page.line("refined", format!("{more} more settings about the best"));
        }
        page.line("best", format!("{criterion}: {}, the least of all that were tried", rounded(value, 4)));
        show_setting(&mut page, kernel, best);
        page.line("scaling", format!("{}; it and widths were found from all rows", self.settings.scaling()));
        page.line("advice", advice);
        page.show()?;
        Ok(())
    }
}

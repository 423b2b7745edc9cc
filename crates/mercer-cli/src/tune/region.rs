//! `mercer tune --task novelty`: detectors, which have no labels to be judged by.

use std::time::Instant;

use mercer::Error;
use mercer::data::{Items as _, Labels, Split};
use mercer::evaluation::search::{Cell, Look, RegionMeasure, Regions, Table as Cells, Watch};
use mercer::kernel::Expression;
use mercer::machine::{NoveltyParams, Softness};
use serde_json::json;

use super::found::{Best, show_setting};
use super::shown::{Live, keep, map};
use super::{FOLDS, INCOMPLETE, Tuning, usage};
use crate::arguments::RegionArgument;
use crate::failure::Failure;
use crate::print::{Page, count, note, rounded, shape, show_json, time};
use crate::progress::Observer;
use crate::source;

impl Tuning<'_> {
    /// The smallest region that leaves the wanted share of new rows outside.
    pub(super) fn region(self, machine: &NoveltyParams<Expression>) -> Result<Best, Failure> {
        let arguments = self.arguments;
        for (name, given) in [
            ("--metrics", !self.metrics.is_empty()),
            ("--halving", arguments.halving),
            ("--random", arguments.random.is_some()),
            ("--refine", arguments.refine > 0),
            ("--per-fold", arguments.per_fold),
            ("--learning-curve", arguments.learning_curve),
            ("--validation-curve", arguments.validation_curve),
            ("--nested", self.outer.is_some()),
        ] {
            if given {
                return Err(usage(&format!("{name} has no meaning for regions, which have no labels")));
            }
        }
        let softness = machine.softness_of();
        let is_centre = arguments.recipe.machine.region == Some(RegionArgument::Centre);
        if !arguments.costs.is_empty() && !matches!(softness, Softness::Cost(_) | Softness::Quadratic(_)) {
            return Err(usage("--costs is for regions that have a cost: --slack linear and quadratic"));
        }
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let all: Vec<usize> = (0..self.table.vectors.len()).collect();
        let (rows, mut grid) = self.settings.on::<Labels>(self.table, &all, None).map_err(in_file)?;
        match softness {
            Softness::Nu(nu) if arguments.nus.is_empty() => grid.costs = vec![nu],
            Softness::Nu(_) if is_centre => {
                return Err(usage("--nus has no meaning for --region centre, which has one function only"));
            }
            Softness::Nu(_) if arguments.nus.len() > 1 && arguments.outside.is_none() => {
                return Err(usage(
                    "several --nus are compared by one share of new rows outside: say --outside",
                ));
            }
            Softness::Nu(_) => grid.costs.clone_from(&arguments.nus),
            _ if !arguments.nus.is_empty() => return Err(usage("--nus has no meaning without --slack nu")),
            _ => {}
        }
        let groups = self.table.groups.as_deref();
        let splits = match (&self.splitting, groups) {
            (None, None) => Split::folds(rows.len(), FOLDS, arguments.recipe.seed),
            (None, Some(groups)) => Split::grouped(groups, FOLDS, arguments.recipe.seed),
            (Some(splitting), _) => splitting.splits(rows.len(), None, groups, arguments.recipe.seed),
        };
        let splits = splits.map_err(in_file)?;
        let observer = Observer::new(true, arguments.recipe.tolerance);
        let live = Live::new(arguments.quiet || self.json);
        let seen = |cells: &Cells<Expression, RegionMeasure>| live.show(cells);
        let watch = Watch { cancelled: &|| observer.is_interrupted(), seen: &seen };
        let begun = Instant::now();
        let search = Regions { outside: arguments.outside, ..Regions::new(arguments.recipe.seed) };
        let weights = self.table.weights.as_deref();
        let mut cells =
            search.cross_validate(machine, &grid, &rows, weights, &splits, watch).map_err(in_file)?;
        if is_centre {
            cells.cells.iter_mut().for_each(|cell| cell.nu = None);
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
        self.tell_region(&cells, best, splits.len(), seconds)?;
        match observer.is_interrupted() {
            true => Err(Failure::Interrupted),
            false => Ok(Best::of(&cells, best)),
        }
    }

    fn tell_region(
        &self,
        cells: &Cells<Expression, RegionMeasure>,
        best: &Cell,
        folds: usize,
        seconds: f64,
    ) -> Result<(), Failure> {
        let data = source::name(&self.arguments.data.data);
        let kernel = &cells.kernels[best.kernel];
        let [free, support, outside] = [best.summary(0)?.mean, best.summary(1)?.mean, best.summary(2)?.mean];
        let advice = self.about().advice(&kernel.to_string(), best);
        if self.json {
            show_json(&json!({
                "data": self.arguments.data.data,
                "best": { "kernel": kernel.to_string(), "cost": best.cost, "nu": best.nu, "free": free,
                          "support_vectors": support, "outside": outside, "look": best.look },
                "folds": folds,
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
        let settings = count(cells.cells.len() as u64);
        page.line("tried", format!("{settings} settings in {folds} folds, {}", time(seconds)));
        page.line("free", "the share of a box about the rows that is not inside; (in brackets): too many or too few rows outside");
        map(cells).into_iter().for_each(|line| page.line("", line));
        let share = |share: f64| format!("{} %", rounded(100.0 * share, 3));
        page.line("best", format!("{} of the box is free", share(free)));
        let wanted = self
            .arguments
            .outside
            .or(best.nu)
            .map_or_else(String::new, |wanted| format!(", where {} are wanted", share(wanted)));
        let far = if best.look == Look::Nearest { ": nothing that was tried comes nearer" } else { "" };
        page.line("outside", format!("{} of the rows held out in turn{wanted}{far}", share(outside)));
        page.line("support", format!("{} rows on average", rounded(support, 3)));
        show_setting(&mut page, &kernel.to_string(), best);
        page.line("scaling", format!("{}; it and widths were found from all rows", self.settings.scaling()));
        if self.advises {
            page.line("advice", advice);
        }
        page.show()?;
        Ok(())
    }
}

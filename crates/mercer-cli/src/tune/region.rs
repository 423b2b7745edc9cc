//! `mercer tune --task novelty`: detectors, which have no labels to be judged by.

use std::fmt::Display;
use std::time::Instant;

use mercer::Error;
use mercer::data::{Items as _, Labels, Split, Splitting};
use mercer::evaluation::search::{Cell, Look, RegionMeasure, Regions, Table as Cells, Watch};
use mercer::kernel::Expression;
use mercer::machine::{NoveltyParams, Softness};
use serde::Serialize;
use serde_json::json;

use super::found::{About, Best, show_setting};
use super::shown::{Live, keep, map};
use super::{FOLDS, Tuning, usage};
use crate::arguments::{RegionArgument, TuneArguments};
use crate::failure::Failure;
use crate::print::{plural, rounded, show_json, time};
use crate::progress::{Observer, deadline};
use crate::recipe::time_limit;
use crate::source;

/// Refuses what has no meaning for regions.
pub fn check(arguments: &TuneArguments, softness: Softness, outer: bool) -> Result<(), Failure> {
    for (name, given) in [
        ("--metrics", !arguments.metrics.is_empty()),
        ("--criterion", arguments.criterion.is_some()),
        ("--halving", arguments.halving),
        ("--random", arguments.random.is_some()),
        ("--refine", arguments.refine > 0),
        ("--per-fold", arguments.per_fold),
        ("--learning-curve", arguments.learning_curve),
        ("--validation-curve", arguments.validation_curve),
        ("--nested", outer),
    ] {
        if given {
            return Err(usage(&format!("{name} has no meaning for regions, which have no labels")));
        }
    }
    let has_cost = matches!(softness, Softness::Cost(_) | Softness::Quadratic(_));
    if !(arguments.costs.is_empty() || has_cost) {
        return Err(usage("--costs is for regions that have a cost: --slack linear and quadratic"));
    }
    Ok(())
}

/// The shares to try, where the region has one.
pub fn shares(arguments: &TuneArguments, softness: Softness) -> Result<Option<Vec<f64>>, Failure> {
    match softness {
        Softness::Nu(nu) if arguments.nus.is_empty() => Ok(Some(vec![nu])),
        Softness::Nu(_) if is_centre(arguments) => {
            Err(usage("--nus has no meaning for --region centre, which has one function only"))
        }
        Softness::Nu(_) if arguments.nus.len() > 1 && arguments.outside.is_none() => {
            Err(usage("several --nus are compared by one share of new rows outside: say --outside"))
        }
        Softness::Nu(_) => Ok(Some(arguments.nus.clone())),
        _ if !arguments.nus.is_empty() => Err(usage("--nus has no meaning without --slack nu")),
        _ => Ok(None),
    }
}

/// A region that has one function only, whatever the share.
fn is_centre(arguments: &TuneArguments) -> bool {
    arguments.recipe.machine.region == Some(RegionArgument::Centre)
}

/// Folds of items without labels.
pub fn folds(
    arguments: &TuneArguments,
    how: Option<&Splitting>,
    items: usize,
    groups: Option<&[u64]>,
) -> mercer::Result<Vec<Split>> {
    let seed = arguments.recipe.seed;
    match (how, groups) {
        (None, None) => Split::folds(items, FOLDS, seed),
        (None, Some(groups)) => Split::grouped(groups, FOLDS, seed),
        (Some(how), _) => how.splits(items, None, groups, seed),
    }
}

impl Tuning<'_> {
    /// The smallest region that leaves the wanted share of new rows outside.
    pub(super) fn region(self, machine: &NoveltyParams<Expression>) -> Result<Best, Failure> {
        let arguments = self.arguments;
        let softness = machine.softness_of();
        check(arguments, softness, self.outer.is_some())?;
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let all: Vec<usize> = (0..self.table.vectors.len()).collect();
        let (rows, mut grid) = self.settings.on::<Labels>(self.table, &all, None).map_err(in_file)?;
        if let Some(shares) = shares(arguments, softness)? {
            grid.costs = shares;
        }
        let groups = self.table.groups.as_deref();
        let splits = folds(arguments, self.splitting.as_ref(), rows.len(), groups).map_err(in_file)?;
        let weights = self.table.weights.as_deref();
        let written =
            |cells: &Cells<Expression, RegionMeasure>, best: &Cell| cells.kernels[best.kernel].to_string();
        self.about().region(splits.len(), written, |search, watch| {
            search.cross_validate(machine, &grid, &rows, weights, &splits, watch)
        })
    }
}

impl About<'_> {
    /// Runs a search for a region in so many folds, and tells and keeps what it found; its kernel is `written` so.
    pub fn region<K: Clone + Display + Serialize>(
        &self,
        folds: usize,
        written: impl Fn(&Cells<K, RegionMeasure>, &Cell) -> String,
        run: impl FnOnce(Regions, Watch<'_, K, RegionMeasure>) -> mercer::Result<Cells<K, RegionMeasure>>,
    ) -> Result<Best, Failure> {
        let arguments = self.arguments;
        let observer =
            Observer::new(true, arguments.recipe.tolerance).until(deadline(time_limit(&arguments.recipe)?));
        let live = Live::new(arguments.quiet || self.json);
        let seen = |cells: &Cells<K, RegionMeasure>| live.show(cells);
        let watch = Watch { cancelled: &|| observer.is_over(), seen: &seen };
        let begun = Instant::now();
        let search = Regions { outside: arguments.outside, ..Regions::new(arguments.recipe.seed) };
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let mut cells = run(search, watch).map_err(in_file)?;
        if is_centre(arguments) {
            cells.cells.iter_mut().for_each(|cell| cell.nu = None);
        }
        let seconds = begun.elapsed().as_secs_f64();
        live.clear();
        if let Some(path) = &arguments.output {
            keep(&cells, path)?;
        }
        let Some(best) = cells.best() else {
            return Err(observer.ending().without_result("anything was tried in all folds"));
        };
        let ending = observer.ending();
        ending.tell();
        let kernel = written(&cells, best);
        self.tell_region(&cells, best, &kernel, folds, seconds)?;
        ending.of(Best { kernel, ..Best::of(&cells, best) })
    }

    fn tell_region<K: Display + Serialize>(
        &self,
        cells: &Cells<K, RegionMeasure>,
        best: &Cell,
        kernel: &str,
        folds: usize,
        seconds: f64,
    ) -> Result<(), Failure> {
        let mean = |measure: RegionMeasure| -> mercer::Result<Option<f64>> {
            let at = cells.metrics.iter().position(|one| *one == measure);
            at.map(|at| Ok(best.summary(at)?.mean)).transpose()
        };
        let free = mean(RegionMeasure::Free)?;
        let [support, outside] = [RegionMeasure::Support, RegionMeasure::Outside].map(mean);
        let (support, outside) = (support?.unwrap_or_default(), outside?.unwrap_or_default());
        let advice = self.advice(kernel, best);
        if self.json {
            show_json(&json!({
                "data": self.arguments.data.data,
                "best": { "kernel": kernel, "cost": best.cost, "nu": best.nu, "free": free,
                          "support_vectors": support, "outside": outside, "look": best.look },
                "folds": folds,
                "seconds": seconds,
                "advice": advice,
                "scaling": self.scaling,
                "table": cells,
            }))?;
            return Ok(());
        }
        if self.arguments.quiet {
            return Ok(());
        }
        let mut page = self.page();
        let (settings, items) = (plural(cells.cells.len() as u64, "setting"), self.items);
        page.line("tried", format!("{settings} in {folds} folds, {}", time(seconds)));
        let brackets = format!("(in brackets): too many or too few {items} outside");
        page.line(
            if free.is_some() { "free" } else { "support" },
            match free {
                Some(_) => format!("the share of a box about the {items} that is not inside; {brackets}"),
                None => format!("support vectors, of which the fewest are best; {brackets}"),
            },
        );
        map(cells).into_iter().for_each(|line| page.line("", line));
        let share = |share: f64| format!("{} %", rounded(100.0 * share, 3));
        let vectors = format!("{} {items} on average", rounded(support, 3));
        match free {
            Some(free) => page.line("best", format!("{} of the box is free", share(free))),
            None => page.line("best", format!("support vectors: {vectors}")),
        }
        let wanted = self
            .arguments
            .outside
            .or(best.nu)
            .map_or_else(String::new, |wanted| format!(", where {} are wanted", share(wanted)));
        let far = if best.look == Look::Nearest { ": nothing that was tried comes nearer" } else { "" };
        page.line("outside", format!("{} of the {items} held out in turn{wanted}{far}", share(outside)));
        if free.is_some() {
            page.line("support", vectors);
        }
        show_setting(&mut page, kernel, best);
        self.tell_scaling(&mut page, "from all rows");
        if self.advises {
            page.line("advice", advice);
        }
        page.show()?;
        Ok(())
    }
}

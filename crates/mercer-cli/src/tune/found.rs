//! What a search found and how it is told, whatever the items are.

use std::fmt::Display;
use std::path::PathBuf;

use mercer::data::{Examples, Items, Split};
use mercer::evaluation::search::{
    Candidate, Cell, Grid, Look, Search, Searchable, Table as Cells, Watch, refined,
};
use mercer::gram::BulkKernel;
use serde_json::json;

use super::advice;
use super::curves::Curves;
use super::shown::{first, keep, map};
use crate::arguments::TuneArguments;
use crate::failure::Failure;
use crate::print::{Page, count, number, plural, rounded, show_json, time};
use crate::progress::Ending;

/// The first step of a refinement, about half of one of the grid's.
pub const STEP: f64 = 2.0;
/// Shares of the rows to learn from that make a learning curve.
const SHARES: [f64; 5] = [0.1, 0.2, 0.4, 0.7, 1.0];

/// A kernel as it is written, and a cost or a share if the machine has one.
pub struct Best {
    pub kernel: String,
    pub cost: Option<f64>,
    pub nu: Option<f64>,
    /// Number of settings that were tried.
    pub among: usize,
}

impl Best {
    pub fn of<K: Display, M>(cells: &Cells<K, M>, best: &Cell) -> Self {
        let (kernel, among) = (cells.kernels[best.kernel].to_string(), cells.cells.len());
        Best { kernel, cost: best.cost, nu: best.nu, among }
    }
}

/// What is told with every outcome.
pub struct About<'a> {
    pub arguments: &'a TuneArguments,
    /// How the data are called.
    pub data: PathBuf,
    /// How many there are, in words.
    pub shape: String,
    /// What they are called: rows or items.
    pub items: &'static str,
    /// What is done to columns, if there are such.
    pub scaling: Option<String>,
    /// What was said of the data and of the machine: options, and the words that tell them.
    pub given: &'a [(String, String)],
    pub json: bool,
    /// Whether to say what to do with what was found.
    pub advises: bool,
}

impl About<'_> {
    pub fn advice(&self, kernel: &str, best: &Cell) -> String {
        advice(&self.arguments.data.data, kernel, best, self.given)
    }

    /// A page that says what was read.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        page.line("data", format!("{}: {}", self.data.display(), self.shape));
        page
    }

    /// Where scaling and widths come from, if columns are scaled at all.
    pub fn tell_scaling(&self, page: &mut Page, found: &str) {
        if let Some(scaling) = &self.scaling {
            page.line("scaling", format!("{scaling}; it and widths were found {found}"));
        }
    }
}

/// A search at its end.
pub struct Found<K> {
    pub cells: Cells<K>,
    /// Settings of the grid that it began with.
    pub coarse: usize,
    pub curves: Curves,
}

/// Goes on from the table of a grid: to finer steps, and to curves, as far as they were asked for.
pub fn go_on<M, I>(
    arguments: &TuneArguments,
    search: &Search,
    machine: &M,
    coarse: Cells<M::Kernel>,
    (examples, splits): (Examples<'_, I, M::Targets>, &[Split]),
    watch: Watch<'_, M::Kernel>,
) -> mercer::Result<Found<M::Kernel>>
where
    M: Candidate,
    M::Kernel: Searchable + BulkKernel<I>,
    I: Items<Owned = I>,
{
    let attempt = |grid: &Grid<M::Kernel>| search.cross_validate(machine, grid, examples, splits, watch);
    let tried = coarse.cells.len();
    let cells = match (watch.cancelled)() {
        true => coarse,
        false => refined(coarse, STEP, arguments.refine, attempt)?,
    };
    let mut curves = Curves::default();
    let quietly = Watch { seen: &|_| (), ..watch };
    if let Some(best) = cells.best() {
        let (kernel, beside) = (cells.kernels[best.kernel].clone(), best.cost.or(best.nu));
        if arguments.learning_curve && !(watch.cancelled)() {
            let setting = (kernel.clone(), beside.unwrap_or(1.0));
            curves.learning = search.learning_curve(machine, setting, examples, splits, &SHARES, quietly)?;
        }
        if arguments.validation_curve {
            let of_best = cells.cells.iter().filter(|cell| cell.kernel == best.kernel);
            let costs: Vec<f64> = of_best.filter_map(|cell| cell.cost.or(cell.nu)).collect();
            let along = |kernels: Vec<M::Kernel>, costs: Vec<f64>| {
                search.validation_curve(machine, &Grid { kernels, costs }, examples, splits, quietly)
            };
            curves.by_cost = along(vec![kernel], costs)?;
            curves.by_kernel = along(cells.kernels.clone(), beside.into_iter().collect())?;
        }
    }
    Ok(Found { cells, coarse: tried, curves })
}

/// The setting that was found.
pub fn show_setting(page: &mut Page, kernel: &str, best: &Cell) {
    page.line("kernel", kernel);
    for (name, value) in [("cost", best.cost), ("nu", best.nu)] {
        if let Some(value) = value {
            page.line(name, number(value));
        }
    }
}

impl About<'_> {
    /// Keeps and tells a search at its end, in so many folds, seconds and units of costs; what it found, its kernel `written` so.
    pub fn end<K: Clone + Display>(
        &self,
        found: &Found<K>,
        written: impl Fn(&Cell) -> String,
        (folds, seconds, unit): (usize, f64, f64),
        ending: Ending,
    ) -> Result<Best, Failure> {
        if let Some(path) = &self.arguments.output {
            keep(&found.cells, path)?;
        }
        let Some(best) = found.cells.best() else {
            return Err(ending.without_result("anything was tried in all folds"));
        };
        ending.tell();
        let kernel = written(best);
        self.tell(found, (best, &kernel), folds, seconds, unit)?;
        ending.of(Best { kernel, ..Best::of(&found.cells, best) })
    }

    /// Tells the table of a search, and its best setting, whose kernel is written so.
    fn tell<K: Clone + Display>(
        &self,
        found: &Found<K>,
        (best, kernel): (&Cell, &str),
        folds: usize,
        seconds: f64,
        unit: f64,
    ) -> Result<(), Failure> {
        let Found { cells, coarse, curves } = found;
        let summary = best.summary(0)?;
        let advice = self.advice(kernel, best);
        if self.json {
            return Ok(show_json(&json!({
                "data": self.arguments.data.data,
                "best": { "kernel": kernel, "cost": best.cost, "nu": best.nu, "mean": summary.mean,
                          "deviation": summary.deviation, "standard_error": summary.standard_error },
                "unit_of_costs": unit,
                "folds": folds,
                "seconds": seconds,
                "advice": advice,
                "scaling": self.scaling,
                "table": cells,
                "learning_curve": curves.learning,
                "validation_curve": { "by_cost": curves.by_cost, "by_kernel": curves.by_kernel },
            }))?);
        }
        if self.arguments.quiet {
            return Ok(());
        }
        let mut page = self.page();
        let given_up = cells.cells.iter().filter(|cell| cell.look == Look::GivenUp).count();
        let (tried, given_up) = (plural(cells.cells.len() as u64, "setting"), count(given_up as u64));
        page.line("tried", format!("{tried} in {folds} folds, {given_up} given up early, {}", time(seconds)));
        map(&first(cells, *coarse)).into_iter().for_each(|line| page.line("", line));
        if cells.cells.iter().any(|cell| cell.look == Look::Sampled) {
            page.line("", "a sample of the rows: the time was not enough for trainings on more");
        }
        if cells.cells.iter().any(|cell| cell.look != Look::Exact) {
            let marks =
                "* the best; (in brackets): given up; only the best were solved with the tolerance itself";
            page.line("", marks);
        }
        let unfinished: usize = cells.cells.iter().map(|cell| cell.unfinished).sum();
        if unfinished > 0 {
            let trainings = plural(unfinished as u64, "training");
            let recipe = &self.arguments.recipe;
            let limits = [
                ("--max-iterations", recipe.max_iterations.is_some()),
                ("--time-limit", recipe.time_limit.is_some()),
            ];
            let limits: Vec<&str> =
                limits.into_iter().filter_map(|(name, is_set)| is_set.then_some(name)).collect();
            page.line("not converged", format!("{trainings}: ended by {}", limits.join(" or ")));
        }
        if cells.cells.len() > *coarse {
            let steps = count((cells.cells.len() - coarse) as u64);
            page.line("refined", format!("{steps} more settings about the best"));
        }
        let error = summary.standard_error.map(|error| format!(" ± {}", rounded(error, 2)));
        let (metric, mean, error) = (&cells.metrics[0], rounded(summary.mean, 4), error.unwrap_or_default());
        page.line("best", format!("{metric}: {mean}{error}, on {} held out in turn", self.items));
        for (at, metric) in cells.metrics.iter().enumerate().skip(1) {
            page.line("", format!("{metric}: {}", rounded(best.summary(at)?.mean, 4)));
        }
        curves.show(&mut page, &cells.kernels)?;
        show_setting(&mut page, kernel, best);
        self.tell_scaling(
            &mut page,
            match self.arguments.per_fold {
                true => "anew in every fold; those of the kernel that is told are of all rows",
                false => "once, from all rows",
            },
        );
        if self.advises {
            page.line("advice", advice);
        }
        Ok(page.show()?)
    }
}

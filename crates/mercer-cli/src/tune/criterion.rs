//! `mercer tune --criterion`: settings compared by what their own rows tell.

use std::fmt::Display;
use std::time::Instant;

use mercer::Error;
use mercer::data::{Examples, Items, Labels, TargetList};
use mercer::evaluation::estimates::Estimate;
use mercer::evaluation::search::{
    ByCriterion, Cell, Criterion, Grid, Searchable, Table as Cells, Watch, refined,
};
use mercer::gram::BulkKernel;
use mercer::kernel::Expression;
use mercer::machine::{Loss, Slack, SvcParams, SvrParams};
use serde_json::json;

use super::found::{About, Best, STEP, show_setting};
use super::shown::{Live, first, keep, map};
use super::{Tuning, usage};
use crate::arguments::TuneArguments;
use crate::failure::Failure;
use crate::print::{count, rounded, show_json, time};
use crate::progress::{Observer, deadline};
use crate::recipe::time_limit;
use crate::source;

/// The criterion that was asked for, if one was.
pub fn named(arguments: &TuneArguments) -> Result<Option<Criterion>, Failure> {
    let criterion = arguments.criterion.as_deref().map(str::parse::<Criterion>).transpose();
    let criterion = criterion.map_err(Failure::Usage)?;
    if criterion == Some(Criterion::Bound) && arguments.refine > 0 {
        return Err(usage(
            "--criterion bound is for settings that are known beforehand: --refine finds new ones",
        ));
    }
    Ok(criterion)
}

/// Refuses what a criterion does not know.
pub fn check(arguments: &TuneArguments, criterion: Criterion, slack: &Slack) -> Result<(), Failure> {
    let has_share = matches!(slack, Slack::Nu { .. });
    if !(arguments.nus.is_empty() || has_share && criterion == Criterion::Bound) {
        return Err(usage("--nus is for --criterion bound, or for folds: other criteria know no shares"));
    }
    if !arguments.costs.is_empty() && !criterion.knows_cost() {
        return Err(usage("--costs has no meaning for an alignment, which is of kernels alone"));
    }
    Ok(())
}

/// Refuses what a criterion does not know of this machine.
fn check_machine<K>(criterion: Criterion, compared: &Compared<'_, K>) -> Result<(), Failure> {
    match compared {
        Compared::Numbers(..) if criterion != Criterion::Estimate(Estimate::LeaveOneOut) => {
            Err(usage(&format!(
                "--criterion {criterion} is about the margin of classes: regressions have leave-one-out"
            )))
        }
        Compared::Rest(..) if criterion == Criterion::Bound => Err(usage(
            "--criterion bound is about two classes: for --multiclass one-against-rest take an estimate",
        )),
        _ => Ok(()),
    }
}

/// What is compared by a criterion.
pub enum Compared<'a, K> {
    /// A machine for each pair of classes.
    Pairs(&'a SvcParams<K>, &'a Labels),
    /// A machine for each class against the rest.
    Rest(&'a SvcParams<K>, &'a Labels),
    /// A regression.
    Numbers(&'a SvrParams<K>, &'a Vec<f64>),
}

impl<K: Clone + Sync> Compared<'_, K> {
    fn search<I: Items>(
        &self,
        criterion: Criterion,
        grid: &Grid<K>,
        (items, weights): (&I, Option<&[f64]>),
        watch: Watch<'_, K, Criterion>,
    ) -> mercer::Result<Cells<K, Criterion>>
    where
        K: BulkKernel<I>,
    {
        let search = ByCriterion::new(criterion);
        match self {
            Compared::Pairs(machine, labels) => {
                search.search(machine, grid, Examples { weights, ..Examples::new(items, *labels) }, watch)
            }
            Compared::Rest(machine, labels) => {
                let examples = Examples { weights, ..Examples::new(items, *labels) };
                ByCriterion { against_rest: true, ..search }.search(machine, grid, examples, watch)
            }
            Compared::Numbers(machine, targets) => {
                let examples = Examples { weights, ..Examples::new(items, *targets) };
                search.search_numbers(machine, grid, examples, watch)
            }
        }
    }

    /// What the value of the criterion is the mean of, if it is one.
    fn mean(&self) -> &'static str {
        match self {
            Compared::Pairs(_, labels) if labels.classes().len() > 2 => ", the mean over pairs of classes",
            Compared::Rest(_, labels) if labels.classes().len() > 2 => {
                ", the mean over the classes against the rest"
            }
            Compared::Pairs(..) | Compared::Rest(..) => "",
            Compared::Numbers(machine, _) => match (*machine).clone().check().map(|machine| machine.loss()) {
                Ok(Loss::Quantile { .. } | Loss::Huber { .. }) => ", the mean of the loss",
                _ => ", the mean squared error",
            },
        }
    }
}

impl Tuning<'_> {
    /// Trains every setting once on all rows; the least value is best. `unit` is that of costs.
    pub(super) fn by_criterion<Y: TargetList>(
        self,
        criterion: Criterion,
        compared: &Compared<'_, Expression>,
        (targets, unit): (&Y, f64),
    ) -> Result<Best, Failure> {
        let slack = match compared {
            Compared::Pairs(machine, _) | Compared::Rest(machine, _) => (*machine).clone().check()?.slack(),
            Compared::Numbers(..) => Slack::Linear,
        };
        check(self.arguments, criterion, &slack)?;
        let all: Vec<usize> = (0..self.table.vectors.len()).collect();
        let (rows, mut grid) = self
            .settings
            .on(self.table, &all, Some((targets, unit)))
            .map_err(|error| error.in_file(source::name(&self.arguments.data.data)))?;
        if let Slack::Nu { nu } = slack
            && !self.settings.shares
        {
            grid.costs = vec![nu];
        }
        let given = (&rows, self.table.weights.as_deref());
        self.about().by_criterion(criterion, compared, given, &grid, |cells, best| {
            cells.kernels[best.kernel].to_string()
        })
    }
}

impl About<'_> {
    /// Trains every setting of a grid once on all items, tells the table, and what is best; `written` says how its kernel is
    /// told.
    pub fn by_criterion<K, I>(
        &self,
        criterion: Criterion,
        compared: &Compared<'_, K>,
        given: (&I, Option<&[f64]>),
        grid: &Grid<K>,
        written: impl Fn(&Cells<K, Criterion>, &Cell) -> String,
    ) -> Result<Best, Failure>
    where
        K: Searchable + Sync + Display + BulkKernel<I>,
        I: Items,
    {
        check_machine(criterion, compared)?;
        let arguments = self.arguments;
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let observer =
            Observer::new(true, arguments.recipe.tolerance).until(deadline(time_limit(&arguments.recipe)?));
        let live = Live::new(arguments.quiet || self.json);
        let seen = |cells: &Cells<K, Criterion>| live.show(cells);
        let watch = Watch { cancelled: &|| observer.is_over(), seen: &seen };
        let begun = Instant::now();
        let attempt = |grid: &Grid<K>| compared.search(criterion, grid, given, watch);
        let coarse = attempt(grid).map_err(in_file)?;
        let tried = coarse.cells.len();
        let cells = match observer.is_over() {
            true => coarse,
            false => refined(coarse, STEP, arguments.refine, attempt).map_err(in_file)?,
        };
        let seconds = begun.elapsed().as_secs_f64();
        live.clear();
        if let Some(path) = &arguments.output {
            keep(&cells, path)?;
        }
        let Some(best) = cells.best() else {
            if observer.is_over() {
                return Err(observer.ending().without_result("anything was tried"));
            }
            let what = format!("{criterion} says nothing: no training has converged");
            return Err(in_file(Error::Unsupported { what }).into());
        };
        let ending = observer.ending();
        ending.tell();
        let kernel = written(&cells, best);
        self.tell_criterion(&cells, tried, (best, &kernel), seconds, compared.mean())?;
        ending.of(Best { kernel, ..Best::of(&cells, best) })
    }

    fn tell_criterion<K: Clone + Display>(
        &self,
        cells: &Cells<K, Criterion>,
        coarse: usize,
        (best, kernel): (&Cell, &str),
        seconds: f64,
        of: &str,
    ) -> Result<(), Failure> {
        let (criterion, value) = (cells.metrics[0], best.summary(0)?.mean);
        let advice = self.advice(kernel, best);
        if self.json {
            show_json(&json!({
                "data": self.arguments.data.data,
                "criterion": criterion,
                "best": { "kernel": kernel, "cost": best.cost, "nu": best.nu, "value": value },
                "held_out": 0,
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
        let what = if criterion.knows_cost() { "" } else { " (1 less what it is)" };
        let said =
            format!("{criterion}{what}{of}: the smaller the better; none of the {} was held out", self.items);
        page.line("criterion", said);
        let settings = count(cells.cells.len() as u64);
        page.line("tried", format!("{settings} settings on all {}, {}", self.items, time(seconds)));
        map(&first(cells, coarse)).into_iter().for_each(|line| page.line("", line));
        if cells.cells.len() > coarse {
            let more = count((cells.cells.len() - coarse) as u64);
            page.line("refined", format!("{more} more settings about the best"));
        }
        page.line("best", format!("{criterion}: {}, the least of all that were tried", rounded(value, 4)));
        show_setting(&mut page, kernel, best);
        self.tell_scaling(&mut page, "from all rows");
        page.line("advice", advice);
        page.show()?;
        Ok(())
    }
}

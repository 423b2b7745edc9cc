//! `mercer tune` and `mercer train --tune` among kernels on structured items.

use std::time::Instant;

use mercer::data::{Collection, Examples, Items as _, Labels, Split, Splitting, StructureTable, TargetList};
use mercer::evaluation::search::{
    Candidate, Cell, Criterion, Grid, Inner, RegionMeasure, Search, Searchable as _, Shares, Table, Watch,
    usual_costs, usual_shares,
};
use mercer::evaluation::{Metric, PerClass};
use mercer::gram::CollectionKernel;
use mercer::machine::{FitOptions, Slack};
use mercer::{Error, Result};

use super::{Read, examples, read, usage};
use crate::arguments::{TrainArguments, TuneArguments};
use crate::failure::Failure;
use crate::machines::{self, classifier, is_per_class, per_class, regression};
use crate::progress::{Observer, deadline, left};
use crate::recipe::time_limit;
use crate::task::Aim;
use crate::tune::criterion::Compared;
use crate::tune::found::{About, Best, go_on};
use crate::tune::settings::{SPREAD, WIDTHS};
use crate::tune::shown::Live;
use crate::tune::{FOLDS, check, criterion, keeping_groups, listed_kernels, region, taken, usual_metric};
use crate::{output, source};

type Cells = Table<CollectionKernel>;

/// What is best for a training: its options with the kernel and the cost that were found.
pub fn tuned(
    training: &TrainArguments,
    quiet: bool,
) -> std::result::Result<(TrainArguments, usize), Failure> {
    taken(training, quiet, |arguments| find(arguments, &[], false, false))
}

/// `mercer tune` among kernels on structured items.
pub fn tune(
    arguments: &TuneArguments,
    given: &[(String, String)],
    json: bool,
) -> std::result::Result<Best, Failure> {
    find(arguments, given, json, true)
}

fn find(
    arguments: &TuneArguments,
    given: &[(String, String)],
    json: bool,
    advises: bool,
) -> std::result::Result<Best, Failure> {
    let recipe = &arguments.recipe;
    check(arguments)?;
    if recipe.machine.probabilities.is_some() {
        return Err(usage(
            "--probabilities have no meaning for tune of structured items: `mercer train` finds them",
        ));
    }
    machines::check(recipe).map_err(Failure::Usage)?;
    let criterion = criterion::named(arguments)?;
    let formulas = match arguments.kernels.is_empty() {
        true => vec![recipe.kernel.clone()],
        false => arguments.kernels.clone(),
    };
    let told = listed_kernels::<CollectionKernel>(&formulas)?;
    if let Some(other) = told.iter().find(|k| k.expression().kind() != told[0].expression().kind()) {
        let (kind, first) = (other.expression().kind(), told[0].expression().kind());
        return Err(usage(format!("{other} compares {kind}, and {} {first}", told[0])));
    }
    let kernels = if arguments.kernels.is_empty() { widths(&told[0])? } else { told };
    let data = &arguments.data.data;
    if let Some(output) = &arguments.output {
        output::check(output, arguments.force, &[data])?;
    }
    let metrics = arguments.metrics.iter().map(|name| name.parse::<Metric>());
    let metrics = metrics.collect::<Result<Vec<_>>>().map_err(Failure::Usage)?;
    let Read { table, aim, shape } = read(&arguments.data, &arguments.table, recipe, &kernels[0])?;
    let splitting = |told: &Option<String>, option: &str| {
        let how = told.as_deref().map(str::parse::<Splitting>).transpose().map_err(Failure::Usage)?;
        match table.groups {
            Some(_) => how.map(|how| keeping_groups(how, option)).transpose(),
            None => Ok(how),
        }
    };
    let (inner, outer) =
        (splitting(&arguments.splits, "--splits")?, splitting(&arguments.nested, "--nested")?);
    if table.groups.is_some() && criterion.is_some() {
        return Err(usage("--group is about items that are held out: a criterion holds out none"));
    }
    let about = About {
        arguments,
        data: source::name(data),
        shape,
        items: "items",
        scaling: None,
        given,
        json,
        advises,
    };
    let tuning = Tuning { arguments, kernels: &kernels, table: &table, metrics, inner, outer, about };
    tuning.with_aim(aim, criterion)
}

/// The kernel in several widths, if the items are to say how wide it is.
fn widths(kernel: &CollectionKernel) -> Result<Vec<CollectionKernel>> {
    match &kernel.parameters()[..] {
        [width] if kernel.expression().waits_for_median() => {
            // Times the median: the outermost of those for rows are of no use for sums over whole alignments.
            let near = WIDTHS.iter().filter(|factor| (0.05..=20.0).contains(*factor));
            near.map(|factor| kernel.with_parameters(&[factor * width.value])).collect()
        }
        _ => Ok(vec![kernel.clone()]),
    }
}

struct Tuning<'a> {
    arguments: &'a TuneArguments,
    kernels: &'a [CollectionKernel],
    table: &'a StructureTable,
    metrics: Vec<Metric>,
    /// How items are held out in a search, and from one.
    inner: Option<Splitting>,
    outer: Option<Splitting>,
    about: About<'a>,
}

impl Tuning<'_> {
    fn with_aim(&self, aim: Aim, criterion: Option<Criterion>) -> std::result::Result<Best, Failure> {
        let (arguments, recipe) = (self.arguments, &self.arguments.recipe);
        let kernel = self.kernels[0].clone();
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        if arguments.outside.is_some() && !matches!(aim, Aim::Novelty(_)) {
            return Err(usage("--outside is for --task novelty"));
        }
        match aim {
            Aim::Novelty(_) => {
                if recipe.machine.contamination.is_some() {
                    return Err(usage(
                        "--contamination moves a region that was found: tune takes it as it is",
                    ));
                }
                let machine = machines::region(recipe, kernel)?;
                let softness = machine.softness_of();
                region::check(arguments, softness, self.outer.is_some())?;
                let costs =
                    region::shares(arguments, softness)?.unwrap_or_else(|| match &arguments.costs[..] {
                        [] => vec![1.0],
                        told => told.to_vec(),
                    });
                let grid = Grid { kernels: self.kernels.to_vec(), costs };
                let (n, groups) = (self.table.items.len(), self.table.groups.as_deref());
                let splits = region::folds(arguments, self.inner.as_ref(), n, groups).map_err(in_file)?;
                let weights = self.table.weights.as_deref();
                let asked = |_: &Table<CollectionKernel, RegionMeasure>, best: &Cell| {
                    grid.kernels[best.kernel].to_string()
                };
                self.about.region(splits.len(), asked, |search, watch| {
                    search.cross_validate_items(&machine, &grid, &self.table.items, weights, &splits, watch)
                })
            }
            Aim::Classes(labels) if recipe.machine.multiclass.is_some_and(is_per_class) => {
                if !arguments.nus.is_empty() {
                    return Err(usage("--nus is for machines of pairs of classes"));
                }
                let machine = per_class(recipe, kernel)?;
                if let Some(criterion) = criterion {
                    let PerClass::Rest(machine) = &machine else {
                        return Err(usage(
                            "--criterion is for machines of two classes each: --multiclass one-against-one, graph or \
                             one-against-rest",
                        ));
                    };
                    criterion::check(arguments, criterion, &machine.clone().check()?.slack())?;
                    return self.by_criterion(criterion, &Compared::Rest(machine, &labels), &labels, 1.0);
                }
                self.compare(&labels, Metric::Accuracy, |_, _| Ok((machine.clone(), 1.0)))
            }
            Aim::Classes(labels) => {
                let machine = classifier(recipe, kernel)?;
                let slack = machine.clone().check()?.slack();
                let has_share = matches!(slack, Slack::Nu { .. });
                if !(arguments.nus.is_empty() || has_share) {
                    return Err(usage("--nus is for --slack nu"));
                }
                if !(arguments.costs.is_empty() || machine.has_cost()) {
                    return Err(usage(
                        "--costs is for machines that have a cost: --slack nu has shares (--nus)",
                    ));
                }
                if let Some(criterion) = criterion {
                    criterion::check(arguments, criterion, &slack)?;
                    return self.by_criterion(criterion, &Compared::Pairs(&machine, &labels), &labels, 1.0);
                }
                // A share that was told is taken as it is.
                match has_share && recipe.machine.nu.is_none() {
                    true => {
                        self.compare(&labels, Metric::Accuracy, |_, _| Ok((Shares(machine.clone()), 1.0)))
                    }
                    false => self.compare(&labels, Metric::Accuracy, |_, _| Ok((machine.clone(), 1.0))),
                }
            }
            Aim::Numbers(_) if !arguments.nus.is_empty() => Err(usage("--nus is for classes")),
            Aim::Numbers(targets) => {
                let machine = regression(recipe, kernel)?;
                let (whole, unit) =
                    machine.adapted_to(&targets, self.table.weights.as_deref()).map_err(in_file)?;
                if let Some(criterion) = criterion {
                    let compared = Compared::Numbers(&whole.machine, &targets);
                    return self.by_criterion(criterion, &compared, &targets, unit);
                }
                let usual = usual_metric(whole.machine.check()?.loss());
                self.compare(&targets, usual, |targets: &Vec<f64>, weights: Option<&[f64]>| {
                    machine.adapted_to(targets, weights)
                })
            }
        }
    }

    /// The best setting in folds, or what a search is worth; `adapted` is the machine for some targets, and the unit of its costs.
    fn compare<M>(
        &self,
        targets: &M::Targets,
        usual: Metric,
        adapted: impl Fn(&M::Targets, Option<&[f64]>) -> Result<(M, f64)>,
    ) -> std::result::Result<Best, Failure>
    where
        M: Candidate<Kernel = CollectionKernel>,
        M::Targets: TargetList,
    {
        let metrics = if self.metrics.is_empty() { vec![usual] } else { self.metrics.clone() };
        let (exhaustive, halving) = (self.arguments.exhaustive, self.arguments.halving);
        let max_time = left(time_limit(&self.arguments.recipe)?);
        let search = Search { exhaustive, halving, max_time, ..Search::new(metrics) };
        match &self.outer {
            Some(outer) => self.nested(&search, outer, targets, adapted),
            None => self.search(&search, targets, adapted),
        }
    }

    fn search<M>(
        &self,
        search: &Search,
        targets: &M::Targets,
        adapted: impl Fn(&M::Targets, Option<&[f64]>) -> Result<(M, f64)>,
    ) -> std::result::Result<Best, Failure>
    where
        M: Candidate<Kernel = CollectionKernel>,
        M::Targets: TargetList,
    {
        let (arguments, begun) = (self.arguments, Instant::now());
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let examples = examples(self.table, targets);
        let (machine, unit) = adapted(targets, examples.weights).map_err(in_file)?;
        let (splits, grid) = self.prepared(&machine, examples, unit).map_err(in_file)?;
        let observer =
            Observer::new(true, arguments.recipe.tolerance).until(deadline(time_limit(&arguments.recipe)?));
        let live = Live::new(arguments.quiet || self.about.json);
        let watch = Watch { cancelled: &|| observer.is_over(), seen: &|cells: &Cells| live.show(cells) };
        let coarse = match arguments.per_fold {
            true => search.learned_per_fold(&machine, &grid, examples, &splits, watch),
            false => search.cross_validate(&machine, &grid, examples, &splits, watch),
        };
        let coarse = coarse.map_err(in_file)?;
        let found =
            go_on(arguments, search, &machine, coarse, (examples, &splits), watch).map_err(in_file)?;
        live.clear();
        let (seconds, ending) = (begun.elapsed().as_secs_f64(), observer.ending());
        let written = |best: &Cell| written(&grid, &found.cells.kernels, best);
        self.about.end(&found, written, (splits.len(), seconds, unit), ending)
    }

    fn nested<M>(
        &self,
        search: &Search,
        outer: &Splitting,
        targets: &M::Targets,
        adapted: impl Fn(&M::Targets, Option<&[f64]>) -> Result<(M, f64)>,
    ) -> std::result::Result<Best, Failure>
    where
        M: Candidate<Kernel = CollectionKernel>,
        M::Targets: TargetList,
    {
        let (arguments, begun) = (self.arguments, Instant::now());
        let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
        let (examples, n) = (examples(self.table, targets), self.table.items.len());
        let outer = outer
            .splits(n, Some(&targets.strata()), examples.groups, arguments.recipe.seed)
            .map_err(in_file)?;
        let observer =
            Observer::new(true, arguments.recipe.tolerance).until(deadline(time_limit(&arguments.recipe)?));
        let live = Live::new(arguments.quiet || self.about.json);
        let watch = Watch { cancelled: &|| observer.is_over(), seen: &|cells: &Cells| live.show(cells) };
        // All that is decided is decided without the items of the part.
        let inner = |part: Examples<'_, Collection, M::Targets>, _: &[usize]| {
            let (machine, unit) = adapted(part.targets, part.weights)?;
            let (splits, grid) = self.prepared(&machine, part, unit)?;
            Ok(Inner { machine, items: self.table.items.clone(), grid, splits })
        };
        let found = search.nested(examples, &outer, inner, watch).map_err(in_file)?;
        live.clear();
        let (seconds, ending) = (begun.elapsed().as_secs_f64(), observer.ending());
        self.about.end_nested(&found, outer.len(), seconds, ending)
    }

    fn by_criterion<Y: TargetList>(
        &self,
        criterion: Criterion,
        compared: &Compared<'_, CollectionKernel>,
        targets: &Y,
        unit: f64,
    ) -> std::result::Result<Best, Failure> {
        let examples = examples(self.table, targets);
        let (options, slack) = match compared {
            Compared::Pairs(machine, _) | Compared::Rest(machine, _) => {
                (machine.fit_options().clone(), (*machine).clone().check()?.slack())
            }
            Compared::Numbers(machine, _) => (machine.fit_options().clone(), Slack::Linear),
        };
        let shares = match slack {
            Slack::Nu { nu } if self.arguments.recipe.machine.nu.is_some() => Some(vec![nu]),
            Slack::Nu { .. } => Some(self.shares(&targets.strata())),
            _ => None,
        };
        let grid = match shares {
            Some(costs) => Grid { kernels: self.kernels.to_vec(), costs },
            None => self.grid(&options, examples, unit)?,
        };
        let given = (examples.items, examples.weights);
        self.about.by_criterion(criterion, compared, given, &grid, |cells, best| {
            written(&grid, &cells.kernels, best)
        })
    }

    /// Folds of some items, and the settings to be tried on them.
    fn prepared<M>(
        &self,
        machine: &M,
        examples: Examples<'_, Collection, M::Targets>,
        unit: f64,
    ) -> Result<(Vec<Split>, Grid<CollectionKernel>)>
    where
        M: Candidate<Kernel = CollectionKernel>,
        M::Targets: TargetList,
    {
        let (seed, Examples { items, targets, groups, .. }) = (self.arguments.recipe.seed, examples);
        let splits = match &self.inner {
            None => examples.folds(FOLDS, seed)?,
            Some(how) => how.splits(items.len(), Some(&targets.strata()), groups, seed)?,
        };
        let grid = match machine.costs_are_shares() {
            true => Grid { kernels: self.kernels.to_vec(), costs: self.shares(&targets.strata()) },
            false => self.grid(machine.fit_options(), examples, unit)?,
        };
        Ok((splits, grid))
    }

    /// Shares to try: those that were told, or those that the classes allow.
    fn shares(&self, labels: &Labels) -> Vec<f64> {
        if self.arguments.nus.is_empty() { usual_shares(labels) } else { self.arguments.nus.clone() }
    }

    /// Kernels and costs to try; drawn, if that was asked for.
    fn grid<Y: TargetList>(
        &self,
        options: &FitOptions,
        examples: Examples<'_, Collection, Y>,
        unit: f64,
    ) -> Result<Grid<CollectionKernel>> {
        let seed = self.arguments.recipe.seed;
        let costs = match &self.arguments.costs[..] {
            [] => {
                let plan = options.plan(examples.items.len())?;
                usual_costs(self.kernels, examples, seed, &plan)?
            }
            told => told.to_vec(),
        };
        let costs: Vec<f64> = costs.into_iter().map(|cost| cost * unit).collect();
        let Some(count) = self.arguments.random else {
            return Ok(Grid { kernels: self.kernels.to_vec(), costs });
        };
        let ends = (costs[0], costs[costs.len() - 1]);
        // A kernel without a width is one kernel, however often it is drawn.
        let base = self.arguments.recipe.kernel.parse::<CollectionKernel>()?;
        let kernels = if base.parameters().is_empty() { 1 } else { count };
        Grid::drawn(&base, SPREAD.sqrt(), ends, (kernels, count), seed)
    }
}

/// The kernel of the best setting as it was asked for, since what was learned from all items is learned again; one that was found on
/// the way with what it learned.
fn written(grid: &Grid<CollectionKernel>, found: &[CollectionKernel], best: &Cell) -> String {
    grid.kernels[..].get(best.kernel).unwrap_or(&found[best.kernel]).to_string()
}

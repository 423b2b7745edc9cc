//! Searches among kernels on structured items: the best cost, what to expect of it, and `mercer tune`.

use std::path::Path;
use std::time::Instant;

use mercer::Result;
use mercer::data::{Examples, Items, Splitting, StructureTable, Structures, TargetList};
use mercer::evaluation::search::{Candidate, Grid, Inner, Look, Nested, Search, Table, Watch, usual_costs};
use mercer::evaluation::{GRID, Metric};
use mercer::gram::StructureKernel;
use mercer::kernel::StructureExpression;
use serde_json::json;

use super::{Read, examples, read, usage};
use crate::arguments::{DataArguments, EvaluateArguments, TuneArguments};
use crate::failure::Failure;
use crate::machines::{self, classifier, is_per_class, per_class, regression};
use crate::print::{Page, count, number, plural, rounded, show_json, time};
use crate::progress::Observer;
use crate::task::Aim;
use crate::tune::shown::{Live, keep, map};
use crate::tune::{advice, keeping_groups};
use crate::{output, source};

/// Folds of a search.
const FOLDS: usize = 5;

type Cells = Table<StructureKernel>;

/// What is tried, on which items.
pub(super) struct Trials<'a, M: Candidate<Kernel = StructureKernel>> {
    pub machine: &'a M,
    pub examples: Examples<'a, Structures, M::Targets>,
    pub kernels: Vec<StructureKernel>,
    /// In the unit of the targets.
    pub costs: Vec<f64>,
    pub metric: Metric,
    pub seed: u64,
    pub observer: &'a Observer,
}

impl<M: Candidate<Kernel = StructureKernel>> Trials<'_, M> {
    fn grid(&self) -> Grid<StructureKernel> {
        Grid { kernels: self.kernels.clone(), costs: self.costs.clone() }
    }

    /// Every setting in five folds.
    pub fn search(&self) -> Result<Cells> {
        let watch = Watch { cancelled: &|| self.observer.is_interrupted(), seen: &|_| () };
        let splits = self.examples.folds(FOLDS, self.seed)?;
        Search::new(vec![self.metric]).cross_validate(
            self.machine,
            &self.grid(),
            self.examples,
            &splits,
            watch,
        )
    }

    /// The whole search without each part of the items in turn, tested there.
    pub fn nested(&self, folds: usize) -> Result<Nested<StructureKernel>> {
        let watch = Watch { cancelled: &|| self.observer.is_interrupted(), seen: &|_| () };
        let outer = self.examples.folds(folds, self.seed)?;
        let items = self.examples.items;
        let all = items.select(&(0..items.len()).collect::<Vec<_>>());
        let inner = |part: Examples<'_, Structures, M::Targets>, _: &[usize]| {
            let (machine, splits) = (self.machine.clone(), part.folds(FOLDS, self.seed)?);
            Ok(Inner { machine, items: all.clone(), grid: self.grid(), splits })
        };
        Search::new(vec![self.metric]).nested(self.examples, &outer, inner, watch)
    }
}

/// The mean and its standard error, as accuracy in percent, or as it is.
pub(super) fn in_words(metric: &Metric, mean: f64, error: Option<f64>) -> String {
    match metric {
        Metric::Accuracy => {
            let error = error.map_or(String::new(), |error| format!(", ± {:.1}", 100.0 * error));
            format!("{:.1} % right{error}", 100.0 * mean)
        }
        metric => {
            let error = error.map_or(String::new(), |error| format!(" ± {}", rounded(error, 2)));
            format!("{metric} {}{error}", rounded(mean, 4))
        }
    }
}

/// What to expect, from a nested search.
pub(super) fn expected(metric: &Metric, nested: &Nested<StructureKernel>) -> Result<String> {
    let summary = nested.summary(0)?;
    let said = in_words(metric, summary.mean, summary.standard_error);
    Ok(format!("{said} ({} folds, in each of which all was decided anew without it)", nested.folds.len()))
}

/// Costs to try: one if it was given, or in units of the targets.
pub(super) fn costs(given: Option<f64>, unit: f64) -> Vec<f64> {
    given.map_or_else(|| GRID.iter().map(|cost| cost * unit).collect(), |cost| vec![cost])
}

/// Calls `$then` with the machine for what is to be learned, its targets, the usual metric and the unit of its costs.
macro_rules! with_machine {
    ($recipe:expr, $kernel:expr, $aim:expr, $weights:expr, $then:expr) => {{
        let (recipe, kernel) = ($recipe, $kernel);
        match $aim {
            Aim::Classes(labels) if recipe.machine.multiclass.is_some_and(is_per_class) => {
                $then(&per_class(recipe, kernel)?, &labels, Metric::Accuracy, 1.0)
            }
            Aim::Classes(labels) => $then(&classifier(recipe, kernel)?, &labels, Metric::Accuracy, 1.0),
            Aim::Numbers(targets) => {
                let (machine, unit) = regression(recipe, kernel)?.adapted_to(&targets, $weights)?;
                $then(&machine, &targets, Metric::R2, unit)
            }
            Aim::Novelty(_) => {
                Err(usage("a detector is not compared with labels: train one, and evaluate it on a file"))
            }
        }
    }};
}

/// `mercer evaluate --cv`: what to expect of a model that `mercer train` would make of these data.
pub fn expect(
    arguments: &EvaluateArguments,
    kernel: StructureExpression,
    data: &Path,
    folds: usize,
    json: bool,
) -> std::result::Result<(), Failure> {
    machines::check(&arguments.recipe).map_err(Failure::Usage)?;
    let kernel = StructureKernel::new(kernel)?;
    let file = DataArguments { data: data.to_path_buf(), reading: arguments.reading.clone() };
    let Read { table, aim, shape } = read(&file, &arguments.table, &arguments.recipe, &kernel)?;
    let observer = Observer::new(true, arguments.recipe.tolerance);
    let recipe = &arguments.recipe;
    let asked = Asked { arguments, table: &table, kernel: &kernel, observer: &observer, folds };
    let (metric, nested) = with_machine!(
        recipe,
        kernel.clone(),
        aim,
        table.weights.as_deref(),
        |machine, targets, metric, unit| { asked.nested(machine, targets, metric, unit) }
    )?;
    if observer.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let each: Vec<f64> = nested.folds.iter().map(|fold| fold.outer[0]).collect();
    if json {
        let summary = nested.summary(0)?;
        let test = json!({ "metric": metric.to_string(), "mean": summary.mean,
                           "standard_error": summary.standard_error, "folds": each });
        return Ok(show_json(&json!({ "data": data, "test": test }))?);
    }
    let mut page = Page::default();
    page.line("data", format!("{}: {shape}", data.display()));
    page.line("kernel", &kernel);
    page.line("on new items", format!("expect {}", expected(&metric, &nested)?));
    let each: Vec<String> = each.iter().map(|value| rounded(*value, 4)).collect();
    page.line("folds", format!("{metric} {}", each.join(", ")));
    if !arguments.quiet {
        page.show()?;
    }
    Ok(())
}

/// What was asked of a test in folds.
struct Asked<'a> {
    arguments: &'a EvaluateArguments,
    table: &'a StructureTable,
    kernel: &'a StructureKernel,
    observer: &'a Observer,
    folds: usize,
}

impl Asked<'_> {
    fn nested<M: Candidate<Kernel = StructureKernel>>(
        &self,
        machine: &M,
        targets: &M::Targets,
        metric: Metric,
        unit: f64,
    ) -> std::result::Result<(Metric, Nested<StructureKernel>), Failure> {
        let trials = Trials {
            machine,
            examples: examples(self.table, targets),
            kernels: vec![self.kernel.clone()],
            costs: costs(self.arguments.recipe.cost, unit),
            metric,
            seed: self.arguments.recipe.seed,
            observer: self.observer,
        };
        Ok((metric, trials.nested(self.folds)?))
    }
}

/// `mercer tune` among kernels on structured items.
pub fn tune(
    arguments: &TuneArguments,
    given: &[(String, String)],
    json: bool,
) -> std::result::Result<(), Failure> {
    let recipe = &arguments.recipe;
    for (name, given) in [
        ("--cost", recipe.cost.is_some()),
        ("--criterion", arguments.criterion.is_some()),
        ("--nested", arguments.nested.is_some()),
        ("--random", arguments.random.is_some()),
        ("--per-fold", arguments.per_fold),
        ("--refine", arguments.refine > 0),
        ("--learning-curve", arguments.learning_curve),
        ("--validation-curve", arguments.validation_curve),
        ("--nus", !arguments.nus.is_empty()),
        ("--outside", arguments.outside.is_some()),
        ("--probabilities", recipe.machine.probabilities.is_some()),
        ("--time-limit", recipe.time_limit.is_some()),
    ] {
        if given {
            let more =
                "kernels are told by --kernels, costs by --costs; mercer evaluate --cv tests a setting";
            return Err(usage(format!("{name} is for rows of numbers here: {more}")));
        }
    }
    machines::check(recipe).map_err(Failure::Usage)?;
    let formulas = match arguments.kernels.is_empty() {
        true => vec![recipe.kernel.clone()],
        false => arguments.kernels.clone(),
    };
    let parse = |formula: &String| formula.parse::<StructureKernel>().map_err(Failure::Usage);
    let kernels = formulas.iter().map(parse).collect::<std::result::Result<Vec<_>, Failure>>()?;
    if let Some(other) = kernels.iter().find(|k| k.expression().kind() != kernels[0].expression().kind()) {
        let (kind, first) = (other.expression().kind(), kernels[0].expression().kind());
        return Err(usage(format!("{other} compares {kind}, and {} {first}", kernels[0])));
    }
    let data = &arguments.data.data;
    if let Some(output) = &arguments.output {
        output::check(output, arguments.force, &[data])?;
    }
    let Read { table, aim, shape } = read(&arguments.data, &arguments.table, recipe, &kernels[0])?;
    let tuning = Tuning { arguments, given, kernels: &kernels, table: &table, shape, json };
    with_machine!(
        recipe,
        kernels[0].clone(),
        aim,
        table.weights.as_deref(),
        |machine, targets, metric, unit| { tuning.search(machine, targets, metric, unit) }
    )
}

struct Tuning<'a> {
    arguments: &'a TuneArguments,
    /// What was said of the data and of the machine.
    given: &'a [(String, String)],
    kernels: &'a [StructureKernel],
    table: &'a StructureTable,
    shape: String,
    json: bool,
}

impl Tuning<'_> {
    fn search<M: Candidate<Kernel = StructureKernel>>(
        &self,
        machine: &M,
        targets: &M::Targets,
        usual: Metric,
        unit: f64,
    ) -> std::result::Result<(), Failure> {
        let (arguments, begun) = (self.arguments, Instant::now());
        let metrics = arguments.metrics.iter().map(|name| name.parse::<Metric>());
        let mut metrics = metrics.collect::<Result<Vec<_>>>().map_err(Failure::Usage)?;
        if metrics.is_empty() {
            metrics.push(usual);
        }
        let examples = examples(self.table, targets);
        let splits = match &arguments.splits {
            None => examples.folds(FOLDS, arguments.recipe.seed)?,
            Some(how) => {
                let mut splitting: Splitting = how.parse().map_err(Failure::Usage)?;
                if examples.groups.is_some() {
                    splitting = keeping_groups(splitting, "--splits")?;
                }
                let (n, seed) = (self.table.items.len(), arguments.recipe.seed);
                splitting.splits(n, Some(&targets.strata()), examples.groups, seed)?
            }
        };
        let costs = match &arguments.costs[..] {
            [] => {
                let plan = machine.fit_options().plan(self.table.items.len())?;
                usual_costs(self.kernels, examples, arguments.recipe.seed, &plan)?
            }
            told => told.to_vec(),
        };
        let costs = costs.iter().map(|cost| cost * unit).collect();
        let grid = Grid { kernels: self.kernels.to_vec(), costs };
        let search =
            Search { exhaustive: arguments.exhaustive, halving: arguments.halving, ..Search::new(metrics) };
        let observer = Observer::new(true, arguments.recipe.tolerance);
        let live = Live::new(arguments.quiet || self.json);
        let watch =
            Watch { cancelled: &|| observer.is_interrupted(), seen: &|cells: &Cells| live.show(cells) };
        let outcome = search.cross_validate(machine, &grid, examples, &splits, watch);
        live.clear();
        let cells = outcome.map_err(|error| error.in_file(source::name(&arguments.data.data)))?;
        if let Some(path) = &arguments.output {
            keep(&cells, path)?;
        }
        self.tell(&cells, splits.len(), begun.elapsed().as_secs_f64())
    }

    fn tell(&self, cells: &Cells, folds: usize, seconds: f64) -> std::result::Result<(), Failure> {
        let Some(best) = cells.best() else { return Err(Failure::Interrupted) };
        // As it was asked for: what was learned from all items is learned again.
        let kernel = self.kernels[best.kernel].to_string();
        let summary = best.summary(0)?;
        let data = &self.arguments.data.data;
        let advice = advice(data, &kernel, best, self.given);
        if self.json {
            return Ok(show_json(&json!({
                "data": data,
                "best": { "kernel": kernel, "cost": best.cost, "mean": summary.mean,
                          "deviation": summary.deviation, "standard_error": summary.standard_error },
                "folds": folds,
                "seconds": seconds,
                "advice": advice,
                "table": cells,
            }))?);
        }
        if self.arguments.quiet {
            return Ok(());
        }
        let mut page = Page::default();
        page.line("data", format!("{}: {}", data.display(), self.shape));
        let given_up = cells.cells.iter().filter(|cell| cell.look == Look::GivenUp).count();
        let tried = plural(cells.cells.len() as u64, "setting");
        let given_up = count(given_up as u64);
        page.line("tried", format!("{tried} in {folds} folds, {given_up} given up early, {}", time(seconds)));
        map(cells).into_iter().for_each(|line| page.line("", line));
        let said = in_words(&cells.metrics[0], summary.mean, summary.standard_error);
        page.line("best", format!("{said}, on items held out in turn"));
        page.line("kernel", kernel);
        if let Some(cost) = best.cost {
            page.line("cost", number(cost));
        }
        page.line("advice", advice);
        Ok(page.show()?)
    }
}

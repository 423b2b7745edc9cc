//! `mercer tune`

pub mod criterion;
mod curves;
pub mod found;
mod nested;
pub mod region;
pub mod settings;
pub mod shown;

use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use mercer::Error;
use mercer::data::{Contents, Examples, Items as _, Split, Splitting, Table, TargetList, Vectors};
use mercer::evaluation::search::{Candidate, Cell, Grid, Search, Shares, Table as Cells, Watch};
use mercer::evaluation::{Learner, Metric, Needs, PerClass};
use mercer::kernel::Expression;
use mercer::machine::{Loss, Slack};

use crate::arguments::{SlackArgument, TrainArguments, TuneArguments, quoted};
use crate::failure::Failure;
use crate::machines::{self, asked, check_for, classifier, detector, is_per_class, per_class, regression};
use crate::print::{number, shape};
use crate::progress::{Observer, deadline, left};
use crate::recipe::{kernel, time_limit};
use crate::task::{Aim, Task};
use crate::{output, precomputed, remarks, source, structures};
use criterion::Compared;
use found::{About, Best, go_on};
use settings::Settings;
use shown::Live;

/// The fraction of a limit of time that a search takes before a training.
const SEARCHING: f64 = 0.5;

/// Folds if nothing else is said.
pub const FOLDS: usize = 5;

/// Options of a recipe that say nothing about what is learned, or that are the outcome of a search.
const NOT_TO_REPEAT: [&str; 7] =
    ["--kernel", "--gamma", "--seed", "--threads", "--memory", "--precision", "--time-limit"];

/// Tries kernels and costs by cross-validation, and says what to tell `mercer train`; `given` are the options for learning that
/// were said.
pub fn run(arguments: &TuneArguments, given: &[(String, String)], json: bool) -> Result<(), Failure> {
    let structured = match arguments.kernels.first() {
        Some(formula) => structures::named(formula).map_err(|error| in_list(error, 0, &arguments.kernels))?,
        None => structures::kernel(&arguments.recipe)?,
    };
    if structured.is_some() {
        return structures::tune(arguments, given, json).map(|_| ());
    }
    find(arguments, given, json, true).map(|_| ())
}

/// What is best for a training: its options with the kernel and the cost that were found, and how many settings were tried.
pub fn tuned(training: &TrainArguments, quiet: bool) -> Result<(TrainArguments, usize), Failure> {
    taken(training, quiet, |arguments| find(arguments, &[], false, false))
}

/// The options of a training with what a search with these options finds, and how many settings that tried.
pub fn taken(
    training: &TrainArguments,
    quiet: bool,
    find: impl FnOnce(&TuneArguments) -> Result<Best, Failure>,
) -> Result<(TrainArguments, usize), Failure> {
    if source::is_standard(&training.data.data) {
        return Err(usage("--tune reads the data twice, which standard input does not allow"));
    }
    let mut recipe = training.recipe.clone();
    // They do not change what is found.
    recipe.machine.probabilities = None;
    // The limit is for the search and the training together.
    recipe.time_limit = recipe.time_limit.map(|seconds| SEARCHING * seconds);
    let arguments = TuneArguments {
        data: training.data.clone(),
        table: training.table.clone(),
        kernels: Vec::new(),
        costs: Vec::new(),
        nus: Vec::new(),
        outside: None,
        criterion: None,
        nested: None,
        splits: None,
        metrics: Vec::new(),
        exhaustive: false,
        random: None,
        halving: false,
        per_fold: false,
        refine: 0,
        learning_curve: false,
        validation_curve: false,
        output: None,
        force: false,
        recipe,
        quiet,
    };
    let best = find(&arguments)?;
    let mut taken = training.clone();
    taken.recipe.kernel = best.kernel;
    taken.recipe.gamma = None;
    taken.recipe.cost = best.cost;
    taken.recipe.machine.nu = best.nu.or(taken.recipe.machine.nu);
    Ok((taken, best.among))
}

/// The best kernel and cost.
fn find(
    arguments: &TuneArguments,
    given: &[(String, String)],
    json: bool,
    advises: bool,
) -> Result<Best, Failure> {
    let recipe = &arguments.recipe;
    let Some(base) = kernel(recipe).map_err(Failure::Usage)? else {
        return Err(usage("kernel values cannot be divided into folds here: tune needs features"));
    };
    check(arguments)?;
    // Regions with a cost are asked for one, which a search does not have yet.
    let mut tried = recipe.clone();
    if asked(recipe) == Some(Task::Novelty)
        && matches!(recipe.machine.slack, Some(SlackArgument::Linear | SlackArgument::Quadratic))
    {
        tried.cost = Some(1.0);
    }
    let recipe = &tried;
    machines::check(recipe).map_err(Failure::Usage)?;
    let metrics = arguments.metrics.iter().map(|name| name.parse::<Metric>());
    let metrics = metrics.collect::<mercer::Result<Vec<_>>>().map_err(Failure::Usage)?;
    let asks = metrics.iter().find(|metric| metric.needs() == Needs::Probabilities);
    match (asks, recipe.machine.probabilities) {
        (Some(metric), None) => {
            return Err(usage(&format!("{metric} judges probabilities: say --probabilities too")));
        }
        (None, Some(_)) => {
            let what = "--probabilities is for --metrics log_loss and brier; for others `mercer train` finds them in the end";
            return Err(usage(what));
        }
        _ => {}
    }
    let splitting = arguments.splits.as_deref().map(str::parse::<Splitting>).transpose();
    let splitting = splitting.map_err(Failure::Usage)?;
    let criterion = criterion::named(arguments)?;
    let outer = arguments.nested.as_deref().map(str::parse::<Splitting>).transpose();
    let outer = outer.map_err(Failure::Usage)?;
    let told = listed_kernels::<Expression>(&arguments.kernels)?;
    let data = &arguments.data.data;
    if let Some(output) = &arguments.output {
        output::check(output, arguments.force, &[data])?;
    }

    let options = arguments.table.add_to(arguments.data.reading.options());
    let Contents::Table(table) = source::read(data, &options)? else {
        return Err(precomputed::kernel_values(data).into());
    };
    if advises && !arguments.quiet {
        remarks::tell(&table.remarks);
    }
    let (splitting, outer) = match table.groups {
        Some(_) => (
            splitting.map(|how| keeping_groups(how, "--splits")).transpose()?,
            outer.map(|how| keeping_groups(how, "--nested")).transpose()?,
        ),
        None => (splitting, outer),
    };
    if table.groups.is_some() && criterion.is_some() {
        return Err(usage("--group is about rows that are held out: a criterion holds out none"));
    }
    let in_file = |error: Error| error.in_file(source::name(data));
    let aim = Aim::of(asked(recipe), &table.targets, table.target_name.as_deref(), &table.remarks);
    let aim = aim.map_err(in_file)?;
    check_for(recipe, aim.task()).map_err(Failure::Usage)?;
    let is_sparse = matches!(table.vectors, Vectors::Sparse(_));
    // All are tried on the same rows, so one that needs values of at least 0 decides for the others.
    let non_negative = std::iter::once(&base).chain(&told).find_map(Expression::needs_non_negative);
    let scaling = recipe.scale.kind(is_sparse, non_negative)?;
    let settings = Settings { arguments, base, told, scaling, shares: false };
    let left = left(time_limit(recipe)?);
    let mut task =
        Tuning { arguments, table: &table, settings, splitting, outer, metrics, given, json, advises, left };
    let is_nested = task.outer.is_some();
    match aim {
        Aim::Classes(_) | Aim::Numbers(_) if arguments.outside.is_some() => {
            Err(usage("--outside is for --task novelty"))
        }
        Aim::Numbers(_) if !arguments.nus.is_empty() => Err(usage("--nus is for --slack nu")),
        Aim::Classes(labels) => {
            if recipe.machine.multiclass.is_some_and(is_per_class) {
                let machine = per_class(recipe, task.settings.base.clone())?;
                return match (criterion, is_nested) {
                    (Some(criterion), _) => match &machine {
                        PerClass::Rest(machine) => {
                            let compared = Compared::Rest(machine, &labels);
                            task.by_criterion(criterion, &compared, (&labels, 1.0))
                        }
                        PerClass::Joint(_) => Err(usage(
                            "--criterion is for machines of two classes each: --multiclass one-against-one, graph or \
                             one-against-rest",
                        )),
                    },
                    (None, true) => task.nested(&labels, Metric::Accuracy, |_, _| Ok((machine.clone(), 1.0))),
                    (None, false) => task.search(&machine, &labels, Metric::Accuracy, 1.0),
                };
            }
            let machine = classifier(recipe, task.settings.base.clone())?;
            let has_share = matches!(machine.clone().check()?.slack(), Slack::Nu { .. });
            if !(arguments.nus.is_empty() || has_share) {
                return Err(usage("--nus is for --slack nu"));
            }
            if !(arguments.costs.is_empty() || machine.has_cost()) {
                return Err(usage("--costs is for machines that have a cost: --slack nu has shares (--nus)"));
            }
            // One that was told is taken as it is.
            task.settings.shares = has_share && recipe.machine.nu.is_none();
            if let Some(criterion) = criterion {
                return task.by_criterion(criterion, &Compared::Pairs(&machine, &labels), (&labels, 1.0));
            }
            let shares = Shares(machine.clone());
            match (task.settings.shares, is_nested) {
                (false, true) => task.nested(&labels, Metric::Accuracy, |_, _| Ok((machine.clone(), 1.0))),
                (false, false) => task.search(&machine, &labels, Metric::Accuracy, 1.0),
                (true, true) => task.nested(&labels, Metric::Accuracy, |_, _| Ok((shares.clone(), 1.0))),
                (true, false) => task.search(&shares, &labels, Metric::Accuracy, 1.0),
            }
        }
        Aim::Novelty(_) if criterion.is_some() => {
            Err(usage("--criterion is for classes and numbers: regions are compared by their size"))
        }
        Aim::Numbers(targets) => {
            let machine = regression(recipe, task.settings.base.clone())?;
            let (whole, unit) = machine.adapted(&targets, table.weights.as_deref()).map_err(in_file)?;
            if let Some(criterion) = criterion {
                let compared = Compared::Numbers(&whole.machine, &targets);
                return task.by_criterion(criterion, &compared, (&targets, unit));
            }
            let usual = usual_metric(whole.machine.clone().check()?.loss());
            match is_nested {
                true => task.nested(&targets, usual, |targets, weights| machine.adapted(targets, weights)),
                false => task.search(&whole, &targets, usual, unit),
            }
        }
        Aim::Novelty(_) => {
            if recipe.machine.contamination.is_some() {
                return Err(usage("--contamination moves a region that was found: tune takes it as it is"));
            }
            let detector = detector(recipe, task.settings.base.clone())?;
            task.region(&detector.machine)
        }
    }
}

/// Parts of the rows that no group is divided between, as far as that can be had.
pub fn keeping_groups(splitting: Splitting, option: &str) -> Result<Splitting, Failure> {
    use Splitting::{Folds, Grouped, LeaveOneGroupOut, Predefined, Stratified, StratifiedGrouped};
    Ok(match splitting {
        Folds { k } => Grouped { k },
        Stratified { k } => StratifiedGrouped { k },
        whole @ (Grouped { .. } | StratifiedGrouped { .. } | LeaveOneGroupOut | Predefined(_)) => whole,
        _ => {
            let what = "would learn from rows of a --group and test others of it: say a number of folds";
            return Err(usage(&format!("{option} {what}")));
        }
    })
}

/// What to tell `mercer train`, which takes costs in units of the targets, as they were tried; with what was said of the data and of
/// the machine.
pub fn advice(data: &Path, kernel: &str, best: &Cell, given: &[(String, String)]) -> String {
    let mut words = vec!["mercer train".to_string(), quoted(&data.to_string_lossy())];
    words.push(format!("--kernel '{kernel}'"));
    for (name, value) in [("--cost", best.cost), ("--nu", best.nu)] {
        words.extend(value.map(|value| format!("{name} {}", number(value))));
    }
    let is_told = |(name, _): &&(String, String)| {
        let is_found = NOT_TO_REPEAT.contains(&name.as_str()) || best.nu.is_some() && name == "--nu";
        !is_found
    };
    words.extend(given.iter().filter(is_told).map(|(_, words)| words.clone()));
    words.join(" ")
}

/// Refuses what a search looks for, what is about a single training, and lists that make no sense whatever is searched.
pub fn check(arguments: &TuneArguments) -> Result<(), Failure> {
    let recipe = &arguments.recipe;
    if recipe.cost.is_some() {
        return Err(usage("--cost is what tune looks for: costs to try are told by --costs"));
    }
    if let Some(&value) = arguments.costs.iter().find(|cost| !(**cost > 0.0 && cost.is_finite())) {
        let expected = "finite numbers above 0";
        return Err(Failure::Usage(Error::Parameter { name: "costs", value, expected }));
    }
    if arguments.random == Some(0) {
        let expected = "at least 1";
        return Err(Failure::Usage(Error::Parameter { name: "random", value: 0.0, expected }));
    }
    once("--costs", &arguments.costs)?;
    once("--nus", &arguments.nus)?;
    once("--kernels", &arguments.kernels)
}

/// What a regression is compared by: its own loss is its aim, unless that is an error of the mean.
pub fn usual_metric(loss: Loss) -> Metric {
    match loss {
        Loss::Quantile { level } => Metric::Pinball { level },
        Loss::Huber { width } => Metric::Huber { width },
        _ => Metric::R2,
    }
}

/// The kernels of a list; what is wrong with one is told with its place.
pub fn listed_kernels<K: FromStr<Err = Error>>(formulas: &[String]) -> Result<Vec<K>, Failure> {
    let parse = |(at, formula): (usize, &String)| {
        formula.parse::<K>().map_err(|error| in_list(Failure::Usage(error), at, formulas))
    };
    formulas.iter().enumerate().map(parse).collect()
}

/// What is wrong with a kernel of --kernels, with its place if there are several.
fn in_list(failure: Failure, at: usize, formulas: &[String]) -> Failure {
    match failure {
        Failure::Usage(error) if formulas.len() > 1 => {
            usage(&format!("kernel {} of the {} in --kernels: {error}", at + 1, formulas.len()))
        }
        other => other,
    }
}

/// Refuses a list that has something twice.
fn once<T: PartialEq + std::fmt::Display>(name: &str, list: &[T]) -> Result<(), Failure> {
    let twice = list.iter().enumerate().find(|(at, one)| list[..*at].contains(one));
    twice.map_or(Ok(()), |(_, one)| Err(usage(&format!("{name} has {one} twice"))))
}

fn usage(what: &str) -> Failure {
    Failure::Usage(Error::Unsupported { what: what.into() })
}

struct Tuning<'a> {
    arguments: &'a TuneArguments,
    table: &'a Table<'a>,
    settings: Settings<'a>,
    splitting: Option<Splitting>,
    /// Where the whole search is held out from.
    outer: Option<Splitting>,
    metrics: Vec<Metric>,
    /// What was said of the data and of the machine: options, and the words that tell them.
    given: &'a [(String, String)],
    json: bool,
    /// Whether to say what to do with what was found.
    advises: bool,
    /// Time for the search.
    left: Option<Duration>,
}

impl Tuning<'_> {
    /// The folds of a search among some rows.
    fn folds<Y: TargetList>(
        &self,
        examples: Examples<'_, Vectors<'static>, Y>,
    ) -> mercer::Result<Vec<Split>> {
        let (seed, Examples { items, targets, groups, .. }) = (self.arguments.recipe.seed, examples);
        match &self.splitting {
            None => examples.folds(FOLDS, seed),
            Some(splitting) => splitting.splits(items.len(), Some(&targets.strata()), groups, seed),
        }
    }

    fn about(&self) -> About<'_> {
        About {
            arguments: self.arguments,
            data: source::name(&self.arguments.data.data),
            shape: shape(&self.table.vectors),
            items: "rows",
            scaling: Some(self.settings.scaling()),
            given: self.given,
            json: self.json,
            advises: self.advises,
        }
    }

    /// How a grid is gone through.
    fn how(&self, metrics: Vec<Metric>) -> Search {
        let (exhaustive, halving) = (self.arguments.exhaustive, self.arguments.halving);
        Search { exhaustive, halving, max_time: self.left, ..Search::new(metrics) }
    }

    fn search<M>(self, machine: &M, targets: &M::Targets, usual: Metric, unit: f64) -> Result<Best, Failure>
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
        let observer = Observer::new(true, recipe.tolerance).until(deadline(time_limit(recipe)?));
        let live = Live::new(arguments.quiet || self.json);
        let watch = Watch { cancelled: &|| observer.is_over(), seen: &|cells: &Cells<_>| live.show(cells) };
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
        let found =
            go_on(arguments, &search, machine, coarse, (examples, &splits), watch).map_err(in_file)?;
        let seconds = begun.elapsed().as_secs_f64();
        live.clear();
        let written = |best: &Cell| found.cells.kernels[best.kernel].to_string();
        self.about().end(&found, written, (splits.len(), seconds, unit), observer.ending())
    }
}

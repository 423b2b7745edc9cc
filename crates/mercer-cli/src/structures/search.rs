//! Searches for a cost of one kernel on structured items, and what to expect of it.

use std::path::Path;
use std::time::Duration;

use mercer::Result;
use mercer::data::{Collection, Examples, Items, StructureTable};
use mercer::evaluation::search::{Candidate, Grid, Inner, Nested, Search, Table, Watch};
use mercer::evaluation::{GRID, Metric};
use mercer::gram::CollectionKernel;
use mercer::kernel::StructureExpression;
use serde_json::json;

use super::{Read, examples, read, usage};
use crate::arguments::{DataArguments, EvaluateArguments};
use crate::failure::Failure;
use crate::machines::{self, classifier, is_per_class, per_class, regression};
use crate::print::{Page, rounded, show_json};
use crate::progress::{Ending, Observer, deadline, left};
use crate::recipe::time_limit;
use crate::task::Aim;

/// Folds of a search.
const FOLDS: usize = 5;

type Cells = Table<CollectionKernel>;

/// What is tried, on which items.
pub(super) struct Trials<'a, M: Candidate<Kernel = CollectionKernel>> {
    pub machine: &'a M,
    pub examples: Examples<'a, Collection<'static>, M::Targets>,
    pub kernels: Vec<CollectionKernel>,
    /// In the unit of the targets.
    pub costs: Vec<f64>,
    pub metric: Metric,
    pub seed: u64,
    pub observer: &'a Observer,
    /// Most time for a search, nested or not.
    pub time: Option<Duration>,
}

impl<M: Candidate<Kernel = CollectionKernel>> Trials<'_, M> {
    fn grid(&self) -> Grid<CollectionKernel> {
        Grid { kernels: self.kernels.clone(), costs: self.costs.clone() }
    }

    /// Every setting in five folds.
    pub fn search(&self) -> Result<Cells> {
        let watch = Watch { cancelled: &|| self.observer.is_interrupted(), seen: &|_| () };
        let splits = self.examples.folds(FOLDS, self.seed)?;
        Search { max_time: self.time, ..Search::new(vec![self.metric]) }.cross_validate(
            self.machine,
            &self.grid(),
            self.examples,
            &splits,
            watch,
        )
    }

    /// The whole search without each part of the items in turn, tested there.
    pub fn nested(&self, folds: usize) -> Result<Nested<CollectionKernel>> {
        let watch = Watch { cancelled: &|| self.observer.is_interrupted(), seen: &|_| () };
        let outer = self.examples.folds(folds, self.seed)?;
        let items = self.examples.items;
        let all = items.select(&(0..items.len()).collect::<Vec<_>>());
        let inner = |part: Examples<'_, Collection, M::Targets>, _: &[usize]| {
            let (machine, splits) = (self.machine.clone(), part.folds(FOLDS, self.seed)?);
            Ok(Inner { machine, items: all.clone(), grid: self.grid(), splits })
        };
        Search { max_time: self.time, ..Search::new(vec![self.metric]) }.nested(
            self.examples,
            &outer,
            inner,
            watch,
        )
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
pub(super) fn expected(metric: &Metric, nested: &Nested<CollectionKernel>) -> Result<String> {
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
    let kernel = CollectionKernel::new(kernel)?;
    let file = DataArguments { data: data.to_path_buf(), reading: arguments.reading.clone() };
    let Read { table, aim, shape } = read(&file, &arguments.table, &arguments.recipe, &kernel)?;
    let observer = Observer::new(true, arguments.recipe.tolerance);
    let observer = observer.until(deadline(time_limit(&arguments.recipe)?));
    let recipe = &arguments.recipe;
    let asked = Asked { arguments, table: &table, kernel: &kernel, observer: &observer, folds };
    let (metric, nested) = with_machine!(
        recipe,
        kernel.clone(),
        aim,
        table.weights.as_deref(),
        |machine, targets, metric, unit| { asked.nested(machine, targets, metric, unit) }
    )?;
    let ending = match nested.folds.len() {
        complete if complete == folds => Ending::Done,
        0 => return Err(observer.ending().without_result("the first fold was tested")),
        _ => observer.ending(),
    };
    ending.tell();
    let each: Vec<f64> = nested.folds.iter().map(|fold| fold.outer[0]).collect();
    if json {
        let summary = nested.summary(0)?;
        let test = json!({ "metric": metric.to_string(), "mean": summary.mean,
                           "standard_error": summary.standard_error, "folds": each });
        show_json(&json!({ "data": data, "test": test }))?;
        return ending.of(());
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
    ending.of(())
}

/// What was asked of a test in folds.
struct Asked<'a> {
    arguments: &'a EvaluateArguments,
    table: &'a StructureTable,
    kernel: &'a CollectionKernel,
    observer: &'a Observer,
    folds: usize,
}

impl Asked<'_> {
    fn nested<M: Candidate<Kernel = CollectionKernel>>(
        &self,
        machine: &M,
        targets: &M::Targets,
        metric: Metric,
        unit: f64,
    ) -> std::result::Result<(Metric, Nested<CollectionKernel>), Failure> {
        let trials = Trials {
            machine,
            examples: examples(self.table, targets),
            kernels: vec![self.kernel.clone()],
            costs: costs(self.arguments.recipe.cost, unit),
            metric,
            seed: self.arguments.recipe.seed,
            observer: self.observer,
            time: left(time_limit(&self.arguments.recipe)?),
        };
        Ok((metric, trials.nested(self.folds)?))
    }
}

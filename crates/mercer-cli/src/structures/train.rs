//! `mercer train` with a kernel on structured items.

use std::path::Path;
use std::time::{Duration, Instant};

use mercer::data::{Items, StructureTable};
use mercer::evaluation::search::Candidate;
use mercer::evaluation::{Aside, Metric, NoveltyTest, Parameters, PerClass};
use mercer::gram::CollectionKernel;
use mercer::io::{Model, ModelCard, TrainedMachine};
use mercer::kernel::StructureExpression;
use mercer::resources::InstructionSet;
use mercer::solver::Status;
use serde_json::json;

use super::search::{Trials, costs, expected, in_words};
use super::tune::tuned;
use super::{MENDED, Read, examples, kernel_lines, named_columns, note_columns, read, usage};
use crate::arguments::{TestArgument, TrainArguments};
use crate::failure::Failure;
use crate::machines::{self, classifier, is_per_class, per_class, region, regression};
use crate::parameters::of_support_vectors;
use crate::print::{Page, count, note, number, time, to_stdout};
use crate::progress::{Ending, Observer, left};
use crate::recipe::{stop, time_limit};
use crate::task::Aim;
use crate::train::SETTINGS_TRIED;
use crate::{model, source, tasks};

/// Up to so many items a test in folds takes little time.
const FEW: usize = 2_000;
/// The fractions of the time left that the search for a cost and the training on all items may take.
const SEARCHING: f64 = 0.3;
const TRAINING: f64 = 0.5;
/// Folds of a test.
const FOLDS: usize = 5;
/// What is said of a test after a search among all items.
const TUNED: &str =
    "but for the kernel and the cost, which were chosen with all items: this is a little too good";

/// Learns from a file of structured items, says how good the model is, and saves it.
pub fn train(
    arguments: &TrainArguments,
    kernel: StructureExpression,
    output: &Path,
    json: bool,
) -> std::result::Result<(), Failure> {
    for (name, given) in
        [("--from", arguments.from.is_some()), ("--test held-out", arguments.test == TestArgument::HeldOut)]
    {
        if given {
            return Err(usage(format!(
                "{name} is for rows of numbers: the kernel compares {}",
                kernel.kind()
            )));
        }
    }
    if output.extension().is_some_and(|ending| ending == "model") {
        let what = "LIBSVM's format holds rows of numbers: let the name end in .mercer or .json";
        return Err(usage(what));
    }
    machines::check(&arguments.recipe).map_err(Failure::Usage)?;
    let found = match arguments.tune {
        true => Some(tuned(arguments, arguments.quiet || json || source::is_standard(output))?),
        false => None,
    };
    let (arguments, kernel) = match &found {
        Some((found, _)) => (found, found.recipe.kernel.parse().map_err(Failure::Usage)?),
        None => (arguments, kernel),
    };
    let kernel = CollectionKernel::new(kernel)?;
    let reading = Instant::now();
    let Read { table, aim, shape } = read(&arguments.data, &arguments.table, &arguments.recipe, &kernel)?;
    let begun = Instant::now();
    let observer = Observer::new(arguments.quiet || json, arguments.recipe.tolerance);
    let limit = time_limit(&arguments.recipe)?;
    let learning = Learning { arguments, table: &table, kernel: &kernel, observer: &observer, limit };
    let named = |failure| match failure {
        Failure::Data(error) => Failure::Data(error.in_file(source::name(&arguments.data.data))),
        other => other,
    };
    let outcome = learning.learn(aim).map_err(named);
    observer.clear();
    let Learned { model, cost, page: mut told, expected } = outcome?;
    let own = model.kept().map(|kept| kept.diagonal(&table.items)).transpose()?;
    if own.is_some_and(|own| own.iter().all(|&value| value == 0.0)) {
        note("mercer: the kernel is 0 for all items: nothing can be learned from it");
    }
    if observer.is_interrupted() && !arguments.keep_partial {
        note("mercer: interrupted; nothing is saved (--keep-partial saves what was reached)");
        return Err(Failure::Interrupted);
    }
    let mut card = ModelCard::of_items(&table.items);
    card.cost = cost.unwrap_or(1.0);
    card.parameters = of_support_vectors(&arguments.recipe, &model, card.cost)?;
    card.stop = stop(&arguments.recipe, matches!(model, TrainedMachine::Svr(_)));
    card.instruction_set = InstructionSet::from_environment()?.name().to_string();
    note_columns(&mut card, named_columns(&arguments.data.reading, &table));
    card.notes.insert("seed".into(), arguments.recipe.seed.to_string());
    if let Some(learned) = model.kernel().learned_mending() {
        card.notes.insert(MENDED.into(), learned.to_string());
    }
    for (name, value) in machines::notes(&arguments.recipe, model::task(&model)) {
        card.notes.insert(name.into(), value);
    }
    if let Some((_, tried)) = &found {
        card.notes.insert(SETTINGS_TRIED.into(), tried.to_string());
    }
    if let Some(expected) = &expected {
        card.notes.insert("expected".into(), expected.clone());
        if arguments.tune {
            told.line("", TUNED);
            card.notes.insert("tuned".into(), TUNED.into());
        }
    }
    let saved = Model::new(model, None, card);
    let is_standard = source::is_standard(output);
    crate::output::save(&saved, output)?;
    let model = &saved.machine;
    let (read_seconds, seconds) = ((begun - reading).as_secs_f64(), begun.elapsed().as_secs_f64());
    let text = if json {
        let mut summary = json!({
            "data": arguments.data.data,
            "shape": shape,
            "task": model::task(model),
            "kernel": model.kernel().to_string(),
            "mended": model.kernel().learned_mending().map(ToString::to_string),
            "cost": cost,
            "expected": expected,
            "support_vectors": model::support_vectors(model),
            "status": model.status(),
            "reports": model::reports(model),
            "reading_seconds": read_seconds,
            "learning_seconds": seconds,
            "model": output,
        });
        if let Some(map) = summary.as_object_mut() {
            map.extend(model::own_json(model));
        }
        format!("{summary:#}\n")
    } else if arguments.quiet {
        String::new()
    } else {
        let mut page = Page::default();
        page.line("data", format!("{}: {shape}", source::name(&arguments.data.data).display()));
        page.append(&told);
        model::own_lines(&mut page, model);
        model::support(&mut page, model);
        model::certificate(&mut page, model);
        page.line("time", format!("{} reading, {} learning and testing", time(read_seconds), time(seconds)));
        page.line("model", output.display());
        page.text().to_string()
    };
    match is_standard {
        // A model that goes to standard output leaves no room for words there.
        true => note(text.trim_end()),
        false => to_stdout(|out| Ok(out.write_all(text.as_bytes())?))?,
    }
    match model.status() {
        Some(status) if status != Status::Converged => {
            note(format!("mercer: the training was {status}; the model is what it had reached"));
            if arguments.strict { Err(Failure::NotConverged) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

struct Learning<'a> {
    arguments: &'a TrainArguments,
    table: &'a StructureTable,
    kernel: &'a CollectionKernel,
    observer: &'a Observer,
    limit: Option<Duration>,
}

struct Learned {
    model: TrainedMachine,
    cost: Option<f64>,
    /// What is told about targets, kernel, cost and quality.
    page: Page,
    expected: Option<String>,
}

impl Learning<'_> {
    fn learn(&self, aim: Aim) -> std::result::Result<Learned, Failure> {
        let (recipe, items) = (&self.arguments.recipe, &self.table.items);
        let weights = self.table.weights.as_deref();
        let watch = |progress: &_| self.observer.show(progress);
        let kernel = || self.kernel.clone();
        let mut page = Page::default();
        match aim {
            Aim::Classes(labels) if recipe.machine.multiclass.is_some_and(is_per_class) => {
                page.line("classes", crate::print::classes(labels.classes(), &labels.counts()));
                let machine = per_class(recipe, kernel())?;
                self.told(page, &machine, &labels, Metric::Accuracy, 1.0, |cost| {
                    Ok(TrainedMachine::Classes(match self.limited(machine.clone()) {
                        PerClass::Rest(machine) => machine
                            .cost(cost)
                            .check()?
                            .fit_one_against_rest(items, &labels, weights, None, &watch)?,
                        PerClass::Joint(machine) => {
                            let machine = machine.cost(cost).check()?;
                            machine.fit_observed(items, &labels, weights, None, &watch)?
                        }
                    }))
                })
            }
            Aim::Classes(labels) => {
                page.line("classes", crate::print::classes(labels.classes(), &labels.counts()));
                let machine = classifier(recipe, kernel())?;
                self.told(page, &machine, &labels, Metric::Accuracy, 1.0, |cost| {
                    let machine = self.limited(machine.clone()).cost(cost).check()?;
                    Ok(TrainedMachine::Svc(machine.fit_observed(items, &labels, weights, &watch)?))
                })
            }
            Aim::Numbers(targets) => {
                page.line("targets", tasks::describe(&targets));
                let (machine, unit) = regression(recipe, kernel())?.adapted_to(&targets, weights)?;
                self.told(page, &machine, &targets, Metric::R2, unit, |cost| {
                    let machine = self.limited(machine.clone()).machine.cost(cost).check()?;
                    Ok(TrainedMachine::Svr(machine.fit_observed(items, &targets, weights, None, &watch)?))
                })
            }
            Aim::Novelty(_) => {
                let model = region(recipe, kernel())?.check()?.fit_observed(items, weights, None, &watch)?;
                let model = match recipe.machine.contamination {
                    Some(share) => model.with_contamination(items, weights, share)?,
                    None => model,
                };
                kernel_lines(&mut page, &model.kept().kernel);
                let all = Aside::unknown(items.len());
                let found =
                    NoveltyTest::new(&all.0, &model.scores(items)?, None, |score| model.is_outside(score));
                let (novel, share) = (count(found.novel() as u64), 100.0 * found.share());
                page.line("novel", format!("{novel} of the {} items given ({share:.1} %)", items.len()));
                Ok(Learned { model: TrainedMachine::Novelty(model), cost: None, page, expected: None })
            }
        }
    }

    /// The machine that is to be trained on all items, in a part of the time left: a test comes after it.
    fn limited<M: Parameters>(&self, machine: M) -> M {
        match left(self.limit) {
            Some(left) => machine.within(left.mul_f64(TRAINING)),
            None => machine,
        }
    }

    /// Chooses the cost, fits, and says what to expect.
    fn told<M: Candidate<Kernel = CollectionKernel>>(
        &self,
        mut page: Page,
        machine: &M,
        targets: &M::Targets,
        metric: Metric,
        unit: f64,
        fit: impl FnOnce(f64) -> mercer::Result<TrainedMachine>,
    ) -> std::result::Result<Learned, Failure> {
        let (arguments, recipe) = (self.arguments, &self.arguments.recipe);
        let trials = Trials {
            machine,
            examples: examples(self.table, targets),
            kernels: vec![self.kernel.clone()],
            costs: costs(recipe.cost, unit),
            metric,
            seed: recipe.seed,
            observer: self.observer,
            time: left(self.limit).map(|left| left.mul_f64(SEARCHING)),
        };
        let chosen = match recipe.cost {
            None if machine.has_cost() => {
                let cells = trials.search()?;
                match cells.best() {
                    Some(best) => {
                        let summary = best.summary(0)?;
                        let words = format!(
                            "{}, the best of {} in {} folds ({})",
                            number(best.cost.unwrap_or(1.0)),
                            cells.cells.len(),
                            summary.folds,
                            in_words(&metric, summary.mean, None)
                        );
                        Some((best.cost.unwrap_or(1.0), words))
                    }
                    None if self.observer.is_interrupted() => {
                        return Err(Ending::Interrupt.without_result("a cost was tried in all folds"));
                    }
                    // A model with a usual cost is better than none.
                    None => {
                        let words = format!("{}, not chosen: the time was not enough", number(unit));
                        Some((unit, words))
                    }
                }
            }
            cost => cost.map(|cost| (cost, number(cost))),
        };
        let model = fit(chosen.as_ref().map_or(1.0, |(cost, _)| *cost))?;
        kernel_lines(&mut page, model.kernel());
        if let Some((_, words)) = &chosen {
            page.line("cost", words);
        }
        let wants = match arguments.test {
            TestArgument::None => false,
            TestArgument::Folds => true,
            _ => !arguments.quiet && self.table.items.len() <= FEW,
        };
        let expected = match wants && !self.observer.is_interrupted() {
            true => {
                let folds = arguments.folds.map_or(FOLDS, |folds| folds as usize).min(self.table.items.len());
                let nested = Trials { time: left(self.limit), ..trials }.nested(folds)?;
                // A limit of time may have left nothing.
                if nested.folds.is_empty() { None } else { Some(expected(&metric, &nested)?) }
            }
            false => None,
        };
        match &expected {
            Some(expected) => page.line("on new items", format!("expect {expected}")),
            None => page.line("on new items", "not tested (--test folds)"),
        }
        Ok(Learned { model, cost: chosen.map(|(cost, _)| cost), page, expected })
    }
}

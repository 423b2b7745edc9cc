//! `mercer train --machine`: other machines for classes, numbers and novelty.

use std::time::Instant;

use mercer::Error;
use mercer::data::{ItemKind, Items};
use mercer::gram::CollectionKernel;
use mercer::io::MatrixModel;
use serde_json::{Map, json};

use super::fitting::{Fitting, Weighted};
use super::in_time::{failure, tell};
use super::items::{self, Source};
use super::{Manner, TRAINING, fewer, finish, kernel, options, place};
use crate::arguments::{OtherMachine, TestArgument, TrainArguments};
use crate::failure::Failure;
use crate::machines::asked;
use crate::parameters::{self, Given};
use crate::print::{Page, classes, count, note};
use crate::progress::{deadline, left};
use crate::recipe::time_limit;
use crate::source;
use crate::task::{Aim, Task, numbers};
use crate::tasks::describe;

/// Options that all of these machines have.
const SHARED: [&str; 6] = ["--task", "--scale", "--threads", "--memory", "--seed", "--time-limit"];
/// The fraction of a limit of time after which a test has to end.
const TESTING: f64 = 0.4;
/// Items that a test needs at least.
const ENOUGH: usize = 20;

/// `given` are the options for learning that were said.
pub fn run(
    arguments: &TrainArguments,
    machine: OtherMachine,
    given: &[String],
    json: bool,
) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage(Error::Unsupported { what });
    let name = machine.name();
    let known =
        |option: &&String| SHARED.contains(&option.as_str()) || machine.takes().contains(&option.as_str());
    if let Some(option) = given.iter().find(|option| !known(option)) {
        return Err(usage(format!("{option} does not go with --machine {name}: it has no use for it")));
    }
    for (option, said) in [
        ("--from", arguments.from.is_some()),
        ("--tune", arguments.tune),
        ("--folds", arguments.folds.is_some()),
        ("--keep-partial", arguments.keep_partial),
        ("--weight", arguments.table.weight.is_some() && !machine.weighs()),
        ("--group", arguments.table.group.is_some()),
    ] {
        if said {
            return Err(usage(format!("{option} does not go with --machine {name}")));
        }
    }
    let (recipe, own) = (&arguments.recipe, &arguments.other);
    if machine == OtherMachine::Gp && recipe.cost.is_some() && own.starts.is_some() {
        return Err(usage(
            "--starts does not go with --cost: with a noise that is said nothing is learned".into(),
        ));
    }
    if arguments.test == TestArgument::Folds {
        return Err(usage(format!("--test folds does not go with --machine {name}: say held-out or none")));
    }
    if let Some(value) = recipe.cost.filter(|cost| !(*cost > 0.0 && cost.is_finite())) {
        let expected = "a finite number above 0";
        return Err(Failure::Usage(Error::Parameter { name: "cost", value, expected }));
    }
    let task = match (machine.task(), asked(recipe)) {
        (Some(own), Some(said)) if own != said => {
            return Err(usage(format!("--machine {name} does not {}", task_in_words(said))));
        }
        (None, Some(Task::Novelty)) => {
            return Err(usage(format!("--machine {name} does not {}", task_in_words(Task::Novelty))));
        }
        (own, said) => own.or(said),
    };
    let kernel = match &recipe.gamma {
        Some(gamma) => kernel(&format!("gaussian(gamma={gamma})"))?,
        None => kernel(&recipe.kernel)?,
    };
    let kind = kernel.expression().kind();
    match kind {
        ItemKind::KernelValues if matches!(machine, OtherMachine::Gp | OtherMachine::SphereSlab) => {
            Err(Failure::Usage(items::needs_items()))
        }
        ItemKind::KernelValues if machine == OtherMachine::RbfNetwork => {
            Err(Failure::Usage(items::needs_items()))
        }
        ItemKind::KernelValues if arguments.table.weight.is_some() => {
            Err(usage("--weight names a column of a table: kernel values have none".into()))
        }
        ItemKind::Rows | ItemKind::KernelValues => trained(arguments, machine, task, kernel, json),
        _ if machine == OtherMachine::Gp && own.starts.is_some() => Err(usage(
            "--starts is for kernels on rows of numbers: of others only the factor is learned".into(),
        )),
        _ => trained(arguments, machine, task, kernel, json),
    }
}

fn trained(
    arguments: &TrainArguments,
    machine: OtherMachine,
    task: Option<Task>,
    kernel: CollectionKernel,
    json: bool,
) -> Result<(), Failure> {
    let (recipe, data) = (&arguments.recipe, &arguments.data.data);
    let path = place(arguments.output.as_deref(), &[data], arguments.force)?;
    let from = Source {
        path: data,
        reading: &arguments.data.reading,
        table: Some(&arguments.table),
        // Novelty is learned without labels.
        unlabelled: task == Some(Task::Novelty),
        scale: recipe.scale,
        quiet: arguments.quiet || json,
    };
    let limit = time_limit(recipe).map_err(Failure::Usage)?;
    let read = items::read(&kernel, &from)?;
    let in_file = |error: Error| failure(error).in_file(source::name(data));
    let named = |error: Error| error.in_file(source::name(data));
    let column = read.target_name.as_deref();
    let aim = match machine.task() {
        Some(Task::Regress) => {
            let otherwise = ", --machine gp, rvm, lssvm, fisher and others learn classes";
            numbers(&read.targets, column, &read.remarks, otherwise).map(Aim::Numbers)
        }
        _ => Aim::of(task, &read.targets, column, &read.remarks),
    };
    let aim = aim.map_err(named)?;
    if let (Aim::Classes(labels), None) = (&aim, asked(recipe))
        && read.targets.guess().is_regression
        && !(arguments.quiet || json)
    {
        let different = count(labels.classes().len() as u64);
        note(format!(
            "mercer: {different} different numbers are taken for classes; ridge, gp and others learn numbers"
        ));
    }
    let fitting = Fitting {
        machine,
        kernel,
        cost: recipe.cost,
        no_offset: recipe.machine.no_offset,
        nu: recipe.machine.nu,
        own: arguments.other.clone(),
        seed: recipe.seed,
        options: options(recipe.threads, recipe.memory),
        quiet: arguments.quiet || json,
    };
    let (mut page, mut told) = (Page::default(), Map::new());
    page.line("items", &read.shape);
    targets_in_words(&mut page, &aim);
    let from = Weighted { items: &read.items, weights: read.weights.as_deref() };
    match (arguments.test, read.items.len()) {
        (TestArgument::None, _) => {}
        (_, few) if few < ENOUGH => {
            page.line("on new rows", format!("not tested: a test needs {ENOUGH} rows at least"));
        }
        _ => {
            let limit = left(limit).map(|left| left.mul_f64(TESTING));
            let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
            fitting.test(&from, &aim, deadline, &mut page, &mut told).map_err(in_file)?;
        }
    }
    let deadline = deadline(limit.map(|limit| limit.mul_f64(TRAINING)));
    let ((model, chosen), rows) = match fitting.trained(&from, &aim, deadline) {
        Err(error) => {
            // The test, if it was complete, is worth knowing.
            if matches!(error, Error::Interrupted) && !(arguments.quiet || json) {
                page.show()?;
            }
            return Err(in_file(error));
        }
        trained => trained.map_err(in_file)?,
    };
    tell(&mut page, rows.as_deref(), read.items.len());
    if let Some(choice) = &chosen {
        page.line("cost", &choice.words);
        told.insert("cost".into(), json!(choice.cost));
    }
    let chosen = chosen.map(|choice| choice.cost);
    if let (OtherMachine::Gp, None, Some(learned)) =
        (machine, recipe.cost, items::learned_of(&fitting.kernel))
    {
        page.line("learned", learned);
    }
    if let (MatrixModel::Pls(model), Some(asked)) = (&model, arguments.other.components) {
        fewer(&mut page, asked, model.report().components, "nothing is left to be explained");
    }
    let mut saved = read.saved(model, recipe.seed)?;
    let cost = recipe.cost.or(chosen);
    saved.card.cost = cost.unwrap_or(1.0);
    let given = Given {
        cost,
        no_offset: recipe.machine.no_offset,
        nu: recipe.machine.nu,
        seed: recipe.seed,
        items: read.items.len(),
    };
    saved.card.parameters = parameters::of_other(machine, &arguments.other, &given);
    let manner = Manner { quiet: arguments.quiet, json, strict: arguments.strict };
    finish(saved, data, &path, manner, &page, told)
}

/// What is to be learned, so that measurements that are taken for classes are seen.
fn targets_in_words(page: &mut Page, aim: &Aim) {
    match aim {
        Aim::Classes(labels) => page.line("classes", classes(labels.classes(), &labels.counts())),
        Aim::Numbers(targets) => page.line("targets", describe(targets)),
        Aim::Novelty(_) => {}
    }
}

fn task_in_words(task: Task) -> &'static str {
    match task {
        Task::Classify => "learn classes",
        Task::Regress => "learn numbers",
        Task::Novelty => "find what is novel",
    }
}

impl OtherMachine {
    fn name(self) -> &'static str {
        match self {
            OtherMachine::Ridge => "ridge",
            OtherMachine::Gp => "gp",
            OtherMachine::Lssvm => "lssvm",
            OtherMachine::Fisher => "fisher",
            OtherMachine::Rvm => "rvm",
            OtherMachine::Pls => "pls",
            OtherMachine::BayesPoint => "bayes-point",
            OtherMachine::Ordinal => "ordinal",
            OtherMachine::RbfNetwork => "rbf-network",
            OtherMachine::SphereSlab => "sphere-slab",
        }
    }

    /// Options that it has beside those of all.
    fn takes(self) -> &'static [&'static str] {
        match self {
            OtherMachine::Ridge => &["--kernel", "--gamma", "--cost", "--no-offset"],
            OtherMachine::Gp => &["--kernel", "--gamma", "--cost", "--starts", "--rank"],
            OtherMachine::Lssvm | OtherMachine::Ordinal => &["--kernel", "--gamma", "--cost"],
            OtherMachine::Fisher => &["--kernel", "--gamma", "--regularisation", "--rank"],
            OtherMachine::Rvm => &["--kernel", "--gamma", "--no-offset", "--rank"],
            OtherMachine::Pls => &["--kernel", "--gamma", "--components"],
            OtherMachine::BayesPoint => &["--kernel", "--gamma", "--cost", "--perceptrons"],
            OtherMachine::RbfNetwork => &["--cost", "--bumps", "--starts"],
            OtherMachine::SphereSlab => &["--kernel", "--gamma", "--components", "--nu"],
        }
    }

    /// Whether rows may have weights. Partial least squares deflates rows that count alike, perceptrons have no loss that a weight would
    /// multiply, and a slab is about principal components.
    fn weighs(self) -> bool {
        !matches!(self, OtherMachine::Pls | OtherMachine::BayesPoint | OtherMachine::SphereSlab)
    }

    /// What it learns, if that is one thing.
    fn task(self) -> Option<Task> {
        match self {
            OtherMachine::Ridge | OtherMachine::Pls | OtherMachine::Ordinal => Some(Task::Regress),
            OtherMachine::Lssvm | OtherMachine::Fisher | OtherMachine::BayesPoint => Some(Task::Classify),
            OtherMachine::SphereSlab => Some(Task::Novelty),
            OtherMachine::Gp | OtherMachine::Rvm | OtherMachine::RbfNetwork => None,
        }
    }
}

//! `mercer train --machine`: other machines for classes, numbers and novelty.

use mercer::Error;
use mercer::data::{Structures, Vectors};
use serde_json::{Map, json};

use super::fitting::Fitting;
use super::kind::{Kind, Source};
use super::{Named, finish, kernel, options, place};
use crate::arguments::{OtherMachine, TestArgument, TrainArguments};
use crate::failure::Failure;
use crate::machines::asked;
use crate::print::Page;
use crate::source;
use crate::task::{Aim, Task};

/// Options of learning that these machines have.
const KNOWN: [&str; 8] =
    ["--task", "--kernel", "--gamma", "--cost", "--scale", "--threads", "--memory", "--seed"];
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
    if let Some(option) = given.iter().find(|option| !KNOWN.contains(&option.as_str())) {
        return Err(usage(format!("{option} does not go with --machine {name}")));
    }
    for (option, said) in [
        ("--from", arguments.from.is_some()),
        ("--tune", arguments.tune),
        ("--folds", arguments.folds.is_some()),
        ("--keep-partial", arguments.keep_partial),
        ("--weight", arguments.table.weight.is_some()),
        ("--group", arguments.table.group.is_some()),
    ] {
        if said {
            return Err(usage(format!("{option} does not go with --machine {name}")));
        }
    }
    let recipe = &arguments.recipe;
    if let Some(option) = given.iter().find(|option| machine.ignores().contains(&option.as_str())) {
        return Err(usage(format!("{option} does not go with --machine {name}: it has no use for it")));
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
    match kernel {
        Named::Rows(kernel) => trained::<Vectors<'static>>(arguments, machine, task, kernel, json),
        Named::Structures(kernel) => trained::<Structures>(arguments, machine, task, kernel, json),
    }
}

fn trained<I: Kind>(
    arguments: &TrainArguments,
    machine: OtherMachine,
    task: Option<Task>,
    kernel: I::Kernel,
    json: bool,
) -> Result<(), Failure> {
    let (recipe, data) = (&arguments.recipe, &arguments.data.data);
    let path = place(arguments.output.as_deref(), &[data], arguments.force)?;
    let from = Source {
        path: data,
        reading: &arguments.data.reading,
        table: None,
        // Novelty is learned without labels.
        unlabelled: task == Some(Task::Novelty),
        scale: recipe.scale,
        quiet: arguments.quiet || json,
    };
    let read = I::read(&kernel, &from)?;
    let named = |error: Error| error.in_file(source::name(data));
    let column = read.target_name.as_deref();
    let aim = Aim::of(task, &read.targets, column, &read.remarks).map_err(named)?;
    let fitting = Fitting {
        machine,
        kernel,
        cost: recipe.cost,
        seed: recipe.seed,
        options: options(recipe.threads, recipe.memory),
    };
    let (mut page, mut told) = (Page::default(), Map::new());
    page.line("items", &read.shape);
    if arguments.test != TestArgument::None && read.items.len() >= ENOUGH {
        fitting.test(&read.items, &aim, &mut page, &mut told).map_err(named)?;
    }
    let chosen = fitting.choice(&read.items, &aim).map_err(named)?;
    if let Some(choice) = &chosen {
        page.line("cost", &choice.words);
        told.insert("cost".into(), json!(choice.cost));
    }
    let chosen = chosen.map(|choice| choice.cost);
    let model = fitting.fit(&read.items, &aim, chosen).map_err(named)?;
    let mut saved = I::saved(&read, model, recipe.seed)?;
    saved.card.cost = recipe.cost.or(chosen).unwrap_or(1.0);
    finish::<I>(&saved, data, &path, (arguments.quiet, json), &page, told)
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

    /// Options that would change nothing.
    fn ignores(self) -> &'static [&'static str] {
        match self {
            OtherMachine::Rvm | OtherMachine::Pls | OtherMachine::Fisher | OtherMachine::SphereSlab => {
                &["--cost"]
            }
            OtherMachine::RbfNetwork => &["--cost", "--kernel", "--gamma"],
            _ => &[],
        }
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

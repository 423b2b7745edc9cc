//! `mercer train --machine`: other machines for classes and numbers.

use mercer::data::{Items, Labels, Random, Vectors};
use mercer::evaluation::Errors;
use mercer::io::{Answer, MatrixModel};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::one_against_one::winner;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, GaussianProcess, KernelPls, LaplaceClassifier, LeastSquaresSvc,
    MatrixOptions, OrdinalSvm, RelevanceMachine, Ridge,
};
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use super::{finish, kernel, options, place, prepared, some, words};
use crate::arguments::{OtherMachine, TestArgument, TrainArguments};
use crate::failure::Failure;
use crate::machines::asked;
use crate::print::{Page, number};
use crate::task::{Aim, Task};
use crate::{source, tasks};

/// Options of learning that these machines have.
const KNOWN: [&str; 8] =
    ["--task", "--kernel", "--gamma", "--cost", "--scale", "--threads", "--memory", "--seed"];
/// Rows that a test needs at least, and the share of them that is set aside.
const ENOUGH: usize = 20;
const ASIDE: usize = 5;
/// The noise that learning begins with, for targets of variance 1.
const NOISE: &str = " + white(0.1)";

/// `given` are the options for learning that were said.
pub fn run(
    arguments: &TrainArguments,
    machine: OtherMachine,
    given: &[String],
    json: bool,
) -> std::result::Result<(), Failure> {
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
    let kernel = match &recipe.gamma {
        Some(gamma) => kernel(&format!("gaussian(gamma={gamma})"))?,
        None => kernel(&recipe.kernel)?,
    };
    let task = match (machine.task(), asked(recipe)) {
        (_, Some(Task::Novelty)) => {
            return Err(usage(format!("--task novelty does not go with --machine {name}")));
        }
        (Some(own), Some(said)) if own != said => {
            return Err(usage(format!("--machine {name} does not {}", task_in_words(said))));
        }
        (own, said) => own.or(said),
    };
    let data = &arguments.data.data;
    let path = place(arguments.output.as_deref(), data, arguments.force)?;
    let quiet = arguments.quiet || json;
    let read = prepared(data, &arguments.data.reading.options(), recipe.scale, &kernel, quiet)?;
    let named = |error: Error| error.in_file(source::name(data));
    let column = read.table.target_name.as_deref();
    let aim = Aim::of(task, &read.table.targets, column, &read.table.remarks).map_err(named)?;
    let fitting = Fitting {
        machine,
        kernel,
        cost: recipe.cost,
        seed: recipe.seed,
        options: options(recipe.threads, recipe.memory),
    };
    let (mut page, mut told) = (Page::default(), Map::new());
    page.line("rows", words(&read.rows));
    let n = read.rows.len();
    if arguments.test != TestArgument::None && n >= ENOUGH {
        fitting.test(&read.rows, &aim, &mut page, &mut told).map_err(named)?;
    }
    let model = fitting.fit(&read.rows, &aim).map_err(named)?;
    let mut saved = read.saved(model, recipe.seed)?;
    saved.card.cost = recipe.cost.unwrap_or(1.0);
    finish(&saved, data, &path, (arguments.quiet, json), &page, told)
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
        }
    }

    /// What it learns, if that is one thing.
    fn task(self) -> Option<Task> {
        match self {
            OtherMachine::Ridge | OtherMachine::Pls | OtherMachine::Ordinal => Some(Task::Regress),
            OtherMachine::Lssvm | OtherMachine::Fisher | OtherMachine::BayesPoint => Some(Task::Classify),
            OtherMachine::Gp | OtherMachine::Rvm => None,
        }
    }
}

/// What is trained, once on some of the rows and once on all.
struct Fitting {
    machine: OtherMachine,
    kernel: Expression,
    cost: Option<f64>,
    seed: u64,
    options: MatrixOptions,
}

impl Fitting {
    fn fit(&self, rows: &Vectors<'_>, aim: &Aim) -> Result<MatrixModel> {
        match aim {
            Aim::Classes(labels) => self.classes(rows, labels),
            Aim::Numbers(targets) => self.numbers(rows, targets),
            Aim::Novelty(_) => Err(Error::Unsupported { what: "there is nothing to be learned".into() }),
        }
    }

    fn numbers(&self, rows: &Vectors<'_>, targets: &[f64]) -> Result<MatrixModel> {
        let (kernel, options) = (self.kernel.clone(), self.options.clone());
        let cost = self.cost.unwrap_or(1.0);
        let column = || Matrix::new(targets.to_vec(), targets.len(), 1);
        Ok(match self.machine {
            OtherMachine::Ridge => {
                let machine = Ridge::params(kernel).lambda(1.0 / cost).offset(true).options(options);
                MatrixModel::Ridge(machine.check()?.fit(rows, targets)?)
            }
            OtherMachine::Gp => {
                let params =
                    |kernel| GaussianProcess::params(kernel).normalise_targets(true).options(options);
                MatrixModel::GaussianProcess(match self.cost {
                    Some(cost) => params(kernel).noise(1.0 / cost).check()?.fit(rows, targets)?,
                    None => {
                        use mercer::gram::BulkKernel;
                        // A width that the data are to say is one to begin with.
                        let begun = BulkKernel::<Vectors<'_>>::resolve(&kernel, rows, None)?;
                        let noisy: Expression = format!("1 * ({begun}){NOISE}").parse()?;
                        params(noisy).check()?.fit_learned(rows, &column()?)?
                    }
                })
            }
            OtherMachine::Rvm => {
                let machine = RelevanceMachine::params(kernel).options(options).check()?;
                MatrixModel::Relevance(machine.fit(rows, targets)?)
            }
            OtherMachine::Ordinal => {
                let machine = OrdinalSvm::params(kernel).cost(cost).options(options).check()?;
                MatrixModel::Ordinal(machine.fit(rows, targets)?)
            }
            _ => {
                let machine = KernelPls::params(kernel).components(5).options(options).check()?;
                MatrixModel::Pls(machine.fit(rows, &column()?)?)
            }
        })
    }

    fn classes(&self, rows: &Vectors<'_>, labels: &Labels) -> Result<MatrixModel> {
        let (kernel, options) = (self.kernel.clone(), self.options.clone());
        let cost = self.cost.unwrap_or(1.0);
        Ok(match self.machine {
            OtherMachine::Lssvm => {
                let machine = LeastSquaresSvc::params(kernel).cost(cost).options(options).check()?;
                MatrixModel::LeastSquares(machine.fit(rows, labels)?)
            }
            OtherMachine::Fisher => {
                let machine = FisherDiscriminant::params(kernel).options(options).check()?;
                MatrixModel::Fisher(machine.fit(rows, labels)?)
            }
            OtherMachine::Gp => {
                use mercer::gram::BulkKernel;
                let begun = BulkKernel::<Vectors<'_>>::resolve(&kernel, rows, None)?;
                let scaled: Expression = format!("1 * ({begun})").parse()?;
                let machine = LaplaceClassifier::params(scaled).options(options).check()?;
                MatrixModel::Laplace(match self.cost {
                    Some(_) => machine.fit(rows, labels)?,
                    None => machine.fit_learned(rows, labels)?,
                })
            }
            OtherMachine::Rvm => {
                let machine = RelevanceMachine::params(kernel).options(options).check()?;
                MatrixModel::Relevance(machine.fit_classes(rows, labels)?)
            }
            _ => {
                // Labels with noise are told apart too.
                let machine = BayesPointMachine::params(kernel).softness(1.0 / cost).seed(self.seed);
                MatrixModel::BayesPoint(machine.options(options).check()?.fit(rows, labels)?)
            }
        })
    }

    /// Learns without a fifth of the rows, and asks about them.
    fn test(
        &self,
        rows: &Vectors<'_>,
        aim: &Aim,
        page: &mut Page,
        told: &mut Map<String, Value>,
    ) -> Result<()> {
        let n = rows.len();
        let mut order: Vec<usize> = (0..n).collect();
        Random::new(self.seed).shuffle(&mut order);
        let (aside, others) = order.split_at(n / ASIDE);
        let (known, new) = (some(rows, others), some(rows, aside));
        let how = format!("learned from {} rows, tested on {} others", others.len(), aside.len());
        match aim {
            Aim::Classes(labels) => {
                let model = self.classes(&known, &labels.select(others))?;
                let values = model.values(&new)?;
                let classes = model.classes().unwrap_or_default();
                let right = values
                    .chunks(classes.len().max(1))
                    .zip(aside)
                    .filter(|(scores, row)| classes[winner(scores)] == labels.text(**row))
                    .count();
                let share = 100.0 * right as f64 / aside.len() as f64;
                page.line("on new rows", format!("expect {share:.1} % right ({how})"));
                told.insert("accuracy".into(), json!(share / 100.0));
            }
            Aim::Numbers(targets) => {
                let of = |rows: &[usize]| rows.iter().map(|&row| targets[row]).collect::<Vec<f64>>();
                let model = self.numbers(&known, &of(others))?;
                debug_assert_eq!(model.answer(), Answer::Numbers);
                let errors = Errors::new(&of(aside), &model.values(&new)?, None)?;
                let error = number(errors.root_mean_squared);
                page.line("on new rows", format!("expect an RMSE of {error} ({how})"));
                tasks::errors(page, &errors);
                told.insert("test".into(), json!(errors));
            }
            Aim::Novelty(_) => {}
        }
        Ok(())
    }
}

//! Going on from an earlier model: what it says about its training, and which rows it knows.
//!
//! A training that goes on solves the problem of the earlier one, so all that makes up the problem is the model's: scaling,
//! kernel, kind of machine. Numbers that only move the solution (cost, nu, tube, class weights) are the model's unless others
//! are given.

use std::path::{Path, PathBuf};

use mercer::data::{Collection, Feature, FeatureValues, Items, Scaling, Table, Vectors};
use mercer::io::{Model, TrainedMachine};
use mercer::kernel::Expression;
use mercer::machine::{Decision, Loss, Multiclass, Probability, Region, Softness};
use mercer::{Error, Result};

use crate::arguments::{
    LossArgument, MulticlassArgument, ProbabilityArgument, RecipeArguments, RegionArgument, SlackArgument,
    TaskArgument, TestArgument, TrainArguments,
};
use crate::load::load_of_rows;
use crate::print::{count, plural};
use crate::recipe::kernel;
use crate::{machines, model, precomputed};

/// A model to go on from.
pub struct Earlier {
    path: PathBuf,
    saved: Model,
}

fn refuse<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::Unsupported { what: what.into() })
}

impl Earlier {
    /// Reads the model, and refuses one whose training cannot be gone on with.
    pub fn load(path: &Path) -> Result<Self> {
        let saved = load_of_rows(path)?;
        let problem = match &saved.machine {
            _ if precomputed::is_precomputed(&saved) => {
                "it was trained on kernel values: --from is for features"
            }
            TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) => {
                "it has weights of features, not coefficients of rows to begin with"
            }
            TrainedMachine::Matrix(_) => "its system was solved at once: there is nothing to go on with",
            TrainedMachine::Novelty(model) if model.region() == Region::Centre => {
                "the sphere about the centre takes no training: there is nothing to go on with"
            }
            _ if saved.card.stop.is_empty() => {
                "it does not tell how it was trained: mercer train did not make it"
            }
            model if model.status().is_none() => {
                "a model of another program does not tell which rows its support vectors were"
            }
            _ => return Ok(Earlier { path: path.into(), saved }),
        };
        refuse(format!("--from: {problem}")).map_err(|error: Error| error.in_file(path))
    }

    /// The kernel with its parameters as the model has them.
    pub fn kernel(&self) -> &Expression {
        self.saved.machine.kernel().expression().on_rows().expect("the model was loaded as one of rows")
    }

    pub fn scaling(&self) -> Option<&Scaling> {
        self.saved.scaling.as_ref()
    }

    /// The model in words.
    pub fn in_words(&self) -> String {
        let support = plural(model::support_vectors(&self.saved.machine) as u64, "support vector");
        format!("{}: {support} to begin with; kernel and scaling are its own", self.path.display())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The arguments with what the model says in place of what is not said; `given` are the options that were.
    ///
    /// # Errors
    /// Another machine, kernel or scaling than that of the model.
    pub fn take_over(&self, arguments: &TrainArguments, given: &[String]) -> Result<TrainArguments> {
        let mut taken = arguments.clone();
        if arguments.folds.is_some() || matches!(arguments.test, TestArgument::Folds | TestArgument::HeldOut)
        {
            return refuse(
                "--from does not go with a test, which would train from nothing: \
                 mercer evaluate tests the model on other rows",
            );
        }
        taken.test = TestArgument::None;
        let recipe = &mut taken.recipe;
        self.take_kernel(recipe, given)?;
        let own = self.scaling().map(Scaling::kind);
        if !recipe.scale.is_auto() && recipe.scale.kind(false, self.kernel().needs_non_negative())? != own {
            let own = own.map_or("none".into(), |kind| kind.to_string());
            return refuse(format!(
                "--scale: the model of --from has another scaling ({own}), which is kept"
            ));
        }
        match &self.saved.machine {
            TrainedMachine::Svr(model) => {
                take_task(recipe, TaskArgument::Regress, "a regression")?;
                take_loss(recipe, model.loss())?;
            }
            TrainedMachine::Novelty(model) => {
                take_task(recipe, TaskArgument::Novelty, "a novelty detector")?;
                let region = match model.region() {
                    Region::Centre => RegionArgument::Centre,
                    Region::Sphere => RegionArgument::Sphere,
                    Region::Hyperplane => RegionArgument::Hyperplane,
                };
                take("--region", &mut recipe.machine.region, region, model.region())?;
                take_softness(recipe, model.softness())?;
                let share = self.note(machines::CONTAMINATION).and_then(|share| share.parse().ok());
                recipe.machine.contamination = recipe.machine.contamination.or(share);
            }
            TrainedMachine::Svc(model) => {
                let (multiclass, name) = match model.pairs().decision {
                    Decision::Graph => (MulticlassArgument::Graph, "graph"),
                    _ => (MulticlassArgument::OneAgainstOne, "one-against-one"),
                };
                self.take_classifier(recipe, multiclass, name)?;
                let kind = model.pairs().calibration.as_ref().map(|calibration| match calibration.kind {
                    Probability::Consistent => ProbabilityArgument::Consistent,
                    Probability::Platt => ProbabilityArgument::Platt,
                    Probability::Isotonic => ProbabilityArgument::Isotonic,
                });
                recipe.machine.probabilities = recipe.machine.probabilities.or(kind);
            }
            TrainedMachine::Classes(model) => {
                let multiclass = match model.machine() {
                    Multiclass::OneAgainstRest => MulticlassArgument::OneAgainstRest,
                    Multiclass::WestonWatkins => MulticlassArgument::WestonWatkins,
                    Multiclass::CrammerSinger => MulticlassArgument::CrammerSinger,
                };
                self.take_classifier(recipe, multiclass, multiclass.name())?;
            }
            TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) | TrainedMachine::Matrix(_) => {}
        }
        for (option, note, flag) in [
            ("--unit-length", machines::SCALE, &mut recipe.machine.unit_length),
            ("--no-offset", machines::OFFSET, &mut recipe.machine.no_offset),
        ] {
            let own = self.note(note).is_some();
            if *flag && !own {
                return refuse(format!("{option}: the model of --from was trained without it"));
            }
            *flag = own;
        }
        // Machines without a cost have a 1 on their card.
        if machines::has_cost(recipe) {
            recipe.cost.get_or_insert(self.saved.card.cost);
        }
        Ok(taken)
    }

    fn note(&self, name: &str) -> Option<&str> {
        self.saved.card.notes.get(name).map(String::as_str)
    }

    /// The kernel of the model, unless another was named; automatic parameters are what the model found them to be.
    fn take_kernel(&self, recipe: &mut RecipeArguments, given: &[String]) -> Result<()> {
        let own = self.kernel().to_string();
        if given.iter().any(|option| option == "--kernel" || option == "--gamma") {
            let asked = kernel(recipe)?.map_or(precomputed::NAME.into(), |kernel| kernel.to_string());
            let automatic = ["median", "scale", "auto"].iter().any(|word| asked.contains(word));
            if asked != own && !(automatic && without_values(&asked) == without_values(&own)) {
                return refuse(format!("--kernel {asked}: the model of --from has {own}, which is kept"));
            }
        }
        recipe.gamma = None;
        recipe.kernel = own;
        Ok(())
    }

    /// Slack, way to tell classes apart, and class weights.
    fn take_classifier(
        &self,
        recipe: &mut RecipeArguments,
        multiclass: MulticlassArgument,
        name: &str,
    ) -> Result<()> {
        take_task(recipe, TaskArgument::Classify, "a classifier")?;
        take("--multiclass", &mut recipe.machine.multiclass, multiclass, name)?;
        let formulation = self.note(machines::FORMULATION).unwrap_or("slack linear");
        let (slack, nu) = match formulation.trim_start_matches("slack ").split_once(" = ") {
            Some(("nu", nu)) => (Some(SlackArgument::Nu), nu.parse().ok()),
            None => (SlackArgument::of(formulation.trim_start_matches("slack ")), None),
            _ => (None, None),
        };
        let Some(slack) = slack else {
            return refuse(format!("--from: the model has an unknown {formulation}"));
        };
        // Joint machines know of no other slack.
        if recipe.machine.slack.is_some() || slack != SlackArgument::Linear {
            take("--slack", &mut recipe.machine.slack, slack, slack.name())?;
        }
        recipe.machine.nu = recipe.machine.nu.or(nu);
        if let Some(weights) = self.note(machines::CLASS_WEIGHTS).filter(|_| recipe.class_weight.is_empty()) {
            recipe.class_weight = serde_json::from_str(weights)
                .or_else(|_| refuse(format!("--from: the model has unknown class weights {weights}")))?;
        }
        Ok(())
    }

    /// The model, its support rows by their places in a table that must hold them.
    ///
    /// # Errors
    /// Columns, rows or classes that are not those of the model.
    pub fn of_rows(&self, table: &Table<'_>, classes: &[String]) -> Result<TrainedMachine> {
        let Model { machine: model, schema, .. } = &self.saved;
        if let (Some(own), Some(other)) = (schema, table.schema.as_deref())
            && !own.features.iter().map(meaning).eq(other.features.iter().map(meaning))
        {
            return refuse("the columns are not those that the model of --from was trained on");
        }
        if let Ok(own) = model.classes()
            && own != classes
        {
            let (own, other) = (own.join(", "), classes.join(", "));
            return refuse(format!("the model of --from tells {own} apart, and these rows are {other}"));
        }
        let items = Collection::from(&table.vectors);
        let items = self.saved.prepare(&items)?;
        let (rows, support) = (items.rows()?, model.support_items().rows()?);
        let numbers = table.remarks.numbers(rows.len()).unwrap_or_else(|| (0..rows.len()).collect());
        for (item, &number) in model.support_rows().iter().enumerate() {
            match numbers.binary_search(&number) {
                Ok(place) if values(rows, place) == values(support, item) => {}
                Ok(_) => {
                    let row = count(number as u64 + 1);
                    return refuse(format!(
                        "row {row} is not the one that the model of --from was trained on"
                    ));
                }
                Err(_) => {
                    let (row, rows) = (count(number as u64 + 1), count(rows.len() as u64));
                    return refuse(format!(
                        "row {row}, a support vector of the model of --from, is not among the {rows} rows"
                    ));
                }
            }
        }
        // Rows are known by their numbers in the file; those that were left out support nothing.
        let mut places = vec![0; numbers.last().map_or(0, |last| last + 1)];
        numbers.iter().enumerate().for_each(|(place, &number)| places[number] = place);
        Ok(model.clone().renumbered(&places))
    }
}

/// Name and words of a column, without the means and shares that more rows change.
fn meaning(feature: &Feature) -> (Option<&String>, Option<&[String]>) {
    let levels = match &feature.values {
        FeatureValues::Numbers { .. } => None,
        FeatureValues::Words { levels, .. } => Some(levels.as_slice()),
    };
    (feature.name.as_ref(), levels)
}

/// A row as its values that are not 0, so that sparse and dense rows of the same numbers are the same.
fn values(rows: &Vectors<'_>, row: usize) -> Vec<(usize, f64)> {
    let mut values = Vec::new();
    rows.get(row).for_each(|column, value| {
        if value != 0.0 {
            values.push((column, value));
        }
    });
    values
}

/// A kernel without the values of its parameters.
fn without_values(kernel: &str) -> String {
    let mut inside = false;
    kernel
        .chars()
        .filter(|&letter| {
            inside = (inside || letter == '=') && !matches!(letter, ',' | ')');
            !inside
        })
        .collect()
}

/// What the model has, unless something else was said.
fn take<T: PartialEq>(option: &str, given: &mut Option<T>, own: T, name: impl std::fmt::Debug) -> Result<()> {
    if given.as_ref().is_some_and(|given| *given != own) {
        let name = format!("{name:?}").trim_matches('"').to_lowercase();
        return refuse(format!("{option}: the model of --from has another one ({name}), which is kept"));
    }
    *given = Some(own);
    Ok(())
}

fn take_task(recipe: &mut RecipeArguments, own: TaskArgument, name: &str) -> Result<()> {
    let asked = machines::asked(recipe);
    recipe.task = own;
    match asked {
        Some(task) if machines::asked(recipe) != Some(task) => {
            refuse(format!("the model of --from is {name}, and another task is asked for"))
        }
        _ => Ok(()),
    }
}

fn take_loss(recipe: &mut RecipeArguments, own: Loss) -> Result<()> {
    let machine = &mut recipe.machine;
    let (loss, parameter, value) = match own {
        Loss::Linear { tube } => (LossArgument::Linear, &mut machine.tube, tube),
        Loss::Quadratic { tube } => (LossArgument::Quadratic, &mut machine.tube, tube),
        Loss::Huber { width } => (LossArgument::Huber, &mut machine.width, width),
        Loss::Quantile { level } => (LossArgument::Quantile, &mut machine.level, level),
        Loss::Nu { nu } => (LossArgument::Nu, &mut machine.nu, nu),
    };
    parameter.get_or_insert(value);
    take("--loss", &mut machine.loss, loss, loss.name())
}

fn take_softness(recipe: &mut RecipeArguments, own: Softness) -> Result<()> {
    let slack = match own {
        Softness::Hard => SlackArgument::None,
        Softness::Nu(nu) => {
            recipe.machine.nu.get_or_insert(nu);
            SlackArgument::Nu
        }
        Softness::Cost(cost) => {
            recipe.cost.get_or_insert(cost);
            SlackArgument::Linear
        }
        Softness::Quadratic(cost) => {
            recipe.cost.get_or_insert(cost);
            SlackArgument::Quadratic
        }
    };
    take("--slack", &mut recipe.machine.slack, slack, slack.name())
}

//! Learning from rows of features: one way for all tasks.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mercer::data::{Examples, Items, ReadOptions, Remarks, Scaling, Schema, Table, TargetList, Vectors};
use mercer::evaluation::{Aside, Assessment, Choice, Learned, Tested};
use mercer::gram::BulkKernel;
use mercer::io::{ModelCard, TrainedMachine};
use mercer::kernel::Expression;
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use crate::arguments::TrainArguments;
use crate::earlier::Earlier;
use crate::failure::Failure;
use crate::machines::{asked, check_for, classifier, detector, is_per_class, per_class, regression};
use crate::place::Place;
use crate::print::{Page, count, note, number, shape};
use crate::progress::Observer;
use crate::recipe::{recipe, time_limit};
use crate::task::Aim;
use crate::tasks::{Telling, show};
use crate::{output, progress, source, testing};

/// What training gives, before it is saved and told.
pub struct Trained {
    pub model: TrainedMachine,
    pub scaling: Option<Scaling>,
    pub card: ModelCard,
    /// The cost; `None` for a machine without one.
    pub cost: Option<f64>,
    pub story: Story,
    /// The data in words.
    pub shape: String,
    /// How a table was read, and what was noticed.
    pub schema: Option<Arc<Schema>>,
    pub remarks: Remarks,
    /// Rows learned from and rows there were to learn from, if the time was not enough for all.
    pub part: Option<(usize, usize)>,
    /// When the data were read.
    pub begun: Instant,
    pub seconds: f64,
}

/// What is told about a training, and differs from task to task.
#[derive(Default)]
pub struct Story {
    /// What there is to be learned.
    pub targets: Page,
    /// Where the cost comes from.
    pub cost: Option<String>,
    /// How good the model is.
    pub quality: Page,
    /// All of it for programs.
    pub json: Map<String, Value>,
    /// What to expect of new rows, for the card of the model.
    pub expected: Option<String>,
    /// What the user should know beyond the summary.
    pub advice: Option<&'static str>,
}

/// All that learning from rows of features needs to know.
pub struct Learning<'a> {
    pub arguments: &'a TrainArguments,
    pub options: ReadOptions,
    pub output: &'a Path,
    pub observer: &'a Observer,
    /// The model to go on from.
    pub earlier: Option<&'a Earlier>,
}

impl Learning<'_> {
    pub fn learn(&self, table: Table<'static>, kernel: Expression) -> std::result::Result<Trained, Failure> {
        let arguments = &self.arguments.recipe;
        let named = |error: Error| error.in_file(source::name(&self.arguments.data.data));
        let column = table.target_name.as_deref();
        let aim = Aim::of(asked(arguments), &table.targets, column, &table.remarks).map_err(named)?;
        check_for(arguments, aim.task()).map_err(Failure::Usage)?;
        check_names(table.schema.as_deref()).map_err(named)?;
        Ok(match aim {
            Aim::Classes(labels) if arguments.machine.multiclass.is_some_and(is_per_class) => {
                let machine = per_class(arguments, kernel.clone())?;
                self.follow(table, machine, &kernel, labels.classes(), &labels)?
            }
            Aim::Classes(labels) => {
                let machine = classifier(arguments, kernel.clone())?;
                self.follow(table, machine, &kernel, labels.classes(), &labels)?
            }
            Aim::Numbers(targets) => {
                let machine = regression(arguments, kernel.clone())?;
                self.follow(table, machine, &kernel, &[], &targets)?
            }
            Aim::Novelty(kinds) => {
                if let (None, Some(column)) = (&kinds, &table.target_name) {
                    note(format!(
                        "mercer: column `{column}` is taken for the label and left out: \
                         --label none makes it a feature"
                    ));
                }
                let machine = detector(arguments, kernel.clone())?;
                let kinds = kinds.unwrap_or_else(|| Aside::unknown(table.rows()));
                self.follow(table, machine, &kernel, &[], &kinds)?
            }
        })
    }

    /// Follows the recipe that the command line stands for.
    fn follow<M: Telling>(
        &self,
        table: Table<'static>,
        machine: M,
        kernel: &Expression,
        classes: &[String],
        targets: &M::Targets,
    ) -> std::result::Result<Trained, Failure> {
        let arguments = self.arguments;
        let begun = Instant::now();
        let limit = time_limit(&arguments.recipe)?;
        let (deadline, left) = (progress::deadline(limit), progress::left(limit));
        let rows = &table.vectors;
        let recipe = recipe(&arguments.recipe, machine, kernel, rows, left).map_err(Failure::Usage)?;
        let weights = table.weights.as_deref();
        let named = |error: Error| error.in_file(source::name(&arguments.data.data));
        let earlier = match self.earlier {
            Some(earlier) => M::of_any(earlier.of_rows(&table, classes).map_err(named)?),
            None => None,
        };
        let scaling = match self.earlier {
            Some(earlier) => earlier.scaling().cloned(),
            None => recipe.scaling.map(|kind| Scaling::fit_weighted(kind, rows, weights)).transpose()?,
        };
        self.check(scaling.as_ref(), kernel, &table, classes)?;

        let testing = testing::decide(
            arguments.test,
            arguments.folds.map(|folds| folds as usize),
            rows.len(),
            limit.is_some(),
            arguments.quiet,
        );
        let groups = table.groups.as_deref();
        let examples = Examples { items: rows, targets, weights, groups };
        let observer = |progress: &_| self.observer.show(progress);
        let tested = match &earlier {
            Some(earlier) => recipe.learn_from(examples, scaling, earlier, &observer).map(|learned| {
                let why = "not tested: it goes on from an earlier model".to_string();
                Tested { learned, test: Err(why), rows: None }
            }),
            None => recipe.learn_and_test(examples, testing, deadline, &observer),
        };
        let Tested { learned, test, rows: some } = tested.map_err(named)?;
        let seconds = begun.elapsed().as_secs_f64();
        // Models that were cut short, or trained before this one, say nothing about it.
        let test = match self.observer.is_interrupted() {
            true => Err("not tested: interrupted".to_string()),
            false => test,
        };

        let mut card = match &some {
            Some(some) => ModelCard::of(&rows.select(some)),
            None => ModelCard::of(rows),
        };
        card.feature_names = table.feature_names;
        card.target_name = table.target_name;
        let story = story(arguments, examples, &learned, test.as_ref())?;
        let part = learned.rows.as_ref().map(|some| (some.len(), rows.len()));
        let model = M::any(learned.model);
        let choice = learned.choice.map(|choice| choice.cost);
        Ok(Trained {
            // Rows are known by their numbers in the file.
            model: match table.remarks.numbers(rows.len()) {
                Some(numbers) => model.renumbered(&numbers),
                None => model,
            },
            scaling: learned.scaling,
            cost: choice.or(arguments.recipe.cost),
            card,
            story,
            shape: shape_of_table(rows, table.schema.as_deref(), groups, weights),
            schema: table.schema,
            remarks: table.remarks,
            part,
            begun,
            seconds,
        })
    }

    /// Finds what is wrong with rows, or with the output for such a model, while all rows are there under their
    /// numbers.
    fn check(
        &self,
        scaling: Option<&Scaling>,
        kernel: &Expression,
        table: &Table<'_>,
        classes: &[String],
    ) -> std::result::Result<(), Failure> {
        let (rows, schema) = (&table.vectors, table.schema.as_deref());
        output::check_model(self.output, classes, scaling, schema, kernel).map_err(Failure::Usage)?;
        let options = ReadOptions { schema: table.schema.clone(), ..self.options.clone() };
        let data = &self.arguments.data.data;
        let place = Place { data, options: &options, written: rows, scaling, before: 0 };
        let named = |error| place.name(error);
        let scaled = scaling.map(|scaling| scaling.apply(rows)).transpose().map_err(named)?;
        BulkKernel::resolve(kernel, scaled.as_ref().unwrap_or(rows), table.weights.as_deref())
            .map_err(named)?;
        Ok(())
    }
}

/// What is told about what was learned.
fn story<M: Telling>(
    arguments: &TrainArguments,
    examples: Examples<'_, Vectors<'_>, M::Targets>,
    learned: &Learned<M>,
    test: std::result::Result<&Assessment<M::Outcome>, &String>,
) -> Result<Story> {
    let Examples { items: rows, targets, weights, .. } = examples;
    let mut story = Story::default();
    // Rows without weight say nothing.
    let counted: Vec<usize> = (0..rows.len()).filter(|&row| weights.is_none_or(|of| of[row] > 0.0)).collect();
    let targets = targets.select(&counted);
    M::targets(&mut story.targets, &targets);
    let (name, value) = M::targets_json(&targets);
    story.json.insert(name.into(), value);
    story.json.insert("choice".into(), json!(learned.choice));
    story.json.insert("test".into(), json!(test.ok()));
    story.cost = match (&learned.choice, arguments.recipe.cost) {
        (Some(choice), _) => Some(choice_in_words(&learned.machine, choice)),
        (None, Some(cost)) => Some(number(cost)),
        (None, None) if learned.machine.has_cost() => {
            Some("1, not chosen: no class has rows enough to learn from some and test the others".into())
        }
        (None, None) => None,
    };
    match test {
        Ok(test) => {
            show::<M>(&mut story.quality, test);
            story.expected = Some(M::in_words(test));
            story.advice = M::advice(test);
        }
        Err(why) => story.quality.line("on new rows", why),
    }
    if !arguments.quiet {
        M::own_rows(learned, rows, weights, &mut story.quality, &mut story.json)?;
    }
    Ok(story)
}

/// The cost, and what it was chosen from.
fn choice_in_words<M: Telling>(machine: &M, choice: &Choice) -> String {
    let best = choice.tried.iter().find(|tried| tried.cost == choice.cost);
    let (Some(best), Some(first), Some(last)) = (best, choice.tried.first(), choice.tried.last()) else {
        return number(choice.cost);
    };
    format!(
        "{}, the best of {} from {} to {} in {} folds of {} rows ({}){}",
        number(choice.cost),
        choice.tried.len(),
        number(first.cost),
        number(last.cost),
        best.folds.len(),
        count(choice.rows as u64),
        machine.tried(best.mean()),
        if choice.cut_short { "; the time ran out before larger ones were tried" } else { "" }
    )
}

/// Refuses two columns of one name: in a table to come they could not be told apart.
fn check_names(schema: Option<&Schema>) -> Result<()> {
    let Some(schema) = schema else { return Ok(()) };
    let names =
        schema.features.iter().map(|feature| feature.name.as_ref()).chain([schema.label_name.as_ref()]);
    let mut seen = std::collections::BTreeSet::new();
    match names.flatten().find(|name| !seen.insert(*name)) {
        Some(name) => {
            let what = format!("two columns are called `{name}`: rename one, or --ignore it by its number");
            Err(Error::Unsupported { what })
        }
        None => Ok(()),
    }
}

/// Rows, columns, and what the columns of a table became.
fn shape_of_table(
    rows: &Vectors<'_>,
    schema: Option<&Schema>,
    groups: Option<&[u64]>,
    weights: Option<&[f64]>,
) -> String {
    let mut text = shape(rows);
    if let Some(schema) = schema.filter(|schema| schema.has_words()) {
        text +=
            &format!(", from {} of the table, words as one column each", count(schema.features.len() as u64));
    }
    text + &beside(groups, weights)
}

/// What is said of weights and groups.
pub fn beside(groups: Option<&[u64]>, weights: Option<&[f64]>) -> String {
    let mut text = String::new();
    if let Some(weights) = weights {
        text += ", weighted";
        match weights.iter().filter(|&&weight| weight == 0.0).count() {
            0 => {}
            none => text += &format!(" ({} with the weight 0)", count(none as u64)),
        }
    }
    if let Some(groups) = groups {
        let different: std::collections::BTreeSet<&u64> = groups.iter().collect();
        text += &format!(", {} groups", count(different.len() as u64));
    }
    text
}

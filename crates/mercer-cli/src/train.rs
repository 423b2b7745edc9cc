//! `mercer train`

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use mercer::data::{
    Contents, Examples, Items, Labels, ReadOptions, Remarks, Scaling, Schema, Table, Vectors,
};
use mercer::evaluation::{Assessment, Choice, Recipe};
use mercer::gram::{BulkKernel, Precision};
use mercer::io::{AnyModel, ModelCard, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::SvcModel;
use mercer::resources::{InstructionSet, Workers};
use mercer::solver::Status;
use mercer::{Error, Result};

use crate::arguments::TrainArguments;
use crate::failure::Failure;
use crate::place::Place;
use crate::print::{
    Page, certificate, classes, count, duration, note, number, shape, support, time, to_stdout,
};
use crate::progress::Observer;
use crate::recipe::{kernel, parameters, recipe, stop, time_limit};
use crate::score::Score;
use crate::{output, precomputed, remarks, source, task, testing};

/// A gap of a converged model that is pointed out.
const LARGE_GAP: f64 = 0.01;

/// What training gives, before it is saved and told.
pub struct Trained {
    pub model: SvcModel<Expression, Vectors<'static>>,
    pub scaling: Option<Scaling>,
    pub card: ModelCard,
    pub labels: Labels,
    /// How the cost was chosen, if it was.
    pub choice: Option<Choice>,
    pub quality: Quality,
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

/// What can be said about how good a model is.
pub enum Quality {
    /// It was tested on other rows.
    Tested(Assessment),
    /// It was tried on its own rows.
    OwnRows(Score),
    /// Why nothing can be said.
    Unknown(&'static str),
}

pub fn run(arguments: &TrainArguments, json: bool) -> std::result::Result<(), Failure> {
    let output = match &arguments.output {
        Some(output) => output.clone(),
        None if source::is_standard(&arguments.data.data) => {
            let what = "data from standard input have no name for the model to take: say -o FILE".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        None => output::beside(&arguments.data.data),
    };
    if !source::is_standard(&output) {
        output::check(&output, arguments.force, &[&arguments.data.data])?;
    }
    // Parameters are checked before the data are read, which may take long.
    let kernel = kernel(&arguments.recipe).map_err(Failure::Usage)?;
    parameters(&arguments.recipe, ()).map_err(Failure::Usage)?;

    let reading = Instant::now();
    let options = arguments.table.add_to(arguments.data.reading.options());
    let contents = source::read(&arguments.data.data, &options)?;
    let observer = Observer::new(arguments.quiet || json, arguments.recipe.tolerance);
    let data = source::name(&arguments.data.data);
    let outcome = match (contents, kernel) {
        (Contents::Table(table), Some(kernel)) => {
            let learning = Learning { arguments, options, output: &output, observer: &observer, reading };
            learning.learn(table, kernel)
        }
        (Contents::Precomputed(values), None) => precomputed::learn(arguments, values, &output, &observer),
        (Contents::Table(_), None) => Err(precomputed::no_kernel_values(&data)),
        (Contents::Precomputed(_), Some(_)) => Err(precomputed::kernel_values(&data)),
    };
    observer.clear();
    let Trained {
        model,
        scaling,
        mut card,
        labels,
        choice,
        quality,
        shape,
        schema,
        remarks,
        part,
        begun,
        seconds,
    } = outcome?;
    if !arguments.quiet {
        remarks::tell(&remarks);
    }
    let read_seconds = (begun - reading).as_secs_f64();
    if observer.is_interrupted() && !arguments.keep_partial {
        let reached =
            model.pairs().reports.iter().map(|report| report.certificate.kkt_gap).fold(0.0, f64::max);
        note(format!(
            "mercer: interrupted after {}, the KKT gap was {}; nothing is saved (--keep-partial saves what was reached)",
            time(seconds),
            number(reached)
        ));
        return Err(Failure::Interrupted);
    }

    card.cost = choice.as_ref().map_or(arguments.recipe.cost.unwrap_or(1.0), |choice| choice.cost);
    card.stop = stop(&arguments.recipe);
    card.instruction_set = InstructionSet::from_environment()?.name().to_string();
    card.notes.insert("seed".into(), arguments.recipe.seed.to_string());
    if let Some((learned, all)) = part {
        card.notes.insert("time limit".into(), format!("{learned} of {all} rows were learned from"));
    }
    if let Quality::Tested(test) = &quality {
        card.notes.insert("expected".into(), testing::in_words(test));
    }
    let saved = SavedModel::new(AnyModel::Svc(model), scaling, card)
        .with_schema(schema.map(|schema| (*schema).clone()));
    output::save(&saved, &output)?;
    let model = saved.model.classifier()?;
    // A model that goes to standard output leaves no room for words there.
    let tell = |text: &str| match source::is_standard(&output) {
        true => {
            note(text.trim_end());
            Ok(())
        }
        false => to_stdout(|out| Ok(out.write_all(text.as_bytes())?)),
    };
    if json {
        let summary = serde_json::json!({
            "data": arguments.data.data,
            "shape": shape,
            "classes": labels.classes().iter().cloned().zip(labels.counts()).collect::<BTreeMap<_, _>>(),
            "scaling": saved.scaling.as_ref().map(|scaling| scaling.kind().to_string()),
            "kernel": precomputed::kernel_of(&saved),
            "cost": saved.card.cost,
            "choice": choice,
            "test": match &quality {
                Quality::Tested(test) => Some(test),
                _ => None,
            },
            "support_vectors": model.pairs().support.len(),
            "status": model.status(),
            "rows_learned": part.map(|(learned, _)| learned),
            "reports": model.pairs().reports,
            "reading_seconds": read_seconds,
            "learning_seconds": seconds,
            "model": output,
        });
        tell(&format!("{summary:#}\n"))?;
    } else if !arguments.quiet {
        let mut page = Page::default();
        page.line("data", format!("{}: {shape}", data.display()));
        page.line("classes", classes(labels.classes(), &labels.counts()));
        page.line("scaling", scaling_in_words(arguments, &saved));
        page.line("kernel", kernel_in_words(arguments, &saved));
        page.line("cost", cost_in_words(arguments, choice.as_ref()));
        match &quality {
            Quality::Tested(test) => testing::show(&mut page, test),
            Quality::OwnRows(score) => page.line("on these rows", score),
            Quality::Unknown(why) => page.line("on new rows", why),
        }
        if let Some((learned, all)) = part {
            let (some, all) = (count(learned as u64), count(all as u64));
            let what = if observer.is_interrupted() { "interrupted" } else { "time limit" };
            page.line(what, format!("there was time for {some} of {all} rows, drawn at random"));
        }
        support(&mut page, model.pairs());
        if model.precision() == Precision::F32 {
            page.line("precision", "single, which the gaps below allow for");
        }
        certificate(&mut page, model.pairs());
        page.line("time", format!("{} reading, {} learning and testing", time(read_seconds), time(seconds)));
        page.line("model", output.display());
        tell(page.text())?;
    }
    if let Some((learned, all)) = part {
        let reports = &model.pairs().reports;
        // Problems run side by side; one alone makes use of all threads.
        let threads = Workers::checked(arguments.recipe.threads)?.threads();
        let took =
            reports.iter().map(|report| report.seconds).sum::<f64>() / reports.len().min(threads) as f64;
        let whole = took * (all as f64 / learned as f64).powi(2);
        note(format!(
            "mercer: all rows would take about {}: more --time-limit, or a lower --cost, takes in more of them",
            duration(whole)
        ));
        if arguments.strict {
            return Err(Failure::NotConverged);
        }
    }
    advise(model, &quality, arguments)
}

/// What the user should know beyond the summary.
fn advise(
    model: &SvcModel<Expression, Vectors<'static>>,
    quality: &Quality,
    arguments: &TrainArguments,
) -> std::result::Result<(), Failure> {
    if let Some(status) = model.status().filter(|&status| status != Status::Converged) {
        let what_next = match status {
            Status::TimeLimit => "; more time, a lower --cost, or a part of the rows would let it converge",
            _ => "",
        };
        note(format!("mercer: the training was {status}; the model is what it had reached{what_next}"));
        if arguments.strict {
            return Err(Failure::NotConverged);
        }
    } else if model.pairs().reports.iter().any(|report| report.relative_gap() > Some(LARGE_GAP)) {
        note(
            "mercer: the conditions are met within the tolerance, yet the duality gap is large: \
             --duality-gap 0.001 goes on until it is small",
        );
    }
    if let Quality::Tested(test) = quality {
        let table = &test.confusion;
        let most = (0..table.classes().len()).map(|class| table.rows_of(class)).max().unwrap_or(0);
        if table.right() <= most {
            note(
                "mercer: on new rows the model is no better than always saying the largest class: \
                 another --kernel, or --class-weight balanced, may do better",
            );
        }
    }
    Ok(())
}

/// All that learning from rows of features needs to know.
struct Learning<'a> {
    arguments: &'a TrainArguments,
    options: ReadOptions,
    output: &'a Path,
    observer: &'a Observer,
    /// When the program began to read.
    reading: Instant,
}

impl Learning<'_> {
    fn learn(&self, table: Table<'static>, kernel: Expression) -> Result<Trained> {
        let arguments = self.arguments;
        let labels = task::labels(arguments.recipe.task, &table.targets)?;
        check_names(table.schema.as_deref())
            .map_err(|error| error.in_file(source::name(&arguments.data.data)))?;
        let begun = Instant::now();
        let limit = time_limit(&arguments.recipe)?;
        let deadline = limit.and_then(|limit| self.reading.checked_add(limit));
        let left = deadline.map(|deadline| deadline.saturating_duration_since(begun));
        let rows = &table.vectors;
        let recipe = recipe(&arguments.recipe, kernel.clone(), rows, left)?;
        self.check(&recipe, &kernel, &table, &labels)?;

        let testing = testing::decide(
            arguments.test,
            arguments.folds as usize,
            rows.len(),
            limit.is_some(),
            arguments.quiet,
        );
        let (weights, groups) = (table.weights.as_deref(), table.groups.as_deref());
        let examples = Examples { items: rows, labels: &labels, weights, groups };
        let tested = recipe
            .learn_and_test(examples, testing, deadline, &|progress| self.observer.show(progress))
            .map_err(|error| error.in_file(source::name(&arguments.data.data)))?;
        let seconds = begun.elapsed().as_secs_f64();

        let mut card = match &tested.rows {
            Some(some) => ModelCard::of(&rows.select(some)),
            None => ModelCard::of(rows),
        };
        card.feature_names = table.feature_names;
        card.target_name = table.target_name;
        let part = tested.learned.rows.as_ref().map(|some| (some.len(), rows.len()));
        let model = tested.learned.model;
        Ok(Trained {
            // Rows are known by their numbers in the file.
            model: match table.remarks.numbers(rows.len()) {
                Some(numbers) => model.renumbered(&numbers),
                None => model,
            },
            scaling: tested.learned.scaling,
            choice: tested.learned.choice,
            card,
            quality: match tested.test {
                Ok(test) => Quality::Tested(test),
                Err(why) => Quality::Unknown(why),
            },
            shape: shape_of_table(rows, table.schema.as_deref(), table.groups.as_deref(), weights.is_some()),
            schema: table.schema,
            remarks: table.remarks,
            part,
            labels,
            begun,
            seconds,
        })
    }

    /// Finds what is wrong with rows, or with the output for such a model, while all rows are there under their
    /// numbers.
    fn check(&self, recipe: &Recipe, kernel: &Expression, table: &Table<'_>, labels: &Labels) -> Result<()> {
        if labels.classes().len() < 2 {
            return Err(Error::OneClass { label: labels.classes().first().cloned().unwrap_or_default() });
        }
        let rows = &table.vectors;
        let scaling = recipe.scaling.map(|kind| Scaling::fit(kind, rows)).transpose()?;
        let schema = table.schema.as_deref();
        output::check_model(self.output, labels.classes(), scaling.as_ref(), schema, kernel)?;
        let options = ReadOptions { schema: table.schema.clone(), ..self.options.clone() };
        let data = &self.arguments.data.data;
        let place = Place { data, options: &options, written: rows, scaling: scaling.as_ref(), before: 0 };
        let named = |error| place.name(error);
        let scaled = scaling.as_ref().map(|scaling| scaling.apply(rows)).transpose().map_err(named)?;
        BulkKernel::resolve(kernel, scaled.as_ref().unwrap_or(rows)).map_err(named)?;
        Ok(())
    }
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
    weighted: bool,
) -> String {
    let mut text = shape(rows);
    if let Some(schema) = schema.filter(|schema| schema.has_words()) {
        text +=
            &format!(", from {} of the table, words as one column each", count(schema.features.len() as u64));
    }
    if weighted {
        text += ", weighted";
    }
    if let Some(groups) = groups {
        let different: std::collections::BTreeSet<&u64> = groups.iter().collect();
        text += &format!(", {} groups", count(different.len() as u64));
    }
    text
}

/// The scaling, and why it is not the usual one.
fn scaling_in_words(arguments: &TrainArguments, saved: &SavedModel) -> String {
    let Some(scaling) = &saved.scaling else { return "none".into() };
    match saved.model.kernel().needs_non_negative() {
        Some(kernel) if arguments.recipe.scale.is_auto() => {
            format!("{}: {kernel} needs values of at least 0", scaling.kind())
        }
        _ => scaling.kind().to_string(),
    }
}

/// The kernel, and where its width comes from.
fn kernel_in_words(arguments: &TrainArguments, saved: &SavedModel) -> String {
    let kernel = precomputed::kernel_of(saved);
    let asked = arguments.recipe.gamma.as_deref().unwrap_or(&arguments.recipe.kernel);
    if asked.contains("median") {
        format!("{kernel}, its width from the median distance of rows")
    } else {
        kernel
    }
}

/// The cost, and where it comes from.
fn cost_in_words(arguments: &TrainArguments, choice: Option<&Choice>) -> String {
    match (choice, arguments.recipe.cost) {
        (Some(choice), _) => {
            let best = choice.tried.iter().find(|tried| tried.cost == choice.cost);
            let (share, folds) =
                best.map_or((f64::NAN, 0), |tried| (100.0 * tried.mean(), tried.folds.len()));
            let (Some(first), Some(last)) = (choice.tried.first(), choice.tried.last()) else {
                return number(choice.cost);
            };
            format!(
                "{}, the best of {} from {} to {} in {folds} folds of {} rows ({share:.1} % right)",
                number(choice.cost),
                choice.tried.len(),
                number(first.cost),
                number(last.cost),
                count(choice.rows as u64)
            )
        }
        (None, Some(cost)) => number(cost),
        (None, None) => "1, not chosen".into(),
    }
}

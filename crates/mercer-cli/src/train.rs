//! `mercer train`

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use mercer::data::{Contents, Items, Labels, Scaling, Table, Vectors, read_file};
use mercer::evaluation::{Assessment, Choice, Recipe};
use mercer::gram::{BulkKernel, Precision};
use mercer::io::{AnyModel, ModelCard, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::SvcModel;
use mercer::resources::InstructionSet;
use mercer::solver::Status;
use mercer::{Error, Result};

use crate::arguments::TrainArguments;
use crate::failure::Failure;
use crate::place::in_words_of_the_file;
use crate::print::{Page, certificate, classes, count, note, number, shape, show_json, support, time};
use crate::progress::Observer;
use crate::recipe::{kernel, parameters, recipe, stop, time_limit};
use crate::score::Score;
use crate::testing::{Testing, learn_and_test};
use crate::{output, precomputed, task, testing};

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
    let output = arguments.output.clone().unwrap_or_else(|| output::beside(&arguments.data.data));
    output::check(&output, arguments.force, &[&arguments.data.data])?;
    // Parameters are checked before the data are read, which may take long.
    let kernel = kernel(&arguments.recipe).map_err(Failure::Usage)?;
    parameters(&arguments.recipe, ()).map_err(Failure::Usage)?;

    let reading = Instant::now();
    let contents = read_file(&arguments.data.data, &arguments.data.reading.options())?;
    let observer = Observer::new(arguments.quiet);
    let outcome = match (contents, kernel) {
        (Contents::Table(table), Some(kernel)) => learn(arguments, table, kernel, &output, &observer),
        (Contents::Precomputed(values), None) => precomputed::learn(arguments, values, &output, &observer),
        (Contents::Table(_), None) => Err(precomputed::no_kernel_values(&arguments.data.data)),
        (Contents::Precomputed(_), Some(_)) => Err(precomputed::kernel_values(&arguments.data.data)),
    };
    observer.clear();
    let Trained { model, scaling, mut card, labels, choice, quality, shape, begun, seconds } = outcome?;
    let read_seconds = (begun - reading).as_secs_f64();
    if model.status() == Some(Status::Cancelled) && !arguments.keep_partial {
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
    if let Quality::Tested(test) = &quality {
        card.notes.insert("expected".into(), testing::in_words(test));
    }
    let saved = SavedModel::new(AnyModel::Svc(model), scaling, card);
    output::save(&saved, &output)?;
    let AnyModel::Svc(model) = &saved.model;
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
            "reports": model.pairs().reports,
            "reading_seconds": read_seconds,
            "learning_seconds": seconds,
            "model": output,
        });
        show_json(&summary)?;
    } else if !arguments.quiet {
        let mut page = Page::default();
        page.line("data", format!("{}: {shape}", arguments.data.data.display()));
        page.line("classes", classes(labels.classes(), &labels.counts()));
        page.line("scaling", scaling_in_words(arguments, &saved));
        page.line("kernel", kernel_in_words(arguments, &saved));
        page.line("cost", cost_in_words(arguments, choice.as_ref()));
        match &quality {
            Quality::Tested(test) => testing::show(&mut page, test),
            Quality::OwnRows(score) => page.line("on these rows", score),
            Quality::Unknown(why) => page.line("on new rows", why),
        }
        support(&mut page, model.pairs());
        if model.precision() == Precision::F32 {
            page.line("precision", "single, which the gaps below allow for");
        }
        certificate(&mut page, model.pairs());
        page.line("time", format!("{} reading, {} learning and testing", time(read_seconds), time(seconds)));
        page.line("model", output.display());
        page.show()?;
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

/// Learns from rows of features.
fn learn(
    arguments: &TrainArguments,
    table: Table<'static>,
    kernel: Expression,
    output: &Path,
    observer: &Observer,
) -> Result<Trained> {
    let rows = &table.vectors;
    let labels = task::labels(arguments.recipe.task, &table.targets)?;
    let recipe = recipe(&arguments.recipe, kernel.clone(), rows)?;
    check_rows(arguments, &recipe, &kernel, rows, &labels, output)?;

    let begun = Instant::now();
    let limit = time_limit(&arguments.recipe)?;
    let testing =
        Testing::decide(arguments.test, arguments.folds, rows.len(), limit.is_some(), arguments.quiet);
    let deadline = limit.and_then(|limit| begun.checked_add(limit));
    let tested =
        learn_and_test(&recipe, testing, rows, &labels, deadline, &|progress| observer.show(progress))?;
    let seconds = begun.elapsed().as_secs_f64();

    let mut card = match &tested.rows {
        Some(some) => ModelCard::of(&rows.select(some)),
        None => ModelCard::of(rows),
    };
    card.feature_names = table.feature_names;
    card.target_name = table.target_name;
    Ok(Trained {
        model: tested.learned.model,
        scaling: tested.learned.scaling,
        choice: tested.learned.choice,
        card,
        quality: match tested.test {
            Ok(test) => Quality::Tested(test),
            Err(why) => Quality::Unknown(why),
        },
        shape: shape(rows),
        labels,
        begun,
        seconds,
    })
}

/// Finds what is wrong with rows, or with the output for such a model, while all rows are there under their numbers.
fn check_rows(
    arguments: &TrainArguments,
    recipe: &Recipe,
    kernel: &Expression,
    rows: &Vectors<'_>,
    labels: &Labels,
    output: &Path,
) -> Result<()> {
    if labels.classes().len() < 2 {
        return Err(Error::OneClass { label: labels.classes().first().cloned().unwrap_or_default() });
    }
    let scaling = recipe.scaling.map(|kind| Scaling::fit(kind, rows)).transpose()?;
    output::check_model(output, labels.classes(), scaling.as_ref(), kernel)?;
    let named = |error| {
        let options = arguments.data.reading.options();
        in_words_of_the_file(error, &arguments.data.data, &options, rows, scaling.as_ref())
    };
    let scaled = scaling.as_ref().map(|scaling| scaling.apply(rows)).transpose().map_err(named)?;
    BulkKernel::resolve(kernel, scaled.as_ref().unwrap_or(rows)).map_err(named)?;
    Ok(())
}

/// The scaling, and why it is not the usual one.
fn scaling_in_words(arguments: &TrainArguments, saved: &SavedModel) -> String {
    let AnyModel::Svc(model) = &saved.model;
    let Some(scaling) = &saved.scaling else { return "none".into() };
    match model.kernel().needs_non_negative() {
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

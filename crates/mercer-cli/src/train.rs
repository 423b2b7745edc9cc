//! `mercer train`

use std::path::Path;
use std::time::{Duration, Instant};

use mercer::data::{Contents, Labels, Scaling, Table, Targets, Vectors, read_file};
use mercer::gram::Precision;
use mercer::io::{AnyModel, ModelCard, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, Svc, SvcModel};
use mercer::resources::InstructionSet;
use mercer::solver::Status;
use mercer::{Error, Result};

use crate::arguments::TrainArguments;
use crate::place::in_words_of_the_file;
use crate::print::{Page, certificate, count, note, number, shape, support, time};
use crate::progress::Observer;
use crate::score::score;
use crate::{output, precomputed};

/// More different numbers than this as labels look like measurements.
const MANY_CLASSES: usize = 100;

/// A gap of a converged model that is pointed out.
const LARGE_GAP: f64 = 0.01;

/// What training gives, before it is saved and told.
pub struct Learned {
    pub model: SvcModel<Expression, Vectors<'static>>,
    pub scaling: Option<Scaling>,
    pub card: ModelCard,
    pub labels: Labels,
    /// The rows as the model sees them.
    pub rows: Vectors<'static>,
    /// The data in words.
    pub shape: String,
    pub begun: Instant,
    pub seconds: f64,
}

pub fn run(arguments: &TrainArguments) -> Result<()> {
    let output = arguments.output.clone().unwrap_or_else(|| output::beside(&arguments.data.data));
    output::check(&output, arguments.force, &[&arguments.data.data])?;
    let kernel: Option<Expression> = match arguments.kernel.trim() {
        precomputed::NAME => None,
        formula => Some(formula.parse()?),
    };
    // Parameters are checked before the data are read, which may take long.
    parameters(arguments, ())?;

    let reading = Instant::now();
    let contents = read_file(&arguments.data.data, &arguments.data.options())?;
    let learned = match (contents, kernel) {
        (Contents::Table(table), Some(kernel)) => learn(arguments, table, kernel, &output),
        (Contents::Precomputed(values), None) => precomputed::learn(arguments, values, &output),
        (Contents::Table(_), None) => Err(precomputed::no_kernel_values(&arguments.data.data)),
        (Contents::Precomputed(_), Some(_)) => Err(precomputed::kernel_values(&arguments.data.data)),
    }?;
    let Learned { model, scaling, mut card, labels, rows, shape, begun, seconds } = learned;
    let read_seconds = (begun - reading).as_secs_f64();
    let deadline = match time_limit(arguments)? {
        Some(limit) => begun.checked_add(limit),
        None => None,
    };
    let score = if arguments.quiet { None } else { Some(score(&model, &rows, &labels, deadline)?) };

    card.cost = arguments.cost;
    card.stop = match arguments.duality_gap {
        Some(gap) => format!("relative duality gap {gap}"),
        None => format!("KKT gap {}", arguments.tolerance),
    };
    card.instruction_set = InstructionSet::from_environment()?.name().to_string();
    let saved = SavedModel::new(AnyModel::Svc(model), scaling, card);
    output::save(&saved, &output)?;
    let Some(score) = score else { return Ok(()) };

    let AnyModel::Svc(model) = &saved.model;
    let mut page = Page::default();
    page.line("data", format!("{}: {shape}", arguments.data.data.display()));
    let classes: Vec<String> = labels
        .classes()
        .iter()
        .zip(labels.counts())
        .map(|(class, n)| format!("{class} {}", count(n as u64)))
        .collect();
    page.line("classes", classes.join(", "));
    page.line("scaling", scaling_in_words(arguments, &saved));
    page.line("kernel", precomputed::kernel_of(&saved));
    page.line("cost", number(arguments.cost));
    support(&mut page, model.pairs());
    if model.precision() == Precision::F32 {
        page.line("precision", "single, which the gaps below allow for");
    }
    certificate(&mut page, model.pairs());
    page.line("on these rows", score);
    page.line("time", format!("{} reading, {} training", time(read_seconds), time(seconds)));
    page.line("model", output.display());
    page.show()?;
    if let Some(status) = model.status().filter(|&status| status != Status::Converged) {
        note(format!("mercer: the training was {status}; the model is what it had reached"));
    } else if model.pairs().reports.iter().any(|report| report.relative_gap() > Some(LARGE_GAP)) {
        note(
            "mercer: the conditions are met within the tolerance, yet the duality gap is large: \
             --duality-gap 0.001 goes on until it is small",
        );
    }
    Ok(())
}

/// Learns from rows of features.
fn learn(
    arguments: &TrainArguments,
    table: Table<'static>,
    kernel: Expression,
    output: &Path,
) -> Result<Learned> {
    let labels = labels(arguments, &table.targets)?;
    let is_sparse = matches!(table.vectors, Vectors::Sparse(_));
    let kind = arguments.scale.kind(is_sparse, kernel.needs_non_negative())?;
    let scaling = kind.map(|kind| Scaling::fit(kind, &table.vectors)).transpose()?;
    output::check_model(output, labels.classes(), scaling.as_ref(), &kernel)?;
    let named = |error| {
        let options = arguments.data.options();
        in_words_of_the_file(error, &arguments.data, &options, &table.vectors, scaling.as_ref())
    };
    let scaled = scaling.as_ref().map(|scaling| scaling.apply(&table.vectors)).transpose().map_err(named)?;
    let rows = scaled.as_ref().unwrap_or(&table.vectors);
    let machine = parameters(arguments, kernel)?;

    let begun = Instant::now();
    let observer = Observer::new(arguments.quiet);
    let outcome = machine.fit_observed(rows, &labels, None, &|progress| observer.show(progress));
    observer.clear();
    let model = outcome.map_err(named)?;
    let seconds = begun.elapsed().as_secs_f64();

    let mut card = ModelCard::of(&table.vectors);
    card.feature_names = table.feature_names;
    card.target_name = table.target_name;
    let shape = shape(&table.vectors);
    let rows = scaled.unwrap_or(table.vectors);
    Ok(Learned { model, scaling, card, labels, rows, shape, begun, seconds })
}

/// The classes, with a warning where the labels look like measurements.
pub fn labels(arguments: &TrainArguments, targets: &Targets) -> Result<Labels> {
    let labels = targets.labels()?;
    let classes = labels.classes().len();
    if matches!(targets, Targets::Numbers(_)) && classes > MANY_CLASSES && !arguments.quiet {
        note(format!(
            "mercer: the labels are {} different numbers, and each is learned as a class of its own: \
             if they are measurements, this is not what you want",
            count(classes as u64)
        ));
    }
    Ok(labels)
}

/// The scaling, and why it is not the usual one.
fn scaling_in_words(arguments: &TrainArguments, saved: &SavedModel) -> String {
    let AnyModel::Svc(model) = &saved.model;
    let Some(scaling) = &saved.scaling else { return "none".into() };
    match model.kernel().needs_non_negative() {
        Some(kernel) if arguments.scale.is_auto() => {
            format!("{}: {kernel} needs values of at least 0", scaling.kind())
        }
        _ => scaling.kind().to_string(),
    }
}

pub fn parameters<K>(arguments: &TrainArguments, kernel: K) -> Result<Svc<K>> {
    let mut params = Svc::params(kernel)
        .cost(arguments.cost)
        .tolerance(arguments.tolerance)
        .precision(arguments.precision.into())
        .threads(arguments.threads)
        .class_weights(class_weights(&arguments.class_weight)?);
    if let Some(gap) = arguments.duality_gap {
        params = params.duality_gap(gap);
    }
    if let Some(steps) = arguments.max_iterations {
        params = params.max_iterations(steps);
    }
    if let Some(limit) = time_limit(arguments)? {
        params = params.max_time(limit);
    }
    if let Some(megabytes) = arguments.memory {
        params = params.memory(megabytes.saturating_mul(1 << 20));
    }
    params.check()
}

fn time_limit(arguments: &TrainArguments) -> Result<Option<Duration>> {
    let Some(value) = arguments.time_limit else { return Ok(None) };
    if !(0.0..=1e9).contains(&value) {
        let expected = "seconds, from 0 to 1e9 (about 30 years)";
        return Err(Error::Parameter { name: "time-limit", value, expected });
    }
    Ok(Some(Duration::from_secs_f64(value)))
}

fn class_weights(words: &[String]) -> Result<ClassWeights> {
    match words {
        [] => Ok(ClassWeights::Equal),
        [word] if word == "balanced" => Ok(ClassWeights::Balanced),
        words if words.iter().any(|word| word == "balanced") => Err(Error::Unsupported {
            what: "--class-weight balanced sets the factors of all classes: no other --class-weight can be given"
                .into(),
        }),
        words => words
            .iter()
            .map(|word| {
                let parts =
                    word.rsplit_once('=').and_then(|(label, w)| Some((label.to_string(), w.parse().ok()?)));
                parts.ok_or_else(|| Error::Unsupported {
                    what: format!("--class-weight {word}: expected 'balanced' or LABEL=FACTOR"),
                })
            })
            .collect::<Result<_>>()
            .map(ClassWeights::Given),
    }
}

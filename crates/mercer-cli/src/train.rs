//! `mercer train`

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use mercer::data::{Scaling, Vectors, read_file};
use mercer::io::{AnyModel, ModelCard, SavedModel};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, FitProgress, Svc};
use mercer::resources::InstructionSet;
use mercer::solver::{Control, Status};
use mercer::{Error, Result};

use crate::arguments::TrainArguments;
use crate::output;
use crate::print::{Page, certificate, count, note, number, shape, support, time};

pub fn run(arguments: &TrainArguments) -> Result<()> {
    let output = arguments.output.clone().unwrap_or_else(|| output::beside(&arguments.data.data));
    output::check(&output, arguments.force, &[&arguments.data.data])?;
    let kernel: Expression = arguments.kernel.parse()?;
    let machine = parameters(arguments, kernel.clone())?;

    let reading = Instant::now();
    let table = read_file(&arguments.data.data, &arguments.data.options())?.table()?;
    let labels = table.targets.labels()?;
    let kind = arguments.scale.kind(matches!(table.vectors, Vectors::Sparse(_)));
    let scaling = kind.map(|kind| Scaling::fit(kind, &table.vectors)).transpose()?;
    output::check_model(&output, labels.classes(), scaling.as_ref(), &kernel)?;
    let scaled = scaling.as_ref().map(|scaling| scaling.apply(&table.vectors)).transpose()?;
    let rows = scaled.as_ref().unwrap_or(&table.vectors);
    let read_seconds = reading.elapsed().as_secs_f64();

    let training = Instant::now();
    let observer = Observer::new(arguments.quiet);
    let model = machine.fit_observed(rows, &labels, None, &|progress| observer.show(progress))?;
    observer.clear();
    let seconds = training.elapsed().as_secs_f64();

    let predicted = model.predict_labels(rows)?;
    let right = predicted.iter().enumerate().filter(|(i, label)| **label == labels.text(*i)).count();

    let mut card = ModelCard::of(&table.vectors);
    card.feature_names = table.feature_names.clone();
    card.target_name = table.target_name.clone();
    card.cost = arguments.cost;
    card.stop = match arguments.duality_gap {
        Some(gap) => format!("relative duality gap {gap}"),
        None => format!("KKT gap {}", arguments.tolerance),
    };
    card.instruction_set = InstructionSet::from_environment()?.name().to_string();
    let saved = SavedModel::new(AnyModel::Svc(model), scaling, card);
    output::save(&saved, &output)?;
    if arguments.quiet {
        return Ok(());
    }

    let AnyModel::Svc(model) = &saved.model;
    let mut page = Page::default();
    page.line("data", format!("{}: {}", arguments.data.data.display(), shape(&table.vectors)));
    let classes: Vec<String> = labels
        .classes()
        .iter()
        .zip(labels.counts())
        .map(|(class, n)| format!("{class} {}", count(n as u64)))
        .collect();
    page.line("classes", classes.join(", "));
    page.line("scaling", saved.scaling.as_ref().map_or("none".to_string(), |s| s.kind().to_string()));
    page.line("kernel", model.kernel());
    page.line("cost", number(arguments.cost));
    support(&mut page, model.pairs());
    certificate(&mut page, model.pairs());
    let share = 100.0 * right as f64 / labels.len() as f64;
    page.line(
        "on these rows",
        format!("{share:.2} % right ({right} of {}); on new rows expect less", labels.len()),
    );
    page.line("time", format!("{} reading, {} training", time(read_seconds), time(seconds)));
    page.line("model", output.display());
    page.show()?;
    if model.status() != Some(Status::Converged) {
        note(format!(
            "mercer: the training was {}; the model is the best so far",
            model.status().map_or_else(String::new, |s| s.to_string())
        ));
    }
    Ok(())
}

fn parameters(arguments: &TrainArguments, kernel: Expression) -> Result<Svc<Expression>> {
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
    if let Some(seconds) = arguments.time_limit {
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| Error::Parameter {
            name: "time-limit",
            value: seconds,
            expected: "a number of seconds of at least 0",
        })?;
        params = params.max_time(time);
    }
    if let Some(megabytes) = arguments.memory {
        params = params.memory(megabytes.saturating_mul(1 << 20));
    }
    params.check()
}

fn class_weights(words: &[String]) -> Result<ClassWeights> {
    match words {
        [] => Ok(ClassWeights::Equal),
        [word] if word == "balanced" => Ok(ClassWeights::Balanced),
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

/// A line of progress on a terminal, nothing elsewhere.
struct Observer {
    visible: bool,
    begun: Instant,
}

impl Observer {
    fn new(quiet: bool) -> Self {
        Observer { visible: !quiet && std::io::stderr().is_terminal(), begun: Instant::now() }
    }

    fn show(&self, seen: &FitProgress) -> Control {
        if self.visible && self.begun.elapsed() > Duration::from_millis(500) {
            let progress = &seen.progress;
            let _ = write!(
                std::io::stderr(),
                "\r\x1b[2Kproblem {} of {}: gap {}, {} support vectors, {:.0} s",
                seen.problem + 1,
                seen.problems,
                number(progress.kkt_gap),
                count(progress.support as u64),
                progress.elapsed.as_secs_f64()
            );
            let _ = std::io::stderr().flush();
        }
        Control::Continue
    }

    fn clear(&self) {
        if self.visible {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

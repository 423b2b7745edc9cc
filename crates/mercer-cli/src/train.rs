//! `mercer train`

use std::time::Instant;

use mercer::Error;
use mercer::data::{Contents, ReadOptions};
use mercer::gram::Precision;
use mercer::io::{Model, TrainedMachine};
use mercer::resources::{InstructionSet, Workers};
use mercer::solver::Status;
use serde_json::json;

use crate::arguments::{TestArgument, TrainArguments};
use crate::earlier::Earlier;
use crate::failure::Failure;
use crate::learning::{Learning, Story, Trained};
use crate::model;
use crate::parameters::of_support_vectors;
use crate::print::{Page, count, duration, note, number, time, to_stdout};
use crate::progress::Observer;
use crate::recipe::{kernel, stop};
use crate::task::Task;
use crate::tune::tuned;
use crate::{machines, others, output, precomputed, remarks, source, structures};

/// The note of a model that says from how many settings its own was chosen.
pub const SETTINGS_TRIED: &str = "settings tried";

/// A gap of a converged model that is pointed out.
const LARGE_GAP: f64 = 0.01;

/// `given` are the options for learning that were said.
pub fn run(arguments: &TrainArguments, given: &[String], json: bool) -> std::result::Result<(), Failure> {
    if let Some(machine) = arguments.machine {
        return others::train(arguments, machine, given, json);
    }
    let earlier = arguments.from.as_deref().map(Earlier::load).transpose()?;
    let taken = match &earlier {
        Some(earlier) => Some(earlier.take_over(arguments, given).map_err(Failure::Usage)?),
        None => None,
    };
    let arguments = taken.as_ref().unwrap_or(arguments);
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
    if let Some(kernel) = structures::kernel(&arguments.recipe)? {
        return structures::train(arguments, kernel, &output, json);
    }
    // Parameters are checked before the data are read, which may take long.
    let kernel = match &earlier {
        Some(earlier) => Some(earlier.kernel().clone()),
        None => kernel(&arguments.recipe).map_err(Failure::Usage)?,
    };
    machines::check(&arguments.recipe).map_err(Failure::Usage)?;
    if arguments.folds.is_some() && matches!(arguments.test, TestArgument::None | TestArgument::HeldOut) {
        let test = if arguments.test == TestArgument::None { "none" } else { "held-out" };
        let what = format!("--folds does not go with --test {test}: it is for --test folds");
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    output::check_region(&output, arguments.recipe.machine.region).map_err(Failure::Usage)?;
    let quiet = arguments.quiet || json || source::is_standard(&output);
    let found = if arguments.tune { Some(tuned(arguments, quiet)?) } else { None };
    let (arguments, kernel) = match &found {
        Some((found, _)) => (found, self::kernel(&found.recipe).map_err(Failure::Usage)?),
        None => (arguments, kernel),
    };

    let reading = Instant::now();
    // Novelty is learned without labels.
    let unlabelled = machines::asked(&arguments.recipe) == Some(Task::Novelty);
    let options = ReadOptions { unlabelled, ..arguments.table.add_to(arguments.data.reading.options()) };
    let contents = source::read(&arguments.data.data, &options)?;
    let observer = Observer::new(arguments.quiet || json, arguments.recipe.tolerance);
    let data = source::name(&arguments.data.data);
    let outcome = match (contents, kernel) {
        (Contents::Table(table), Some(kernel)) => {
            let learning = Learning {
                arguments,
                options,
                output: &output,
                observer: &observer,
                earlier: earlier.as_ref(),
            };
            learning.learn(table, kernel)
        }
        (Contents::Precomputed(values), None) => precomputed::learn(arguments, values, &output, &observer),
        (Contents::Table(_), None) => Err(precomputed::no_kernel_values(&data).into()),
        (Contents::Precomputed(_), Some(_)) => Err(precomputed::kernel_values(&data).into()),
    };
    observer.clear();
    let Trained { model, scaling, mut card, cost, mut story, shape, schema, remarks, part, begun, seconds } =
        outcome?;
    if !arguments.quiet {
        remarks::tell(&remarks);
    }
    let read_seconds = (begun - reading).as_secs_f64();
    if observer.is_interrupted() && !arguments.keep_partial {
        note(format!(
            "mercer: interrupted after {}, the KKT gap was {}; nothing is saved (--keep-partial saves what was reached)",
            time(seconds),
            number(model::gaps(&model).0)
        ));
        return Err(Failure::Interrupted);
    }

    if observer.is_interrupted() && model::support_vectors(&model) == 0 {
        note("mercer: interrupted before anything was learned: there is nothing to save");
        return Err(Failure::Interrupted);
    }

    card.cost = cost.unwrap_or(1.0);
    card.parameters = of_support_vectors(&arguments.recipe, &model, card.cost)?;
    card.stop = stop(&arguments.recipe, matches!(model, TrainedMachine::Svr(_)));
    card.instruction_set = InstructionSet::from_environment()?.name().to_string();
    card.notes.insert("seed".into(), arguments.recipe.seed.to_string());
    if let Some((_, tried)) = &found {
        card.notes.insert(SETTINGS_TRIED.into(), tried.to_string());
    }
    if let Some((learned, all)) = part {
        card.notes.insert("time limit".into(), format!("{learned} of {all} rows were learned from"));
    }
    for (name, value) in machines::notes(&arguments.recipe, model::task(&model)) {
        card.notes.insert(name.into(), value);
    }
    if let Some(expected) = &story.expected {
        card.notes.insert("expected".into(), expected.clone());
        if arguments.tune {
            let caution =
                "but for the kernel and the cost, which were chosen with all rows: this is a little too good";
            story.quality.line("", caution);
            card.notes.insert("tuned".into(), caution.into());
        }
    }
    let saved = Model::new(model, scaling, card).with_schema(schema.map(|schema| (*schema).clone()));
    output::save(&saved, &output)?;
    let model = &saved.machine;
    // A model that goes to standard output leaves no room for words there.
    let tell = |text: &str| match source::is_standard(&output) {
        true => {
            note(text.trim_end());
            Ok(())
        }
        false => to_stdout(|out| Ok(out.write_all(text.as_bytes())?)),
    };
    if json {
        let mut summary = json!({
            "data": arguments.data.data,
            "shape": shape,
            "task": model::task(model),
            "scaling": saved.scaling.as_ref().map(|scaling| scaling.kind().to_string()),
            "kernel": precomputed::kernel_of(&saved),
            "cost": cost,
            "support_vectors": model::support_vectors(model),
            "status": model.status(),
            "rows_learned": part.map(|(learned, _)| learned),
            "reports": model::reports(model),
            "reading_seconds": read_seconds,
            "learning_seconds": seconds,
            "model": output,
        });
        if let Some(map) = summary.as_object_mut() {
            if let Some(earlier) = &earlier {
                map.insert("from".into(), json!(earlier.path()));
            }
            map.extend(story.json.clone());
            map.extend(model::own_json(model));
            map.insert("notes".into(), json!(saved.card.notes));
        }
        tell(&format!("{summary:#}\n"))?;
    } else if !arguments.quiet {
        let mut page = Page::default();
        page.line("data", format!("{}: {shape}", data.display()));
        page.append(&story.targets);
        if let Some(earlier) = &earlier {
            page.line("from", earlier.in_words());
        }
        page.line("scaling", scaling_in_words(arguments, &saved));
        page.line("kernel", kernel_in_words(arguments, &saved));
        if let Some(cost) = &story.cost {
            page.line("cost", cost);
        }
        for name in [machines::FORMULATION, machines::SCALE, machines::OFFSET, "solver"] {
            if let Some(value) = saved.card.notes.get(name) {
                page.line(name, value);
            }
        }
        model::own_lines(&mut page, model);
        page.append(&story.quality);
        if let Some((learned, all)) = part {
            let (some, all) = (count(learned as u64), count(all as u64));
            let what = if observer.is_interrupted() { "interrupted" } else { "time limit" };
            page.line(what, format!("there was time for {some} of {all} rows, drawn at random"));
        }
        model::support(&mut page, model);
        if model.precision() == Precision::F32 {
            page.line("precision", "single, which the gaps below allow for");
        }
        model::certificate(&mut page, model);
        page.line("time", format!("{} reading, {} learning and testing", time(read_seconds), time(seconds)));
        page.line("model", output.display());
        tell(page.text())?;
    }
    if let Some((learned, all)) = part {
        let took = model::seconds(model);
        // Problems run side by side; one alone makes use of all threads.
        let threads = Workers::checked(arguments.recipe.threads)?.threads();
        let took = took.iter().sum::<f64>() / took.len().min(threads) as f64;
        let whole = took * (all as f64 / learned as f64).powi(2);
        note(format!(
            "mercer: all rows would take about {}: {} takes in more of them",
            duration(whole),
            match cost {
                Some(_) => "more --time-limit, or a lower --cost,",
                None => "more --time-limit",
            }
        ));
        if arguments.strict {
            return Err(Failure::NotConverged);
        }
    }
    advise(model, &story, arguments)
}

/// What the user should know beyond the summary.
fn advise(
    model: &TrainedMachine,
    story: &Story,
    arguments: &TrainArguments,
) -> std::result::Result<(), Failure> {
    if let Some(status) = model.status().filter(|&status| status != Status::Converged) {
        let what_next = match status {
            Status::TimeLimit if story.cost.is_none() => {
                "; more time, or a part of the rows, would let it converge"
            }
            Status::TimeLimit => "; more time, a lower --cost, or a part of the rows would let it converge",
            _ => "",
        };
        note(format!("mercer: the training was {status}; the model is what it had reached{what_next}"));
    } else if model::gaps(model).1 > Some(LARGE_GAP) {
        note(
            "mercer: the conditions are met within the tolerance, yet the duality gap is large: \
             --duality-gap 0.001 goes on until it is small",
        );
    }
    if model::support_vectors(model) == 0 {
        note("mercer: the model has no support vectors: it says the same about every row");
    }
    if let Some(advice) = story.advice {
        note(format!("mercer: {advice}"));
    }
    match model.status() {
        Some(status) if status != Status::Converged && arguments.strict => Err(Failure::NotConverged),
        _ => Ok(()),
    }
}

/// The scaling, and why it is not the usual one.
fn scaling_in_words(arguments: &TrainArguments, saved: &Model) -> String {
    let Some(scaling) = &saved.scaling else { return "none".into() };
    match saved.machine.kernel().expression().needs_non_negative() {
        Some(kernel) if arguments.recipe.scale.is_auto() => {
            format!("{}: {kernel} needs values of at least 0", scaling.kind())
        }
        _ => scaling.kind().to_string(),
    }
}

/// The kernel, and where its width comes from.
fn kernel_in_words(arguments: &TrainArguments, saved: &Model) -> String {
    let kernel = precomputed::kernel_of(saved);
    let asked = arguments.recipe.gamma.as_deref().unwrap_or(&arguments.recipe.kernel);
    if asked.contains("median") {
        format!("{kernel}, its width from the median distance of rows")
    } else {
        kernel
    }
}

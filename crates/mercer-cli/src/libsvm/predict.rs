//! `svm-predict`

use std::io::Write;
use std::path::Path;

use mercer::Error;
use mercer::data::{
    Collection, Contents, Format, Items, ReadOptions, Targets, Vectors, read_file, write_atomically,
};
use mercer::io::{Model, TrainedMachine, read_model_file};
use mercer::machine::one_against_one::highest;
use mercer::resources::Workers;

use super::evaluation::Evaluation;
use super::number::general;
use super::{split, switch, usage};
use crate::failure::Failure;
use crate::output;
use crate::precomputed::no_kernel_values;
use crate::print::to_stdout;

const USAGE: &str = "Usage: svm-predict [options] test_file model_file output_file
options:
-b probability_estimates : 0 or 1; 1 predicts the most probable class and writes all probabilities (default 0)
-q : print nothing";

pub fn run(words: &[String]) -> Result<(), Failure> {
    let (given, files) = split(words, &["-q"], USAGE)?;
    let (mut quiet, mut probabilities) = (false, false);
    for (option, value) in given {
        match option {
            "-q" => quiet = true,
            "-b" => probabilities = switch(option, value, USAGE)?,
            _ => return Err(usage(format!("Unknown option: {option}"), USAGE)),
        }
    }
    let [data, model, output] = files else { return Err(usage("which files?", USAGE)) };
    output::check(Path::new(output), true, &[Path::new(data), Path::new(model)])?;
    // Decisions are LIBSVM's own where there is only one way to make them.
    let bytes = read_model_file(Path::new(model))?;
    let in_model = |error: Error| error.in_file(model);
    let evaluation = Evaluation::of(&bytes).map_err(in_model)?;
    if let Some(evaluation) = evaluation.filter(|found| !probabilities && found.decides()) {
        return decide(&evaluation, Path::new(data), Path::new(output), quiet);
    }
    let saved = Model::from_bytes(&bytes).map_err(in_model)?;
    let refused = match &saved.machine {
        TrainedMachine::Svc(model) if model.pairs().calibration.is_some() => None,
        TrainedMachine::Svc(_) => Some("the model has no probabilities: svm-train -b 1 makes one that has"),
        _ => Some("-b 1 needs a classifier"),
    };
    if let Some(what) = refused.filter(|_| probabilities) {
        return Err(Error::Unsupported { what: what.into() }.in_file(model).into());
    }
    let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
    let options =
        ReadOptions { format: Some(Format::Libsvm), min_columns: columns, ..ReadOptions::default() };
    let Contents::Table(table) = read_file(data, &options)? else {
        let what = "the file holds kernel values: use mercer predict".to_string();
        return Err(Error::Unsupported { what }.in_file(data).into());
    };
    let found = table.vectors.columns();
    // What no support vector has may be missing in a model, and is still part of a row.
    let wider =
        (saved.scaling.is_none() && found > columns).then(|| saved.machine.wider(found)).transpose()?;
    let items = Collection::from(&table.vectors);
    let items = match &wider {
        Some(_) => &items,
        None => &*saved.prepare(&items)?,
    };
    let named = |error: Error| error.in_file(data);
    let mut lines = Vec::new();
    let predicted: Vec<String> = match wider.as_ref().unwrap_or(&saved.machine) {
        TrainedMachine::Svc(model) if probabilities => {
            let p = model.probabilities(items).map_err(named)?;
            let order = saved.card.label_order(model.classes());
            let order = order.unwrap_or_else(|| (0..model.classes().len()).collect());
            let classes: Vec<&str> = order.iter().map(|&class| model.classes()[class].as_str()).collect();
            lines.push(format!("labels {}", classes.join(" ")));
            p.chunks_exact(classes.len())
                .map(|of_row| {
                    let of_row: Vec<f64> = order.iter().map(|&class| of_row[class]).collect();
                    let class = classes[highest(&of_row)].to_string();
                    let shown: Vec<String> = of_row.iter().map(|&p| general(p, 6)).collect();
                    lines.push(format!("{class} {}", shown.join(" ")));
                    class
                })
                .collect()
        }
        TrainedMachine::Svc(model) => {
            model.predict_labels(items).map_err(named)?.into_iter().map(str::to_string).collect()
        }
        TrainedMachine::Classes(model) => {
            model.predict_labels(items).map_err(named)?.into_iter().map(str::to_string).collect()
        }
        TrainedMachine::Linear(model) => {
            model.predict_labels(items.rows()?).map_err(named)?.into_iter().map(str::to_string).collect()
        }
        TrainedMachine::Svr(model) => {
            model.predict(items).map_err(named)?.iter().map(f64::to_string).collect()
        }
        TrainedMachine::LinearRegression(model) => {
            model.predict(items.rows()?).map_err(named)?.iter().map(f64::to_string).collect()
        }
        TrainedMachine::Matrix(_) => {
            let what = "the model is no support vector machine: use mercer predict".to_string();
            return Err(Error::Unsupported { what }.in_file(model).into());
        }
        TrainedMachine::Novelty(model) => {
            let side = |score: &f64| if *score > 0.0 { "1" } else { "-1" }.to_string();
            model.scores(items).map_err(named)?.iter().map(side).collect()
        }
    };
    let written = if probabilities { &lines } else { &predicted };
    write_atomically(output, |out| written.iter().try_for_each(|line| Ok(writeln!(out, "{line}")?)))?;
    let is_regression =
        matches!(&saved.machine, TrainedMachine::Svr(_) | TrainedMachine::LinearRegression(_));
    if quiet { Ok(()) } else { print_quality(is_regression, &table.targets, &predicted) }
}

/// Predicts by a LIBSVM model file in LIBSVM's order of operations.
fn decide(evaluation: &Evaluation, data: &Path, output: &Path, quiet: bool) -> Result<(), Failure> {
    let options = ReadOptions { format: Some(Format::Libsvm), ..ReadOptions::default() };
    let (rows, targets): (Vectors<'static>, Targets) = match read_file(data, &options)? {
        Contents::Table(table) if !evaluation.is_precomputed() => (table.vectors, table.targets),
        Contents::Precomputed(values) if evaluation.is_precomputed() => {
            let (expected, found) = (evaluation.columns(), values.matrix.columns());
            if found < expected {
                let what = "kernel values of a row (one for each training item that the model has)";
                return Err(Error::Shape { what, expected, found }.in_file(data).into());
            }
            (values.matrix.into(), values.targets)
        }
        Contents::Table(_) => return Err(no_kernel_values(data).into()),
        Contents::Precomputed(_) => {
            let what = "the file holds kernel values, and the model was trained on features".to_string();
            return Err(Error::Unsupported { what }.in_file(data).into());
        }
    };
    let workers = Workers::checked(0)?;
    let predicted = workers.map(rows.len(), true, |row| evaluation.predict(&rows.get(row)));
    write_atomically(output, |out| predicted.iter().try_for_each(|line| Ok(writeln!(out, "{line}")?)))?;
    let is_regression = !evaluation.is_classifier() && !evaluation.is_one_class();
    if quiet { Ok(()) } else { print_quality(is_regression, &targets, &predicted) }
}

fn print_quality(is_regression: bool, targets: &Targets, predicted: &[String]) -> Result<(), Failure> {
    let rows = predicted.len();
    if matches!(targets, Targets::Missing) {
        return Ok(());
    }
    if let (true, Targets::Numbers(targets)) = (is_regression, targets) {
        let found: Vec<f64> = predicted.iter().map(|text| text.parse().unwrap_or(f64::NAN)).collect();
        let (error, correlation) = errors(targets, &found);
        return Ok(to_stdout(|out| {
            writeln!(out, "Mean squared error = {} (regression)", general(error, 6))?;
            writeln!(out, "Squared correlation coefficient = {} (regression)", general(correlation, 6))?;
            Ok(())
        })?);
    }
    let labels = targets.labels()?;
    let right = predicted.iter().enumerate().filter(|(row, label)| **label == labels.text(*row)).count();
    let share = general(100.0 * right as f64 / rows as f64, 6);
    Ok(to_stdout(|out| Ok(writeln!(out, "Accuracy = {share}% ({right}/{rows}) (classification)")?))?)
}

/// The mean squared error and the squared correlation of targets and predictions, as LIBSVM computes them.
pub fn errors(targets: &[f64], found: &[f64]) -> (f64, f64) {
    let n = targets.len() as f64;
    let sum =
        |value: &dyn Fn(f64, f64) -> f64| targets.iter().zip(found).map(|(&y, &f)| value(y, f)).sum::<f64>();
    let error = sum(&|y, f| (f - y) * (f - y)) / n;
    let covariance = n * sum(&|y, f| y * f) - sum(&|y, _| y) * sum(&|_, f| f);
    let of_found = n * sum(&|_, f| f * f) - sum(&|_, f| f).powi(2);
    let of_targets = n * sum(&|y, _| y * y) - sum(&|y, _| y).powi(2);
    (error, covariance * covariance / (of_found * of_targets))
}

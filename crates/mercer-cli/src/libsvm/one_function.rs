//! `svm-train` for the machines of one function: regression and the one-class machine.

use mercer::Error;
use mercer::data::{Items, Split, Table, Targets, write_atomically};
use mercer::io::{LIBSVM_RHO, Model, ModelCard, TrainedMachine, write_libsvm_model};
use mercer::kernel::Expression;
use mercer::machine::{Loss, Novelty, NoveltyParams, Region, Report, Softness, Svr, SvrParams};

use super::number::general;
use super::predict::errors;
use super::train::{Machine, Options};
use crate::failure::Failure;
use crate::print::to_stdout;

pub fn run(options: &Options, table: &Table<'_>) -> Result<(), Failure> {
    let named = |error: Error| Failure::from(error.in_file(&options.data));
    let (kernel, rows) = (options.kernel(table.vectors.columns())?, table.rows());
    let model = if options.machine == Machine::OneClass {
        let machine = detector(options, kernel, rows).check().map_err(Failure::Usage)?;
        if let Some(folds) = options.folds {
            return validate_detector(&machine, table, folds);
        }
        TrainedMachine::from(machine.fit(&table.vectors).map_err(named)?)
    } else {
        let Targets::Numbers(targets) = &table.targets else {
            return Err(named(Error::Unsupported { what: "regression needs numbers for labels".into() }));
        };
        let machine = regression(options, kernel, rows).check().map_err(Failure::Usage)?;
        if let Some(folds) = options.folds {
            return validate_regression(&machine, table, targets, folds);
        }
        TrainedMachine::from(machine.fit(&table.vectors, targets).map_err(named)?)
    };
    finish(options, model, rows, ModelCard::of(&table.vectors))
}

/// Prints what LIBSVM prints about a model of so many rows, and writes it.
pub(super) fn finish(
    options: &Options,
    model: TrainedMachine,
    rows: usize,
    mut card: ModelCard,
) -> Result<(), Failure> {
    let lines = match &model {
        TrainedMachine::Novelty(model) => {
            // LIBSVM adds nothing to rho.
            card.notes.insert(LIBSVM_RHO.into(), "as it is".into());
            let rho = model.scale() * model.found().threshold;
            model.report().map_or(String::new(), |report| lines(report, "", rho))
        }
        TrainedMachine::Svr(model) => {
            let sum: f64 = model.expansion().coefficients.iter().map(|beta| beta.abs()).sum();
            let own = match options.machine {
                Machine::NuRegression => format!("epsilon = {:.6}\n", model.tube()),
                _ => format!("nu = {:.6}\n", sum / (options.cost * rows as f64)),
            };
            let rho = 0.0 - model.expansion().offset;
            model.report().map_or(String::new(), |report| lines(report, &own, rho))
        }
        _ => String::new(),
    };
    if !options.quiet {
        to_stdout(|out| Ok(out.write_all(lines.as_bytes())?))?;
    }
    let saved = Model::new(model, None, card);
    Ok(write_atomically(&options.model, |out| write_libsvm_model(&saved, out))?)
}

/// A machine for so many rows.
pub(super) fn regression(options: &Options, kernel: Expression, rows: usize) -> SvrParams<Expression> {
    let loss = match options.machine {
        Machine::NuRegression => Loss::Nu { nu: options.nu },
        _ => Loss::Linear { tube: options.tube },
    };
    Svr::params(kernel)
        .cost(options.cost)
        .loss(loss)
        .tolerance(options.tolerance)
        .memory(options.bytes())
        .precision(Options::precision(rows))
}

/// A machine for so many rows.
pub(super) fn detector(options: &Options, kernel: Expression, rows: usize) -> NoveltyParams<Expression> {
    Novelty::params(kernel)
        .region(Region::Hyperplane)
        .softness(Softness::Nu(options.nu))
        .tolerance(options.tolerance)
        .memory(options.bytes())
        .precision(Options::precision(rows))
}

/// What LIBSVM prints.
fn lines(report: &Report, own: &str, rho: f64) -> String {
    format!(
        "*\noptimization finished, #iter = {}\n{own}obj = {:.6}, rho = {:.6}\nnSV = {}, nBSV = {}\n",
        report.iterations, -report.certificate.dual, rho, report.support, report.bounded
    )
}

fn validate_regression(
    machine: &Svr<Expression>,
    table: &Table<'_>,
    targets: &[f64],
    folds: usize,
) -> Result<(), Failure> {
    let n = table.rows();
    let mut found = vec![0.0; n];
    for split in Split::folds(n, folds.min(n), 1)? {
        let some: Vec<f64> = split.train.iter().map(|&row| targets[row]).collect();
        let model = machine.fit(&table.vectors.select(&split.train), &some)?;
        let values = model.predict(&table.vectors.select(&split.test))?;
        split.test.iter().zip(values).for_each(|(&row, value)| found[row] = value);
    }
    let (error, correlation) = errors(targets, &found);
    Ok(to_stdout(|out| {
        writeln!(out, "Cross Validation Mean squared error = {}", general(error, 6))?;
        writeln!(out, "Cross Validation Squared correlation coefficient = {}", general(correlation, 6))?;
        Ok(())
    })?)
}

fn validate_detector(machine: &Novelty<Expression>, table: &Table<'_>, folds: usize) -> Result<(), Failure> {
    let labels = table.targets.labels()?;
    let n = table.rows();
    let mut right = 0;
    for split in Split::folds(n, folds.min(n), 1)? {
        let model = machine.fit(&table.vectors.select(&split.train))?;
        let scores = model.scores(&table.vectors.select(&split.test))?;
        let said = |score: f64| if score > 0.0 { "1" } else { "-1" };
        right +=
            split.test.iter().zip(scores).filter(|(row, score)| labels.text(**row) == said(*score)).count();
    }
    let accuracy = general(100.0 * right as f64 / n as f64, 6);
    Ok(to_stdout(|out| Ok(writeln!(out, "Cross Validation Accuracy = {accuracy}%")?))?)
}

//! Which width of a Gaussian kernel does each estimate of the error choose, and how well does the machine then do on rows that
//! it has not seen?
//!
//! `cargo run --release --example criteria [SPLITS]`
//!
//! Reads `data/`, and below the folder that `MERCER_DATA` names `banana/banana.csv`. `docs/criteria.md` has what it prints.

use std::path::PathBuf;
use std::time::Instant;

use mercer::data::{Items, Labels, ReadOptions, Scaling, ScalingKind, Split, Vectors, read_file};
use mercer::evaluation::estimates::{Estimate, estimate};
use mercer::kernel::Expression;
use mercer::kernel::vector::Gaussian;
use mercer::machine::{Slack, Svc, SvcParams};

/// Widths that are tried, in units of √d for d columns that are standardised: each √2 times the one before.
const WIDTHS: [f64; 12] = [0.0884, 0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, 1.41, 2.0, 2.83, 4.0];
const COST: f64 = 10.0;

/// How a width is chosen.
#[derive(Clone, Copy)]
enum Criterion {
    Estimate(Estimate),
    FiveFolds,
    /// By the rows that are held out: what the best choice would have been.
    HeldOut,
}

/// What came of a criterion in all splits.
#[derive(Default)]
struct Record {
    errors: Vec<f64>,
    log_widths: f64,
    seconds: f64,
}

fn main() -> mercer::Result<()> {
    let splits = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10);
    for slack in [Slack::Linear, Slack::Quadratic] {
        for (name, file, train) in [
            ("ionosphere", "ionosphere.csv", 200),
            ("banana", "banana/banana.csv", 400),
            ("pima", "pima_diabetes.csv", 400),
            ("heart", "heart_scale", 170),
        ] {
            let Some(path) = path(file) else {
                println!("{name}: skipped, MERCER_DATA is not set\n");
                continue;
            };
            let table = read_file(path, &ReadOptions::default())?.table()?;
            let labels = table.targets.labels()?;
            compare(name, slack, &table.vectors.to_dense()?, &labels, train, splits)?;
        }
    }
    Ok(())
}

/// Small sets are in the repository, the others in a folder of the user.
fn path(file: &str) -> Option<PathBuf> {
    match file.contains('/') {
        true => Some(PathBuf::from(std::env::var_os("MERCER_DATA")?).join(file)),
        false => Some(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data")).join(file)),
    }
}

fn compare(
    name: &str,
    slack: Slack,
    rows: &Vectors<'_>,
    labels: &Labels,
    train: usize,
    splits: u64,
) -> mercer::Result<()> {
    let mut criteria: Vec<(String, Criterion)> =
        Estimate::ALL.iter().map(|one| (one.to_string(), Criterion::Estimate(*one))).collect();
    criteria.push(("5-fold cross-validation".into(), Criterion::FiveFolds));
    criteria.push(("best on held-out rows".into(), Criterion::HeldOut));
    let mut records: Vec<Record> = criteria.iter().map(|_| Record::default()).collect();

    let machine = |width: f64| -> mercer::Result<SvcParams<Expression>> {
        let kernel = Gaussian::sigma(width * (rows.columns() as f64).sqrt())?;
        Ok(Svc::params(Expression::from(kernel)).cost(COST).slack(slack))
    };
    for seed in 0..splits {
        let split = Split::held_out(labels, labels.len() - train, seed)?;
        let scaling = Scaling::fit(ScalingKind::Standardise, &rows.select(&split.train))?;
        let scaled = scaling.apply(rows)?;
        let learned = (scaled.select(&split.train), labels.select(&split.train));
        let tested = (scaled.select(&split.test), labels.select(&split.test));
        let held_out: Vec<f64> = WIDTHS
            .iter()
            .map(|&width| error(&machine(width)?, &learned, &tested))
            .collect::<mercer::Result<_>>()?;
        for ((_, criterion), record) in criteria.iter().zip(&mut records) {
            let begun = Instant::now();
            let values: Vec<f64> = match criterion {
                Criterion::HeldOut => held_out.clone(),
                Criterion::FiveFolds => WIDTHS
                    .iter()
                    .map(|&width| five_folds(&machine(width)?, &learned, seed))
                    .collect::<mercer::Result<_>>()?,
                Criterion::Estimate(one) => WIDTHS
                    .iter()
                    .map(|&width| estimate(*one, &machine(width)?, &learned.0, &learned.1, None))
                    .collect::<mercer::Result<_>>()?,
            };
            record.seconds += begun.elapsed().as_secs_f64();
            let chosen = least(&values);
            record.errors.push(held_out[chosen]);
            record.log_widths += WIDTHS[chosen].ln();
        }
    }

    let norm = if slack == Slack::Linear { "1-norm" } else { "2-norm" };
    println!("{name}, {norm}, C = {COST}: {train} of {} rows to learn from, {splits} splits", labels.len());
    println!("| chosen by | error on held-out rows, % | width / √d | seconds for 12 widths |");
    println!("|---|---|---|---|");
    let count = splits as f64;
    for ((name, _), Record { errors, log_widths, seconds }) in criteria.iter().zip(&records) {
        let mean = errors.iter().sum::<f64>() / count;
        let spread = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0)).sqrt();
        let width = (log_widths / count).exp();
        println!(
            "| {name} | {:.1} ± {:.1} | {width:.2} | {:.2} |",
            100.0 * mean,
            100.0 * spread,
            seconds / count
        );
    }
    println!();
    Ok(())
}

/// The position of the least value; of equal ones the widest kernel, which is the smoothest.
fn least(values: &[f64]) -> usize {
    (0..values.len())
        .rev()
        .reduce(|best, next| if values[next] < values[best] { next } else { best })
        .unwrap_or(0)
}

type Set = (Vectors<'static>, Labels);

/// The share of errors on other rows.
fn error(machine: &SvcParams<Expression>, learned: &Set, tested: &Set) -> mercer::Result<f64> {
    let model = machine.clone().check()?.fit(&learned.0, &learned.1)?;
    let found = model.predict_labels(&tested.0)?;
    let wrong = found.iter().enumerate().filter(|(i, class)| tested.1.text(*i) != **class).count();
    Ok(wrong as f64 / tested.1.len() as f64)
}

fn five_folds(machine: &SvcParams<Expression>, (rows, labels): &Set, seed: u64) -> mercer::Result<f64> {
    let mut sum = 0.0;
    for fold in Split::stratified(labels, 5, seed)? {
        let part = |some: &[usize]| (rows.select(some), labels.select(some));
        sum += fold.test.len() as f64 * error(machine, &part(&fold.train), &part(&fold.test))?;
    }
    Ok(sum / labels.len() as f64)
}

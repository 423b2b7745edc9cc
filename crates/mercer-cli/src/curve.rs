//! `mercer curve`

use std::time::Instant;

use clap::ValueEnum;
use mercer::Error;
use mercer::data::{Contents, Examples, Items, Labels, Scaling, Vectors};
use mercer::evaluation::{CostCurve, CostPoint, GRID, RATIOS, choose_cost, cost_curve};
use mercer::gram::{BulkKernel, CollectionKernel};
use mercer::machine::SvcParams;
use mercer::solver::Status;
use serde_json::json;

use crate::arguments::{CurveArguments, DEFAULT_KERNEL, SlackArgument};
use crate::failure::Failure;
use crate::machines::{self, asked, check_for, classifier};
use crate::print::{Page, classes, note, number, rounded, shape, show_json};
use crate::progress::{Ending, Observer, deadline, left};
use crate::recipe::{kernel, time_limit};
use crate::structures::{self, Read};
use crate::task::{Aim, Task};
use crate::{precomputed, remarks, source};

/// Digits of the factors of the cost that are told.
const DIGITS: usize = 4;

/// What a higher rate of detections of one of two classes costs in false alarms.
pub fn run(arguments: &CurveArguments, json: bool) -> Result<(), Failure> {
    if !arguments.recipe.class_weight.is_empty() {
        return Err(usage("--class-weight is what a curve goes through: it cannot be given"));
    }
    if let Some(value) = arguments.detect.filter(|share| !(0.0..=1.0).contains(share)) {
        let expected = "a share, from 0 to 1";
        return Err(Failure::Usage(Error::Parameter { name: "detect", value, expected }));
    }
    let (own, other) = (&arguments.recipe.machine, "a curve goes through costs of two classes alone");
    if own.multiclass.is_some() || own.probabilities.is_some() {
        return Err(usage(&format!("--multiclass and --probabilities have no meaning here: {other}")));
    }
    machines::check(&arguments.recipe).map_err(Failure::Usage)?;
    check_for(&arguments.recipe, Task::Classify).map_err(Failure::Usage)?;
    if let Some(value) = arguments.ratios.iter().copied().find(|ratio| !(*ratio > 0.0 && ratio.is_finite())) {
        let expected = "finite numbers above 0";
        return Err(Failure::Usage(Error::Parameter { name: "ratios", value, expected }));
    }
    let recipe = &arguments.recipe;
    if let Some(kernel) = structures::kernel(recipe)? {
        let kernel = CollectionKernel::new(kernel).map_err(Failure::Usage)?;
        let Read { table, aim, shape } =
            structures::read(&arguments.data, &arguments.table, recipe, &kernel)?;
        let labels = of_classes(arguments, aim)?;
        let machine = classifier(recipe, kernel)?;
        let (curve, ending) = measure(arguments, machine, structures::examples(&table, &labels), json)?;
        tell(arguments, &shape, &labels, &curve, json)?;
        return ending.of(());
    }
    let Some(kernel) = kernel(recipe).map_err(Failure::Usage)? else {
        return Err(usage("a curve needs features: kernel values cannot be divided into folds here"));
    };
    let data = &arguments.data.data;
    let options = arguments.table.add_to(arguments.data.reading.options());
    let Contents::Table(table) = source::read(data, &options)? else {
        return Err(precomputed::kernel_values(data).into());
    };
    remarks::tell(&table.remarks);
    let in_file = |error: Error| error.in_file(source::name(data));
    let column = table.target_name.as_deref();
    let aim = Aim::of(asked(recipe), &table.targets, column, &table.remarks).map_err(in_file)?;
    let labels = of_classes(arguments, aim)?;
    let is_sparse = matches!(table.vectors, Vectors::Sparse(_));
    let scaling = recipe.scale.kind(is_sparse, kernel.needs_non_negative())?;
    let scaled = scaling.map(|kind| Scaling::fit(kind, &table.vectors)?.apply(&table.vectors)).transpose();
    let scaled = scaled.map_err(in_file)?;
    let (weights, groups) = (table.weights.as_deref(), table.groups.as_deref());
    let items = scaled.as_ref().unwrap_or(&table.vectors);
    let examples = Examples { items, targets: &labels, weights, groups };
    let (curve, ending) = measure(arguments, classifier(recipe, kernel)?, examples, json)?;
    tell(arguments, &shape(&table.vectors), &labels, &curve, json)?;
    ending.of(())
}

/// The labels, if it is such that are learned.
fn of_classes(arguments: &CurveArguments, aim: Aim) -> Result<Labels, Failure> {
    let Aim::Classes(labels) = aim else {
        return Err(usage("a curve is for two classes: --task classify takes numbers for them"));
    };
    match arguments.positive.as_ref().filter(|class| !labels.classes().contains(class)) {
        Some(class) => Err(usage(&format!("--positive {class}: no row has this label"))),
        None => Ok(labels),
    }
}

fn usage(what: &str) -> Failure {
    Failure::Usage(Error::Unsupported { what: what.into() })
}

/// The fraction of the time left that the choice of the cost may take.
const CHOOSING: f64 = 0.2;

/// Chooses the cost if none is given, and goes through the ratios.
fn measure<K, I>(
    arguments: &CurveArguments,
    mut machine: SvcParams<K>,
    examples: Examples<'_, I, Labels>,
    json: bool,
) -> Result<((f64, CostCurve), Ending), Failure>
where
    K: BulkKernel<I>,
    I: Items<Owned = I>,
{
    let in_file = |error: Error| error.in_file(source::name(&arguments.data.data));
    let (recipe, labels) = (&arguments.recipe, examples.targets);
    let checked = machine.clone().check().map_err(Failure::Usage)?;

    let observer = Observer::new(arguments.quiet || json, recipe.tolerance);
    let observer = observer.until(deadline(time_limit(recipe).map_err(Failure::Usage)?));
    let stop = || observer.is_over();
    let choosing = left(time_limit(recipe).map_err(Failure::Usage)?).map(|left| left.mul_f64(CHOOSING));
    let chosen = choosing.and_then(|time| Instant::now().checked_add(time));
    let late = || stop() || chosen.is_some_and(|end| Instant::now() >= end);
    let mut cost = checked.cost();
    if recipe.cost.is_none() && machine.has_cost() {
        cost = choose_cost(&machine, examples, &GRID, recipe.seed, &late).map_err(in_file)?.cost;
        machine = machine.cost(cost);
    }
    // The library's curve is that of the later class.
    let turn = arguments.positive.as_ref().is_some_and(|class| labels.classes().last() != Some(class));
    let ratios = if arguments.ratios.is_empty() { &RATIOS[..] } else { &arguments.ratios };
    let ratios: Vec<f64> = ratios.iter().map(|&ratio| if turn { ratio.recip() } else { ratio }).collect();
    let curve = cost_curve(&machine, examples, &ratios, recipe.seed, &stop).map_err(in_file)?;
    observer.clear();
    let ending = observer.ending();
    if curve.points.is_empty() && ending != Ending::Done {
        return Err(ending.without_result("the first point was found"));
    }
    ending.tell();
    Ok(((cost, if turn { curve.reversed() } else { curve }), ending))
}

fn tell(
    arguments: &CurveArguments,
    shape: &str,
    labels: &Labels,
    (cost, curve): &(f64, CostCurve),
    json: bool,
) -> Result<(), Failure> {
    let wanted = arguments.detect.map(|share| (share, curve.at_detection(share)));
    let front = curve.front();
    if json {
        let flags = |point: &CostPoint| advice(arguments, curve, point, *cost);
        show_json(&json!({
            "data": arguments.data.data,
            "curve": curve,
            "cost": cost,
            "front": front.iter().map(|point| point.ratio).collect::<Vec<f64>>(),
            "area": curve.area(),
            "wanted": wanted.map(|(share, point)| json!({
                "detections": share,
                "ratio": point.map(|point| point.ratio),
                "flags": point.map(flags),
            })),
        }))?;
        return Ok(());
    }
    let mut page = Page::default();
    let data = source::name(&arguments.data.data);
    page.line("data", format!("{}: {shape}", data.display()));
    page.line("classes", classes(labels.classes(), &labels.counts()));
    page.line(
        "to detect",
        match share(arguments) {
            Some(_) => {
                format!("{}; a share nu takes the place of costs, only their ratio counts", curve.positive)
            }
            None => format!("{}; C = {} is the geometric mean of both costs", curve.positive, number(*cost)),
        },
    );
    page.line("ratio of costs", "detections  false alarms (rows held out in turn)");
    for point in &curve.points {
        let mark = if front.contains(&point) { "  *" } else { "" };
        let (found, alarms) = (100.0 * point.detections, 100.0 * point.false_alarms);
        page.line(&rounded(point.ratio, DIGITS), format!("{found:8.2} %  {alarms:10.2} %{mark}"));
    }
    if !curve.left_out.is_empty() {
        let ratios: Vec<String> = curve.left_out.iter().map(|&ratio| rounded(ratio, DIGITS)).collect();
        page.line("left out", format!("{}: so uneven costs do not allow this share nu", ratios.join(", ")));
    }
    page.line(
        "*",
        format!("no other detects as much with as few; area below their hull {:.4}", curve.area()),
    );
    match wanted {
        Some((share, Some(point))) => page.line(
            "advice",
            format!(
                "for {} % of {}: mercer train {} {}",
                rounded(100.0 * share, DIGITS),
                curve.positive,
                data.display(),
                advice(arguments, curve, point, *cost)
            ),
        ),
        Some((share, None)) => page.line(
            "advice",
            format!("no ratio detects {} %: try larger --ratios", rounded(100.0 * share, DIGITS)),
        ),
        None => {}
    }
    if !arguments.quiet {
        page.show()?;
    }
    let unsolved = curve.points.iter().filter(|point| point.status != Status::Converged).count();
    if unsolved > 0 {
        note(format!("mercer: the machines of {unsolved} ratios had not converged: a limit came first"));
    }
    Ok(())
}

/// The share ν, if it takes the place of the cost.
fn share(arguments: &CurveArguments) -> Option<f64> {
    let machine = &arguments.recipe.machine;
    (machine.slack == Some(SlackArgument::Nu)).then_some(machine.nu).flatten()
}

/// What to say to `mercer train` for the machine of a point.
fn advice(arguments: &CurveArguments, curve: &CostCurve, point: &CostPoint, cost: f64) -> String {
    let root = point.ratio.sqrt();
    let weight = |class: &str, factor: f64| format!("--class-weight '{class}={}'", rounded(factor, DIGITS));
    let recipe = &arguments.recipe;
    let mut words: Vec<String> = Vec::new();
    if recipe.kernel != DEFAULT_KERNEL {
        words.push(format!("--kernel '{}'", recipe.kernel));
    }
    if let Some(gamma) = &recipe.gamma {
        words.push(format!("--gamma {gamma}"));
    }
    if let Some(scale) = recipe.scale.to_possible_value().filter(|_| !recipe.scale.is_auto()) {
        words.push(format!("--scale {}", scale.get_name()));
    }
    if let Some(slack) = recipe.machine.slack {
        words.push(format!("--slack {}", slack.name()));
    }
    words.push(match share(arguments) {
        Some(nu) => format!("--nu {}", number(nu)),
        None => format!("--cost {}", number(cost)),
    });
    for (is_given, word) in
        [(recipe.machine.unit_length, "--unit-length"), (recipe.machine.no_offset, "--no-offset")]
    {
        words.extend(is_given.then(|| word.to_string()));
    }
    words.push(weight(&curve.positive, root));
    words.push(weight(&curve.negative, root.recip()));
    words.join(" ")
}

//! `mercer evaluate`

use std::path::Path;

use mercer::Error;
use mercer::data::{Contents, Examples, Labels};
use mercer::evaluation::{Confusion, average_precision, best_threshold, roc_auc};
use mercer::machine::one_against_one::winner;

use crate::arguments::EvaluateArguments;
use crate::failure::Failure;
use crate::load::load;
use crate::predict::{Prediction, scored};
use crate::print::{Page, classes, count, note, number, shape, show_json};
use crate::progress::Observer;
use crate::recipe::{kernel, parameters, recipe, time_limit};
use crate::{precomputed, remarks, source, task, testing};

pub fn run(arguments: &EvaluateArguments, json: bool) -> std::result::Result<(), Failure> {
    match (&arguments.files[..], arguments.cv) {
        ([data], Some(folds)) => expect(arguments, data, folds, json),
        ([model, data], None) => measure(arguments, model, data, json),
        ([_, _], Some(_)) => Err(usage("--cv trains its own models: give the data file alone")),
        _ => Err(usage("give a model file and a data file, or --cv FOLDS and a data file")),
    }
}

fn usage(what: &str) -> Failure {
    Failure::Usage(Error::Unsupported { what: what.into() })
}

/// How good a model is on these rows.
fn measure(
    arguments: &EvaluateArguments,
    path: &Path,
    data: &Path,
    json: bool,
) -> std::result::Result<(), Failure> {
    if arguments.table.weight.is_some() || arguments.table.group.is_some() {
        return Err(usage("--weight and --group are for learning: say them with --cv"));
    }
    let saved = load(path)?;
    let prediction = Prediction::new(&saved, data, &arguments.reading, arguments.recipe.threads)?;
    let found = scored(&prediction)?;
    remarks::tell(&found.remarks);
    if found.remarks.unlabelled > 0 && found.targets.is_some() {
        let what = format!("{} rows have no label to compare with", count(found.remarks.unlabelled));
        return Err(Error::Unsupported { what }.in_file(source::name(data)).into());
    }
    let Some(labels) = found.targets else {
        let what = "there are no labels to compare with".into();
        return Err(Error::Unsupported { what }.in_file(source::name(data)).into());
    };
    let (names, scores) = (&prediction.classes[..], found.scores);
    let predicted: Vec<&str> =
        scores.chunks_exact(names.len()).map(|of_row| names[winner(of_row)].as_str()).collect();
    let table = Confusion::new(&labels, predicted)?;

    let decisions: Option<Vec<f64>> =
        (names.len() == 2).then(|| scores.chunks_exact(2).map(|of_row| of_row[1]).collect());
    if json {
        let positive: Vec<bool> =
            (0..labels.len()).map(|row| labels.text(row) == names[names.len() - 1]).collect();
        return Ok(show_json(&serde_json::json!({
            "model": path,
            "data": data,
            "rows": table.rows(),
            "accuracy": table.accuracy(),
            "balanced_accuracy": table.balanced_accuracy(),
            "macro_f1": table.macro_f1(),
            "matthews": table.matthews(),
            "auc": decisions.as_ref().and_then(|scores| roc_auc(scores, &positive)),
            "average_precision": decisions.as_ref().and_then(|scores| average_precision(scores, &positive)),
            "best_threshold": decisions.as_ref().map(|scores| best_threshold(scores, &positive)),
            "confusion": table,
        }))?);
    }
    let mut page = Page::default();
    page.line("model", path.display());
    page.line("data", format!("{}: {} rows", source::name(data).display(), count(found.rows as u64)));
    page.line("classes", classes(labels.classes(), &labels.counts()));
    let right = (count(table.right() as u64), count(table.rows() as u64));
    page.line("accuracy", format!("{:.2} % ({} of {})", 100.0 * table.accuracy(), right.0, right.1));
    page.line("balanced", format!("{:.2} %, the mean over the classes", 100.0 * table.balanced_accuracy()));
    page.line("F1", f1(&table));
    page.line("Matthews", format!("{:.4}", table.matthews()));
    if let ([_, later], Some(decisions)) = (names, &decisions) {
        two_classes(&mut page, &labels, later, decisions, table.right());
    }
    testing::confusion(&mut page, &table);
    if let Some(unknown) = labels.classes().iter().find(|class| !names.contains(class)) {
        page.line("unknown", format!("the model does not know class {unknown}: its rows count as wrong"));
    }
    if !arguments.quiet {
        page.show()?;
    }
    Ok(())
}

/// What only two classes have: a ranking of the rows, and a threshold.
fn two_classes(page: &mut Page, labels: &Labels, later: &str, decisions: &[f64], right: usize) {
    let positive: Vec<bool> = (0..labels.len()).map(|row| labels.text(row) == later).collect();
    if let Some(auc) = roc_auc(decisions, &positive) {
        page.line("AUC", format!("{auc:.4}, ranking {later} above the rest"));
    }
    if let Some(area) = average_precision(decisions, &positive) {
        page.line("PR-AUC", format!("{area:.4}, as average precision for {later}"));
    }
    let best = best_threshold(decisions, &positive);
    if best.right > right {
        page.line(
            "threshold",
            format!(
                "{later} from a score above {} would be right {} times more (on these rows: check it on others)",
                number(best.score),
                count((best.right - right) as u64)
            ),
        );
    }
}

fn f1(table: &Confusion) -> String {
    let classes = table.classes();
    let of = |class: usize| table.f1(class).map_or("–".to_string(), |f1| format!("{f1:.4}"));
    let mean = format!("{:.4}, the mean over the classes", table.macro_f1());
    if classes.len() > 6 {
        return mean;
    }
    let each: Vec<String> =
        (0..classes.len()).map(|class| format!("{} {}", classes[class], of(class))).collect();
    format!("{mean} ({})", each.join(", "))
}

/// What to expect of a model that `mercer train` would make of these data.
fn expect(
    arguments: &EvaluateArguments,
    data: &Path,
    folds: usize,
    json: bool,
) -> std::result::Result<(), Failure> {
    let Some(kernel) = kernel(&arguments.recipe).map_err(Failure::Usage)? else {
        return Err(usage("--cv needs features: kernel values cannot be divided into folds here"));
    };
    parameters(&arguments.recipe, ()).map_err(Failure::Usage)?;
    let options = arguments.table.add_to(arguments.reading.options());
    let Contents::Table(table) = source::read(data, &options)? else {
        return Err(precomputed::kernel_values(data).into());
    };
    remarks::tell(&table.remarks);
    let rows = &table.vectors;
    let labels = task::labels(arguments.recipe.task, &table.targets)?;
    let recipe = recipe(&arguments.recipe, kernel, rows, time_limit(&arguments.recipe)?)?;
    let (weights, groups) = (table.weights.as_deref(), table.groups.as_deref());
    let examples = Examples { items: rows, labels: &labels, weights, groups };
    let splits = examples.folds(folds, recipe.seed).map_err(Failure::Usage)?;
    let observer = Observer::new(arguments.quiet || json, arguments.recipe.tolerance);
    let outcome = recipe.assess(examples, &splits, &|progress| observer.show(progress));
    observer.clear();
    let test = outcome.map_err(|error| error.in_file(source::name(data)))?;
    if test.unconverged > 0 {
        note(format!(
            "mercer: {} of {} models had not converged when they were tested: a limit came first",
            test.unconverged,
            test.folds.len()
        ));
    }
    if observer.is_interrupted() {
        return Err(Failure::Interrupted);
    }
    if json {
        return Ok(show_json(&serde_json::json!({ "data": data, "test": test }))?);
    }
    let mut page = Page::default();
    page.line("data", format!("{}: {}", source::name(data).display(), shape(rows)));
    page.line("classes", classes(labels.classes(), &labels.counts()));
    testing::show(&mut page, &test);
    page.line("F1", f1(&test.confusion));
    let each: Vec<String> = test.folds.iter().map(|fold| format!("{:.1}", 100.0 * fold)).collect();
    page.line("folds", format!("{} % right", each.join(", ")));
    if !arguments.quiet {
        page.show()?;
    }
    Ok(())
}

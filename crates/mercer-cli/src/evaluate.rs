//! `mercer evaluate`

use std::path::Path;

use mercer::data::{Contents, Examples, Labels, ReadOptions, Table};
use mercer::evaluation::{
    Aside, Confusion, Errors, NoveltyTest, average_precision, best_threshold, log_loss, roc_auc,
};
use mercer::io::{Answer, MatrixModel, TrainedMachine};
use mercer::kernel::Expression;
use mercer::machine::one_against_one::winner;
use mercer::{Error, Result};
use serde_json::{Value, json};

use crate::arguments::EvaluateArguments;
use crate::beside::Beside;
use crate::failure::Failure;
use crate::load::load;
use crate::machines::{self, asked, check_for, classifier, detector, is_per_class, per_class, regression};
use crate::others::evaluate_ranking;
use crate::prediction::{Prediction, Scored, scored};
use crate::print::{Page, classes, count, note, number, plural, shape, show_json, some_of};
use crate::progress::{Ending, Observer, left};
use crate::recipe::{kernel, recipe, time_limit};
use crate::task::{Aim, Task};
use crate::tasks::{self, Telling};
use crate::{precomputed, remarks, source, structures};

/// `given` are the options for learning that were said.
pub fn run(arguments: &EvaluateArguments, given: &[String], json: bool) -> std::result::Result<(), Failure> {
    // A model at work has threads too.
    let learning = given.iter().find(|option| *option != "--threads");
    match (&arguments.files[..], arguments.cv) {
        ([data], Some(folds)) => expect(arguments, data, folds, json),
        ([_, _], None) if learning.is_some() => Err(usage(&format!(
            "{} is for learning, and the model has learned already: it goes with --cv FOLDS and a data file alone",
            learning.map_or("", String::as_str)
        ))),
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
    let saved = load(path)?;
    let ranks = matches!(saved.machine, TrainedMachine::Matrix(MatrixModel::Rank(_)));
    if arguments.table.weight.is_some() || arguments.table.group.is_some() && !ranks {
        return Err(usage(
            "--weight and --group are for learning: say them with --cv (--group with a model that ranks)",
        ));
    }
    if ranks {
        let (files, given) = ((path, data), (&arguments.reading, &arguments.table));
        return evaluate_ranking(&saved, files, given, (arguments.quiet, json));
    }
    let beside = Beside::probabilities_of(&saved.machine);
    let threads = arguments.recipe.threads;
    let prediction = Prediction::new(&saved, data, &arguments.reading, threads)?.with(beside);
    measured(arguments, path, data, &prediction, json)
}

fn measured(
    arguments: &EvaluateArguments,
    path: &Path,
    data: &Path,
    prediction: &Prediction<'_>,
    json: bool,
) -> std::result::Result<(), Failure> {
    let found = scored(prediction)?;
    remarks::tell(&found.remarks);
    let mut page = Page::default();
    page.line("model", path.display());
    page.line("data", format!("{}: {}", source::name(data).display(), plural(found.rows as u64, "row")));
    let mut told = json!({ "model": path, "data": data, "rows": found.rows });
    let measured = match &prediction.model {
        model @ (TrainedMachine::Svc(_) | TrainedMachine::Classes(_) | TrainedMachine::Linear(_)) => {
            measure_classes(&mut page, model.classes()?, &found)
        }
        TrainedMachine::Matrix(model) => match (model.answer(), model.classes()) {
            (Answer::Classes, Some(classes)) => measure_classes(&mut page, classes, &found),
            (Answer::Numbers, _) if model.width() == 1 => measure_numbers(&mut page, &found),
            (Answer::Novelty, _) => measure_novelty(&mut page, &found),
            _ => {
                let what = format!("a model of {} answers with nothing that labels tell", model.name());
                return Err(Error::Unsupported { what }.in_file(path).into());
            }
        },
        TrainedMachine::Svr(_) | TrainedMachine::LinearRegression(_) => measure_numbers(&mut page, &found),
        TrainedMachine::Novelty(_) => measure_novelty(&mut page, &found),
    };
    let measured = measured.map_err(|error| error.in_file(source::name(data)))?;
    if let (Some(told), Value::Object(measured)) = (told.as_object_mut(), measured) {
        told.extend(measured);
    }
    if json {
        show_json(&told)?;
    } else if !arguments.quiet {
        page.show()?;
    }
    Ok(())
}

/// The labels or numbers of all rows; an error if there are none, or none for some.
fn all_labelled(found: &Scored) -> Result<()> {
    let what = match (found.targets.rows(), found.remarks.unlabelled) {
        (None, _) => "there are no labels to compare with".to_string(),
        (Some(_), 0) => return Ok(()),
        (Some(_), 1) => "1 row has no label to compare with".to_string(),
        (Some(_), some) => format!("{} rows have no label to compare with", count(some)),
    };
    Err(Error::Unsupported { what })
}

/// How far predictions are from numbers.
fn measure_numbers(page: &mut Page, found: &Scored) -> Result<Value> {
    all_labelled(found)?;
    let targets = found.targets.numbers()?;
    let errors = Errors::new(targets, &found.scores, None)?;
    page.line("targets", tasks::describe(targets));
    tasks::errors(page, &errors);
    Ok(json!(errors))
}

/// How many rows are novel, and of which label they are.
fn measure_novelty(page: &mut Page, found: &Scored) -> Result<Value> {
    let labels = match all_labelled(found) {
        Ok(()) => found.targets.labels()?,
        // Without labels there is the share still.
        Err(_) => Aside::unknown(found.rows).0,
    };
    let test = NoveltyTest::new(&labels, &found.scores, None, |score| score < 0.0);
    let (novel, rows) = (count(test.novel() as u64), count(test.rows() as u64));
    page.line("novel", format!("{:.2} % ({novel} of {rows})", 100.0 * test.share()));
    tasks::kinds(page, &test);
    Ok(tasks::kinds_json(&test))
}

/// What was taken for what.
fn measure_classes(page: &mut Page, names: &[String], found: &Scored) -> Result<Value> {
    all_labelled(found)?;
    let labels = found.targets.labels()?;
    // Probabilities may stand behind the scores of a row.
    let width = found.scores.len() / found.rows.max(1);
    let part = |range: std::ops::Range<usize>| -> Vec<f64> {
        found.scores.chunks_exact(width.max(1)).flat_map(|of_row| &of_row[range.clone()]).copied().collect()
    };
    let scores = &part(0..names.len().min(width));
    let loss = match width > names.len() {
        true => Some(log_loss(&labels, names, &part(names.len()..width), None)?),
        false => None,
    };
    let predicted: Vec<&str> =
        scores.chunks_exact(names.len()).map(|of_row| names[winner(of_row)].as_str()).collect();
    let table = Confusion::new(&labels, predicted)?;
    let unknown: Vec<String> =
        labels.classes().iter().filter(|class| !names.contains(class)).cloned().collect();
    // Rows of other classes are neither.
    let decisions: Option<Vec<f64>> = (names.len() == 2 && unknown.is_empty())
        .then(|| scores.chunks_exact(2).map(|of_row| of_row[1]).collect());

    page.line("classes", classes(labels.classes(), &labels.counts()));
    let right = (count(table.right() as u64), count(table.rows() as u64));
    page.line("accuracy", format!("{:.2} % ({} of {})", 100.0 * table.accuracy(), right.0, right.1));
    page.line("balanced", format!("{:.2} %, the mean over the classes", 100.0 * table.balanced_accuracy()));
    page.line("F1", tasks::f1(&table));
    page.line("Matthews", format!("{:.4}", table.matthews()));
    if let ([_, later], Some(decisions)) = (names, &decisions) {
        two_classes(page, &labels, later, decisions, table.right())?;
    }
    if let Some(loss) = loss {
        page.line("log loss", format!("{loss:.4}, of probabilities"));
    }
    tasks::confusion(page, &table);
    if !unknown.is_empty() {
        let named = some_of(&unknown);
        page.line("unknown", format!("to the model, so that their rows count as wrong: {named}"));
    }

    let positive: Vec<bool> =
        (0..labels.len()).map(|row| labels.text(row) == names[names.len() - 1]).collect();
    let (mut auc, mut area, mut best) = (None, None, None);
    if let Some(scores) = &decisions {
        auc = roc_auc(scores, &positive, None)?;
        area = average_precision(scores, &positive, None)?;
        best = Some(best_threshold(scores, &positive)?);
    }
    Ok(json!({
        "accuracy": table.accuracy(),
        "balanced_accuracy": table.balanced_accuracy(),
        "macro_f1": table.macro_f1(),
        "matthews": table.matthews(),
        "auc": auc,
        "average_precision": area,
        "best_threshold": best,
        "log_loss": loss,
        "confusion": table,
    }))
}

/// What only two classes have: a ranking of the rows, and a threshold.
fn two_classes(page: &mut Page, labels: &Labels, later: &str, decisions: &[f64], right: usize) -> Result<()> {
    let positive: Vec<bool> = (0..labels.len()).map(|row| labels.text(row) == later).collect();
    if let Some(auc) = roc_auc(decisions, &positive, None)? {
        page.line("AUC", format!("{auc:.4}, ranking {later} above the rest"));
    }
    if let Some(area) = average_precision(decisions, &positive, None)? {
        page.line("PR-AUC", format!("{area:.4}, as average precision for {later}"));
    }
    let best = best_threshold(decisions, &positive)?;
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
    Ok(())
}

/// What to expect of a model that `mercer train` would make of these data.
fn expect(
    arguments: &EvaluateArguments,
    data: &Path,
    folds: usize,
    json: bool,
) -> std::result::Result<(), Failure> {
    if let Some(kernel) = structures::kernel(&arguments.recipe)? {
        return structures::expect(arguments, kernel, data, folds, json);
    }
    let Some(kernel) = kernel(&arguments.recipe).map_err(Failure::Usage)? else {
        return Err(usage("--cv needs features: kernel values cannot be divided into folds here"));
    };
    machines::check(&arguments.recipe).map_err(Failure::Usage)?;
    let task = asked(&arguments.recipe);
    let unlabelled = task == Some(Task::Novelty);
    let options = ReadOptions { unlabelled, ..arguments.table.add_to(arguments.reading.options()) };
    let Contents::Table(table) = source::read(data, &options)? else {
        return Err(precomputed::kernel_values(data).into());
    };
    remarks::tell(&table.remarks);
    let column = table.target_name.as_deref();
    let aim = Aim::of(task, &table.targets, column, &table.remarks)
        .map_err(|error| error.in_file(source::name(data)))?;
    check_for(&arguments.recipe, aim.task()).map_err(Failure::Usage)?;
    let asked = Asked { arguments, data, folds, json };
    match aim {
        Aim::Classes(labels) if arguments.recipe.machine.multiclass.is_some_and(is_per_class) => {
            asked.expect(per_class(&arguments.recipe, kernel.clone())?, &kernel, &table, &labels)
        }
        Aim::Classes(labels) => {
            asked.expect(classifier(&arguments.recipe, kernel.clone())?, &kernel, &table, &labels)
        }
        Aim::Numbers(targets) => {
            asked.expect(regression(&arguments.recipe, kernel.clone())?, &kernel, &table, &targets)
        }
        Aim::Novelty(kinds) => {
            let kinds = kinds.unwrap_or_else(|| Aside::unknown(table.rows()));
            asked.expect(detector(&arguments.recipe, kernel.clone())?, &kernel, &table, &kinds)
        }
    }
}

/// What was asked of a test in folds.
struct Asked<'a> {
    arguments: &'a EvaluateArguments,
    data: &'a Path,
    folds: usize,
    json: bool,
}

impl Asked<'_> {
    fn expect<M: Telling>(
        &self,
        machine: M,
        kernel: &Expression,
        table: &Table<'_>,
        targets: &M::Targets,
    ) -> std::result::Result<(), Failure> {
        let Asked { arguments, data, folds, json } = *self;
        let rows = &table.vectors;
        let recipe = recipe(&arguments.recipe, machine, kernel, rows, left(time_limit(&arguments.recipe)?))?;
        let (weights, groups) = (table.weights.as_deref(), table.groups.as_deref());
        let examples = Examples { items: rows, targets, weights, groups };
        let splits = examples.folds(folds, recipe.seed).map_err(Failure::Usage)?;
        let observer = Observer::new(arguments.quiet || json, arguments.recipe.tolerance);
        let outcome = recipe.assess(examples, &splits, &|progress| observer.show(progress));
        observer.clear();
        let test = match outcome {
            Err(Error::Interrupted) => {
                return Err(Ending::Interrupt.without_result("the first fold was tested"));
            }
            outcome => outcome.map_err(|error| error.in_file(source::name(data)))?,
        };
        observer.ending().tell();
        if test.unconverged > 0 {
            note(format!(
                "mercer: {} of {} models had not converged when they were tested: a limit came first",
                test.unconverged,
                splits.len()
            ));
        }
        if json {
            show_json(&json!({ "data": data, "test": test }))?;
            return observer.ending().of(());
        }
        let mut page = Page::default();
        page.line("data", format!("{}: {}", source::name(data).display(), shape(rows)));
        M::targets(&mut page, targets);
        tasks::show::<M>(&mut page, &test);
        M::folds(&mut page, &test);
        if !arguments.quiet {
            page.show()?;
        }
        observer.ending().of(())
    }
}

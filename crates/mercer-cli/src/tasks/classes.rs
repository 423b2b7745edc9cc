//! Classes: what was taken for what.

use std::collections::BTreeMap;

use mercer::data::{Labels, Vectors};
use mercer::evaluation::{Assessment, ClassificationTest, Confusion, PerClass};
use mercer::io::TrainedMachine;
use mercer::kernel::Expression;
use mercer::machine::{ClassModel, SvcModel, SvcParams};
use serde_json::{Value, json};

use super::{Telling, how};
use crate::print::{self, Page, count};

/// Classes of which the whole table is shown.
const MOST_CLASSES: usize = 12;

type Pairs = SvcParams<Expression>;

impl Telling for Pairs {
    fn any(model: SvcModel<Expression, Vectors<'static>>) -> TrainedMachine {
        model.into()
    }

    fn of_any(model: TrainedMachine) -> Option<Self::Model> {
        match model {
            TrainedMachine::Svc(model) => model.try_into().ok(),
            _ => None,
        }
    }

    fn targets(page: &mut Page, labels: &Labels) {
        page.line("classes", print::classes(labels.classes(), &labels.counts()));
    }

    fn targets_json(labels: &Labels) -> (&'static str, Value) {
        let counts: BTreeMap<_, _> = labels.classes().iter().cloned().zip(labels.counts()).collect();
        ("classes", json!(counts))
    }

    fn tried(&self, share: f64) -> String {
        share_right(share)
    }

    fn in_words(test: &Assessment<ClassificationTest>) -> String {
        let (share, error) = (100.0 * test.outcome.accuracy(), 100.0 * test.outcome.standard_error());
        format!("{share:.1} % right, ± {error:.1} ({})", how(test.method))
    }

    fn details(page: &mut Page, test: &Assessment<ClassificationTest>) {
        let table = &test.outcome.confusion;
        let mut more = vec![
            format!("balanced accuracy {:.1} %", 100.0 * table.balanced_accuracy()),
            format!("Matthews {:.3}", table.matthews()),
        ];
        if let Some(auc) = test.outcome.auc {
            more.push(format!("AUC {auc:.3}"));
        }
        page.line("", more.join(", "));
        confusion(page, table);
    }

    fn folds(page: &mut Page, test: &Assessment<ClassificationTest>) {
        page.line("F1", f1(&test.outcome.confusion));
        let each: Vec<String> =
            test.outcome.folds.iter().map(|fold| format!("{:.1}", 100.0 * fold)).collect();
        page.line("folds", format!("{} % right", each.join(", ")));
    }

    fn advice(test: &Assessment<ClassificationTest>) -> Option<&'static str> {
        let table = &test.outcome.confusion;
        let most = (0..table.classes().len()).map(|class| table.rows_of(class)).max().unwrap_or(0);
        (table.right() <= most).then_some(
            "on new rows the model is no better than always saying the largest class: \
             another --kernel, or --class-weight balanced, may do better",
        )
    }
}

/// The same is told about classifiers with a function for each class.
impl Telling for PerClass<Expression> {
    fn any(model: ClassModel<Expression, Vectors<'static>>) -> TrainedMachine {
        model.into()
    }

    fn of_any(model: TrainedMachine) -> Option<Self::Model> {
        match model {
            TrainedMachine::Classes(model) => model.try_into().ok(),
            _ => None,
        }
    }

    fn targets(page: &mut Page, labels: &Labels) {
        Pairs::targets(page, labels);
    }

    fn targets_json(labels: &Labels) -> (&'static str, Value) {
        Pairs::targets_json(labels)
    }

    fn tried(&self, share: f64) -> String {
        share_right(share)
    }

    fn in_words(test: &Assessment<ClassificationTest>) -> String {
        Pairs::in_words(test)
    }

    fn details(page: &mut Page, test: &Assessment<ClassificationTest>) {
        Pairs::details(page, test);
    }

    fn folds(page: &mut Page, test: &Assessment<ClassificationTest>) {
        Pairs::folds(page, test);
    }

    fn advice(test: &Assessment<ClassificationTest>) -> Option<&'static str> {
        Pairs::advice(test)
    }
}

fn share_right(share: f64) -> String {
    format!("{:.1} % right", 100.0 * share)
}

/// F1 over all classes, and of each of a few.
pub fn f1(table: &Confusion) -> String {
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

/// The table of what was taken for what; only the worst of it for many classes.
pub fn confusion(page: &mut Page, table: &Confusion) {
    let classes = table.classes();
    let k = classes.len();
    if k > MOST_CLASSES {
        let mut pairs: Vec<(usize, usize)> = (0..k)
            .flat_map(|t| (0..k).map(move |p| (t, p)))
            .filter(|&(t, p)| t != p && table.count(t, p) > 0)
            .collect();
        pairs.sort_by_key(|&(t, p)| (std::cmp::Reverse(table.count(t, p)), t, p));
        let worst: Vec<String> = pairs
            .iter()
            .take(5)
            .map(|&(t, p)| format!("{} as {} {}", classes[t], classes[p], count(table.count(t, p) as u64)))
            .collect();
        page.line("mistaken most", if worst.is_empty() { "none".to_string() } else { worst.join(", ") });
        return;
    }
    let name = |c: usize| shortened(&classes[c]);
    let widest = (0..k).map(|c| name(c).chars().count()).max().unwrap_or(0);
    let cells: Vec<Vec<String>> =
        (0..k).map(|t| (0..k).map(|p| count(table.count(t, p) as u64)).collect()).collect();
    let width = |p: usize| {
        (0..k).map(|t| cells[t][p].chars().count()).max().unwrap_or(0).max(name(p).chars().count()) + 2
    };
    let head: String = (0..k).map(|p| format!("{:>1$}", name(p), width(p))).collect();
    page.line("predicted as", format!("{:widest$}{head}", ""));
    for (t, row) in cells.iter().enumerate() {
        let numbers: String =
            row.iter().enumerate().map(|(p, cell)| format!("{cell:>0$}", width(p))).collect();
        page.line("", format!("{:<widest$}{numbers}", name(t)));
    }
}

/// A class name that leaves room for others.
fn shortened(name: &str) -> String {
    const MOST: usize = 16;
    match name.chars().count() {
        0..=MOST => name.to_string(),
        _ => name.chars().take(MOST - 1).chain(['…']).collect(),
    }
}
